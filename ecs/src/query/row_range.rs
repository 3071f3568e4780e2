//! An iteration over rows: finding runs of aligned rows, and visiting them without look-ups.
//!
//! Soundness: the rows of a lead pool are distinct entities, and each is visited once. Rows that are known to be aligned are not
//! looked up. That different rows of these are different components follows from the pools' change counters (the last invariant of
//! `component/sparse_index.rs`).
#![allow(unsafe_code)]

use std::ops::Range;

use super::Query;
use super::fetch::LeadPool;
use super::filter::QueryFilter;
use super::query_data::{QueryData, shorter};
use crate::entity::EntityId;

/// The fetches of a query, bound to the list that an iteration visits.
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
    /// Whether every row has an item, and no required component is looked up for it.
    pub(super) fn is_packed(&self) -> bool {
        D::is_packed(&self.data) && F::passes_all(&self.filter)
    }

    /// Whether the entity has an item.
    ///
    /// # Safety
    /// As [`QueryData::has`].
    #[inline]
    pub(super) unsafe fn has_item(&self, row: usize, entity: EntityId) -> bool {
        // SAFETY: the caller's promise.
        unsafe { F::matches(&self.filter, row, entity) && D::has(&self.data, row, entity) }
    }

    /// # Safety
    /// As [`QueryData::item`].
    #[inline]
    pub(super) unsafe fn item<'q>(&self, row: usize, entity: EntityId) -> Option<D::Item<'q>> {
        // SAFETY: the caller's promise.
        unsafe { if F::matches(&self.filter, row, entity) { item::<D>(&self.data, row, entity) } else { None } }
    }
}

/// The item of an entity, marked as changed if it is for writing.
///
/// # Safety
/// As [`QueryData::item`].
#[inline]
pub(super) unsafe fn item<'q, D: QueryData>(data: &D::Fetch, row: usize, entity: EntityId) -> Option<D::Item<'q>> {
    // SAFETY: the caller's promise.
    unsafe {
        let item = D::item(data, row, entity)?;
        if D::marks(data) {
            D::mark(data, entity);
        }
        Some(item)
    }
}

/// Cuts rows into runs: aligned ones, which need no look-up, and scattered ones.
struct Runs<D: QueryData, F: QueryFilter> {
    bound: BoundFetch<D, F>,
    lead: LeadPool,
    /// The rows that are left.
    rows: Range<usize>,
    /// Rows that are known to be aligned.
    known: Range<usize>,
    /// Rows to look ahead. It doubles with each success, so that few comparisons are wasted.
    look_ahead: usize,
    /// Failed attempts since the last success.
    misses: u32,
}

/// Consecutive rows of an iteration.
enum Run<D: QueryData> {
    /// Each has an item, and this fetch is prepared to step over them.
    Aligned(D::Fetch, Range<usize>),
    /// Each needs a look-up.
    Scattered(Range<usize>),
}

impl<D: QueryData, F: QueryFilter> Runs<D, F> {
    const LEAST: usize = 4;
    const MOST: usize = 1024;
    /// Misses before rows count as scattered: 64 rows at first, and more each time.
    const PATIENCE: u32 = 4;

    /// # Safety
    /// The rows are rows of `lead`, which `bound` is bound to. Those that are known to be aligned are aligned and pass the filter.
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
            // SAFETY: the rows are those of `lead`, and `left` is at least one. Known rows were aligned before, and pass the filter.
            let found = unsafe {
                match if is_known { left } else { F::pass(&self.bound.filter, self.lead, row, left) } {
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

    /// The longest range of aligned rows.
    fn longest(mut self) -> Range<usize> {
        let (mut current, mut longest) = (0..0, 0..0);
        while let Some(run) = self.next() {
            let Run::Aligned(mut data, rows) = run else { continue };
            let continues = rows.start == current.end
                && rows.start > 0
                // SAFETY: both are rows of `lead`.
                && unsafe { D::align(&mut data, self.lead, rows.start - 1, 2, false) } == 2;
            current = if continues { current.start..rows.end } else { rows };
            if current.len() > longest.len() {
                longest = current.clone();
            }
        }
        longest
    }
}

/// Rows of a lead pool, and the fetches that are bound to it.
pub(super) struct RowRange<D: QueryData, F: QueryFilter> {
    /// If `is_aligned`, the next step of `data` is that of the next row.
    pub(super) bound: BoundFetch<D, F>,
    pub(super) lead: LeadPool,
    pub(super) rows: Range<usize>,
    /// Rows that are known to be aligned.
    known: Range<usize>,
    /// Whether all rows are known to be aligned, and no item needs a mark. It never changes, so that the compiler makes a `for` loop into
    /// two: one that only steps, and one that looks up each row.
    is_aligned: bool,
}

impl<D: QueryData, F: QueryFilter> RowRange<D, F> {
    /// # Safety
    /// As [`Runs::new`].
    #[inline]
    pub(super) unsafe fn new(
        mut bound: BoundFetch<D, F>,
        lead: LeadPool,
        rows: Range<usize>,
        known: Range<usize>,
    ) -> Self {
        let is_known = !rows.is_empty() && known.start <= rows.start && rows.end <= known.end;
        let is_aligned = is_known && !D::marks(&bound.data);
        if is_aligned {
            // SAFETY: the caller's promise; there is a row.
            let found = unsafe { D::align(&mut bound.data, lead, rows.start, rows.len(), true) };
            debug_assert_eq!(found, rows.len(), "rows that are known to be aligned are");
        }
        Self { bound, lead, rows, known, is_aligned }
    }

    /// The same iteration over some of the rows that are left.
    pub(super) fn part(&self, rows: Range<usize>) -> Self {
        let all = &self.rows;
        assert!(rows.start >= all.start && rows.end <= all.end, "rows {rows:?} of {all:?}");
        // SAFETY: the rows are some of these.
        unsafe { Self::new(self.bound, self.lead, rows, self.known.clone()) }
    }

    /// The item of the next row that has one.
    ///
    /// # Safety
    /// [`QueryData::item`] may be called once for each row that is left.
    #[inline(always)]
    pub(super) unsafe fn next<'q>(&mut self) -> Option<D::Item<'q>> {
        loop {
            let row = self.rows.next()?;
            // SAFETY: the row is one of the lead pool's, and the world is borrowed; the rest is the caller's promise.
            unsafe {
                let entity = self.lead.owner_at(row);
                if self.is_aligned {
                    return Some(D::step(&mut self.bound.data, entity));
                }
                let item = self.bound.item(row, entity);
                if item.is_some() {
                    return item;
                }
            }
        }
    }

    /// The next row, whether it has an item or not.
    pub(super) fn next_row(&mut self) -> Option<(usize, EntityId)> {
        let row = self.rows.clone().next()?;
        *self = self.part(row + 1..self.rows.end);
        // SAFETY: the row is one of the lead pool's, whose index does not change.
        Some((row, unsafe { self.lead.owner_at(row) }))
    }

    /// Calls `visit` with the item of each row that has one.
    ///
    /// # Safety
    /// As [`RowRange::next`].
    #[inline(always)]
    pub(super) unsafe fn fold<'q, A>(self, start: A, mut visit: impl FnMut(A, D::Item<'q>) -> A) -> A {
        let Self { bound, lead, rows, known, .. } = self;
        let mut result = start;
        // SAFETY: the caller's promise.
        let mut runs = unsafe { Runs::new(bound, lead, rows, known) };
        while let Some(run) = runs.next() {
            match run {
                Run::Aligned(mut data, mut rows) => {
                    if D::marks(&data) {
                        // SAFETY: the rows are those of `lead`.
                        rows.clone().for_each(|row| unsafe { D::mark(&data, lead.owner_at(row)) });
                    }
                    // SAFETY: the rows are those of the run.
                    let mut step = |row| unsafe { D::step(&mut data, lead.owner_at(row)) };
                    while D::IN_FOURS && rows.len() >= 4 {
                        let items = [0, 1, 2, 3].map(|more| step(rows.start + more));
                        result = D::visit_four(items, result, &mut visit);
                        rows.start += 4;
                    }
                    for row in rows {
                        result = visit(result, step(row));
                    }
                }
                Run::Scattered(rows) => {
                    // SAFETY: the caller's promise.
                    result = unsafe { scattered(bound, lead, rows, result, &mut visit) };
                }
            }
        }
        result
    }
}

/// Looks up each row. Not inlined into the loop over runs, so that a look-up has the registers for itself.
///
/// # Safety
/// As [`RowRange::fold`].
#[inline(never)]
unsafe fn scattered<'q, D: QueryData, F: QueryFilter, A>(
    bound: BoundFetch<D, F>,
    lead: LeadPool,
    rows: Range<usize>,
    start: A,
    visit: &mut impl FnMut(A, D::Item<'q>) -> A,
) -> A {
    let mut result = start;
    for row in rows {
        // SAFETY: the rows are those of `lead`, and each is visited once.
        if let Some(item) = unsafe { bound.item(row, lead.owner_at(row)) } {
            result = visit(result, item);
        }
    }
    result
}

impl<D: QueryData, F: QueryFilter> Query<'_, D, F> {
    pub(super) fn bind(&self, lead: LeadPool) -> BoundFetch<D, F> {
        let mut bound = BoundFetch { data: self.data, filter: self.filter };
        D::follow(&mut bound.data, lead);
        F::follow(&mut bound.filter, lead);
        bound
    }

    /// The list that an iteration visits: the members of the group, or the shortest list of owners of a required component. `None` if no
    /// component is required.
    pub(super) fn lead(&self) -> Option<LeadPool> {
        let shortest = shorter(D::lead(&self.data), F::lead(&self.filter));
        match (self.group, shortest) {
            (Some(group), Some(shortest)) if group.len <= shortest.len => Some(group),
            _ => shortest,
        }
    }

    /// All rows of the lead pool; `None` if no component is required. Counts as an iteration.
    pub(super) fn rows(&self) -> Option<RowRange<D, F>> {
        let lead = self.lead()?;
        let bound = self.bind(lead);
        let rows = 0..lead.len;
        let mut known = 0..0;
        if bound.is_packed() {
            known = rows.clone();
        } else {
            // Which rows pass a filter of changes is not known.
            if let (Some(cache), false) = (self.alignment, F::TRACKS) {
                // SAFETY: the rows are those of `lead`, which `bound` is bound to.
                let search = || unsafe { Runs::new(bound, lead, rows.clone(), 0..0) }.longest();
                known = cache.rows(D::changes(&self.data).wrapping_add(F::changes(&self.filter)), lead, search);
            }
            if let Some(stats) = self.stats {
                stats.note(lead.len - known.len());
            }
        }
        // SAFETY: as above. The known rows were found in the same state of the world.
        Some(unsafe { RowRange::new(bound, lead, rows, known) })
    }
}
