//! What it costs to go from one place to many: one search serves all of them.
//!
//! First the shortest ways, by one interval search without a goal (`mesh::any_angle::many`): without layers and watchers
//! that is the answer, and it is exact. Else these ways are priced along their true legs, each turn once. A goal whose
//! shortest way costs no more than the straight bound is done; for the others a [`LabelSearch`] without a goal goes over the
//! points of a [`Spread`], and its ways are pulled taut. Where a meter in sight costs the same however long the run is
//! (exponent 1), all of them at once as the tree they are, from the start on: a point is reached straight from the turn
//! before last as long as that is open and costs no more. Where runs count, each one on its own, as what is dear up to a
//! point may be cheap in the end. Of both ways the cheaper one counts, as in [`TacticSearch`](super::TacticSearch); with the
//! tree the order of pulling differs, and costs by a few percent, for one goal in a hundred; a tenth was seen. A spread of
//! wider points is as much cheaper as it has fewer of them, and seldom worse (tested).
//!
//! O((cones + goals) log cones) for lengths; with layers O(labels · points a polygon) on top, each with a clipping. No
//! allocation when warm.

use sentir_core::glam::Vec3;

use super::graph::Graph;
use super::label::{Aim, FloodTask, LabelConfig, LabelSearch};
use super::layer::{Segment, Tactic, Walk, ground};
use super::search::{Leg, LegScratch, OpenGround, Stretch, TacticQuery, Way};
use super::spread::{Spread, SpreadGraph};
use crate::mesh::{AnyAngleSearch, AreaCosts, AreaId, Mesh, MeshPoint};

/// Height by which a straight line may end off the point it was meant for, m: beyond is another floor.
const FLOOR_M: f32 = 0.5;
/// What a straight line may miss of its end, m.
const ROUNDING_M: f64 = 1e-3;
/// What a way over the points of a spread may cost before it is pulled taut, in times of the shortest way.
const LOOSE: f64 = 1.25;

/// A question about many goals.
#[derive(Clone, Copy)]
pub struct FloodQuery<'a> {
    /// Where all ways begin.
    pub from: MeshPoint,
    /// Which kinds of ground may be entered.
    pub costs: &'a AreaCosts,
    /// What counts beside length.
    pub tactic: Tactic<'a>,
    /// Bounds of the work.
    pub bounds: LabelConfig,
    /// What costs this much or more need not be known better, m of plain way; infinity for who wants to know. Where the
    /// shortest way costs more, what is told may be more than the best way costs, but is never less than this.
    pub cost_max: f64,
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FloodAnswer<'a> {
    /// What each goal costs, in their order, in meters of plain way; infinity where there is no way, or none within the budget.
    pub costs: &'a [f64],
    /// Cones and labels taken from the open lists: the work a budget counts.
    pub expanded: u32,
    /// Whether the budget was enough: what is infinite then cannot be reached, and nothing is cheaper by a way not looked at.
    pub is_whole: bool,
}

/// How a label is reached when its way is pulled taut.
#[derive(Clone, Copy, Debug)]
struct Taut {
    walk: Walk,
    /// The label before; itself for the start.
    before: u32,
    /// Whether a link leads here.
    is_hop: bool,
}

/// The memory of such searches: keep one, use it for any mesh; may be dropped at any time.
#[derive(Clone, Debug, Default)]
pub struct Flood {
    plain: AnyAngleSearch,
    /// By turn of the shortest ways: how one stands there.
    turns: Vec<Option<Walk>>,
    /// Goals that the labels are for, by polygon: polygon and number of the goal.
    goals: Vec<(u32, u32)>,
    costs: Vec<f64>,
    aims: Vec<Aim>,
    labels: LabelSearch,
    /// The label of each goal.
    found: Vec<Option<u32>>,
    tauts: Vec<Option<Taut>>,
    /// Turns or labels still to be looked at, the first one last.
    chain: Vec<u32>,
    way: Way,
    scratch: LegScratch,
}

impl Flood {
    /// What it costs to go from one place to each of many. `spread` is that of this mesh; with another one nothing is reached.
    /// So it is from a place that is not on the mesh, and to one.
    pub fn fill(&mut self, mesh: &Mesh, spread: &Spread, to: &[MeshPoint], query: &FloodQuery<'_>) -> FloodAnswer<'_> {
        self.costs.clear();
        self.costs.resize(to.len(), f64::INFINITY);
        let is_sound = query.from.polygon < mesh.polygon_count() && query.from.point.is_finite();
        if !spread.fits(mesh) || !is_sound {
            return FloodAnswer { costs: &self.costs, expanded: 0, is_whole: true };
        }
        let budget = query.bounds.expansions_max;
        let mut is_whole = self.plain.find_many(mesh, query.from, to, query.costs, budget);
        let mut expanded = self.plain.expanded();
        if query.tactic.layers.is_empty() && query.tactic.exposure.is_none() {
            for (number, cost) in (0..).zip(&mut self.costs) {
                *cost = self.plain.end(number).map_or(f64::INFINITY, |end| end.0);
            }
        } else {
            let many = Many { spread, mesh, to, query };
            let dearest = self.price_shortest(&many);
            let cost_max = if dearest < query.cost_max { dearest } else { query.cost_max };
            if !self.goals.is_empty() {
                let bounds = LabelConfig { expansions_max: budget.saturating_sub(expanded), ..query.bounds };
                let (more, is_enough) = self.fill_tactic(&many, &bounds, cost_max * LOOSE);
                expanded += more;
                is_whole &= is_enough;
            }
        }
        FloodAnswer { costs: &self.costs, expanded, is_whole }
    }

    /// Prices the shortest ways, and lists the goals for which another one may be cheaper; the greatest cost of these.
    fn price_shortest(&mut self, many: &Many<'_>) -> f64 {
        self.turns.clear();
        self.turns.resize(self.plain.turn_count(), None);
        self.goals.clear();
        let floor = many.query.tactic.floor_per_m();
        let mut cost_max = 0.0;
        for (number, place) in (0u32..).zip(many.to) {
            let Some((length, turn)) = self.plain.end(number) else { continue };
            let before = self.walk_to(many, turn);
            let from = self.plain.turn(turn).point;
            let cost = self.advance(many, before, from, place.point).cost;
            self.costs[number as usize] = cost;
            if cost > floor * length * (1.0 + 1e-9) + 1e-9 && floor * length < many.query.cost_max {
                self.goals.push((place.polygon, number));
                cost_max = if cost > cost_max { cost } else { cost_max };
            }
        }
        self.goals.sort_unstable();
        cost_max
    }

    /// How one stands at a turn of the shortest ways.
    fn walk_to(&mut self, many: &Many<'_>, turn: u32) -> Walk {
        self.chain.clear();
        let mut next = Some(turn);
        let mut walk = Walk::default();
        while let Some(number) = next {
            if let Some(known) = self.turns[number as usize] {
                walk = known;
                break;
            }
            self.chain.push(number);
            next = self.plain.turn(number).before;
        }
        while let Some(number) = self.chain.pop() {
            let turn = self.plain.turn(number);
            if let Some(before) = turn.before {
                let from = self.plain.turn(before).point;
                walk = match turn.link {
                    Some(link) => {
                        let cost = f64::from(many.mesh.links()[link.0 as usize].cost_m);
                        let segment = Segment::new(from, turn.point, AreaId(0));
                        let segment = Segment { link_cost_m: Some(cost), ..segment };
                        many.query.tactic.advance(walk, &segment, &mut self.scratch.spans)
                    }
                    None => self.advance(many, walk, from, turn.point),
                };
            }
            self.turns[number as usize] = Some(walk);
        }
        walk
    }

    /// Goes straight on over ground that is known to be open.
    fn advance(&mut self, many: &Many<'_>, walk: Walk, from: Vec3, to: Vec3) -> Walk {
        let Many { mesh, query, .. } = *many;
        let LegScratch { spans, crossings } = &mut self.scratch;
        if query.tactic.layers.is_empty() {
            // Only layers ask what ground it is.
            return query.tactic.advance(walk, &Segment::new(from, to, AreaId(0)), spans);
        }
        let mut after = walk;
        let ground = OpenGround { mesh, costs: query.costs };
        ground.visit_leg(Stretch { from, to, leg: Leg::Straight }, crossings, |segment| {
            after = query.tactic.advance(after, segment, spans);
        });
        after
    }

    /// Looks for cheaper ways to the goals listed; the work done, and whether it was enough.
    fn fill_tactic(&mut self, many: &Many<'_>, bounds: &LabelConfig, cost_max: f64) -> (u32, bool) {
        let inner = many.inner();
        let graph = Listed { many, inner, goals: &self.goals };
        let (from, first_goal) = (inner.start(), inner.goal() + 1);
        self.aims.clear();
        for &(_, goal) in &self.goals {
            let (at, own) = (ground(many.to[goal as usize].point), self.costs[goal as usize]);
            let most = if own < many.query.cost_max { own } else { many.query.cost_max };
            self.aims.push(Aim { node: first_goal + goal, at, cost_max: most * LOOSE });
        }
        let tactic = &many.query.tactic;
        let per_m = tactic.floor_per_m() * graph.thrift();
        let task = FloodTask { from, first_goal, tactic, bounds: *bounds, cost_max, per_m };
        self.found.clear();
        self.found.resize(many.to.len(), None);
        let done = self.labels.flood(&graph, &task, &mut self.aims, &mut self.found);
        self.tauts.clear();
        self.tauts.resize(self.labels.label_count(), None);
        let runs_count = many.query.tactic.exposure.is_some_and(|exposure| exposure.price.exponent != 1.0);
        for number in 0..self.found.len() {
            // What a goal costs does not depend on what else is asked for: its own way is its bound.
            let is_near = |label: &u32| self.labels.cost(*label) <= self.costs[number] * LOOSE;
            if let Some(label) = self.found[number].filter(is_near) {
                let cost = if runs_count { self.pull_alone(many, label) } else { self.pull(many, label).walk.cost };
                if cost < self.costs[number] {
                    self.costs[number] = cost;
                }
            }
        }
        done
    }

    /// What the way to a label costs, pulled taut on its own.
    fn pull_alone(&mut self, many: &Many<'_>, label: u32) -> f64 {
        self.chain.clear();
        self.chain.push(label);
        let mut next = label;
        while let (_, Some((before, _))) = self.labels.label(next) {
            self.chain.push(before);
            next = before;
        }
        while let Some(number) = self.chain.pop() {
            let (node, edge) = self.labels.label(number);
            let point = many.at(node).0;
            match edge {
                Some((_, segment)) => self.way.push(point, &segment),
                None => self.way.begin(point),
            }
        }
        let FloodQuery { costs, tactic, bounds, .. } = *many.query;
        let end = many.query.from.point;
        let query = TacticQuery { costs, tactic, bounds, ..TacticQuery::new(end, end) };
        self.way.pull_taut(many.mesh, &query, &mut self.scratch);
        self.way.cost()
    }

    /// Pulls the way to a label taut, those before it first.
    fn pull(&mut self, many: &Many<'_>, label: u32) -> Taut {
        self.chain.clear();
        self.chain.push(label);
        let mut taut = Taut { walk: Walk::default(), before: label, is_hop: false };
        let mut next = label;
        while self.tauts[next as usize].is_none()
            && let (_, Some((before, _))) = self.labels.label(next)
        {
            self.chain.push(before);
            next = before;
        }
        while let Some(number) = self.chain.pop() {
            taut = match self.tauts[number as usize] {
                Some(known) => known,
                None => self.pull_one(many, number),
            };
            self.tauts[number as usize] = Some(taut);
        }
        taut
    }

    /// The same for one label; those before it are done.
    fn pull_one(&mut self, many: &Many<'_>, number: u32) -> Taut {
        let start = Taut { walk: Walk::default(), before: number, is_hop: false };
        let (node, Some((before, segment))) = self.labels.label(number) else { return start };
        let Some(mut from) = self.tauts[before as usize] else { return start };
        let is_hop = segment.link_cost_m.is_some();
        let walk = many.query.tactic.advance(from.walk, &segment, &mut self.scratch.spans);
        let (mut best, mut last) = (Taut { walk, before, is_hop }, before);
        while !is_hop && !from.is_hop && from.before != last {
            last = from.before;
            let Some(earlier) = self.tauts[last as usize] else { break };
            let there = self.labels.label(last).0;
            let walk = self.advance(many, earlier.walk, many.at(there).0, many.at(node).0);
            if walk.cost > best.walk.cost || !many.sees(there, node) {
                break;
            }
            best = Taut { walk, before: last, is_hop: false };
            from = earlier;
        }
        best
    }
}

/// A search for many goals on a spread.
#[derive(Clone, Copy)]
struct Many<'a> {
    spread: &'a Spread,
    mesh: &'a Mesh,
    to: &'a [MeshPoint],
    query: &'a FloodQuery<'a>,
}

impl<'a> Many<'a> {
    /// The spread with the start; its one goal is the start again. Goals come after it.
    fn inner(&self) -> SpreadGraph<'a> {
        SpreadGraph { spread: self.spread, mesh: self.mesh, costs: self.query.costs, ends: [self.query.from; 2] }
    }

    /// Where a node is, and the polygons it is on.
    #[inline]
    fn at(&self, node: u32) -> (Vec3, [u32; 2]) {
        let start = self.spread.len() as u32;
        if node < start {
            return self.spread.node(node);
        }
        let goal = node.checked_sub(start + 2);
        let MeshPoint { point, polygon } = goal.map_or(self.query.from, |goal| self.to[goal as usize]);
        (point, [polygon; 2])
    }

    /// Whether one point sees another along the mesh, on the same floor.
    fn sees(&self, from: u32, to: u32) -> bool {
        let ((a, on), (b, beside)) = (self.at(from), self.at(to));
        if on.iter().any(|polygon| beside.contains(polygon)) {
            return true;
        }
        let length = (ground(b) - ground(a)).length();
        let is_free = |polygon: u32, point: Vec3, end: Vec3| {
            let ray = self.mesh.ray(MeshPoint { polygon, point }, end, self.query.costs);
            // A corner is met but for rounding.
            let is_there = |share: f32| f64::from(1.0 - share) * length <= ROUNDING_M;
            ray.is_some_and(|ray| is_there(ray.share) && (ray.place.point.y - end.y).abs() <= FLOOR_M)
        };
        // A point inside of a polygon is the better one to start from; on a border either side may be the right one.
        if beside[0] == beside[1] {
            is_free(beside[0], b, a)
        } else if on[0] == on[1] {
            is_free(on[0], a, b)
        } else {
            beside.into_iter().any(|polygon| is_free(polygon, b, a))
        }
    }
}

/// The graph of such a search: the spread with its start, and those of the goals that are listed.
struct Listed<'a> {
    many: &'a Many<'a>,
    inner: SpreadGraph<'a>,
    goals: &'a [(u32, u32)],
}

impl Graph for Listed<'_> {
    fn node_count(&self) -> u32 {
        self.inner.node_count() + self.many.to.len() as u32
    }

    fn point(&self, node: u32) -> Vec3 {
        self.many.at(node).0
    }

    fn visit_edges(&self, node: u32, visit: &mut dyn FnMut(u32, &Segment)) {
        let first = self.inner.node_count();
        // The one goal of the inner graph is its start again.
        let none = self.inner.goal();
        self.inner.visit_edges(node, &mut |next, segment| {
            if next != none {
                visit(next, segment);
            }
        });
        let here = self.inner.point(node);
        let polygons = self.inner.polygons(node);
        for polygon in polygons.into_iter().take(if polygons[0] == polygons[1] { 1 } else { 2 }) {
            let area = self.inner.mesh.area(polygon);
            if !self.inner.costs.is_passable(area) && polygon != self.inner.ends[0].polygon {
                continue;
            }
            let from = self.goals.partition_point(|goal| goal.0 < polygon);
            for &(_, goal) in self.goals[from..].iter().take_while(|goal| goal.0 == polygon) {
                visit(first + goal, &Segment::new(here, self.many.to[goal as usize].point, area));
            }
        }
    }

    fn thrift(&self) -> f64 {
        self.inner.thrift()
    }
}

#[cfg(test)]
mod tests {
    use super::super::exposure::Spans;
    use super::*;
    use crate::bake::{PlanConfig, PlanShape, plan};
    use crate::tactic::{Exposure, ExposurePrice, Region, RegionSet, SpreadConfig, TacticQuery, TacticSearch};
    use proptest::prelude::*;
    use sentir_core::glam::Vec2;

    fn square(x: f32, y: f32, half: f32) -> Vec<Vec2> {
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .map(|(u, v)| Vec2::new(x + u * half, y + v * half))
            .to_vec()
    }

    /// A hall of 20 m with a table of square pillars, of different breadth each.
    fn hall(pillars: [u8; 9]) -> (Mesh, Spread) {
        let hole = |(number, &half): (usize, &u8)| {
            square((number % 3) as f32 * 6.0 - 6.0, (number / 3) as f32 * 6.0 - 6.0, 0.5 + f32::from(half % 4) * 0.5)
        };
        let shape = PlanShape { border: square(0.0, 0.0, 10.0), holes: pillars.iter().enumerate().map(hole).collect() };
        let mesh = Mesh::from_patch(plan(&[shape], &PlanConfig::default()).unwrap()).unwrap();
        let spread = Spread::build(&mesh, &SpreadConfig::default()).unwrap();
        (mesh, spread)
    }

    fn places(mesh: &Mesh, points: &[(f32, f32)]) -> Vec<MeshPoint> {
        let place = |&(x, y): &(f32, f32)| mesh.nearest(Vec3::new(x, 0.0, -y), Vec3::splat(4.0)).unwrap();
        points.iter().map(place).collect()
    }

    fn plain(from: MeshPoint) -> FloodQuery<'static> {
        let bounds = LabelConfig::default();
        FloodQuery { from, costs: &AreaCosts::PLAIN, tactic: Tactic::default(), bounds, cost_max: f64::INFINITY }
    }

    proptest! {
        #[test]
        fn lengths_to_many_are_those_of_single_searches(
            pillars in any::<[u8; 9]>(),
            points in proptest::collection::vec((-9.0f32..9.0, -9.0f32..9.0), 2..30),
        ) {
            let (mesh, spread) = hall(pillars);
            let places = places(&mesh, &points);
            let (mut flood, mut search) = (Flood::default(), AnyAngleSearch::default());
            let answer = flood.fill(&mesh, &spread, &places[1..], &plain(places[0]));
            prop_assert!(answer.is_whole);
            for (&cost, &to) in answer.costs.iter().zip(&places[1..]) {
                let exact = search.find_between(&mesh, places[0], to, &AreaCosts::PLAIN, 100_000).cost;
                prop_assert!((cost - exact).abs() <= 1e-6 * (1.0 + exact), "{} for {}", cost, exact);
            }
        }

        #[test]
        fn tactical_costs_to_many_are_those_of_single_searches_within_a_few_percent(
            pillars in any::<[u8; 9]>(),
            points in proptest::collection::vec((-9.0f32..9.0, -9.0f32..9.0), 2..8),
            (weight, exponent) in (0.2f64..4.0, 0u8..3),
        ) {
            let (mesh, spread) = hall(pillars);
            let places = places(&mesh, &points);
            let sight = RegionSet::new(&[Region::new(square(2.0, 1.0, 5.0))]).unwrap();
            let price = ExposurePrice::new(weight, 1.0 + f64::from(exponent) * 0.5);
            let tactic = Tactic { layers: &[], exposure: Some(Exposure { sight: &sight, price }) };
            let (mut flood, mut search) = (Flood::default(), TacticSearch::default());
            let answer = flood.fill(&mesh, &spread, &places[1..], &FloodQuery { tactic, ..plain(places[0]) });
            for (&cost, &to) in answer.costs.iter().zip(&places[1..]) {
                let single = TacticQuery { tactic, ..TacticQuery::new(places[0].point, to.point) };
                let found = search.find(&mesh, &spread, &single).cost;
                prop_assert!((cost - found).abs() <= 0.12 * found + 0.05, "{} for {}", cost, found);
            }
        }
    }

    proptest! {
        /// The twin looks for everything.
        #[test]
        fn what_is_clearly_cheaper_than_the_greatest_cost_of_interest_is_known_as_well_as_without_one(
            pillars in any::<[u8; 9]>(),
            points in proptest::collection::vec((-9.0f32..9.0, -9.0f32..9.0), 2..20),
            (weight, cost_max) in (0.2f64..4.0, 2.0f64..40.0),
        ) {
            let (mesh, spread) = hall(pillars);
            let places = places(&mesh, &points);
            let sight = RegionSet::new(&[Region::new(square(2.0, 1.0, 5.0))]).unwrap();
            let exposure = Some(Exposure { sight: &sight, price: ExposurePrice::new(weight, 1.0) });
            let all = FloodQuery { tactic: Tactic { layers: &[], exposure }, ..plain(places[0]) };
            let mut flood = Flood::default();
            let twin = flood.fill(&mesh, &spread, &places[1..], &all).costs.to_vec();
            let capped = flood.fill(&mesh, &spread, &places[1..], &FloodQuery { cost_max, ..all });
            for (&cost, &twin) in capped.costs.iter().zip(&twin) {
                prop_assert!(cost >= twin - 1e-9, "{} for {}", cost, twin);
                prop_assert!(twin * LOOSE > cost_max || (cost - twin).abs() <= 1e-9, "{} for {}", cost, twin);
            }
        }
    }

    /// What the nodes of a graph cost, by going over all edges of those up to one until nothing changes.
    fn relaxed(graph: &impl Graph, from: u32, tactic: &Tactic<'_>) -> Vec<f64> {
        let mut costs = vec![f64::INFINITY; graph.node_count() as usize];
        costs[from as usize] = 0.0;
        let (mut spans, mut is_new) = (Spans::default(), true);
        while std::mem::take(&mut is_new) {
            for node in 0..=from {
                let walk = Walk { cost: costs[node as usize], run_m: 0.0 };
                if walk.cost.is_finite() {
                    graph.visit_edges(node, &mut |next, segment| {
                        let cost = tactic.advance(walk, segment, &mut spans).cost;
                        if cost < costs[next as usize] {
                            (costs[next as usize], is_new) = (cost, true);
                        }
                    });
                }
            }
        }
        costs
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        /// The twin leaves no label out.
        #[test]
        fn labels_that_are_left_out_change_no_cost(
            pillars in any::<[u8; 9]>(),
            points in proptest::collection::vec((-9.0f32..9.0, -9.0f32..9.0), 2..10),
            (weight, cost_max) in (0.2f64..4.0, 5.0f64..60.0),
        ) {
            let (mesh, spread) = hall(pillars);
            let places = places(&mesh, &points);
            let sight = RegionSet::new(&[Region::new(square(2.0, 1.0, 5.0))]).unwrap();
            let exposure = Some(Exposure { sight: &sight, price: ExposurePrice::new(weight, 1.0) });
            let query = FloodQuery { tactic: Tactic { layers: &[], exposure }, cost_max, ..plain(places[0]) };
            let to = &places[1..];
            let mut flood = Flood::default();
            let costs = flood.fill(&mesh, &spread, to, &query).costs.to_vec();
            let many = Many { spread: &spread, mesh: &mesh, to, query: &query };
            let graph = Listed { many: &many, inner: many.inner(), goals: &flood.goals };
            // The start is the last node that is no goal.
            let twin = relaxed(&graph, many.inner().start(), &query.tactic);
            for &(_, goal) in &flood.goals {
                let (cost, label) = (costs[goal as usize], twin[(many.inner().goal() + 1 + goal) as usize]);
                let found = flood.found[goal as usize].map(|label| flood.labels.cost(label));
                if label <= cost * LOOSE && label <= cost_max * LOOSE {
                    prop_assert_eq!(found, Some(label));
                } else {
                    prop_assert!(found.is_none_or(|found| found >= label));
                }
                // What was asked with it does not matter.
                let single = Flood::default().fill(&mesh, &spread, &to[goal as usize..][..1], &query).costs[0];
                prop_assert_eq!(single, cost);
            }
        }
    }

    /// By how much the costs to many goals are off those of single searches, in order, with points that far apart.
    fn offs(apart_m: f32) -> Vec<f64> {
        let mut rng = 12_345u64;
        let mut next = || {
            rng = rng.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (rng >> 33) as f32 / (1u64 << 31) as f32
        };
        let (mut flood, mut search, mut offs) = (Flood::default(), TacticSearch::default(), Vec::new());
        for _ in 0..60 {
            let (mesh, spread) = hall(std::array::from_fn(|_| (next() * 4.0) as u8));
            let config = SpreadConfig { portal_m: apart_m, lattice_m: apart_m };
            let wide = Spread::build(&mesh, &config).unwrap();
            let points: Vec<(f32, f32)> = (0..30).map(|_| (next() * 18.0 - 9.0, next() * 18.0 - 9.0)).collect();
            let places = places(&mesh, &points);
            let watched = square(next() * 10.0 - 5.0, next() * 10.0 - 5.0, 2.0 + next() * 3.0);
            let sight = RegionSet::new(&[Region::new(watched)]).unwrap();
            let exposure = Some(Exposure { sight: &sight, price: ExposurePrice::new(3.0, 1.0) });
            let tactic = Tactic { layers: &[], exposure };
            let query = FloodQuery { tactic, ..plain(places[0]) };
            let answer = flood.fill(&mesh, &wide, &places[1..], &query);
            for (&cost, &to) in answer.costs.iter().zip(&places[1..]) {
                let single = TacticQuery { tactic, ..TacticQuery::new(places[0].point, to.point) };
                offs.push(cost / search.find(&mesh, &spread, &single).cost - 1.0);
            }
        }
        offs.sort_by(f64::total_cmp);
        offs
    }

    #[test]
    fn costs_to_many_are_exact_for_most_and_wide_points_serve_nearly_as_well() {
        for (apart_m, mean_max, late_max) in [(2.0, 0.001, 0.01), (4.0, 0.005, 0.08)] {
            let offs = offs(apart_m);
            let mean = offs.iter().map(|off| off.abs()).sum::<f64>() / offs.len() as f64;
            let late = offs[offs.len() * 99 / 100];
            assert!(offs.len() > 1500 && mean < mean_max && late < late_max, "{apart_m} m: {mean}, 99 % under {late}");
        }
    }

    #[test]
    fn what_cannot_be_reached_costs_infinity_and_an_odd_start_reaches_nothing() {
        let shapes = [0.0, 30.0].map(|x| PlanShape { border: square(x, 0.0, 5.0), holes: Vec::new() });
        let mesh = Mesh::from_patch(plan(&shapes, &PlanConfig::default()).unwrap()).unwrap();
        let spread = Spread::build(&mesh, &SpreadConfig::default()).unwrap();
        let places = places(&mesh, &[(0.0, 0.0), (3.0, 0.0), (30.0, 0.0)]);
        let mut flood = Flood::default();
        let odd = MeshPoint { polygon: 999, ..places[0] };
        let to = [places[1], places[2], odd];
        assert_eq!(flood.fill(&mesh, &spread, &to, &plain(places[0])).costs, [3.0, f64::INFINITY, f64::INFINITY]);
        assert_eq!(flood.fill(&mesh, &spread, &to, &plain(odd)).costs, [f64::INFINITY; 3]);
        assert_eq!(flood.fill(&mesh, &Spread::default(), &to, &plain(places[0])).costs, [f64::INFINITY; 3]);
        let none = LabelConfig { expansions_max: 0, ..LabelConfig::default() };
        let answer = flood.fill(&mesh, &spread, &to, &FloodQuery { bounds: none, ..plain(places[0]) });
        assert!(!answer.is_whole && answer.costs[0] == f64::INFINITY);
    }

    #[test]
    fn a_warm_flood_allocates_nothing() {
        let (mesh, spread) = hall([1, 2, 3, 0, 1, 2, 3, 0, 1]);
        let points: Vec<(f32, f32)> =
            (0..200u16).map(|it| (f32::from(it % 20) - 9.5, f32::from(it / 20) * 1.8 - 9.0)).collect();
        let places = places(&mesh, &points);
        let sight = RegionSet::new(&[Region::new(square(2.0, 1.0, 5.0))]).unwrap();
        let exposure = Some(Exposure { sight: &sight, price: ExposurePrice::new(2.0, 1.5) });
        let mut flood = Flood::default();
        for exposure in [None, exposure] {
            let query = FloodQuery { tactic: Tactic { layers: &[], exposure }, ..plain(places[0]) };
            let cold = flood.fill(&mesh, &spread, &places, &query).costs.to_vec();
            let mut is_same = false;
            let used =
                allocation_counter::measure(|| is_same = flood.fill(&mesh, &spread, &places, &query).costs == cold);
            assert!(is_same && used.count_total == 0);
        }
    }
}
