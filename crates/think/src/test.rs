//! Tests of boards: the conditions that need no code. All they read is on boards, so that observers can tell by the dirty
//! bits when to ask again.
//!
//! A comparison with a missing value does not hold, whatever the operator: ask [`Test::IsUnset`] for what is missing.
//! Tests are put together by *not*, *all* and *any*; *all* stops at the first that does not hold, *any* at the first that
//! does.

use sentir_core::glam::Vec3;
use std::cmp::Ordering;
use std::fmt;

use crate::board::Board;
use crate::key::{AnyBind, AnyKey, Bind, Key, KeySet};
use crate::leaf::ConditionResult;
use crate::value::{Fact, Value};
use crate::why::Cause;

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

    /// The one that holds between two values that have an order when this one does not.
    pub fn opposite(self) -> Comparison {
        match self {
            Comparison::Equal => Comparison::Unequal,
            Comparison::Unequal => Comparison::Equal,
            Comparison::Less => Comparison::AtLeast,
            Comparison::AtMost => Comparison::More,
            Comparison::More => Comparison::AtMost,
            Comparison::AtLeast => Comparison::Less,
        }
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
#[derive(Clone, Debug, PartialEq)]
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
    /// The other does not hold.
    Not(Box<Test>),
    /// All hold; so does an empty list.
    All(Vec<Test>),
    /// One holds; of an empty list none does.
    Any(Vec<Test>),
}

impl Test {
    /// A comparison of a key with a value or another key of its type.
    pub fn compare<T: Fact>(key: Key<T>, how: Comparison, with: impl Into<Bind<T>>) -> Test {
        Test::Compare { key: key.any(), how, with: with.into().any() }
    }

    /// A yes-or-no key says yes.
    pub fn flag(key: Key<bool>) -> Test {
        Test::compare(key, Comparison::Equal, true)
    }

    /// Whether it holds now.
    #[inline]
    pub fn holds(&self, board: &Board<'_>) -> bool {
        match self {
            Test::IsSet(key) => board.value(*key).is_some(),
            Test::IsUnset(key) => board.value(*key).is_none(),
            Test::Compare { key, how, with } => match (board.value(*key), with.read(board)) {
                (Some(left), Some(right)) => how.holds(left, right),
                _ => false,
            },
            Test::IsAt { here, place, within_m } => match (board.read(*here), place.read(board)) {
                (Some(here), Some(place)) => here.distance_squared(place) <= within_m * within_m,
                _ => false,
            },
            _ => self.holds_together(board),
        }
    }

    fn holds_together(&self, board: &Board<'_>) -> bool {
        match self {
            Test::Not(inner) => !inner.holds(board),
            Test::All(parts) => parts.iter().all(|part| part.holds(board)),
            Test::Any(parts) => parts.iter().any(|part| part.holds(board)),
            plain => plain.holds(board),
        }
    }

    /// The keys it reads.
    pub fn keys(&self) -> KeySet {
        let mut keys = KeySet::default();
        self.each_key(&mut |key| keys.insert(key));
        keys
    }

    /// Shows each key it reads.
    pub(crate) fn each_key(&self, show: &mut dyn FnMut(AnyKey)) {
        match self {
            Test::IsSet(key) | Test::IsUnset(key) => show(*key),
            Test::Compare { key, with, .. } => {
                show(*key);
                if let AnyBind::Key(other) = with {
                    show(*other);
                }
            }
            Test::IsAt { here, place, .. } => {
                show(here.any());
                if let Bind::Key(place) = place {
                    show(place.any());
                }
            }
            Test::Not(inner) => inner.each_key(show),
            Test::All(parts) | Test::Any(parts) => parts.iter().for_each(|part| part.each_key(show)),
        }
    }

    /// What it found, as a reason: of a test made of others, the first part that decided. None for an empty list.
    pub fn finding(&self, board: &Board<'_>) -> Option<Finding> {
        self.found(board, true)
    }

    /// What decided, as a reason.
    pub fn cause(&self, board: &Board<'_>) -> Cause {
        self.finding(board)
            .map_or_else(|| Cause::ConditionResult(ConditionResult::from(self.holds(board))), Cause::Finding)
    }

    /// The same as a finding, for somebody who wants the answer to be that.
    pub(crate) fn found(&self, board: &Board<'_>, answer: bool) -> Option<Finding> {
        let of = |key: AnyKey, wanted| Some(Finding { key, value: board.value(key), wanted });
        let as_asked = |yes, no| if answer { yes } else { no };
        match self {
            Test::IsSet(key) => of(*key, as_asked(Wanted::Set, Wanted::Unset)),
            Test::IsUnset(key) => of(*key, as_asked(Wanted::Unset, Wanted::Set)),
            Test::Compare { key, how, with } => {
                let how = if answer { *how } else { how.opposite() };
                of(*key, Wanted::Compared { how, with: with.read(board) })
            }
            Test::IsAt { here, place, within_m } => {
                let (place, within_m) = (place.read(board), *within_m);
                of(here.any(), as_asked(Wanted::Within { place, within_m }, Wanted::Beyond { place, within_m }))
            }
            Test::Not(inner) => inner.found(board, !answer),
            Test::All(parts) | Test::Any(parts) => {
                let held = self.holds(board);
                parts.iter().find(|part| part.holds(board) == held)?.found(board, answer)
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
    /// A place farther than that from another.
    Beyond {
        /// The other place.
        place: Option<Vec3>,
        /// How far, m.
        within_m: f32,
    },
}

impl Wanted {
    /// The answer of a yes-or-no key that was wanted; none if it is about something else.
    pub(crate) fn answer(self) -> Option<bool> {
        match self {
            Wanted::Compared { how: Comparison::Equal, with: Some(Value::Bool(answer)) } => Some(answer),
            Wanted::Compared { how: Comparison::Unequal, with: Some(Value::Bool(answer)) } => Some(!answer),
            _ => None,
        }
    }
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
