//! The order of an iteration: the kinds that have all required components, row by row, and then the entities that have some of them as extras.
//!
//! Soundness: each entity comes once. It is in one row of one kind. If its kind has all required components, it comes in that row. If not, it
//! comes among the extras of the first required component, by [`SourceKey`], that its kind lacks: the lists of extras are walked in
//! this order, and an entity whose kind lacks an earlier one is skipped.
#![allow(unsafe_code)]

use std::ops::Range;

use super::Query;
use super::fetch::ExtrasSource;
use super::filter::{Passes, QueryFilter};
use super::query_data::QueryData;
use crate::entity::{EntityId, EntityTable, Location};

/// The number of extras of a required component, and its place in the query: iterations go over the shortest list first. Component ids have no
/// influence, which differ between engines.
type SourceKey = (usize, usize);

/// The fetches of a query.
pub(super) struct BoundFetch<D: QueryData, F: QueryFilter> {
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
    unsafe fn comes_from(&self, (key, source): (SourceKey, ExtrasSource), kind: usize) -> bool {
        let mut is_first = true;
        self.sources(|other_key, other| {
            // SAFETY: the caller's promise.
            is_first &= other_key >= key || unsafe { other.is_home(kind) };
        });
        // SAFETY: the caller's promise.
        is_first && !unsafe { source.is_home(kind) }
    }
}

/// Where the rows of a segment are.
#[derive(Clone, Copy)]
pub(super) enum Rows {
    /// In a kind, which was entered and has all required components.
    Kind(usize),
    /// Among the extras of a required component.
    Extras(SourceKey, ExtrasSource),
}

/// Consecutive rows of an iteration.
pub(super) struct Segment<D: QueryData, F: QueryFilter> {
    pub(super) bound: BoundFetch<D, F>,
    pub(super) owners: *const EntityId,
    pub(super) len: usize,
    pub(super) rows: Rows,
    /// Whether each row has an item that needs no mark.
    pub(super) is_plain: bool,
    /// Whether each row has an item.
    pub(super) passes_all: bool,
}

impl<D: QueryData, F: QueryFilter> Clone for Segment<D, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: QueryData, F: QueryFilter> Copy for Segment<D, F> {}

impl<D: QueryData, F: QueryFilter> Segment<D, F> {
    /// # Safety
    /// The row is below `len`, and the world is borrowed.
    #[inline(always)]
    pub(super) unsafe fn owner_at(&self, row: usize) -> EntityId {
        debug_assert!(row < self.len, "row {row} of {}", self.len);
        // SAFETY: the caller's promise.
        unsafe { *self.owners.add(row) }
    }

    /// The entity in a row, and where it is, if it has an item.
    ///
    /// # Safety
    /// The row is below `len`, and the world is borrowed.
    pub(super) unsafe fn match_at(&self, row: usize, table: &EntityTable) -> Option<(EntityId, Location)> {
        // SAFETY: the caller's promise.
        unsafe {
            let entity = self.owner_at(row);
            match self.rows {
                Rows::Kind(kind) => {
                    let passes = self.passes_all || F::passes(&self.bound.filter, entity);
                    passes.then_some((entity, Location { kind, row, has_extras: true }))
                }
                Rows::Extras(key, source) => {
                    let location = table.location(entity)?;
                    let comes =
                        self.bound.comes_from((key, source), location.kind) && self.bound.has_item(entity, location);
                    comes.then_some((entity, location))
                }
            }
        }
    }

    /// The item of a row, if it has one.
    ///
    /// # Safety
    /// As [`QueryData::item`], and the row is below `len`.
    #[inline]
    pub(super) unsafe fn item<'q>(&self, row: usize, table: &EntityTable) -> Option<D::Item<'q>> {
        // SAFETY: the caller's promise; a row of a kind that was entered has all required components.
        unsafe {
            let entity = self.owner_at(row);
            match self.rows {
                Rows::Kind(kind) => {
                    if !self.passes_all && !F::passes(&self.bound.filter, entity) {
                        return None;
                    }
                    let item = D::at_row(&self.bound.data, row, entity);
                    if D::marks(&self.bound.data) {
                        D::mark(&self.bound.data, entity, Location { kind, row, has_extras: true });
                    }
                    Some(item)
                }
                Rows::Extras(key, source) => {
                    let location = table.location(entity)?;
                    if !self.bound.comes_from((key, source), location.kind) {
                        return None;
                    }
                    self.bound.item(entity, location)
                }
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
        if !self.is_plain {
            // SAFETY: the caller's promise.
            return unsafe { self.fold_rows(rows, table, start, visit) };
        }
        let mut result = start;
        // SAFETY: the caller's promise; each row has an item.
        let item = |row| unsafe { D::at_row(&self.bound.data, row, self.owner_at(row)) };
        while D::IN_FOURS && rows.len() >= 4 {
            result = D::visit_four([0, 1, 2, 3].map(|more| item(rows.start + more)), result, visit);
            rows.start += 4;
        }
        for row in rows {
            result = visit(result, item(row));
        }
        result
    }

    /// As [`Segment::fold`], where not each row has an item without a mark. Not inlined, so that a look-up has the registers for itself.
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

/// What is left of an iteration, segment by segment.
pub(super) struct Walk<'q, D: QueryData, F: QueryFilter> {
    pub(super) bound: BoundFetch<D, F>,
    pub(super) table: &'q EntityTable,
    /// The place of the next kind in the order of kinds.
    next_kind: usize,
    /// The last list of extras.
    last_source: Option<SourceKey>,
}

impl<D: QueryData, F: QueryFilter> Clone for Walk<'_, D, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: QueryData, F: QueryFilter> Copy for Walk<'_, D, F> {}

impl<'q, D: QueryData, F: QueryFilter> Walk<'q, D, F> {
    /// The next segment with rows, and what is left then. By value, so that the fields of an iterator can stay in registers.
    #[inline(never)]
    pub(super) fn split(mut self) -> (Option<Segment<D, F>>, Self) {
        let segment = self.next_kind().or_else(|| self.next_extras());
        (segment, self)
    }

    fn next_kind(&mut self) -> Option<Segment<D, F>> {
        while let Some(kind) = self.table.kinds().order().get(self.next_kind) {
            self.next_kind += 1;
            let kind = *kind as usize;
            let of_kind = self.table.kinds().get(kind);
            let len = of_kind.visible(F::INCLUDES_DISABLED);
            // SAFETY: the world is borrowed for `'q`.
            unsafe {
                if len == 0 || !D::is_home(&self.bound.data, kind) || !F::is_home(&self.bound.filter, kind) {
                    continue;
                }
                let mut bound = self.bound;
                let passes = F::enter(&mut bound.filter, kind);
                if passes == Passes::None {
                    continue;
                }
                D::enter(&mut bound.data, kind);
                let passes_all = passes == Passes::All;
                let is_plain = passes_all && !D::marks(&bound.data);
                let owners = of_kind.owners.as_ptr();
                return Some(Segment { bound, owners, len, rows: Rows::Kind(kind), is_plain, passes_all });
            }
        }
        None
    }

    #[cold]
    fn next_extras(&mut self) -> Option<Segment<D, F>> {
        while let Some((key, source)) = self.bound.source_after(self.last_source) {
            self.last_source = Some(key);
            if source.len == 0 {
                continue;
            }
            let mut kinds = self.table.kinds().order().iter();
            // SAFETY: the world is borrowed for `'q`.
            if kinds.any(|kind| unsafe { self.bound.comes_from((key, source), *kind as usize) }) {
                let (bound, owners, len) = (self.bound, source.owners, source.len);
                let rows = Rows::Extras(key, source);
                return Some(Segment { bound, owners, len, rows, is_plain: false, passes_all: false });
            }
        }
        None
    }

    /// The number of rows that are left, those without an item included.
    pub(super) fn rows(&self) -> usize {
        self.map(|segment| segment.len).sum()
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
        let (mut result, mut before) = (start, 0);
        for segment in self {
            if before >= rows.end {
                break;
            }
            let of_segment = rows.start.max(before) - before..rows.end.min(before + segment.len) - before;
            if of_segment.start < of_segment.end {
                // SAFETY: the caller's promise.
                result = unsafe { segment.fold(of_segment, self.table, result, &mut visit) };
            }
            before += segment.len;
        }
        result
    }
}

impl<D: QueryData, F: QueryFilter> Iterator for Walk<'_, D, F> {
    type Item = Segment<D, F>;

    fn next(&mut self) -> Option<Segment<D, F>> {
        let segment;
        (segment, *self) = self.split();
        segment
    }
}

impl<'q, D: QueryData, F: QueryFilter> Query<'q, D, F> {
    /// The whole iteration.
    #[inline(always)]
    pub(super) fn walk(&self) -> Walk<'q, D, F> {
        Walk {
            bound: BoundFetch { data: self.data, filter: self.filter },
            table: self.table,
            next_kind: 0,
            last_source: None,
        }
    }

    /// The fetches, and where an entity is, if the query sees it there.
    #[inline]
    pub(super) fn locate(&self, entity: EntityId) -> Option<(BoundFetch<D, F>, Location)> {
        let location = self.table.location(entity)?;
        if !F::INCLUDES_DISABLED && !self.table.is_enabled_at(location) {
            return None;
        }
        Some((BoundFetch { data: self.data, filter: self.filter }, location))
    }
}
