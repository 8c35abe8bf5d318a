//! Where one looks from, and through which lens.

use sentir_core::glam::Vec3;
use sentir_core::math;
use thiserror::Error;

/// Pixels of a picture at most, per axis and in all.
pub const PIXELS_MAX: u32 = 1 << 20;

/// An eye in the world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Eye {
    /// Where, m.
    pub position: Vec3,
    /// Where it looks on the ground, rad; 0 is −Z, positive turns left.
    pub yaw: f32,
    /// How far up it looks, rad. Limit: ±π/2.
    pub pitch: f32,
}

/// What picture an eye makes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lens {
    /// Columns, pixels. Limit: 1..=4096.
    pub width: u32,
    /// Rows, pixels; row 0 is the lowest. Limit: 1..=4096.
    pub height: u32,
    /// Angle from the lowest to the highest row, rad. Limit: 0.01..=3.
    pub fov_y_rad: f32,
    /// What is nearer is not seen, m. Limit: >= 0.001.
    pub near_m: f32,
    /// What is farther is not seen, m. Limit: over `near_m`, at most 100 km.
    pub far_m: f32,
}

impl Default for Lens {
    /// 160 by 120 pixels, 60° from top to bottom, from 5 cm to 200 m.
    fn default() -> Self {
        Lens { width: 160, height: 120, fov_y_rad: math::PI / 3.0, near_m: 0.05, far_m: 200.0 }
    }
}

/// Why a lens is refused.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum LensError {
    /// No pixels, or too many.
    #[error("a picture of {width} by {height} pixels: expected 1 to 4096 each, and at most {PIXELS_MAX} in all")]
    Size {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// An angle that no lens has.
    #[error("an angle of view of {0} rad: expected 0.01 to 3")]
    Angle(f32),
    /// Planes that bound nothing.
    #[error("seen from {near} m to {far} m: expected 0.001 m or more, then more, up to 100 km")]
    Range {
        /// Near plane, m.
        near: f32,
        /// Far plane, m.
        far: f32,
    },
}

impl Lens {
    /// Whether such a lens can be made.
    pub fn check(&self) -> Result<(), LensError> {
        let &Lens { width, height, fov_y_rad, near_m, far_m } = self;
        let sizes = 1..=4096;
        if !sizes.contains(&width) || !sizes.contains(&height) || width * height > PIXELS_MAX {
            return Err(LensError::Size { width, height });
        }
        if !(0.01..=3.0).contains(&fov_y_rad) {
            return Err(LensError::Angle(fov_y_rad));
        }
        if !(near_m >= 0.001 && far_m > near_m && far_m <= 100_000.0) {
            return Err(LensError::Range { near: near_m, far: far_m });
        }
        Ok(())
    }

    /// Depth, 0 at the near plane and 1 at the far one, of what is 1 / `nearness` along the view.
    #[inline]
    pub(crate) fn depth(&self, nearness: f32) -> f32 {
        math::saturate((1.0 / nearness - self.near_m) / (self.far_m - self.near_m))
    }

    /// Distance of the picture from the eye, in pixels.
    pub fn focal_px(&self) -> f32 {
        self.height as f32 / 2.0 / math::tan(self.fov_y_rad / 2.0)
    }
}

/// An eye behind its lens: from the world to the picture and back.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct View {
    pub(crate) position: Vec3,
    pub(crate) right: Vec3,
    pub(crate) up: Vec3,
    pub(crate) ahead: Vec3,
    pub(crate) focal: f32,
    pub(crate) middle: (f32, f32),
    /// Half the picture's extent at distance 1, across and up.
    pub(crate) spread: (f32, f32),
    pub(crate) near: f32,
    pub(crate) far: f32,
}

impl View {
    pub(crate) fn new(eye: &Eye, lens: &Lens) -> View {
        let (sin, cos) = math::sin_cos(eye.yaw);
        let (rise, level) = math::sin_cos(eye.pitch);
        let focal = lens.focal_px();
        let (x, y) = (lens.width as f32 / 2.0, lens.height as f32 / 2.0);
        View {
            position: eye.position,
            right: Vec3::new(cos, 0.0, -sin),
            up: Vec3::new(sin * rise, level, cos * rise),
            ahead: Vec3::new(-sin * level, rise, -cos * level),
            focal,
            middle: (x, y),
            spread: (x / focal, y / focal),
            near: lens.near_m,
            far: lens.far_m,
        }
    }

    /// A point of the world as the eye has it: right, up, ahead.
    #[inline]
    pub(crate) fn in_view(&self, point: Vec3) -> Vec3 {
        let from = point - self.position;
        Vec3::new(self.right.dot(from), self.up.dot(from), self.ahead.dot(from))
    }

    /// The way through the middle of a pixel, one meter ahead.
    #[inline]
    pub(crate) fn way(&self, x: u32, y: u32) -> Vec3 {
        self.across(x) + self.up * self.rise(y)
    }

    /// The part of it that a column has.
    #[inline]
    pub(crate) fn across(&self, x: u32) -> Vec3 {
        self.ahead + self.right * ((x as f32 + 0.5 - self.middle.0) / self.focal)
    }

    /// How far it leads up in a row.
    #[inline]
    pub(crate) fn rise(&self, y: u32) -> f32 {
        (y as f32 + 0.5 - self.middle.1) / self.focal
    }
}
