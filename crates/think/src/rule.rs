//! Rules: the first that fits says what to do. Small, for thresholds and for feelings that are no thresholds.
//!
//! A rule fits when its condition holds and what it *feels* is true enough: inputs have fuzzy sets with names (`low`,
//! `near`), and a rule is as strong as the weakest of its feelings (Mamdani's minimum). Of the rules at or above the
//! threshold the one of the highest priority wins, then the strongest, then the first. Outputs are numbers for other
//! brains to use: each is the mean of its rules' values, weighted by their strength (Takagi and Sugeno, of order 0), and is
//! written to a key. Cost: O(rules); nothing is allocated.
//!
//! ```yaml
//! sentir: rule 1
//! sets:
//!   health: {input: $health, low: [[20, 1], [40, 0]], high: [[40, 0], [60, 1]]}
//! rules:
//!   - {name: avoid, when: {set: $enemy}, feels: {health: low}, do: avoid}
//!   - {name: walk, do: walk}
//! outputs:
//!   - {key: $courage, rules: [{feels: {health: high}, value: 0.9}, {feels: {health: low}, value: 0.1}]}
//! ```

mod brain;
mod fuzzy;
mod outline;

pub use brain::{FORMAT, RULES_MAX, RuleSpec, Rules, RulesSpec, RulesState};
pub use fuzzy::{Feeling, Fuzzy, FuzzyOutput, FuzzySet, FuzzyVariable};
