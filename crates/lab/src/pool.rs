//! Threads for the library, which starts none itself.

use crate::error::LabError;
use rayon::prelude::*;
use sentir::prelude::{Pool, Serial};

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
