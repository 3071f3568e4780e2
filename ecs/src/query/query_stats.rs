//! Statistics of a query of a system, from which the engine proposes groups.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::component::ComponentMask;

/// Counts the rows that the iterations of one query of one system have looked up.
#[derive(Debug)]
pub(crate) struct QueryStats {
    pub(crate) required: ComponentMask,
    /// Whether it includes disabled components, which are in no group.
    pub(crate) with_disabled: bool,
    rows: AtomicU64,
    /// The components whose changes it sees.
    pub(crate) tracked: ComponentMask,
    /// The tick of its last run, which is the present run while it is used.
    last_run: AtomicU64,
    /// The tick of the run before.
    since: AtomicU64,
}

impl QueryStats {
    pub(crate) fn new(required: ComponentMask, with_disabled: bool, tracked: ComponentMask) -> Self {
        let (rows, last_run, since) = Default::default();
        Self { required, with_disabled, rows, tracked, last_run, since }
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

    /// Counts the rows of an iteration. A query belongs to one system, which runs on one thread at a time, so no count is lost.
    pub(crate) fn note(&self, rows: usize) {
        let before = self.rows.load(Ordering::Relaxed);
        self.rows.store(before + rows as u64, Ordering::Relaxed);
    }

    pub(crate) fn rows(&self) -> u64 {
        self.rows.load(Ordering::Relaxed)
    }
}
