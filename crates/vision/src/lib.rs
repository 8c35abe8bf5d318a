//! Synthetic vision: an agent *sees* by a tiny rendering of the world from its eyes, off screen, on the CPU.
//!
//! Each pixel tells which object is there and how far along the view it lies; from that and the objects' velocities comes
//! how it moves. The three views (class, depth, motion) are all that a brain which sees by vision may use.
//!
//! ```
//! use sentir_core::glam::Vec3;
//! use sentir_vision::{Class, Eye, Lens, Retina, Scenery, Thing};
//!
//! // A floor, and a wall 5 m ahead.
//! let floor = [Vec3::new(-20., 0., 20.), Vec3::new(20., 0., 20.), Vec3::new(0., 0., -40.)];
//! let wall = [Vec3::new(-20., 0., -5.), Vec3::new(20., 0., -5.), Vec3::new(0., 20., -5.)];
//! let scenery = Scenery::build(&[floor, wall]);
//! let mut retina = Retina::new(Lens::default()).unwrap();
//! retina.look(&Eye { position: Vec3::Y * 1.6, yaw: 0.0, pitch: 0.0 }, &scenery, &[]);
//! let (middle, bottom) = (retina.at(80, 60), retina.at(80, 0));
//! assert_eq!(retina.class(middle), Class::WALL);
//! assert_eq!(retina.class(bottom), Class::FLOOR);
//! assert!((retina.unproject(80, 60).unwrap().z + 5.0).abs() < 1e-3);
//! ```
//!
//! **Method.** Triangles of the level lie in a hierarchy of boxes, which is walked from near to far; a box that is out of
//! view, or behind what is seen already in every tile of the picture that it could touch, is left out with all in it.
//! What is left is clipped at the near plane, projected, and filled row by row with 1/distance, which is linear on the
//! picture; the nearest wins. Rows are filled by a loop over independent pixels that compilers turn into vectors; the
//! same bits come out of its plain twin. Shared edges leave no gap and no double pixel: a pixel belongs to the triangle
//! its middle is in. O(triangles in view + pixels); nothing is allocated once a [`Retina`] is warm.
//!
//! **Options**, each off unless it is called for, each a function of a [`Viewport`]: [`noise`], [`tiredness`], [`light`] (and
//! getting used to the dark), [`spectrum`] (infrared and other visions), [`stereo`] (two eyes), [`panorama`] (all around),
//! [`recall`] (what was seen where, and when), [`segment`] (objects apart, though they touch on the picture), [`gaze`] (to look
//! around and to follow a mover).

pub mod bronto;
pub mod classic;
mod color;
mod curve;
pub mod driver;
mod eye;
mod fill;
mod frame;
pub mod gaze;
pub mod light;
pub mod noise;
pub mod object;
mod outlook;
pub mod panorama;
mod picture;
mod raster;
pub mod recall;
mod scenery;
pub mod seeker;
pub mod segment;
pub mod spectrum;
pub mod stereo;
mod thing;
pub mod tiredness;
mod viewport;

pub use color::{AMMO, Color, ENEMY, HEALTH, Motion, MotionMode, Palette, PaletteError};
pub use curve::Curve;
pub use eye::{Eye, Lens, LensError, PIXELS_MAX};
pub use frame::{Pixel, Retina};
pub use outlook::{BodyLimits, Outlook, OutlookMemory, REMEMBERED_MAX, Reach};
pub use picture::{Eyesight, Mark, Picture};
pub use scenery::{REACH_M, Scenery};
pub use sentir_core as core;
pub use thing::{Class, Solid, Thing};
pub use viewport::Viewport;
