//! Tests of boards: the conditions that need no code. All they read is on boards, so that observers can tell by the dirty
//! bits when to ask again.
//!
//! A comparison with a missing value does not hold, whatever the operator: ask [`Test::IsUnset`] for what is missing.

use sentir_core::glam::Vec3;
use std::cmp::Ordering;
use std::fmt;

use crate::board::Board;
use crate::key::{AnyBind, AnyKey, Bind, Key, KeySet};
use crate::value::{Fact, Value};

/// How two values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// They are the same.
    Equal,
    /// They differ.
    Unequal,
    /// The first is less.
    Less,
    /// The first is less, or they are the same.
    AtMost,
    /// The first is more.
    More,
    /// The first is more, or they are the same.
    AtLeast,
}

impl Comparison {
    /// All of them, with their names in files.
    pub const NAMES: [(&'static str, Comparison); 6] = [
        ("==", Comparison::Equal),
        ("!=", Comparison::Unequal),
        ("<", Comparison::Less),
        ("<=", Comparison::AtMost),
        (">", Comparison::More),
        (">=", Comparison::AtLeast),
    ];

    /// The name in files.
    pub fn name(self) -> &'static str {
        Comparison::NAMES.iter().find(|(_, one)| *one == self).map_or("", |(name, _)| name)
    }

    /// Whether it needs values that have an order.
    pub fn needs_order(self) -> bool {
        !matches!(self, Comparison::Equal | Comparison::Unequal)
    }

    /// Whether it holds between two values of one kind. Without an order between them, less and more do not.
    #[inline]
    pub fn holds(self, left: Value, right: Value) -> bool {
        let order = left.order(right);
        match self {
            Comparison::Equal => order == Some(Ordering::Equal),
            Comparison::Unequal => order != Some(Ordering::Equal),
            Comparison::Less => order == Some(Ordering::Less),
            Comparison::AtMost => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            Comparison::More => order == Some(Ordering::Greater),
            Comparison::AtLeast => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        }
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A question about boards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Test {
    /// The key has a value.
    IsSet(AnyKey),
    /// The key has none.
    IsUnset(AnyKey),
    /// The key's value compares so with another of the same kind.
    Compare {
        /// The key.
        key: AnyKey,
        /// How.
        how: Comparison,
        /// With what.
        with: AnyBind,
    },
    /// Two places are near each other: 'is at'.
    IsAt {
        /// Where somebody is.
        here: Key<Vec3>,
        /// Where somebody should be.
        place: Bind<Vec3>,
        /// How near is there, m. Limit: ≥ 0; NaN is never near.
        within_m: f32,
    },
}

impl Test {
    /// A comparison of a key with a value or another key of its type.
    pub fn compare<T: Fact>(key: Key<T>, how: Comparison, with: impl Into<Bind<T>>) -> Test {
        Test::Compare { key: key.any(), how, with: with.into().any() }
    }

    /// Whether it holds now.
    #[inline]
    pub fn holds(&self, board: &Board<'_>) -> bool {
        match *self {
            Test::IsSet(key) => board.value(key).is_some(),
            Test::IsUnset(key) => board.value(key).is_none(),
            Test::Compare { key, how, with } => match (board.value(key), with.read(board)) {
                (Some(left), Some(right)) => how.holds(left, right),
                _ => false,
            },
            Test::IsAt { here, place, within_m } => match (board.read(here), place.read(board)) {
                (Some(here), Some(place)) => here.distance_squared(place) <= within_m * within_m,
                _ => false,
            },
        }
    }

    /// The keys it reads.
    pub fn keys(&self) -> KeySet {
        let mut keys = KeySet::default();
        for key in self.reads().into_iter().flatten() {
            keys.insert(key);
        }
        keys
    }

    /// The keys it reads: the first is what it is about.
    pub(crate) fn reads(&self) -> [Option<AnyKey>; 2] {
        match *self {
            Test::IsSet(key) | Test::IsUnset(key) => [Some(key), None],
            Test::Compare { key, with: AnyBind::Key(other), .. } => [Some(key), Some(other)],
            Test::Compare { key, with: AnyBind::Literal(_), .. } => [Some(key), None],
            Test::IsAt { here, place: Bind::Key(place), .. } => [Some(here.any()), Some(place.any())],
            Test::IsAt { here, place: Bind::Literal(_), .. } => [Some(here.any()), None],
        }
    }

    /// What it found, as a reason.
    pub fn finding(&self, board: &Board<'_>) -> Finding {
        let read = |key: AnyKey| board.value(key);
        let of = |key: AnyKey, wanted| Finding { key, value: read(key), wanted };
        match *self {
            Test::IsSet(key) => of(key, Wanted::Set),
            Test::IsUnset(key) => of(key, Wanted::Unset),
            Test::Compare { key, how, with } => of(key, Wanted::Compared { how, with: with.read(board) }),
            Test::IsAt { here, place, within_m } => {
                of(here.any(), Wanted::Within { place: place.read(board), within_m })
            }
        }
    }
}

/// What a test read, and what it wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finding {
    /// The key it is about.
    pub key: AnyKey,
    /// What stood there.
    pub value: Option<Value>,
    /// What would have held.
    pub wanted: Wanted,
}

/// What would make a test hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wanted {
    /// Any value.
    Set,
    /// No value.
    Unset,
    /// A value that compares so.
    Compared {
        /// How.
        how: Comparison,
        /// With what; a missing one compares with nothing.
        with: Option<Value>,
    },
    /// A place so near to another.
    Within {
        /// The other place; near a missing one is nothing.
        place: Option<Vec3>,
        /// How near, m.
        within_m: f32,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Blackboard;
    use crate::key::{KeySpec, Keys, Scope};

    #[test]
    fn comparisons_with_what_is_missing_do_not_hold() {
        let keys = Keys::build([KeySpec::new::<i32>("a", Scope::Own), KeySpec::new::<i32>("b", Scope::Own)]).unwrap();
        let (a, b) = (keys.key::<i32>("a").unwrap(), keys.key::<i32>("b").unwrap());
        let shared = Blackboard::new(&keys);
        let mut own = Blackboard::new(&keys);
        let holds = |own: &mut Blackboard, test: Test| test.holds(&Board { own, team: &shared, world: &shared });
        for (_, how) in Comparison::NAMES {
            assert!(!holds(&mut own, Test::compare(a, how, 1)));
        }
        assert!(holds(&mut own, Test::IsUnset(a.any())) && !holds(&mut own, Test::IsSet(a.any())));
        own.set(a, 1);
        for (how, expected) in Comparison::NAMES.map(|(_, how)| how).into_iter().zip([0, 3, 1, 1, 2, 2]) {
            // Expected against 0, 1, 2, as bits: 1 vs 0, 1 vs 2.
            let found = [2, 0].map(|with| holds(&mut own, Test::compare(a, how, with)));
            assert_eq!(u8::from(found[0]) + 2 * u8::from(found[1]), expected, "{how}");
            let same = matches!(how, Comparison::Equal | Comparison::AtMost | Comparison::AtLeast);
            assert_eq!(holds(&mut own, Test::compare(a, how, 1)), same, "{how}");
            assert!(!holds(&mut own, Test::compare(a, how, Bind::Key(b))));
        }
    }

    #[test]
    fn being_at_a_place_is_a_distance() {
        let keys =
            Keys::build([KeySpec::new::<Vec3>("here", Scope::Own), KeySpec::new::<Vec3>("post", Scope::Own)]).unwrap();
        let (here, post) = (keys.key::<Vec3>("here").unwrap(), keys.key::<Vec3>("post").unwrap());
        let shared = Blackboard::new(&keys);
        let mut own = Blackboard::new(&keys);
        let test = Test::IsAt { here, place: Bind::Key(post), within_m: 1.0 };
        assert_eq!(test.keys().indices().collect::<Vec<_>>(), [0, 1]);
        own.set(here, Vec3::X);
        assert!(!test.holds(&Board { own: &mut own, team: &shared, world: &shared }));
        own.set(post, Vec3::ZERO);
        assert!(test.holds(&Board { own: &mut own, team: &shared, world: &shared }));
        own.set(post, Vec3::X * 2.5);
        assert!(!test.holds(&Board { own: &mut own, team: &shared, world: &shared }));
    }
}
