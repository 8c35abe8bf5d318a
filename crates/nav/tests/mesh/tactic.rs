//! Tactical ways: the cheapest by labels, plain where nothing counts, explained to the last digit, free of allocation, and
//! defined on bad input.

use crate::world::{World, ground, point, stream, worlds};
use sentir_core::glam::{DVec2, Vec2, Vec3};
use sentir_core::random::Stream;
use sentir_nav::mesh::*;
use sentir_nav::tactic::*;
use sentir_nav::{Ending, Fault};

/// A ring of random corners round a random place.
fn region(random: &mut Stream, size: f32) -> Region {
    let center = Vec2::new(random.between(0.0, size), random.between(0.0, size));
    let corner = |number: u8| {
        let (sin, cos) = sentir_core::math::sin_cos(f32::from(number) * 0.9);
        center + Vec2::new(cos, sin) * random.between(0.2, 0.5) * size
    };
    Region::new((0..7).map(corner).collect())
}

fn regions(random: &mut Stream, size: f32) -> RegionSet {
    RegionSet::new(&[region(random, size), region(random, size)]).unwrap()
}

struct Twin<'a> {
    graph: &'a LineGraph,
    tactic: Tactic<'a>,
    goal: u32,
    best: f64,
    spans: Spans,
}

impl Twin<'_> {
    /// Goes every walk of so many steps, back and forth as well (hiding for a moment may pay), unless it is dearer than the
    /// best.
    fn go(&mut self, node: u32, walk: Walk, steps: u32) {
        let rest = ground(self.graph.point(node)).distance(ground(self.graph.point(self.goal)));
        if walk.cost + rest >= self.best || steps == 0 {
            return;
        }
        if node == self.goal {
            self.best = walk.cost;
            return;
        }
        let mut edges = Vec::new();
        self.graph.visit_edges(node, &mut |to, segment| edges.push((to, *segment)));
        for (to, segment) in edges {
            let next = self.tactic.advance(walk, &segment, &mut self.spans);
            self.go(to, next, steps - 1);
        }
    }
}

#[test]
fn labels_find_what_trying_every_walk_finds() {
    let mut search = LabelSearch::default();
    let (mut found, mut cheaper) = (0, 0);
    for seed in 0..1000 {
        let mut random = stream(seed);
        let size = 10.0;
        let points: Vec<Vec3> =
            (0..6).map(|_| Vec3::new(random.between(0.0, size), 0.0, -random.between(0.0, size))).collect();
        let mut edges = Vec::new();
        for from in 0..6 {
            for to in 0..6 {
                if from != to && random.chance(0.4) {
                    edges.push((from, to, AreaId(0)));
                }
            }
        }
        let graph = LineGraph::new(points, edges).unwrap();
        let sight = regions(&mut random, size);
        let exponent = f64::from(random.between(1.0, 3.0));
        let price =
            ExposurePrice::new(f64::from(random.between(0.05, 1.0)), if seed % 5 == 0 { 1.0 } else { exponent });
        let tactic = Tactic { layers: &[], exposure: Some(Exposure { sight: &sight, price }) };
        let config = LabelConfig { labels_max: 64, ..LabelConfig::default() };
        let answer = search.find(&graph, [0, 5], &tactic, &config);
        // A hair over, so that the twin finds it again; if there is nothing, walks of as many steps as there are nodes show
        // it.
        let (is_found, cost) = (answer.is_found(), answer.cost);
        let (bound, steps) = if is_found { (cost * (1.0 + 1e-9) + 1e-9, 11) } else { (f64::INFINITY, 6) };
        let mut twin = Twin { graph: &graph, tactic, goal: 5, best: bound, spans: Spans::default() };
        twin.go(0, Walk::default(), steps);
        assert_eq!(is_found, twin.best < bound, "{seed}: {cost} {}", twin.best);
        if is_found {
            assert!((cost - twin.best).abs() <= 1e-9 * (1.0 + cost), "{seed}: {cost} {}", twin.best);
            let plain = search.find(&graph, [0, 5], &Tactic::default(), &config).cost;
            assert!(cost >= plain - 1e-9 && search.is_exact());
            found += 1;
            cheaper += u32::from(cost > plain + 1e-9);
        }
    }
    assert!(found > 500 && cheaper > 300, "{found} {cheaper}");
}

fn spread_of(mesh: &Mesh) -> Spread {
    Spread::build(mesh, &SpreadConfig { portal_m: 0.5, lattice_m: 0.5 }).unwrap()
}

fn query<'a>(from: DVec2, to: DVec2, tactic: Tactic<'a>) -> TacticQuery<'a> {
    TacticQuery { extent: Vec3::new(0.001, 1.0, 0.001), tactic, ..TacticQuery::new(point(from), point(to)) }
}

/// On the ground all the way.
fn check(world: &World, path: &[Vec3]) {
    for pair in path.windows(2) {
        let (a, b) = (ground(pair[0]), ground(pair[1]));
        for step in 0..=40 {
            let at = a + (b - a) * (f64::from(step) / 40.0);
            assert!(world.is_free(at, 3e-3), "{at} of {a} to {b} is off the mesh");
        }
    }
}

#[test]
fn with_no_watcher_the_cost_is_plain_distance() {
    let (mut search, mut plain) = (TacticSearch::default(), AnyAngleSearch::default());
    for (number, world) in worlds(40, 10, 6, 3).enumerate() {
        let (mesh, mut random) = (world.mesh(), stream(number as u64));
        let spread = spread_of(&mesh);
        let hardly = RegionSet::new(&[region(&mut random, 6.0)]).unwrap();
        for _ in 0..10 {
            let (from, to) = (world.place(&mut random), world.place(&mut random));
            let request = query(from, to, Tactic::default());
            let shortest =
                plain.find(&mesh, &MeshQuery { extent: request.extent, ..MeshQuery::new(request.from, request.to) });
            let answer = search.find(&mesh, &spread, &request);
            assert_eq!((answer.ending, answer.path), (shortest.ending, shortest.path));
            assert!((answer.cost - shortest.cost).abs() < 1e-5, "{} {}", answer.cost, shortest.cost);
            // As good as no watcher, but the search with labels has to look: no farther than the shortest way.
            let exposure = Some(Exposure { sight: &hardly, price: ExposurePrice::new(1e-9, 2.0) });
            let near = search.find(&mesh, &spread, &query(from, to, Tactic { layers: &[], exposure }));
            assert!((near.cost - shortest.cost).abs() < 1e-5, "{} {}", near.cost, shortest.cost);
        }
    }
}

#[test]
fn a_tactical_way_is_on_the_mesh_no_dearer_than_the_shortest_and_explained_to_the_last_digit() {
    let mut search = TacticSearch::default();
    let (mut why, mut again) = (PathWhy::default(), PathCost::default());
    let (mut other, mut asked) = (0, 0);
    for (number, world) in worlds(60, 12, 8, 4).enumerate() {
        let (mesh, mut random) = (world.tiled(), stream(number as u64));
        let spread = spread_of(&mesh);
        let sight = regions(&mut random, 8.0);
        let exposure = Some(Exposure { sight: &sight, price: ExposurePrice::new(1.0, 2.0) });
        for _ in 0..10 {
            let (from, to) = (world.place(&mut random), world.place(&mut random));
            let request = query(from, to, Tactic { layers: &[], exposure });
            let answer = search.find(&mesh, &spread, &request);
            let (cost, path) = (answer.cost, answer.path.to_vec());
            check(&world, &path);
            search.why(&mesh, &request, &mut why);
            assert!((why.taken.total.total() - cost).abs() <= 1e-9 * (1.0 + cost));
            assert!(why.saved() >= -1e-9 && why.taken.length_m >= why.shortest.length_m - 1e-5);
            assert_eq!((why.taken.segments.len() + 1, &why.taken.points), (path.len(), &path));
            search::path_cost(&mesh, &request, &path, &mut again);
            assert!((again.total.total() - cost).abs() < 1e-3 * (1.0 + cost), "{} {cost}", again.total.total());
            asked += 1;
            other += u32::from(!search.is_shortest());
        }
    }
    assert!(asked == 120 && other > 20, "{other}");
}

/// A hall of 20 × 12 m with a block in the middle: past it to the south (shorter) or to the north.
fn hall() -> Mesh {
    let ring = |corners: &[(f32, f32)]| corners.iter().map(|&(x, y)| Vec2::new(x, y)).collect::<Vec<_>>();
    let border = ring(&[(0.0, 0.0), (20.0, 0.0), (20.0, 12.0), (0.0, 12.0)]);
    let holes = vec![ring(&[(5.0, 3.0), (15.0, 3.0), (15.0, 10.0), (5.0, 10.0)])];
    let shapes = [sentir_nav::bake::PlanShape { border, holes }];
    Mesh::from_patch(sentir_nav::bake::plan(&shapes, &sentir_nav::bake::PlanConfig::default()).unwrap()).unwrap()
}

const WEST: Vec3 = Vec3::new(2.0, 0.0, -4.0);
const EAST: Vec3 = Vec3::new(18.0, 0.0, -4.0);

fn goes_north(path: &[Vec3]) -> bool {
    path.iter().any(|it| -it.z > 9.0)
}

fn south_in_sight() -> RegionSet {
    let ring = [(4.0, 0.0), (16.0, 0.0), (16.0, 3.0), (4.0, 3.0)].map(|(x, y)| Vec2::new(x, y)).to_vec();
    RegionSet::new(&[Region::new(ring)]).unwrap()
}

#[test]
fn the_watched_side_is_shunned_by_exact_and_sampled_sight_and_by_both_prices() {
    let (mesh, sight) = (hall(), south_in_sight());
    let spread = Spread::build(&mesh, &SpreadConfig { portal_m: 1.0, lattice_m: 1.0 }).unwrap();
    let sampled = Sampled::new(|at: Vec2, height_m: f32| sight.contains(at, height_m));
    let sights: [&dyn Sight; 2] = [&sight, &sampled];
    let mut search = TacticSearch::default();
    assert!(!goes_north(search.find(&mesh, &spread, &TacticQuery::new(WEST, EAST)).path));
    for sight in sights {
        for price in [ExposurePrice::new(1.0, 2.0), ExposurePrice::bare_power(2.0, 1.0, 2.0)] {
            let tactic = Tactic { layers: &[], exposure: Some(Exposure { sight, price }) };
            let answer = search.find(&mesh, &spread, &TacticQuery { tactic, ..TacticQuery::new(WEST, EAST) });
            assert!(answer.is_found() && goes_north(answer.path), "{answer:?}");
        }
    }
    // Being seen for so little a price is worth the shorter way.
    let exposure = Some(Exposure { sight: &sight, price: ExposurePrice::new(0.01, 1.0) });
    let tactic = Tactic { layers: &[], exposure };
    assert!(!goes_north(search.find(&mesh, &spread, &TacticQuery { tactic, ..TacticQuery::new(WEST, EAST) }).path));
}

#[test]
fn every_layer_can_send_one_the_other_way() {
    let mesh = hall();
    let spread = Spread::build(&mesh, &SpreadConfig { portal_m: 1.0, lattice_m: 1.0 }).unwrap();
    let lines = [FireLine { from: Vec2::new(10.0, 3.0), to: Vec2::new(10.0, -1.0), width_m: 1.0 }];
    let fire = FireLines { lines: &lines };
    let mut values = vec![0.0; 20 * 12];
    values[..20 * 3].fill(1.0);
    let fields = [Field::new(Vec2::ZERO, 1.0, [20, 12], values).unwrap()];
    let influence = Influence { fields: &fields, taste: Taste::Shun, full: 1.0 };
    let cover: Vec<Vec2> = (0..6u8).map(|number| Vec2::new(f32::from(number) * 4.0, 11.0)).collect();
    let points = Points { points: &cover, reach_m: 4.0, taste: Taste::Seek };
    let stance = StanceLayer { stance: Stance::Retreat, threat: Vec2::new(10.0, 0.0), reach_m: 8.0 };
    let own = Own(|segment: &Segment| if segment.from.y + segment.to.y < 6.0 { segment.length_m() } else { 0.0 });
    let layers: [&dyn CostLayer; 5] = [&fire, &influence, &points, &stance, &own];
    let (mut search, mut why) = (TacticSearch::default(), PathWhy::default());
    for layer in layers {
        let weighted = [Weighted { layer, weight: 20.0 }];
        let tactic = Tactic { layers: &weighted, exposure: None };
        let request = TacticQuery { tactic, ..TacticQuery::new(WEST, EAST) };
        assert!(goes_north(search.find(&mesh, &spread, &request).path), "{:?}", layer.kind());
        search.why(&mesh, &request, &mut why);
        assert!(why.shortest.total.of(layer.kind()) > why.taken.total.of(layer.kind()) && why.saved() > 0.0);
        let free = [Weighted { layer, weight: 0.0 }];
        let tactic = Tactic { layers: &free, exposure: None };
        assert!(!goes_north(search.find(&mesh, &spread, &TacticQuery { tactic, ..request }).path));
    }
}

#[test]
fn a_warm_search_allocates_nothing() {
    let (mesh, sight) = (hall(), south_in_sight());
    let spread = Spread::build(&mesh, &SpreadConfig::default()).unwrap();
    let exposure = Some(Exposure { sight: &sight, price: ExposurePrice::new(1.0, 2.0) });
    let request = TacticQuery { tactic: Tactic { layers: &[], exposure }, ..TacticQuery::new(WEST, EAST) };
    let (mut search, mut why) = (TacticSearch::default(), PathWhy::default());
    let mut cost = 0.0;
    let mut ask = || {
        cost = search.find(&mesh, &spread, &request).cost;
        search.why(&mesh, &request, &mut why);
    };
    ask();
    let counted = allocation_counter::measure(&mut ask);
    assert!(cost > 20.0 && counted.count_total == 0, "{}", counted.count_total);
}

#[test]
fn bad_input_has_a_defined_outcome() {
    let (mesh, sight) = (hall(), south_in_sight());
    let spread = Spread::build(&mesh, &SpreadConfig::default()).unwrap();
    let exposure = Some(Exposure { sight: &sight, price: ExposurePrice::new(1.0, 2.0) });
    let request = TacticQuery { tactic: Tactic { layers: &[], exposure }, ..TacticQuery::new(WEST, EAST) };
    let mut search = TacticSearch::default();
    let mut ending = |request: &TacticQuery<'_>| search.find(&mesh, &spread, request).ending;
    let far = Vec3::new(500.0, 0.0, 0.0);
    assert_eq!(ending(&TacticQuery { from: Vec3::NAN, ..request }), Ending::BadStart(Fault::NotFinite));
    assert_eq!(ending(&TacticQuery { from: far, ..request }), Ending::BadStart(Fault::Outside));
    assert_eq!(ending(&TacticQuery { to: far, ..request }), Ending::BadGoal(Fault::Outside));
    let walled = AreaCosts::PLAIN.with(AreaId(0), AreaCost::Impassable);
    assert_eq!(ending(&TacticQuery { costs: &walled, ..request }), Ending::BadGoal(Fault::Blocked));
    let none = LabelConfig { expansions_max: 0, labels_max: 0 };
    assert_eq!(ending(&TacticQuery { bounds: none, ..request }), Ending::OutOfBudget);
    // A little more: enough for the shortest way, not for the search with labels.
    let few = LabelConfig { expansions_max: 40, labels_max: 1 };
    assert_eq!(ending(&TacticQuery { bounds: few, ..request }), Ending::OutOfBudget);
    assert_eq!(ending(&TacticQuery { to: WEST, ..request }), Ending::Found);
    let answer = search.find(&mesh, &Spread::default(), &request);
    assert!(answer.is_found() && !goes_north(answer.path));
    let say = |config| Spread::build(&mesh, &config).unwrap_err().to_string();
    let bad = SpreadConfig { portal_m: f32::NAN, lattice_m: 1.0 };
    assert_eq!(say(bad), "points cannot lie NaN m apart: expected 0.05 to 1000 m");
    let graph = LineGraph::new(vec![Vec3::ZERO, Vec3::X], vec![]).unwrap();
    let mut labels = LabelSearch::default();
    let config = LabelConfig::default();
    assert_eq!(labels.find(&graph, [9, 0], &Tactic::default(), &config).ending, Ending::BadStart(Fault::Outside));
    assert_eq!(labels.find(&graph, [0, 9], &Tactic::default(), &config).ending, Ending::BadGoal(Fault::Outside));
    let answer = labels.find(&graph, [0, 1], &Tactic::default(), &config);
    assert_eq!((answer.ending, answer.path), (Ending::NoPath, &[Vec3::ZERO][..]));
}

#[test]
fn links_are_taken_at_their_cost() {
    let mut mesh = hall();
    let (from, to) = (Vec3::new(4.0, 0.0, -6.0), Vec3::new(16.0, 0.0, -6.0));
    let link = Link { from, to, traversal: Traversal::Jump, is_two_way: true, cost_m: 3.0, is_open: true };
    let id = mesh.add_link(link, Vec3::ONE).unwrap();
    let spread = Spread::build(&mesh, &SpreadConfig::default()).unwrap();
    let sight = south_in_sight();
    let exposure = Some(Exposure { sight: &sight, price: ExposurePrice::new(1.0, 2.0) });
    let request = TacticQuery { tactic: Tactic { layers: &[], exposure }, ..TacticQuery::new(WEST, EAST) };
    let mut search = TacticSearch::default();
    let answer = search.find(&mesh, &spread, &request);
    assert!(answer.cost < 9.0 && !goes_north(answer.path), "{answer:?}");
    assert!(mesh.set_link_open(id, false));
    assert!(goes_north(search.find(&mesh, &spread, &request).path));
}
