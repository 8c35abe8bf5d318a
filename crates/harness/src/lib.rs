//! What plays, records and judges a scene: everything that is the same for all of them.
//!
//! | module | holds |
//! |---|---|
//! | [`info`] | what a scene is called, its settings and assets; the [`Catalog`](info::Catalog) of all |
//! | [`scene`] | the traits that a scene implements |
//! | [`game_match`] | the [`Match`](game_match::Match) that programs, pages and tests hold |
//! | [`scene_match`] | the match that comes of a scene |
//! | [`metric`] | the figures that a match reports |
//! | [`edit`] | other versions of a scene's files, taken while a match goes on |
//! | [`hud`] | what a screen shows beside the picture: the body one plays, gauges, panels with buttons |
//! | [`animation`], [`sound`] | what figures do and what can be heard, derived for who draws and plays them |
//! | [`inspection`] | what a debugger may see of one agent |
//! | [`recording`], [`snapshot`] | a run as a file, a match at one tick as a file |
//! | [`stupidity`] | what a player would laugh at, counted in every scene |
//! | [`honesty`] | the test that what no sense reached changes no decision |

pub mod animation;
pub mod edit;
pub mod game_match;
pub mod honesty;
pub mod hud;
pub mod info;
pub mod inspection;
pub mod metric;
pub mod recording;
pub mod scene;
pub mod scene_match;
pub mod snapshot;
pub mod sound;
pub mod stupidity;
