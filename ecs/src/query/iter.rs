//! Walking over what a query matches.
//!
//! Soundness: a walk visits distinct entities (`Walk::next`), so it asks for each item once, and the iterator borrows the query
//! for as long as its items live: shared for reading, exclusively for writing. What is visited at once is in `stretch.rs`.
#![allow(unsafe_code)]

use std::marker::PhantomData;

use super::fetch::LeadPool;
use super::filter::QueryFilter;
use super::many::Query;
use super::query_data::QueryData;
use super::row_range::RowRange;
use crate::entity::{EntityId, EntityManager, EntityRecord, Records};

impl<D: QueryData, F: QueryFilter> Query<'_, D, F> {
    fn walk(&self) -> Walk<'_, D, F> {
        let lead = LeadPool::NOBODY;
        let nobody = || RowRange { bound: self.follow(lead), lead, rows: 0..0, is_packed: false, known: 0..0 };
        Walk { stretch: self.stretch().unwrap_or_else(nobody), everybody: self.entities.map(EntityManager::records) }
    }
}

/// The rows that are left to visit.
struct Walk<'a, D: QueryData, F: QueryFilter> {
    stretch: RowRange<D, F>,
    /// All entities, where no component is required.
    everybody: Option<Records<'a>>,
}

impl<D: QueryData, F: QueryFilter> Walk<'_, D, F> {
    const HAS_LEAD: bool = D::HAS_LEAD || F::HAS_LEAD;
    /// Whether the walk can be carried out at once.
    const CAN_FOLD: bool = Self::HAS_LEAD && D::CAN_ALIGN;

    /// The next entity and its row.
    #[inline(always)]
    fn next(&mut self) -> Option<(usize, EntityId)> {
        if !Self::HAS_LEAD {
            let seen = |(_, record): &(EntityId, &EntityRecord)| F::INCLUDES_DISABLED || record.is_enabled();
            return self.everybody.as_mut()?.find(seen).map(|(entity, _)| (0, entity));
        }
        let row = self.stretch.rows.next()?;
        // SAFETY: the row is below the number of owners, and the index does not change: the query borrows it.
        Some((row, unsafe { self.stretch.lead.owner_at(row) }))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.stretch.rows.len();
        if self.stretch.is_packed { (left, Some(left)) } else { (0, Self::HAS_LEAD.then_some(left)) }
    }
}

/// Walks over the matches of a query for reading.
pub struct QueryIter<'a, D: QueryData, F: QueryFilter = ()> {
    walk: Walk<'a, D, F>,
    query: PhantomData<&'a ()>,
}

/// Walks over the matches of a query for writing.
pub struct QueryIterMut<'a, D: QueryData, F: QueryFilter = ()> {
    walk: Walk<'a, D, F>,
    query: PhantomData<&'a mut ()>,
}

impl<'a, D: QueryData, F: QueryFilter> QueryIter<'a, D, F> {
    pub(super) fn new(query: &'a Query<'_, D, F>) -> Self {
        Self { walk: query.walk(), query: PhantomData }
    }
}

impl<'a, D: QueryData, F: QueryFilter> QueryIterMut<'a, D, F> {
    pub(super) fn new(query: &'a mut Query<'_, D, F>) -> Self {
        Self { walk: query.walk(), query: PhantomData }
    }
}

impl<'a, D: QueryData, F: QueryFilter> Iterator for QueryIter<'a, D, F> {
    type Item = D::Read<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<D::Read<'a>> {
        loop {
            let (row, entity) = self.walk.next()?;
            // SAFETY: the query is borrowed for `'a`, shared: nobody writes; `row` is the entity's.
            let item = unsafe {
                if self.walk.stretch.is_packed {
                    return Some(D::read_at(&self.walk.stretch.bound.data, row, entity));
                }
                self.walk.stretch.bound.read(row, entity)
            };
            if item.is_some() {
                return item;
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.walk.size_hint()
    }

    #[inline]
    fn fold<A, G: FnMut(A, Self::Item) -> A>(self, start: A, mut visit: G) -> A {
        if Walk::<D, F>::CAN_FOLD {
            // SAFETY: as in `next`.
            return unsafe {
                let at = |data: &D::Fetch, row, entity| D::read_at(data, row, entity);
                let one_by_one = None::<fn([Self::Item; 4], A, &mut G) -> A>;
                self.walk.stretch.fold(start, at, |bound, row, entity| bound.read(row, entity), one_by_one, visit)
            };
        }
        let mut result = start;
        for item in self {
            result = visit(result, item);
        }
        result
    }
}

impl<'a, D: QueryData, F: QueryFilter> Iterator for QueryIterMut<'a, D, F> {
    type Item = D::Item<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<D::Item<'a>> {
        loop {
            let (row, entity) = self.walk.next()?;
            // SAFETY: the query is borrowed for `'a`, exclusively, and no entity is visited twice.
            let item = unsafe {
                if self.walk.stretch.is_packed {
                    return Some(D::item_at(&self.walk.stretch.bound.data, row, entity));
                }
                self.walk.stretch.bound.item(row, entity)
            };
            if item.is_some() {
                return item;
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.walk.size_hint()
    }

    #[inline]
    fn fold<A, G: FnMut(A, Self::Item) -> A>(self, start: A, mut visit: G) -> A {
        if Walk::<D, F>::CAN_FOLD {
            // SAFETY: as in `next`.
            return unsafe {
                let at = |data: &D::Fetch, row, entity| D::item_at(data, row, entity);
                let in_fours = D::IN_FOURS.then_some(|items, start, visit: &mut G| D::visit_four(items, start, visit));
                self.walk.stretch.fold(start, at, |bound, row, entity| bound.item(row, entity), in_fours, visit)
            };
        }
        let mut result = start;
        for item in self {
            result = visit(result, item);
        }
        result
    }
}
