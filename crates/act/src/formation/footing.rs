//! A formation on a navigation mesh: the leader's way with its heights, slots that lie on the ground, and the walls near by.
//!
//! **Method.** Slots are laid out in the plane along the leader's way (see [`Formation::poses`](super::Formation::poses)). The
//! same way is kept here with its heights; a slot is the end of a mesh ray from its place on the way, so that it is on the
//! mesh, on the right storey, and in reach of who went that way. Walls for the layout are the border of the mesh, moved out
//! by the radius that the mesh was baked for, so that formations reckon with bodies and not with points.
//!
//! **Cost** a ray a slot; for walls, the polygons within the radius, each looked for among those seen before. After the first
//! calls nothing is allocated.

use sentir_core::State;
use sentir_core::glam::Vec3;
use sentir_core::plane;
use sentir_nav::mesh::{AreaCosts, Mesh, MeshPoint};

use super::SlotPose;
use super::trail::{POINTS_MAX, STEP_M};
use crate::Wall;

/// A leader that is suddenly this far away was put there, m: its way begins anew.
const JUMP_M: f32 = 5.0;
/// How far from the mesh a place on the way may be: aside, and up or down, m.
const REACH: Vec3 = Vec3::new(0.6, 1.2, 0.6);
/// Polygons looked at for walls at most.
const POLYGONS_MAX: usize = 512;

/// Where a leader walked, oldest first; in step with the [`Trail`](super::Trail) of its formation.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct Footing {
    steps: Vec<Vec3>,
}

impl Footing {
    /// Keeps where the leader is now, if it came on. What is not finite is passed over.
    pub fn record(&mut self, here: Vec3) {
        let far = self.steps.last().map_or(f32::INFINITY, |last| last.distance(here));
        if !here.is_finite() || far < STEP_M {
            return;
        }
        if far > JUMP_M {
            self.steps.clear();
        } else if self.steps.len() >= POINTS_MAX {
            self.steps.remove(0);
        }
        self.steps.push(here);
    }

    /// The place at an arc length from the leader, which is at `here`: ahead of it on `ahead` if positive, else behind it, m.
    /// The end of what is known, if that is nearer.
    pub fn at(&self, arc_m: f32, here: Vec3, ahead: &[Vec3]) -> Vec3 {
        if arc_m >= 0.0 {
            along(here, ahead.iter().copied(), arc_m)
        } else {
            along(here, self.steps.iter().rev().copied(), -arc_m)
        }
    }

    /// Where a slot is on the mesh: straight from the way, as far as the ground goes. None where the way is not on the mesh.
    pub fn place(
        &self,
        slot: &SlotPose,
        here: Vec3,
        ahead: &[Vec3],
        mesh: &Mesh,
        costs: &AreaCosts,
    ) -> Option<MeshPoint> {
        let center = mesh.nearest(self.at(slot.arc_m, here, ahead), REACH)?;
        let ray = mesh.ray(center, plane::lift(slot.position, center.point.y), costs)?;
        Some(ray.place)
    }
}

/// The place `left` m along the points from `from`, or the last one.
fn along(from: Vec3, points: impl Iterator<Item = Vec3>, left: f32) -> Vec3 {
    let (mut from, mut left) = (from, left);
    for to in points {
        let length = plane::ground(from).distance(plane::ground(to));
        if length >= left && length > 0.0 {
            return from.lerp(to, left / length);
        }
        left -= length;
        from = to;
    }
    from
}

/// The walls around a place, gathered anew at each call; scratch.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    seen: Vec<u32>,
    walls: Vec<Wall>,
}

impl Surroundings {
    /// The border of the mesh within `radius_m` of a place, moved out by `body_m`. MarchGround more than `height_m` higher or lower
    /// is not looked at: it is another storey.
    pub fn gather(
        &mut self,
        mesh: &Mesh,
        costs: &AreaCosts,
        place: MeshPoint,
        radius_m: f32,
        height_m: f32,
        body_m: f32,
    ) {
        self.seen.clear();
        self.walls.clear();
        if place.polygon >= mesh.polygon_count() || !place.point.is_finite() {
            return;
        }
        self.seen.push(place.polygon);
        let at = plane::ground(place.point);
        let mut done = 0;
        while let Some(&polygon) = self.seen.get(done) {
            done += 1;
            let ring = mesh.ring(polygon);
            let ends = ring.clone().skip(1).chain(ring.clone().take(1));
            for ((from, to), beyond) in ring.zip(ends).zip(mesh.neighbors(polygon)) {
                let is_level = [from, to].iter().any(|end| (end.y - place.point.y).abs() <= height_m);
                let (from, to) = (plane::ground(from), plane::ground(to));
                let square = plane::nearest_on_segment(from, to, at).0.distance_squared(at);
                if square > radius_m * radius_m || !is_level {
                    continue;
                }
                match beyond.filter(|&other| costs.is_passable(mesh.area(other))) {
                    None => {
                        // Rings go round counter-clockwise, with the open on their left.
                        let out = -plane::left_of(plane::direction(to - from)) * body_m;
                        self.walls.push(Wall { from: to + out, to: from + out });
                    }
                    Some(other) if self.seen.len() < POLYGONS_MAX && !self.seen.contains(&other) => {
                        self.seen.push(other);
                    }
                    Some(_) => {}
                }
            }
        }
    }

    /// The walls.
    pub fn walls(&self) -> &[Wall] {
        &self.walls
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sentir_core::glam::Vec2;
    use sentir_nav::mesh::{AreaId, Patch, Polygon};

    /// A street, 4 m wide, that goes 10 m east on the level and then 10 m up to 3 m.
    fn street() -> Mesh {
        let corners = [(0.0, 0.0), (10.0, 0.0), (20.0, 3.0)]
            .iter()
            .flat_map(|&(x, y)| [Vec3::new(x, y, 2.0), Vec3::new(x, y, -2.0)])
            .collect();
        let loops = vec![0, 2, 3, 1, 2, 4, 5, 3];
        let polygons = [0, 4].map(|first| Polygon { first, count: 4, area: AreaId(0) }).to_vec();
        Mesh::from_patch(Patch { corners, loops, polygons }).unwrap()
    }

    #[test]
    fn slots_lie_on_the_ground_beside_the_way_and_stop_at_its_border() {
        let mesh = street();
        let mut footing = Footing::default();
        for step in 0..=60 {
            let x = step as f32 * 0.25;
            footing.record(Vec3::new(x, if x > 10.0 { (x - 10.0) * 0.3 } else { 0.0 }, 0.0));
        }
        let here = Vec3::new(15.0, 1.5, 0.0);
        let ahead = [Vec3::new(19.0, 2.7, 0.0)];
        let place = |arc_m: f32, x: f32, y: f32| {
            let slot = SlotPose { position: Vec2::new(x, y), yaw: 0.0, arc_m };
            footing.place(&slot, here, &ahead, &mesh, &AreaCosts::PLAIN).unwrap().point
        };
        assert!(place(-8.0, 7.0, 1.0).distance(Vec3::new(7.0, 0.0, -1.0)) < 0.05);
        assert!(place(-2.0, 13.0, -1.5).distance(Vec3::new(13.0, 0.9, 1.5)) < 0.05);
        assert!(place(3.0, 18.0, 1.0).distance(Vec3::new(18.0, 2.4, -1.0)) < 0.05);
        // Past the border, and past what is known.
        assert!(place(-8.0, 7.0, 9.0).distance(Vec3::new(7.0, 0.0, -2.0)) < 0.05);
        assert!((place(-99.0, -5.0, 0.0).x).abs() < 0.05);
        footing.record(Vec3::NAN);
        footing.record(Vec3::new(90.0, 0.0, 0.0));
        assert_eq!(footing.steps, [Vec3::new(90.0, 0.0, 0.0)]);
    }

    #[test]
    fn walls_are_the_border_moved_out_and_other_storeys_are_left_out() {
        let mesh = street();
        let place = mesh.nearest(Vec3::new(5.0, 0.0, 0.0), Vec3::ONE).unwrap();
        let mut around = Surroundings::default();
        around.gather(&mesh, &AreaCosts::PLAIN, place, 30.0, 9.0, 0.3);
        assert_eq!(around.walls().len(), 6);
        assert!(
            around.walls().iter().all(|wall| wall.nearest(Vec2::new(5.0, 0.0)).distance(Vec2::new(5.0, 0.0)) > 2.29)
        );
        around.gather(&mesh, &AreaCosts::PLAIN, place, 30.0, 1.0, 0.3);
        assert_eq!(around.walls().len(), 5);
        around.gather(&mesh, &AreaCosts::PLAIN, MeshPoint { polygon: 99, ..place }, 30.0, 1.0, 0.3);
        assert!(around.walls().is_empty());
    }
}
