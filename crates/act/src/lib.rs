//! Movement: from *go there, face that* to what a body does.
//!
//! | module | holds |
//! |---|---|
//! | [`mover`] | what steering reads: bodies, walls and discs on the ground, as plain values |
//! | [`steer`] | every steering behavior, each a small pure function |
//! | [`locomotion`] | what four kinds of body make of what steering asks |
//! | [`avoid`] | mutual avoidance of a crowd (ORCA), and walls near a place |
//! | [`follow`] | following paths on a navigation mesh, through pushes, moved goals and links |
//! | [`formation`] | patterns of slots, roles and who takes which, slots that follow the leader's trail, group orders |
//! | [`flock`] | separation, cohesion and alignment for a whole flock in one pass |
//! | [`draw`] | steering made visible |
//! | [`blend`] | several behaviors, one body: sums, priorities, arbiters, context maps; behaviors as data |
//!
//! Everything is a function of plain values on the ground plane (`sentir_core::plane`): no world, no clock, no global.
//! Accelerations are m/s² in ground coordinates. For finite input every result is finite, and turns and mirrors with the
//! world.
//!
//! **Features**: `nav` (on by default) has [`follow`] and [`formation::footing`], which need navigation meshes. Neither brings a
//! bake or a reader of files: a game that bakes its meshes asks `sentir_nav` for that.
//!
//! ```
//! use sentir_act::core::glam::Vec2;
//! use sentir_act::steer::{self, Deceleration};
//! use sentir_act::{Disc, Mover, blend};
//!
//! // Somebody walks ten meters, round a pillar that stands in the way.
//! let (goal, pillar) = (Vec2::new(0.0, 10.0), Disc { center: Vec2::new(0.1, 5.0), radius_m: 0.8 });
//! let mut me = Mover::default();
//! for _ in 0..600 {
//!     let aside = steer::avoid_discs(&me, &[pillar], &steer::DiscConfig::default());
//!     let onward = steer::arrive(&me, goal, Deceleration::Fast);
//!     let wish = blend::prioritized_sum(me.acceleration_m_per_s2_max, [(1.0, aside), (1.0, onward)]);
//!     me.at.velocity = me.velocity_after(wish, 1.0 / 60.0);
//!     me.at.position += me.at.velocity / 60.0;
//!     assert!(me.at.position.distance(pillar.center) > pillar.radius_m + me.at.radius_m);
//! }
//! assert!(me.at.position.distance(goal) < 0.01);
//! ```

extern crate self as sentir_act;

pub mod avoid;
pub mod blend;
pub mod draw;
pub mod flock;
#[cfg(feature = "nav")]
pub mod follow;
pub mod formation;
pub mod locomotion;
pub mod mover;
pub mod steer;

pub use flock::{FlockConfig, FlockScratch};
pub use locomotion::{AnimationInput, Drive, Locomotion, LocomotionState};
pub use mover::{Disc, Mover, Moving, Wall};
pub use sentir_core as core;
#[cfg(feature = "nav")]
pub use sentir_nav as nav;
