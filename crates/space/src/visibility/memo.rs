//! Regions kept: the same question is answered once, until something moves that the answer depends on.
//!
//! A change touches a region only if some of the box where the obstacle was, or is, lies in the region (what is hidden may
//! move as it likes). A memo is a pure cache: dropping it changes no answer.

use super::{Obstacles, Region, Sweep, Watcher};

#[derive(Clone, Debug, Default)]
struct Entry {
    bits: [u32; 5],
    region: Region,
    /// The version up to which it was found to hold.
    version: u64,
    /// When it was asked for last.
    used: u64,
}

/// Regions by watcher. Use one for each set of obstacles.
#[derive(Clone, Debug)]
pub struct Memo {
    entries: Vec<Entry>,
    capacity: usize,
    sweep: Sweep,
    asked: u64,
    swept: u64,
}

impl Default for Memo {
    fn default() -> Memo {
        Memo::new(64)
    }
}

impl Memo {
    /// Keeps so many regions at most (at least one); those asked for longest ago go first.
    #[must_use]
    pub fn new(capacity: usize) -> Memo {
        Memo { entries: Vec::new(), capacity: capacity.max(1), sweep: Sweep::default(), asked: 0, swept: 0 }
    }

    /// What a watcher sees. O(regions kept) to find it, O(changes) to see that it holds.
    pub fn look(&mut self, obstacles: &Obstacles, watcher: &Watcher) -> &Region {
        self.asked += 1;
        let bits = watcher.bits();
        let found = self.entries.iter().position(|entry| entry.bits == bits);
        let number = found.unwrap_or_else(|| self.room());
        let entry = &mut self.entries[number];
        entry.used = self.asked;
        let version = obstacles.version();
        let is_good = found.is_some() && (entry.version == version || holds(entry, obstacles));
        if !is_good {
            self.swept += 1;
            entry.bits = bits;
            self.sweep.look(obstacles, watcher, &mut entry.region);
        }
        entry.version = version;
        &entry.region
    }

    /// A place for one more: a new one, or the one asked for longest ago.
    fn room(&mut self) -> usize {
        if self.entries.len() < self.capacity {
            self.entries.push(Entry::default());
            return self.entries.len() - 1;
        }
        let oldest = (0..self.entries.len()).min_by_key(|&number| (self.entries[number].used, number));
        oldest.unwrap_or(0)
    }

    /// How many regions had to be computed so far, of how many asked for.
    #[must_use]
    pub fn swept_of_asked(&self) -> (u64, u64) {
        (self.swept, self.asked)
    }
}

/// Whether nothing that changed since is in the region.
fn holds(entry: &Entry, obstacles: &Obstacles) -> bool {
    obstacles.changes_since(entry.version).is_some_and(|changes| {
        changes.iter().all(|change| change.boxes.iter().all(|bounds| !entry.region.touches(bounds)))
    })
}
