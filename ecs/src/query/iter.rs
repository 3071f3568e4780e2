//! Iterators over the matches of a query.
//!
//! Soundness: an iteration visits distinct entities and asks for each item once. The iterator borrows the query as long as its items live:
//! shared if they only read, exclusively otherwise. Iterations over pairs ask for an item repeatedly: those that write do so after the last
//! one is gone.
#![allow(unsafe_code)]

use std::marker::PhantomData;
use std::ptr::NonNull;

use super::Query;
use super::filter::QueryFilter;
use super::query_data::{QueryData, ReadOnlyData};
use super::walk::{Segment, Walk};
use crate::entity::{EntityId, Location};

/// Iterates over the matches of a query; made by [`Query::iter`] and [`Query::iter_mut`].
pub struct QueryIter<'a, D: QueryData, F: QueryFilter = ()> {
    /// The fetches of the segment. A copy of their own, so that a loop over plain rows touches nothing else.
    data: D::Fetch,
    owners: *const EntityId,
    /// The next row of the segment, and its end.
    row: usize,
    end: usize,
    /// Whether each row of the segment has an item that needs no mark.
    is_plain: bool,
    /// Whether the segment is the only one, and plain. It never changes, so that the compiler makes a `for` loop into two.
    is_single: bool,
    segment: Option<Segment<D, F>>,
    /// What comes behind the segment.
    walk: Walk<'a, D, F>,
    borrow: PhantomData<&'a mut ()>,
}

impl<'a, D: QueryData, F: QueryFilter> QueryIter<'a, D, F> {
    // Inlined, so that the compiler sees that nothing else has the address of the iterator, and keeps its fields in registers.
    #[inline(always)]
    pub(super) fn new(query: &Query<'a, D, F>) -> Self {
        let (segment, walk) = query.walk().split();
        let mut iter = Self {
            data: query.data,
            owners: NonNull::dangling().as_ptr(),
            row: 0,
            end: 0,
            is_plain: false,
            is_single: false,
            segment: None,
            walk,
            borrow: PhantomData,
        };
        iter.enter(segment);
        iter.is_single = iter.is_plain && walk.split().0.is_none();
        iter
    }

    #[inline(always)]
    fn enter(&mut self, segment: Option<Segment<D, F>>) {
        self.segment = segment;
        (self.row, self.end) = (0, 0);
        if let Some(segment) = segment {
            self.data = segment.bound.data;
            (self.owners, self.end, self.is_plain) = (segment.owners, segment.len, segment.is_plain);
        }
    }

    /// The same iteration from here on. If the items write, only one of the two may be used while items live.
    fn rest(&self) -> Self {
        Self { borrow: PhantomData, ..*self }
    }

    /// The next match, and where it is.
    fn next_match(&mut self) -> Option<(EntityId, Location)> {
        loop {
            let segment = self.segment?;
            while self.row < self.end {
                self.row += 1;
                // SAFETY: the query is borrowed for `'a`. Only iterations over pairs call this, while no item is alive that writes.
                if let Some(found) = unsafe { segment.match_at(self.row - 1, self.walk.table) } {
                    return Some(found);
                }
            }
            self.enter_next();
        }
    }

    #[inline(always)]
    fn enter_next(&mut self) {
        let segment;
        (segment, self.walk) = self.walk.split();
        self.enter(segment);
    }

    /// The item of an entity, which [`QueryIter::next_match`] found.
    ///
    /// # Safety
    /// As [`QueryData::item`].
    unsafe fn item<'q>(&self, (entity, location): (EntityId, Location)) -> Option<D::Item<'q>> {
        // SAFETY: the caller's promise.
        unsafe { self.walk.bound.item(entity, location) }
    }
}

impl<'a, D: QueryData, F: QueryFilter> Iterator for QueryIter<'a, D, F> {
    type Item = D::Item<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<D::Item<'a>> {
        loop {
            if self.row < self.end {
                let row = self.row;
                self.row += 1;
                // SAFETY: the query is borrowed for `'a`, and no entity is visited twice.
                unsafe {
                    if self.is_single || self.is_plain {
                        return Some(D::at_row(&self.data, row, *self.owners.add(row)));
                    }
                    let item = self.segment.as_ref()?.item(row, self.walk.table);
                    if item.is_some() {
                        return item;
                    }
                    continue;
                }
            }
            if self.is_single || self.segment.is_none() {
                return None;
            }
            self.enter_next();
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.end - self.row;
        let least = if self.segment.is_some_and(|segment| segment.passes_all) { left } else { 0 };
        let more = self.walk.filter(|segment| segment.passes_all).map(|segment| segment.len).sum::<usize>();
        (least + more, Some(left + self.walk.rows()))
    }

    #[inline]
    fn fold<A, G: FnMut(A, Self::Item) -> A>(self, start: A, mut visit: G) -> A {
        let Self { mut walk, segment: mut next, row, end, .. } = self;
        let (mut rows, mut result) = (row..end, start);
        while let Some(segment) = next {
            // SAFETY: as in `next`.
            result = unsafe { segment.fold(rows, walk.table, result, &mut visit) };
            (next, walk) = walk.split();
            rows = 0..next.map_or(0, |segment| segment.len);
        }
        result
    }
}

impl<D: ReadOnlyData, F: QueryFilter> Clone for QueryIter<'_, D, F> {
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
                // SAFETY: the second item is of another entity, which comes later. `visit` has given back the last pair.
                if let Some(first) = unsafe { firsts.item(first) } {
                    visit(first, second);
                }
            });
        }
    }
}
