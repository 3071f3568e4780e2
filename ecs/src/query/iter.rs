//! Iterators over the matches of a query.
//!
//! Soundness: an iteration visits distinct entities and asks for each item once. The iterator borrows the query as long
//! as its items live: shared if they only read, exclusively otherwise. Iterations over pairs ask for an item
//! repeatedly: those that write do so after the last one is gone.
#![allow(unsafe_code)]

use std::marker::PhantomData;

use super::Query;
use super::filter::QueryFilter;
use super::query_data::{QueryData, ReadOnlyData};
use super::walk::{BoundFetch, Fetches, RowSource, Rows, Segment, Walk};
use crate::entity::{EntityId, Location};

/// Iterates over the matches of a query; made by [`Query::iter`] and [`Query::iter_mut`].
// Nothing takes its address: in a `for` loop over plain rows, what it needs is in registers.
pub struct QueryIter<'a, D: QueryData, F: QueryFilter = (), B = &'a BoundFetch<D, F>> {
    /// The fetches that were prepared for the rows.
    bound: BoundFetch<D, F>,
    rows: Rows,
    next_row: usize,
    /// Whether these are the only rows, and plain. It never changes, so that the compiler makes a `for` loop into two.
    is_single: bool,
    /// What comes behind the rows.
    walk: Walk<'a, D, F, B>,
    borrow: PhantomData<&'a mut ()>,
}

impl<'a, D: QueryData, F: QueryFilter, B: Fetches<D, F>> QueryIter<'a, D, F, B> {
    // Inlined, so that the compiler sees that nothing else has the address of the iterator.
    #[inline(always)]
    pub(super) fn new(walk: Walk<'a, D, F, B>) -> Self {
        let bound = *walk.bound();
        let mut iter = Self { bound, rows: Rows::NONE, next_row: 0, is_single: false, walk, borrow: PhantomData };
        iter.enter_next();
        iter.is_single = iter.rows.is_plain && iter.walk.split().0.is_none();
        iter
    }

    /// Returns whether there are rows.
    #[inline(always)]
    fn enter_next(&mut self) -> bool {
        let segment;
        (segment, self.walk) = self.walk.split();
        let Some(Segment { bound, rows }) = segment else { return false };
        (self.bound, self.rows, self.next_row) = (bound, rows, 0);
        true
    }

    /// The same iteration from here on. If the items write, only one of the two may be used while items live.
    fn rest(&self) -> Self {
        Self { borrow: PhantomData, ..*self }
    }

    /// The next match, and where it is.
    fn next_match(&mut self) -> Option<(EntityId, Location)> {
        loop {
            while self.next_row < self.rows.len {
                let row = self.next_row;
                self.next_row += 1;
                // SAFETY: the query is borrowed for `'a`. Only iterations over pairs call this, while no item is alive
                // that writes.
                unsafe {
                    if let Some(location) = self.walk.match_at(&self.rows, row) {
                        return Some((self.rows.owner_at(row), location));
                    }
                }
            }
            if !self.enter_next() {
                return None;
            }
        }
    }

    /// The item of an entity, which [`QueryIter::next_match`] found.
    ///
    /// # Safety
    /// As [`QueryData::item`].
    unsafe fn item<'q>(&self, (entity, location): (EntityId, Location)) -> Option<D::Item<'q>> {
        // SAFETY: the caller's promise.
        unsafe { self.walk.bound().item(entity, location) }
    }
}

impl<'a, D: QueryData, F: QueryFilter, B: Fetches<D, F>> Iterator for QueryIter<'a, D, F, B> {
    type Item = D::Item<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<D::Item<'a>> {
        loop {
            if self.next_row < self.rows.len {
                let row = self.next_row;
                self.next_row += 1;
                // SAFETY: the query is borrowed for `'a`, and no entity is visited twice.
                unsafe {
                    if self.is_single || self.rows.is_plain {
                        return Some(D::at_row(&self.bound.data, row, self.rows.owner_at(row)));
                    }
                    let item = match self.rows.source {
                        RowSource::Kind(kind) => self.bound.item_of_kind(&self.rows, kind, row),
                        RowSource::Extras(key) => self.walk.item_of_extra(key, self.rows.owner_at(row)),
                    };
                    if item.is_some() {
                        return item;
                    }
                }
            } else if self.is_single || !self.enter_next() {
                return None;
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.rows.len - self.next_row;
        let least = if self.rows.passes_all { left } else { 0 };
        let more = self.walk.all_rows().filter(|rows| rows.passes_all).map(|rows| rows.len);
        (least + more.sum::<usize>(), Some(left + self.walk.rows()))
    }

    #[inline]
    fn fold<A, G: FnMut(A, Self::Item) -> A>(self, start: A, mut visit: G) -> A {
        let Self { mut walk, bound, rows, next_row, .. } = self;
        let mut segment = Segment { bound, rows };
        // SAFETY: as in `next`.
        let mut result = unsafe { segment.fold(next_row..rows.len, walk.table, start, &mut visit) };
        while let Some(rows) = walk.next_rows(&mut segment.bound) {
            segment.rows = rows;
            // SAFETY: as in `next`.
            result = unsafe { segment.fold(0..rows.len, walk.table, result, &mut visit) };
        }
        result
    }
}

impl<D: ReadOnlyData, F: QueryFilter, B: Fetches<D, F>> Clone for QueryIter<'_, D, F, B> {
    fn clone(&self) -> Self {
        self.rest()
    }
}

/// Iterates over all unordered pairs of matches for reading; made by [`Query::pairs`].
pub struct Pairs<'a, D: ReadOnlyData, F: QueryFilter = ()> {
    /// The first of the current pair, and where it is.
    first: Option<(EntityId, Location)>,
    firsts: QueryIter<'a, D, F>,
    seconds: QueryIter<'a, D, F>,
}

impl<'a, D: ReadOnlyData, F: QueryFilter> Iterator for Pairs<'a, D, F> {
    type Item = (D::Item<'a>, D::Item<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(first) = self.first
                && let Some(second) = self.seconds.next()
            {
                // SAFETY: the query is borrowed for `'a`, and its items only read.
                return Some((unsafe { self.firsts.item(first) }?, second));
            }
            self.first = Some(self.firsts.next_match()?);
            self.seconds = self.firsts.rest();
        }
    }
}

impl<D: QueryData, F: QueryFilter> Query<'_, D, F> {
    /// Iterates over all unordered pairs of matches for reading: each two matches meet once. O(n²).
    ///
    /// The order is that of two nested iterations, the second of which begins behind the first: (a, b), (a, c), (b, c).
    ///
    /// # Example
    /// ```
    /// use ecs::prelude::*;
    ///
    /// let mut engine = Engine::new();
    /// engine.spawn_many((1..=4_u32).map(|n| (n,)));
    /// let products: Vec<u32> = engine.query::<&u32>().pairs().map(|(a, b)| a * b).collect();
    /// assert_eq!(products, [2, 3, 4, 6, 8, 12]);
    /// ```
    pub fn pairs(&self) -> Pairs<'_, D::ReadOnly, F> {
        Pairs { first: None, firsts: self.iter(), seconds: self.iter() }
    }

    /// Calls `visit` with both items of each unordered pair of matches, for writing. O(n²).
    ///
    /// The order is that of [`Query::pairs`].
    ///
    /// # Example
    /// ```
    /// use ecs::prelude::*;
    ///
    /// /// A place on a line, and the sum of the distances to all others.
    /// struct Body { x_m: f32, distances_m: f32 }
    ///
    /// let mut engine = Engine::new();
    /// engine.spawn_many([0.0, 1.0, 5.0].map(|x_m| (Body { x_m, distances_m: 0.0 },)));
    /// let mut bodies = engine.query::<&mut Body>();
    /// bodies.for_each_pair_mut(|a, b| {
    ///     let distance_m = (a.x_m - b.x_m).abs();
    ///     a.distances_m += distance_m;
    ///     b.distances_m += distance_m;
    /// });
    /// assert_eq!(bodies.iter().map(|body| body.distances_m).collect::<Vec<_>>(), [6.0, 5.0, 9.0]);
    /// ```
    pub fn for_each_pair_mut(&mut self, mut visit: impl FnMut(D::Item<'_>, D::Item<'_>)) {
        let mut firsts = self.iter_mut();
        while let Some(first) = firsts.next_match() {
            firsts.rest().for_each(|second| {
                // SAFETY: the second item is of another entity, which comes later. `visit` has given back the last
                // pair.
                if let Some(first) = unsafe { firsts.item(first) } {
                    visit(first, second);
                }
            });
        }
    }
}
