//! Situations: the world as a planner takes it, a few variables of few values each, in 256 bits.
//!
//! Every value of every variable has a bit of its own. A [`Situation`] has exactly one bit set in each variable's group; a
//! [`Need`] has the bits of all values that are allowed there, so 'ammunition at least 1' is as plain as 'the door is
//! open'. Then all that planners ask is a few operations on words: a situation meets a need when it has no bit outside of
//! it, an effect goes forward by replacing a group and backward by freeing it, adding to a number is a shift. That a group
//! became empty (a need nothing can meet) shows in one addition a word, with carries stopped at the groups' ends.
//!
//! Nothing here allocates but building the table.

mod authored;
mod fact;
mod variable;

pub use authored::{Allowed, Change, Sample, needed, stated};
pub use fact::{FactSource, FactSpec, Facts};
pub(crate) use fact::{read_changes, read_conditions};
pub(crate) use variable::filled;
pub use variable::{BITS_MAX, Domain, Variable, VariableId, VariableSpec, Variables};

use sentir_core::State;

/// Words of a situation.
pub const WORDS: usize = 4;

/// A value for every variable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub struct Situation {
    pub(crate) words: [u64; WORDS],
}

/// The values that are allowed for every variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, State)]
pub struct Need {
    pub(crate) words: [u64; WORDS],
}

impl Situation {
    /// Whether every variable has an allowed value.
    #[inline]
    pub fn meets(&self, need: &Need) -> bool {
        self.words.iter().zip(need.words).all(|(have, allowed)| have & !allowed == 0)
    }
}

/// What something does to a situation: values set, numbers moved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// All bits of the variables that are set.
    pub(crate) groups: [u64; WORDS],
    /// The bits of the values they are set to.
    pub(crate) values: [u64; WORDS],
    /// Numbers that are moved.
    pub(crate) moves: Vec<Move>,
}

/// A number moved by so many values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Move {
    pub(crate) word: u8,
    /// Values up, if positive. Limit: less than the width of the group.
    pub(crate) by: i8,
    /// The group's bits.
    pub(crate) group: u64,
}

impl Move {
    #[inline]
    fn forward(self, word: u64) -> u64 {
        let bits = word & self.group;
        let moved = if self.by >= 0 { bits << self.by } else { bits >> -self.by };
        (word & !self.group) | (moved & self.group)
    }

    #[inline]
    pub(crate) fn backward(self, word: u64) -> u64 {
        Move { by: -self.by, ..self }.forward(word)
    }
}

impl Effects {
    /// Whether nothing is changed.
    pub fn is_empty(&self) -> bool {
        self.groups == [0; WORDS] && self.moves.is_empty()
    }

    /// The situation afterwards. The caller has seen to it that moved numbers stay within their range.
    #[inline]
    pub fn apply(&self, before: &Situation) -> Situation {
        let mut words = before.words;
        for (index, word) in words.iter_mut().enumerate() {
            *word = (*word & !self.groups[index]) | self.values[index];
        }
        for one in &self.moves {
            let word = &mut words[usize::from(one.word)];
            *word = one.forward(*word);
        }
        Situation { words }
    }

    /// Adds the values that may come about to several that are possible. Whether any is new.
    pub(crate) fn spread(&self, need: &Need, possible: &mut Situation) -> bool {
        let before = *possible;
        for (word, values) in possible.words.iter_mut().zip(self.values) {
            *word |= values;
        }
        for one in &self.moves {
            let word = usize::from(one.word);
            possible.words[word] |= one.forward(before.words[word] & need.words[word]) & one.group;
        }
        *possible != before
    }

    /// What must hold before, so that `after` holds afterwards; none when the effects make `after` impossible. What the
    /// effects leave alone stays as it was.
    pub fn regress(&self, after: &Need) -> Option<Need> {
        let mut words = after.words;
        for (index, word) in words.iter_mut().enumerate() {
            if self.values[index] & !*word != 0 {
                return None;
            }
            *word |= self.groups[index];
        }
        for one in &self.moves {
            let word = &mut words[usize::from(one.word)];
            *word = one.backward(*word);
        }
        Some(Need { words })
    }
}

impl Need {
    /// What both allow.
    #[inline]
    pub fn and(&self, other: &Need) -> Need {
        let mut words = self.words;
        for (word, more) in words.iter_mut().zip(other.words) {
            *word &= more;
        }
        Need { words }
    }
}

#[cfg(test)]
mod tests;
