//! Objects in a viewport: pixels of a class that belong together, and where to stand to reach one.

use crate::eye::Lens;
use crate::thing::Class;
use crate::viewport::Viewport;

/// Objects found at most: what is beyond is not told apart any more.
pub const OBJECTS_MAX: usize = 256;

/// Pixels that are looked through at a time.
const BLOCK: usize = 32;

/// How near pixels must be to belong to one object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Joining {
    /// As the source has it: the reach on the picture grows with depth, so that far neighbors merge.
    Source {
        /// How large objects are taken to be, as a share.
        reach: f32,
    },
    /// By the size of what is looked for: what is that wide looks so much smaller farther away.
    Size {
        /// How far apart two pixels of one object can be, m.
        reach_m: f32,
    },
}

/// One object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Object {
    /// What it is.
    pub class: Class,
    /// Its first pixel from below: column.
    pub column: u32,
    /// Row.
    pub row: u32,
    /// Its depth there.
    pub depth: f32,
    /// How many pixels show it.
    pub pixels: u32,
}

impl Joining {
    /// How far apart pixels of an object may be on the picture, pixels, and in depth.
    fn reach(self, lens: &Lens, focal_px: f32, seed: &Object) -> (f32, f32) {
        match self {
            Joining::Source { reach } => (reach * seed.depth * lens.width as f32, reach * lens.near_m / lens.far_m),
            Joining::Size { reach_m } => {
                let span = lens.far_m - lens.near_m;
                (reach_m * focal_px / (span * seed.depth + lens.near_m), reach_m / span)
            }
        }
    }
}

/// Finds the objects of these classes, the lowest first: a pixel joins the first object that it is near enough to, or
/// begins one. O(pixels · objects).
pub fn find(view: &Viewport, classes: &[Class], joining: Joining, objects: &mut Vec<Object>) {
    objects.clear();
    let (lens, focal_px) = (*view.lens(), view.lens().focal_px());
    // Most of a picture is none of it: block by block, of which most are passed over at once.
    for (block, shown) in view.classes().chunks(BLOCK).enumerate() {
        if !classes.iter().any(|class| shown.contains(class)) {
            continue;
        }
        for (place, &class) in (block * BLOCK..).zip(shown).filter(|(_, class)| classes.contains(class)) {
            let (column, row) = (place as u32 % lens.width, place as u32 / lens.width);
            let depth = view.depth(column, row);
            let joins = |object: &Object| {
                let (across, deep) = joining.reach(&lens, focal_px, object);
                object.class == class
                    && (object.column.abs_diff(column) as f32) <= across
                    && (object.row.abs_diff(row) as f32) <= across
                    && (object.depth - depth).abs() <= deep
            };
            match objects.iter().position(joins) {
                Some(index) => objects[index].pixels += 1,
                None if objects.len() < OBJECTS_MAX => objects.push(Object { class, column, row, depth, pixels: 1 }),
                None => {}
            }
        }
    }
}

/// The nearest of the objects; the first of equals.
pub fn nearest(objects: &[Object]) -> Option<&Object> {
    objects.iter().min_by(|a, b| a.depth.total_cmp(&b.depth))
}

/// Where one stands to be at an object: down its column, the first floor of about its depth.
pub fn foot(view: &Viewport, object: &Object, depth_off_max: f32) -> Option<(u32, u32)> {
    let is_foot = |row: &u32| {
        let is_floor = view.class(object.column, *row) == Class::FLOOR;
        is_floor && (view.depth(object.column, *row) - object.depth).abs() <= depth_off_max
    };
    (0..object.row).rev().find(is_foot).map(|row| (object.column, row))
}
