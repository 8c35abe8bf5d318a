//! Who waits, and until when: so that brains that wait cost nothing, however many there are.
//!
//! A host puts an agent to sleep after a tick, until its brain wants to be ticked again ([`Brain::wake`]) and with the keys
//! that would wake it before ([`Brain::watch`]). Each tick it asks who is due, and ticks those alone:
//!
//! ```
//! use sentir_core::tick::Tick;
//! use sentir_think::key::KeySet;
//! use sentir_think::sleep::Sleepers;
//!
//! let (mut sleepers, mut due) = (Sleepers::default(), Vec::new());
//! sleepers.sleep(7, Tick(100), KeySet::default());
//! sleepers.sleep(3, Tick(500), KeySet::default());
//! sleepers.advance(Tick(99), &mut due);
//! assert!(due.is_empty());
//! sleepers.rouse(3); // somebody wrote a key that it watches
//! sleepers.advance(Tick(100), &mut due);
//! assert_eq!(due, [3, 7]);
//! ```
//!
//! Whoever writes to an agent's own board calls [`Sleepers::rouse`] if a watched key changed; whoever delivers to a shared
//! board calls [`Sleepers::rouse_watchers`]. A tick that comes too often changes nothing, so to rouse too many is safe.
//!
//! Agents go by slot: the host's small numbers for them. Method: a wheel of wheels (Varghese & Lauck), four of 64 places,
//! with lists through the slots. Sleeping, rousing and removing cost O(1), a tick O(due) with at most four moves of each
//! sleeper in all; rousing watchers looks at the keys of every sleeper. Warm, nothing is allocated.
//!
//! [`Brain::wake`]: crate::brain::Brain::wake
//! [`Brain::watch`]: crate::brain::Brain::watch

use sentir_core::State;
use sentir_core::tick::Tick;

use crate::key::KeySet;

/// Wheels, and places of each.
const WHEELS: u32 = 4;
const BITS: u32 = 6;
const PLACES: u64 = 1 << BITS;
/// The list behind those of the wheels: all that is farther away than they reach.
const FAR: u32 = WHEELS << BITS;
/// No slot, or no list.
const NONE: u32 = u32::MAX;

/// One agent: when it is due, and its neighbors in the list it is in.
#[derive(Clone, Copy, Debug, PartialEq, State)]
struct Sleeper {
    wake: Tick,
    watch: KeySet,
    list: u32,
    before: u32,
    after: u32,
}

/// All agents that sleep.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct Sleepers {
    now: Tick,
    slots: Vec<Sleeper>,
    /// The first slot of each list; empty until somebody sleeps.
    firsts: Vec<u32>,
    count: u32,
}

impl Sleepers {
    /// How many sleep.
    pub fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether nobody sleeps.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Puts an agent to sleep, or lets a sleeping one sleep otherwise. Until now or earlier means until the next tick.
    pub fn sleep(&mut self, slot: u32, until: Tick, watch: KeySet) {
        self.mend();
        let awake = Sleeper { wake: Tick(0), watch: KeySet::default(), list: NONE, before: NONE, after: NONE };
        if self.slots.len() <= slot as usize {
            self.slots.resize(slot as usize + 1, awake);
        }
        self.remove(slot);
        let sleeper = &mut self.slots[slot as usize];
        (sleeper.wake, sleeper.watch) = (until.max(self.now + 1), watch);
        self.count = self.count.saturating_add(1);
        self.put(slot);
    }

    /// Makes an agent due with the next tick, if it sleeps.
    pub fn rouse(&mut self, slot: u32) {
        let sleeper = self.slots.get(slot as usize).filter(|sleeper| sleeper.list != NONE);
        if let Some(watch) = sleeper.map(|sleeper| sleeper.watch) {
            self.sleep(slot, self.now + 1, watch);
        }
    }

    /// Makes everybody due with the next tick who watches one of these keys: of a shared board that changed.
    pub fn rouse_watchers(&mut self, changed: &KeySet) {
        for slot in 0..self.slots.len() {
            if self.slots[slot].list != NONE && self.slots[slot].watch.meets(changed) {
                // Slots are numbered by 32 bits.
                self.rouse(slot as u32);
            }
        }
    }

    /// Forgets an agent: one that is gone, or is to be ticked anyway.
    pub fn remove(&mut self, slot: u32) {
        let Some(&Sleeper { list, before, after, .. }) = self.slots.get(slot as usize) else { return };
        if list == NONE {
            return;
        }
        // A block may have been forged: what is not there is not linked.
        match self.slots.get_mut(before as usize) {
            Some(before) => before.after = after,
            None => self.firsts.get_mut(list as usize).into_iter().for_each(|first| *first = after),
        }
        if let Some(after) = self.slots.get_mut(after as usize) {
            after.before = before;
        }
        self.slots[slot as usize].list = NONE;
        self.count = self.count.saturating_sub(1);
    }

    /// Time goes on to `now`: adds those who are due by then, and sleep no more, in the order of their slots. Every tick on
    /// the way is looked at.
    pub fn advance(&mut self, now: Tick, due: &mut Vec<u32>) {
        self.mend();
        let from = due.len();
        while self.now < now && self.count > 0 {
            self.now = self.now + 1;
            // Where a wheel comes round, the next place of the one above is shared out among those below.
            for wheel in (1..=WHEELS).rev() {
                if self.now.0.trailing_zeros() >= BITS * wheel {
                    let place = (self.now.0 >> (BITS * wheel) & (PLACES - 1)) as u32;
                    let list = if wheel == WHEELS { FAR } else { (wheel << BITS) + place };
                    self.share_out(list);
                }
            }
            let list = (self.now.0 & (PLACES - 1)) as u32;
            let mut slot = self.firsts[list as usize];
            while (slot as usize) < self.slots.len() && self.slots[slot as usize].list == list {
                let after = self.slots[slot as usize].after;
                self.remove(slot);
                due.push(slot);
                slot = after;
            }
            self.firsts[list as usize] = NONE;
        }
        self.now = self.now.max(now);
        due[from..].sort_unstable();
    }

    /// Makes room for the lists; a block from outside that has another number of them is forgotten.
    fn mend(&mut self) {
        if self.firsts.len() != FAR as usize + 1 {
            self.slots.clear();
            self.firsts.clear();
            self.firsts.resize(FAR as usize + 1, NONE);
            self.count = 0;
        }
    }

    /// Moves the sleepers of a list to where they belong by now.
    fn share_out(&mut self, list: u32) {
        let mut slot = std::mem::replace(&mut self.firsts[list as usize], NONE);
        let mut left = self.slots.len();
        while (slot as usize) < self.slots.len() && self.slots[slot as usize].list == list && left > 0 {
            let after = self.slots[slot as usize].after;
            self.put(slot);
            (slot, left) = (after, left - 1);
        }
    }

    /// Puts a slot first into the list of its moment.
    fn put(&mut self, slot: u32) {
        let wake = self.slots[slot as usize].wake.0;
        // The wheel of the highest bits in which the moment differs from now.
        let differs = (wake ^ self.now.0).checked_ilog2().map_or(0, |bit| bit / BITS);
        let list =
            if differs >= WHEELS { FAR } else { (differs << BITS) + (wake >> (BITS * differs) & (PLACES - 1)) as u32 };
        let first = std::mem::replace(&mut self.firsts[list as usize], slot);
        let sleeper = &mut self.slots[slot as usize];
        (sleeper.list, sleeper.before, sleeper.after) = (list, NONE, first);
        if let Some(first) = self.slots.get_mut(first as usize) {
            first.before = slot;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::{KeySpec, Keys, Scope};
    use proptest::prelude::*;
    use sentir_core::state::{from_bytes, to_bytes};
    use std::collections::BTreeMap;

    fn watch(number: u32) -> KeySet {
        let keys = Keys::build(["a", "b", "c"].map(|name| KeySpec::new::<bool>(name, Scope::Team))).unwrap();
        let mut set = KeySet::default();
        set.insert(keys.any(["a", "b", "c"][number as usize % 3]).unwrap());
        set
    }

    #[derive(Clone, Debug)]
    enum Step {
        Sleep(u32, u64),
        Rouse(u32),
        RouseWatchers(u32),
        Remove(u32),
        Advance(u64),
    }

    fn step() -> impl Strategy<Value = Step> {
        let span = prop_oneof![4 => 0u64..70, 2 => 0u64..5000, 1 => 0u64..300_000, 1 => (1u64 << 24)..(1 << 25)];
        prop_oneof![
            6 => (0u32..40, span).prop_map(|(slot, span)| Step::Sleep(slot, span)),
            1 => (0u32..50).prop_map(Step::Rouse),
            1 => (0u32..3).prop_map(Step::RouseWatchers),
            1 => (0u32..50).prop_map(Step::Remove),
            6 => prop_oneof![6 => 1u64..4, 2 => 1u64..200, 1 => 1u64..20_000].prop_map(Step::Advance),
        ]
    }

    /// The obvious way: a table that is looked through.
    #[derive(Default)]
    struct Twin {
        now: u64,
        wakes: BTreeMap<u32, (u64, KeySet)>,
    }

    proptest! {
        #[test]
        fn the_wheel_wakes_whom_a_table_would_wake(steps in proptest::collection::vec(step(), 1..120)) {
            let (mut wheel, mut twin) = (Sleepers::default(), Twin::default());
            for step in steps {
                let soon = twin.now + 1;
                match step {
                    Step::Sleep(slot, span) => {
                        wheel.sleep(slot, Tick(twin.now + span), watch(slot));
                        twin.wakes.insert(slot, ((twin.now + span).max(soon), watch(slot)));
                    }
                    Step::Rouse(slot) => {
                        wheel.rouse(slot);
                        twin.wakes.entry(slot).and_modify(|sleeper| sleeper.0 = soon);
                    }
                    Step::RouseWatchers(key) => {
                        wheel.rouse_watchers(&watch(key));
                        let woken = twin.wakes.values_mut().filter(|sleeper| sleeper.1 == watch(key));
                        woken.for_each(|sleeper| sleeper.0 = soon);
                    }
                    Step::Remove(slot) => {
                        wheel.remove(slot);
                        twin.wakes.remove(&slot);
                    }
                    Step::Advance(ticks) => {
                        twin.now += ticks;
                        let mut due = Vec::new();
                        wheel.advance(Tick(twin.now), &mut due);
                        let expected: Vec<u32> =
                            twin.wakes.iter().filter(|(_, (wake, _))| *wake <= twin.now).map(|(slot, _)| *slot).collect();
                        twin.wakes.retain(|_, (wake, _)| *wake > twin.now);
                        prop_assert_eq!(due, expected);
                    }
                }
                prop_assert_eq!(wheel.len(), twin.wakes.len());
                // A saved wheel goes on alike.
                wheel = from_bytes(&to_bytes(&wheel)).unwrap();
            }
        }

        #[test]
        fn damaged_wheels_end_their_ticks(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
            let mut wheel = Sleepers::default();
            (0..20).for_each(|slot| wheel.sleep(slot, Tick(u64::from(slot) * 30), watch(slot)));
            let mut bytes = to_bytes(&wheel);
            let at = at.index(bytes.len());
            bytes[at] = byte;
            if let Ok(mut wheel) = from_bytes::<Sleepers>(&bytes) {
                let (mut due, now) = (Vec::new(), wheel.now);
                wheel.advance(now + 700, &mut due);
                prop_assert!(due.len() <= 20);
            }
        }
    }

    #[test]
    fn a_warm_wheel_allocates_nothing() {
        let (mut wheel, mut due) = (Sleepers::default(), Vec::with_capacity(64));
        let mut run = |ticks: u64| {
            for _ in 0..ticks {
                due.clear();
                let now = wheel.now + 1;
                wheel.advance(now, &mut due);
                for slot in 0..64 {
                    if wheel.slots.get(slot as usize).is_none_or(|sleeper| sleeper.list == NONE) {
                        wheel.sleep(slot, now + 1 + u64::from(slot) * 97, KeySet::default());
                    }
                }
            }
        };
        run(100);
        assert_eq!(allocation_counter::measure(|| run(10_000)).count_total, 0);
    }
}
