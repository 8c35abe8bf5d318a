//! Steering: small pure functions from what one sees to the acceleration one asks for (Reynolds 1999; Buckland 2005).
//!
//! | function | does |
//! |---|---|
//! | [`seek`], [`flee`] | straight at a place, straight away from one within a panic distance |
//! | [`arrive`], [`leave`] | to a stop on a place without going past; away, fading with distance |
//! | [`match_velocity`] | another's velocity |
//! | [`pursue`], [`evade`] | to and from where another will be |
//! | [`offset_pursue`], [`offset_arrive`] | a place in a leader's frame |
//! | [`interpose`] | between two who move |
//! | [`wander`](wander::wander) | aimless, the same at any rate |
//! | [`avoid_discs`], [`avoid_walls`], [`avoid_collisions`], [`contain`] | round things, walls, each other, the field's border |
//! | [`follow_wall`] | along a wall, round it, through its notches |
//! | [`hide`](hide::hide) | behind something |
//! | [`follow_path`] | along a line of places, plain or predictive |
//! | [`follow_flow`] | along a field of directions |
//! | [`separation`], [`cohesion`], [`alignment`] | apart, together, the same way |
//! | [`follow_leader`], [`queue`] | behind a leader with a clear lane; in a line |
//! | [`align`], [`anti_align`], [`face`], [`look_ahead`], [`offset_align`] | turning, in rad/s² |
//!
//! Results may be longer than the body can do: combine them (`crate::blend`), then cut ([`Mover::clamped`]). Where things are
//! exactly symmetric, as two who meet head on, everybody goes to the right; but for that, mirrored worlds give mirrored
//! answers.
//!
//! [`Mover::clamped`]: crate::Mover::clamped

pub mod flow;
pub mod goal;
pub mod group;
pub mod hide;
pub mod obstacle;
pub mod path;
pub mod turn;
pub mod wall;
pub mod wander;

pub use flow::{FlowField, follow_flow};
pub use goal::{
    Deceleration, PursueConfig, arrive, arrive_velocity, evade, flee, interpose, leave, match_velocity, offset_arrive,
    offset_pursue, pursue, seek,
};
pub use group::{LeaderConfig, alignment, cohesion, follow_leader, queue, separation};
pub use hide::{HideConfig, Hideout};
pub use obstacle::{CollisionConfig, DiscConfig, FeelerConfig, avoid_collisions, avoid_discs, avoid_walls, contain};
pub use path::{Path, PathConfig, PathCursor, follow_path};
pub use turn::{AlignConfig, Turning, align, anti_align, face, look_ahead, offset_align};
pub use wall::{Side, WallConfig, follow_wall};
pub use wander::{Wander, WanderConfig};
