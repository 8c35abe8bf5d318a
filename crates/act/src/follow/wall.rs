//! The walls of the mesh near a place, and motion that stays on the mesh.

use sentir_core::glam::Vec2;
use sentir_core::{math, plane};
use sentir_nav::mesh::{AreaCosts, Mesh, MeshPoint};

use super::OFF_M;
use super::footing::Spot;
use crate::avoid::{Avoider, HalfPlane, WALLS_MAX};
use crate::mover::{Wall, limited};

/// Polygons looked at for walls at most.
const POLYGONS_MAX: usize = 48;
/// Off the mesh by less than this is a rounding, m.
const ON_M: f32 = 0.002;
/// So many ticks it takes to come back, but no faster than this share of its speed.
const BACK_TICKS: f32 = 3.0;
const BACK_SHARE: f32 = 0.8;
/// So many ticks ahead it looks for the border of the mesh.
const CUT_TICKS: f32 = 2.0;

/// The nearest walls of a place, nearest first.
#[derive(Clone, Debug)]
pub struct WallList {
    count: usize,
    all: [(f32, Wall); WALLS_MAX],
}

impl WallList {
    /// The walls, nearest first.
    pub fn iter(&self) -> impl Iterator<Item = Wall> + '_ {
        self.all[..self.count].iter().map(|it| it.1)
    }

    fn add(&mut self, square: f32, wall: Wall) {
        let mut to = self.count;
        if to < WALLS_MAX {
            self.count += 1;
        } else if square < self.all[to - 1].0 {
            to -= 1;
        } else {
            return;
        }
        while to > 0 && square < self.all[to - 1].0 {
            self.all[to] = self.all[to - 1];
            to -= 1;
        }
        self.all[to] = (square, wall);
    }
}

/// The walls of the mesh within a radius of a place, as one would walk to them; the nearest ones where there are many. On
/// the stack; allocates nothing.
pub fn walls_near(mesh: &Mesh, costs: &AreaCosts, place: MeshPoint, radius_m: f32) -> WallList {
    let mut list = WallList { count: 0, all: [(0.0, Wall::default()); WALLS_MAX] };
    let mut seen = [place.polygon; POLYGONS_MAX];
    let (mut done, mut count) = (0, 1);
    let at = plane::ground(place.point);
    while done < count {
        let polygon = seen[done];
        done += 1;
        mesh.visit_sides_near(polygon, at, radius_m, |from, to, beyond| {
            let square = plane::nearest_on_segment(from, to, at).0.distance_squared(at);
            if square > radius_m * radius_m {
                return;
            }
            match beyond.filter(|&other| costs.is_passable(mesh.area(other))) {
                // Rings go round counter-clockwise, with the open on their left.
                None => list.add(square, Wall { from: to, to: from }),
                Some(other) if count < POLYGONS_MAX && !seen[..count].contains(&other) => {
                    seen[count] = other;
                    count += 1;
                }
                Some(_) => {}
            }
        });
    }
    list
}

/// A velocity, along the wall where it would leave the mesh in the next ticks; back onto the mesh, where one has left it.
pub(super) fn on_mesh(spot: Spot<'_>, mut velocity: Vec2, me: &Avoider, tick_s: f32) -> Vec2 {
    let Spot { ground, place } = spot;
    if let Some(HalfPlane { normal, offset }) = way_back(place, me, tick_s) {
        let short = math::max(offset - normal.dot(velocity), 0.0);
        velocity = limited(velocity + normal * short, me.speed_m_per_s_max);
    }
    let from = plane::ground(place.point);
    if from.distance(me.position) > OFF_M {
        return velocity;
    }
    let ahead = |velocity: Vec2| {
        let to = plane::lift(from + velocity * (CUT_TICKS * tick_s), place.point.y);
        ground.mesh.ray(place, to, ground.costs)
    };
    let Some((share, [a, b])) = ahead(velocity).and_then(|ray| Some((ray.share, ray.wall?))) else {
        return velocity;
    };
    let along = plane::direction(plane::ground(b) - plane::ground(a));
    let slide = along * velocity.dot(along);
    match ahead(slide) {
        Some(ray) if ray.share > share => slide,
        _ => velocity * share,
    }
}

/// The velocities of one off the mesh that lead back onto it within [`BACK_TICKS`], or as fast as it may; none for one on it.
///
/// A body goes round others by what its solver finds, and so it may be led off the mesh; from there every wall of the mesh is
/// seen from behind and says nothing, so that others could drive it on.
pub(super) fn way_back(place: MeshPoint, me: &Avoider, tick_s: f32) -> Option<HalfPlane> {
    let back = plane::ground(place.point) - me.position;
    let off_m = back.length();
    let fast = math::min(off_m / math::max(BACK_TICKS * tick_s, 1e-4), BACK_SHARE * me.speed_m_per_s_max);
    (off_m > ON_M).then(|| HalfPlane { normal: back / off_m, offset: fast })
}
