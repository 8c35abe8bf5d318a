//! Generational ids: a slot number that notices when its slot was given to somebody else.
//!
//! [`Slots`] is a slot map whose free list is part of its state, so that a restored world hands out the same ids as the
//! original. Freed slots are reused last in, first out. All operations are O(1); iteration is in slot order.

use std::fmt;
use std::marker::PhantomData;

use sentir_derive::State;

/// A handle to a `T` in some [`Slots<T>`]. Never dangles: once the slot is reused, it names nobody.
#[derive(State)]
pub struct Id<T> {
    index: u32,
    generation: u32,
    of: PhantomData<fn() -> T>,
}

// By hand, because a derive would ask the same of `T`.
impl<T> Clone for Id<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Id<T> {}
impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Self) -> bool {
        self.to_bits() == other.to_bits()
    }
}
impl<T> Eq for Id<T> {}
impl<T> PartialOrd for Id<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl<T> Ord for Id<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.to_bits().cmp(&other.to_bits())
    }
}
impl<T> std::hash::Hash for Id<T> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.to_bits().hash(state);
    }
}
impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
impl<T> fmt::Display for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.index)?;
        if self.generation > 0 { write!(f, ".{}", self.generation) } else { Ok(()) }
    }
}

impl<T> Id<T> {
    /// The slot number. Two ids that were alive at different times may share it.
    pub fn index(self) -> usize {
        self.index as usize
    }

    /// The id as 64 bits, for hosts that store it and for random streams: slot in the high half.
    pub fn to_bits(self) -> u64 {
        u64::from(self.index) << 32 | u64::from(self.generation)
    }

    /// The id back from [`to_bits`](Id::to_bits). Any number is fine: a made-up id names nobody.
    pub fn from_bits(bits: u64) -> Self {
        Id { index: (bits >> 32) as u32, generation: bits as u32, of: PhantomData }
    }
}

/// A marker for agents: who thinks.
#[derive(Clone, Copy, Debug)]
pub enum Agent {}

/// The handle of an agent.
pub type AgentId = Id<Agent>;

/// Which side somebody is on. Any number; 0 is as good as another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, State)]
pub struct TeamId(pub u32);

/// A group of a team that is coordinated together. Any number; a team that is one squad has squad 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, State)]
pub struct SquadId {
    /// Which team.
    pub team: TeamId,
    /// Which of its squads.
    pub number: u32,
}

impl SquadId {
    /// The only squad of a team that is not divided.
    pub const fn whole(team: TeamId) -> SquadId {
        SquadId { team, number: 0 }
    }
}

/// Values by generational id. `K` is what the ids name, by default the value itself.
#[derive(Clone, Debug, PartialEq, State)]
#[state(check)]
pub struct Slots<T, K = T> {
    entries: Vec<Entry<T>>,
    /// Vacant slots, the next to be used last.
    free: Vec<u32>,
    of: PhantomData<fn() -> K>,
}

#[derive(Clone, Debug, PartialEq, State)]
struct Entry<T> {
    /// How often the slot was vacated.
    generation: u32,
    value: Option<T>,
}

impl<T, K> Default for Slots<T, K> {
    fn default() -> Self {
        Slots { entries: Vec::new(), free: Vec::new(), of: PhantomData }
    }
}

impl<T, K> Slots<T, K> {
    /// How many values there are.
    pub fn len(&self) -> usize {
        self.entries.len() - self.free.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many slots there are, vacant ones included: every index is below.
    pub fn slot_count(&self) -> usize {
        self.entries.len()
    }

    /// The id the next [`insert`](Slots::insert) will give.
    pub fn next_id(&self) -> Id<K> {
        match self.free.last() {
            Some(&index) => self.id_at(index as usize),
            None => Id { index: crate::state::len_u32(self.entries.len()), generation: 0, of: PhantomData },
        }
    }

    /// Adds a value.
    pub fn insert(&mut self, value: T) -> Id<K> {
        let id = self.next_id();
        match self.free.pop() {
            Some(index) => self.entries[index as usize].value = Some(value),
            None => self.entries.push(Entry { generation: 0, value: Some(value) }),
        }
        id
    }

    /// Takes a value out. None if it is not there (any more).
    pub fn remove(&mut self, id: Id<K>) -> Option<T> {
        let entry = self.entries.get_mut(id.index()).filter(|entry| entry.generation == id.generation)?;
        let value = entry.value.take()?;
        // After 2^32 reuses of one slot an id could come back; at a spawn a tick that takes two years at 60 Hz.
        entry.generation = entry.generation.wrapping_add(1);
        self.free.push(id.index);
        Some(value)
    }

    /// The value, if it is (still) there.
    pub fn at(&self, id: Id<K>) -> Option<&T> {
        self.entries.get(id.index()).filter(|entry| entry.generation == id.generation)?.value.as_ref()
    }

    /// The value, if it is (still) there.
    pub fn at_mut(&mut self, id: Id<K>) -> Option<&mut T> {
        self.entries.get_mut(id.index()).filter(|entry| entry.generation == id.generation)?.value.as_mut()
    }

    /// Whether the id names a value.
    pub fn contains(&self, id: Id<K>) -> bool {
        self.at(id).is_some()
    }

    /// All values, in slot order.
    pub fn iter(&self) -> impl Iterator<Item = (Id<K>, &T)> {
        self.entries.iter().enumerate().filter_map(|(index, entry)| Some((self.id_at(index), entry.value.as_ref()?)))
    }

    /// All values, in slot order.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Id<K>, &mut T)> {
        self.chunk().into_iter()
    }

    /// All slots as one chunk, to be split for parallel work.
    pub fn chunk(&mut self) -> Chunk<'_, T, K> {
        Chunk { first: 0, entries: &mut self.entries, of: PhantomData }
    }

    fn id_at(&self, index: usize) -> Id<K> {
        Id { index: index as u32, generation: self.entries[index].generation, of: PhantomData }
    }

    /// What a loaded value must satisfy: the free list names exactly the vacant slots, each once.
    fn check(&self) -> Result<(), &'static str> {
        let vacant = self.entries.iter().filter(|entry| entry.value.is_none()).count();
        let mut named: Vec<u32> = self.free.clone();
        named.sort_unstable();
        named.dedup();
        let is_vacant = |&index: &u32| self.entries.get(index as usize).is_some_and(|entry| entry.value.is_none());
        if named.len() == self.free.len() && named.len() == vacant && named.iter().all(is_vacant) {
            Ok(())
        } else {
            Err("the free list does not name the vacant slots")
        }
    }
}

/// A run of slots that can be split: disjoint chunks may be worked on at the same time.
pub struct Chunk<'a, T, K = T> {
    first: u32,
    entries: &'a mut [Entry<T>],
    of: PhantomData<fn() -> K>,
}

impl<'a, T, K> Chunk<'a, T, K> {
    /// Slots in this chunk, vacant ones included.
    pub fn slot_count(&self) -> usize {
        self.entries.len()
    }

    /// The first `slots` slots, and the rest.
    pub fn split_at(self, slots: usize) -> (Self, Self) {
        let (left, right) = self.entries.split_at_mut(slots.min(self.entries.len()));
        let second = self.first + left.len() as u32;
        (
            Chunk { first: self.first, entries: left, of: PhantomData },
            Chunk { first: second, entries: right, of: PhantomData },
        )
    }
}

impl<'a, T, K> IntoIterator for Chunk<'a, T, K> {
    type Item = (Id<K>, &'a mut T);
    type IntoIter = ChunkIter<'a, T, K>;

    fn into_iter(self) -> Self::IntoIter {
        ChunkIter { index: self.first, entries: self.entries.iter_mut(), of: PhantomData }
    }
}

/// Iterator over the values of a [`Chunk`], in slot order.
pub struct ChunkIter<'a, T, K = T> {
    index: u32,
    entries: std::slice::IterMut<'a, Entry<T>>,
    of: PhantomData<fn() -> K>,
}

impl<'a, T, K> Iterator for ChunkIter<'a, T, K> {
    type Item = (Id<K>, &'a mut T);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let entry = self.entries.next()?;
            let index = self.index;
            self.index += 1;
            if let Some(value) = &mut entry.value {
                return Some((Id { index, generation: entry.generation, of: PhantomData }, value));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{from_bytes, hash, to_bytes};
    use proptest::prelude::*;
    use slotmap::SlotMap;

    proptest! {
        /// The twin is the slotmap crate: same answers, whatever the order of insertions and removals.
        #[test]
        fn slots_answer_like_a_slot_map(steps in proptest::collection::vec((any::<bool>(), any::<usize>()), 0..200)) {
            let (mut ours, mut twin) = (Slots::<usize>::default(), SlotMap::new());
            let mut ids = Vec::new();
            for (number, (insert, pick)) in steps.into_iter().enumerate() {
                if insert || ids.is_empty() {
                    prop_assert_eq!(ours.next_id(), { let id = ours.insert(number); ids.push((id, twin.insert(number))); id });
                } else {
                    let (id, key) = ids[pick % ids.len()];
                    prop_assert_eq!(ours.remove(id), twin.remove(key));
                }
                prop_assert_eq!(ours.len(), twin.len());
                for &(id, key) in &ids {
                    prop_assert_eq!(ours.at(id), twin.get(key));
                }
            }
            let again: Slots<usize> = restored(&ours);
            prop_assert_eq!(again.next_id(), ours.next_id());
        }

        #[test]
        fn chunks_cover_every_slot_once(removed in proptest::collection::vec(0..20u32, 0..10), cut in 0..25usize) {
            let mut slots = Slots::<u32>::default();
            let ids: Vec<_> = (0..20).map(|value| slots.insert(value)).collect();
            for index in removed {
                slots.remove(ids[index as usize]);
            }
            let expected: Vec<_> = slots.iter().map(|(id, value)| (id, *value)).collect();
            let (left, right) = slots.chunk().split_at(cut);
            let seen: Vec<_> = left.into_iter().chain(right).map(|(id, value)| (id, *value)).collect();
            prop_assert_eq!(seen, expected);
        }
    }

    fn restored(slots: &Slots<usize>) -> Slots<usize> {
        // `usize` is no state on purpose; go through u64.
        let widen =
            |entry: &Entry<usize>| Entry { generation: entry.generation, value: entry.value.map(|value| value as u64) };
        let entries = slots.entries.iter().map(widen).collect();
        let wide = Slots::<u64, usize> { entries, free: slots.free.clone(), of: PhantomData };
        let back: Slots<u64, usize> = from_bytes(&to_bytes(&wide)).unwrap();
        assert_eq!(hash(&back), hash(&wide));
        let mut again = slots.clone();
        again.free = back.free;
        again
    }

    #[test]
    fn a_stale_id_names_nobody() {
        let mut slots = Slots::<&str>::default();
        let first = slots.insert("first");
        assert_eq!(slots.remove(first), Some("first"));
        let second = slots.insert("second");
        assert_eq!(first.index(), second.index());
        assert_eq!(slots.at(first), None);
        assert_eq!(slots.remove(first), None);
        assert_eq!(slots.at(second), Some(&"second"));
        assert_eq!((first.to_string(), second.to_string()), ("#0".to_owned(), "#0.1".to_owned()));
        assert_eq!(Id::<&str>::from_bits(second.to_bits()), second);
        assert_eq!(slots.at(Id::from_bits(u64::MAX)), None);
    }

    #[test]
    fn a_forged_free_list_is_refused() {
        let mut slots = Slots::<u8>::default();
        let id = slots.insert(1);
        slots.insert(2);
        slots.remove(id);
        for forged in [vec![], vec![1], vec![0, 0], vec![9]] {
            let mut bad = slots.clone();
            bad.free = forged;
            let error = from_bytes::<Slots<u8>>(&to_bytes(&bad)).unwrap_err();
            assert!(error.to_string().contains("the free list does not name the vacant slots"));
        }
    }
}
