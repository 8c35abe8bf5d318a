//! Rules of small headless games: what bodies, weapons, items, doors, noises and rounds do. No scene and no brain is here.
//!
//! | module | holds |
//! |---|---|
//! | [`body`], [`body_set`] | capsules that walk, climb, jump and fall; all bodies of a level, in step with the agents of a loop |
//! | [`input`] | what a person or a script does, quantized on entry |
//! | [`wall`] | the walls of a level as steering knows them |
//! | [`armory`], [`weapon`], [`kit`] | weapons as authored, in the hand, and all that an agent carries |
//! | [`shot`], [`blast`], [`reach`] | rays against bodies and the level, projectiles and blasts, pieces near a point |
//! | [`combat`] | who fires what from where, and what comes of it |
//! | [`health`] | what a body can take, and who may hurt whom |
//! | [`item`], [`door`] | items and areas that help, opening doors |
//! | [`round`], [`actor`] | rounds and who wins them, the roster and where an agent comes in |
//! | [`noise`], [`event`] | what is heard, and what happened, as game events |

pub mod actor;
pub mod armory;
pub mod blast;
pub mod body;
pub mod body_set;
pub mod combat;
pub mod door;
pub mod event;
pub mod health;
pub mod input;
pub mod item;
mod key_places;
pub mod kit;
pub mod noise;
pub mod reach;
pub mod round;
pub mod shot;
pub mod wall;
pub mod weapon;
