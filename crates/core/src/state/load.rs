//! Reading state back: a cursor over untrusted bytes, and why it refused them.

use thiserror::Error;

/// How many items without bytes a saved list may announce: enough for any real list, no burden when forged.
const EMPTY_ITEMS_MAX: usize = 1 << 16;

/// A cursor over saved bytes.
#[derive(Debug)]
pub struct StateReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// Why bytes are not the state they should be. `at` counts bytes from the start.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum LoadError {
    /// The bytes stop in the middle of a value.
    #[error("the state ends at byte {at}, {needed} more expected")]
    Ended {
        /// Where the missing value would begin.
        at: usize,
        /// How many bytes it needs.
        needed: usize,
    },
    /// Bytes are left over after the whole value.
    #[error("{left} bytes are left over after the state, from byte {at}")]
    LeftOver {
        /// First byte too many.
        at: usize,
        /// How many.
        left: usize,
    },
    /// A list announces more items than the rest of the input could hold.
    #[error("byte {at} announces {len} items, but only {left} bytes follow")]
    TooLong {
        /// Where the length stands.
        at: usize,
        /// The announced number of items.
        len: u32,
        /// Bytes that follow.
        left: usize,
    },
    /// An enum has no such variant.
    #[error("byte {at}: {type_name} has no variant {tag}")]
    UnknownTag {
        /// Where the tag stands.
        at: usize,
        /// The enum.
        type_name: &'static str,
        /// The number found.
        tag: u8,
    },
    /// A value is outside what its type allows.
    #[error("byte {at}: {why}")]
    Invalid {
        /// Where the value ends.
        at: usize,
        /// What is wrong.
        why: &'static str,
    },
}

impl LoadError {
    /// A value that was read but cannot be.
    pub fn invalid(source: &StateReader<'_>, why: &'static str) -> Self {
        LoadError::Invalid { at: source.at, why }
    }

    /// A variant number that the enum does not have.
    pub fn unknown_tag(source: &StateReader<'_>, type_name: &'static str, tag: u8) -> Self {
        LoadError::UnknownTag { at: source.at.saturating_sub(1), type_name, tag }
    }
}

impl<'a> StateReader<'a> {
    /// Starts at the first byte.
    pub fn new(bytes: &'a [u8]) -> Self {
        StateReader { bytes, at: 0 }
    }

    /// The next `N` bytes.
    pub fn take<const N: usize>(&mut self) -> Result<[u8; N], LoadError> {
        let mut array = [0; N];
        array.copy_from_slice(self.slice(N)?);
        Ok(array)
    }

    /// The next `len` bytes, borrowed.
    pub fn slice(&mut self, len: usize) -> Result<&'a [u8], LoadError> {
        let left = self.left();
        if len > left {
            return Err(LoadError::Ended { at: self.bytes.len(), needed: len - left });
        }
        let slice = &self.bytes[self.at..self.at + len];
        self.at += len;
        Ok(slice)
    }

    /// The number of an enum's variant.
    pub fn tag(&mut self) -> Result<u8, LoadError> {
        Ok(self.take::<1>()?[0])
    }

    /// The length of a list of `T`. Refused when more items are announced than bytes follow, so that a forged length
    /// cannot make the loader allocate. Items of no size take no bytes; of those, 65 536 are allowed.
    pub fn list_len<T>(&mut self) -> Result<u32, LoadError> {
        let at = self.at;
        let len = u32::from_le_bytes(self.take()?);
        let left = self.left();
        let limit = if size_of::<T>() == 0 { EMPTY_ITEMS_MAX } else { left };
        if usize::try_from(len).is_ok_and(|len| len <= limit) {
            Ok(len)
        } else {
            Err(LoadError::TooLong { at, len, left })
        }
    }

    /// Bytes not read yet.
    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// An error when bytes are left over.
    pub fn finish(&self) -> Result<(), LoadError> {
        match self.left() {
            0 => Ok(()),
            left => Err(LoadError::LeftOver { at: self.at, left }),
        }
    }
}
