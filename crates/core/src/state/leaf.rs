//! State as named leaves: what differs between two values, and where.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{Key, Leaf, Sink, State};

/// One leaf of a value, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeafAt {
    /// Where it stands, as in `agents[3].brain.since`. Empty for a value that is a leaf itself.
    pub path: String,
    /// Its value, written so that two different values look different.
    pub value: String,
    /// Its bytes in the saved form.
    pub span: Range<usize>,
    /// Whether it gives the shape (a length, a variant) rather than a number or text.
    pub is_shape: bool,
}

/// One leaf that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Where, as in `agents[3].brain.since`.
    pub path: String,
    /// The left side's value; none where that side has no such leaf.
    pub left: Option<String>,
    /// The right side's value.
    pub right: Option<String>,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let side = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".to_owned());
        write!(f, "{}: {} and {}", self.path, side(&self.left), side(&self.right))
    }
}

#[derive(Default)]
struct LeafSink {
    path: String,
    /// Length of `path` before each open step.
    marks: Vec<usize>,
    at: usize,
    leaves: Vec<LeafAt>,
}

impl Sink for LeafSink {
    fn leaf(&mut self, leaf: Leaf<'_>) {
        let from = self.at;
        leaf.write(|bytes| self.at += bytes.len());
        self.leaves.push(LeafAt {
            path: self.path.clone(),
            value: written(leaf),
            span: from..self.at,
            is_shape: matches!(leaf, Leaf::Tag { .. } | Leaf::Len(_)),
        });
    }

    fn enter(&mut self, key: Key) {
        self.marks.push(self.path.len());
        match key {
            Key::Field(name) => {
                if !self.path.is_empty() {
                    self.path.push('.');
                }
                self.path.push_str(name);
            }
            Key::Item(index) => self.path.push_str(&format!("[{index}]")),
        }
    }

    fn leave(&mut self) {
        if let Some(mark) = self.marks.pop() {
            self.path.truncate(mark);
        }
    }
}

fn written(leaf: Leaf<'_>) -> String {
    match leaf {
        Leaf::Bool(value) => value.to_string(),
        Leaf::U8(value) => value.to_string(),
        Leaf::U16(value) => value.to_string(),
        Leaf::U32(value) => value.to_string(),
        Leaf::U64(value) => value.to_string(),
        Leaf::I8(value) => value.to_string(),
        Leaf::I16(value) => value.to_string(),
        Leaf::I32(value) => value.to_string(),
        Leaf::I64(value) => value.to_string(),
        // The shortest text that reads back as the same bits.
        Leaf::F32(value) => format!("{value:?}"),
        Leaf::F64(value) => format!("{value:?}"),
        Leaf::Text(text) => format!("{text:?}"),
        Leaf::Tag { name, .. } => name.to_owned(),
        Leaf::Len(len) => format!("{len} items"),
    }
}

/// Every leaf of the value, in the order it is saved. For looking and for tests; slow and allocating.
pub fn leaves<T: State>(value: &T) -> Vec<LeafAt> {
    let mut sink = LeafSink::default();
    value.save(&mut sink);
    sink.leaves
}

/// Where two values differ, in the order of `left`, then what only `right` has; at most `most`. Empty means equal.
pub fn diff<T: State>(left: &T, right: &T, most: usize) -> Vec<Difference> {
    let left = numbered(leaves(left));
    let right = numbered(leaves(right));
    let right_by_place: BTreeMap<_, _> = right.iter().map(|(place, value)| (place, value)).collect();
    let left_places: BTreeMap<_, _> = left.iter().map(|(place, value)| (place, value)).collect();
    let changed = left.iter().filter_map(|(place, value)| {
        let other = right_by_place.get(place).copied();
        (other != Some(value)).then(|| Difference {
            path: place.0.clone(),
            left: Some(value.clone()),
            right: other.cloned(),
        })
    });
    let added = right.iter().filter(|(place, _)| !left_places.contains_key(place)).map(|(place, value)| Difference {
        path: place.0.clone(),
        left: None,
        right: Some(value.clone()),
    });
    changed.chain(added).take(most).collect()
}

/// Leaves by (path, how many leaves of that path came before): an option and its content share a path.
fn numbered(leaves: Vec<LeafAt>) -> Vec<((String, u32), String)> {
    let mut ordinal = 0;
    let mut previous: Option<String> = None;
    leaves
        .into_iter()
        .map(|leaf| {
            ordinal = if previous.as_ref() == Some(&leaf.path) { ordinal + 1 } else { 0 };
            previous = Some(leaf.path.clone());
            ((leaf.path, ordinal), leaf.value)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sentir_derive::State;

    #[derive(Clone, State)]
    struct Agent {
        speed: f32,
        route: Vec<(u8, u8)>,
        foe: Option<u32>,
    }

    #[test]
    fn a_difference_names_the_path_and_both_values() {
        let left = Agent { speed: 1.5, route: vec![(1, 2), (3, 4)], foe: None };
        let mut right = left.clone();
        assert_eq!(diff(&left, &right, 9), vec![]);
        right.route[1].0 = 9;
        right.speed = -0.0;
        let found: Vec<_> = diff(&left, &right, 9).iter().map(ToString::to_string).collect();
        assert_eq!(found, ["speed: 1.5 and -0.0", "route[1].0: 3 and 9"]);
        assert_eq!(diff(&left, &right, 1).len(), 1);
    }

    #[test]
    fn what_one_side_lacks_is_a_difference() {
        let left = Agent { speed: 0.0, route: vec![], foe: None };
        let right = Agent { speed: 0.0, route: vec![(7, 8)], foe: Some(5) };
        let found: Vec<_> = diff(&left, &right, 9).iter().map(ToString::to_string).collect();
        assert_eq!(
            found,
            [
                "route: 0 items and 1 items",
                "foe: None and Some",
                "route[0].0: nothing and 7",
                "route[0].1: nothing and 8",
                "foe: nothing and 5"
            ]
        );
    }

    #[test]
    fn the_spans_of_the_leaves_tile_the_saved_bytes() {
        let value = Agent { speed: 2.0, route: vec![(1, 2)], foe: Some(3) };
        let mut at = 0;
        for leaf in leaves(&value) {
            assert_eq!(leaf.span.start, at);
            at = leaf.span.end;
        }
        assert_eq!(at, crate::state::to_bytes(&value).len());
    }
}
