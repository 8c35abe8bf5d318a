//! The open list of the searches: a heap of four children a node, cheapest first, of equals the newest.
//!
//! The newest of equals goes first because on open ground a straight way is a chain of equal estimates, and its end is the
//! one to go on from. Costs are never NaN; the order is total, so the same pushes give the same pops everywhere.

/// Costs with the number of what they are the cost of.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenList {
    heap: Vec<(f64, u32)>,
}

#[inline]
fn is_before(a: (f64, u32), b: (f64, u32)) -> bool {
    a.0 < b.0 || (a.0 == b.0 && a.1 > b.1)
}

impl OpenList {
    /// Empties the list and keeps its memory.
    pub(crate) fn clear(&mut self) {
        self.heap.clear();
    }

    /// The cheapest entry, left in its place.
    #[inline]
    pub(crate) fn first(&self) -> Option<(f64, u32)> {
        self.heap.first().copied()
    }

    #[inline]
    pub(crate) fn push(&mut self, cost: f64, number: u32) {
        let entry = (cost, number);
        let mut at = self.heap.len();
        self.heap.push(entry);
        while at > 0 {
            let above = (at - 1) / 4;
            if !is_before(entry, self.heap[above]) {
                break;
            }
            self.heap[at] = self.heap[above];
            at = above;
        }
        self.heap[at] = entry;
    }

    /// Takes the cheapest entry.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(f64, u32)> {
        let last = self.heap.pop()?;
        let Some(&first) = self.heap.first() else { return Some(last) };
        let (heap, mut at) = (self.heap.as_mut_slice(), 0);
        loop {
            let from = at * 4 + 1;
            let Some(children) = heap.get(from..(from + 4).min(heap.len())).filter(|it| !it.is_empty()) else { break };
            let (mut best, mut least) = (0, children[0]);
            for (number, &child) in children.iter().enumerate().skip(1) {
                if is_before(child, least) {
                    (best, least) = (number, child);
                }
            }
            if !is_before(least, last) {
                break;
            }
            heap[at] = least;
            at = from + best;
        }
        heap[at] = last;
        Some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn entries_leave_in_order(costs in proptest::collection::vec(0u8..20, 0..200)) {
            let mut open = OpenList::default();
            for (number, &cost) in costs.iter().enumerate() {
                open.push(cost.into(), number as u32);
            }
            let mut twin: Vec<(u8, u32)> = costs.iter().enumerate().map(|(number, &cost)| (cost, number as u32)).collect();
            twin.sort_by_key(|&(cost, number)| (cost, u32::MAX - number));
            for (cost, number) in twin {
                prop_assert_eq!(open.first(), Some((cost.into(), number)));
                prop_assert_eq!(open.pop(), Some((cost.into(), number)));
            }
            prop_assert_eq!(open.pop(), None);
        }
    }
}
