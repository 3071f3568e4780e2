//! The order of an iteration: the kinds that have all required components, row by row, and then the entities that have
//! some of them as extras.
//!
//! Soundness: each entity comes once. It is in one row of one kind. If its kind has all required components, it comes
//! in that row. If not, it comes among the extras of the first required component, by [`SourceKey`], that its kind
//! lacks: the lists of extras are walked in this order, and an entity whose kind lacks an earlier one is skipped.
#![allow(unsafe_code)]

use std::borrow::Borrow;
use std::marker::PhantomData;
use std::ops::Range;
use std::ptr::{self, NonNull};

use super::Query;
use super::fetch::ExtrasSource;
use super::filter::{Passes, QueryFilter};
use super::query_data::QueryData;
use crate::entity::{EntityId, EntityTable, Location};

/// The number of extras of a required component, and its place in the query: iterations go over the shortest list
/// first. Component ids have no influence, which differ between engines.
type SourceKey = (usize, usize);

/// The fetches of a query.
// `repr(C)`: see `read_only`.
#[repr(C)]
pub struct BoundFetch<D: QueryData, F: QueryFilter> {
    pub(super) data: D::Fetch,
    pub(super) filter: F::Fetch,
}

impl<D: QueryData, F: QueryFilter> Clone for BoundFetch<D, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: QueryData, F: QueryFilter> Copy for BoundFetch<D, F> {}

impl<D: QueryData, F: QueryFilter> BoundFetch<D, F> {
    /// The same fetches, for items that only read.
    #[inline(always)]
    pub(super) fn read_only(&self) -> &BoundFetch<D::ReadOnly, F> {
        // SAFETY: both have the same fields, because `D::ReadOnly` has the fetch of `D`, and `repr(C)` lays them out by
        // their types alone.
        unsafe { &*ptr::from_ref(self).cast() }
    }

    /// Whether the entity at a location, where the query sees entities, has an item.
    ///
    /// # Safety
    /// As [`QueryData::has`].
    #[inline]
    unsafe fn has_item(&self, entity: EntityId, location: Location) -> bool {
        // SAFETY: the caller's promise.
        unsafe { F::matches(&self.filter, entity, location) && D::has(&self.data, entity, location) }
    }

    /// The item of an entity at a location where the query sees entities, marked as changed if it is for writing.
    ///
    /// # Safety
    /// As [`QueryData::item`].
    #[inline]
    pub(super) unsafe fn item<'q>(&self, entity: EntityId, location: Location) -> Option<D::Item<'q>> {
        // SAFETY: the caller's promise.
        unsafe {
            if !F::matches(&self.filter, entity, location) {
                return None;
            }
            let item = D::item(&self.data, entity, location)?;
            if D::marks(&self.data) {
                D::mark(&self.data, entity, location);
            }
            Some(item)
        }
    }

    /// The item of an entity in a row of the kind that was entered, if it passes the filter.
    ///
    /// # Safety
    /// As [`QueryData::item`]; the row is one of `rows`, which are of this kind.
    #[inline(always)]
    pub(super) unsafe fn item_of_kind<'q>(&self, rows: &Rows, kind: usize, row: usize) -> Option<D::Item<'q>> {
        // SAFETY: the caller's promise; a kind that was entered has all required components.
        unsafe {
            let entity = rows.owner_at(row);
            if !rows.passes_all && !F::passes(&self.filter, entity) {
                return None;
            }
            let item = D::at_row(&self.data, row, entity);
            if D::marks(&self.data) {
                D::mark(&self.data, entity, Location { kind, row, has_extras: true });
            }
            Some(item)
        }
    }

    /// The item of an entity that has an extra of a source, if it comes there.
    ///
    /// # Safety
    /// As [`QueryData::item`].
    #[inline(always)]
    unsafe fn item_of_extra<'q>(&self, key: SourceKey, entity: EntityId, table: &EntityTable) -> Option<D::Item<'q>> {
        let location = table.location(entity)?;
        // SAFETY: the caller's promise; extras that a source shows are of entities that the query sees.
        unsafe { if self.comes_from(key, location.kind) { self.item(entity, location) } else { None } }
    }

    /// Visits the extras of each required component.
    fn sources(&self, mut visit: impl FnMut(SourceKey, ExtrasSource)) {
        let mut place = 0;
        let mut visit = |source: ExtrasSource| {
            visit((source.len, place), source);
            place += 1;
        };
        D::sources(&self.data, &mut visit);
        F::sources(&self.filter, &mut visit);
    }

    /// The first source behind a key.
    fn source_after(&self, last: Option<SourceKey>) -> Option<(SourceKey, ExtrasSource)> {
        let mut first: Option<(SourceKey, ExtrasSource)> = None;
        self.sources(|key, source| {
            if last.is_none_or(|last| key > last) && first.is_none_or(|(first, _)| key < first) {
                first = Some((key, source));
            }
        });
        first
    }

    /// Whether entities of a kind come among the extras of a source.
    ///
    /// # Safety
    /// As [`QueryData::has`].
    #[inline]
    unsafe fn comes_from(&self, key: SourceKey, kind: usize) -> bool {
        let mut comes = true;
        // SAFETY: the caller's promise.
        self.sources(|other, source| comes &= other > key || unsafe { source.is_home(kind) } == (other < key));
        comes
    }
}

/// Where rows are.
#[derive(Clone, Copy)]
pub(super) enum RowSource {
    /// In a kind that has all required components.
    Kind(usize),
    /// Among the extras of a required component.
    Extras(SourceKey),
}

/// Consecutive rows of an iteration.
#[derive(Clone, Copy)]
pub(super) struct Rows {
    pub(super) owners: *const EntityId,
    pub(super) len: usize,
    pub(super) source: RowSource,
    /// Whether each row has an item that needs no mark.
    pub(super) is_plain: bool,
    /// Whether each row has an item.
    pub(super) passes_all: bool,
}

impl Rows {
    pub(super) const NONE: Self = Self {
        owners: NonNull::dangling().as_ptr(),
        len: 0,
        source: RowSource::Kind(0),
        is_plain: false,
        passes_all: true,
    };

    /// # Safety
    /// The row is below `len`, and the world is borrowed.
    #[inline(always)]
    pub(super) unsafe fn owner_at(&self, row: usize) -> EntityId {
        debug_assert!(row < self.len, "row {row} of {}", self.len);
        // SAFETY: the caller's promise.
        unsafe { *self.owners.add(row) }
    }
}

/// Consecutive rows of an iteration, with the fetches that were prepared for them.
pub(super) struct Segment<D: QueryData, F: QueryFilter> {
    pub(super) bound: BoundFetch<D, F>,
    pub(super) rows: Rows,
}

impl<D: QueryData, F: QueryFilter> Segment<D, F> {
    /// The item of a row, if it has one.
    ///
    /// # Safety
    /// As [`QueryData::item`], and the row is below `len`.
    #[inline]
    unsafe fn item<'q>(&self, row: usize, table: &EntityTable) -> Option<D::Item<'q>> {
        // SAFETY: the caller's promise.
        unsafe {
            match self.rows.source {
                RowSource::Kind(kind) => self.bound.item_of_kind(&self.rows, kind, row),
                RowSource::Extras(key) => self.bound.item_of_extra(key, self.rows.owner_at(row), table),
            }
        }
    }

    /// Calls `visit` with the item of each of these rows that has one.
    ///
    /// # Safety
    /// As [`QueryData::item`], once for each row; the rows are below `len`.
    #[inline(always)]
    pub(super) unsafe fn fold<'q, A>(
        &self,
        mut rows: Range<usize>,
        table: &EntityTable,
        start: A,
        visit: &mut impl FnMut(A, D::Item<'q>) -> A,
    ) -> A {
        if !self.rows.is_plain {
            // SAFETY: the caller's promise.
            return unsafe { self.fold_rows(rows, table, start, visit) };
        }
        let mut result = start;
        // Copies, so that the compiler sees that the loop writes to neither.
        let (data, owners) = (self.bound.data, self.rows);
        // SAFETY: the caller's promise; each row has an item.
        let item = |row| unsafe { D::at_row(&data, row, owners.owner_at(row)) };
        while D::IN_FOURS && rows.len() >= 4 {
            result = D::visit_four([0, 1, 2, 3].map(|more| item(rows.start + more)), result, visit);
            rows.start += 4;
        }
        for row in rows {
            result = visit(result, item(row));
        }
        result
    }

    /// As [`Segment::fold`], where not each row has an item without a mark. Not inlined, so that a look-up has the
    /// registers for itself.
    ///
    /// # Safety
    /// As [`Segment::fold`].
    #[inline(never)]
    unsafe fn fold_rows<'q, A>(
        &self,
        rows: Range<usize>,
        table: &EntityTable,
        start: A,
        visit: &mut impl FnMut(A, D::Item<'q>) -> A,
    ) -> A {
        let mut result = start;
        for row in rows {
            // SAFETY: the caller's promise.
            if let Some(item) = unsafe { self.item(row, table) } {
                result = visit(result, item);
            }
        }
        result
    }
}

/// How an iteration has the fetches of its query: by reference, which keeps it small, or by value, if it may outlive
/// the query.
pub trait Fetches<D: QueryData, F: QueryFilter>: Copy + Borrow<BoundFetch<D, F>> {}

impl<D: QueryData, F: QueryFilter, B: Copy + Borrow<BoundFetch<D, F>>> Fetches<D, F> for B {}

/// What is left of an iteration, segment by segment.
pub(super) struct Walk<'q, D: QueryData, F: QueryFilter, B = &'q BoundFetch<D, F>> {
    /// The fetches of the query, or a reference to them.
    bound: B,
    pub(super) table: &'q EntityTable,
    /// The place of the next kind in the order of kinds.
    next_kind: usize,
    /// The last list of extras.
    last_source: Option<SourceKey>,
    fetches: PhantomData<BoundFetch<D, F>>,
}

impl<D: QueryData, F: QueryFilter, B: Copy> Clone for Walk<'_, D, F, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: QueryData, F: QueryFilter, B: Copy> Copy for Walk<'_, D, F, B> {}

impl<'q, D: QueryData, F: QueryFilter, B: Fetches<D, F>> Walk<'q, D, F, B> {
    /// The whole iteration.
    #[inline(always)]
    pub(super) fn new(bound: B, table: &'q EntityTable) -> Self {
        Self { bound, table, next_kind: 0, last_source: None, fetches: PhantomData }
    }

    #[inline(always)]
    pub(super) fn bound(&self) -> &BoundFetch<D, F> {
        self.bound.borrow()
    }

    /// Where the entity in a row is, if it has an item.
    ///
    /// # Safety
    /// The row is below the number of `rows`, which are of this iteration, and the world is borrowed.
    pub(super) unsafe fn match_at(&self, rows: &Rows, row: usize) -> Option<Location> {
        // SAFETY: the caller's promise. A kind has all that is required, and extras that a source shows are of entities
        // that the query sees.
        unsafe {
            let entity = rows.owner_at(row);
            match rows.source {
                RowSource::Kind(kind) => {
                    let location = Location { kind, row, has_extras: true };
                    (rows.passes_all || F::matches(&self.bound().filter, entity, location)).then_some(location)
                }
                RowSource::Extras(key) => {
                    let location = self.table.location(entity)?;
                    let comes = self.bound().comes_from(key, location.kind) && self.bound().has_item(entity, location);
                    comes.then_some(location)
                }
            }
        }
    }

    /// As [`BoundFetch::item_of_extra`]. Neither inlined nor by reference, so that the fields of an iterator stay in
    /// registers.
    ///
    /// # Safety
    /// As [`QueryData::item`].
    #[inline(never)]
    pub(super) unsafe fn item_of_extra<'i>(self, key: SourceKey, entity: EntityId) -> Option<D::Item<'i>> {
        // SAFETY: the caller's promise.
        unsafe { self.bound().item_of_extra(key, entity, self.table) }
    }

    /// The next segment with rows, and what is left then. By value, so that the fields of an iterator can stay in
    /// registers.
    #[inline(never)]
    pub(super) fn split(mut self) -> (Option<Segment<D, F>>, Self) {
        let mut bound = *self.bound();
        let segment = self.next_rows(&mut bound).map(|rows| Segment { bound, rows });
        (segment, self)
    }

    /// The next rows, for which `bound` is prepared.
    #[inline]
    pub(super) fn next_rows(&mut self, bound: &mut BoundFetch<D, F>) -> Option<Rows> {
        while let Some(kind) = self.table.kinds().order().get(self.next_kind) {
            self.next_kind += 1;
            let kind = *kind as usize;
            let of_kind = self.table.kinds().get(kind);
            let len = of_kind.visible(F::INCLUDES_DISABLED);
            // SAFETY: the world is borrowed for `'q`.
            unsafe {
                if len == 0 || !D::is_home(&bound.data, kind) || !F::is_home(&bound.filter, kind) {
                    continue;
                }
                let passes = F::enter(&mut bound.filter, kind);
                if passes == Passes::None {
                    continue;
                }
                D::enter(&mut bound.data, kind);
                let passes_all = passes == Passes::All;
                let is_plain = passes_all && !D::marks(&bound.data);
                let (owners, source) = (of_kind.owners.as_ptr(), RowSource::Kind(kind));
                return Some(Rows { owners, len, source, is_plain, passes_all });
            }
        }
        self.next_extras()
    }

    #[cold]
    fn next_extras(&mut self) -> Option<Rows> {
        while let Some((key, source)) = self.bound().source_after(self.last_source) {
            self.last_source = Some(key);
            if source.len == 0 {
                continue;
            }
            let mut kinds = self.table.kinds().order().iter();
            // SAFETY: the world is borrowed for `'q`.
            if kinds.any(|kind| unsafe { self.bound().comes_from(key, *kind as usize) }) {
                let (owners, len, source) = (source.owners, source.len, RowSource::Extras(key));
                return Some(Rows { owners, len, source, is_plain: false, passes_all: false });
            }
        }
        None
    }

    /// All rows that are left.
    pub(super) fn all_rows(mut self) -> impl Iterator<Item = Rows> {
        let mut bound = *self.bound();
        std::iter::from_fn(move || self.next_rows(&mut bound))
    }

    /// The number of rows that are left, those without an item included.
    pub(super) fn rows(&self) -> usize {
        self.all_rows().map(|rows| rows.len).sum()
    }

    /// Calls `visit` with the item of each of these rows that has one; rows count from the first of the iteration.
    ///
    /// # Safety
    /// As [`Segment::fold`].
    #[inline]
    pub(super) unsafe fn fold_rows<'i, A>(
        self,
        rows: Range<usize>,
        start: A,
        mut visit: impl FnMut(A, D::Item<'i>) -> A,
    ) -> A {
        let (mut walk, mut segment) = (self, Segment { bound: *self.bound(), rows: Rows::NONE });
        let (mut result, mut before) = (start, 0);
        while before < rows.end
            && let Some(next) = walk.next_rows(&mut segment.bound)
        {
            segment.rows = next;
            let of_segment = rows.start.max(before) - before..rows.end.min(before + next.len) - before;
            if of_segment.start < of_segment.end {
                // SAFETY: the caller's promise.
                result = unsafe { segment.fold(of_segment, self.table, result, &mut visit) };
            }
            before += next.len;
        }
        result
    }
}

impl<D: QueryData, F: QueryFilter> Query<'_, D, F> {
    /// The whole iteration, whose items must be used as those of a query that is borrowed exclusively.
    #[inline(always)]
    pub(super) fn walk(&self) -> Walk<'_, D, F> {
        Walk::new(&self.bound, self.table)
    }

    /// The whole iteration, for reading.
    #[inline(always)]
    pub(super) fn walk_read_only(&self) -> Walk<'_, D::ReadOnly, F> {
        Walk::new(self.bound.read_only(), self.table)
    }

    /// Where an entity is, if the query sees it there.
    #[inline]
    pub(super) fn locate(&self, entity: EntityId) -> Option<Location> {
        let location = self.table.location(entity)?;
        (F::INCLUDES_DISABLED || self.table.is_enabled_at(location)).then_some(location)
    }
}
