//! Promises of every query: stages change nothing, reasons are causes, warm runs allocate nothing.

use super::yard::{Yard, at, lexicon, own};
use proptest::prelude::*;
use sentir_nav::mesh::MeshPoint;
use sentir_nav::tactic::{Exposure, ExposurePrice, Tactic};
use sentir_space::core::budget::Budget;
use sentir_space::core::glam::Vec3;
use sentir_space::query::{
    Best, Progress, Query, QueryEnding, QueryRun, QuerySpec, QueryWorld, Reason, STOCK, Scale, Subject, TestKindSpec,
    TestSpec, load,
};
use sentir_space::visibility::Seen;

fn stock(name: &str) -> Query {
    let bytes = STOCK.iter().find(|(one, _)| *one == name).unwrap().1;
    load(bytes, name, &lexicon()).unwrap()
}

/// A query of two tables: the first one drops under 0.3 and scores, the second one drops over 0.8.
fn tables() -> QuerySpec {
    let scale = Some(Scale::Range { low: 0.0, high: 1.0 });
    let own_test = |name: &str| TestSpec { scale, ..TestSpec::new(TestKindSpec::Own { name: name.to_owned() }) };
    let tests = vec![
        TestSpec { least: Some(0.3), ..own_test("table") },
        TestSpec { most: Some(0.8), weight: 2.0, ..own_test("other") },
    ];
    QuerySpec { name: "tables".to_owned(), best: 0, points: own(), tests, ..QuerySpec::default() }
}

/// Asks the query of tables.
fn ask(values: [&[f32]; 2], work: impl FnOnce(&QueryRun, &Query, QueryEnding)) {
    let yard = Yard::new(&[]);
    let oneself = [Subject::new(Vec3::ZERO)];
    let first = |_: MeshPoint, index: u32| values[0][index as usize];
    let second = |_: MeshPoint, index: u32| values[1][index as usize];
    let count = values[0].len();
    let give = |give: &mut dyn FnMut(Vec3)| (0..count).for_each(|number| give(at(number as f32 * 0.1 - 5.0, 0.0)));
    let world = QueryWorld {
        contexts: &[&oneself],
        tests: &[&first, &second],
        generators: &[&give],
        ..QueryWorld::new(&yard.mesh)
    };
    let query = tables().build(&lexicon()).unwrap();
    let mut run = QueryRun::default();
    let ending = run.ask(&query, &world, 0).ending;
    work(&run, &query, ending);
}

#[test]
fn a_query_that_loses_all_points_names_the_test_that_took_the_last() {
    ask([&[0.1, 0.9, 0.8], &[0.0, 0.9, 0.95]], |run, query, ending| {
        assert_eq!(ending, QueryEnding::NoPoint { test: Some(1), dropped: 2 });
        let expected = Reason::Dropped { test: 1, value: 0.9, least: f32::NEG_INFINITY, most: 0.8 };
        assert_eq!(run.reason(query, 1), Some(expected));
        assert_eq!(run.tell(query, 1).to_string(), "other is 0.90: expected at most 0.80");
        assert_eq!(run.tell(query, 0).to_string(), "table is 0.10: expected at least 0.30");
        assert_eq!(run.reason(query, 9), None);
    });
}

#[test]
fn scores_are_weighted_means_and_are_told_test_by_test() {
    ask([&[0.6, 0.9], &[0.3, 0.3]], |run, query, ending| {
        assert_eq!(ending, QueryEnding::Found);
        assert!((run.score(0).unwrap() - 0.4).abs() < 1e-6);
        let told: Vec<_> =
            run.scored(query, 0).map(|it| (it.test, it.value, it.share, (it.score * 100.0).round())).collect();
        assert_eq!(told, [(0, 0.6, 0.6, 20.0), (1, 0.3, 0.3, 20.0)]);
        assert_eq!(run.reason(query, 1), Some(Reason::Won));
        assert!(matches!(run.reason(query, 0), Some(Reason::Outscored { test: Some(0), .. })));
    });
}

#[test]
fn nobody_in_a_context_that_is_needed_is_an_outcome() {
    let yard = Yard::new(&[]);
    let oneself = [Subject::new(Vec3::ZERO)];
    let mut run = QueryRun::default();
    let ending = run.ask(&stock("cover"), &QueryWorld { contexts: &[&oneself], ..yard.world() }, 0).ending;
    assert_eq!(ending, QueryEnding::NoContext { context: 1 });
    assert_eq!(run.ask(&stock("cover"), &yard.world(), 0).ending, QueryEnding::NoContext { context: 0 });
    // A subject that is nowhere is there, and finds nothing.
    let lost = [Subject::new(Vec3::NAN)];
    let answer = run.ask(&stock("cover"), &QueryWorld { contexts: &[&lost, &oneself], ..yard.world() }, 0);
    assert_eq!(answer.ending, QueryEnding::NoPoint { test: None, dropped: 0 });
}

#[test]
fn a_run_is_stale_when_what_stands_has_changed() {
    let yard = Yard::new(&[]);
    let oneself = [Subject::new(Vec3::ZERO)];
    let world = QueryWorld { contexts: &[&oneself, &oneself], ..yard.world() };
    let query = stock("clear_line");
    let mut run = QueryRun::default();
    assert_eq!(run.step(&query, &world, &mut Budget::new(100)), Progress::Stale);
    run.begin(&query, &world, 0);
    assert_eq!(run.answer().ending, QueryEnding::Unfinished);
    assert_eq!(run.step(&query, &world, &mut Budget::new(0)), Progress::Working);
    assert_eq!(run.step(&query, &QueryWorld { version: 1, ..world }, &mut Budget::new(100)), Progress::Stale);
}

/// What an answer was.
fn noted(run: &QueryRun) -> (QueryEnding, Vec<Best>) {
    (run.answer().ending, run.answer().best.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn stages_and_whole_runs_give_the_same_answer(
        pillars in proptest::collection::vec((-7i8..8, -7i8..8), 0..5),
        ends in (-8.0f32..8.0, -8.0f32..8.0, -8.0f32..8.0, -8.0f32..8.0),
        units in 1u32..3000,
        number in 0usize..6,
        rng in any::<u64>(),
    ) {
        let mut squares: Vec<(f32, f32, f32)> = Vec::new();
        for (x, y) in pillars {
            let (x, y) = (f32::from(x), f32::from(y));
            if squares.iter().all(|it| (it.0 - x).abs() > 2.5 || (it.1 - y).abs() > 2.5) {
                squares.push((x, y, 1.0));
            }
        }
        let yard = Yard::new(&squares);
        let (mine, its) = (yard.region(ends.0, ends.1), yard.region(ends.2, ends.3));
        let oneself = [Subject { seen: Some(&mine), ..Subject::new(at(ends.0, ends.1)) }];
        let target = [Subject { seen: Some(&its), ..Subject::new(at(ends.2, ends.3)) }];
        let claimed = [Subject::new(at(3.0, 3.0))];
        let world = QueryWorld { contexts: &[&oneself, &target, &[], &claimed], ..yard.world() };
        let query = stock(STOCK[number].0);
        let (mut whole, mut staged) = (QueryRun::default(), QueryRun::default());
        whole.ask(&query, &world, rng);
        staged.begin(&query, &world, rng);
        // What moves may move on; it was read at the beginning.
        let elsewhere = [Subject::new(at(-9.0, 9.0))];
        let later = QueryWorld { contexts: &[&elsewhere, &elsewhere, &elsewhere, &elsewhere], ..world };
        let mut steps = 0;
        while staged.step(&query, &later, &mut Budget::new(units)) == Progress::Working {
            steps += 1;
            prop_assert!(steps < 100_000);
        }
        prop_assert_eq!(noted(&whole), noted(&staged));
        for index in 0..whole.point_count() as u32 {
            prop_assert_eq!(whole.reason(&query, index), staged.reason(&query, index));
        }
        // The same luck, the same answer; the memory of another run changes nothing.
        let before = noted(&whole);
        staged.ask(&query, &world, rng);
        prop_assert_eq!(noted(&staged), before);
    }

    /// Points whose ways cannot win are not looked for; the best are the same, bit for bit.
    #[test]
    fn ways_that_are_not_looked_for_change_no_answer(
        pillars in proptest::collection::vec((-6i8..7, -6i8..7), 0..5),
        ends in (-8.0f32..8.0, -8.0f32..8.0, -8.0f32..8.0, -8.0f32..8.0),
        (weight, high, is_tactic) in (0.2f32..6.0, 5.0f32..60.0, any::<bool>()),
        (best, rng) in (1u32..40, any::<u64>()),
        has_island in any::<bool>(),
    ) {
        let mut squares: Vec<(f32, f32, f32)> = Vec::new();
        for (x, y) in pillars {
            let (x, y) = (f32::from(x), f32::from(y));
            if squares.iter().all(|it| (it.0 - x).abs() > 2.5 || (it.1 - y).abs() > 2.5) {
                squares.push((x, y, 1.0));
            }
        }
        let yard = if has_island { Yard::with_island(&squares) } else { Yard::new(&squares) };
        let its = yard.region(ends.2, ends.3);
        let oneself = [Subject::new(at(ends.0, ends.1))];
        let target = [Subject { seen: Some(&its), ..Subject::new(at(ends.2, ends.3)) }];
        let sight = Seen { regions: std::slice::from_ref(&its), band_m: [-5.0, 5.0] };
        let exposure = Some(Exposure { sight: &sight, price: ExposurePrice::new(3.0, 1.0) });
        let tactic = Tactic { layers: &[], exposure };
        let world = QueryWorld { contexts: &[&oneself, &target], tactic, ..yard.world() };
        let by = if is_tactic { "tactic" } else { "length" };
        let text = format!(
            "sentir: query 1\nname: bounded\nbest: {best}\npoints:\n  - grid: {{ half_m: 14, step_m: 1 }}\ntests:\n  \
             - test: {{ path_cost: {{ by: {by} }} }}\n    weight: {weight}\n    scale: {{ range: {{ low: 0, high: {high} }} }}\n  \
             - test: {{ distance: {{ to: target }} }}\n    least: 2\n    weight: 3\n  \
             - test: {{ obstacles: {{ reach_m: 2 }} }}\n  - test: {{ randomness: {{ share: 0.06 }} }}\n"
        );
        let query = load(text.as_bytes(), "bounded.yaml", &lexicon()).unwrap();
        let (mut few, mut all) = (QueryRun::default(), QueryRun::default());
        few.ask(&query, &world, rng);
        let whole = query.asking_all();
        all.ask(&whole, &world, rng);
        let wanted = all.answer().best.len().min(best as usize);
        prop_assert_eq!(few.answer().ending, all.answer().ending);
        prop_assert_eq!(few.answer().best, &all.answer().best[..wanted]);
        for index in 0..few.point_count() as u32 {
            match few.reason(&query, index) {
                // Who was not looked at is worse than every one of the best, or has no way.
                Some(Reason::Behind { .. }) => {
                    let last = few.answer().best.last().map_or(0.0, |best| best.score);
                    prop_assert!(all.score(index).is_none_or(|score| score < last));
                }
                Some(Reason::Dropped { .. } | Reason::NoValue { .. } | Reason::OffMesh) => {
                    prop_assert_eq!(few.reason(&query, index), all.reason(&whole, index));
                }
                _ => prop_assert_eq!(few.score(index), all.score(index)),
            }
        }
    }

    /// Change the value that is named, and it is the reason no more.
    #[test]
    fn the_named_reason_is_the_cause(
        first in proptest::collection::vec(0.0f32..=1.0, 25),
        second in proptest::collection::vec(0.0f32..=1.0, 25),
        point in 0u32..25,
    ) {
        let mut reason = None;
        ask([&first, &second], |run, query, _| reason = run.reason(query, point));
        let (mut first, mut second) = (first, second);
        let at = point as usize;
        match reason.unwrap() {
            Reason::Dropped { test: 0, value, least, .. } => {
                prop_assert!(value == first[at] && value < least);
                first[at] = 0.9;
            }
            Reason::Dropped { value, most, .. } => {
                prop_assert!(value == second[at] && value > most);
                second[at] = 0.1;
            }
            Reason::Outscored { test: Some(test), gap } => {
                prop_assert!(gap > 0.0);
                if test == 0 { first[at] = 1.0 } else { second[at] = 0.8 }
            }
            other => {
                let is_best = matches!(other, Reason::Won | Reason::Outscored { test: None, .. });
                prop_assert!(is_best);
            }
        }
        let mut after = None;
        ask([&first, &second], |run, query, _| after = run.reason(query, point));
        match (reason.unwrap(), after.unwrap()) {
            (Reason::Dropped { test, .. }, Reason::Dropped { test: then, .. }) => prop_assert!(test != then),
            (Reason::Outscored { test: Some(test), .. }, Reason::Outscored { test: Some(then), .. }) => {
                prop_assert!(test != then);
            }
            (Reason::Won, Reason::Won) | (_, Reason::Outscored { .. } | Reason::Won | Reason::Dropped { .. }) => {}
            (_, other) => prop_assert!(false, "{:?}", other),
        }
    }
}

#[test]
fn two_hundred_lost_points_have_reasons_that_are_causes() {
    let yard = Yard::new(&[(0.0, 0.0, 1.0), (4.0, 4.0, 1.0), (-5.0, 3.0, 1.5), (3.0, -5.0, 1.0)]);
    let region = yard.region(-7.0, -7.0);
    let (oneself, claimed) = ([Subject::new(at(6.0, 6.0))], [Subject::new(at(2.0, 2.0))]);
    let target = [Subject { seen: Some(&region), ..Subject::new(at(-7.0, -7.0)) }];
    let world = QueryWorld { contexts: &[&oneself, &target, &[], &claimed], ..yard.world() };
    let spec = |distance: f32, flank: f32, cost: f32| {
        let bounded = |test, least, most| TestSpec { least, most, ..TestSpec::new(test) };
        let name = str::to_owned;
        let tests = vec![
            bounded(TestKindSpec::Distance { to: name("self"), each: Default::default() }, None, Some(distance)),
            bounded(TestKindSpec::Flank { target: name("target"), from: name("claimed") }, Some(flank), None),
            bounded(TestKindSpec::PathCost { by: Default::default() }, None, Some(cost)),
        ];
        let grid = sentir_space::query::GeneratorSpec::Grid { around: name("self"), half_m: 16.0, step_m: 0.8 };
        let spec = QuerySpec { name: name("causes"), best: 0, points: vec![grid], tests, ..QuerySpec::default() };
        spec.build(&lexicon()).unwrap()
    };
    let query = spec(12.0, 0.2, 11.0);
    let mut run = QueryRun::default();
    run.ask(&query, &world, 3);
    let mut seen = [0; 3];
    for index in 0..run.point_count() as u32 {
        let Some(Reason::Dropped { test, value, .. }) = run.reason(&query, index) else { continue };
        seen[usize::from(test)] += 1;
        if seen.iter().sum::<u32>() > 200 {
            continue;
        }
        // With the bound moved just past the value, the test is the reason no more.
        let relaxed = match test {
            0 => spec(value, 0.2, 11.0),
            1 => spec(12.0, value, 11.0),
            _ => spec(12.0, 0.2, value),
        };
        let mut again = QueryRun::default();
        again.ask(&relaxed, &world, 3);
        let then = again.reason(&relaxed, index).unwrap();
        assert!(!matches!(then, Reason::Dropped { test: other, .. } if other == test), "{index}: {then:?}");
    }
    assert!(seen.iter().all(|&count| count > 5) && seen.iter().sum::<u32>() >= 200, "{seen:?}");
}

#[test]
fn warm_queries_allocate_nothing() {
    let yard = Yard::new(&[(0.0, 0.0, 1.0), (4.0, 4.0, 1.0), (-5.0, 3.0, 1.5)]);
    let region = yard.region(-7.0, -7.0);
    let oneself = [Subject { seen: Some(&region), ..Subject::new(at(6.0, 6.0)) }];
    let target = [Subject { seen: Some(&region), ..Subject::new(at(-7.0, -7.0)) }];
    let world = QueryWorld { contexts: &[&oneself, &target], ..yard.world() };
    let mut run = QueryRun::default();
    let mut asked = 0;
    for (name, _) in STOCK {
        let query = stock(name);
        let before = run.ask(&query, &world, 5).best.to_vec();
        let mut is_same = false;
        let used = allocation_counter::measure(|| is_same = run.ask(&query, &world, 5).best == before);
        assert!(is_same && used.count_total == 0, "{name}: {}", used.count_total);
        asked += 1;
    }
    assert_eq!(asked, 6);
}

#[test]
fn most_ways_are_not_looked_for_where_other_tests_decide() {
    let yard = Yard::new(&[(0.0, 0.0, 1.0), (4.0, 4.0, 1.0), (-5.0, 3.0, 1.5)]);
    let (oneself, target) = ([Subject::new(at(6.0, 6.0))], [Subject::new(at(-7.0, -7.0))]);
    let world = QueryWorld { contexts: &[&oneself, &target], ..yard.world() };
    let text = b"sentir: query 1\nname: bounded\npoints:\n  - grid: { half_m: 16, step_m: 1 }\ntests:\n  - test: { path_cost: {} }\n    \
        scale: { range: { low: 0, high: 30 } }\n  - test: { distance: { to: target } }\n    weight: 8\n";
    let query = load(text, "bounded.yaml", &lexicon()).unwrap();
    let mut run = QueryRun::default();
    let before = run.ask(&query, &world, 5).best.to_vec();
    let behind: Vec<u32> = (0..run.point_count() as u32)
        .filter(|&index| matches!(run.reason(&query, index), Some(Reason::Behind { .. })))
        .collect();
    assert!(behind.len() > 250, "{}", behind.len());
    let told = run.tell(&query, behind[0]).to_string();
    assert_eq!(told, "others are better, whatever path_cost is: it was not looked for");
    assert_eq!(run.score(behind[0]), None);
    let mut is_same = false;
    let used = allocation_counter::measure(|| is_same = run.ask(&query, &world, 5).best == before);
    assert!(is_same && used.count_total == 0, "{}", used.count_total);
}
