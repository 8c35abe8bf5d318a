//! What it costs to go from one place to many: one search serves all of them.
//!
//! Dijkstra on the points of a [`Spread`], with the goals as further points; it ends when the last goal is taken from the
//! open list. Without layers and watchers the cost is length. Then only points on borders of polygons are used (a shortest
//! way turns nowhere else), and it is Lazy Theta* (Nash, Koenig, Tovey, AAAI 2010) without a goal: a point counts as seen
//! from where its neighbor was reached from, and that is looked at once, when its turn comes. So costs are lengths of ways
//! that exist: exact where the start sees the goal, mostly exact elsewhere, seldom off by up to a fourth round several corners.
//! With layers it is the [`LabelSearch`] without a goal.
//!
//! O((points + goals) · points a polygon). No allocation when warm.

use sentir_core::glam::Vec3;

use super::graph::Graph;
use super::label::{LabelConfig, LabelSearch};
use super::layer::{Segment, Tactic, ground};
use super::spread::{Spread, SpreadGraph};
use crate::mesh::open::OpenList;
use crate::mesh::{AreaCosts, Mesh, Place};

const NONE: u32 = u32::MAX;
/// Height by which a straight line may end off the point it was meant for, m: beyond is another floor.
const FLOOR_M: f32 = 0.5;
/// What a straight line may miss of its end, m.
const ROUNDING_M: f64 = 1e-3;

/// A question about many goals.
#[derive(Clone, Copy)]
pub struct FloodQuery<'a> {
    /// Where all ways begin.
    pub from: Place,
    /// Which kinds of ground may be entered.
    pub costs: &'a AreaCosts,
    /// What counts beside length.
    pub tactic: Tactic<'a>,
    /// Bounds of the work.
    pub bounds: LabelConfig,
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FloodAnswer<'a> {
    /// What each goal costs, in their order, in meters of plain way; infinity where there is no way, or none within the budget.
    pub costs: &'a [f64],
    /// Points taken from the open list: the work a budget counts.
    pub expanded: u32,
    /// Whether the budget was enough: what is infinite then cannot be reached.
    pub is_whole: bool,
}

#[derive(Clone, Copy, Debug)]
struct Visit {
    round: u32,
    parent: u32,
    cost: f64,
    /// Whether a link leads here.
    is_hop: bool,
    is_closed: bool,
    /// Whether it was looked at from where it is reached from.
    is_sure: bool,
}

const FRESH: Visit = Visit { round: 0, parent: NONE, cost: 0.0, is_hop: false, is_closed: false, is_sure: false };

/// The memory of such searches: keep one, use it for any mesh; may be dropped at any time.
#[derive(Clone, Debug, Default)]
pub struct Flood {
    open: OpenList,
    visits: Vec<Visit>,
    round: u32,
    /// Goals by polygon: polygon and number of the goal.
    goals: Vec<(u32, u32)>,
    costs: Vec<f64>,
    labels: LabelSearch,
}

impl Flood {
    /// What it costs to go from one place to each of many. `spread` is that of this mesh; with another one nothing is reached.
    /// So it is from a place that is not on the mesh, and to one.
    pub fn fill(&mut self, mesh: &Mesh, spread: &Spread, to: &[Place], query: &FloodQuery<'_>) -> FloodAnswer<'_> {
        self.costs.clear();
        self.costs.resize(to.len(), f64::INFINITY);
        let is_sound = |place: &Place| place.polygon < mesh.polygon_count() && place.point.is_finite();
        if !spread.fits(mesh) || !is_sound(&query.from) {
            return FloodAnswer { costs: &self.costs, expanded: 0, is_whole: true };
        }
        self.goals.clear();
        let sound = (0..).zip(to).filter(|(_, place)| is_sound(place));
        self.goals.extend(sound.map(|(number, place)| (place.polygon, number)));
        self.goals.sort_unstable();
        let is_plain = query.tactic.layers.is_empty() && query.tactic.exposure.is_none();
        let (expanded, is_whole) = if is_plain {
            self.fill_plain(mesh, spread, to, query)
        } else {
            let inner = SpreadGraph { spread, mesh, costs: query.costs, ends: [query.from; 2] };
            let graph = Many { inner, goals: &self.goals, to };
            let ends = (inner.start(), inner.goal() + 1);
            self.labels.flood(&graph, ends, &query.tactic, &query.bounds, &mut self.costs)
        };
        FloodAnswer { costs: &self.costs, expanded, is_whole }
    }

    fn fill_plain(&mut self, mesh: &Mesh, spread: &Spread, to: &[Place], query: &FloodQuery<'_>) -> (u32, bool) {
        let plain = Plain { mesh, spread, to, query, start: spread.len() as u32 };
        let first_goal = plain.start + 1;
        self.open.clear();
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.visits.clear();
            self.round = 1;
        }
        let count = first_goal as usize + to.len();
        if self.visits.len() < count {
            self.visits.resize(count, FRESH);
        }
        self.reach(plain.start, NONE, 0.0, false);
        let (mut expanded, mut left) = (0, self.goals.len());
        while let Some((_, node)) = self.open.pop() {
            let before = self.visits[node as usize];
            if before.is_closed {
                continue;
            }
            if !before.is_sure {
                self.verify(&plain, node);
                let visit = &mut self.visits[node as usize];
                visit.is_sure = true;
                if visit.cost > before.cost {
                    // It waits until its true cost is due.
                    self.open.push(visit.cost, node);
                    continue;
                }
            }
            self.visits[node as usize].is_closed = true;
            if node >= first_goal {
                self.costs[(node - first_goal) as usize] = self.visits[node as usize].cost;
                left -= 1;
                if left == 0 {
                    break;
                }
                continue;
            }
            if expanded >= query.bounds.expansions_max {
                return (expanded, false);
            }
            expanded += 1;
            self.expand(&plain, node);
        }
        (expanded, true)
    }

    /// Reaches all that is joined to a point, as if it were seen from where the point itself is reached from.
    fn expand(&mut self, plain: &Plain<'_>, node: u32) {
        let Plain { mesh, spread, to, query, start } = *plain;
        let Visit { cost, parent, is_hop, .. } = self.visits[node as usize];
        let (point, polygons) = plain.at(node);
        // Past a link nothing before it is seen.
        let (root, from, cost_there) = if node == start || is_hop {
            (node, ground(point), cost)
        } else {
            (parent, ground(plain.at(parent).0), self.visits[parent as usize].cost)
        };
        for polygon in polygons.into_iter().take(if polygons[0] == polygons[1] { 1 } else { 2 }) {
            if !query.costs.is_passable(mesh.area(polygon)) && polygon != query.from.polygon {
                continue;
            }
            for &other in spread.members(polygon) {
                if spread.is_wide(other) && !self.is_closed(other) {
                    let there = ground(spread.node(other).0);
                    self.reach(other, root, cost_there + (there - from).length(), false);
                }
            }
            let mut at = self.goals.partition_point(|goal| goal.0 < polygon);
            while let Some(&(_, goal)) = self.goals.get(at).filter(|goal| goal.0 == polygon) {
                if !self.is_closed(start + 1 + goal) {
                    let there = ground(to[goal as usize].point);
                    self.reach(start + 1 + goal, root, cost_there + (there - from).length(), false);
                }
                at += 1;
            }
        }
        if node != start {
            for (other, link) in spread.hops_from(node) {
                let link = &mesh.links()[link as usize];
                if link.is_open && query.costs.is_passable(mesh.area(spread.node(other).1[0])) {
                    self.reach(other, node, cost + f64::from(link.cost_m), true);
                }
            }
        }
    }

    #[inline]
    fn is_closed(&self, node: u32) -> bool {
        let Visit { round, is_closed, .. } = self.visits[node as usize];
        is_closed && round == self.round
    }

    #[inline]
    fn reach(&mut self, node: u32, parent: u32, cost: f64, is_hop: bool) {
        let visit = &mut self.visits[node as usize];
        if visit.round != self.round || (!visit.is_closed && cost < visit.cost) {
            *visit = Visit { round: self.round, parent, cost, is_hop, ..FRESH };
            self.open.push(cost, node);
        }
    }

    /// Looks whether a point is seen from where it is said to be reached from; if not, it is reached from the best point of
    /// its own polygons, or from where that one is reached from, if it is seen from there.
    fn verify(&mut self, plain: &Plain<'_>, node: u32) {
        let Visit { parent, is_hop, .. } = self.visits[node as usize];
        if is_hop || parent == NONE || plain.sees(parent, node) {
            return;
        }
        let (point, polygons) = plain.at(node);
        let here = ground(point);
        let mut best = (f64::INFINITY, NONE);
        let mut offer = |visits: &[Visit], other: u32| {
            let Visit { round, cost, is_closed, .. } = visits[other as usize];
            if round == self.round && is_closed && other != node {
                let cost = cost + (ground(plain.at(other).0) - here).length();
                if cost < best.0 {
                    best = (cost, other);
                }
            }
        };
        for polygon in polygons.into_iter().take(if polygons[0] == polygons[1] { 1 } else { 2 }) {
            if polygon == plain.query.from.polygon {
                offer(&self.visits, plain.start);
            }
            for &other in plain.spread.members(polygon) {
                if plain.spread.is_wide(other) {
                    offer(&self.visits, other);
                }
            }
        }
        let (mut cost, mut from) = best;
        if from == NONE {
            // Nobody of its own polygons led here: rounding. The cost it was reached by stands.
            return;
        }
        let Visit { parent: before, is_hop, .. } = self.visits[from as usize];
        if before != NONE && before != parent && !is_hop && plain.sees(before, node) {
            cost = self.visits[before as usize].cost + (ground(plain.at(before).0) - here).length();
            from = before;
        }
        let visit = &mut self.visits[node as usize];
        (visit.cost, visit.parent) = (cost, from);
    }
}

/// A search by length.
#[derive(Clone, Copy)]
struct Plain<'a> {
    mesh: &'a Mesh,
    spread: &'a Spread,
    to: &'a [Place],
    query: &'a FloodQuery<'a>,
    start: u32,
}

impl Plain<'_> {
    /// Where a point is, and the polygons it is on.
    #[inline]
    fn at(&self, node: u32) -> (Vec3, [u32; 2]) {
        if node < self.start {
            return self.spread.node(node);
        }
        let place = if node == self.start { self.query.from } else { self.to[(node - self.start - 1) as usize] };
        (place.point, [place.polygon; 2])
    }

    /// Whether one point sees another along the mesh, on the same floor.
    fn sees(&self, from: u32, to: u32) -> bool {
        let ((a, on), (b, beside)) = (self.at(from), self.at(to));
        if on.iter().any(|polygon| beside.contains(polygon)) {
            return true;
        }
        let length = (ground(b) - ground(a)).length();
        let is_free = |polygon: u32, point: Vec3, end: Vec3| {
            let ray = self.mesh.ray(Place { polygon, point }, end, self.query.costs);
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

/// A spread with a start and many goals: the start is the last node but one of the spread's graph, goals come after it.
struct Many<'a> {
    inner: SpreadGraph<'a>,
    goals: &'a [(u32, u32)],
    to: &'a [Place],
}

impl Graph for Many<'_> {
    fn node_count(&self) -> u32 {
        self.inner.node_count() + self.to.len() as u32
    }

    fn point(&self, node: u32) -> Vec3 {
        let goal = node.checked_sub(self.inner.node_count());
        goal.map_or_else(|| self.inner.point(node), |goal| self.to[goal as usize].point)
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
                visit(first + goal, &Segment::new(here, self.to[goal as usize].point, area));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bake::{PlanConfig, PlanShape, plan};
    use crate::mesh::AnyAngleSearch;
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

    fn places(mesh: &Mesh, points: &[(f32, f32)]) -> Vec<Place> {
        let place = |&(x, y): &(f32, f32)| mesh.nearest(Vec3::new(x, 0.0, -y), Vec3::splat(4.0)).unwrap();
        points.iter().map(place).collect()
    }

    fn plain(from: Place) -> FloodQuery<'static> {
        let bounds = LabelConfig::default();
        FloodQuery { from, costs: &AreaCosts::PLAIN, tactic: Tactic::default(), bounds }
    }

    proptest! {
        #[test]
        fn costs_to_many_are_hardly_over_those_of_single_searches(
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
                prop_assert!(cost >= exact - 1e-3 && cost <= exact * 1.25 + 0.5, "{} for {}", cost, exact);
            }
        }

        #[test]
        fn tactical_costs_to_many_are_no_less_than_those_of_single_searches(
            pillars in any::<[u8; 9]>(),
            points in proptest::collection::vec((-9.0f32..9.0, -9.0f32..9.0), 2..8),
        ) {
            let (mesh, spread) = hall(pillars);
            let places = places(&mesh, &points);
            let sight = RegionSet::new(&[Region::new(square(2.0, 1.0, 5.0))]).unwrap();
            let exposure = Some(Exposure { sight: &sight, price: ExposurePrice::new(2.0, 1.5) });
            let tactic = Tactic { layers: &[], exposure };
            let (mut flood, mut search) = (Flood::default(), TacticSearch::default());
            let answer = flood.fill(&mesh, &spread, &places[1..], &FloodQuery { tactic, ..plain(places[0]) });
            for (&cost, &to) in answer.costs.iter().zip(&places[1..]) {
                let single = TacticQuery { tactic, ..TacticQuery::new(places[0].point, to.point) };
                let found = search.find(&mesh, &spread, &single).cost;
                prop_assert!(cost >= found - 1e-3 && cost.is_finite(), "{} for {}", cost, found);
            }
        }
    }

    #[test]
    fn what_cannot_be_reached_costs_infinity_and_an_odd_start_reaches_nothing() {
        let shapes = [0.0, 30.0].map(|x| PlanShape { border: square(x, 0.0, 5.0), holes: Vec::new() });
        let mesh = Mesh::from_patch(plan(&shapes, &PlanConfig::default()).unwrap()).unwrap();
        let spread = Spread::build(&mesh, &SpreadConfig::default()).unwrap();
        let places = places(&mesh, &[(0.0, 0.0), (3.0, 0.0), (30.0, 0.0)]);
        let mut flood = Flood::default();
        let odd = Place { polygon: 999, ..places[0] };
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
