//! What both searches share: the request, its two ends on the mesh, and the reachable place nearest to a goal.

use sentir_core::glam::Vec3;

use super::cost::AreaCosts;
use super::table::{Mesh, MeshPoint};
use super::tile::NONE;
use crate::answer::{Ending, Fault};

/// A request for a way.
#[derive(Clone, Copy, Debug)]
pub struct MeshQuery<'a> {
    /// Where it begins, m.
    pub from: Vec3,
    /// Where it should lead, m.
    pub to: Vec3,
    /// How far off the mesh both may be: half of the sides of a box, m.
    pub extent: Vec3,
    /// What kinds of ground cost.
    pub costs: &'a AreaCosts,
    /// Most nodes taken from the open list.
    pub expansions_max: u32,
}

impl MeshQuery<'static> {
    /// From here to there over plain ground, both within 1 m of the mesh (2 m in height), with a budget that is hardly
    /// ever used up.
    pub fn new(from: Vec3, to: Vec3) -> Self {
        let extent = Vec3::new(1.0, 2.0, 1.0);
        MeshQuery { from, to, extent, costs: &AreaCosts::PLAIN, expansions_max: 1_000_000 }
    }
}

/// Both ends of a request on the mesh.
pub(super) fn ends(mesh: &Mesh, query: &MeshQuery<'_>) -> Result<[MeshPoint; 2], Ending> {
    let place = |point: Vec3| {
        if !point.is_finite() {
            return Err(Fault::NotFinite);
        }
        mesh.nearest(point, query.extent).ok_or(Fault::Outside)
    };
    let from = place(query.from).map_err(Ending::BadStart)?;
    let to = place(query.to).map_err(Ending::BadGoal)?;
    check(mesh, query.costs, [from, to])?;
    Ok([from, to])
}

/// Whether two places are on the mesh, and the goal is one that can be entered.
pub(super) fn check(mesh: &Mesh, costs: &AreaCosts, places: [MeshPoint; 2]) -> Result<(), Ending> {
    for (place, refuse) in places.iter().zip([Ending::BadStart, Ending::BadGoal]) {
        if !place.point.is_finite() {
            return Err(refuse(Fault::NotFinite));
        }
        if place.polygon >= mesh.polygon_count() {
            return Err(refuse(Fault::Outside));
        }
    }
    if places[0].polygon != places[1].polygon && !costs.is_passable(mesh.area(places[1].polygon)) {
        return Err(Ending::BadGoal(Fault::Blocked));
    }
    Ok(())
}

/// Memory of [`Flood::nearest`].
#[derive(Clone, Debug, Default)]
pub(super) struct Flood {
    seen: Vec<bool>,
    stack: Vec<u32>,
}

impl Flood {
    /// The place nearest to `goal` that can be reached from `from`, found by going everywhere: O(polygons).
    pub(super) fn nearest(&mut self, mesh: &Mesh, from: MeshPoint, goal: Vec3, costs: &AreaCosts) -> MeshPoint {
        self.seen.clear();
        self.seen.resize(mesh.faces.len(), false);
        self.stack.clear();
        self.stack.push(from.polygon);
        self.seen[from.polygon as usize] = true;
        let mut best = (f64::INFINITY, from);
        while let Some(polygon) = self.stack.pop() {
            let place = mesh.nearest_on(polygon, goal);
            let distance = (place.point - goal).as_dvec3().length_squared();
            if distance < best.0 || (distance == best.0 && polygon < best.1.polygon) {
                best = (distance, place);
            }
            let mut visit = |other: u32| {
                if !self.seen[other as usize] && costs.is_passable(mesh.faces[other as usize].area) {
                    self.seen[other as usize] = true;
                    self.stack.push(other);
                }
            };
            for edge in mesh.run(polygon) {
                let twin = mesh.edges[edge].twin;
                if twin != NONE {
                    visit(mesh.owners[twin as usize]);
                }
            }
            mesh.hops_from(polygon).for_each(|(_, hop)| visit(hop.to.polygon));
        }
        best.1
    }
}

/// The place of the start's part of the mesh nearest to a goal in another part.
pub(super) fn nearest_in_component(mesh: &Mesh, from: MeshPoint, goal: Vec3) -> MeshPoint {
    let component = mesh.components[from.polygon as usize];
    let is_same = |polygon: u32| mesh.components[polygon as usize] == component;
    mesh.nearest_where(goal, Vec3::INFINITY, is_same).unwrap_or(from)
}
