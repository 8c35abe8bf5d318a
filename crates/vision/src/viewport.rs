//! What a brain that sees gets: the three views of one look, and nothing else of the world.

use sentir_core::glam::Vec3;

use crate::color::{Motion, MotionMode};
use crate::eye::{Eye, Lens, LensError, View};
use crate::frame::Retina;
use crate::thing::Class;

/// Class, depth and motion of every pixel, and the eye and lens they were seen by. Column 0 is on the left, row 0 the
/// lowest. Off the picture there is nothing.
#[derive(Clone, Debug)]
pub struct Viewport {
    lens: Lens,
    eye: Eye,
    view: View,
    classes: Vec<Class>,
    depths: Vec<f32>,
    motions: Vec<Motion>,
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
        for row in 0..lens.height {
            for column in 0..lens.width {
                let (pixel, place) = (retina.at(column, row), (row * lens.width + column) as usize);
                self.classes[place] = retina.class(pixel);
                self.depths[place] = pixel.depth;
                self.motions[place] = match retina.thing(pixel) {
                    Some(_) => retina.motion(column, row, mode, speed_max_m_per_s),
                    None => Motion::STILL,
                };
            }
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

    /// Distance along the view, m.
    pub fn distance_m(&self, column: u32, row: u32) -> f32 {
        (self.lens.far_m - self.lens.near_m) * self.depth(column, row) + self.lens.near_m
    }

    /// The point of the world that a pixel shows; none where nothing is.
    pub fn unproject(&self, column: u32, row: u32) -> Option<Vec3> {
        let is_there = self.class(column, row) != Class::NOTHING;
        is_there.then(|| self.eye.position + self.view.way(column, row) * self.distance_m(column, row))
    }
}
