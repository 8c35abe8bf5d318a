//! The hash of a value: xxh3 over its saved bytes, which are never put together in one place.
//!
//! Leaves are laid side by side in a block on the stack, and only whole blocks go to the hash function: a leaf costs a
//! store and a comparison rather than a call. Lists of plain numbers come in one piece. The answer is that of
//! [`hash_bytes`](super::hash_bytes) over [`to_bytes`](super::to_bytes), on every target.

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::{Key, Leaf, Numbers, Sink, State, len_u32};

/// Bytes of a block: some stripes of xxh3, and little enough to lie in the nearest cache.
const BLOCK_BYTES: usize = 1024;

/// A hash in the making, for what is hashed of several values: [`add`](StateHasher::add) them in order, then
/// [`finish`](StateHasher::finish). The hash of one value is [`hash`](super::hash).
pub struct StateHasher {
    block: [u8; BLOCK_BYTES],
    /// Bytes of the block that are taken.
    at: usize,
    /// What took the blocks before this one; none while there was none.
    before: Option<Xxh3>,
}

impl Default for StateHasher {
    fn default() -> Self {
        StateHasher { block: [0; BLOCK_BYTES], at: 0, before: None }
    }
}

impl StateHasher {
    /// Adds a value: as if it were the next field of a struct.
    pub fn add<T: State>(&mut self, value: &T) {
        value.save(self);
    }

    /// Adds the items of a list: as if the list were the next field of a struct.
    pub fn add_items<T: State>(&mut self, items: &[T]) {
        self.leaf(Leaf::Len(len_u32(items.len())));
        T::save_items(items, self);
    }

    /// 64 bits that stand for all that was added.
    pub fn finish(self) -> u64 {
        let rest = &self.block[..self.at];
        match self.before {
            None => xxh3_64(rest),
            Some(mut before) => {
                before.update(rest);
                before.digest()
            }
        }
    }

    #[inline(always)]
    fn take(&mut self, bytes: &[u8]) {
        let end = self.at + bytes.len();
        match self.block.get_mut(self.at..end) {
            Some(room) => {
                room.copy_from_slice(bytes);
                self.at = end;
            }
            None => self.spill(bytes),
        }
    }

    /// Takes bytes that do not fit: fills the block, hands it on, and begins the next with what is left.
    #[cold]
    fn spill(&mut self, mut bytes: &[u8]) {
        let before = self.before.get_or_insert_with(Xxh3::new);
        let room = &mut self.block[self.at..];
        let (head, rest) = bytes.split_at(room.len());
        room.copy_from_slice(head);
        before.update(&self.block);
        bytes = rest;
        let whole = bytes.len() - bytes.len() % BLOCK_BYTES;
        before.update(&bytes[..whole]);
        bytes = &bytes[whole..];
        self.block[..bytes.len()].copy_from_slice(bytes);
        self.at = bytes.len();
    }
}

impl Sink for StateHasher {
    #[inline(always)]
    fn leaf(&mut self, leaf: Leaf<'_>) {
        leaf.write(|bytes| self.take(bytes));
    }

    #[inline]
    fn numbers(&mut self, numbers: Numbers<'_>) {
        numbers.write(|bytes| self.take(bytes));
    }
}

/// The hash of each field of a struct, by name and in order: the same as [`hash`](super::hash) of each. What a value has
/// outside of named fields (the number itself, the variant of an enum, items of a list) is a part without a name.
pub fn hash_fields<T: State>(value: &T) -> Vec<(&'static str, u64)> {
    let mut sink = FieldSink::default();
    value.save(&mut sink);
    if sink.is_bare {
        sink.fields.push(("", sink.bare.finish()));
    }
    sink.fields
}

/// Hashes field by field.
#[derive(Default)]
struct FieldSink {
    fields: Vec<(&'static str, u64)>,
    /// Name and hash in the making of the field that is open.
    open: Option<(&'static str, StateHasher)>,
    /// Steps down from the open field, or from the value if none is.
    depth: u32,
    /// What is in no field.
    bare: StateHasher,
    is_bare: bool,
}

impl FieldSink {
    fn hasher(&mut self) -> &mut StateHasher {
        match &mut self.open {
            Some((_, hasher)) => hasher,
            None => {
                self.is_bare = true;
                &mut self.bare
            }
        }
    }
}

impl Sink for FieldSink {
    fn leaf(&mut self, leaf: Leaf<'_>) {
        self.hasher().leaf(leaf);
    }

    fn numbers(&mut self, numbers: Numbers<'_>) {
        self.hasher().numbers(numbers);
    }

    fn enter(&mut self, key: Key) {
        match (key, &self.open) {
            (Key::Field(name), None) if self.depth == 0 => self.open = Some((name, StateHasher::default())),
            _ => self.depth += 1,
        }
    }

    fn leave(&mut self) {
        match self.open.take_if(|_| self.depth == 0) {
            Some((name, hasher)) => self.fields.push((name, hasher.finish())),
            None => self.depth -= 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{hash, hash_bytes, to_bytes};
    use glam::Vec3;
    use proptest::prelude::*;

    /// Lists of numbers, of structs and of texts, of lengths around those of blocks.
    #[derive(Debug, sentir_derive::State)]
    struct Mixed {
        small: u8,
        bytes: Vec<u8>,
        singles: Vec<f32>,
        text: String,
        places: Vec<Vec3>,
        pairs: Vec<(u16, i64)>,
        doubles: Vec<f64>,
        table: [u32; 3],
    }

    fn mixed() -> impl Strategy<Value = Mixed> {
        use proptest::collection::vec;
        let lists = (vec(any::<u8>(), 0..3000), vec(any::<f32>(), 0..600), vec(any::<[f32; 3]>(), 0..200));
        let rest = (vec(any::<(u16, i64)>(), 0..200), vec(any::<f64>(), 0..300), "[a-zä]{0,1500}");
        (any::<u8>(), lists, rest, any::<[u32; 3]>()).prop_map(
            |(small, (bytes, singles, places), (pairs, doubles, text), table)| Mixed {
                small,
                bytes,
                singles,
                text,
                places: places.into_iter().map(Vec3::from).collect(),
                pairs,
                doubles,
                table,
            },
        )
    }

    proptest! {
        /// The twin puts all bytes together and hashes them in one go.
        #[test]
        fn the_hash_in_blocks_is_that_of_the_bytes_in_one_piece(value in mixed()) {
            prop_assert_eq!(hash(&value), hash_bytes(&to_bytes(&value)));
        }

        #[test]
        fn values_added_one_by_one_hash_like_a_tuple(first in mixed(), second in any::<u32>(), third in mixed()) {
            let mut hasher = StateHasher::default();
            hasher.add(&first);
            hasher.add(&second);
            hasher.add(&third);
            prop_assert_eq!(hasher.finish(), hash(&(first, second, third)));
        }
    }

    proptest! {
        #[test]
        fn every_field_has_the_hash_it_has_alone(value in mixed()) {
            let numbers = [("small", hash(&value.small)), ("bytes", hash(&value.bytes)), ("singles", hash(&value.singles))];
            let lists = [("text", hash(&value.text)), ("places", hash(&value.places)), ("pairs", hash(&value.pairs))];
            let rest = [("doubles", hash(&value.doubles)), ("table", hash(&value.table))];
            let alone: Vec<_> = numbers.into_iter().chain(lists).chain(rest).collect();
            prop_assert_eq!(hash_fields(&value), alone);
        }
    }

    #[test]
    fn what_is_in_no_field_is_a_part_without_a_name() {
        #[derive(sentir_derive::State)]
        enum Phase {
            Waits,
            Plays { since: u32 },
        }
        assert_eq!(hash_fields(&7u32), [("", hash(&7u32))]);
        assert_eq!(hash_fields(&vec![(1u8, 2u16)]), [("", hash(&vec![(1u8, 2u16)]))]);
        assert_eq!(hash_fields(&Phase::Waits), [("", hash(&0u8))]);
        assert_eq!(hash_fields(&Phase::Plays { since: 3 }), [("since", hash(&3u32)), ("", hash(&1u8))]);
    }

    #[test]
    fn lists_that_end_where_a_block_does_hash_like_their_bytes() {
        for len in [0, 1, 1019, 1020, 1021, 2043, 2044, 2045, 5000] {
            let list: Vec<u8> = (0..len).map(|number| number as u8).collect();
            assert_eq!(hash(&list), hash_bytes(&to_bytes(&list)), "{len}");
        }
    }

    #[test]
    fn every_nan_of_a_list_is_the_same() {
        let odd = f32::from_bits(0xffc0_1234);
        assert_eq!(hash(&vec![1.0, odd]), hash(&vec![1.0, f32::NAN]));
        assert_eq!(to_bytes(&vec![1.0, odd]), to_bytes(&vec![1.0, f32::NAN]));
    }
}
