//! A walk that is split between threads.
//!
//! Soundness: the rows of the driver are split into ranges that do not overlap, and different rows are different entities,
//! so no item is asked for twice. Components are `Send + Sync`, so items may be used on any thread.
#![allow(unsafe_code)]

use std::ops::Range;

use super::data::{QueryData, shorter};
use super::fetch::Driver;
use super::filter::QueryFilter;
use super::many::Query;

/// Rows that one thread takes at a time: fewer are not worth handing over.
const ROWS_AT_A_TIME: usize = 1024;

/// A walk over some rows of the driver.
struct Walk<D: QueryData, F: QueryFilter> {
    driver: Driver,
    data: D::Fetch,
    filter: F::Fetch,
}

// SAFETY: the fetches are pointers into pools of components, which are `Send + Sync`; what is done with them is said above.
unsafe impl<D: QueryData, F: QueryFilter> Sync for Walk<D, F> {}

impl<D: QueryData, F: QueryFilter> Walk<D, F> {
    fn visit<'q>(&self, rows: Range<usize>, visit: &impl Fn(D::Item<'q>)) {
        for row in rows {
            let entity = self.driver.owner(row);
            // SAFETY: the query is borrowed exclusively, its fetches with it, and no row is in two ranges.
            let item =
                unsafe { if F::matches(&self.filter, entity) { D::item(&self.data, row, entity) } else { None } };
            item.into_iter().for_each(visit);
        }
    }

    fn split<'q>(&self, rows: Range<usize>, visit: &(impl Fn(D::Item<'q>) + Sync)) {
        if rows.len() <= ROWS_AT_A_TIME {
            return self.visit(rows, visit);
        }
        let middle = rows.start + rows.len() / 2;
        join(|| self.split(rows.start..middle, visit), || self.split(middle..rows.end, visit));
    }
}

impl<'q, D: QueryData, F: QueryFilter> Query<'q, D, F> {
    /// Calls `visit` with each match, on several threads if the engine has them and there is enough to do.
    ///
    /// The order of the calls is not fixed, so `visit` must do with each match what does not depend on the others. It can
    /// not send events or ask for commands: senders and commands belong to one thread.
    pub fn par_for_each(&mut self, visit: impl Fn(D::Item<'_>) + Sync) {
        let Some(driver) = shorter(D::driver(&self.data), F::driver(&self.filter)) else {
            return self.iter_mut().for_each(visit);
        };
        let mut data = self.data;
        D::follow(&mut data, driver);
        let walk = Walk::<D, F> { driver, data, filter: self.filter };
        // Whose pool this thread belongs to does not matter: an engine without threads may be driven from anybody's.
        match self.has_threads && is_in_a_pool() {
            true => walk.split(0..driver.len, &visit),
            false => walk.visit(0..driver.len, &visit),
        }
    }
}

#[cfg(feature = "parallel")]
use rayon::join;

/// An exclusive system may look at the world from a thread that it made: work that is split there would go to a global pool.
#[cfg(feature = "parallel")]
fn is_in_a_pool() -> bool {
    rayon::current_thread_index().is_some()
}

#[cfg(not(feature = "parallel"))]
fn join(left: impl FnOnce(), right: impl FnOnce()) {
    left();
    right();
}

#[cfg(not(feature = "parallel"))]
fn is_in_a_pool() -> bool {
    false
}
