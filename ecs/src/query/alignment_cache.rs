//! Rows of a walk that were found to lie one behind the other in every pool, remembered until a pool changes.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// The longest such stretch of one query of one system.
///
/// A pool counts its changes, so the sum over the pools of a query is the same as long as none of them changed. It is looked
/// for when a walk meets the same sum for the second time: worlds that change in every frame do not pay for it.
#[derive(Debug, Default)]
pub(super) struct AlignmentCache {
    /// The walk that was seen last, and the one that `start` and `end` belong to.
    seen: Seen,
    known: Seen,
    start: AtomicUsize,
    end: AtomicUsize,
}

/// What tells walks apart: the sum of the changes, and who is visited.
#[derive(Debug, Default)]
struct Seen {
    changes: AtomicU64,
    visited: AtomicUsize,
}

impl Seen {
    /// Notes a walk; returns whether it was noted before.
    fn note(&self, changes: u64, visited: usize) -> bool {
        let is_same =
            self.changes.load(Ordering::Relaxed) == changes && self.visited.load(Ordering::Relaxed) == visited;
        if !is_same {
            self.changes.store(changes, Ordering::Relaxed);
            self.visited.store(visited, Ordering::Relaxed);
        }
        is_same
    }
}

impl AlignmentCache {
    /// The stretch of a walk; `find` looks for it. Empty where it is not known. A query belongs to one system, which runs on one
    /// thread at a time: what is written here is not torn.
    pub(super) fn of_walk(&self, changes: u64, visited: usize, find: impl FnOnce() -> Range<usize>) -> Range<usize> {
        if !self.seen.note(changes, visited) {
            return 0..0;
        }
        if self.known.note(changes, visited) {
            return self.start.load(Ordering::Relaxed)..self.end.load(Ordering::Relaxed);
        }
        let rows = find();
        self.start.store(rows.start, Ordering::Relaxed);
        self.end.store(rows.end, Ordering::Relaxed);
        rows
    }
}
