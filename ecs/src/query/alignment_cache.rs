//! The cached alignment of a query: rows of its lead pool whose components are consecutive in every pool, and which pass the filter.
//!
//! # Invariant
//! An iteration reads aligned rows without looking any of them up, so a stale answer would yield components of the wrong entities, or
//! one component twice. The cached rows are valid while the query is led by the same list of owners and no pool of the query or its
//! filter has changed. Both are in the key:
//! - [`SparseIndex::changes`](crate::component::SparseIndex::changes) rises with every change of a pool's order or border and
//!   never falls, also when a snapshot is restored. Equal sums over the same pools mean that no pool changed. The pools are the same,
//!   because a state of a query has one cache, belongs to one world, and keeps its component ids.
//! - Which list leads follows from the lengths of the pools and from the groups. Declaring a group counts as a change of every
//!   pool that it owns, and members join or leave a group only together with a change of one of its pools.
//!
//! What would break this: a change of an index that bypasses `SparseIndex::for_changes`, a counter that is set back, a change of
//! groups that is not counted, a pool that is not in the sum, or a filter whose result depends on more than the indices of its pools.
//! The last is why queries with filters of changes are not cached.

use std::ops::Range;
use std::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering};

use super::fetch::LeadPool;
use crate::entity::EntityId;

/// The longest aligned rows of an iteration, with the state of the world that they were found in.
///
/// The search runs on the second iteration in the same state, so worlds that change in every frame do not pay for it. A query belongs to
/// one system, which runs on one thread at a time, or borrows the world exclusively, so the fields are never written concurrently.
#[derive(Debug, Default)]
pub(super) struct AlignmentCache {
    changes: AtomicU64,
    /// The first owner in the lead pool; null before the first iteration.
    lead: AtomicPtr<EntityId>,
    start: AtomicUsize,
    /// [`NOT_SEARCHED`](Self::NOT_SEARCHED) until the rows are searched for.
    end: AtomicUsize,
}

impl AlignmentCache {
    const NOT_SEARCHED: usize = usize::MAX;

    /// The aligned rows of an iteration over `lead`; `changes` is the sum over the pools of the query. Empty on the first iteration after a
    /// change; the second iteration calls `search`.
    pub(super) fn rows(&self, changes: u64, lead: LeadPool, search: impl Fn() -> Range<usize>) -> Range<usize> {
        let lead = lead.owners.cast_mut();
        if self.changes.load(Ordering::Relaxed) != changes || self.lead.load(Ordering::Relaxed) != lead {
            self.changes.store(changes, Ordering::Relaxed);
            self.lead.store(lead, Ordering::Relaxed);
            self.end.store(Self::NOT_SEARCHED, Ordering::Relaxed);
            return 0..0;
        }
        let end = self.end.load(Ordering::Relaxed);
        if end != Self::NOT_SEARCHED {
            let rows = self.start.load(Ordering::Relaxed)..end;
            debug_assert_eq!(rows, search(), "cached rows are those that a search finds");
            return rows;
        }
        let rows = search();
        self.start.store(rows.start, Ordering::Relaxed);
        self.end.store(rows.end, Ordering::Relaxed);
        rows
    }
}
