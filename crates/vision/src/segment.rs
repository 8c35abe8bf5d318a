//! Objects apart, though they touch on the picture: pixels join across a common side if they are of one class, the step between
//! them in depth is small, and they move alike.
//!
//! Connected components by union and find (Rosenfeld and Pfaltz 1966), two passes over the picture: O(pixels) in practice.
//! Objects of one class that touch, stand at one distance and move alike are one: no picture tells them apart. Nothing
//! allocates once warm.

use crate::object::{OBJECTS_MAX, Object};
use crate::thing::Class;
use crate::viewport::Viewport;

/// What counts as one object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SegmentConfig {
    /// How far two pixels side by side may be apart along the view, m.
    pub step_m: f32,
    /// How much their colors of motion may differ, 0..=1 in each channel.
    pub motion_off_max: f32,
}

impl Default for SegmentConfig {
    fn default() -> Self {
        SegmentConfig { step_m: 0.3, motion_off_max: 0.05 }
    }
}

/// The memory that finding takes.
#[derive(Clone, Debug, Default)]
pub struct SegmentScratch {
    /// For each pixel another of its object with a lower number, or itself.
    parents: Vec<u32>,
    /// For each first pixel the number of its object.
    numbers: Vec<u32>,
}

const NONE: u32 = u32::MAX;

/// Finds the objects of these classes, the lowest first; of the first [`OBJECTS_MAX`]. Their pixel is the lowest, then leftmost.
pub fn find(
    view: &Viewport,
    classes: &[Class],
    config: &SegmentConfig,
    scratch: &mut SegmentScratch,
    objects: &mut Vec<Object>,
) {
    objects.clear();
    let width = view.lens().width as usize;
    let SegmentScratch { parents, numbers } = scratch;
    parents.clear();
    parents.extend((0..view.classes.len()).map(|place| match classes.contains(&view.classes[place]) {
        true => place as u32,
        false => NONE,
    }));
    for place in 0..parents.len() {
        if parents[place] == NONE {
            continue;
        }
        let left = (!place.is_multiple_of(width)).then(|| place - 1);
        let below = place.checked_sub(width);
        for other in [left, below].into_iter().flatten() {
            if parents[other] != NONE && belong(view, config, place, other) {
                join(parents, place as u32, other as u32);
            }
        }
    }
    numbers.clear();
    numbers.resize(parents.len(), NONE);
    for place in 0..parents.len() {
        if parents[place] == NONE {
            continue;
        }
        let first = root(parents, place as u32) as usize;
        if numbers[first] == NONE {
            if objects.len() == OBJECTS_MAX {
                continue;
            }
            numbers[first] = objects.len() as u32;
            let (column, row) = ((first % width) as u32, (first / width) as u32);
            let (class, depth) = (view.classes[first], view.depths[first]);
            objects.push(Object { class, column, row, depth, pixels: 0 });
        }
        objects[numbers[first] as usize].pixels += 1;
    }
}

fn belong(view: &Viewport, config: &SegmentConfig, a: usize, b: usize) -> bool {
    let span = view.lens().far_m - view.lens().near_m;
    let [one, other] = [view.motions[a].color(), view.motions[b].color()];
    view.classes[a] == view.classes[b]
        && (view.depths[a] - view.depths[b]).abs() * span <= config.step_m
        && (0..3).all(|part| (one[part] - other[part]).abs() <= config.motion_off_max)
}

/// The first pixel of an object; ways there are cut short.
fn root(parents: &mut [u32], mut place: u32) -> u32 {
    while parents[place as usize] != place {
        let next = parents[place as usize];
        parents[place as usize] = parents[next as usize];
        place = next;
    }
    place
}

/// Two objects become one, which is known by its first pixel.
fn join(parents: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root(parents, a), root(parents, b));
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    parents[high as usize] = low;
}
