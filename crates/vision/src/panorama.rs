//! All around: several looks side by side, so that an eye sees 360°.
//!
//! The circle is cut into equal sectors, each a look of its own; their pictures touch without a gap. Cost: that many looks.

use sentir_core::glam::Vec3;
use sentir_core::math;

use crate::color::{Motion, MotionMode};
use crate::eye::{Eye, Lens, LensError};
use crate::frame::Retina;
use crate::scenery::Scenery;
use crate::thing::{Class, Thing};
use crate::viewport::Viewport;

/// Sectors of a circle: the least, so that each is well under 180°, and the most.
pub const SECTORS: std::ops::RangeInclusive<u32> = 3..=16;

/// What is in a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// What it is.
    pub class: Class,
    /// Where, m; none where nothing is.
    pub place: Option<Vec3>,
    /// How it moves.
    pub motion: Motion,
}

/// An eye that sees all around.
#[derive(Clone, Debug)]
pub struct Panorama {
    retina: Retina,
    sectors: Vec<Viewport>,
    yaw: f32,
}

impl Panorama {
    /// An eye of so many sectors (held within [`SECTORS`]), each as high and as tall as `lens` says; its width follows, and the
    /// lens' own is not used.
    pub fn new(lens: &Lens, sectors: u32) -> Result<Panorama, LensError> {
        lens.check()?;
        let sectors = sectors.clamp(*SECTORS.start(), *SECTORS.end());
        // Wide enough for its share of the circle; rounded up, so that neighbors overlap by less than a pixel or two.
        let wide = 2.0 * lens.focal_px() * math::tan(math::PI / sectors as f32);
        let lens = Lens { width: (wide.ceil() as u32).max(1), ..*lens };
        let one = Viewport::new(lens)?;
        Ok(Panorama { retina: Retina::new(lens)?, sectors: vec![one; sectors as usize], yaw: 0.0 })
    }

    /// Looks all around from an eye; its pitch is not used. Motions are by the line of sight, as there is no one direction that
    /// it looks in.
    pub fn look(&mut self, eye: &Eye, scenery: &Scenery, things: &[Thing<'_>], speed_max_m_per_s: f32) {
        self.yaw = eye.yaw;
        let step = math::TAU / self.sectors.len() as f32;
        for (index, sector) in self.sectors.iter_mut().enumerate() {
            let eye = Eye { yaw: eye.yaw + step * index as f32, pitch: 0.0, ..*eye };
            self.retina.look(&eye, scenery, things);
            // They have one lens, so it is never refused.
            let _ = sector.take(&self.retina, &eye, MotionMode::Line, speed_max_m_per_s);
        }
    }

    /// The sectors, from straight ahead on, turning left.
    pub fn sectors(&self) -> &[Viewport] {
        &self.sectors
    }

    /// What is in a direction of the world; above or below the picture there is nothing.
    pub fn at(&self, yaw: f32, pitch: f32) -> Seen {
        let step = math::TAU / self.sectors.len() as f32;
        let turned = math::wrap_angle(yaw - self.yaw);
        let whole = (turned / step + self.sectors.len() as f32 + 0.5) as usize % self.sectors.len();
        let sector = &self.sectors[whole];
        let (sin, cos) = math::sin_cos(yaw);
        let (rise, level) = math::sin_cos(pitch);
        let ahead = Vec3::new(-sin * level, rise, -cos * level);
        let point = sector.eye().position + ahead * (sector.lens().near_m * 1e3 + 1.0);
        let nothing = Seen { class: Class::NOTHING, place: None, motion: Motion::STILL };
        sector.pixel(point).map_or(nothing, |(column, row, _)| Seen {
            class: sector.class(column, row),
            place: sector.unproject(column, row),
            motion: sector.motion(column, row),
        })
    }
}
