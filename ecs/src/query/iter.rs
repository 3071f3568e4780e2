//! Iterators over the matches of a query.
//!
//! Soundness: a walk visits distinct entities and asks for each item once. The iterator borrows the query as long as its items live:
//! shared if they only read, exclusively otherwise.
#![allow(unsafe_code)]

use std::marker::PhantomData;

use super::Query;
use super::fetch::LeadPool;
use super::filter::QueryFilter;
use super::query_data::QueryData;
use super::row_range::RowRange;
use crate::entity::{EntityId, EntityManager, EntityRecord, Records};

/// Walks over the matches of a query; made by [`Query::iter`] and [`Query::iter_mut`].
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
        let none = || RowRange { bound: query.bind(lead), lead, rows: 0..0, is_packed: false, known: 0..0 };
        Self {
            rows: query.rows().unwrap_or_else(none),
            entities: query.entities.map(EntityManager::records),
            borrow: PhantomData,
        }
    }

    /// The next entity and its row.
    #[inline(always)]
    fn next_row(&mut self) -> Option<(usize, EntityId)> {
        if !Self::HAS_LEAD {
            let is_seen = |(_, record): &(EntityId, &EntityRecord)| F::INCLUDES_DISABLED || record.is_enabled();
            return self.entities.as_mut()?.find(is_seen).map(|(entity, _)| (0, entity));
        }
        let row = self.rows.rows.next()?;
        // SAFETY: the row is below the number of owners, and the query borrows the index.
        Some((row, unsafe { self.rows.lead.owner_at(row) }))
    }
}

impl<'a, D: QueryData, F: QueryFilter> Iterator for QueryIter<'a, D, F> {
    type Item = D::Item<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<D::Item<'a>> {
        loop {
            let (row, entity) = self.next_row()?;
            // SAFETY: the query is borrowed for `'a`, and no entity is visited twice.
            let item = unsafe {
                if self.rows.is_packed {
                    return Some(D::item_at(&self.rows.bound.data, row, entity));
                }
                self.rows.bound.item(row, entity)
            };
            if item.is_some() {
                return item;
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.rows.rows.len();
        if self.rows.is_packed { (left, Some(left)) } else { (0, Self::HAS_LEAD.then_some(left)) }
    }

    #[inline]
    fn fold<A, G: FnMut(A, Self::Item) -> A>(self, start: A, mut visit: G) -> A {
        if Self::HAS_LEAD && D::CAN_ALIGN {
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
