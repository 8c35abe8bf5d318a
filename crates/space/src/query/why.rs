//! Why a point won or lost: which test dropped it and by which value, or which test put it behind the best one.

use std::fmt;

use sentir_core::glam::Vec3;

use super::build::Query;
use super::rank::share;
use super::run::{Fate, QueryEnding, QueryRun};

/// What became of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reason {
    /// It is the best one.
    Won,
    /// No navigable ground is near.
    OffMesh,
    /// A test dropped it.
    Dropped {
        /// Which test.
        test: u16,
        /// What it measured.
        value: f32,
        /// What it should have been at least.
        least: f32,
        /// What it should have been at most.
        most: f32,
    },
    /// A test could not score it: no way leads there.
    NoValue {
        /// Which test.
        test: u16,
    },
    /// Another point is better.
    Outscored {
        /// The test by which it fell back most; none if only chance or order decided.
        test: Option<u16>,
        /// By how much of the whole score.
        gap: f32,
    },
    /// Whatever its way costs, others are better: no way was looked for. [`Query::asking_all`] looks for all.
    Behind {
        /// The test of ways.
        test: u16,
    },
    /// The query has not ended.
    Unfinished,
}

/// What one test made of a point that was scored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TestScore {
    /// Which test.
    pub test: u16,
    /// What it measured.
    pub value: f32,
    /// Where that lies on its scale. Limit: 0..=1.
    pub share: f32,
    /// What it adds to the score of the point, before chance takes its part. Limit: 0..=1.
    pub score: f32,
}

impl QueryRun {
    /// Where a point is: on the ground, or as it was generated if there is none near.
    pub fn point(&self, index: u32) -> Option<Vec3> {
        self.places.get(index as usize).map(|place| place.point)
    }

    /// The score of a point; none if it was dropped.
    pub fn score(&self, index: u32) -> Option<f32> {
        let is_alive = self.fates.get(index as usize) == Some(&Fate::Alive);
        if is_alive { self.scores.get(index as usize).copied() } else { None }
    }

    /// What a test measured at a point. Of a dropped one only what came up to and with the test that dropped it counts.
    pub fn value(&self, test: u16, index: u32) -> Option<f32> {
        let slot = usize::from(test) * self.found.len() + index as usize;
        if (index as usize) < self.found.len() { self.values.get(slot).copied() } else { None }
    }

    /// Why a point won or lost. None if there is no such point.
    pub fn reason(&self, query: &Query, index: u32) -> Option<Reason> {
        let fate = *self.fates.get(index as usize)?;
        Some(match fate {
            Fate::OffMesh => Reason::OffMesh,
            Fate::NoValue { test } => Reason::NoValue { test },
            Fate::Behind { test } => Reason::Behind { test },
            Fate::Dropped { test } => {
                let value = self.value(test, index).unwrap_or(f32::NAN);
                let rule = &query.tests[usize::from(test)];
                Reason::Dropped { test, value, least: rule.least, most: rule.most }
            }
            Fate::Alive if self.ending != Some(QueryEnding::Found) => Reason::Unfinished,
            Fate::Alive if self.best.first().is_some_and(|best| best.index == index) => Reason::Won,
            Fate::Alive => self.outscored(query, index),
        })
    }

    fn outscored(&self, query: &Query, index: u32) -> Reason {
        let winner = self.best.first().map_or(index, |best| best.index);
        let (mut test, mut gap) = (None, 0.0);
        for (mine, its) in self.scored(query, index).zip(self.scored(query, winner)) {
            if its.score - mine.score > gap {
                (test, gap) = (Some(mine.test), its.score - mine.score);
            }
        }
        Reason::Outscored { test, gap }
    }

    /// What each scoring test made of a point, in the order of tests. Empty for one that was dropped, and before the end.
    pub fn scored<'a>(&'a self, query: &'a Query, index: u32) -> impl Iterator<Item = TestScore> + 'a {
        let is_scored = self.score(index).is_some() && self.ending == Some(QueryEnding::Found);
        let tests = (0u16..).zip(&query.tests).filter(move |(_, test)| is_scored && test.is_score);
        tests.map(move |(number, test)| {
            let value = self.value(number, index).unwrap_or(0.0);
            let share = share(self.limits[usize::from(number)], value);
            let part = if query.weight_sum > 0.0 { test.weight / query.weight_sum } else { 0.0 };
            TestScore { test: number, value, share, score: part * test.curve.at(share) }
        })
    }

    /// The reason of a point as a sentence.
    pub fn tell<'a>(&self, query: &'a Query, index: u32) -> Telling<'a> {
        Telling { query, reason: self.reason(query, index) }
    }
}

/// A reason as a sentence.
#[derive(Clone, Copy, Debug)]
pub struct Telling<'a> {
    query: &'a Query,
    reason: Option<Reason>,
}

impl fmt::Display for Telling<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |test: u16| self.query.tests.get(usize::from(test)).map_or("?", |test| test.name.as_str());
        match self.reason {
            None => write!(f, "there is no such point"),
            Some(Reason::Won) => write!(f, "the best one"),
            Some(Reason::OffMesh) => write!(f, "no navigable ground is near"),
            Some(Reason::Dropped { test, value, least, .. }) if value < least => {
                write!(f, "{} is {value:.2}: expected at least {least:.2}", name(test))
            }
            Some(Reason::Dropped { test, value, most, .. }) => {
                let bound = if most == f32::MAX { "hidden".to_owned() } else { format!("at most {most:.2}") };
                let found = if value == f32::INFINITY { "seen".to_owned() } else { format!("{value:.2}") };
                write!(f, "{} is {found}: expected {bound}", name(test))
            }
            Some(Reason::NoValue { test }) => write!(f, "{} has no value here", name(test)),
            Some(Reason::Outscored { test: Some(test), gap }) => {
                write!(f, "{} puts it {gap:.2} behind the best one", name(test))
            }
            Some(Reason::Outscored { test: None, .. }) => {
                write!(f, "as good as the best one, but for chance and order")
            }
            Some(Reason::Behind { test }) => {
                write!(f, "others are better, whatever {} is: it was not looked for", name(test))
            }
            Some(Reason::Unfinished) => write!(f, "not known yet"),
        }
    }
}
