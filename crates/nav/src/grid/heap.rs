//! A binary heap of keys that hold their item: the least comes first, and every tie is settled.

use sentir_core::State;

/// The heap.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub(crate) struct Heap<K: State> {
    keys: Vec<K>,
}

impl<K: State + Copy + Ord> Heap<K> {
    pub(crate) fn clear(&mut self) {
        self.keys.clear();
    }

    #[inline]
    pub(crate) fn push(&mut self, key: K) {
        let mut hole = self.keys.len();
        self.keys.push(key);
        while hole > 0 {
            let parent = (hole - 1) / 2;
            let above = self.keys[parent];
            if above <= key {
                break;
            }
            self.keys[hole] = above;
            hole = parent;
        }
        self.keys[hole] = key;
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<K> {
        let last = self.keys.pop()?;
        let Some(&first) = self.keys.first() else { return Some(last) };
        // Down to a leaf by the lesser child, then up: the last key mostly belongs far down.
        let keys = &mut self.keys[..];
        let (mut hole, mut child) = (0, 1);
        while child + 1 < keys.len() {
            child += usize::from(keys[child + 1] < keys[child]);
            keys[hole] = keys[child];
            (hole, child) = (child, 2 * child + 1);
        }
        if child < keys.len() {
            keys[hole] = keys[child];
            hole = child;
        }
        while hole > 0 && keys[(hole - 1) / 2] > last {
            keys[hole] = keys[(hole - 1) / 2];
            hole = (hole - 1) / 2;
        }
        keys[hole] = last;
        Some(first)
    }

    /// All keys, in no useful order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &K> {
        self.keys.iter()
    }

    pub(crate) fn peek(&self) -> Option<K> {
        self.keys.first().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn keys_come_out_sorted(keys in proptest::collection::vec(0u64..500, 0..200)) {
            let mut heap = Heap::default();
            keys.iter().for_each(|&key| heap.push(key));
            let mut sorted = keys;
            sorted.sort_unstable();
            prop_assert_eq!(heap.peek(), sorted.first().copied());
            let popped: Vec<u64> = std::iter::from_fn(|| heap.pop()).collect();
            prop_assert_eq!(popped, sorted);
        }
    }
}
