//! Pictures and films of a scene seen from above, out of core's draw list. Ground x runs to the right, ground y up.
//!
//! [`paint`] makes a [`Frame`] of a [`DrawList`](sentir_core::draw::DrawList); [`png()`] encodes one; a [`Film`] takes
//! many and gives an animated PNG or a GIF; a [`Sheet`] lays many side by side, to look at motion in one picture.
//!
//! Guarantees: bytes in, bytes out (no file, no clock); the same list, view and style give the same bytes on every
//! machine; no shape, however odd, makes it panic. Cost: about the pixels a shape covers; what lies outside the view
//! is skipped after a comparison of boxes. A film holds one raw frame and the encoded bytes so far.

mod apng;
mod canvas;
mod clip;
mod delta;
mod error;
mod film;
mod font;
mod frame;
mod gif_reel;
mod ground;
mod label;
mod layer_filter;
mod paint;
mod shape;
mod sheet;
mod style;
#[cfg(test)]
mod tests;
mod view;

pub use error::FilmError;
pub use film::{Film, FilmFormat};
pub use frame::{Frame, png};
pub use layer_filter::LayerFilter;
pub use paint::{caption, paint};
pub use sentir_core as core;
pub use sheet::Sheet;
pub use style::Style;
pub use view::View;

/// The longest side of a picture, px: what a browser shows without trouble, and 64 MiB of memory at most.
pub const SIDE_PX_MAX: u32 = 4096;
/// The shortest side of a painted picture, px.
pub const SIDE_PX_MIN: u32 = 16;
