//! Where parallel work runs. The library starts no thread: a host hands in a [`Pool`], and [`Serial`] is one.
//!
//! The rule that keeps the bits the same: a job reads the old state, writes only its own part, and results are merged
//! in the order of the parts. How many parts there are, and who works on them, then changes nothing.

use std::sync::{Mutex, PoisonError};

/// Most jobs one call can hold.
pub const JOBS_MAX: usize = 64;

/// Runs jobs, perhaps at the same time.
pub trait Pool: Sync {
    /// How many jobs can run at once. 1 means that nothing is gained by splitting.
    fn width(&self) -> usize;
    /// Calls `job` once with each number below `count`, in any order, and returns when all are done.
    fn run(&self, count: usize, job: &(dyn Fn(usize) + Sync));
}

/// The pool of one: everything runs here and now.
#[derive(Clone, Copy, Debug, Default)]
pub struct Serial;

impl Pool for Serial {
    fn width(&self) -> usize {
        1
    }

    fn run(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
        (0..count).for_each(job);
    }
}

/// Calls `work` once with each of `jobs`; at most [`JOBS_MAX`], more are a programming error. Allocates nothing.
pub fn each<J: Send>(pool: &dyn Pool, jobs: impl IntoIterator<Item = J>, work: impl Fn(J) + Sync) {
    if pool.width() <= 1 {
        // Nothing to hand over: a fifth of a small world's tick would go into the slots below.
        jobs.into_iter().for_each(work);
        return;
    }
    let slots: [Mutex<Option<J>>; JOBS_MAX] = std::array::from_fn(|_| Mutex::new(None));
    let mut count = 0;
    for job in jobs {
        assert!(count < JOBS_MAX, "more than {JOBS_MAX} jobs in one call");
        *slots[count].lock().unwrap_or_else(PoisonError::into_inner) = Some(job);
        count += 1;
    }
    // Each number is called once, so no lock is ever waited for; it only moves the job across threads.
    pool.run(count, &|number| {
        let job = slots[number].lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(job) = job {
            work(job);
        }
    });
}

/// Items per job when `len` items are split for `pool`: two jobs a worker, so that an uneven load levels out, but no
/// job smaller than `least`. At least 1.
pub fn chunk_len(pool: &dyn Pool, len: usize, least: usize) -> usize {
    let width = pool.width();
    let jobs = if width <= 1 { 1 } else { (width * 2).min(JOBS_MAX) };
    len.div_ceil(jobs).max(least).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four threads, for real.
    struct Threads;

    impl Pool for Threads {
        fn width(&self) -> usize {
            4
        }

        fn run(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
            let next = std::sync::atomic::AtomicUsize::new(0);
            std::thread::scope(|scope| {
                for _ in 0..self.width() {
                    scope.spawn(|| {
                        loop {
                            let number = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                            if number >= count {
                                break;
                            }
                            job(number);
                        }
                    });
                }
            });
        }
    }

    #[test]
    fn every_job_is_done_once_on_any_pool() {
        for pool in [&Serial as &dyn Pool, &Threads] {
            let mut numbers = [0u32; 1000];
            let len = chunk_len(pool, numbers.len(), 10);
            each(pool, numbers.chunks_mut(len), |part| part.iter_mut().for_each(|number| *number += 1));
            assert!(numbers.iter().all(|&number| number == 1));
        }
    }

    #[test]
    fn chunks_fit_into_one_call() {
        for len in [0usize, 1, 7, 64, 65, 10_000] {
            for least in [1, 16] {
                for pool in [&Serial as &dyn Pool, &Threads] {
                    assert!(len.div_ceil(chunk_len(pool, len, least)) <= JOBS_MAX);
                }
            }
        }
        assert_eq!(chunk_len(&Serial, 100, 1), 100);
        assert_eq!(chunk_len(&Threads, 800, 1), 100);
        assert_eq!(chunk_len(&Threads, 0, 0), 1);
    }
}
