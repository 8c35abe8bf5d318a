//! From one place to many: the interval search without a goal.
//!
//! Cones are taken by the length to the nearest point of their part of the edge. A polygon that a cone enters offers the way
//! from the cone's root to every goal in it, and the search ends when no cone is nearer than the farthest goal. A cone is
//! left out when each point of its part of the edge is reached sooner along the edge from one of its ends. For that it is
//! enough to look at the point farthest from that end: on the way there the length along the edge grows by the whole step,
//! that from the root by no more than it. What is left out strictly loses to a way that exists, so lengths are those of
//! single searches.

use sentir_core::glam::{DVec2, Vec3};

use super::super::cost::AreaCosts;
use super::super::link::LinkId;
use super::super::patch::ground;
use super::super::table::{Edge, Mesh, MeshPoint};
use super::super::tile::NONE;
use super::look::Entry;
use super::{AnyAngleSearch, Best, Cone, LEFT_END, RIGHT_END, ROOT, Root, Task, is_on};

/// Cones between two looks at which goal is the farthest.
const LOOK_EVERY: u32 = 16;

/// A turn of the ways found: where, the turn before, and the link that leads here from there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    pub(crate) point: Vec3,
    /// Its number; none for the start.
    pub(crate) before: Option<u32>,
    pub(crate) link: Option<LinkId>,
}

/// What is kept for the goals of one search.
#[derive(Clone, Debug, Default)]
pub(super) struct Goals {
    /// By polygon, in order: the polygon and the number of the goal. One on a border is in all of its polygons.
    places: Vec<(u32, u32)>,
    points: Vec<DVec2>,
    ends: Vec<Best>,
    /// By corner: round, and the length of the shortest way there that was met.
    nears: Vec<(u32, f64)>,
}

impl Goals {
    pub(super) fn forget(&mut self) {
        self.nears.clear();
    }
}

impl AnyAngleSearch {
    /// Finds the shortest ways from a place of this mesh to many; whether the budget was enough. Goals that are none, or
    /// cannot be reached, have no end.
    pub(crate) fn find_many(
        &mut self,
        mesh: &Mesh,
        from: MeshPoint,
        to: &[MeshPoint],
        costs: &AreaCosts,
        expansions_max: u32,
    ) -> bool {
        self.path.clear();
        self.hops.clear();
        self.expanded = 0;
        self.reset(mesh);
        self.mark_goals(mesh, from, to, costs);
        if expansions_max == 0 || self.goals.places.is_empty() {
            return self.goals.places.is_empty();
        }
        let best = Best { cost: f64::INFINITY, root: NONE };
        let slack = mesh.tolerance.sqrt() * 1e-5;
        let mut task = Task { mesh, costs, goal: DVec2::ZERO, best, slack, is_many: true };
        let (at, parent) = (ground(from.point), NONE);
        self.roots.push(Root { at, cost: 0.0, height: from.point.y, parent, key: NONE, link: NONE });
        self.found.clear();
        self.pending.clear();
        self.pending.push((from.polygon, 0));
        self.begin_pending(&mut task);
        self.push_found(&task);
        let mut wait = 0;
        while let Some((estimate, number)) = self.open.pop() {
            if wait == 0 {
                (task.best.cost, wait) = (self.farthest(), LOOK_EVERY);
            }
            wait -= 1;
            if estimate >= task.best.cost {
                break;
            }
            let cone = self.cones[number as usize];
            if self.is_stale(&task, cone.root & ROOT) || self.nearest(&task, &cone) >= task.best.cost {
                continue;
            }
            if self.expanded >= expansions_max {
                // What is farther than this might be nearer by another way.
                self.goals.ends.iter_mut().filter(|end| end.cost > estimate).for_each(|end| *end = best);
                return false;
            }
            self.expanded += 1;
            self.found.clear();
            self.look(&mut task, &cone);
            self.begin_pending(&mut task);
            self.push_found(&task);
        }
        true
    }

    /// The length of the way to a goal of the last search, and its last turn; none if there is no way.
    pub(crate) fn end(&self, goal: u32) -> Option<(f64, u32)> {
        let Best { cost, root } = self.goals.ends[goal as usize];
        (root != NONE).then_some((cost, root))
    }

    /// A turn of the last search.
    pub(crate) fn turn(&self, number: u32) -> Turn {
        let Root { at, height, parent, link, .. } = self.roots[number as usize];
        let some = |number: u32| (number != NONE).then_some(number);
        let point = Vec3::new(at.x as f32, height, -at.y as f32);
        Turn { point, before: some(parent), link: some(link).map(LinkId) }
    }

    /// How many turns the last search has; a turn comes after the one before it.
    pub(crate) fn turn_count(&self) -> usize {
        self.roots.len()
    }

    /// How many cones the last search has gone into.
    pub(crate) fn expanded(&self) -> u32 {
        self.expanded
    }

    /// Lists the goals by polygon, and marks these and the ways to them out of parts with one exit.
    fn mark_goals(&mut self, mesh: &Mesh, from: MeshPoint, to: &[MeshPoint], costs: &AreaCosts) {
        let (way, mark) = (self.round * 2, self.round * 2 + 1);
        self.goals.places.clear();
        self.goals.points.clear();
        self.goals.ends.clear();
        self.goals.ends.resize(to.len(), Best { cost: f64::INFINITY, root: NONE });
        self.goals.nears.resize(mesh.turn_count as usize, (0, 0.0));
        for (number, place) in (0u32..).zip(to) {
            let at = ground(place.point);
            self.goals.points.push(at);
            let is_sound = place.point.is_finite()
                && place.polygon < mesh.polygon_count()
                && mesh.components[place.polygon as usize] == mesh.components[from.polygon as usize]
                && (place.polygon == from.polygon || costs.is_passable(mesh.area(place.polygon)));
            if !is_sound {
                continue;
            }
            let first = self.goals.places.len();
            self.goals.places.push((place.polygon, number));
            let mut next = first;
            // Those added are those still to be looked at: all polygons that a point on a border is in.
            while let Some(&(polygon, _)) = self.goals.places.get(next) {
                next += 1;
                self.marks[polygon as usize] = mark;
                for edge in mesh.run(polygon) {
                    let twin = mesh.edges[edge].twin;
                    if twin != NONE && is_on(mesh, edge as u32, at) {
                        let other = mesh.owners[twin as usize];
                        if self.goals.places[first..].iter().all(|it| it.0 != other) {
                            self.goals.places.push((other, number));
                        }
                    }
                }
                let mut exit = mesh.exits[polygon as usize];
                while exit != NONE && self.marks[exit as usize] < way {
                    self.marks[exit as usize] = way;
                    exit = mesh.exits[exit as usize];
                }
            }
        }
        self.goals.places.sort_unstable();
    }

    /// The length of the longest way; infinity while there is a goal without one.
    fn farthest(&self) -> f64 {
        let mut farthest = 0.0;
        for &(_, goal) in &self.goals.places {
            let cost = self.goals.ends[goal as usize].cost;
            if cost == f64::INFINITY {
                return cost;
            }
            if cost > farthest {
                farthest = cost;
            }
        }
        farthest
    }

    /// Calls `visit` with each goal of a polygon.
    #[inline]
    fn visit_goals(&mut self, polygon: u32, mut visit: impl FnMut(&mut Self, u32, DVec2)) {
        let mut at = self.goals.places.partition_point(|goal| goal.0 < polygon);
        while let Some(&(_, goal)) = self.goals.places.get(at).filter(|goal| goal.0 == polygon) {
            let point = self.goals.points[goal as usize];
            visit(self, goal, point);
            at += 1;
        }
    }

    /// A root sees all of a polygon with goals.
    pub(super) fn arrive_many(&mut self, polygon: u32, root: u32) {
        let Root { at, cost, .. } = self.roots[root as usize];
        self.visit_goals(polygon, |search, goal, point| {
            let end = &mut search.goals.ends[goal as usize];
            let cost = cost + (point - at).length();
            if cost < end.cost {
                *end = Best { cost, root };
            }
        });
    }

    /// A cone enters a polygon with goals.
    pub(super) fn finish_many(&mut self, task: &Task<'_>, cone: &Cone, entry: &Entry, polygon: u32) {
        let root = cone.root & ROOT;
        let before = self.roots[root as usize].cost;
        self.visit_goals(polygon, |search, goal, point| {
            let Some((length, turn)) = search.length_within(task, cone, entry, point) else { return };
            let cost = before + length;
            if cost < search.goals.ends[goal as usize].cost {
                let root = turn.map_or(Some(root), |edge| search.turn_at(task, root, edge));
                if let Some(root) = root {
                    search.goals.ends[goal as usize] = Best { cost, root };
                }
            }
        });
    }

    /// The length of the shortest way to a cone's part of its edge; infinity if all of it is reached sooner along the edge.
    pub(super) fn nearest(&mut self, task: &Task<'_>, cone: &Cone) -> f64 {
        let Root { at, cost, .. } = self.roots[(cone.root & ROOT) as usize];
        let entry = task.mesh.edges[cone.edge as usize];
        let exit = task.mesh.edges[entry.twin as usize];
        let (left_end, right_end) = (entry.at() - at, exit.at() - at);
        let along = left_end - right_end;
        let cut = |rim: DVec2| {
            let share = right_end.perp_dot(rim) / rim.perp_dot(along);
            // Along the edge there is no share: its right end will do.
            right_end + along * if share > 0.0 { if share < 1.0 { share } else { 1.0 } } else { 0.0 }
        };
        let (is_right, is_left) = (cone.root & RIGHT_END != 0, cone.root & LEFT_END != 0);
        let right = if is_right { right_end } else { cut(cone.right) };
        let left = if is_left { left_end } else { cut(cone.left) };
        let (right_m, left_m) = (right.length(), left.length());
        for (corner, is_end, end_m, other_m, width_m) in [
            (entry.turn(), is_left, left_m, right_m, (right - left_end).length()),
            (exit.turn(), is_right, right_m, left_m, (left - right_end).length()),
        ] {
            if corner == Edge::NO_TURN {
                continue;
            }
            let near = &mut self.goals.nears[corner as usize];
            let is_known = near.0 == self.round;
            if is_known && cost + other_m > near.1 + width_m + task.slack {
                return f64::INFINITY;
            }
            if is_end && (!is_known || cost + end_m < near.1) {
                *near = (self.round, cost + end_m);
            }
        }
        let span = left - right;
        let reach = -right.dot(span);
        if reach <= 0.0 {
            cost + right_m
        } else if reach >= span.length_squared() {
            cost + left_m
        } else {
            cost + right.perp_dot(span).abs() / span.length()
        }
    }
}
