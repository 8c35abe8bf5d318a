//! What a brain that sees gets: the three views of one look, and nothing else of the world.

use sentir_core::glam::{Vec2, Vec3};

use crate::color::{Motion, MotionMode};
use crate::eye::{Eye, Lens, LensError, View};
use crate::frame::{FIRST_THING, Retina};
use crate::thing::Class;

/// Class, depth and motion of every pixel, and the eye and lens they were seen by. Column 0 is on the left, row 0 the
/// lowest. Off the picture there is nothing.
#[derive(Clone, Debug)]
pub struct Viewport {
    lens: Lens,
    eye: Eye,
    view: View,
    pub(crate) classes: Vec<Class>,
    pub(crate) depths: Vec<f32>,
    pub(crate) motions: Vec<Motion>,
}

impl Viewport {
    /// A viewport that shows nothing.
    pub fn new(lens: Lens) -> Result<Viewport, LensError> {
        lens.check()?;
        let count = (lens.width * lens.height) as usize;
        Ok(Viewport {
            lens,
            eye: Eye::default(),
            view: View::new(&Eye::default(), &lens),
            classes: vec![Class::NOTHING; count],
            depths: vec![1.0; count],
            motions: vec![Motion::STILL; count],
        })
    }

    /// Takes over what a retina saw. One of another size is refused, and nothing changes: false.
    #[must_use]
    pub fn take(&mut self, retina: &Retina, eye: &Eye, mode: MotionMode, speed_max_m_per_s: f32) -> bool {
        let lens = *retina.lens();
        if (lens.width, lens.height) != (self.lens.width, self.lens.height) {
            return false;
        }
        (self.lens, self.eye, self.view) = (lens, *eye, retina.view);
        // Plain loops over whole lists: what a pixel shows, pixel by pixel, to the bit.
        for (depth, nearness) in self.depths.iter_mut().zip(&retina.nearness) {
            *depth = lens.depth(*nearness);
        }
        for (class, number) in self.classes.iter_mut().zip(&retina.numbers) {
            *class = retina.class_of(*number);
        }
        self.motions.fill(Motion::STILL);
        for (place, _) in retina.numbers.iter().enumerate().filter(|(_, number)| **number >= FIRST_THING) {
            let (column, row) = (place as u32 % lens.width, place as u32 / lens.width);
            self.motions[place] = retina.motion(column, row, mode, speed_max_m_per_s);
        }
        true
    }

    /// Draws one pixel, for viewports made by hand. Off the picture nothing happens.
    pub fn draw(&mut self, column: u32, row: u32, class: Class, depth: f32, motion: Motion) {
        if let Some(place) = self.place(column, row) {
            self.classes[place] = class;
            self.depths[place] = depth;
            self.motions[place] = motion;
        }
    }

    /// Sees from another eye, for viewports made by hand.
    pub fn set_eye(&mut self, eye: Eye) {
        self.eye = eye;
        self.view = View::new(&eye, &self.lens);
    }

    fn place(&self, column: u32, row: u32) -> Option<usize> {
        let Lens { width, height, .. } = self.lens;
        (column < width && row < height).then(|| (row * width + column) as usize)
    }

    /// The lens.
    pub fn lens(&self) -> &Lens {
        &self.lens
    }

    /// The eye.
    pub fn eye(&self) -> &Eye {
        &self.eye
    }

    /// What is there.
    #[inline]
    pub fn class(&self, column: u32, row: u32) -> Class {
        self.place(column, row).map_or(Class::NOTHING, |place| self.classes[place])
    }

    /// How far it is, 0 at the near plane and 1 at the far one.
    #[inline]
    pub fn depth(&self, column: u32, row: u32) -> f32 {
        self.place(column, row).map_or(1.0, |place| self.depths[place])
    }

    /// How it moves.
    pub fn motion(&self, column: u32, row: u32) -> Motion {
        self.place(column, row).map_or(Motion::STILL, |place| self.motions[place])
    }

    /// What every pixel shows, row after row from the lowest.
    pub(crate) fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// One column, from the lowest row up: what is there and, but where nothing is, the point it shows. `rises` are those of
    /// [`rises`](Self::rises).
    pub(crate) fn column<'a>(
        &'a self,
        column: u32,
        rises: &'a [f32],
    ) -> impl Iterator<Item = (Class, Option<Vec3>)> + 'a {
        let (width, across) = (self.lens.width as usize, self.view.across(column));
        let span = self.lens.far_m - self.lens.near_m;
        let places = (column as usize..self.classes.len()).step_by(width.max(1));
        places.zip(rises).map(move |(place, rise)| {
            let class = self.classes[place];
            let distance_m = span * self.depths[place] + self.lens.near_m;
            let point = || self.eye.position + (across + self.view.up * *rise) * distance_m;
            (class, (class != Class::NOTHING).then(point))
        })
    }

    /// How far up the way through each row leads, a meter ahead.
    pub(crate) fn rises(&self, list: &mut Vec<f32>) {
        list.clear();
        list.extend((0..self.lens.height).map(|row| self.view.rise(row)));
    }

    /// Distance along the view, m.
    pub fn distance_m(&self, column: u32, row: u32) -> f32 {
        (self.lens.far_m - self.lens.near_m) * self.depth(column, row) + self.lens.near_m
    }

    /// The point of the world that a pixel shows; none where nothing is.
    pub fn unproject(&self, column: u32, row: u32) -> Option<Vec3> {
        let is_there = self.class(column, row) != Class::NOTHING;
        is_there.then(|| self.eye.position + self.view.way(column, row) * self.distance_m(column, row))
    }

    /// Where a point of the world is on the picture: columns from the left, rows from the lowest, whole numbers between
    /// pixels. It may lie off the picture; none if it is not farther ahead than the near plane.
    pub fn project(&self, point: Vec3) -> Option<Vec2> {
        let at = self.view.in_view(point);
        let scale = self.view.focal / at.z;
        let place = Vec2::new(self.view.middle.0 + at.x * scale, self.view.middle.1 + at.y * scale);
        (at.z > self.view.near && place.is_finite()).then_some(place)
    }

    /// The pixel that a point of the world falls on, and how far along the view the point is, m; none if it is off the
    /// picture.
    pub fn pixel(&self, point: Vec3) -> Option<(u32, u32, f32)> {
        let place = self.project(point)?;
        let is_on = place.x >= 0.0 && place.y >= 0.0;
        let (column, row) = (place.x as u32, place.y as u32);
        let is_on = is_on && column < self.lens.width && row < self.lens.height;
        is_on.then(|| (column, row, self.view.in_view(point).z))
    }

    /// Makes a pixel show nothing.
    pub(crate) fn blank(&mut self, place: usize) {
        self.classes[place] = Class::NOTHING;
        self.depths[place] = 1.0;
        self.motions[place] = Motion::STILL;
    }
}
