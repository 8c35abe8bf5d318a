//! Shortest ways on a mesh, at any angle: an interval search after Polyanya (Cui, Harabor, Grastien, IJCAI 2017).
//!
//! A search node is a *root* (the last turn) and a cone from it through an edge: all points of the edge the root sees.
//! Going through the polygon beyond, the cone falls on further edges; past a corner that closes the cone the way may
//! turn, with that corner as the new root. Costs are lengths on the ground; a node's estimate is the shortest line from
//! the root through its part of the edge to the goal (mirrored if it lies on the near side), so the first way that is no
//! longer than every open estimate is the shortest one.
//!
//! Our own additions:
//! * A cone is kept as two directions from its root, both differences of given points, and never as points computed on an
//!   edge. So whether a corner lies on the rim of a cone is decided on given numbers alone, and rows of corners on one
//!   line do not lose each other. See [`Mesh::tolerance`](super::Mesh).
//! * A turn goes round the whole fan of polygons at its corner at once, so no node has its root on its own edge.
//! * Corners where no shortest way can turn, and parts with one exit that do not hold the goal, are known beforehand
//!   (`label`).
//! * Links are roots, too: one reaches the near end, pays, and sees from the far end.
//!
//! Areas are passable or not; their factors are not used (the way is the shortest, not the cheapest). Worst case
//! exponential in theory, far from it in practice; `expansions_max` holds it. No allocation when warm.

mod look;
mod many;
mod trace;

use sentir_core::glam::{DVec2, Vec3};

use super::cost::AreaCosts;
use super::link::LinkId;
use super::open::OpenList;
use super::patch::ground;
use super::reach::{Flood, MeshQuery, check, ends, nearest_in_component};
use super::table::{Mesh, MeshPoint};
use super::tile::NONE;
use crate::answer::{Ending, PathAnswer};

/// A turn of the way (or its start, or an end of a link).
#[derive(Clone, Copy, Debug)]
struct Root {
    at: DVec2,
    /// Length of the way up to here, m.
    cost: f64,
    height: f32,
    /// The root before, or [`NONE`] for the start.
    parent: u32,
    /// What the best cost is kept by; [`NONE`] for the start.
    key: u32,
    /// The link that leads here, or [`NONE`].
    link: u32,
}

/// A cone from a root through an edge.
#[derive(Clone, Copy, Debug)]
struct Cone {
    /// Directions of its right and left rim.
    right: DVec2,
    left: DVec2,
    /// The edge, as one of the polygon to go into.
    edge: u32,
    /// The root; the two top bits tell whether the rims go exactly through the ends of the edge.
    root: u32,
}

const RIGHT_END: u32 = 1 << 31;
const LEFT_END: u32 = 1 << 30;
const ROOT: u32 = LEFT_END - 1;

/// The best way to the goal so far.
#[derive(Clone, Copy, Debug)]
struct Best {
    cost: f64,
    root: u32,
}

/// The memory of shortest-way searches: keep one, use it for any mesh; may be dropped at any time.
#[derive(Clone, Debug, Default)]
pub struct AnyAngleSearch {
    open: OpenList,
    cones: Vec<Cone>,
    roots: Vec<Root>,
    /// What the polygon being looked at leads to.
    found: Vec<Cone>,
    /// By corner and then by link: round, and the best root there.
    bests: Vec<(u32, u32)>,
    /// By polygon: whether it leads out of a dead end to the goal, or holds the goal, in this round.
    marks: Vec<u32>,
    /// By polygon: the number of the last look from a point in or on it.
    begun: Vec<u32>,
    begin_count: u32,
    /// Far ends of links still to look from: polygon and root.
    pending: Vec<(u32, u32)>,
    round: u32,
    stack: Vec<u32>,
    path: Vec<Vec3>,
    hops: Vec<(u32, LinkId)>,
    flood: Flood,
    goals: many::Goals,
    expanded: u32,
}

/// What a search is about.
struct Task<'a> {
    mesh: &'a Mesh,
    costs: &'a AreaCosts,
    goal: DVec2,
    best: Best,
    /// Costs that differ by less are equal.
    slack: f64,
    /// Whether there are many goals: those of the search. Then `best` is the farthest of them.
    is_many: bool,
}

enum Stop {
    Done,
    Exhausted,
    OutOfBudget,
}

impl AnyAngleSearch {
    /// The shortest way between two points, put onto the mesh first.
    pub fn find(&mut self, mesh: &Mesh, query: &MeshQuery<'_>) -> PathAnswer<'_, Vec3> {
        match ends(mesh, query) {
            Ok([from, to]) => self.find_between(mesh, from, to, query.costs, query.expansions_max),
            Err(ending) => PathAnswer::refused(ending),
        }
    }

    /// The shortest way between two places.
    pub fn find_between(
        &mut self,
        mesh: &Mesh,
        from: MeshPoint,
        to: MeshPoint,
        costs: &AreaCosts,
        expansions_max: u32,
    ) -> PathAnswer<'_, Vec3> {
        self.path.clear();
        self.hops.clear();
        self.expanded = 0;
        if let Err(ending) = check(mesh, costs, [from, to]) {
            return PathAnswer::refused(ending);
        }
        let (mut goal, mut ending) = (to, Ending::Found);
        if mesh.components[from.polygon as usize] != mesh.components[to.polygon as usize] {
            goal = nearest_in_component(mesh, from, to.point);
            ending = Ending::NoPath;
        }
        let (mut stop, mut best) = self.run(mesh, costs, [from, goal], expansions_max);
        if matches!(stop, Stop::Exhausted) {
            goal = self.flood.nearest(mesh, from, to.point, costs);
            ending = Ending::NoPath;
            let left = expansions_max.saturating_sub(self.expanded);
            (stop, best) = self.run(mesh, costs, [from, goal], left);
        }
        let cost = match stop {
            Stop::Done => {
                self.trace(best.root, goal.point);
                best.cost
            }
            Stop::OutOfBudget => {
                ending = Ending::OutOfBudget;
                self.trace_promising(mesh, from, goal)
            }
            Stop::Exhausted => {
                self.path.push(from.point);
                0.0
            }
        };
        PathAnswer { ending, path: &self.path, cost, expanded: self.expanded }
    }

    /// The points of the last path, as its answer had them.
    pub fn path(&self) -> &[Vec3] {
        &self.path
    }

    /// The links of the last path: each with the number of the path point from which it leads to the next one.
    pub fn links(&self) -> &[(u32, LinkId)] {
        &self.hops
    }

    fn reset(&mut self, mesh: &Mesh) {
        self.open.clear();
        self.cones.clear();
        self.roots.clear();
        self.round += 1;
        let corners = mesh.turn_count as usize + mesh.hops.len();
        if self.round >= 1 << 30 {
            self.round = 1;
            (self.bests, self.marks) = Default::default();
            self.goals.forget();
        }
        self.bests.resize(corners, (0, 0));
        self.marks.resize(mesh.faces.len(), 0);
        self.begun.resize(mesh.faces.len(), 0);
    }

    fn run(&mut self, mesh: &Mesh, costs: &AreaCosts, [from, to]: [MeshPoint; 2], budget: u32) -> (Stop, Best) {
        self.reset(mesh);
        let before = self.expanded;
        let (start, goal) = (ground(from.point), ground(to.point));
        let best = Best { cost: f64::INFINITY, root: NONE };
        let slack = mesh.tolerance.sqrt() * 1e-5;
        let mut task = Task { mesh, costs, goal, best, slack, is_many: false };
        self.mark_goal(mesh, to);
        let parent = NONE;
        self.roots.push(Root { at: start, cost: 0.0, height: from.point.y, parent, key: NONE, link: NONE });
        if budget == 0 {
            return (Stop::OutOfBudget, best);
        }
        self.found.clear();
        self.pending.clear();
        self.pending.push((from.polygon, 0));
        self.begin_pending(&mut task);
        self.push_found(&task);
        while let Some((estimate, number)) = self.open.first() {
            if estimate >= task.best.cost - 1e-3 * task.slack {
                break;
            }
            if self.expanded - before >= budget {
                return (Stop::OutOfBudget, best);
            }
            self.open.pop();
            let cone = self.cones[number as usize];
            if !self.is_stale(&task, cone.root & ROOT) {
                self.expand(&mut task, cone, before.saturating_add(budget));
            }
        }
        (if task.best.root == NONE { Stop::Exhausted } else { Stop::Done }, task.best)
    }

    /// Marks the polygons that hold the goal, and the way from there out of a part with one exit.
    fn mark_goal(&mut self, mesh: &Mesh, to: MeshPoint) {
        let (way, goal) = (self.round * 2, self.round * 2 + 1);
        self.stack.clear();
        self.stack.push(to.polygon);
        self.marks[to.polygon as usize] = goal;
        let at = ground(to.point);
        while let Some(polygon) = self.stack.pop() {
            for edge in mesh.run(polygon) {
                let twin = mesh.edges[edge].twin;
                if twin != NONE && is_on(mesh, edge as u32, at) {
                    let other = mesh.owners[twin as usize];
                    if self.marks[other as usize] != goal {
                        self.marks[other as usize] = goal;
                        self.stack.push(other);
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

    /// Whether a better way to the root is known by now.
    #[inline]
    fn is_stale(&self, task: &Task<'_>, root: u32) -> bool {
        let Root { cost, key, .. } = self.roots[root as usize];
        if key == NONE {
            return false;
        }
        let (_, best) = self.bests[key as usize];
        cost > self.roots[best as usize].cost + task.slack
    }

    /// The root at a corner (or link), if no better way there is known.
    #[inline]
    fn root(&mut self, task: &Task<'_>, new: Root) -> Option<u32> {
        let (round, old) = self.bests[new.key as usize];
        if round == self.round && new.cost > self.roots[old as usize].cost - task.slack {
            return (new.cost <= self.roots[old as usize].cost + task.slack).then_some(old);
        }
        let number = self.roots.len() as u32;
        self.roots.push(new);
        self.bests[new.key as usize] = (self.round, number);
        Some(number)
    }

    /// Looks from the start, or from the far ends of links.
    fn begin_pending(&mut self, task: &mut Task<'_>) {
        while let Some((polygon, root)) = self.pending.pop() {
            self.begin(task, polygon, root);
        }
    }

    /// Looks from a root at all polygons its point is in or on.
    fn begin(&mut self, task: &mut Task<'_>, polygon: u32, root: u32) {
        let (mesh, at) = (task.mesh, self.roots[root as usize].at);
        self.begin_count = self.begin_count.wrapping_add(1);
        if self.begin_count == 0 {
            self.begun.fill(0);
            self.begin_count = 1;
        }
        self.stack.clear();
        self.stack.push(polygon);
        self.begun[polygon as usize] = self.begin_count;
        while let Some(polygon) = self.stack.pop() {
            self.arrive(task, polygon, root);
            for edge in mesh.run(polygon) {
                let edge = edge as u32;
                if !is_on(mesh, edge, at) {
                    let (a, b) = (mesh.edges[edge as usize].at(), mesh.edges[mesh.next(edge) as usize].at());
                    self.see(task, edge, a - at, b - at, root | RIGHT_END | LEFT_END);
                } else if self.is_passage(task, edge) {
                    let other = mesh.owners[mesh.edges[edge as usize].twin as usize];
                    if self.begun[other as usize] != self.begin_count {
                        self.begun[other as usize] = self.begin_count;
                        self.stack.push(other);
                    }
                }
            }
        }
    }

    /// Whether one can cross an edge, and there is a reason to.
    #[inline]
    fn is_passage(&self, task: &Task<'_>, edge: u32) -> bool {
        let edge = task.mesh.edges[edge as usize];
        if edge.twin == NONE {
            return false;
        }
        if edge.is_dead_end() && self.marks[task.mesh.owners[edge.twin as usize] as usize] < self.round * 2 {
            return false;
        }
        let passable = |polygon: u32| task.costs.is_passable(task.mesh.faces[polygon as usize].area);
        !task.costs.has_walls() || passable(task.mesh.owners[edge.twin as usize])
    }

    /// Notes the cone through an edge.
    #[inline]
    fn see(&mut self, task: &Task<'_>, edge: u32, right: DVec2, left: DVec2, root: u32) {
        if self.is_passage(task, edge) {
            let edge = task.mesh.edges[edge as usize].twin;
            self.found.push(Cone { right, left, edge, root });
        }
    }

    /// The root sees all of a polygon: perhaps the goal is in it, or links.
    fn arrive(&mut self, task: &mut Task<'_>, polygon: u32, root: u32) {
        if self.marks[polygon as usize] == self.round * 2 + 1 {
            if task.is_many {
                self.arrive_many(polygon, root);
            } else {
                let Root { at, cost, .. } = self.roots[root as usize];
                let cost = cost + (task.goal - at).length();
                if cost < task.best.cost {
                    task.best = Best { cost, root };
                }
            }
        }
        if task.mesh.faces[polygon as usize].has_link {
            for (number, hop) in task.mesh.hops_from(polygon) {
                let length = (ground(hop.from.point) - self.roots[root as usize].at).length();
                self.hop(task, number, root, length);
            }
        }
    }

    /// Takes a link whose near end the root sees.
    fn hop(&mut self, task: &mut Task<'_>, number: u32, root: u32, length: f64) {
        let hop = task.mesh.hops[number as usize];
        if !task.costs.is_passable(task.mesh.area(hop.to.polygon)) {
            return;
        }
        let cost = self.roots[root as usize].cost + length;
        let near = self.roots.len() as u32;
        let new = |place: MeshPoint, cost, parent, key, link| {
            let (at, height) = (ground(place.point), place.point.y);
            Root { at, cost, height, parent, key, link }
        };
        let key = task.mesh.turn_count + number;
        let (round, old) = self.bests[key as usize];
        if round == self.round && cost + hop.cost_m >= self.roots[old as usize].cost - task.slack {
            return;
        }
        self.roots.push(new(hop.from, cost, root, NONE, NONE));
        let far = new(hop.to, cost + hop.cost_m, near, key, hop.link.0);
        if let Some(far) = self.root(task, far) {
            self.pending.push((hop.to.polygon, far));
        }
    }

    /// Opens what was found.
    #[inline]
    fn push_found(&mut self, task: &Task<'_>) {
        for number in 0..self.found.len() {
            let cone = self.found[number];
            let estimate = if task.is_many { self.nearest(task, &cone) } else { self.estimate(task, &cone) };
            if estimate < task.best.cost {
                self.open.push(estimate, self.cones.len() as u32);
                self.cones.push(cone);
            }
        }
    }

    /// The least length of a way from the start through the cone's part of its edge to the goal.
    #[inline]
    fn estimate(&self, task: &Task<'_>, cone: &Cone) -> f64 {
        let root = &self.roots[(cone.root & ROOT) as usize];
        let entry = task.mesh.edges[cone.edge as usize];
        let left_end = entry.at() - root.at;
        let right_end = task.mesh.edges[entry.twin as usize].at() - root.at;
        let along = left_end - right_end;
        let mut goal = task.goal - root.at;
        let side = along.perp_dot(goal - right_end);
        if side > 0.0 {
            // On the root's side of the edge: mirrored.
            let normal = DVec2::new(along.y, -along.x);
            goal += normal * (2.0 * side / along.length_squared());
        }
        let via = |end: DVec2, rim: DVec2, is_end: bool| {
            let point = if is_end {
                end
            } else {
                let spread = rim.perp_dot(along);
                if spread == 0.0 { end } else { rim * (right_end.perp_dot(along) / spread) }
            };
            point.length() + (goal - point).length()
        };
        let rest = if cone.right.perp_dot(goal) < 0.0 {
            via(right_end, cone.right, cone.root & RIGHT_END != 0)
        } else if cone.left.perp_dot(goal) > 0.0 {
            via(left_end, cone.left, cone.root & LEFT_END != 0)
        } else {
            goal.length()
        };
        root.cost + rest * task.mesh.thrift
    }

    /// Follows a cone until it parts.
    fn expand(&mut self, task: &mut Task<'_>, cone: Cone, budget: u32) {
        let mut cone = cone;
        loop {
            self.expanded += 1;
            self.found.clear();
            self.look(task, &cone);
            self.begin_pending(task);
            match self.found.as_slice() {
                // One way on: no need to queue for it.
                [only] if self.expanded < budget && !self.is_stale(task, only.root & ROOT) => cone = *only,
                _ => return self.push_found(task),
            }
        }
    }
}

/// Whether a ground point of its polygon lies on an edge (or beyond it, by rounding).
fn is_on(mesh: &Mesh, edge: u32, at: DVec2) -> bool {
    let (a, b) = (mesh.edges[edge as usize].at(), mesh.edges[mesh.next(edge) as usize].at());
    let (along, way) = (b - a, at - a);
    let reach = way.dot(along);
    let limit = mesh.tolerance;
    along.perp_dot(way) <= limit && reach >= -limit && reach <= along.length_squared() + limit
}
