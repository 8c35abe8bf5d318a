//! Scores, ranks, and ways: which points are best, with no more searching than that takes.
//!
//! Ways are dear and mostly come last, when all other scores are known. A test of ways with a fixed scale on which less is
//! better then adds at most what the straight line would: points that stay behind the best ones even so are not looked at.
//! Ways are found in batches, the most hopeful points first, until no point left could still be among those wanted. The
//! answer is bit for bit that of looking for all ways (tested), as what a way costs does not depend on what else is asked.

use std::ops::Range;

use sentir_core::random::{Purpose, Streams};
use sentir_core::{math, plane};
use sentir_nav::mesh::MeshPoint;
use sentir_nav::tactic::{FloodQuery, LabelConfig, Tactic};

use super::build::{Query, Test, TestKind};
use super::curve::Curve;
use super::measure;
use super::run::{Best, FOOTING_M, Fate, QueryEnding, QueryRun, fate};
use super::spec::{PathBy, Scale};
use super::world::{Lexicon, QueryWorld};

const LUCK: Purpose = Purpose::new("environment query");
/// How many ways are looked for at once at least.
const BATCH: usize = 8;
/// Scores nearer than this may be the same but for rounding.
const ROUNDING: f32 = 1e-5;

/// A test of path costs at work.
struct PathTest<'a> {
    /// Which of the query's tests.
    number: u16,
    /// Where the paths begin; none off the mesh.
    from: Option<MeshPoint>,
    tactic: Tactic<'a>,
}

impl QueryRun {
    /// What ways to the points that are left cost; the work it takes. `is_last`: no other test comes after it.
    pub(super) fn find_paths(&mut self, query: &Query, world: &QueryWorld<'_>, (number, is_last): (u16, bool)) -> u32 {
        let test = &query.tests[usize::from(number)];
        let TestKind::PathCost { by } = test.kind else { return 0 };
        let oneself = self.frozen.of(Lexicon::ONESELF).first();
        let from = oneself.and_then(|it| world.mesh.nearest(it.position, FOOTING_M));
        let tactic = if by == PathBy::Tactic { world.tactic } else { Tactic::default() };
        self.hopes.clear();
        self.hopes.extend(self.alive.iter().map(|&index| (f32::INFINITY, index)));
        let mut wanted = self.hopes.len();
        if is_last && test.is_score && !test.is_filter {
            self.last = Some(number);
            self.weigh(query);
            if let Some(from) = from.filter(|_| is_bounded(query, test) && world.mesh.links().is_empty()) {
                self.hope(query, (number, from), tactic.floor_per_m() as f32);
                wanted = BATCH;
            }
        }
        let mut sought = 0;
        while wanted > 0 && sought < self.hopes.len() {
            let batch = sought..self.hopes.len().min(sought + wanted);
            sought = batch.end;
            self.seek(query, world, &PathTest { number, from, tactic }, batch);
            wanted = if sought < self.hopes.len() { self.doubtful(query, number, sought) } else { 0 };
        }
        let points = world.spread.map_or(0, |spread| spread.len() as u32);
        (sought as u32).saturating_mul(test.kind.work()).saturating_add(points)
    }

    /// Looks for the ways to some of the points of `hopes`.
    fn seek(&mut self, query: &Query, world: &QueryWorld<'_>, paths: &PathTest<'_>, batch: Range<usize>) {
        let PathTest { number, from, tactic } = *paths;
        let test = &query.tests[usize::from(number)];
        let slots = usize::from(number) * self.found.len();
        self.goals.clear();
        self.goals.extend(self.hopes[batch.clone()].iter().map(|&(_, index)| self.places[index as usize]));
        let costs = match (from, world.spread) {
            (Some(from), Some(spread)) => {
                let (costs, bounds) = (world.costs, LabelConfig::default());
                let ask = FloodQuery { from, costs, tactic, bounds, cost_max: cost_max(test) };
                self.flood.fill(world.mesh, spread, &self.goals, &ask).costs
            }
            _ => &[],
        };
        for (place, &(_, index)) in self.hopes[batch].iter().enumerate() {
            let goal = self.places[index as usize];
            let straight = || from.map_or(f32::INFINITY, |from| measure::straight(world, from, goal));
            let value = costs.get(place).map_or_else(straight, |&cost| cost as f32);
            self.values[slots + index as usize] = value;
            self.fates[index as usize] = fate(test, number, value);
        }
    }

    /// How good each point may be at most: by a way as long as the straight line and never seen. Best first.
    fn hope(&mut self, query: &Query, (number, from): (u16, MeshPoint), floor_per_m: f32) {
        let test = &query.tests[usize::from(number)];
        let limits = limits(test.scale, std::iter::empty());
        let mut hopes = std::mem::take(&mut self.hopes);
        for (hope, index) in &mut hopes {
            let way = plane::ground(self.places[*index as usize].point - from.point).length();
            *hope = self.total(query, *index, part(test, limits, way * floor_per_m * (1.0 - ROUNDING)));
            self.fates[*index as usize] = Fate::Behind { test: number };
        }
        hopes.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        self.hopes = hopes;
    }

    /// How many of the points of `hopes` from a place on, whose ways are not known, may still be among the best.
    fn doubtful(&mut self, query: &Query, number: u16, from: usize) -> usize {
        let test = &query.tests[usize::from(number)];
        let limits = limits(test.scale, std::iter::empty());
        let slots = usize::from(number) * self.found.len();
        self.best.clear();
        for place in 0..self.alive.len() {
            let index = self.alive[place];
            if self.fates[index as usize] == Fate::Alive {
                let score = self.total(query, index, part(test, limits, self.values[slots + index as usize]));
                self.best.push(Best { index, place: self.places[index as usize], score });
            }
        }
        let wanted = query.best as usize;
        let floor = if self.best.len() < wanted {
            f32::NEG_INFINITY
        } else {
            self.best.select_nth_unstable_by(wanted - 1, |a, b| b.score.total_cmp(&a.score)).1.score
        };
        self.best.clear();
        self.hopes[from..].partition_point(|&(hope, _)| hope >= floor - ROUNDING)
    }

    /// Adds up the scores of all tests but the last of ways, over the points that are left now.
    fn weigh(&mut self, query: &Query) {
        let count = self.found.len();
        self.scores.clear();
        self.scores.resize(count, 0.0);
        self.limits.clear();
        self.limits.resize(query.tests.len(), [0.0, 1.0]);
        let last = self.last.map(usize::from);
        for (number, test) in query.tests.iter().enumerate().filter(|(_, test)| test.is_score) {
            if Some(number) == last {
                continue;
            }
            let values = &self.values[number * count..][..count];
            self.limits[number] = limits(test.scale, self.alive.iter().map(|&index| values[index as usize]));
            for &index in &self.alive {
                self.scores[index as usize] += part(test, self.limits[number], values[index as usize]);
            }
        }
    }

    /// The score of a point whose sum is known, with what is added to it: the mean, and chance for its share.
    fn total(&self, query: &Query, index: u32, more: f32) -> f32 {
        let sum = self.scores[index as usize] + more;
        let score = if query.weight_sum > 0.0 { sum / query.weight_sum } else { 0.0 };
        if query.share > 0.0 {
            let chance = Streams { seed: self.rng }.stream(index.into(), LUCK).unit();
            return score * (1.0 - query.share) + chance * query.share;
        }
        score
    }

    /// Scores what is left, and ranks it.
    pub(super) fn finish(&mut self, query: &Query) {
        let count = self.found.len();
        if self.alive.is_empty() {
            self.scores.resize(count, 0.0);
            self.limits.resize(query.tests.len(), [0.0, 1.0]);
            let ending = self.ending.unwrap_or(QueryEnding::NoPoint { test: None, dropped: count as u32 });
            self.end(ending);
            return;
        }
        let last = self.last.map(|number| (usize::from(number), &query.tests[usize::from(number)]));
        match last {
            None => self.weigh(query),
            Some((number, test)) => {
                let values = &self.values[number * count..][..count];
                self.limits[number] = limits(test.scale, self.alive.iter().map(|&index| values[index as usize]));
            }
        }
        for place in 0..self.alive.len() {
            let index = self.alive[place];
            let more = last.map_or(0.0, |(number, test)| {
                part(test, self.limits[number], self.values[number * count + index as usize])
            });
            let score = self.total(query, index, more);
            self.scores[index as usize] = score;
            self.best.push(Best { index, place: self.places[index as usize], score });
        }
        let wanted = if query.best == 0 { count } else { query.best as usize };
        let order = |a: &Best, b: &Best| b.score.total_cmp(&a.score).then(a.index.cmp(&b.index));
        if wanted < self.best.len() {
            self.best.select_nth_unstable_by(wanted, order);
            self.best.truncate(wanted);
        }
        self.best.sort_unstable_by(order);
        self.end(QueryEnding::Found);
    }
}

/// Whether a test of ways can be bounded before any way is known: a fixed scale on which less is better; and not all points
/// are wanted.
fn is_bounded(query: &Query, test: &Test) -> bool {
    let falls = matches!(test.curve, Curve::Inverse | Curve::InversePower { .. });
    query.best > 0 && falls && matches!(test.scale, Scale::Range { .. })
}

/// From which cost on all ways are worth the same.
fn cost_max(test: &Test) -> f64 {
    match test.scale {
        Scale::Range { high, .. } if !test.is_filter => high.into(),
        _ => f64::INFINITY,
    }
}

/// What a value adds to the sum of a point.
fn part(test: &Test, limits: [f32; 2], value: f32) -> f32 {
    test.weight * test.curve.at(share(limits, value))
}

/// What is 0 and what is 1.
fn limits(scale: Scale, values: impl Iterator<Item = f32>) -> [f32; 2] {
    match scale {
        Scale::Range { low, high } => [low, high],
        Scale::Greatest => [0.0, values.fold(0.0, math::max)],
        Scale::Survivors => values.fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], value| {
            [math::min(low, value), math::max(high, value)]
        }),
    }
}

/// Where a value lies between them, held within; a half if they are one.
pub(super) fn share([low, high]: [f32; 2], value: f32) -> f32 {
    if low < high { math::saturate((value - low) / (high - low)) } else { 0.5 }
}
