//! Goal-oriented action planning: what to do, one action after the other, so that a goal comes true at least cost.
//!
//! | room | holds |
//! |---|---|
//! | [`repertoire`] | actions with conditions, effects and costs, compiled |
//! | [`search`] | the search of a plan: A* backward from the goal |
//! | [`brain`] | a brain that picks a goal, keeps its plan while it holds, and plans again when it does not |

pub mod brain;
mod outline;
mod reach;
mod read;
mod reload;
pub mod repertoire;
pub mod search;

pub use brain::{FORMAT, GoalSpec, Goap, GoapScratch, GoapSpec, GoapState, Price, StepSpec};
pub use repertoire::{Action, ActionSpec, Repertoire};
pub use search::{PlanScratch, Planned, plan};

/// Most actions of a repertoire.
pub const ACTIONS_MAX: usize = 256;

/// Most steps of a plan.
pub const STEPS_MAX: usize = 64;

/// Cost units in one: costs are whole thousandths, so that sums are exact and equal plans are equal.
pub const COST_ONE: u32 = 1000;

/// A cost in thousandths; none when it is negative, NaN or above 1 000, which makes an action unusable.
pub fn cost_units(cost: f32) -> Option<u32> {
    // NaN fails the comparison; below a thousandth it is free.
    (0.0..=1000.0).contains(&cost).then(|| (cost * COST_ONE as f32).round() as u32)
}

#[cfg(test)]
mod tests;
