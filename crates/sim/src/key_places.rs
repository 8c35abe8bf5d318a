//! Where in a list the entry of a key is, in constant time: a table of places, found by the key's hash and the next free slots.
//!
//! At most half of the slots are taken, so a look-up reads two of them on average. Equal keys: the first one in the list is found.
//! Adding costs O(1) on average, a list that lost an entry O(its length), as taking it out of a list in order does anyway.

use sentir::prelude::{HostKey, State};

/// The table. Slots hold a place plus one; 0 is free.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub(crate) struct KeyPlaces {
    slots: Vec<u32>,
}

/// Slots of the smallest table.
const SLOTS_MIN: usize = 8;

/// Spreads keys, which mostly count up, over the slots. (The finalizer of MurmurHash3, Appleby.)
fn spread(key: HostKey) -> usize {
    let mut bits = key.0;
    bits = (bits ^ (bits >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    bits = (bits ^ (bits >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    (bits ^ (bits >> 33)) as usize
}

impl KeyPlaces {
    /// The place of a key, where `key_at` tells the key of a place.
    pub(crate) fn find(&self, key: HostKey, key_at: impl Fn(usize) -> Option<HostKey>) -> Option<usize> {
        let mask = self.slots.len().checked_sub(1)?;
        let first = spread(key);
        for step in 0..self.slots.len() {
            let place = (self.slots[first.wrapping_add(step) & mask] as usize).checked_sub(1)?;
            if key_at(place) == Some(key) {
                return Some(place);
            }
        }
        None
    }

    /// Takes in the last entry of a list that is `count` long.
    pub(crate) fn add(&mut self, count: usize, key_at: impl Fn(usize) -> HostKey) {
        if count * 2 > self.slots.len() {
            self.rebuild(count, key_at);
        } else if let Some(last) = count.checked_sub(1) {
            self.put(last, key_at(last));
        }
    }

    /// Takes in all of a list that is `count` long.
    pub(crate) fn rebuild(&mut self, count: usize, key_at: impl Fn(usize) -> HostKey) {
        // Never smaller than before: lists grow and shrink around the same length.
        let size = (count * 2).next_power_of_two().max(SLOTS_MIN).max(self.slots.len());
        self.slots.clear();
        self.slots.resize(size, 0);
        (0..count).for_each(|place| self.put(place, key_at(place)));
    }

    /// Whether it can be the table of a list that is `count` long: a power of two, with room.
    pub(crate) fn is_table_of(&self, count: usize) -> bool {
        let size = self.slots.len();
        let taken = self.slots.iter().filter(|slot| **slot > 0).count();
        let is_size = size == 0 || (size.is_power_of_two() && size >= SLOTS_MIN);
        is_size && taken == count && count * 2 <= size && self.slots.iter().all(|slot| *slot as usize <= count)
    }

    fn put(&mut self, place: usize, key: HostKey) {
        let (mask, first) = (self.slots.len() - 1, spread(key));
        let free =
            (0..self.slots.len()).map(|step| first.wrapping_add(step) & mask).find(|&slot| self.slots[slot] == 0);
        if let Some(slot) = free {
            self.slots[slot] = place as u32 + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn places_are_those_that_a_search_through_the_list_finds(
            changes in proptest::collection::vec((0u64..40, any::<bool>(), any::<bool>()), 1..200),
        ) {
            let (mut table, mut list) = (KeyPlaces::default(), Vec::<HostKey>::new());
            for (number, is_new, is_far) in changes {
                let key = HostKey(if is_far { number << 57 } else { number });
                let slow = list.iter().position(|one| *one == key);
                prop_assert_eq!(table.find(key, |place| list.get(place).copied()), slow);
                match slow {
                    Some(place) if !is_new => {
                        list.remove(place);
                        table.rebuild(list.len(), |place| list[place]);
                    }
                    None => {
                        list.push(key);
                        table.add(list.len(), |place| list[place]);
                    }
                    Some(_) => {}
                }
                prop_assert!(table.is_table_of(list.len()));
            }
        }
    }
}
