//! The worker threads of an engine.
//!
//! The calling thread runs the frame; workers assist. Work is divided into chunks, and the thread that divides it takes
//! chunks as idle workers do. It waits only for workers that hold a chunk, so a sleeping worker costs no more than the
//! call that wakes it, and a worker that wakes late finds no chunk.

#[cfg(test)]
mod loom_tests;
mod task;
mod work_queue;

use std::error::Error;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

pub(crate) use self::task::Kind;
pub(crate) use self::work_queue::Owned;
use self::work_queue::WorkQueue;

/// Most threads of a pool.
const MAX_THREADS: usize = 1024;

/// Worker threads and their work queue.
pub(crate) struct ThreadPool {
    work_queue: Arc<WorkQueue>,
    /// An iteration over fewer rows, or a system that accesses fewer components, does not wake a thread.
    pub(crate) parallel_threshold: usize,
    workers: Vec<JoinHandle<()>>,
}

impl ThreadPool {
    /// A pool of `threads` threads including the calling one, at most [`MAX_THREADS`].
    ///
    /// # Errors
    /// If the platform cannot start a thread.
    pub(crate) fn start(threads: usize, parallel_threshold: usize) -> Result<Self, Box<dyn Error>> {
        let threads = threads.min(MAX_THREADS);
        // Each thread divides at most one iteration, and one thread also divides the systems of a wave.
        let work_queue = Arc::new(WorkQueue::with_offers(threads + 1));
        let mut thread_pool = Self { work_queue, parallel_threshold, workers: Vec::with_capacity(threads) };
        for number in 1..threads {
            let work_queue = Arc::clone(&thread_pool.work_queue);
            let worker = thread::Builder::new().name(format!("ecs-{number}"));
            // If one does not start, dropping the pool ends the others.
            thread_pool.workers.push(worker.spawn(move || work_queue.run_worker())?);
        }
        Ok(thread_pool)
    }

    /// Number of threads, including the calling one.
    pub(crate) fn threads(&self) -> usize {
        self.workers.len() + 1
    }

    /// Calls `work` once with each number below `chunks`, on this thread and idle workers, and returns when all calls
    /// have ended. O(chunks), and allocates nothing.
    ///
    /// # Panics
    /// If a call panics: with the panic of the lowest chunk. Chunks that have not begun are then skipped.
    pub(crate) fn divide(&self, kind: Kind, chunks: usize, work: &(dyn Fn(usize) + Sync)) {
        self.work_queue.divide(kind, chunks, work);
    }

    /// Calls `work` with the elements of `all` at the `picked` indices, which ascend, as [`ThreadPool::divide`] does.
    ///
    /// # Panics
    /// As [`ThreadPool::divide`], and if the indices do not ascend or are out of bounds.
    pub(crate) fn for_each_of<T: Send>(
        &self,
        kind: Kind,
        all: &mut [T],
        picked: &[usize],
        work: impl Fn(usize, &mut T) + Sync,
    ) {
        work_queue::for_each_of(&self.work_queue, kind, all, picked, work);
    }

    /// Calls `work` with each picked owner, which ascend, and with the elements of `all` that `owner_of` says are its:
    /// as [`ThreadPool::divide`] does, or on this thread alone without a pool.
    ///
    /// # Panics
    /// As [`ThreadPool::for_each_of`].
    pub(crate) fn for_each_owner<O: Send, T: Send>(
        thread_pool: Option<&Self>,
        kind: Kind,
        owners: (&mut [O], &[usize]),
        all: (&mut [T], &[u32]),
        work: impl Fn(&mut O, &mut Owned<'_, T>) + Sync,
    ) {
        work_queue::for_each_owner(thread_pool.map(|pool| &*pool.work_queue), kind, owners, all, work);
    }
}

impl Drop for ThreadPool {
    fn drop(&mut self) {
        self.work_queue.end();
        for worker in self.workers.drain(..) {
            // Workers catch the panics of their chunks.
            let _ = worker.join();
        }
    }
}
