//! Hearing: how loud a noise still is at an ear. It gives a place, never an identity.
//!
//! Loudness falls from 1 at the source to 0 at the noise's own range. Where the straight line is blocked, sound comes the
//! cheaper of two ways: through (as if `wall_m` farther) or round, by the length of the way that the host tells. One ray a
//! noise that could be heard at all; none for one out of range.

use sentir_core::belief::Heard;
use sentir_core::geometry::Geometry;
use sentir_core::glam::Vec3;
use sentir_core::math;
use sentir_core::tick::Tick;

use crate::surroundings::Surroundings;

/// Most noises kept between two thoughts. The quietest goes first, the later one of equals.
pub const NOISES_MAX: usize = 16;

/// Tuning of ears. What is no number counts as 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HearingConfig {
    /// How keen the ears are: a noise carries this many times its range. 0 is deaf.
    pub keenness: f32,
    /// What a wall takes, as meters of way.
    pub wall_m: f32,
    /// Loudness at and under which nothing is heard, 0..=1.
    pub threshold: f32,
}

impl Default for HearingConfig {
    fn default() -> Self {
        HearingConfig { keenness: 1.0, wall_m: 8.0, threshold: 0.0 }
    }
}

/// How loud a noise of a range in the open is at an ear, 0..=1; none if it is not heard.
pub fn loudness(
    config: &HearingConfig,
    ear: Vec3,
    noise: Vec3,
    range_m: f32,
    geometry: &dyn Geometry,
    around: &dyn Surroundings,
) -> Option<f32> {
    let carries_m = range_m * config.keenness;
    let straight_m = ear.distance(noise);
    // What is no number is not heard. Cheap, and before any ray: what is out of range costs nothing.
    let may_hear = straight_m < carries_m;
    if !may_hear {
        return None;
    }
    let way_m = if geometry.is_clear(ear, noise) {
        straight_m
    } else {
        let through_m = straight_m + math::max(config.wall_m, 0.0);
        // No way round is shorter than the straight one.
        around.path_m(noise, ear).map_or(through_m, |path_m| math::min(through_m, math::max(path_m, straight_m)))
    };
    let loudness = 1.0 - way_m / carries_m;
    (loudness > math::max(config.threshold, 0.0)).then_some(loudness)
}

/// Adds what was heard to what was heard before, at most [`NOISES_MAX`].
pub fn add(noises: &mut Vec<Heard>, position: Vec3, loudness: f32, at: Tick) {
    if noises.len() >= NOISES_MAX {
        let quietest = (0..noises.len()).rev().min_by(|&a, &b| noises[a].loudness.total_cmp(&noises[b].loudness));
        match quietest {
            Some(place) if noises[place].loudness < loudness => noises.remove(place),
            _ => return,
        };
    }
    noises.push(Heard { position, loudness, at });
}

#[cfg(test)]
mod tests {
    use super::*;
    use sentir_core::geometry::{Open, Ray, RayHit};

    /// A wall across x = 5, endless.
    struct Wall;

    impl Geometry for Wall {
        fn version(&self) -> u64 {
            0
        }
        fn ray(&self, ray: &Ray) -> Option<RayHit> {
            let distance_m = (5.0 - ray.origin.x) / ray.direction.x;
            (distance_m > 0.0 && distance_m < ray.length_m).then_some(RayHit {
                distance_m,
                normal: Vec3::X,
                surface: 0,
            })
        }
        fn overlap(&self, _: Vec3, _: f32) -> bool {
            false
        }
    }

    struct Round(f32);

    impl Surroundings for Round {
        fn path_m(&self, _: Vec3, _: Vec3) -> Option<f32> {
            Some(self.0)
        }
    }

    #[test]
    fn walls_muffle_and_ways_round_them_help() {
        let config = HearingConfig { wall_m: 8.0, ..HearingConfig::default() };
        let at = |geometry: &dyn Geometry, around: &dyn Surroundings| {
            loudness(&config, Vec3::ZERO, Vec3::X * 10.0, 20.0, geometry, around)
        };
        assert_eq!(at(&Open, &()), Some(0.5));
        assert!((at(&Wall, &()).unwrap_or(9.0) - 0.1).abs() < 1e-6);
        assert_eq!(at(&Wall, &Round(14.0)), Some(1.0 - 14.0 / 20.0));
        // A path that is longer than the wall is thick, or shorter than straight, is held within.
        assert!((at(&Wall, &Round(40.0)).unwrap_or(9.0) - 0.1).abs() < 1e-6);
        assert_eq!(at(&Wall, &Round(0.0)), Some(0.5));
    }

    #[test]
    fn out_of_range_deaf_or_nonsense_is_not_heard() {
        let hear = |config: &HearingConfig, range_m, place| loudness(config, Vec3::ZERO, place, range_m, &Open, &());
        let config = HearingConfig::default();
        assert_eq!(hear(&config, 10.0, Vec3::X * 10.0), None);
        assert_eq!(hear(&config, f32::NAN, Vec3::X), None);
        assert_eq!(hear(&config, 10.0, Vec3::NAN), None);
        assert_eq!(hear(&HearingConfig { keenness: 0.0, ..config }, 10.0, Vec3::X), None);
        assert_eq!(hear(&HearingConfig { threshold: 0.95, ..config }, 10.0, Vec3::X), None);
        assert!(hear(&HearingConfig { keenness: 2.0, ..config }, 10.0, Vec3::X * 15.0).is_some());
    }

    #[test]
    fn the_quietest_of_too_many_goes() {
        let mut noises = Vec::new();
        for number in 0..40u16 {
            add(&mut noises, Vec3::X * f32::from(number), f32::from(number % 20) / 20.0, Tick(0));
        }
        assert_eq!(noises.len(), NOISES_MAX);
        let least = noises.iter().map(|noise| noise.loudness).fold(1.0, math::min);
        assert!((least - 0.6).abs() < 1e-6, "{least}");
    }
}
