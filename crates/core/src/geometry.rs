//! What a host's level answers: one small trait, behind which any engine's physics may stand.

use glam::Vec3;

/// A ray of limited length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it starts, m.
    pub origin: Vec3,
    /// Where it goes; unit length.
    pub direction: Vec3,
    /// How far it goes, m.
    pub length_m: f32,
}

impl Ray {
    /// The ray from one point to another. None when they coincide or are not finite: there is nothing between them.
    pub fn between(from: Vec3, to: Vec3) -> Option<Ray> {
        let way = to - from;
        let length_m = way.length();
        let direction = way / length_m;
        (length_m > 0.0 && from.is_finite() && direction.is_finite()).then_some(Ray {
            origin: from,
            direction,
            length_m,
        })
    }
}

/// Where a ray met the level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// Distance from the origin, m.
    pub distance_m: f32,
    /// Unit normal of the surface, toward the ray's side.
    pub normal: Vec3,
    /// What the surface is made of; numbers are the host's.
    pub surface: u16,
}

/// Something that can be seen and is neither level nor agent: it lies, rolls or flies about.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Prop {
    /// What it is; numbers are the host's.
    pub class: u8,
    /// Where its middle is, m.
    pub position: Vec3,
    /// How it is turned, rad.
    pub yaw: f32,
    /// How it moves, m/s.
    pub velocity: Vec3,
}

/// The static level as the library sees it, and what is about in it. A host implements it over its own physics.
pub trait Geometry: Sync {
    /// A number that changes whenever an answer below may change. Caches obey it.
    fn version(&self) -> u64;
    /// The first surface on the ray.
    fn ray(&self, ray: &Ray) -> Option<RayHit>;
    /// Whether a ball touches anything solid.
    fn overlap(&self, center: Vec3, radius_m: f32) -> bool;

    /// Shows every prop there is, in an order that is fixed for the same world. Only senses that look for them ask; they do not
    /// change the version.
    fn visit_props(&self, _visit: &mut dyn FnMut(&Prop)) {}

    /// Whether nothing solid stands between two points. Coinciding points see each other; points that are not finite
    /// see nothing.
    fn is_clear(&self, from: Vec3, to: Vec3) -> bool {
        match Ray::between(from, to) {
            Some(ray) => self.ray(&ray).is_none(),
            None => from.is_finite() && from == to,
        }
    }

    /// The number of the first of some points that is in clear view of another. The same as asking for each in turn; a host
    /// may know a cheaper way for points that lie close together, of which one thing is apt to hide all.
    fn first_clear(&self, from: Vec3, points: &[Vec3]) -> Option<usize> {
        points.iter().position(|&point| self.is_clear(from, point))
    }
}

/// The level with nothing in it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Open;

impl Geometry for Open {
    fn version(&self) -> u64 {
        0
    }

    fn ray(&self, _ray: &Ray) -> Option<RayHit> {
        None
    }

    fn overlap(&self, _center: Vec3, _radius_m: f32) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rays_need_two_different_finite_points() {
        let ray = Ray::between(Vec3::ZERO, Vec3::X * 4.0).unwrap();
        assert_eq!((ray.direction, ray.length_m), (Vec3::X, 4.0));
        assert_eq!(Ray::between(Vec3::ONE, Vec3::ONE), None);
        assert_eq!(Ray::between(Vec3::NAN, Vec3::ONE), None);
        assert_eq!(Ray::between(Vec3::INFINITY, Vec3::ONE), None);
        assert!(Open.is_clear(Vec3::ONE, Vec3::ONE) && Open.is_clear(Vec3::ONE, Vec3::X));
        assert!(!Open.is_clear(Vec3::NAN, Vec3::X));
    }
}
