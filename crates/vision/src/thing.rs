//! What there is to see besides the level: things that move, each of a class.

use sentir_core::State;
use sentir_core::glam::Vec3;
use sentir_core::math;

/// What kind of object a pixel shows. Numbers from [`Class::FIRST_OWN`] on are the game's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, State)]
pub struct Class(pub u8);

impl Class {
    /// Nothing within sight.
    pub const NOTHING: Class = Class(0);
    /// A wall of the level.
    pub const WALL: Class = Class(1);
    /// A floor of the level: its side toward the eye points up by 0.8 or more.
    pub const FLOOR: Class = Class(2);
    /// A ceiling of the level: its side toward the eye points down by 0.8 or more.
    pub const CEILING: Class = Class(3);
    /// The first class that is the game's own.
    pub const FIRST_OWN: Class = Class(4);

    /// The class of a piece of the level by how far the side toward the eye points up, −1..=1.
    pub fn of_slope(up: f32) -> Class {
        match up {
            up if up >= 0.8 => Class::FLOOR,
            up if up <= -0.8 => Class::CEILING,
            _ => Class::WALL,
        }
    }
}

/// The shape of a thing: triangles around its origin.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Solid {
    pub(crate) triangles: Vec<[Vec3; 3]>,
    /// How far the farthest corner is from the origin, m.
    pub(crate) reach: f32,
}

impl Solid {
    /// A shape of triangles. Those with a corner that is no finite number are left out.
    pub fn new(triangles: impl IntoIterator<Item = [Vec3; 3]>) -> Solid {
        let triangles: Vec<_> =
            triangles.into_iter().filter(|corners| corners.iter().all(|corner| corner.is_finite())).collect();
        let reach = triangles.iter().flatten().fold(0.0, |reach, corner| math::max(reach, corner.length()));
        Solid { triangles, reach }
    }

    /// A ball with two triangles a facet, `bands` from pole to pole (3..=64).
    pub fn ball(radius_m: f32, bands: u32) -> Solid {
        let bands = bands.clamp(3, 64);
        let turns = bands * 2;
        let corner = |band: u32, turn: u32| {
            let (sin, cos) = math::sin_cos(math::PI * band as f32 / bands as f32);
            let (east, north) = math::sin_cos(math::TAU * (turn % turns) as f32 / turns as f32);
            // The poles are one point each, whatever the rounding.
            let around = if band == 0 || band == bands { 0.0 } else { sin };
            Vec3::new(around * east, cos, around * north) * radius_m
        };
        let facets = (0..bands).flat_map(|band| (0..turns).map(move |turn| (band, turn)));
        Solid::new(facets.flat_map(|(band, turn)| {
            let [a, b] = [corner(band, turn), corner(band, turn + 1)];
            let [c, d] = [corner(band + 1, turn), corner(band + 1, turn + 1)];
            [[a, c, d], [a, d, b]]
        }))
    }

    /// A box of these half extents around its middle.
    pub fn cuboid(half: Vec3) -> Solid {
        let corner = |bits: usize| {
            let side = |bit: usize| if bits & bit == 0 { -1.0 } else { 1.0 };
            Vec3::new(side(1), side(2), side(4)) * half
        };
        let faces = [[0, 2, 6, 4], [1, 5, 7, 3], [0, 4, 5, 1], [2, 3, 7, 6], [0, 1, 3, 2], [4, 6, 7, 5]];
        Solid::new(faces.iter().flat_map(|&[a, b, c, d]| {
            let [a, b, c, d] = [a, b, c, d].map(corner);
            [[a, b, c], [a, c, d]]
        }))
    }

    /// The triangles.
    pub fn triangles(&self) -> &[[Vec3; 3]] {
        &self.triangles
    }
}

/// One thing in the world, now.
#[derive(Clone, Copy, Debug)]
pub struct Thing<'a> {
    /// Its shape.
    pub solid: &'a Solid,
    /// Where its origin is, m.
    pub position: Vec3,
    /// How it is turned, rad.
    pub yaw: f32,
    /// How it moves, m/s.
    pub velocity: Vec3,
    /// What it is.
    pub class: Class,
}

impl Thing<'_> {
    /// Its triangles in the world.
    pub fn triangles(&self) -> impl Iterator<Item = [Vec3; 3]> + use<'_> {
        let (sin, cos) = math::sin_cos(self.yaw);
        let place = move |corner: Vec3| {
            self.position + Vec3::new(corner.x * cos + corner.z * sin, corner.y, corner.z * cos - corner.x * sin)
        };
        self.solid.triangles.iter().map(move |corners| corners.map(place))
    }
}
