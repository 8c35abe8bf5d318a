//! The picture an eye has, and how a look fills it.

use sentir_core::glam::Vec3;
use sentir_core::math;

use crate::color::{Motion, MotionMode};
use crate::eye::{Eye, Lens, LensError, View};
use crate::scenery::{Box3, Scenery};
use crate::thing::{Class, Thing};

/// Side of a tile of the picture, pixels. A tile knows the farthest point it shows.
pub(crate) const TILE: usize = 8;

/// Numbers under this one are pieces of the level by their class; the first thing has this number.
pub(crate) const FIRST_THING: u32 = 4;

/// What one pixel shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pixel {
    /// What: nothing, a wall, a floor or a ceiling as numbered by [`Class`], or else a thing.
    number: u32,
    /// Distance along the view, 0 at the near plane and 1 at the far one; 1 where nothing is.
    pub depth: f32,
}

/// A picture, and the memory that making it takes.
#[derive(Clone, Debug)]
pub struct Retina {
    lens: Lens,
    pub(crate) view: View,
    /// 1/distance along the view, row after row from the lowest.
    pub(crate) nearness: Vec<f32>,
    /// What is there.
    pub(crate) numbers: Vec<u32>,
    /// The least nearness in each tile, unless it is stale.
    tile_floor: Vec<f32>,
    pub(crate) tile_is_stale: Vec<bool>,
    pub(crate) tile_columns: usize,
    things: Vec<(Class, Vec3)>,
    stack: Vec<u32>,
}

/// What becomes of a box.
enum Fate {
    Hidden,
    Seen,
}

impl Retina {
    /// A dark picture.
    pub fn new(lens: Lens) -> Result<Retina, LensError> {
        lens.check()?;
        let (width, height) = (lens.width as usize, lens.height as usize);
        let (columns, rows) = (width.div_ceil(TILE), height.div_ceil(TILE));
        Ok(Retina {
            lens,
            view: View::new(&Eye::default(), &lens),
            nearness: vec![1.0 / lens.far_m; width * height],
            numbers: vec![0; width * height],
            tile_floor: vec![1.0 / lens.far_m; columns * rows],
            tile_is_stale: vec![false; columns * rows],
            tile_columns: columns,
            things: Vec::new(),
            stack: Vec::new(),
        })
    }

    /// The lens.
    pub fn lens(&self) -> &Lens {
        &self.lens
    }

    /// Looks: the picture is what the eye sees of a scenery and of things. An eye that is no number sees nothing.
    pub fn look(&mut self, eye: &Eye, scenery: &Scenery, things: &[Thing<'_>]) {
        self.nearness.fill(1.0 / self.lens.far_m);
        self.numbers.fill(0);
        self.tile_floor.fill(1.0 / self.lens.far_m);
        self.tile_is_stale.fill(false);
        self.things.clear();
        self.things.extend(things.iter().map(|thing| (thing.class, thing.velocity)));
        let pitch = math::clamp(eye.pitch, -math::FRAC_PI_2, math::FRAC_PI_2);
        if !(eye.position.is_finite() && eye.yaw.is_finite() && eye.pitch.is_finite()) {
            return;
        }
        self.view = View::new(&Eye { pitch, ..*eye }, &self.lens);
        self.draw_scenery(scenery);
        for (index, thing) in (FIRST_THING..).zip(things) {
            self.draw_thing(thing, index);
        }
    }

    /// Walks the boxes from near to far.
    fn draw_scenery(&mut self, scenery: &Scenery) {
        let mut stack = std::mem::take(&mut self.stack);
        stack.clear();
        if !scenery.boxes.is_empty() {
            stack.push(0);
        }
        while let Some(index) = stack.pop() {
            let node = &scenery.boxes[index as usize];
            if let Fate::Hidden = self.fate(node) {
                continue;
            }
            if node.count > 0 {
                let from = node.at as usize;
                for at in from..from + usize::from(node.count) {
                    self.draw_level(&scenery.triangles[at], scenery.slopes[at]);
                }
                continue;
            }
            let axis = usize::from(node.axis);
            let (first, second) = (index + 1, node.at);
            let parting = scenery.boxes[first as usize].middle[axis] + scenery.boxes[second as usize].middle[axis];
            // What is pushed last is looked at first.
            if self.view.position[axis] * 2.0 < parting {
                stack.extend([second, first]);
            } else {
                stack.extend([first, second]);
            }
        }
        self.stack = stack;
    }

    fn draw_level(&mut self, corners: &[Vec3; 3], slope: f32) {
        let corners = corners.map(|corner| self.view.in_view(corner));
        // The side toward the eye. Right, up and ahead are left-handed, so a normal on the side of the eye points along.
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        let toward = if normal.dot(corners[0]) > 0.0 { slope } else { -slope };
        self.draw(&corners, normal, u32::from(Class::of_slope(toward).0));
    }

    fn draw_thing(&mut self, thing: &Thing<'_>, number: u32) {
        if !(thing.position.is_finite() && thing.yaw.is_finite()) {
            return;
        }
        let half = Vec3::splat(thing.solid.reach);
        let bounds = Box3 { middle: thing.position, half, at: 0, count: 0, axis: 0 };
        if let Fate::Hidden = self.fate(&bounds) {
            return;
        }
        for corners in thing.triangles() {
            let corners = corners.map(|corner| self.view.in_view(corner));
            let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
            self.draw(&corners, normal, number);
        }
    }

    /// Whether anything in a box could be seen: not when it is out of view, or behind what every tile shows.
    fn fate(&mut self, bounds: &Box3) -> Fate {
        let view = &self.view;
        let middle = view.in_view(bounds.middle);
        let half = Vec3::new(
            view.right.abs().dot(bounds.half),
            view.up.abs().dot(bounds.half),
            view.ahead.abs().dot(bounds.half),
        );
        let (low, high) = (middle - half, middle + half);
        let (wide, tall) = (view.spread.0 * high.z, view.spread.1 * high.z);
        let is_out = high.z < view.near || low.z > view.far;
        if is_out || low.x > wide || high.x < -wide || low.y > tall || high.y < -tall {
            return Fate::Hidden;
        }
        if low.z <= view.near {
            return Fate::Seen;
        }
        // The nearest and the farthest distance bound where it can be on the picture.
        let (nearest, farthest) = (view.focal / low.z, view.focal / high.z);
        let down = |side: f32| side * if side < 0.0 { nearest } else { farthest };
        let up = |side: f32| side * if side > 0.0 { nearest } else { farthest };
        let tile = |pixel: f32, tiles: usize| ((math::max(pixel, 0.0) as usize) / TILE).min(tiles - 1);
        let (columns, rows) = (self.tile_columns, self.tile_floor.len() / self.tile_columns);
        let (left, right) = (tile(view.middle.0 + down(low.x), columns), tile(view.middle.0 + up(high.x), columns));
        let (bottom, top) = (tile(view.middle.1 + down(low.y), rows), tile(view.middle.1 + up(high.y), rows));
        let nearness = 1.0 / low.z;
        for row in bottom..=top {
            for column in left..=right {
                if self.floor_of(column, row) < nearness {
                    return Fate::Seen;
                }
            }
        }
        Fate::Hidden
    }

    /// The least nearness in a tile.
    #[inline]
    fn floor_of(&mut self, column: usize, row: usize) -> f32 {
        let tile = row * self.tile_columns + column;
        if self.tile_is_stale[tile] {
            self.tile_is_stale[tile] = false;
            let (width, height) = (self.lens.width as usize, self.lens.height as usize);
            let (from, to) = (column * TILE, (column * TILE + TILE).min(width));
            let rows = row * TILE..(row * TILE + TILE).min(height);
            let mut least = f32::INFINITY;
            for y in rows {
                let line = &self.nearness[y * width + from..y * width + to];
                least = line.iter().fold(least, |least, &one| if one < least { one } else { least });
            }
            self.tile_floor[tile] = least;
        }
        self.tile_floor[tile]
    }

    /// What a pixel shows. Column 0 is on the left, row 0 the lowest; off the picture there is nothing.
    pub fn at(&self, column: u32, row: u32) -> Pixel {
        if column >= self.lens.width || row >= self.lens.height {
            return Pixel { number: 0, depth: 1.0 };
        }
        let place = (row * self.lens.width + column) as usize;
        Pixel { number: self.numbers[place], depth: self.lens.depth(self.nearness[place]) }
    }

    /// Of which class a pixel is.
    pub fn class(&self, pixel: Pixel) -> Class {
        self.class_of(pixel.number)
    }

    #[inline]
    pub(crate) fn class_of(&self, number: u32) -> Class {
        match number.checked_sub(FIRST_THING) {
            Some(thing) => self.things.get(thing as usize).map_or(Class::NOTHING, |&(class, _)| class),
            None => Class(number as u8),
        }
    }

    /// Which of the things that were looked at a pixel shows. For oracles and tests: a brain goes by classes.
    pub fn thing(&self, pixel: Pixel) -> Option<usize> {
        pixel.number.checked_sub(FIRST_THING).map(|thing| thing as usize)
    }

    /// How what a pixel shows moves.
    pub fn motion(&self, column: u32, row: u32, mode: MotionMode, speed_max_m_per_s: f32) -> Motion {
        let thing = self.thing(self.at(column, row)).and_then(|thing| self.things.get(thing));
        let line = match mode {
            MotionMode::View => self.view.ahead,
            MotionMode::Line => self.view.way(column, row),
        };
        thing.map_or(Motion::STILL, |&(_, velocity)| Motion::of(velocity, line, speed_max_m_per_s))
    }

    /// Distance along the view, m; none where nothing is.
    pub fn distance_m(&self, pixel: Pixel) -> Option<f32> {
        let span = self.lens.far_m - self.lens.near_m;
        (pixel.number != 0).then_some(span * pixel.depth + self.lens.near_m)
    }

    /// The point of the world that a pixel shows; none where nothing is.
    pub fn unproject(&self, column: u32, row: u32) -> Option<Vec3> {
        let distance = self.distance_m(self.at(column, row))?;
        Some(self.view.position + self.view.way(column, row) * distance)
    }

    /// The way from the eye through the middle of a pixel, one meter along the view.
    pub fn way(&self, column: u32, row: u32) -> Vec3 {
        self.view.way(column, row)
    }
}
