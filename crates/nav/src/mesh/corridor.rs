//! Ways by the costs of areas: A* over polygons gives a corridor, and a string pulled taut in it gives the way.
//!
//! The search keeps one point a polygon: where it was entered first. It leaves by each edge at the point nearest to the
//! straight line to the goal (the crossing itself, where there is one). Costs are ground lengths times the factor of the
//! area, plus those of links; the estimate is the straight line, so a polygon is looked at once. The corridor is good but
//! need not be the best one: points on edges are guesses. The funnel then gives the shortest way *in that corridor*, with
//! the heights of the corners it turns at; where areas differ it stays within the corridor but does not bend at the borders
//! of areas as the very cheapest way would.
//!
//! Cost: O(edges of the polygons seen), with a heap. No allocation when warm.

use sentir_core::glam::{DVec2, Vec3};

use super::cost::AreaCosts;
use super::funnel::{Funnel, Portal};
use super::link::LinkId;
use super::open::OpenList;
use super::patch::ground;
use super::reach::{Flood, MeshQuery, check, ends, nearest_in_component};
use super::table::{Edge, Mesh, MeshPoint};
use super::tile::NONE;
use crate::answer::{Ending, PathAnswer};

/// How a polygon was reached.
#[derive(Clone, Copy, Debug)]
struct Visit {
    at: DVec2,
    cost: f64,
    round: u32,
    /// Its edge of entry, or a hop (with the top bit set), or [`NONE`] for the start.
    entry: u32,
    is_closed: bool,
}

const HOP: u32 = 1 << 31;
const FRESH: Visit = Visit { at: DVec2::ZERO, cost: 0.0, round: 0, entry: NONE, is_closed: false };

/// The memory of corridor searches: keep one, use it for any mesh; may be dropped at any time.
#[derive(Clone, Debug, Default)]
pub struct CorridorSearch {
    open: OpenList,
    visits: Vec<Visit>,
    round: u32,
    /// By polygon: leads out of a part with one exit, from the goal.
    marks: Vec<u32>,
    /// From start to goal: polygon and entry.
    corridor: Vec<u32>,
    entries: Vec<u32>,
    portals: Vec<Portal>,
    funnel: Funnel,
    path: Vec<Vec3>,
    hops: Vec<(u32, LinkId)>,
    reached: Vec<(u32, f64)>,
    flood: Flood,
    expanded: u32,
}

struct Task<'a> {
    mesh: &'a Mesh,
    costs: &'a AreaCosts,
    goal: DVec2,
    goal_polygon: u32,
}

/// A step into a polygon.
#[derive(Clone, Copy)]
struct Step {
    polygon: u32,
    /// Where it is entered.
    at: DVec2,
    /// What the way there costs, m.
    cost: f64,
    /// As [`Visit::entry`].
    entry: u32,
}

/// The most promising polygon so far.
struct Best {
    /// The least that is left from there, m.
    rest: f64,
    polygon: u32,
}

impl CorridorSearch {
    /// A taut way between two points, put onto the mesh first.
    pub fn find(&mut self, mesh: &Mesh, query: &MeshQuery<'_>) -> PathAnswer<'_, Vec3> {
        match ends(mesh, query) {
            Ok([from, to]) => self.find_between(mesh, from, to, query.costs, query.expansions_max),
            Err(ending) => PathAnswer::refused(ending),
        }
    }

    /// A taut way between two places.
    pub fn find_between(
        &mut self,
        mesh: &Mesh,
        from: MeshPoint,
        to: MeshPoint,
        costs: &AreaCosts,
        expansions_max: u32,
    ) -> PathAnswer<'_, Vec3> {
        match self.search(mesh, [from, to], costs, expansions_max) {
            Ok((ending, goal)) => {
                let cost = self.pull(mesh, costs, [from, goal], expansions_max);
                PathAnswer { ending, path: &self.path, cost, expanded: self.expanded }
            }
            Err(ending) => PathAnswer::refused(ending),
        }
    }

    /// The corridor alone: see [`CorridorSearch::corridor`]. The path holds the two ends only; the cost is the search's own.
    pub fn corridor_between(
        &mut self,
        mesh: &Mesh,
        from: MeshPoint,
        to: MeshPoint,
        costs: &AreaCosts,
        expansions_max: u32,
    ) -> PathAnswer<'_, Vec3> {
        match self.search(mesh, [from, to], costs, expansions_max) {
            Ok((ending, goal)) => {
                self.path.extend([from.point, goal.point]);
                let last = self.corridor.last().and_then(|&polygon| self.visits.get(polygon as usize));
                let rest = last.map_or(0.0, |it| it.cost + (ground(goal.point) - it.at).length());
                PathAnswer { ending, path: &self.path, cost: rest, expanded: self.expanded }
            }
            Err(ending) => PathAnswer::refused(ending),
        }
    }

    /// The polygons of the last way, from start to goal.
    pub fn corridor(&self) -> &[u32] {
        &self.corridor
    }

    /// The points of the last path, as its answer had them.
    pub fn path(&self) -> &[Vec3] {
        &self.path
    }

    /// The links of the last path: each with the number of the path point from which it leads to the next one.
    pub fn links(&self) -> &[(u32, LinkId)] {
        &self.hops
    }

    /// Where the search leads and how it ended; the corridor is then known.
    fn search(
        &mut self,
        mesh: &Mesh,
        [from, to]: [MeshPoint; 2],
        costs: &AreaCosts,
        expansions_max: u32,
    ) -> Result<(Ending, MeshPoint), Ending> {
        self.path.clear();
        self.hops.clear();
        self.corridor.clear();
        self.entries.clear();
        self.expanded = 0;
        check(mesh, costs, [from, to])?;
        let (mut goal, mut ending) = (to, Ending::Found);
        if mesh.components[from.polygon as usize] != mesh.components[to.polygon as usize] {
            goal = nearest_in_component(mesh, from, to.point);
            ending = Ending::NoPath;
        }
        let mut end = self.run(mesh, costs, [from, goal], expansions_max);
        if end == Some(Ending::NoPath) {
            goal = self.flood.nearest(mesh, from, to.point, costs);
            ending = Ending::NoPath;
            end = self.run(mesh, costs, [from, goal], expansions_max);
        }
        if end.is_some() {
            // Out of budget: the most promising polygon is where the corridor ends.
            ending = Ending::OutOfBudget;
            let last = self.corridor.last().copied().unwrap_or(from.polygon);
            let at = self.visits[last as usize].at;
            goal = if last == from.polygon {
                from
            } else {
                MeshPoint { polygon: last, point: Vec3::new(at.x as f32, mesh.surface(last, at), -at.y as f32) }
            };
        }
        Ok((ending, goal))
    }

    fn reset(&mut self, mesh: &Mesh) {
        self.open.clear();
        self.round += 1;
        if self.round >= 1 << 30 {
            self.round = 1;
            (self.visits, self.marks) = Default::default();
        }
        self.visits.resize(mesh.faces.len(), FRESH);
        self.marks.resize(mesh.faces.len(), 0);
    }

    /// None if the goal was found.
    fn run(&mut self, mesh: &Mesh, costs: &AreaCosts, [from, to]: [MeshPoint; 2], budget: u32) -> Option<Ending> {
        self.reset(mesh);
        let mut exit = to.polygon;
        while exit != NONE {
            self.marks[exit as usize] = self.round;
            exit = mesh.exits[exit as usize];
        }
        let task = Task { mesh, costs, goal: ground(to.point), goal_polygon: to.polygon };
        let at = ground(from.point);
        self.visits[from.polygon as usize] = Visit { at, round: self.round, ..FRESH };
        let mut best = Best { rest: (task.goal - at).length(), polygon: from.polygon };
        self.open.push(best.rest, from.polygon);
        while let Some((_, polygon)) = self.open.first() {
            if self.expanded >= budget {
                self.trace(mesh, best.polygon);
                return Some(Ending::OutOfBudget);
            }
            self.open.pop();
            if self.visits[polygon as usize].is_closed {
                continue;
            }
            self.visits[polygon as usize].is_closed = true;
            self.expanded += 1;
            if polygon == task.goal_polygon {
                self.trace(mesh, polygon);
                return None;
            }
            self.expand(&task, polygon, &mut best);
        }
        Some(Ending::NoPath)
    }

    #[inline]
    fn expand(&mut self, task: &Task<'_>, polygon: u32, best: &mut Best) {
        let mesh = task.mesh;
        let face = mesh.faces[polygon as usize];
        let Visit { at, cost, entry, .. } = self.visits[polygon as usize];
        let factor = task.costs.factor(face.area);
        let way = task.goal - at;
        let ring = &mesh.edges[face.first as usize..][..usize::from(face.count)];
        let side_of = |point: DVec2| way.perp_dot(point - at);
        let (mut from, mut from_edge) = (ring[ring.len() - 1].at(), &ring[ring.len() - 1]);
        let mut from_side = side_of(from);
        let mut number = face.first + u32::from(face.count) - 1;
        for (next, edge) in (face.first..).zip(ring) {
            let to = edge.at();
            let to_side = side_of(to);
            if from_edge.twin != NONE && number != entry && self.is_passage(task, from_edge) {
                let polygon = mesh.owners[from_edge.twin as usize];
                let point = crossing(at, [from, to], [from_side, to_side]);
                let cost = cost + factor * (point - at).length();
                self.reach(task, Step { polygon, at: point, cost, entry: from_edge.twin }, best);
            }
            (from, from_edge, from_side, number) = (to, edge, to_side, next);
        }
        if face.has_link {
            for (number, hop) in mesh.hops_from(polygon) {
                if task.costs.is_passable(mesh.area(hop.to.polygon)) {
                    let cost = cost + factor * (ground(hop.from.point) - at).length() + hop.cost_m;
                    let MeshPoint { polygon, point } = hop.to;
                    self.reach(task, Step { polygon, at: ground(point), cost, entry: HOP | number }, best);
                }
            }
        }
    }

    /// Whether one can cross an edge, and there is a reason to.
    #[inline]
    fn is_passage(&self, task: &Task<'_>, edge: &Edge) -> bool {
        let other = task.mesh.owners[edge.twin as usize] as usize;
        (!edge.is_dead_end() || self.marks[other] == self.round)
            && (!task.costs.has_walls() || task.costs.is_passable(task.mesh.faces[other].area))
    }

    #[inline]
    fn reach(&mut self, task: &Task<'_>, step: Step, best: &mut Best) {
        let Step { polygon, at, cost, entry } = step;
        let visit = &mut self.visits[polygon as usize];
        if visit.round == self.round && (visit.is_closed || visit.cost <= cost) {
            return;
        }
        *visit = Visit { at, cost, round: self.round, entry, is_closed: false };
        let mut rest = (task.goal - at).length() * task.mesh.thrift;
        if rest < best.rest {
            *best = Best { rest, polygon };
        }
        if polygon == task.goal_polygon {
            rest *= task.costs.factor(task.mesh.faces[polygon as usize].area);
        }
        self.open.push(cost + rest, polygon);
    }

    /// Writes down the corridor that ends in a polygon.
    fn trace(&mut self, mesh: &Mesh, polygon: u32) {
        let mut at = polygon;
        self.corridor.clear();
        self.entries.clear();
        loop {
            let entry = self.visits[at as usize].entry;
            self.corridor.push(at);
            self.entries.push(entry);
            at = match entry {
                NONE => break,
                hop if hop & HOP != 0 => mesh.hops[(hop & !HOP) as usize].from.polygon,
                edge => mesh.owners[mesh.edges[edge as usize].twin as usize],
            };
        }
        self.corridor.reverse();
        self.entries.reverse();
    }

    /// Pulls the string taut, from link to link; the cost of the way.
    fn pull(&mut self, mesh: &Mesh, costs: &AreaCosts, [from, to]: [MeshPoint; 2], budget: u32) -> f64 {
        self.path.push(from.point);
        if budget == 0 {
            return 0.0;
        }
        let (mut start, mut cost) = (from.point, 0.0);
        let mut number = 0;
        while number < self.corridor.len() {
            // The part of the corridor up to the next link.
            self.portals.clear();
            let first_factor = costs.factor(mesh.area(self.corridor[number]));
            let mut end = to.point;
            let mut link = None;
            number += 1;
            while let Some(&entry) = self.entries.get(number) {
                if entry & HOP != 0 {
                    let hop = mesh.hops[(entry & !HOP) as usize];
                    (end, link) = (hop.from.point, Some(hop));
                    break;
                }
                // Seen from within, an edge of entry begins at its left end.
                let (left, right) = (mesh.point(entry), mesh.point(mesh.edges[entry as usize].twin));
                let factor = costs.factor(mesh.area(self.corridor[number]));
                self.portals.push(Portal { left, right, factor });
                number += 1;
            }
            cost += self.funnel.pull(start, end, &self.portals, first_factor, &mut self.path);
            if let Some(hop) = link {
                self.hops.push((self.path.len() as u32 - 1, hop.link));
                self.path.push(hop.to.point);
                cost += hop.cost_m;
                start = hop.to.point;
            }
        }
        cost
    }

    /// Every polygon one can enter for at most `cost_max` (meters of plain ground), with the cost of entering, cheapest
    /// first; links are used. The costs are those of ways from edge to edge: an upper bound. Empty if the place is not on
    /// the mesh.
    pub fn within(&mut self, mesh: &Mesh, from: MeshPoint, cost_max: f64, costs: &AreaCosts) -> &[(u32, f64)] {
        self.reached.clear();
        if check(mesh, costs, [from, from]).is_err() || cost_max.is_nan() || cost_max < 0.0 {
            return &self.reached;
        }
        self.reset(mesh);
        self.visits[from.polygon as usize] = Visit { at: ground(from.point), round: self.round, ..FRESH };
        self.open.push(0.0, from.polygon);
        while let Some((cost, polygon)) = self.open.pop() {
            let visit = &mut self.visits[polygon as usize];
            if std::mem::replace(&mut visit.is_closed, true) {
                continue;
            }
            self.reached.push((polygon, cost));
            let at = visit.at;
            let factor = costs.factor(mesh.area(polygon));
            for edge in mesh.run(polygon) {
                let twin = mesh.edges[edge].twin;
                if twin != NONE && costs.is_passable(mesh.area(mesh.owners[twin as usize])) {
                    let (a, b) = (mesh.edges[edge].at(), mesh.edges[mesh.next(edge as u32) as usize].at());
                    let share = (at - a).dot(b - a) / (b - a).length_squared();
                    let share = if share > 0.0 { if share < 1.0 { share } else { 1.0 } } else { 0.0 };
                    let point = a + (b - a) * share;
                    self.enter(mesh.owners[twin as usize], point, cost + factor * (point - at).length(), cost_max);
                }
            }
            for (_, hop) in mesh.hops_from(polygon) {
                if costs.is_passable(mesh.area(hop.to.polygon)) {
                    let cost = cost + factor * (ground(hop.from.point) - at).length() + hop.cost_m;
                    self.enter(hop.to.polygon, ground(hop.to.point), cost, cost_max);
                }
            }
        }
        &self.reached
    }

    fn enter(&mut self, polygon: u32, at: DVec2, cost: f64, cost_max: f64) {
        let visit = &mut self.visits[polygon as usize];
        let is_known = visit.round == self.round && (visit.is_closed || visit.cost <= cost);
        if cost <= cost_max && !is_known {
            *visit = Visit { at, cost, round: self.round, entry: NONE, is_closed: false };
            self.open.push(cost, polygon);
        }
    }
}

/// Where a straight line leaves by an edge, given on which side of the line its ends are; the nearer end if it misses.
#[inline]
fn crossing(at: DVec2, [from, to]: [DVec2; 2], [from_side, to_side]: [f64; 2]) -> DVec2 {
    if from_side < 0.0 && to_side > 0.0 {
        from + (to - from) * (from_side / (from_side - to_side))
    } else if from_side >= 0.0 && to_side <= 0.0 {
        // Behind: the nearest point.
        let along = to - from;
        let share = (at - from).dot(along) / along.length_squared();
        from + along * if share > 0.0 { if share < 1.0 { share } else { 1.0 } } else { 0.0 }
    } else if from_side.abs() < to_side.abs() {
        from
    } else {
        to
    }
}
