//! Simple polygons on the ground: checked, turned counter-clockwise, cut into triangles.
//!
//! Crossings are found pair by pair, O(n²); triangles by clipping ears, holes by bridges to the border (Eberly), O(n²) as
//! a rule. Signs are taken in double precision, where they are exact for coordinates of a level. Corners are never
//! moved, so neighbors share them to the bit.

use glam::Vec2;

use crate::error::Fault;

/// Corners of one ring at most.
pub const RING_CORNERS_MAX: usize = 512;
/// Corners of a polygon with its holes at most.
pub const POLYGON_CORNERS_MAX: usize = 1024;

/// Twice the signed area of a, b, c: positive when c is left of the way from a to b.
fn side(a: Vec2, b: Vec2, c: Vec2) -> f64 {
    let (ax, ay) = (f64::from(a.x), f64::from(a.y));
    (f64::from(b.x) - ax) * (f64::from(c.y) - ay) - (f64::from(b.y) - ay) * (f64::from(c.x) - ax)
}

/// Twice the signed area of a ring; positive counter-clockwise.
pub(crate) fn area_twice(ring: &[Vec2]) -> f64 {
    let Some(&first) = ring.first() else { return 0.0 };
    ring.windows(2).map(|pair| side(first, pair[0], pair[1])).sum()
}

/// Whether the closed segments a–b and c–d share a point.
fn meet(a: Vec2, b: Vec2, c: Vec2, d: Vec2) -> bool {
    let (abc, abd, cda, cdb) = (side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b));
    let parts = |x: f64, y: f64| (x > 0.0 && y < 0.0) || (x < 0.0 && y > 0.0);
    let on = |from: Vec2, to: Vec2, point: Vec2, side: f64| {
        let within = |low: f32, high: f32, x: f32| (low <= x && x <= high) || (high <= x && x <= low);
        side == 0.0 && within(from.x, to.x, point.x) && within(from.y, to.y, point.y)
    };
    (parts(abc, abd) && parts(cda, cdb)) || on(a, b, c, abc) || on(a, b, d, abd) || on(c, d, a, cda) || on(c, d, b, cdb)
}

/// The ring, counter-clockwise, if it is simple: at least three corners, none twice, sides that meet only at corners.
pub(crate) fn ring(corners: &[[f32; 2]]) -> Result<Vec<Vec2>, Fault> {
    let mut ring: Vec<Vec2> = corners.iter().map(|&corner| Vec2::from(corner)).collect();
    let count = ring.len();
    if count < 3 {
        return Err(Fault::TooFew(count as u32));
    }
    for first in 0..count {
        for second in first + 1..count {
            if ring[first] == ring[second] {
                return Err(Fault::Repeated(first as u32 + 1, second as u32 + 1));
            }
        }
    }
    let next = |index: usize| (index + 1) % count;
    for first in 0..count {
        for second in first + 1..count {
            let (a, b, c, d) = (ring[first], ring[next(first)], ring[second], ring[next(second)]);
            let crosses = if next(first) == second {
                // Neighbors share b = c; they must not fold back onto each other.
                side(a, b, d) == 0.0 && (a - b).dot(d - b) > 0.0
            } else if next(second) == first {
                side(c, d, b) == 0.0 && (c - a).dot(b - a) > 0.0
            } else {
                meet(a, b, c, d)
            };
            if crosses {
                return Err(Fault::Crossing(first as u32 + 1, second as u32 + 1));
            }
        }
    }
    let area = area_twice(&ring);
    if area == 0.0 || area.is_nan() {
        return Err(Fault::Flat);
    }
    if area < 0.0 {
        ring.reverse();
    }
    Ok(ring)
}

/// Whether a point is inside a ring; points on the border may go either way.
pub fn contains(ring: &[Vec2], point: Vec2) -> bool {
    let mut is_inside = false;
    for (index, &b) in ring.iter().enumerate() {
        let a = ring[(index + ring.len() - 1) % ring.len()];
        if (a.y > point.y) != (b.y > point.y) && (side(a, b, point) > 0.0) == (b.y > a.y) {
            is_inside = !is_inside;
        }
    }
    is_inside
}

/// Checks that every hole is inside the border and apart from all else. Rings are simple already.
pub(crate) fn check_holes(border: &[Vec2], holes: &[Vec<Vec2>]) -> Result<(), Fault> {
    for (number, hole) in (1..).zip(holes) {
        let others = holes.iter().take(number as usize - 1);
        let apart = |other: &[Vec2]| sides(hole).all(|(a, b)| sides(other).all(|(c, d)| !meet(a, b, c, d)));
        let is_apart =
            others.clone().all(|other| apart(other) && !contains(other, hole[0]) && !contains(hole, other[0]));
        if !is_apart || !apart(border) || !contains(border, hole[0]) {
            return Err(Fault::Hole(number));
        }
    }
    Ok(())
}

fn sides(ring: &[Vec2]) -> impl Iterator<Item = (Vec2, Vec2)> {
    ring.iter().enumerate().map(|(index, &corner)| (corner, ring[(index + 1) % ring.len()]))
}

/// Counter-clockwise triangles that fill a checked border without its checked holes.
/// None if rounding defeats the clipping.
pub(crate) fn triangulate(border: &[Vec2], holes: &[Vec<Vec2>]) -> Option<Vec<[Vec2; 3]>> {
    let mut ring = border.to_vec();
    let mut order: Vec<usize> = (0..holes.len()).collect();
    let rightmost =
        |hole: usize| holes[hole].iter().fold(f32::NEG_INFINITY, |most, at| if at.x > most { at.x } else { most });
    order.sort_by(|&a, &b| rightmost(b).total_cmp(&rightmost(a)).then(a.cmp(&b)));
    // Rightmost first: to its right, a hole then sees only what is joined already, so a free cut exists.
    for hole in order {
        bridge(&mut ring, &holes[hole], holes)?;
    }
    clip_ears(ring)
}

/// Joins a hole to the ring by the shortest cut that meets nothing else, this or another hole.
fn bridge(ring: &mut Vec<Vec2>, hole: &[Vec2], holes: &[Vec<Vec2>]) -> Option<()> {
    let start = sentir_core::order::greatest(hole.iter().map(|at| at.x))?;
    let from = hole[start];
    let is_free = |to: Vec2| {
        let blocks = |(a, b): (Vec2, Vec2)| a != to && b != to && a != from && b != from && meet(from, to, a, b);
        !sides(ring).any(blocks) && !holes.iter().any(|hole| sides(hole).any(blocks))
    };
    let opens_to = |index: usize| {
        let (last, at, next) =
            (ring[(index + ring.len() - 1) % ring.len()], ring[index], ring[(index + 1) % ring.len()]);
        let (left, right) = (side(at, next, from) > 0.0, side(last, at, from) > 0.0);
        if side(last, at, next) > 0.0 { left && right } else { left || right }
    };
    let distance = |index: usize| {
        let at = ring[index];
        if opens_to(index) && is_free(at) { (at - from).length_squared() } else { f32::NAN }
    };
    let best = sentir_core::order::least((0..ring.len()).map(distance))?;
    let to = ring[best];
    // Holes run clockwise inside a counter-clockwise border.
    let around = (0..=hole.len()).map(|step| hole[(start + hole.len() - step % hole.len()) % hole.len()]);
    let insert: Vec<Vec2> = around.chain([to]).collect();
    ring.splice(best + 1..best + 1, insert);
    Some(())
}

fn clip_ears(mut ring: Vec<Vec2>) -> Option<Vec<[Vec2; 3]>> {
    let mut triangles = Vec::with_capacity(ring.len());
    let mut at = 0;
    let mut tries = 0;
    while ring.len() > 3 {
        let count = ring.len();
        let ear = [ring[(at + count - 1) % count], ring[at % count], ring[(at + 1) % count]];
        if is_ear(&ring, ear) {
            triangles.push(ear);
            ring.remove(at % count);
            at = if at % count == 0 { 0 } else { at % count - 1 };
            tries = 0;
        } else {
            at = (at + 1) % count;
            tries += 1;
            if tries > count {
                // Only corners on straight lines are left to take: they bound nothing.
                ring.remove(straight_corner(&ring)?);
                tries = 0;
            }
        }
    }
    triangles.push([ring[0], ring[1], ring[2]]);
    triangles.retain(|&[a, b, c]| side(a, b, c) > 0.0);
    Some(triangles)
}

fn straight_corner(ring: &[Vec2]) -> Option<usize> {
    let count = ring.len();
    (0..count).find(|&at| side(ring[(at + count - 1) % count], ring[at], ring[(at + 1) % count]) == 0.0)
}

fn is_ear(ring: &[Vec2], [a, b, c]: [Vec2; 3]) -> bool {
    let is_apart = |point: Vec2| {
        point == a
            || point == b
            || point == c
            || side(a, b, point) < 0.0
            || side(b, c, point) < 0.0
            || side(c, a, point) < 0.0
    };
    side(a, b, c) > 0.0 && ring.iter().all(|&point| is_apart(point))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn filled(triangles: &[[Vec2; 3]]) -> f64 {
        triangles.iter().map(|&[a, b, c]| side(a, b, c)).sum()
    }

    fn star(radii: &[f32], center: Vec2, scale: f32) -> Vec<[f32; 2]> {
        let step = sentir_core::math::TAU / radii.len() as f32;
        let corner = |(index, radius): (usize, &f32)| {
            let (sin, cos) = sentir_core::math::sin_cos(step * index as f32);
            (center + Vec2::new(cos, sin) * *radius * scale).to_array()
        };
        radii.iter().enumerate().map(corner).collect()
    }

    #[test]
    fn faults_are_named() {
        assert_eq!(ring(&[[0.0, 0.0], [1.0, 0.0]]), Err(Fault::TooFew(2)));
        assert_eq!(ring(&[[0.0, 0.0], [1.0, 0.0], [0.0, 0.0]]), Err(Fault::Repeated(1, 3)));
        assert_eq!(ring(&[[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0]]), Err(Fault::Crossing(1, 3)));
        assert_eq!(ring(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]), Err(Fault::Crossing(1, 3)));
        assert_eq!(ring(&[[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [2.0, 0.0], [0.0, 4.0]]), Err(Fault::Crossing(1, 3)));
        let border = ring(&[[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]]).unwrap();
        let out = ring(&[[5.0, 0.0], [6.0, 0.0], [6.0, 1.0]]).unwrap();
        assert_eq!(check_holes(&border, &[out]), Err(Fault::Hole(1)));
    }

    #[test]
    fn clockwise_rings_are_turned() {
        let turned = ring(&[[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]]).unwrap();
        assert!(area_twice(&turned) > 0.0);
        assert!(contains(&turned, Vec2::splat(0.2)) && !contains(&turned, Vec2::ONE));
    }

    /// Found by the property below: the shortest cut of the first hole once led through the second.
    #[test]
    fn no_cut_leads_through_another_hole() {
        let border = [8.764995, 5.9243245, 7.4609156, 4.0, 4.0, 4.0, 4.0, 4.0, 8.016335, 6.7372465];
        let border = ring(&star(&border, Vec2::ZERO, 1.0)).unwrap();
        let holes: [&[f32]; 3] = [&[0.1, 0.1, 0.1], &[0.1, 0.39905122, 0.1], &[0.26401198, 0.3845049, 0.1, 0.1, 0.1]];
        let places = [Vec2::new(-0.5, -0.5), Vec2::new(0.5, -0.5), Vec2::new(0.5, 0.5)];
        let holes: Vec<_> = holes.iter().zip(places).map(|(radii, at)| ring(&star(radii, at, 1.0)).unwrap()).collect();
        let expected = area_twice(&border) - holes.iter().map(|hole| area_twice(hole)).sum::<f64>();
        let triangles = triangulate(&border, &holes).unwrap();
        assert!((filled(&triangles) - expected).abs() < 1e-4);
    }

    proptest! {
        /// Triangles fill the polygon without its holes: the areas agree, and no triangle's middle is in a hole.
        #[test]
        fn triangles_fill_what_the_rings_bound(
            border in proptest::collection::vec(4.0f32..9.0, 5..30),
            holes in proptest::collection::vec(proptest::collection::vec(0.1f32..0.4, 3..9), 0..4),
        ) {
            let border = ring(&star(&border, Vec2::ZERO, 1.0)).unwrap();
            let places = [Vec2::new(-0.5, -0.5), Vec2::new(0.5, -0.5), Vec2::new(0.5, 0.5), Vec2::new(-0.5, 0.5)];
            let holes: Vec<_> = holes.iter().zip(places).map(|(radii, at)| ring(&star(radii, at, 1.0)).unwrap()).collect();
            prop_assume!(check_holes(&border, &holes).is_ok());
            let triangles = triangulate(&border, &holes).unwrap();
            let expected = area_twice(&border) - holes.iter().map(|hole| area_twice(hole)).sum::<f64>();
            prop_assert!((filled(&triangles) - expected).abs() < 1e-4, "{} for {}", filled(&triangles), expected);
            for [a, b, c] in triangles {
                prop_assert!(side(a, b, c) >= 0.0);
                let middle = (a + b + c) / 3.0;
                prop_assert!(!holes.iter().any(|hole| contains(hole, middle) && side(a, b, c) > 1e-4));
            }
        }
    }
}
