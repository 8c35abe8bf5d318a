//! Values that know where they stand in their file.

use serde::de::{Deserialize, Deserializer};

use crate::error::FilePosition;

/// A value and where in its file it stands. Places are known to what [`parse`](crate::parse) reads; a value that
/// [`crate::Node::read`] or another reader makes has none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Placed<T> {
    /// The value.
    pub value: T,
    /// Where it stands; unknown when it was made by code.
    pub place: FilePosition,
}

impl<T> From<T> for Placed<T> {
    fn from(value: T) -> Self {
        Placed { value, place: FilePosition::default() }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Placed<T> {
    #[cfg(feature = "yaml")]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = serde_saphyr::Spanned::<T>::deserialize(deserializer)?;
        let place = FilePosition::new(spanned.referenced.line(), spanned.referenced.column());
        Ok(Placed { value: spanned.value, place })
    }

    #[cfg(not(feature = "yaml"))]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Placed::from)
    }
}
