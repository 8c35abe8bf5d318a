//! A queue of buckets, one for each whole key: push and pop cost O(1), and equal keys come out the last one first.
//!
//! Works while keys never lie below the last one popped, nor as far above it as there are buckets. That is so in A* with a
//! consistent heuristic and in Dijkstra's search, where a step raises a key by a bounded sum. Two levels of bits find the next
//! bucket in use. (Dial 1969.)

const NONE: u32 = u32::MAX;

/// The queue. Empty again after [`BucketQueue::clear`], and then ready without clearing a bucket.
#[derive(Clone, Debug, Default)]
pub(crate) struct BucketQueue {
    heads: Vec<u32>,
    /// A bit for each bucket that holds something.
    used: Vec<u64>,
    /// A bit for each word of `used` that is not 0.
    summary: Vec<u64>,
    /// What was pushed, and the entry before it in its bucket.
    pool: Vec<(u32, u32)>,
    /// The key popped last.
    key: u32,
}

impl BucketQueue {
    /// Empties it and makes room for keys up to `reach` above the one popped last.
    pub(crate) fn clear(&mut self, reach: u32, key: u32) {
        let buckets = (reach as usize + 1).next_power_of_two().max(4096);
        self.pool.clear();
        self.key = key;
        if self.heads.len() == buckets {
            self.used.fill(0);
            self.summary.fill(0);
        } else {
            self.heads = vec![NONE; buckets];
            self.used = vec![0; buckets / 64];
            self.summary = vec![0; buckets / 4096];
        }
    }

    /// Adds an item. A key below the one popped last counts as that one.
    #[inline(always)]
    pub(crate) fn push(&mut self, key: u32, item: u32) {
        let key = if key < self.key { self.key } else { key };
        let bucket = key as usize & (self.heads.len() - 1);
        let (word, bit) = (bucket >> 6, 1u64 << (bucket & 63));
        let entry = self.pool.len() as u32;
        let old = self.used[word];
        let next = if old & bit == 0 { NONE } else { self.heads[bucket] };
        self.used[word] = old | bit;
        if old == 0 {
            self.summary[word >> 6] |= 1 << (word & 63);
        }
        self.heads[bucket] = entry;
        self.pool.push((item, next));
    }

    /// Takes an item of the least key.
    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<u32> {
        let mask = self.heads.len() - 1;
        let mut bucket = self.key as usize & mask;
        let mut word = bucket >> 6;
        let ahead = self.used[word] >> (bucket & 63);
        if ahead != 0 {
            bucket += ahead.trailing_zeros() as usize;
        } else {
            word = self.next_word(word)?;
            bucket = word << 6 | self.used[word].trailing_zeros() as usize;
        }
        self.key = self.key.wrapping_add((bucket.wrapping_sub(self.key as usize) & mask) as u32);
        let (item, next) = self.pool[self.heads[bucket] as usize];
        self.heads[bucket] = next;
        if next == NONE {
            self.used[word] &= !(1 << (bucket & 63));
            if self.used[word] == 0 {
                self.summary[word >> 6] &= !(1 << (word & 63));
            }
        }
        Some(item)
    }

    /// Takes an item of the least key, with the key.
    #[inline(always)]
    pub(crate) fn pop_key(&mut self) -> Option<(u32, u32)> {
        self.pop().map(|item| (self.key, item))
    }

    /// The next word in use after one, around the ring.
    fn next_word(&self, word: usize) -> Option<usize> {
        let (first, count) = (word >> 6, self.summary.len());
        let ahead = self.summary[first] & (u64::MAX << (word & 63)) & !(1 << (word & 63));
        if ahead != 0 {
            return Some(first << 6 | ahead.trailing_zeros() as usize);
        }
        for step in 1..=count {
            let at = (first + step) & (count - 1);
            if self.summary[at] != 0 {
                return Some(at << 6 | self.summary[at].trailing_zeros() as usize);
            }
        }
        None
    }

    /// Every item pushed since the queue was cleared, in that order.
    pub(crate) fn pushed(&self) -> impl Iterator<Item = u32> + '_ {
        self.pool.iter().map(|&(item, _)| item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn keys_come_in_order_and_none_is_lost(
            start in 0u32..100_000,
            steps in proptest::collection::vec((0u32..9000, 0usize..3), 1..400),
        ) {
            let mut queue = BucketQueue::default();
            queue.clear(9000, start);
            let (mut keys, mut last, mut popped) = (Vec::new(), start, 0);
            for (up, pops) in steps {
                queue.push(last + up, keys.len() as u32);
                keys.push(Some(last + up));
                for _ in 0..pops {
                    let least = keys.iter().flatten().min().copied();
                    let item = queue.pop();
                    prop_assert_eq!(item.is_some(), least.is_some());
                    if let Some(item) = item {
                        let key = keys[item as usize].take();
                        prop_assert_eq!(key, least);
                        (last, popped) = (least.unwrap_or(last), popped + 1);
                    }
                }
            }
            while queue.pop().is_some() {
                popped += 1;
            }
            prop_assert_eq!(popped, keys.len());
        }
    }
}
