//! Where on the mesh a follower is: a place that goes along with its body.

use sentir_core::State;
use sentir_core::glam::Vec3;
use sentir_core::plane;
use sentir_nav::mesh::MeshPoint;

use super::{FollowConfig, LEVEL_M, MeshGround, SEEN_M};

/// Where it is.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub(super) struct Footing {
    /// The version of the mesh that `place` is of.
    version: u32,
    pub(super) place: Option<MeshPoint>,
}

/// A place, and the ground that it is on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot<'a> {
    pub(super) ground: MeshGround<'a>,
    pub(super) place: MeshPoint,
}

impl Footing {
    /// Moves the place along with the body, or finds it anew; whether the ground is another than before.
    pub(super) fn track(&mut self, ground: &MeshGround<'_>, position: Vec3, config: &FollowConfig) -> bool {
        let has_changed = self.version != ground.version;
        if has_changed {
            (self.version, self.place) = (ground.version, None);
        }
        let is_level = |place: &MeshPoint| (place.point.y - position.y).abs() <= config.height_m;
        let walked = self.place.and_then(|place| ground.mesh.ray(place, position, ground.costs));
        let walked = walked.filter(|ray| ray.wall.is_none()).map(|ray| ray.place).filter(is_level);
        let extent = Vec3::new(config.reach_m, config.height_m, config.reach_m);
        self.place = walked
            .or_else(|| ground.mesh.nearest_passable(position, extent, ground.costs))
            .or_else(|| ground.mesh.nearest(position, extent));
        has_changed
    }

    /// Where it is on a ground; none far off it.
    pub(super) fn spot<'a>(&self, ground: &MeshGround<'a>) -> Option<Spot<'a>> {
        self.place.map(|place| Spot { ground: *ground, place })
    }
}

impl Spot<'_> {
    /// Whether a straight walk leads to a point, but for a rounding.
    pub(super) fn sees(&self, point: Vec3) -> bool {
        let Some(ray) = self.ground.mesh.ray(self.place, point, self.ground.costs) else { return false };
        let gap = plane::ground(ray.place.point).distance(plane::ground(point));
        gap <= SEEN_M && (ray.place.point.y - point.y).abs() <= LEVEL_M
    }
}

impl<'a> MeshGround<'a> {
    /// A point of a path, on ground that may be entered: at the border of an area that may not, two polygons have it.
    pub(super) fn locate(&self, point: Vec3) -> Option<Spot<'a>> {
        let place = self.mesh.locate(point, LEVEL_M)?;
        if self.costs.is_passable(self.mesh.area(place.polygon)) {
            return Some(Spot { ground: *self, place });
        }
        self.enter(point)
    }

    /// The ground at a point that may be entered; none if there is none.
    pub(super) fn enter(&self, point: Vec3) -> Option<Spot<'a>> {
        let place = self.mesh.nearest_passable(point, Vec3::new(SEEN_M, LEVEL_M, SEEN_M), self.costs)?;
        Some(Spot { ground: *self, place })
    }
}
