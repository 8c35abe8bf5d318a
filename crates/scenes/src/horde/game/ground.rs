//! The ground of a match: a level, where one walks on it, and the places that matter. All of it is public knowledge.
//!
//! A battery plays thousands of matches on one level: what was baked last is kept, by the level's text.

use std::sync::{Arc, Mutex, PoisonError};

use sentir::core::plane;
use sentir::prelude::*;
use sentir_level::{Level, LevelState};
use sentir_nav::bake::{BakeConfig, LevelFilter};
use sentir_nav::mesh::{AreaCosts, Mesh};

use sentir_harness::info::{SceneError, Setup, level_asset};

/// Points of use at most.
pub(crate) const POINTS_MAX: usize = 8;
/// How far beside the mesh a place is still put onto it, m.
const BESIDE: Vec3 = Vec3::new(1.5, 1.0, 1.5);
/// Draws for a place to come in at.
const DRAWS: u32 = 40;

/// What a point gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PointKind {
    Health,
    Ammo,
}

/// A point of use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    pub(crate) kind: PointKind,
    /// Where, m.
    pub(crate) place: Vec3,
}

/// The ground.
#[derive(Debug)]
pub(crate) struct Ground {
    pub(crate) level: Level,
    pub(crate) mesh: Mesh,
    /// The nodes of alarms, m.
    pub(crate) nodes: Vec<Vec3>,
    pub(crate) points: Vec<Point>,
    /// Where the bot looks for zombies, m.
    pub(crate) roam: Vec<Vec3>,
    /// Where the player begins.
    pub(crate) starts: Vec<Pose>,
    /// Where zombies come in: borders on the ground, with their height, m.
    zones: Vec<(Vec<Vec2>, f32)>,
}

/// The last ground that was baked, and the text of its level.
static LAST: Mutex<Option<(String, Arc<Ground>)>> = Mutex::new(None);

impl Ground {
    /// The ground of a level: baked, or the one that was baked of the same text before.
    pub(crate) fn of(setup: &Setup, asset: &str) -> Result<Arc<Ground>, SceneError> {
        let text = setup.asset(asset);
        let last = || LAST.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, ground)) = last().as_ref().filter(|(known, _)| known == text) {
            return Ok(Arc::clone(ground));
        }
        let ground = Arc::new(Ground::bake(setup, asset)?);
        *last() = Some((text.to_owned(), Arc::clone(&ground)));
        Ok(ground)
    }

    /// Reads a level and bakes its mesh.
    fn bake(setup: &Setup, asset: &str) -> Result<Ground, SceneError> {
        let level = level_asset(setup, asset)?;
        let wrong = |what: String| SceneError::Asset { name: asset.to_owned(), line: 0, column: 0, what };
        let state = LevelState::new(&level);
        let table = sentir_nav::bake::level(&level, &state, &LevelFilter::default(), &BakeConfig::PERSON);
        let mesh = table.map_err(|error| wrong(error.to_string()))?.mesh().map_err(|error| wrong(error.to_string()))?;
        let noted = |kind: &str| -> Vec<Vec3> {
            let notes = level.annotations().iter().filter(|note| note.kind == kind);
            notes.filter_map(|note| mesh.nearest(note.position, BESIDE)).map(|place| place.point).collect()
        };
        let point = |kind: PointKind| move |place: Vec3| Point { kind, place };
        let mut points: Vec<Point> = noted("health").into_iter().map(point(PointKind::Health)).collect();
        points.extend(noted("ammo").into_iter().map(point(PointKind::Ammo)));
        let (nodes, roam) = (noted("node"), noted("roam"));
        let starts: Vec<Pose> = level.spawns().iter().map(|spawn| spawn.pose).collect();
        let areas = level.areas().iter().filter(|area| area.kind == "spawn");
        let zones: Vec<_> = areas.map(|area| (area.outline.clone(), 0.0)).collect();
        for (what, is_missing) in [
            ("a spawn of the player", starts.is_empty()),
            ("an area of kind 'spawn'", zones.is_empty()),
            ("annotations of kind 'node'", nodes.is_empty()),
            ("annotations of kind 'roam'", roam.is_empty()),
        ] {
            if is_missing {
                return Err(wrong(format!("it has no {what}: expected one at least")));
            }
        }
        if points.len() > POINTS_MAX {
            return Err(wrong(format!("it has {} points of use: expected {POINTS_MAX} at most", points.len())));
        }
        Ok(Ground { level, mesh, nodes, points, roam, starts, zones })
    }

    /// As far as one can walk straight from one place toward another; none of who is not on the mesh.
    pub(crate) fn walk(&self, from: Vec3, to: Vec3) -> Option<Vec3> {
        let start = self.mesh.nearest(from, Vec3::new(0.6, 1.0, 0.6))?;
        let ray = self.mesh.ray(start, to, &AreaCosts::PLAIN)?;
        // A little short of what was hit, so that nobody ends at a wall.
        let way = ray.place.point - start.point;
        Some(if ray.wall.is_some() { start.point + way * 0.92 } else { ray.place.point })
    }

    /// The place on the mesh nearest to one that may be off it; the same if none is near.
    pub(crate) fn stand(&self, place: Vec3) -> Vec3 {
        self.mesh.nearest(place, Vec3::new(3.0, 2.0, 3.0)).map_or(place, |it| it.point)
    }

    /// Where a seat round a middle is: there, if one can stand there; else as far toward it as one can walk from the middle.
    pub(crate) fn seat(&self, middle: Vec3, place: Vec3) -> Vec3 {
        let on_mesh = self.mesh.nearest(place, Vec3::new(0.8, 2.0, 0.8)).map(|it| it.point);
        on_mesh.or_else(|| self.walk(middle, place)).unwrap_or(middle)
    }

    /// A place to come in at, in the `zone`th zone, that is good enough; the last one drawn if none is.
    pub(crate) fn entrance(&self, zone: usize, rng: &mut Stream, is_good: impl Fn(Vec3) -> bool) -> Option<Vec3> {
        let (outline, height_m) = &self.zones[zone % self.zones.len()];
        let low = outline.iter().copied().reduce(Vec2::min)?;
        let high = outline.iter().copied().reduce(Vec2::max)?;
        let mut last = None;
        for _ in 0..DRAWS {
            let at = low + (high - low) * Vec2::new(rng.unit(), rng.unit());
            let Some(place) = self.mesh.nearest(plane::lift(at, *height_m), Vec3::new(0.3, 1.0, 0.3)) else { continue };
            last = Some(place.point);
            if is_good(place.point) {
                return last;
            }
        }
        last.filter(|_| self.zones.len() == 1)
    }

    /// How many zones there are.
    pub(crate) fn zone_count(&self) -> usize {
        self.zones.len()
    }
}
