//! What is baked: triangles with an area each, solid bodies, and volumes that mark areas.

use sentir_core::glam::{Vec2, Vec3};
use sentir_core::plane;
use sentir_level::{Aabb, Blocks, Level, LevelState, LevelView};

use super::config::{AREA_MAX, BakeError, Rules};
use super::obstacle;
use super::solid::Solid;
use crate::mesh::AreaId;

/// How far from the origin triangles may lie, m.
pub const REACH_M: f32 = sentir_level::spec::REACH_M * 2.0;

/// A part of space whose ground is of an area; none makes it impassable. Later ones win.
#[derive(Clone, Debug, PartialEq)]
pub struct AreaVolume {
    /// Its outline on the ground, any simple polygon, m.
    pub outline: Vec<Vec2>,
    /// Ground under this height is not of it, m.
    pub low_m: f32,
    /// Ground from this height on is not of it, m.
    pub high_m: f32,
    /// What it makes of the ground.
    pub area: Option<AreaId>,
}

/// Geometry to be baked. Triangles are ground on the side from which their corners go counter-clockwise.
#[derive(Clone, Debug, Default)]
pub struct BakeSource {
    /// Corners of the triangles, m.
    pub triangles: Vec<[Vec3; 3]>,
    /// The area of each triangle where it is flat enough, none for what nobody walks on; as many as triangles.
    pub areas: Vec<Option<AreaId>>,
    /// Volumes that mark areas.
    pub volumes: Vec<AreaVolume>,
    /// Closed bodies: nobody walks inside.
    pub(crate) solids: Vec<Solid>,
}

/// What of a level is baked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LevelFilter {
    /// Surface classes, by name, that are passed through as if they were not there.
    pub excluded: Vec<String>,
    /// Surface classes, by name, whose ground is of an area of its own.
    pub surfaces: Vec<(String, AreaId)>,
    /// Kinds of the level's areas, by name, and what they make of the ground; none is impassable.
    pub areas: Vec<(String, Option<AreaId>)>,
    /// Whether doors, movers and breakable pieces are baked in where they stand. As a rule they are not: they come as obstacles.
    pub has_pieces: bool,
}

impl BakeSource {
    /// Triangles of plain ground.
    pub fn from_triangles(triangles: Vec<[Vec3; 3]>) -> BakeSource {
        let areas = vec![Some(AreaId(0)); triangles.len()];
        BakeSource { triangles, areas, ..BakeSource::default() }
    }

    /// What holds bodies in a level: walkable classes are ground, the others are in the way.
    pub fn from_level(level: &Level, state: &LevelState, filter: &LevelFilter) -> BakeSource {
        let mut source = BakeSource::default();
        let is_excluded = |surface: u16| {
            let class = level.surfaces().get(usize::from(surface));
            class.is_some_and(|class| !class.blocks_bodies || filter.excluded.contains(&class.name))
        };
        let area = |surface: u16| {
            let class = level.surfaces().get(usize::from(surface));
            let own = class.and_then(|class| filter.surfaces.iter().find(|(name, _)| *name == class.name));
            class.is_none_or(|class| class.is_walkable).then(|| own.map_or(AreaId(0), |(_, area)| *area))
        };
        let everywhere = Aabb { low: Vec3::splat(f32::MIN), high: Vec3::splat(f32::MAX) };
        LevelView { level, state }.triangles_in(&everywhere, Blocks::BODIES, |triangle| {
            if (triangle.piece.is_none() || filter.has_pieces) && !is_excluded(triangle.surface) {
                source.triangles.push(triangle.corners);
                source.areas.push(area(triangle.surface));
            }
        });
        let closed = level.patches().iter().filter(|patch| !is_excluded(patch.surface));
        source.solids.extend(closed.filter_map(Solid::new));
        for one in level.areas() {
            let found = filter.areas.iter().find(|(kind, _)| *kind == one.kind);
            let floor = level.floors().get(usize::from(one.floor.0));
            if let (Some((_, area)), Some(floor)) = (found, floor) {
                let (low_m, high_m) = (floor.low_m, floor.high_m);
                source.volumes.push(AreaVolume { outline: one.outline.clone(), low_m, high_m, area: *area });
            }
        }
        source
    }

    /// The box around all triangles.
    pub fn bounds(&self) -> Aabb {
        Aabb::around(self.triangles.iter().flatten().copied())
    }

    pub(crate) fn check(&self) -> Result<(), BakeError> {
        if self.areas.len() != self.triangles.len() {
            let count = self.areas.len() as u64;
            return Err(BakeError::TooLarge { what: "areas of triangles", count, limit: self.triangles.len() as u64 });
        }
        for ((number, triangle), area) in (0..).zip(&self.triangles).zip(&self.areas) {
            let is_near = |corner: &Vec3| corner.is_finite() && corner.abs().max_element() <= REACH_M;
            if let Some(&Vec3 { x, y, z }) = triangle.iter().find(|corner| !is_near(corner)) {
                return Err(BakeError::Corner { triangle: number, x, y, z, reach: REACH_M });
            }
            if let Some(AreaId(area)) = area.filter(|area| area.0 > AREA_MAX) {
                return Err(BakeError::Area { what: "triangle", number, area });
            }
        }
        for (number, volume) in (0..).zip(&self.volumes) {
            let is_shape = volume.outline.len() >= 3 && volume.outline.iter().all(|corner| corner.is_finite());
            if !is_shape || volume.low_m.is_nan() || volume.high_m.is_nan() {
                let why = "expected at least three finite corners, and heights";
                return Err(BakeError::Shape { what: "area volume", number, why });
            }
            if let Some(AreaId(area)) = volume.area.filter(|area| area.0 > AREA_MAX) {
                return Err(BakeError::Area { what: "area volume", number, area });
            }
        }
        Ok(())
    }

    /// Recast's area of a triangle: 0 for what nobody walks on, by slope too.
    pub(crate) fn voxel_area(&self, triangle: usize, rules: &Rules) -> u8 {
        let [a, b, c] = self.triangles[triangle];
        let cross = (b - a).cross(c - a);
        let length = cross.length();
        let is_flat = length > 0.0 && cross.y / length > rules.slope_cos;
        self.areas[triangle].filter(|_| is_flat).map_or(0, |area| area.0 + 1)
    }
}

impl AreaVolume {
    /// The box around it on the ground.
    pub(crate) fn bounds(&self) -> (Vec2, Vec2) {
        obstacle::around(&self.outline)
    }

    /// Whether ground at a point is of it.
    pub(crate) fn holds(&self, point: Vec3) -> bool {
        point.y >= self.low_m
            && point.y < self.high_m
            && sentir_level::polygon::contains(&self.outline, plane::ground(point))
    }
}
