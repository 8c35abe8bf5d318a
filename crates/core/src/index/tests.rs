//! The contract of the index: the same answers as comparing every point, for any points, cells and pools.

use super::*;
use crate::pool::Serial;
use proptest::prelude::*;

/// Says it is wide, works in reverse order: whatever depends on the order or number of jobs shows.
struct Backwards(usize);

impl Pool for Backwards {
    fn width(&self) -> usize {
        self.0
    }

    fn run(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
        (0..count).rev().for_each(job);
    }
}

fn built(points: &[Vec2], cell_m: f32) -> PointIndex {
    let mut index = PointIndex::default();
    index.build(points, cell_m, &Serial);
    index
}

fn by_hand(points: &[Vec2], holds: impl Fn(Vec2) -> bool) -> Vec<u32> {
    (0..).zip(points).filter(|(_, point)| is_usable(**point) && holds(**point)).map(|(index, _)| index).collect()
}

/// Coarse coordinates, so that points coincide and lie exactly on borders and circles; a few wild ones.
fn point() -> impl Strategy<Value = Vec2> {
    let coarse = || (-40i32..40).prop_map(|step| step as f32 * 0.5);
    let fine = || -25.0f32..25.0;
    prop_oneof![
        6 => (coarse(), coarse()).prop_map(|(x, y)| Vec2::new(x, y)),
        6 => (fine(), fine()).prop_map(|(x, y)| Vec2::new(x, y)),
        1 => prop_oneof![
            Just(Vec2::NAN), Just(Vec2::new(f32::INFINITY, 0.0)), Just(Vec2::new(1e30, -1e30)), Just(Vec2::new(-0.0, 0.0))
        ],
    ]
}

fn points() -> impl Strategy<Value = Vec<Vec2>> {
    proptest::collection::vec(point(), 0..120)
}

fn cell() -> impl Strategy<Value = f32> {
    prop_oneof![Just(0.5f32), Just(1.0), Just(7.3), Just(100.0), Just(0.0), Just(f32::NAN)]
}

/// What a run names, by hand: the rows one after the other.
fn runs(index: &PointIndex, center: Vec2, radius: f32) -> Vec<(usize, u32)> {
    let lain: Vec<(usize, u32)> =
        index.rows().enumerate().flat_map(|(row, points)| points.map(move |(number, _)| (row, number))).collect();
    let mut found = Vec::new();
    index.visit_runs(center, radius, |row, run| {
        assert!(lain[run.clone()].iter().all(|&(lies, _)| lies == row));
        found.extend_from_slice(&lain[run]);
    });
    found
}

proptest! {
    #[test]
    fn runs_hold_all_that_is_near_and_nobody_twice(points in points(), cell in cell(), center in point(), radius in 0.0f32..30.0) {
        let index = built(&points, cell);
        prop_assert_eq!(index.rows().map(|row| row.len()).sum::<usize>(), index.len());
        let mut found: Vec<u32> = runs(&index, center, radius).iter().map(|&(_, number)| number).collect();
        let count = found.len();
        found.sort_unstable();
        found.dedup();
        prop_assert_eq!(found.len(), count);
        let near = by_hand(&points, |point| center.is_finite() && point.distance_squared(center) <= radius * radius);
        prop_assert!(near.iter().all(|number| found.binary_search(number).is_ok()));
        // What lies behind a run in its row is out of reach.
        for (row, points) in index.rows().enumerate() {
            let mine: Vec<u32> = runs(&index, center, radius).iter().filter(|&&(lies, _)| lies == row).map(|&(_, number)| number).collect();
            prop_assert!(points.filter(|(number, _)| !mine.contains(number)).all(|(number, _)| near.binary_search(&number).is_err()));
        }
    }

    #[test]
    fn radius_finds_what_comparing_finds(points in points(), cell in cell(), center in point(), radius in prop_oneof![0.0f32..30.0, Just(2.5), Just(f32::INFINITY), Just(-1.0)]) {
        let mut found = Vec::new();
        built(&points, cell).radius(center, radius, &mut found);
        let expected = by_hand(&points, |point| center.is_finite() && radius >= 0.0 && point.distance_squared(center) <= radius * radius);
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn boxed_finds_what_comparing_finds(points in points(), cell in cell(), a in point(), b in point()) {
        let mut found = Vec::new();
        let (low, high) = (a.min(b), a.max(b));
        built(&points, cell).boxed(low, high, &mut found);
        prop_assert_eq!(found, by_hand(&points, |point| point.cmpge(low).all() && point.cmple(high).all()));
    }

    #[test]
    fn segment_finds_what_comparing_finds(points in points(), cell in cell(), a in point(), b in point(), margin in prop_oneof![0.0f32..6.0, Just(0.5), Just(f32::NAN)]) {
        let mut found = Vec::new();
        built(&points, cell).segment(a, b, margin, &mut found);
        let expected = by_hand(&points, |point| {
            let (nearest, _) = plane::nearest_on_segment(a, b, point);
            a.is_finite() && b.is_finite() && nearest.distance_squared(point) <= margin * margin
        });
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn nearest_finds_what_sorting_finds(points in points(), cell in cell(), center in point(), count in 0usize..9, radius in prop_oneof![0.0f32..40.0, Just(f32::INFINITY)]) {
        let mut found = Vec::new();
        built(&points, cell).nearest(center, count, radius, &mut found);
        let mut expected: Vec<_> = (0..)
            .zip(&points)
            .filter(|(_, point)| center.is_finite() && is_usable(**point))
            .map(|(index, point)| Ranked { value: point.distance_squared(center), index })
            .filter(|rank| rank.value <= radius * radius)
            .collect();
        expected.sort();
        expected.truncate(count);
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn any_pool_builds_the_same_index(seed in any::<u64>(), width in 2usize..9, count in SHARED_POINTS_MIN..SHARED_POINTS_MIN * 2) {
        let mut random = crate::random::Streams { seed }.stream(0, crate::random::Purpose::new("points"));
        let points: Vec<_> = (0..count).map(|_| Vec2::new(random.between(-50.0, 50.0), random.between(-9.0, 9.0))).collect();
        let alone = built(&points, 1.0);
        let mut shared = PointIndex::default();
        shared.build(&points, 1.0, &Backwards(width));
        prop_assert_eq!(alone.items, shared.items);
        prop_assert_eq!(alone.starts, shared.starts);
    }
}

#[test]
fn nothing_is_found_in_nothing() {
    for points in [vec![], vec![Vec2::NAN; 3]] {
        let index = built(&points, 1.0);
        let (mut found, mut ranked) = (vec![9], vec![Ranked { value: 0.0, index: 9 }]);
        assert!(index.is_empty());
        index.radius(Vec2::ZERO, 10.0, &mut found);
        assert!(found.is_empty());
        index.segment(Vec2::ZERO, Vec2::ONE, 10.0, &mut found);
        index.boxed(Vec2::NEG_INFINITY, Vec2::INFINITY, &mut found);
        index.nearest(Vec2::ZERO, 5, 10.0, &mut ranked);
        assert!(found.is_empty() && ranked.is_empty());
    }
}

#[test]
fn an_index_can_be_built_again_with_fewer_points() {
    let mut index = built(&[Vec2::ZERO, Vec2::ONE, Vec2::X], 1.0);
    index.build(&[Vec2::ONE], 1.0, &Serial);
    let mut found = Vec::new();
    index.radius(Vec2::ZERO, 10.0, &mut found);
    assert_eq!(found, [0]);
    index.build(&[], 1.0, &Serial);
    assert_eq!(index.len(), 0);
}

#[test]
fn far_flung_points_do_not_make_a_huge_grid() {
    let index = built(&[Vec2::splat(-REACH_M), Vec2::splat(REACH_M), Vec2::ZERO], 0.5);
    assert!(index.starts.len() <= CELLS_MIN + 1);
}
