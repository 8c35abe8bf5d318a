//! Straightening of outlines: Douglas and Peucker's way, between fixed corners, by distance on the plan and by height.
//!
//! A stretch is always treated from its lesser end on, so that the two layers that share it keep the same corners.
//!
//! Straightened borders may cross, or leave nothing of a layer, where it is narrow. Then that layer is straightened less, and
//! in the end not at all, which cannot cross; what it shares with others is straightened as the less straight of both is.

use super::contour::{Beyond, Corner, Outlines};

/// Levels of straightening: all of the error, half of it, none.
pub(crate) const LEVEL_LAST: u8 = 2;

/// How far an outline may be off what it was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ErrorLimits {
    /// On the plan, cells. Limit: ≥ 0.
    pub(crate) plan: f32,
    /// In height, cells of height. Limit: > 0.
    pub(crate) height: f32,
}

/// Marks the corners that are kept; `levels` is by layer. Layers of which too little is left, and that others share a border
/// with, go to `bad`.
pub(crate) fn simplify(outlines: &mut Outlines, errors: ErrorLimits, levels: &[u8], bad: &mut Vec<u16>) {
    let mut begin = 0;
    for &(layer, end) in &outlines.walks {
        let limits = |corner: &Corner| {
            let other = if let Beyond::Inside(other) = corner.beyond { levels[usize::from(other)] } else { 0 };
            let error =
                errors.plan * [1.0, 0.5, 0.0][usize::from(levels[usize::from(layer)].max(other).min(LEVEL_LAST))];
            Limits { error_squared: error * error, height_error: errors.height }
        };
        if !walk(&mut outlines.corners[begin..end as usize], limits) {
            bad.push(layer);
        }
        begin = end as usize;
    }
}

/// The limits of one stretch.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// On the plan, cells²; at 0 any distance is too far.
    error_squared: f32,
    /// In height, cells of height.
    height_error: f32,
}

/// False if too little is left of it.
fn walk(corners: &mut [Corner], limits: impl Fn(&Corner) -> Limits) -> bool {
    let area = corners.windows(2).map(|pair| turn(&corners[0], &pair[0], &pair[1])).sum::<i64>();
    for corner in corners.iter_mut() {
        corner.is_kept = corner.is_fixed;
    }
    let first_fixed = corners.iter().position(|corner| corner.is_fixed);
    let start = first_fixed.unwrap_or_else(|| extreme(corners, |a, b| place(a) < place(b)));
    corners.rotate_left(start);
    corners[0].is_kept = true;
    let count = corners.len();
    let mut from = 0;
    for index in 1..=count {
        if index == count || corners[index].is_kept {
            let limits = limits(&corners[(from + 1) % count]);
            stretch(corners, from, index, limits);
            from = index;
        }
    }
    let is_small = corners.iter().filter(|corner| corner.is_kept).count() < 3;
    if is_small || area_twice(corners).signum() != area.signum() {
        if corners.iter().any(|corner| matches!(corner.beyond, Beyond::Inside(1..))) {
            return false;
        }
        // Too small to be straightened: as it is.
        for index in 0..count {
            let (last, next) = (corners[(index + count - 1) % count], corners[(index + 1) % count]);
            corners[index].is_kept = corners[index].is_fixed || turn(&last, &corners[index], &next) != 0;
        }
    }
    true
}

fn place(corner: &Corner) -> (u16, u16) {
    (corner.x, corner.z)
}

fn extreme(corners: &[Corner], is_before: impl Fn(&Corner, &Corner) -> bool) -> usize {
    let mut best = 0;
    for index in 1..corners.len() {
        if is_before(&corners[index], &corners[best]) {
            best = index;
        }
    }
    best
}

/// Positive for a turn to the left seen from above.
fn turn(a: &Corner, b: &Corner, c: &Corner) -> i64 {
    let (abx, abz) = (i64::from(b.x) - i64::from(a.x), i64::from(b.z) - i64::from(a.z));
    let (acx, acz) = (i64::from(c.x) - i64::from(a.x), i64::from(c.z) - i64::from(a.z));
    abz * acx - abx * acz
}

fn area_twice(corners: &[Corner]) -> i64 {
    let kept: Vec<&Corner> = corners.iter().filter(|corner| corner.is_kept).collect();
    kept.windows(2).map(|pair| turn(kept[0], pair[0], pair[1])).sum()
}

/// Straightens the stretch between two kept corners; `to` may be one past the last, which is the first.
fn stretch(corners: &mut [Corner], from: usize, to: usize, limits: Limits) {
    let count = corners.len();
    if to - from < 2 {
        return;
    }
    let (first, last) = (place(&corners[from]), place(&corners[to % count]));
    if first == last {
        // A round trip: its farthest corner makes two stretches of it.
        let away = |index: usize| {
            let (x, z) = place(&corners[index]);
            let (dx, dz) = (i64::from(x) - i64::from(first.0), i64::from(z) - i64::from(first.1));
            (dx * dx + dz * dz, std::cmp::Reverse((x, z)))
        };
        if let Some(middle) = (from + 1..to).max_by_key(|&index| away(index)) {
            corners[middle].is_kept = true;
            stretch(corners, from, middle, limits);
            stretch(corners, middle, to, limits);
        }
        return;
    }
    let mut open = vec![if first < last { (from, to) } else { (to, from) }];
    while let Some((begin, end)) = open.pop() {
        if let Some(middle) = worst(corners, begin, end, limits) {
            corners[middle].is_kept = true;
            open.push((begin, middle));
            open.push((middle, end));
        }
    }
}

/// The corner farthest from the straight way, if it is too far; the first of equals from `begin` on. Either may be greater.
fn worst(corners: &[Corner], begin: usize, end: usize, limits: Limits) -> Option<usize> {
    let Limits { error_squared, height_error } = limits;
    let count = corners.len();
    let at = |index: usize| {
        let corner = &corners[index % count];
        [f32::from(corner.x), f32::from(corner.z), f32::from(corner.y)]
    };
    let ([ax, az, ay], [bx, bz, by]) = (at(begin), at(end));
    let (dx, dz) = (bx - ax, bz - az);
    let length_squared = dx * dx + dz * dz;
    let (mut found, mut most) = (None, 1.0);
    let mut test = |index: usize| {
        let [x, z, y] = at(index);
        let (px, pz) = (x - ax, z - az);
        let share = sentir_core::math::saturate((px * dx + pz * dz) / length_squared);
        let (ex, ez) = (px - share * dx, pz - share * dz);
        let off = (y - (ay + share * (by - ay))).abs() / height_error;
        let squared = ex * ex + ez * ez;
        // A limit of 0 means that any distance is too far.
        let far = if error_squared > 0.0 { squared / error_squared } else { squared * 1e6 };
        let score = sentir_core::math::max(far, off * off);
        if score > most {
            (found, most) = (Some(index), score);
        }
    };
    if begin < end {
        (begin + 1..end).for_each(&mut test);
    } else {
        (end + 1..begin).rev().for_each(&mut test);
    }
    found
}
