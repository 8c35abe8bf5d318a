//! Values that know where they stand in their file.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error as _, SeqAccess, Visitor};

use crate::error::FilePosition;

/// A value and where in its file it stands. Places are known to what [`parse`](crate::parse) and [`crate::Node::read`] read; a
/// value that another reader makes has none.
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

/// The name by which a value asks our reader for its place, too.
pub(crate) const PLACED: &str = "$sentir placed";

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Placed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(PLACED, PlacedVisitor(PhantomData))
    }
}

struct PlacedVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for PlacedVisitor<T> {
    type Value = Placed<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    /// Another reader, which knows no places.
    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Placed<T>, D::Error> {
        T::deserialize(deserializer).map(Placed::from)
    }

    /// Ours: line, column, value.
    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Placed<T>, A::Error> {
        let (line, column) = (parts.next_element()?, parts.next_element()?);
        match (line, column, parts.next_element()?) {
            (Some(line), Some(column), Some(value)) => Ok(Placed { value, place: FilePosition::new(line, column) }),
            _ => Err(A::Error::custom("a place without a value")),
        }
    }
}
