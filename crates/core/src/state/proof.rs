//! Proof that nothing of a value escapes its hash: change every leaf in turn, and see.

use super::{LoadError, State, diff, from_bytes, hash, leaves, to_bytes};

/// What became of one changed leaf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Perturbation {
    /// Which leaf.
    pub path: String,
    /// Whether it gives the shape (a length, a variant) rather than a number or text.
    pub is_shape: bool,
    /// What happened.
    pub outcome: Noticed,
}

/// How a change of one leaf was noticed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Noticed {
    /// The changed value has another hash, and the difference names the leaf.
    Yes,
    /// The changed bytes are no value of the type: lengths, variants and checked values may end here.
    Refused(LoadError),
    /// Same hash, or a difference elsewhere: a hole in the state.
    No,
}

/// Flips one bit in each leaf of `value`, loads the result and looks whether hash and difference notice.
///
/// A test over a real world state asserts that no outcome is [`Noticed::No`] and that only shapes and checked values are
/// refused. Quadratic in the size of the value.
pub fn perturb<T: State>(value: &T) -> Vec<Perturbation> {
    let bytes = to_bytes(value);
    let before = hash(value);
    leaves(value)
        .into_iter()
        .filter(|leaf| !leaf.span.is_empty())
        .map(|leaf| {
            let mut changed = bytes.clone();
            // The last byte: the exponent of floats, the last letter of text, the high byte of integers.
            changed[leaf.span.end - 1] ^= 1;
            let outcome = match from_bytes::<T>(&changed) {
                Err(error) => Noticed::Refused(error),
                Ok(other) => {
                    let names_it = diff(value, &other, 1).first().is_some_and(|one| one.path == leaf.path);
                    if hash(&other) != before && names_it { Noticed::Yes } else { Noticed::No }
                }
            };
            Perturbation { path: leaf.path, is_shape: leaf.is_shape, outcome }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Leaf, Schema, Sink, StateReader};

    #[derive(sentir_derive::State)]
    struct Whole {
        count: u32,
        name: String,
        places: Vec<glam::Vec2>,
    }

    /// Hand-written and wrong: reads `lost` but never lets it count.
    struct Leaky {
        lost: u8,
    }

    impl State for Leaky {
        fn save<S: Sink>(&self, sink: &mut S) {
            sink.leaf(Leaf::U8(self.lost & 0xfe));
        }
        fn load(source: &mut StateReader<'_>) -> Result<Self, LoadError> {
            Ok(Leaky { lost: u8::load(source)? })
        }
        fn schema(schema: &mut Schema) {
            schema.leaf("Leaky");
        }
    }

    #[test]
    fn every_leaf_of_a_derived_state_is_noticed() {
        let value = Whole { count: 3, name: "guard".into(), places: vec![glam::Vec2::new(1.0, 2.0)] };
        let report = perturb(&value);
        let paths: Vec<_> = report.iter().map(|one| one.path.as_str()).collect();
        assert_eq!(paths, ["count", "name", "places", "places[0].x", "places[0].y"]);
        for one in report {
            match one.outcome {
                Noticed::Yes => {}
                Noticed::Refused(_) => assert!(one.is_shape, "{} was refused", one.path),
                Noticed::No => panic!("{} can change unnoticed", one.path),
            }
        }
    }

    #[test]
    fn a_leaf_that_does_not_count_is_found() {
        assert_eq!(perturb(&Leaky { lost: 4 })[0].outcome, Noticed::No);
    }
}
