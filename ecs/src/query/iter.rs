//! Walking over what a query matches.
//!
//! Soundness: a walk visits distinct entities ([`Rows`]), so it asks for each item once, and the iterator borrows the query
//! for as long as its items live: shared for reading, exclusively for writing.
#![allow(unsafe_code)]

use std::marker::PhantomData;

use super::data::{QueryData, shorter};
use super::fetch::Rows;
use super::filter::QueryFilter;
use super::many::Query;

/// Walks over the matches of a query for reading.
pub struct QueryIter<'a, D: QueryData, F: QueryFilter = ()> {
    rows: Rows<'a>,
    data: D::Fetch,
    filter: F::Fetch,
    query: PhantomData<&'a ()>,
}

/// Walks over the matches of a query for writing.
pub struct QueryIterMut<'a, D: QueryData, F: QueryFilter = ()> {
    rows: Rows<'a>,
    data: D::Fetch,
    filter: F::Fetch,
    query: PhantomData<&'a mut ()>,
}

/// The rows to visit and the data that knows them: the shortest list of owners among what is required.
fn walk<'a, D: QueryData, F: QueryFilter>(query: &'a Query<'_, D, F>) -> (Rows<'a>, D::Fetch) {
    let mut data = query.data;
    let driver = shorter(D::driver(&query.data), F::driver(&query.filter));
    if let Some(driver) = driver {
        D::follow(&mut data, driver);
    }
    (Rows::new(driver, query.entities, F::INCLUDES_DISABLED), data)
}

impl<'a, D: QueryData, F: QueryFilter> QueryIter<'a, D, F> {
    pub(super) fn new(query: &'a Query<'_, D, F>) -> Self {
        let (rows, data) = walk(query);
        Self { rows, data, filter: query.filter, query: PhantomData }
    }
}

impl<'a, D: QueryData, F: QueryFilter> QueryIterMut<'a, D, F> {
    pub(super) fn new(query: &'a mut Query<'_, D, F>) -> Self {
        let (rows, data) = walk(query);
        Self { rows, data, filter: query.filter, query: PhantomData }
    }
}

impl<'a, D: QueryData, F: QueryFilter> Iterator for QueryIter<'a, D, F> {
    type Item = D::Read<'a>;

    #[inline]
    fn next(&mut self) -> Option<D::Read<'a>> {
        loop {
            let (row, entity) = self.rows.next()?;
            // SAFETY: the query is borrowed for `'a`, shared: nobody writes; `row` is the entity's.
            let item =
                unsafe { if F::matches(&self.filter, entity) { D::read(&self.data, row, entity) } else { None } };
            if item.is_some() {
                return item;
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, self.rows.upper_bound())
    }
}

impl<'a, D: QueryData, F: QueryFilter> Iterator for QueryIterMut<'a, D, F> {
    type Item = D::Item<'a>;

    #[inline]
    fn next(&mut self) -> Option<D::Item<'a>> {
        loop {
            let (row, entity) = self.rows.next()?;
            // SAFETY: the query is borrowed for `'a`, exclusively, and no entity is visited twice.
            let item =
                unsafe { if F::matches(&self.filter, entity) { D::item(&self.data, row, entity) } else { None } };
            if item.is_some() {
                return item;
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, self.rows.upper_bound())
    }
}
