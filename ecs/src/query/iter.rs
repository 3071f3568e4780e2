//! Iterators over the matches of a query.
//!
//! Soundness: an iteration visits distinct entities and asks for each item once. The iterator borrows the query as long as its items live:
//! shared if they only read, exclusively otherwise. Iterations over pairs ask for an item repeatedly: those that write do so after the last
//! one is gone.
#![allow(unsafe_code)]

use std::marker::PhantomData;

use super::Query;
use super::fetch::LeadPool;
use super::filter::QueryFilter;
use super::query_data::{QueryData, ReadOnlyData};
use super::row_range::RowRange;
use crate::entity::{EntityId, EntityManager, EntityRecord, Records};

/// Iterates over the matches of a query; made by [`Query::iter`] and [`Query::iter_mut`].
pub struct QueryIter<'a, D: QueryData, F: QueryFilter = ()> {
    rows: RowRange<D, F>,
    /// All entities, if no component is required.
    entities: Option<Records<'a>>,
    borrow: PhantomData<&'a mut ()>,
}

impl<'a, D: QueryData, F: QueryFilter> QueryIter<'a, D, F> {
    const HAS_LEAD: bool = D::HAS_LEAD || F::HAS_LEAD;

    pub(super) fn new(query: Query<'a, D, F>) -> Self {
        let lead = LeadPool::NONE;
        // SAFETY: there are no rows.
        let none = || unsafe { RowRange::new(query.bind(lead), lead, 0..0, 0..0) };
        Self {
            rows: query.rows().unwrap_or_else(none),
            entities: query.entities.map(EntityManager::records),
            borrow: PhantomData,
        }
    }

    /// The same iteration from here on. If the items write, only one of the two may be used while items live.
    fn rest(&self) -> Self {
        Self { rows: self.rows.part(self.rows.rows.clone()), entities: self.entities.clone(), borrow: PhantomData }
    }

    /// The next match and its row.
    fn next_match(&mut self) -> Option<(usize, EntityId)> {
        loop {
            let (row, entity) = match Self::HAS_LEAD {
                true => self.rows.next_row()?,
                false => (0, self.next_entity()?),
            };
            // SAFETY: the query is borrowed for `'a`. Only iterations over pairs call this, while no item is alive that writes.
            if unsafe { self.rows.bound.has_item(row, entity) } {
                return Some((row, entity));
            }
        }
    }

    /// The next of all entities.
    fn next_entity(&mut self) -> Option<EntityId> {
        let is_seen = |(_, record): &(EntityId, &EntityRecord)| F::INCLUDES_DISABLED || record.is_enabled();
        self.entities.as_mut()?.find(is_seen).map(|(entity, _)| entity)
    }
}

impl<'a, D: QueryData, F: QueryFilter> Iterator for QueryIter<'a, D, F> {
    type Item = D::Item<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<D::Item<'a>> {
        if Self::HAS_LEAD {
            // SAFETY: the query is borrowed for `'a`, and no entity is visited twice.
            return unsafe { self.rows.next() };
        }
        loop {
            let entity = self.next_entity()?;
            // SAFETY: as above.
            let item = unsafe { self.rows.bound.item(0, entity) };
            if item.is_some() {
                return item;
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.rows.rows.len();
        let is_exact = Self::HAS_LEAD && self.rows.bound.is_packed();
        (if is_exact { left } else { 0 }, Self::HAS_LEAD.then_some(left))
    }

    #[inline]
    fn fold<A, G: FnMut(A, Self::Item) -> A>(self, start: A, mut visit: G) -> A {
        if Self::HAS_LEAD {
            // SAFETY: as in `next`.
            return unsafe { self.rows.fold(start, visit) };
        }
        let mut result = start;
        for item in self {
            result = visit(result, item);
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
    /// The first of the current pair, and its row.
    first: Option<(usize, EntityId)>,
    firsts: QueryIter<'a, D, F>,
    seconds: QueryIter<'a, D, F>,
}

impl<'a, D: ReadOnlyData, F: QueryFilter> Iterator for Pairs<'a, D, F> {
    type Item = (D::Item<'a>, D::Item<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some((row, entity)) = self.first
                && let Some(second) = self.seconds.next()
            {
                // SAFETY: the query is borrowed for `'a`, and its items only read.
                let first = unsafe { self.firsts.rows.bound.item(row, entity) };
                return Some((first?, second));
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
        while let Some((row, entity)) = firsts.next_match() {
            firsts.rest().for_each(|second| {
                // SAFETY: the second item is of another entity, behind this row. `visit` has given back the last pair.
                if let Some(first) = unsafe { firsts.rows.bound.item(row, entity) } {
                    visit(first, second);
                }
            });
        }
    }
}
