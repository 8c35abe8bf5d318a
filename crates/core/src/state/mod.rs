//! State: what a running world remembers, as bytes, as a hash, as a list of named leaves.
//!
//! A type becomes state by `#[derive(State)]`, which writes [`State::save`], [`State::load`] and [`State::schema`].
//! `save` pours the value into a [`Sink`]; what the sink does with it gives the rest:
//!
//! | sink | gives | function |
//! |---|---|---|
//! | bytes | a snapshot | [`to_bytes`], [`from_bytes`] |
//! | hasher | 64 bits that differ when any leaf differs, of the whole or of each field | [`hash`], [`hash_fields`] |
//! | leaves | every leaf with its path | [`leaves`], [`diff`], [`perturb`] |
//!
//! Because hash and difference come from the same function that saves, a field cannot be in one and not in the other.
//! Sizes are explicit little-endian integers; `usize`, hash maps and pointers are no `State`, so they cannot get in by
//! accident. Cost: one pass over the value. Loading never panics and never allocates more than the input's own size
//! times a small constant, whatever the bytes say.
//!
//! ```
//! use sentir_core::State;
//! use sentir_core::state::{diff, from_bytes, hash, to_bytes};
//!
//! #[derive(Clone, Debug, PartialEq, State)]
//! struct Guard { post: u32, alert: Option<f32> }
//!
//! let calm = Guard { post: 3, alert: None };
//! let woken = Guard { post: 3, alert: Some(0.5) };
//! assert_eq!(from_bytes::<Guard>(&to_bytes(&calm)).unwrap(), calm);
//! assert_ne!(hash(&calm), hash(&woken));
//! assert_eq!(diff(&calm, &woken, 10)[0].path, "alert");
//! ```

mod envelope;
mod hash;
mod impls;
mod leaf;
mod load;
mod number;
mod proof;

pub use envelope::{Envelope, EnvelopeError, FileKind, pack, unpack};
pub use hash::{StateHasher, hash_fields};
pub use leaf::{Difference, LeafAt, diff, leaves};
pub use load::{LoadError, StateReader};
pub use number::Numbers;
pub use proof::{Noticed, Perturbation, perturb};

use xxhash_rust::xxh3::Xxh3;

/// A value that can be saved, loaded, hashed and compared. Derive it: `#[derive(State)]`.
pub trait State: Sized {
    /// Pours every field into the sink, in declaration order.
    fn save<S: Sink>(&self, sink: &mut S);
    /// Reads what [`save`](State::save) wrote.
    fn load(source: &mut StateReader<'_>) -> Result<Self, LoadError>;
    /// Describes the type's shape; two builds that agree on it can read each other's bytes.
    fn schema(schema: &mut Schema);
    /// Pours the items of a list into the sink, one after the other. Plain numbers hand them over in one piece.
    #[inline]
    fn save_items<S: Sink>(items: &[Self], sink: &mut S) {
        for (index, item) in (0..).zip(items) {
            sink.enter(Key::Item(index));
            item.save(sink);
            sink.leave();
        }
    }
}

/// Where [`State::save`] pours a value.
pub trait Sink {
    /// Takes one leaf.
    fn leaf(&mut self, leaf: Leaf<'_>);
    /// Takes the items of a list of plain numbers: the same as each of them by itself, for sinks that name no leaves at
    /// less cost.
    fn numbers(&mut self, numbers: Numbers<'_>) {
        for (index, leaf) in (0..).zip(numbers.leaves()) {
            self.enter(Key::Item(index));
            self.leaf(leaf);
            self.leave();
        }
    }
    /// Goes down to a field or an item. Only sinks that name leaves care.
    fn enter(&mut self, _key: Key) {}
    /// Comes back up.
    fn leave(&mut self) {}
}

/// One step of a path into a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// A field by name, or by position in a tuple.
    Field(&'static str),
    /// An item of a list.
    Item(u32),
}

/// An indivisible piece of state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Leaf<'a> {
    /// `bool`, saved as 0 or 1.
    Bool(bool),
    /// Unsigned integers, saved in their own width.
    U8(u8),
    /// See [`Leaf::U8`].
    U16(u16),
    /// See [`Leaf::U8`].
    U32(u32),
    /// See [`Leaf::U8`].
    U64(u64),
    /// Signed integers, saved in their own width.
    I8(i8),
    /// See [`Leaf::I8`].
    I16(i16),
    /// See [`Leaf::I8`].
    I32(i32),
    /// See [`Leaf::I8`].
    I64(i64),
    /// Floats, saved as bits; every NaN becomes the one canonical NaN, since payloads differ between targets.
    F32(f32),
    /// See [`Leaf::F32`].
    F64(f64),
    /// Text, saved with its length.
    Text(&'a str),
    /// Which variant of an enum.
    Tag {
        /// Position in the declaration.
        index: u8,
        /// Name in the source.
        name: &'static str,
    },
    /// How many items follow.
    Len(u32),
}

impl Leaf<'_> {
    /// Hands the leaf's bytes to `take`, in one or two pieces. Inlined always: where the sort of leaf is known, a store is
    /// left of it.
    #[inline(always)]
    fn write(&self, mut take: impl FnMut(&[u8])) {
        match *self {
            Leaf::Bool(value) => take(&[u8::from(value)]),
            Leaf::U8(value) => take(&[value]),
            Leaf::U16(value) => take(&value.to_le_bytes()),
            Leaf::U32(value) | Leaf::Len(value) => take(&value.to_le_bytes()),
            Leaf::U64(value) => take(&value.to_le_bytes()),
            Leaf::I8(value) => take(&value.to_le_bytes()),
            Leaf::I16(value) => take(&value.to_le_bytes()),
            Leaf::I32(value) => take(&value.to_le_bytes()),
            Leaf::I64(value) => take(&value.to_le_bytes()),
            Leaf::F32(value) => take(&canonical_f32(value).to_le_bytes()),
            Leaf::F64(value) => take(&canonical_f64(value).to_le_bytes()),
            Leaf::Text(text) => {
                take(&len_u32(text.len()).to_le_bytes());
                take(text.as_bytes());
            }
            Leaf::Tag { index, .. } => take(&[index]),
        }
    }
}

#[inline]
fn canonical_f32(value: f32) -> u32 {
    if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() }
}

#[inline]
fn canonical_f64(value: f64) -> u64 {
    if value.is_nan() { 0x7ff8_0000_0000_0000 } else { value.to_bits() }
}

/// Lengths are stored in 32 bits. More than 4 billion items would be a runaway world, not a state.
pub(crate) fn len_u32(len: usize) -> u32 {
    u32::try_from(len).expect("state lists hold fewer than 2^32 items")
}

impl Sink for Vec<u8> {
    #[inline(always)]
    fn leaf(&mut self, leaf: Leaf<'_>) {
        leaf.write(|bytes| self.extend_from_slice(bytes));
    }

    #[inline]
    fn numbers(&mut self, numbers: Numbers<'_>) {
        numbers.write(|bytes| self.extend_from_slice(bytes));
    }
}

/// The value as bytes.
pub fn to_bytes<T: State>(value: &T) -> Vec<u8> {
    let mut bytes = Vec::new();
    value.save(&mut bytes);
    bytes
}

/// The value back from bytes; bytes left over are an error.
pub fn from_bytes<T: State>(bytes: &[u8]) -> Result<T, LoadError> {
    let mut source = StateReader::new(bytes);
    let value = T::load(&mut source)?;
    source.finish()?;
    Ok(value)
}

/// 64 bits that stand for the whole value: xxh3 of its bytes. Equal on every target.
pub fn hash<T: State>(value: &T) -> u64 {
    let mut hasher = StateHasher::default();
    hasher.add(value);
    hasher.finish()
}

/// The hash of plain bytes, by the same function: content hashes of assets.
pub fn hash_bytes(bytes: &[u8]) -> u64 {
    xxhash_rust::xxh3::xxh3_64(bytes)
}

/// The shape of a type, as a hash of its names and field types.
pub struct Schema(Xxh3);

impl Schema {
    /// The shape of `T`: changes when a field or variant is added, removed, renamed, moved or retyped.
    pub fn of<T: State>() -> u64 {
        let mut schema = Schema(Xxh3::new());
        T::schema(&mut schema);
        schema.0.digest()
    }

    /// Begins a type. `version` is the number of its `#[state(version = N)]`.
    pub fn open(&mut self, name: &str, version: u32) {
        self.text("(", name);
        self.0.update(&version.to_le_bytes());
    }

    /// Names the field or variant whose type comes next.
    pub fn field(&mut self, name: &str) {
        self.text(".", name);
    }

    /// Ends a type.
    pub fn close(&mut self) {
        self.0.update(b")");
    }

    /// A type without fields.
    pub fn leaf(&mut self, name: &str) {
        self.open(name, 0);
        self.close();
    }

    fn text(&mut self, mark: &str, name: &str) {
        self.0.update(mark.as_bytes());
        self.0.update(&len_u32(name.len()).to_le_bytes());
        self.0.update(name.as_bytes());
    }
}
