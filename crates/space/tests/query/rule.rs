//! Each test alone reproduces its rule.

use super::yard::{Yard, at, lexicon, only, own, query};
use proptest::prelude::*;
use sentir_nav::tactic::{Exposure, ExposurePrice, Field, Region, RegionSet, Tactic};
use sentir_space::core::glam::{Vec2, Vec3};
use sentir_space::core::math;
use sentir_space::influence::{Grid, Map};
use sentir_space::query::{
    Chart, Each, FAR_M, FieldChart, MapChart, PathBy, Posture, Purpose, Query, QueryEnding, QueryRun, QuerySpec,
    QueryWorld, Reason, Scale, Seer, Subject, TestKindSpec, TestSpec,
};

/// Asks about these points; the values of the first test and the scores, none for dropped points.
fn ask(query: &Query, world: &QueryWorld<'_>, points: &[Vec3]) -> (Vec<f32>, Vec<Option<f32>>) {
    let give = |give: &mut dyn FnMut(Vec3)| points.iter().for_each(|&point| give(point));
    let mut run = QueryRun::default();
    let world = QueryWorld { generators: &[&give], ..*world };
    run.ask(query, &world, 1);
    let count = points.len() as u32;
    let values = (0..count).map(|index| run.value(0, index).unwrap()).collect();
    (values, (0..count).map(|index| run.score(index)).collect())
}

fn subject(x: f32, y: f32) -> Subject<'static> {
    Subject::new(at(x, y))
}

fn text(name: &str) -> String {
    name.to_owned()
}

/// Figure of the thesis: p3 is seen and out; p1 is nearer to the obstacle in the player's direction than p2, so it is better.
#[test]
fn behind_cover_keeps_hidden_points_and_prefers_those_close_behind() {
    let yard = Yard::new(&[(0.0, 0.0, 1.0)]);
    let region = yard.region(-6.0, 0.0);
    let player = [Subject { seen: Some(&region), ..subject(-6.0, 0.0) }];
    let oneself = [subject(5.0, 5.0)];
    let world = QueryWorld { contexts: &[&oneself, &player], ..yard.world() };
    let (p1, p2, p3) = (at(2.0, 0.0), at(4.0, 0.0), at(2.0, 6.0));
    let query = only(TestKindSpec::BehindCover { from: text("target"), reach_m: 8.0 });
    let (values, scores) = ask(&query, &world, &[p1, p2, p3]);
    assert_eq!(values, [1.0, 3.0, f32::INFINITY]);
    assert_eq!(scores, [Some(0.875), Some(0.625), None]);
    let mut run = QueryRun::default();
    let give = |give: &mut dyn FnMut(Vec3)| give(p3);
    let ending = run.ask(&query, &QueryWorld { generators: &[&give], ..world }, 0).ending;
    assert_eq!(ending, QueryEnding::NoPoint { test: Some(0), dropped: 1 });
    assert_eq!(run.tell(&query, 0).to_string(), "behind_cover is seen: expected hidden");
    // Without obstacles the walls of the mesh stand for them: 0.3 m farther out.
    let bare = QueryWorld { obstacles: None, ..world };
    assert!((ask(&query, &bare, &[p1]).0[0] - 0.7).abs() < 1e-3);
}

/// Figure of the thesis: position 1 makes the greater angle with the attack point that is taken, so it is better.
#[test]
fn flank_prefers_the_greater_angle_seen_from_the_target() {
    let yard = Yard::new(&[]);
    let (player, oneself, taken) = ([subject(0.0, 0.0)], [subject(5.0, 5.0)], [subject(0.0, -5.0)]);
    let world = QueryWorld { contexts: &[&oneself, &player, &[], &taken], ..yard.world() };
    let query = only(TestKindSpec::Flank { target: text("target"), from: text("claimed") });
    let (values, scores) = ask(&query, &world, &[at(-4.0, 3.0), at(4.0, -4.0), at(0.0, 6.0), at(0.0, -2.0)]);
    let degrees: Vec<f32> = values.iter().map(|angle| (angle * 180.0 / math::PI).round()).collect();
    assert_eq!(degrees, [127.0, 45.0, 180.0, 0.0]);
    assert!(scores[0] > scores[1] && scores[2] > scores[0]);
    // Of several claimed points the nearest in angle counts; of none, every flank is free.
    let more = [subject(0.0, -5.0), subject(-5.0, 5.0)];
    let both = QueryWorld { contexts: &[&oneself, &player, &[], &more], ..world };
    assert!(ask(&query, &both, &[at(-4.0, 3.0)]).0[0] < 0.3);
    let free = QueryWorld { contexts: &[&oneself, &player], ..world };
    assert_eq!(ask(&query, &free, &[at(1.0, 1.0)]).0, [math::PI]);
}

#[test]
fn path_cost_is_the_way_round_and_near_or_far_may_be_preferred() {
    let yard = Yard::new(&[(0.0, 0.0, 3.0)]);
    let oneself = [subject(-5.0, 0.0)];
    let world = QueryWorld { contexts: &[&oneself], ..yard.world() };
    let (near, behind) = (at(-5.0, 4.0), at(5.0, 0.0));
    let test = TestKindSpec::PathCost { by: PathBy::Length };
    let (values, scores) = ask(&only(test.clone()), &world, &[near, behind]);
    assert!((values[0] - 4.0).abs() < 1e-3 && values[1] > 13.0 && values[1] < 14.0, "{values:?}");
    assert_eq!(scores, [Some(1.0), Some(0.0)]);
    let far = TestSpec { curve: Some(sentir_space::query::Curve::Linear), ..TestSpec::new(test) };
    assert_eq!(ask(&query(vec![far]), &world, &[near, behind]).1, [Some(0.0), Some(1.0)]);
}

#[test]
fn tactical_path_cost_shuns_what_is_watched() {
    let yard = Yard::new(&[]);
    let oneself = [subject(0.0, 0.0)];
    let sight = RegionSet::new(&[Region::new(super::yard::square(5.0, 0.0, 3.0))]).unwrap();
    let tactic =
        Tactic { layers: &[], exposure: Some(Exposure { sight: &sight, price: ExposurePrice::new(4.0, 1.0) }) };
    let world = QueryWorld { contexts: &[&oneself], tactic, ..yard.world() };
    let query = only(TestKindSpec::PathCost { by: PathBy::Tactic });
    let (values, _) = ask(&query, &world, &[at(5.0, 0.0), at(-5.0, 0.0)]);
    assert!(values[0] > values[1] + 5.0, "{values:?}");
}

#[test]
fn distance_is_as_the_crow_flies_to_the_least_the_most_or_the_mean() {
    let yard = Yard::new(&[(0.0, 0.0, 3.0)]);
    let (oneself, allies) = ([subject(-5.0, 0.0)], [subject(-5.0, 0.0), subject(8.0, 0.0)]);
    let world = QueryWorld { contexts: &[&oneself, &oneself, &allies], ..yard.world() };
    for (each, expected) in [(Each::Least, 3.0), (Each::Most, 10.0), (Each::Mean, 6.5)] {
        let query = only(TestKindSpec::Distance { to: text("allies"), each });
        assert_eq!(ask(&query, &world, &[at(5.0, 0.0)]).0, [expected]);
    }
    let alone = QueryWorld { contexts: &[&oneself], ..world };
    let query = only(TestKindSpec::Distance { to: text("allies"), each: Each::Least });
    assert_eq!(ask(&query, &alone, &[at(5.0, 0.0)]).0, [FAR_M]);
}

#[test]
fn visibility_goes_by_the_region_and_keeps_seen_or_unseen_points() {
    let yard = Yard::new(&[(0.0, 0.0, 2.0)]);
    let region = yard.region(-6.0, 0.0);
    let (oneself, player) = ([subject(5.0, 5.0)], [Subject { seen: Some(&region), ..subject(-6.0, 0.0) }]);
    let world = QueryWorld { contexts: &[&oneself, &player], ..yard.world() };
    let points = [at(6.0, 0.0), at(-3.0, 0.0), at(0.0, 8.0)];
    let kept = |seen: bool| {
        let query =
            only(TestKindSpec::Visibility { by: text("target"), seen, each: Each::Least, of: Posture::Standing });
        ask(&query, &world, &points).1.iter().map(Option::is_some).collect::<Vec<_>>()
    };
    assert_eq!(kept(true), [false, true, true]);
    assert_eq!(kept(false), [true, false, false]);
    // The answer is the region's, point by point.
    for (point, &is_kept) in points.iter().zip(&kept(true)) {
        assert_eq!(region.sees(Vec2::new(point.x, -point.z), 0.0), is_kept);
    }
}

#[test]
fn who_crouches_is_seen_where_that_is_told_apart() {
    let yard = Yard::new(&[(0.0, 0.0, 2.0)]);
    let (high, low) = (yard.region(-6.0, 0.0), Yard::new(&[(0.0, 0.0, 2.0), (-2.0, 5.0, 1.0)]).region(-6.0, 0.0));
    let standing = Subject { seen: Some(&high), ..subject(-6.0, 0.0) };
    let oneself = [subject(5.0, 5.0)];
    // Behind the middle block, in the open, behind the second block, which only hides who crouches.
    let points = [at(6.0, 0.0), at(-3.0, 0.0), at(0.4, 8.0)];
    let kept = |player: Subject<'_>, of: Posture| {
        let player = [player];
        let world = QueryWorld { contexts: &[&oneself, &player], ..yard.world() };
        let query = only(TestKindSpec::Visibility { by: text("target"), seen: false, each: Each::Least, of });
        ask(&query, &world, &points).1.iter().map(Option::is_some).collect::<Vec<_>>()
    };
    let told = Subject { seen_low: Some(&low), ..standing };
    assert_eq!(kept(told, Posture::Standing), [true, false, false]);
    assert_eq!(kept(told, Posture::Crouching), [true, false, true]);
    assert_eq!(kept(standing, Posture::Crouching), [true, false, false], "as much of it as of who stands");
}

#[test]
fn obstacles_near_by_score_and_two_score_more() {
    let yard = Yard::new(&[(-2.0, 0.0, 1.0), (2.0, 0.0, 1.0)]);
    let oneself = [subject(5.0, 5.0)];
    let world = QueryWorld { contexts: &[&oneself], ..yard.world() };
    let query = only(TestKindSpec::Obstacles { reach_m: 2.0 });
    let (values, scores) = ask(&query, &world, &[at(0.0, 0.0), at(-4.0, 0.0), at(-8.0, 0.0)]);
    assert_eq!(values, [1.0, 0.5, 0.0]);
    assert_eq!(scores, [Some(0.5), Some(0.25), Some(0.0)]);
    let bare = QueryWorld { borders: None, ..world };
    assert!((ask(&query, &bare, &[at(-4.0, 0.0)]).0[0] - 0.65).abs() < 1e-3);
}

#[test]
fn influence_is_the_mean_of_the_neighborhood() {
    let yard = Yard::new(&[]);
    let mut values = vec![0.0; 400];
    values[10 * 20 + 10] = 9.0;
    let field = Field::new(Vec2::splat(-10.0), 1.0, [20, 20], values).unwrap();
    let chart = FieldChart { field: &field, cell_m: 1.0 };
    let oneself = [subject(5.0, 5.0)];
    let world = QueryWorld { contexts: &[&oneself], maps: &[&chart], ..yard.world() };
    let query = only(TestKindSpec::Influence { map: text("prediction") });
    let (values, scores) = ask(&query, &world, &[at(0.5, 0.5), at(1.5, 1.5), at(4.5, 0.5)]);
    assert_eq!((values, scores), (vec![1.0, 1.0, 0.0], vec![Some(1.0), Some(1.0), Some(0.0)]));
}

#[test]
fn an_influence_map_is_a_chart_of_its_walkable_cells() {
    let grid = Grid::build(Vec2::splat(-10.0), 1.0, [20, 20], |_| true).unwrap();
    let mut map = Map::new(&grid);
    map.raise(&grid, grid.cell_at(Vec2::new(0.5, 0.5)).unwrap(), 9.0);
    let chart = MapChart { map: &map, grid: &grid };
    let means = [0.5, 1.5, 4.5].map(|x| chart.mean(Vec2::new(x, 0.5), 0.0));
    assert_eq!(means, [1.0, 1.0, 0.0]);
}

#[test]
fn spread_and_repetition_go_by_the_nearest_claimed_point() {
    let yard = Yard::new(&[]);
    let (oneself, claimed) = ([subject(5.0, 5.0)], [subject(0.0, 0.0), subject(6.0, 0.0)]);
    let world = QueryWorld { contexts: &[&oneself, &oneself, &[], &claimed], ..yard.world() };
    let points = [at(3.0, 0.0), at(7.0, 0.0), at(-8.0, 0.0)];
    let (values, scores) = ask(&only(TestKindSpec::Spread { from: text("claimed") }), &world, &points);
    assert_eq!(values, [3.0, 1.0, 8.0]);
    assert!(scores[2] > scores[0] && scores[0] > scores[1]);
    let repetition = only(TestKindSpec::Repetition { from: text("claimed"), within_m: 2.0 });
    let kept =
        |world: &QueryWorld<'_>| ask(&repetition, world, &points).1.iter().map(Option::is_some).collect::<Vec<_>>();
    assert_eq!(kept(&world), [true, false, true]);
    assert_eq!(kept(&QueryWorld { contexts: &[&oneself], ..world }), [true; 3]);
}

#[test]
fn a_line_of_fire_ends_at_walls_and_at_friends() {
    let yard = Yard::new(&[(0.0, 0.0, 1.0)]);
    let (oneself, player, friends) = ([subject(-6.0, 0.0)], [subject(6.0, 0.0)], [subject(3.0, 2.0)]);
    let world = QueryWorld { contexts: &[&oneself, &player, &friends], ..yard.world() };
    let query = only(TestKindSpec::LineOfFire {
        to: text("target"),
        past: text("allies"),
        width_m: 0.5,
        height_m: 1.4,
        mark_m: None,
    });
    let points = [at(-6.0, 0.0), at(-6.0, -8.0), at(6.0, 6.0), at(0.0, 4.0)];
    let (values, scores) = ask(&query, &world, &points);
    assert_eq!(values, [0.0, 1.0, 1.0, 0.0]);
    assert_eq!(scores.iter().map(Option::is_some).collect::<Vec<_>>(), [false, true, true, false]);
}

#[test]
fn facing_height_and_clearance_measure_what_they_say() {
    let yard = Yard::new(&[]);
    let player = [Subject { yaw: math::FRAC_PI_2, ..subject(0.0, 0.0) }];
    let world = QueryWorld { contexts: &[&player, &player], ..yard.world() };
    let points = [at(-3.0, 0.0), at(3.0, 0.0), at(0.0, 9.0)];
    let facing = only(TestKindSpec::Facing { of: text("target"), each: Each::Least });
    let values = ask(&facing, &world, &points).0;
    assert!((values[0] - 1.0).abs() < 1e-5 && (values[1] + 1.0).abs() < 1e-5 && values[2].abs() < 1e-5);
    let low = [Subject::new(Vec3::new(0.0, -2.0, 0.0))];
    let height = only(TestKindSpec::Height { above: text("self"), each: Each::Least });
    assert_eq!(ask(&height, &QueryWorld { contexts: &[&low], ..world }, &points).0, [2.0; 3]);
    let clearance = only(TestKindSpec::Clearance { reach_m: 2.0 });
    let values = ask(&clearance, &world, &points).0;
    assert_eq!((values[0], values[1]), (2.0, 2.0));
    assert!((values[2] - 0.7).abs() < 1e-3);
}

#[test]
fn a_test_of_the_hosts_own_scores_and_drops_what_is_no_number() {
    let yard = Yard::new(&[]);
    let oneself = [subject(0.0, 0.0)];
    let table = |_: sentir_nav::mesh::MeshPoint, index: u32| [2.0, f32::NAN, 4.0, f32::INFINITY][index as usize];
    let world = QueryWorld { contexts: &[&oneself], tests: &[&table], ..yard.world() };
    let points = [at(1.0, 0.0), at(2.0, 0.0), at(3.0, 0.0), at(4.0, 0.0)];
    let test = TestSpec {
        scale: Some(Scale::Range { low: 0.0, high: 4.0 }),
        purpose: Some(Purpose::Score),
        ..TestSpec::new(TestKindSpec::Own { name: text("table") })
    };
    let query = query(vec![test]);
    assert_eq!(ask(&query, &world, &points).1, [Some(0.5), None, Some(1.0), None]);
    let give = |give: &mut dyn FnMut(Vec3)| points.iter().for_each(|&point| give(point));
    let mut run = QueryRun::default();
    run.ask(&query, &QueryWorld { generators: &[&give], ..world }, 0);
    assert_eq!(run.reason(&query, 1), Some(Reason::NoValue { test: 0 }));
    assert_eq!(run.tell(&query, 1).to_string(), "table has no value here");
    assert_eq!(run.reason(&query, 0), Some(Reason::Outscored { test: Some(0), gap: 0.5 }));
}

proptest! {
    #[test]
    fn chance_never_moves_a_point_by_more_than_its_share(
        scores in proptest::collection::vec(0.0f32..=1.0, 1..40),
        share in 0.05f32..=0.1,
        rng in any::<u64>(),
    ) {
        let yard = Yard::new(&[]);
        let oneself = [subject(0.0, 0.0)];
        let table = |_: sentir_nav::mesh::MeshPoint, index: u32| scores[index as usize];
        let give = |give: &mut dyn FnMut(Vec3)| (0..scores.len()).for_each(|number| give(at(number as f32 * 0.2 - 4.0, 0.0)));
        let world = QueryWorld { contexts: &[&oneself], tests: &[&table], generators: &[&give], ..yard.world() };
        let table = TestSpec {
            scale: Some(Scale::Range { low: 0.0, high: 1.0 }),
            ..TestSpec::new(TestKindSpec::Own { name: text("table") })
        };
        let tests = vec![table, TestSpec::new(TestKindSpec::Randomness { share })];
        let spec = QuerySpec { name: text("rng"), best: 0, points: own(), tests, ..QuerySpec::default() };
        let query = spec.build(&lexicon()).unwrap();
        let mut run = QueryRun::default();
        let best = run.ask(&query, &world, rng).best[0];
        for (index, &score) in (0..).zip(&scores) {
            prop_assert!((run.score(index).unwrap() - score).abs() <= share + 1e-6);
        }
        // A point that is worse by more than the share never wins.
        let greatest = scores.iter().copied().fold(0.0, math::max);
        prop_assert!(scores[best.index as usize] >= greatest - share / (1.0 - share) - 1e-5);
    }
}
