//! What a query of a system knows between its runs.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::component::ComponentMask;

/// What one query of one system requires, and when it last ran.
#[derive(Debug)]
pub(crate) struct QueryStats {
    pub(crate) required: ComponentMask,
    /// The components whose changes it sees.
    pub(crate) tracked: ComponentMask,
    /// The tick of its last run, which is the present run while it is used.
    last_run: AtomicU64,
    /// The tick of the run before.
    since: AtomicU64,
}

impl QueryStats {
    pub(crate) fn new(required: ComponentMask, tracked: ComponentMask) -> Self {
        let (last_run, since) = Default::default();
        Self { required, tracked, last_run, since }
    }

    /// The tick of the last run; 0 if there was none.
    pub(crate) fn last_run(&self) -> u64 {
        self.last_run.load(Ordering::Relaxed)
    }

    /// Sets the tick since which the next run sees changes.
    pub(crate) fn set_last_run(&self, tick: u64) {
        self.last_run.store(tick, Ordering::Relaxed);
    }

    /// Begins the run with the tick `now`, unless it has begun.
    pub(super) fn begin_run(&self, now: u64) {
        let last_run = self.last_run();
        if last_run != now {
            self.since.store(last_run, Ordering::Relaxed);
            self.set_last_run(now);
        }
    }

    pub(super) fn since(&self) -> *const u64 {
        self.since.as_ptr()
    }
}
