//! The threads of an engine: they help whoever runs a frame.
//!
//! A frame runs on the thread that calls for it. Work that can be divided is offered in pieces: who offers it takes pieces, and so
//! does every helper that has nothing to do. Nobody is waited for but who has taken a piece, so a helper that sleeps costs no more
//! than the call that wakes it, and one that wakes late finds nothing left to do.

#[cfg(test)]
mod loom_tests;
mod task;
mod work_queue;

use std::error::Error;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

pub(crate) use self::task::Kind;
use self::work_queue::WorkQueue;

/// Threads at most: more than any machine of today has cores for.
const MOST_THREADS: usize = 1024;

/// Helpers, and the work queue on which work is offered to them.
pub(crate) struct ThreadPool {
    work_queue: Arc<WorkQueue>,
    /// A walk over fewer rows, and a system that touches fewer components, is not worth waking a thread for.
    pub(crate) parallel_threshold: usize,
    helpers: Vec<JoinHandle<()>>,
}

impl ThreadPool {
    /// A thread pool of so many threads, of which whoever calls for a frame is one; of [`MOST_THREADS`] at most.
    ///
    /// # Errors
    /// If the platform has no threads, or no more.
    pub(crate) fn start(threads: usize, parallel_threshold: usize) -> Result<Self, Box<dyn Error>> {
        let threads = threads.min(MOST_THREADS);
        // Each thread divides a walk at most, and one the systems of a wave besides.
        let work_queue = Arc::new(WorkQueue::with_offers(threads + 1));
        let mut thread_pool = Self { work_queue, parallel_threshold, helpers: Vec::with_capacity(threads) };
        for number in 1..threads {
            let work_queue = Arc::clone(&thread_pool.work_queue);
            let helper = thread::Builder::new().name(format!("ecs-{number}"));
            // Those that have begun end with the thread pool if one does not.
            thread_pool.helpers.push(helper.spawn(move || work_queue.help_to_the_end())?);
        }
        Ok(thread_pool)
    }

    /// How many threads may work at the same time.
    pub(crate) fn threads(&self) -> usize {
        self.helpers.len() + 1
    }

    /// Calls `work` with each number below `pieces`, once, on whichever threads have time, this one among them; returns when all
    /// calls have ended. O(pieces), and allocates nothing.
    ///
    /// # Panics
    /// If a call does, with what the first of those pieces panicked with; pieces that nobody has begun are left out then.
    pub(crate) fn divide(&self, kind: Kind, pieces: usize, work: &(dyn Fn(usize) + Sync)) {
        self.work_queue.divide(kind, pieces, work);
    }

    /// Calls `work` with the elements of `all` at the `picked` places, which ascend, as [`ThreadPool::divide`] does.
    ///
    /// # Panics
    /// As [`ThreadPool::divide`], and if the places do not ascend or are not there.
    pub(crate) fn for_each_of<T: Send>(
        &self,
        kind: Kind,
        all: &mut [T],
        picked: &[usize],
        work: impl Fn(usize, &mut T) + Sync,
    ) {
        work_queue::for_each_of(&self.work_queue, kind, all, picked, work);
    }
}

impl Drop for ThreadPool {
    fn drop(&mut self) {
        self.work_queue.end();
        for helper in self.helpers.drain(..) {
            // Helpers catch the panics of what they do.
            let _ = helper.join();
        }
    }
}
