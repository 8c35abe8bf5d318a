//! Tactical ways on a mesh.
//!
//! First the shortest way ([`AnyAngleSearch`]): it tells whether there is a way at all, and if it costs no more than the
//! straight bound it is the answer, so with no watcher and no other layer the cost is plain distance, exactly. Else the
//! [`LabelSearch`] on the points of a [`Spread`], and then the way is pulled taut: a point is left out as long as the way
//! without it stays on the mesh and costs no more. Of that way and the shortest one the cheaper is the answer; the shortest
//! one is kept as what was refused (see [`why`](super::why)).
//!
//! The budget counts expansions of both searches. When the second one runs out, the answer is the shortest way, with the
//! ending that says so. No allocation when warm.

use sentir_core::glam::Vec3;

use super::exposure::Spans;
use super::label::{LabelConfig, LabelSearch};
use super::layer::{LayerCosts, Segment, Tactic, Walk, ground};
use super::spread::{Spread, SpreadGraph};
use super::why::{PathCost, PathWhy};
use crate::answer::{Ending, Fault, PathAnswer};
use crate::mesh::{AnyAngleSearch, AreaCosts, AreaId, Crossing, Mesh, MeshPoint};

/// Rounds of leaving points out at most.
const PULLS_MAX: u32 = 8;
/// How far past a corner a leg is put onto the mesh, m.
const NUDGE_M: f32 = 1e-3;

/// A request for a tactical way.
#[derive(Clone, Copy)]
pub struct TacticQuery<'a> {
    /// Where it begins, m.
    pub from: Vec3,
    /// Where it should lead, m.
    pub to: Vec3,
    /// How far off the mesh both may be: half of the sides of a box, m.
    pub extent: Vec3,
    /// Which kinds of ground may be entered; factors count by the layer [`Terrain`](super::Terrain) only.
    pub costs: &'a AreaCosts,
    /// What counts.
    pub tactic: Tactic<'a>,
    /// Bounds of the work.
    pub bounds: LabelConfig,
}

impl TacticQuery<'static> {
    /// From here to there with no layer but length, both within 1 m of the mesh (2 m in height).
    pub fn new(from: Vec3, to: Vec3) -> Self {
        let (extent, bounds) = (Vec3::new(1.0, 2.0, 1.0), LabelConfig::default());
        TacticQuery { from, to, extent, costs: &AreaCosts::PLAIN, tactic: Tactic::default(), bounds }
    }
}

/// How a stretch between two points of a way is gone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Leg {
    /// On one kind of ground.
    On(AreaId),
    /// Straight over the mesh, whatever ground there is.
    Straight,
    /// By a link of this cost, m.
    Link(f64),
}

/// A leg with its ends, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stretch {
    pub(super) from: Vec3,
    pub(super) to: Vec3,
    pub(super) leg: Leg,
}

/// Memory of whoever goes over legs.
#[derive(Clone, Debug, Default)]
pub(super) struct LegScratch {
    pub(super) spans: Spans,
    pub(super) crossings: Vec<Crossing>,
}

/// A mesh, and which kinds of ground on it may be entered.
#[derive(Clone, Copy)]
pub(super) struct OpenGround<'a> {
    pub(super) mesh: &'a Mesh,
    pub(super) costs: &'a AreaCosts,
}

/// A way while it is worked on: points, the legs between them, and how it stands at each point.
#[derive(Clone, Debug, Default)]
pub(super) struct Way {
    points: Vec<Vec3>,
    legs: Vec<Leg>,
    walks: Vec<Walk>,
}

impl Way {
    pub(super) fn clear(&mut self) {
        self.points.clear();
        self.legs.clear();
        self.walks.clear();
    }

    /// Goes on to a point by an edge of a graph; points of different edges may lie in one place.
    pub(super) fn push(&mut self, point: Vec3, segment: &Segment) {
        if self.points.last() != Some(&point) || segment.link_cost_m.is_some() {
            self.points.push(point);
            self.legs.push(segment.link_cost_m.map_or(Leg::On(segment.area), Leg::Link));
        }
    }

    /// Begins at a point.
    pub(super) fn begin(&mut self, point: Vec3) {
        self.clear();
        self.points.push(point);
    }

    /// Prices the way, and leaves points out as long as it is no dearer without them.
    pub(super) fn pull_taut(&mut self, mesh: &Mesh, query: &TacticQuery<'_>, scratch: &mut LegScratch) {
        price(mesh, query, self, scratch);
        for _ in 0..PULLS_MAX {
            if !pull(mesh, query, self, scratch) {
                break;
            }
        }
    }

    pub(super) fn cost(&self) -> f64 {
        self.walks.last().map_or(0.0, |walk| walk.cost)
    }

    /// The stretch from the point of a number to the next.
    fn stretch(&self, number: usize) -> Stretch {
        Stretch { from: self.points[number], to: self.points[number + 1], leg: self.legs[number] }
    }
}

/// The memory of tactical searches: keep one, use it for any mesh; may be dropped at any time.
#[derive(Clone, Debug, Default)]
pub struct TacticSearch {
    plain: AnyAngleSearch,
    labels: LabelSearch,
    shortest: Way,
    found: Way,
    scratch: LegScratch,
    is_shortest: bool,
    is_exact: bool,
}

impl TacticSearch {
    /// The cheapest way it knows between two points, put onto the mesh first. `spread` is that of this mesh; with another
    /// one the answer is the shortest way.
    pub fn find(&mut self, mesh: &Mesh, spread: &Spread, query: &TacticQuery<'_>) -> PathAnswer<'_, Vec3> {
        self.shortest.clear();
        self.found.clear();
        (self.is_shortest, self.is_exact) = (true, true);
        let ends = match ends(mesh, query) {
            Ok(ends) => ends,
            Err(ending) => return PathAnswer::refused(ending),
        };
        let budget = query.bounds.expansions_max;
        let plain = self.plain.find_between(mesh, ends[0], ends[1], query.costs, budget);
        let (mut ending, mut expanded) = (plain.ending, plain.expanded);
        let Some(&last) = plain.path.last() else { return PathAnswer::refused(ending) };
        self.shortest.points.extend_from_slice(plain.path);
        self.shortest.legs.resize(plain.path.len() - 1, Leg::Straight);
        for &(number, link) in self.plain.links() {
            self.shortest.legs[number as usize] = Leg::Link(f64::from(mesh.links()[link.0 as usize].cost_m));
        }
        price(mesh, query, &mut self.shortest, &mut self.scratch);
        let goal = if ending == Ending::Found { Some(ends[1]) } else { mesh.nearest(last, Vec3::new(0.01, 0.5, 0.01)) };
        if let Some(goal) = goal.filter(|_| ending != Ending::OutOfBudget) {
            let graph = SpreadGraph { spread, mesh, costs: query.costs, ends: [ends[0], goal] };
            let bound = query.tactic.floor_per_m() * plain_cost(&self.shortest);
            if self.shortest.cost() > bound * (1.0 + 1e-9) + 1e-9 && spread.fits(mesh) {
                let bounds = LabelConfig { expansions_max: budget.saturating_sub(expanded), ..query.bounds };
                let answer = self.labels.find(&graph, [graph.start(), graph.goal()], &query.tactic, &bounds);
                expanded += answer.expanded;
                match answer.ending {
                    Ending::Found => self.settle(mesh, query),
                    Ending::OutOfBudget => (ending, self.is_exact) = (Ending::OutOfBudget, false),
                    _ => {}
                }
            }
        }
        let way = if self.is_shortest { &self.shortest } else { &self.found };
        PathAnswer { ending, path: &way.points, cost: way.cost(), expanded }
    }

    /// Takes over the way of the labels, pulled taut, if it is cheaper than the shortest one.
    fn settle(&mut self, mesh: &Mesh, query: &TacticQuery<'_>) {
        self.is_exact = self.labels.is_exact();
        let nodes = self.labels.path();
        if let Some(&first) = nodes.first() {
            self.found.begin(first);
        }
        for (segment, &point) in self.labels.segments().iter().zip(&nodes[1..]) {
            self.found.push(point, segment);
        }
        self.found.pull_taut(mesh, query, &mut self.scratch);
        self.is_shortest = self.shortest.cost() <= self.found.cost();
    }

    /// Whether the last answer is the shortest way: nothing was gained by another one.
    pub fn is_shortest(&self) -> bool {
        self.is_shortest
    }

    /// Whether the bounds of the search took nothing away in the last answer; see [`LabelSearch::is_exact`].
    pub fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// What the last answer costs by layer, and the shortest way beside it. Mesh and query are those of the answer.
    pub fn why(&mut self, mesh: &Mesh, query: &TacticQuery<'_>, why: &mut PathWhy) {
        self.shortest.explain(mesh, query, &mut self.scratch, &mut why.shortest);
        let way = if self.is_shortest { &self.shortest } else { &self.found };
        way.explain(mesh, query, &mut self.scratch, &mut why.taken);
    }
}

/// What a way is long, links at their cost, m.
fn plain_cost(way: &Way) -> f64 {
    let legs = way.points.windows(2).zip(&way.legs);
    legs.map(|(pair, leg)| match leg {
        Leg::Link(cost) => *cost,
        _ => (ground(pair[1]) - ground(pair[0])).length(),
    })
    .sum()
}

/// What a way by these points would cost by layer, wherever it comes from; straight from point to point.
pub fn path_cost(mesh: &Mesh, query: &TacticQuery<'_>, points: &[Vec3], into: &mut PathCost) {
    let legs = vec![Leg::Straight; points.len().saturating_sub(1)];
    let way = Way { points: points.to_vec(), legs, walks: Vec::new() };
    way.explain(mesh, query, &mut LegScratch::default(), into);
}

fn ends(mesh: &Mesh, query: &TacticQuery<'_>) -> Result<[MeshPoint; 2], Ending> {
    let place = |point: Vec3| {
        let found = mesh.nearest(point, query.extent);
        found.ok_or(if point.is_finite() { Fault::Outside } else { Fault::NotFinite })
    };
    Ok([place(query.from).map_err(Ending::BadStart)?, place(query.to).map_err(Ending::BadGoal)?])
}

impl OpenGround<'_> {
    /// Calls `visit` with the pieces of a leg, by kind of ground. False if a straight leg leaves the mesh.
    pub(super) fn visit_leg(
        self,
        stretch: Stretch,
        crossings: &mut Vec<Crossing>,
        mut visit: impl FnMut(&Segment),
    ) -> bool {
        let (OpenGround { mesh, costs }, Stretch { from, to, leg }) = (self, stretch);
        let whole = Segment::new(from, to, AreaId(0));
        let length = whole.length_m();
        match leg {
            Leg::On(area) => visit(&Segment { area, ..whole }),
            Leg::Link(cost) => visit(&Segment { link_cost_m: Some(cost), ..whole }),
            Leg::Straight if length > 0.0 => {
                // At a corner many polygons meet: a hair past it there is the one the leg goes through.
                let nudge = f64::from(NUDGE_M) / length;
                let nudge = if nudge < 0.5 { nudge } else { 0.5 };
                let start = from + (to - from) * nudge as f32;
                let Some(place) = mesh.nearest(start, Vec3::new(2.0 * NUDGE_M, 1.0, 2.0 * NUDGE_M)) else {
                    visit(&whole);
                    return false;
                };
                let free = mesh.crossings(place, to, costs, crossings);
                let way = whole.to - whole.from;
                let at = |number: usize| match crossings.get(number) {
                    Some(_) if number == 0 => 0.0,
                    Some(it) => nudge + (1.0 - nudge) * it.share,
                    None => 1.0,
                };
                let mut number = 0;
                while number < crossings.len() {
                    let (first, area) = (number, mesh.area(crossings[number].polygon));
                    while crossings.get(number).is_some_and(|it| mesh.area(it.polygon) == area) {
                        number += 1;
                    }
                    let (from, to) = (whole.from + way * at(first), whole.from + way * at(number));
                    visit(&Segment { from, to, area, ..whole });
                }
                return (1.0 - free) * length <= f64::from(2.0 * NUDGE_M);
            }
            Leg::Straight => {}
        }
        true
    }
}

impl TacticQuery<'_> {
    /// Goes over a stretch of the mesh: how one stands after it, and whether it stays on the mesh.
    fn advance(&self, mesh: &Mesh, walk: Walk, stretch: Stretch, scratch: &mut LegScratch) -> (Walk, bool) {
        let LegScratch { spans, crossings } = scratch;
        let mut after = walk;
        let is_on = OpenGround { mesh, costs: self.costs }.visit_leg(stretch, crossings, |segment| {
            after = self.tactic.advance(after, segment, spans);
        });
        (after, is_on)
    }
}

/// Sums up a way from its start.
fn price(mesh: &Mesh, query: &TacticQuery<'_>, way: &mut Way, scratch: &mut LegScratch) {
    way.walks.clear();
    let mut walk = Walk::default();
    way.walks.push(walk);
    for number in 0..way.legs.len() {
        walk = query.advance(mesh, walk, way.stretch(number), scratch).0;
        way.walks.push(walk);
    }
}

/// Leaves out points without which the way is no dearer; whether any was.
fn pull(mesh: &Mesh, query: &TacticQuery<'_>, way: &mut Way, scratch: &mut LegScratch) -> bool {
    let (mut at, mut is_changed) = (1, false);
    while at + 1 < way.points.len() {
        let is_link = |leg: Leg| matches!(leg, Leg::Link(_));
        if is_link(way.legs[at - 1]) || is_link(way.legs[at]) || !way.is_cheaper_without(at, mesh, query, scratch) {
            at += 1;
            continue;
        }
        way.points.remove(at);
        way.legs.remove(at);
        way.legs[at - 1] = Leg::Straight;
        // The walks past it have changed.
        way.walks.truncate(at);
        let mut walk = way.walks[at - 1];
        for number in at - 1..way.legs.len() {
            walk = query.advance(mesh, walk, way.stretch(number), scratch).0;
            way.walks.push(walk);
        }
        is_changed = true;
    }
    is_changed
}

impl Way {
    /// Whether the way without one of its points is on the mesh and costs no more.
    fn is_cheaper_without(&self, point: usize, mesh: &Mesh, query: &TacticQuery<'_>, scratch: &mut LegScratch) -> bool {
        let over = Stretch { from: self.points[point - 1], to: self.points[point + 1], leg: Leg::Straight };
        let (mut walk, is_on) = query.advance(mesh, self.walks[point - 1], over, scratch);
        if !is_on {
            return false;
        }
        for number in point + 1..self.points.len() {
            let old = self.walks[number];
            // From here on both cost the same.
            if walk.run_m == old.run_m || number + 1 == self.points.len() {
                return walk.cost <= old.cost;
            }
            walk = query.advance(mesh, walk, self.stretch(number), scratch).0;
        }
        false
    }

    /// Writes down what the way costs by layer.
    fn explain(&self, mesh: &Mesh, query: &TacticQuery<'_>, scratch: &mut LegScratch, into: &mut PathCost) {
        let LegScratch { spans, crossings } = scratch;
        into.clear();
        into.points.extend_from_slice(&self.points);
        let mut walk = Walk::default();
        for number in 0..self.legs.len() {
            let mut sum = LayerCosts::default();
            let (mut seen_m, mut length_m) = (0.0, 0.0);
            OpenGround { mesh, costs: query.costs }.visit_leg(self.stretch(number), crossings, |segment| {
                let mut costs = LayerCosts::default();
                walk = query.tactic.advance_by_layer(walk, segment, spans, &mut costs);
                sum.add(&costs);
                length_m += segment.length_m();
                if query.tactic.exposure.is_some() {
                    seen_m += spans.as_slice().iter().map(|span| span[1] - span[0]).sum::<f64>();
                }
            });
            into.push(sum, length_m, seen_m);
        }
    }
}
