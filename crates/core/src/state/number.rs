//! Lists of plain numbers, which a sink may take in one piece.

use super::{Leaf, canonical_f32, canonical_f64};

/// Bytes that are made at a time of the numbers of a list. A multiple of every number's width.
const CHUNK_BYTES: usize = 256;

/// The items of a list of plain numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Numbers<'a> {
    /// Unsigned integers, saved in their own width.
    U8(&'a [u8]),
    /// See [`Numbers::U8`].
    U16(&'a [u16]),
    /// See [`Numbers::U8`].
    U32(&'a [u32]),
    /// See [`Numbers::U8`].
    U64(&'a [u64]),
    /// Signed integers, saved in their own width.
    I8(&'a [i8]),
    /// See [`Numbers::I8`].
    I16(&'a [i16]),
    /// See [`Numbers::I8`].
    I32(&'a [i32]),
    /// See [`Numbers::I8`].
    I64(&'a [i64]),
    /// Floats, saved as bits, NaN as in [`Leaf::F32`].
    F32(&'a [f32]),
    /// See [`Numbers::F32`].
    F64(&'a [f64]),
}

impl<'a> Numbers<'a> {
    /// Each number as the leaf it is.
    pub fn leaves(self) -> impl Iterator<Item = Leaf<'a>> {
        (0..).map_while(move |at| match self {
            Numbers::U8(list) => list.get(at).copied().map(Leaf::U8),
            Numbers::U16(list) => list.get(at).copied().map(Leaf::U16),
            Numbers::U32(list) => list.get(at).copied().map(Leaf::U32),
            Numbers::U64(list) => list.get(at).copied().map(Leaf::U64),
            Numbers::I8(list) => list.get(at).copied().map(Leaf::I8),
            Numbers::I16(list) => list.get(at).copied().map(Leaf::I16),
            Numbers::I32(list) => list.get(at).copied().map(Leaf::I32),
            Numbers::I64(list) => list.get(at).copied().map(Leaf::I64),
            Numbers::F32(list) => list.get(at).copied().map(Leaf::F32),
            Numbers::F64(list) => list.get(at).copied().map(Leaf::F64),
        })
    }

    /// Hands the bytes of all numbers to `take`, in few pieces.
    #[inline]
    pub(super) fn write(self, take: impl FnMut(&[u8])) {
        match self {
            Numbers::U8(list) => {
                let mut take = take;
                take(list);
            }
            Numbers::U16(list) => pieces(list, u16::to_le_bytes, take),
            Numbers::U32(list) => pieces(list, u32::to_le_bytes, take),
            Numbers::U64(list) => pieces(list, u64::to_le_bytes, take),
            Numbers::I8(list) => pieces(list, i8::to_le_bytes, take),
            Numbers::I16(list) => pieces(list, i16::to_le_bytes, take),
            Numbers::I32(list) => pieces(list, i32::to_le_bytes, take),
            Numbers::I64(list) => pieces(list, i64::to_le_bytes, take),
            Numbers::F32(list) => pieces(list, |value| canonical_f32(value).to_le_bytes(), take),
            Numbers::F64(list) => pieces(list, |value| canonical_f64(value).to_le_bytes(), take),
        }
    }
}

/// The bytes of a list, by the bytes of one number.
#[inline]
fn pieces<T: Copy, const N: usize>(list: &[T], bytes_of: impl Fn(T) -> [u8; N], mut take: impl FnMut(&[u8])) {
    let mut chunk = [0; CHUNK_BYTES];
    for part in list.chunks(CHUNK_BYTES / N) {
        for (room, &value) in chunk.chunks_exact_mut(N).zip(part) {
            room.copy_from_slice(&bytes_of(value));
        }
        take(&chunk[..part.len() * N]);
    }
}
