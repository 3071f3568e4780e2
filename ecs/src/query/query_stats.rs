//! Statistics of a query of a system, from which the engine proposes groups.

use std::sync::atomic::{AtomicU64, Ordering};

use super::alignment_cache::AlignmentCache;
use crate::component::ComponentMask;

/// Counts the rows that the walks of one query of one system have looked up.
#[derive(Debug)]
pub(crate) struct QueryStats {
    pub(crate) required: ComponentMask,
    /// Whether it includes disabled components, which are in no group.
    pub(crate) with_disabled: bool,
    rows: AtomicU64,
    pub(super) alignment_cache: AlignmentCache,
}

impl QueryStats {
    pub(crate) fn new(required: ComponentMask, with_disabled: bool) -> Self {
        Self { required, with_disabled, rows: AtomicU64::new(0), alignment_cache: AlignmentCache::default() }
    }

    /// Counts the rows of a walk. A query belongs to one system, which runs on one thread at a time, so no count is lost.
    pub(crate) fn note(&self, rows: usize) {
        let before = self.rows.load(Ordering::Relaxed);
        self.rows.store(before + rows as u64, Ordering::Relaxed);
    }

    pub(crate) fn rows(&self) -> u64 {
        self.rows.load(Ordering::Relaxed)
    }
}
