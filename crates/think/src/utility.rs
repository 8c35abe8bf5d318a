//! Utility: everything has its worth, and the most worthwhile is done.
//!
//! | room | holds |
//! |---|---|
//! | [`curve`] | response curves |
//! | [`appeal`] | considerations, compensation, ways to pick; also for selectors of trees |
//! | [`brain`] | a brain of options with inertia |

pub mod appeal;
pub mod brain;
pub mod curve;
mod outline;

pub use appeal::{Appeal, Appraise, Consideration, Input, Pick, compensated, consideration_id, scores};
pub use brain::{FORMAT, OptionSpec, Utility, UtilitySpec, UtilityState};
pub use curve::Curve;
