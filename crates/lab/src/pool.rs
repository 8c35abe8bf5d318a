//! Threads for the library, which starts none itself.

use crate::error::LabError;
use rayon::prelude::*;
use sentir::prelude::{Pool, Serial};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A pool of so many threads; one is the calling thread itself.
pub(crate) enum Threads {
    One,
    Many(rayon::ThreadPool),
}

impl Threads {
    pub(crate) fn new(count: u16) -> Result<Threads, LabError> {
        let count = usize::from(count);
        if count <= 1 {
            return Ok(Threads::One);
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build();
        pool.map(Threads::Many).map_err(|_| LabError::Threads(count))
    }

    /// Runs `work` where [`Pool::run`] need not cross over to the threads for each call.
    pub(crate) fn within<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match self {
            Threads::One => work(),
            Threads::Many(pool) => pool.install(work),
        }
    }

    /// What `job` gives for each of `0..count`, in that order. Jobs begin in that order, too, one at a time per thread,
    /// so that work broken off early has done the first ones.
    pub(crate) fn map<R: Send + Sync>(&self, count: usize, job: impl Fn(usize) -> R + Sync) -> Vec<R> {
        let slots: Vec<OnceLock<R>> = (0..count).map(|_| OnceLock::new()).collect();
        let next = AtomicUsize::new(0);
        self.run(self.width(), &|_| {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(slot) = slots.get(index) else { break };
                // Each index is given out once: the slot is empty.
                let _ = slot.set(job(index));
            }
        });
        slots.into_iter().filter_map(OnceLock::into_inner).collect()
    }
}

impl Pool for Threads {
    fn width(&self) -> usize {
        match self {
            Threads::One => 1,
            Threads::Many(pool) => pool.current_num_threads(),
        }
    }

    fn run(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
        match self {
            Threads::One => Serial.run(count, job),
            Threads::Many(pool) => pool.install(|| (0..count).into_par_iter().with_max_len(1).for_each(job)),
        }
    }
}
