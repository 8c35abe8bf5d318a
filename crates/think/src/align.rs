//! Which part of an edited brain is which part of the old one, among the parts of one owner.
//!
//! Ids alone do not say: parts of one kind and name are told apart by their number, and a part put in before the others
//! shifts it. So what is the same to the letter is found first, as a longest common subsequence; between such anchors
//! parts of the same name are paired in order, for their words may have been edited; then those that moved. A part with an
//! authored id is known by it alone. Cost: O(old · new) for what differs, nothing at run time: only an edit comes here.

use sentir_asset::{Node, Value};
use sentir_core::state::hash;

use crate::key::AnyKey;
use crate::node::NodeId;

/// Most cells of the table that is filled; above it only what is unique or did not move is found.
const CELLS_MAX: usize = 1 << 20;

/// A part, as far as it tells who it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) id: NodeId,
    /// Whether the id was written by the author.
    pub(crate) is_authored: bool,
    /// Stands for its kind and name, or for the author's word for it, which counts in every use of a subtree.
    pub(crate) name: u64,
    /// Stands for all that it says, with everything in it; 0 when made by code.
    pub(crate) content: u64,
}

/// What a part is called.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Naming<'a> {
    /// The author's id for it, if there is one.
    pub(crate) authored: Option<&'a str>,
    pub(crate) kind: &'a str,
    pub(crate) name: &'a str,
}

impl Part {
    pub(crate) fn new(id: NodeId, naming: Naming<'_>, content: u64) -> Part {
        let Naming { authored, kind, name } = naming;
        let name = hash(&(kind.to_owned(), name.to_owned()));
        let name = authored.map_or(name, |authored| hash(&authored.to_owned()));
        Part { id, is_authored: authored.is_some(), name, content }
    }

    /// Equal for parts that are the same to the letter.
    fn exact(&self) -> Token {
        let Part { is_authored, name, content, .. } = *self;
        Token { is_authored, name, content: if is_authored { 0 } else { content } }
    }

    /// Equal for parts that may be the same, edited.
    fn loose(&self) -> Token {
        Token { is_authored: self.is_authored, name: self.name, content: 0 }
    }
}

/// What parts are compared by; see [`Part`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Token {
    is_authored: bool,
    name: u64,
    content: u64,
}

/// For each new part the old one that goes on as it, if there is one.
pub(crate) fn align(old: &[Part], new: &[Part]) -> Vec<Option<usize>> {
    let tokens = |parts: &[Part], token: fn(&Part) -> Token| parts.iter().map(token).collect::<Vec<_>>();
    let (exact_old, exact_new) = (tokens(old, Part::exact), tokens(new, Part::exact));
    let (loose_old, loose_new) = (tokens(old, Part::loose), tokens(new, Part::loose));
    let mut partners = vec![None; new.len()];
    let anchors = common(&exact_old, &exact_new);
    let (mut from_old, mut from_new) = (0, 0);
    for (old_at, new_at) in anchors.into_iter().chain([(old.len(), new.len())]) {
        for (was, is) in common(&loose_old[from_old..old_at], &loose_new[from_new..new_at]) {
            partners[from_new + is] = Some(from_old + was);
        }
        if new_at < new.len() {
            partners[new_at] = Some(old_at);
        }
        (from_old, from_new) = (old_at + 1, new_at + 1);
    }
    let mut is_taken = vec![false; old.len()];
    partners.iter().flatten().for_each(|&was: &usize| is_taken[was] = true);
    let is_only = |list: &[Token], token: Token| list.iter().filter(|one| **one == token).count() == 1;
    for at in 0..new.len() {
        if partners[at].is_some() {
            continue;
        }
        let moved = (0..old.len()).find(|&was| !is_taken[was] && exact_old[was] == exact_new[at]);
        let renewed = || {
            let token = loose_new[at];
            let was = (0..old.len()).find(|&was| !is_taken[was] && loose_old[was] == token)?;
            (is_only(&loose_old, token) && is_only(&loose_new, token)).then_some(was)
        };
        if let Some(was) = moved.or_else(renewed) {
            partners[at] = Some(was);
            is_taken[was] = true;
        }
    }
    partners
}

/// A longest common subsequence, as ascending pairs of places; of several the one that pairs earlier.
fn common(old: &[Token], new: &[Token]) -> Vec<(usize, usize)> {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old_mid, new_mid) = (&old_rest[..old_rest.len() - tail], &new_rest[..new_rest.len() - tail]);
    let mut pairs: Vec<(usize, usize)> = (0..head).map(|at| (at, at)).collect();
    let (rows, columns) = (old_mid.len(), new_mid.len());
    if rows > 0 && columns > 0 && (rows + 1) * (columns + 1) <= CELLS_MAX {
        // By places: the length of the longest from there on.
        let mut longest = vec![0u32; (rows + 1) * (columns + 1)];
        let cell = |row: usize, column: usize| row * (columns + 1) + column;
        for row in (0..rows).rev() {
            for column in (0..columns).rev() {
                longest[cell(row, column)] = if old_mid[row] == new_mid[column] {
                    longest[cell(row + 1, column + 1)] + 1
                } else {
                    longest[cell(row + 1, column)].max(longest[cell(row, column + 1)])
                };
            }
        }
        let (mut row, mut column) = (0, 0);
        while row < rows && column < columns {
            if old_mid[row] == new_mid[column] {
                pairs.push((head + row, head + column));
                (row, column) = (row + 1, column + 1);
            } else if longest[cell(row + 1, column)] >= longest[cell(row, column + 1)] {
                row += 1;
            } else {
                column += 1;
            }
        }
    }
    let (old_tail, new_tail) = (old.len() - tail, new.len() - tail);
    pairs.extend((0..tail).map(|at| (old_tail + at, new_tail + at)));
    pairs
}

/// Stands for what a part of a file says, wherever it stands: keys count by their names, not by their numbers.
pub(crate) fn content_of(node: &Node) -> u64 {
    let mut words = Vec::new();
    spell(node, &mut words);
    hash(&words)
}

fn spell(node: &Node, into: &mut Vec<String>) {
    match &node.value {
        Value::Null => into.push("null".to_owned()),
        Value::Bool(value) => into.push(value.to_string()),
        Value::Int(value) => into.push(value.to_string()),
        Value::Float(value) => into.push(format!("{value:?}")),
        Value::Text(text) => {
            let name = AnyKey::from_mark(text).and_then(|_| text.rsplit(' ').next());
            into.push(format!("\"{}", name.unwrap_or(text)));
        }
        Value::List(nodes) => {
            into.push("[".to_owned());
            nodes.iter().for_each(|one| spell(one, into));
            into.push("]".to_owned());
        }
        Value::Map(entries) => {
            into.push("{".to_owned());
            for entry in entries {
                into.push(entry.key.clone());
                spell(&entry.node, into);
            }
            into.push("}".to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Letters are names, digits behind them contents: `a1 b2`.
    fn parts(text: &str) -> Vec<Part> {
        let part = |word: &str| {
            let (name, content) = word.split_at(1);
            let id = NodeId::authored(NodeId::NONE, word);
            let authored = (content == "!").then_some(name);
            Part::new(id, Naming { authored, kind: "", name }, hash(&content.to_owned()))
        };
        text.split_whitespace().map(part).collect()
    }

    fn aligned(old: &str, new: &str) -> String {
        let (was, words) = (align(&parts(old), &parts(new)), old.split_whitespace().collect::<Vec<_>>());
        was.into_iter().map(|was| was.map_or("-", |was| words[was])).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_is_the_same_is_found_behind_what_was_put_in_or_taken_out() {
        assert_eq!(aligned("a1 a2", "a3 a1 a2"), "- a1 a2");
        assert_eq!(aligned("a1 a2 a3", "a2 a3"), "a2 a3");
        assert_eq!(aligned("a1 a2 a3", "a3 a4"), "a3 -");
        assert_eq!(aligned("a1 b1 a2", "a4 a5 b1 a6"), "a1 - b1 a2");
    }

    #[test]
    fn edited_parts_are_paired_in_order_and_moved_ones_by_what_they_say() {
        assert_eq!(aligned("a1 a2", "a3 a4"), "a1 a2");
        assert_eq!(aligned("a1 b1 c1", "c1 a1 b1"), "c1 a1 b1");
        assert_eq!(aligned("a1 b1 c1", "c2 a1 b1"), "c1 a1 b1");
        assert_eq!(aligned("a! b1", "b1 a!"), "b1 a!");
    }

    /// The obvious longest common subsequence: every choice tried.
    fn twin(old: &[Token], new: &[Token]) -> usize {
        let (Some(a), Some(b)) = (old.first(), new.first()) else { return 0 };
        let both = if a == b { 1 + twin(&old[1..], &new[1..]) } else { 0 };
        both.max(twin(&old[1..], new)).max(twin(old, &new[1..]))
    }

    proptest! {
        #[test]
        fn common_parts_are_as_many_as_can_be(old in proptest::collection::vec(0u64..4, 0..8), new in proptest::collection::vec(0u64..4, 0..8)) {
            let token = |&name: &u64| Token { is_authored: false, name, content: 0 };
            let tokens = |list: &[u64]| list.iter().map(token).collect::<Vec<Token>>();
            let (old, new) = (tokens(&old), tokens(&new));
            let found = common(&old, &new);
            prop_assert!(found.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1));
            prop_assert!(found.iter().all(|&(was, is)| old[was] == new[is]));
            prop_assert_eq!(found.len(), twin(&old, &new));
        }

        #[test]
        fn no_part_goes_on_as_two(old in proptest::collection::vec((0u64..3, 0u64..3), 0..9), new in proptest::collection::vec((0u64..3, 0u64..3), 0..9)) {
            let part = |&(name, content): &(u64, u64)| Part { id: NodeId(0), is_authored: false, name, content };
            let (old, new): (Vec<_>, Vec<_>) = (old.iter().map(part).collect(), new.iter().map(part).collect());
            let mut taken: Vec<usize> = align(&old, &new).into_iter().flatten().collect();
            let count = taken.len();
            taken.sort_unstable();
            taken.dedup();
            prop_assert_eq!(taken.len(), count);
            prop_assert_eq!(align(&old, &old), (0..old.len()).map(Some).collect::<Vec<_>>());
        }
    }
}
