//! Walking over rows at once: which of them lie one behind the other in all pools, and visiting them.
//!
//! Soundness: rows of a driver are distinct entities, and each is visited once. Rows that are known to lie in order are looked up no
//! more, so there it rests on each pool counting its changes that different rows are different components (the last invariant of
//! `component/sparse_index.rs`).
#![allow(unsafe_code)]

use std::ops::Range;

use super::fetch::LeadPool;
use super::filter::QueryFilter;
use super::many::Query;
use super::query_data::{QueryData, shorter};
use crate::entity::EntityId;

/// The fetches of a query, told whom the walk visits.
pub(super) struct BoundFetch<D: QueryData, F: QueryFilter> {
    pub(super) data: D::Fetch,
    filter: F::Fetch,
}

impl<D: QueryData, F: QueryFilter> Clone for BoundFetch<D, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: QueryData, F: QueryFilter> Copy for BoundFetch<D, F> {}

impl<D: QueryData, F: QueryFilter> BoundFetch<D, F> {
    /// Whether every row has an item and nothing must be looked up or tested for it.
    pub(super) fn is_packed(&self) -> bool {
        D::is_packed(&self.data) && F::passes_all(&self.filter)
    }

    /// # Safety
    /// As [`QueryData::item`].
    #[inline]
    pub(super) unsafe fn item<'q>(&self, row: usize, entity: EntityId) -> Option<D::Item<'q>> {
        // SAFETY: the caller's promise.
        unsafe { if F::matches(&self.filter, row, entity) { D::item(&self.data, row, entity) } else { None } }
    }

    /// # Safety
    /// As [`QueryData::read`].
    #[inline]
    pub(super) unsafe fn read<'q>(&self, row: usize, entity: EntityId) -> Option<D::Read<'q>> {
        // SAFETY: the caller's promise.
        unsafe { if F::matches(&self.filter, row, entity) { D::read(&self.data, row, entity) } else { None } }
    }
}

/// Cuts rows into those whose items lie one behind the other in every pool, which need no look-up, and others.
struct Runs<D: QueryData, F: QueryFilter> {
    bound: BoundFetch<D, F>,
    lead: LeadPool,
    /// The rows that are left.
    rows: Range<usize>,
    /// Rows that are known to lie one behind the other in every pool.
    known: Range<usize>,
    /// Rows to look ahead: twice as many as long as that succeeds, so that no row is compared again and again in vain.
    look_ahead: usize,
    /// How often looking ahead was in vain since it last succeeded.
    misses: u32,
}

/// Some rows of a walk.
enum Run<D: QueryData> {
    /// All have items, which this fetch gives without a look-up.
    Aligned(D::Fetch, Range<usize>),
    /// To be looked up one by one.
    Scattered(Range<usize>),
}

impl<D: QueryData, F: QueryFilter> Runs<D, F> {
    const LEAST: usize = 4;
    const MOST: usize = 1024;
    /// Misses after which the rows are taken for scattered: 64 of them at first, and more each time.
    const PATIENCE: u32 = 4;

    /// # Safety
    /// The rows are rows of the driver, which `followed` follows.
    unsafe fn new(bound: BoundFetch<D, F>, lead: LeadPool, rows: Range<usize>, known: Range<usize>) -> Self {
        Self { bound, lead, rows, known, look_ahead: Self::LEAST, misses: 0 }
    }

    #[inline(always)]
    fn next(&mut self) -> Option<Run<D>> {
        while !self.rows.is_empty() {
            let row = self.rows.start;
            let is_known = self.known.contains(&row);
            let left =
                if is_known { self.rows.end.min(self.known.end) - row } else { self.rows.len().min(self.look_ahead) };
            // SAFETY: the rows are the driver's, and `left` is at least one.
            let found = unsafe {
                match F::pass(&self.bound.filter, self.lead, row, left) {
                    0 => 0,
                    left => D::align(&mut self.bound.data, self.lead, row, left, is_known),
                }
            };
            if found == left {
                self.look_ahead = (found * 2).clamp(Self::LEAST, Self::MOST);
                self.misses = 0;
            } else {
                self.look_ahead = Self::LEAST;
                self.misses += 1;
                if self.misses > Self::PATIENCE && found <= 1 {
                    let scattered = (32 << (self.misses - Self::PATIENCE).min(6)).min(self.rows.len());
                    self.rows.start += scattered;
                    return Some(Run::Scattered(row..row + scattered));
                }
            }
            if found == 0 {
                self.rows.start += 1;
                continue;
            }
            self.rows.start += found;
            return Some(Run::Aligned(self.bound.data, row..row + found));
        }
        None
    }

    /// The longest stretch of rows that lie one behind the other in every pool.
    fn longest(mut self) -> Range<usize> {
        let (mut current, mut longest) = (0..0, 0..0);
        while let Some(run) = self.next() {
            let Run::Aligned(mut data, rows) = run else { continue };
            let continues = rows.start == current.end
                && rows.start > 0
                // SAFETY: both are rows of the driver.
                && unsafe { D::align(&mut data, self.lead, rows.start - 1, 2, false) } == 2;
            current = if continues { current.start..rows.end } else { rows };
            if current.len() > longest.len() {
                longest = current.clone();
            }
        }
        longest
    }
}

/// Rows of a driver, and the fetches that follow it.
pub(super) struct RowRange<D: QueryData, F: QueryFilter> {
    pub(super) bound: BoundFetch<D, F>,
    pub(super) lead: LeadPool,
    /// Rows of the driver.
    pub(super) rows: Range<usize>,
    /// Every row has an item.
    pub(super) is_packed: bool,
    /// Rows that are known to lie one behind the other in every pool.
    pub(super) known: Range<usize>,
}

impl<D: QueryData, F: QueryFilter> RowRange<D, F> {
    /// Calls `visit` with the item of each row that has one. `at` gives the item of a row that is packed or aligned, `find` that
    /// of any row, if there is one; `visit_four` does what four calls do, where it is better.
    ///
    /// # Safety
    /// The rows are rows of the driver, which the fetches follow, and `at` and `find` may be called once for each.
    #[inline(always)]
    pub(super) unsafe fn fold<A, I, V: FnMut(A, I) -> A>(
        self,
        start: A,
        at: impl Fn(&D::Fetch, usize, EntityId) -> I,
        find: impl Fn(&BoundFetch<D, F>, usize, EntityId) -> Option<I>,
        visit_four: Option<impl Fn([I; 4], A, &mut V) -> A>,
        mut visit: V,
    ) -> A {
        let Self { bound, lead, rows, is_packed, known } = self;
        let mut result = start;
        // SAFETY: the rows are the driver's.
        let at = |data: &D::Fetch, row| at(data, row, unsafe { lead.owner_at(row) });
        if is_packed && visit_four.is_none() {
            for row in rows {
                result = visit(result, at(&bound.data, row));
            }
            return result;
        }
        // In one loop with what is aligned, where `visit` is called in five places already.
        let (mut packed, rows) = if is_packed { (Some(Run::Aligned(bound.data, rows)), 0..0) } else { (None, rows) };
        // SAFETY: the caller's promise.
        let mut runs = unsafe { Runs::new(bound, lead, rows, known) };
        while let Some(run) = packed.take().or_else(|| runs.next()) {
            match run {
                Run::Aligned(data, mut rows) => {
                    if let Some(visit_four) = &visit_four {
                        while rows.len() >= 4 {
                            let items = [0, 1, 2, 3].map(|next| at(&data, rows.start + next));
                            result = visit_four(items, result, &mut visit);
                            rows.start += 4;
                        }
                    }
                    for row in rows {
                        result = visit(result, at(&data, row));
                    }
                }
                Run::Scattered(rows) => {
                    // SAFETY: the caller's promise.
                    result = unsafe { scattered(bound, lead, rows, result, &find, &mut visit) };
                }
            }
        }
        result
    }
}

/// Calls `visit` with the item of each row for which `find` finds one. Not within the loop over runs: alone, what a look-up needs fits
/// into registers, and which pool is walked is asked once.
///
/// # Safety
/// As [`RowRange::fold`].
#[inline(never)]
unsafe fn scattered<D: QueryData, F: QueryFilter, A, I>(
    bound: BoundFetch<D, F>,
    lead: LeadPool,
    rows: Range<usize>,
    start: A,
    find: &impl Fn(&BoundFetch<D, F>, usize, EntityId) -> Option<I>,
    visit: &mut impl FnMut(A, I) -> A,
) -> A {
    let mut result = start;
    for row in rows {
        // SAFETY: the rows are the driver's.
        if let Some(item) = find(&bound, row, unsafe { lead.owner_at(row) }) {
            result = visit(result, item);
        }
    }
    result
}

impl<D: QueryData, F: QueryFilter> Query<'_, D, F> {
    pub(super) fn follow(&self, lead: LeadPool) -> BoundFetch<D, F> {
        let mut bound = BoundFetch { data: self.data, filter: self.filter };
        D::follow(&mut bound.data, lead);
        F::follow(&mut bound.filter, lead);
        bound
    }

    /// Whom a walk visits: the members of the group, or the shortest list of owners among what is required. `None` where
    /// nothing is required.
    pub(super) fn lead(&self) -> Option<LeadPool> {
        let shortest = shorter(D::lead(&self.data), F::lead(&self.filter));
        match (self.group, shortest) {
            (Some(group), Some(shortest)) if group.len <= shortest.len => Some(group),
            _ => shortest,
        }
    }

    /// All rows of the driver; `None` where nothing is required. Counted as a walk.
    pub(super) fn stretch(&self) -> Option<RowRange<D, F>> {
        let lead = self.lead()?;
        let bound = self.follow(lead);
        let is_packed = bound.is_packed();
        let rows = 0..lead.len;
        let mut known = 0..0;
        if let (Some(stats), false) = (self.stats, is_packed) {
            // Filters that look at pools would have to be asked about each row.
            if D::CAN_ALIGN && !F::HAS_LEAD && !F::EXCLUDES {
                // SAFETY: the rows are the driver's, which `followed` follows.
                let search = || unsafe { Runs::new(bound, lead, rows.clone(), 0..0) }.longest();
                known = stats.alignment_cache.rows(D::changes(&self.data), lead, search);
            }
            stats.note(lead.len - known.len());
        }
        Some(RowRange { bound, lead, rows, is_packed, known })
    }
}
