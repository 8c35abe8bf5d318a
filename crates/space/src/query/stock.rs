//! The queries that come with the library: those of the thesis this room started from, tests by importance.

use sentir_asset::AssetError;

use super::build::{Query, load};
use super::world::Lexicon;

/// Name and file of each.
pub const STOCK: &[(&str, &[u8])] = &[
    ("search", include_bytes!("../../queries/search.yaml")),
    ("cover", include_bytes!("../../queries/cover.yaml")),
    ("attack", include_bytes!("../../queries/attack.yaml")),
    ("advance", include_bytes!("../../queries/advance.yaml")),
    ("suppression", include_bytes!("../../queries/suppression.yaml")),
    ("clear_line", include_bytes!("../../queries/clear_line.yaml")),
];

/// A stock query by name; none of an unknown one.
///
/// # Errors
/// When the lexicon lacks one of the names they use: `self`, `target`, `allies`, `claimed` and the map `prediction`.
pub fn stock(name: &str, lexicon: &Lexicon) -> Option<Result<Query, AssetError>> {
    let (name, bytes) = STOCK.iter().find(|(one, _)| *one == name)?;
    Some(load(bytes, &format!("{name}.yaml"), lexicon))
}

/// Feeds the reader of queries with any bytes.
pub fn fuzz(bytes: &[u8]) {
    let _ = load(bytes, "fuzz.yaml", &Lexicon::default());
}
