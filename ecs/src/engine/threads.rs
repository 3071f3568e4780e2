//! The threads of an engine. One of them, the driver, runs its frames.
//!
//! Work that comes into a pool from outside goes through a queue that allocates every now and then, and work that a thread
//! of the pool divides does not. So one thread of the pool is kept within a job that never ends, and is lent the frames.

mod hand_over;
#[cfg(test)]
mod loom_tests;

use std::thread::JoinHandle;

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use self::hand_over::{Lender, Outcome, hand_over};

/// A pool of threads with a driver. Dropping it ends the threads and waits for them, and for what systems spawned there.
pub(super) struct Threads {
    /// Not there only while this is dropped.
    lender: Option<Lender>,
    pool: Option<ThreadPool>,
    handles: Vec<JoinHandle<()>>,
}

impl Threads {
    /// Starts `count` threads, two or more: the driver counts as one.
    ///
    /// # Errors
    /// If the platform has no threads, or no more.
    pub(super) fn start(count: usize) -> Result<Self, ThreadPoolBuildError> {
        let mut handles = Vec::with_capacity(count);
        let pool = ThreadPoolBuilder::new()
            .num_threads(count)
            .thread_name(|index| format!("ecs-{}", index + 1))
            .spawn_handler(|thread| {
                let name = thread.name().unwrap_or("ecs").to_owned();
                handles.push(std::thread::Builder::new().name(name).spawn(|| thread.run())?);
                Ok(())
            })
            .build()?;
        // Each thread allocates when it works for the first time: now, and not in the middle of some later frame.
        pool.broadcast(|_| ());
        let (lender, driver) = hand_over();
        pool.spawn(|| driver.drive());
        Ok(Self { lender: Some(lender), pool: Some(pool), handles })
    }

    /// Runs `work` on the driver, which can divide it among the other threads, and waits for it. Does not unwind: a panic of
    /// the work is the outcome.
    pub(super) fn run<R: Send>(&mut self, work: impl FnOnce() -> R + Send) -> Outcome<R> {
        let (mut work, mut result) = (Some(work), None);
        let lender = self.lender.as_mut().expect("it is taken out in `drop` only");
        lender.lend(&mut || result = work.take().map(|work| work()))?;
        Ok(result.expect("the driver has run the work"))
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        // In this order: the driver ends, then the pool lets its threads end, then they are waited for.
        self.lender = None;
        self.pool = None;
        let current = std::thread::current().id();
        if self.handles.iter().any(|handle| handle.thread().id() == current) {
            return; // The pool lives until the job is done that drops it, so nobody can be waited for.
        }
        for handle in self.handles.drain(..) {
            // A thread that panicked was told of where it happened.
            let _ = handle.join();
        }
    }
}
