//! A walk that is split between threads.
//!
//! Soundness: the rows of the driver are split into ranges that do not overlap, and different rows are different entities,
//! so no item is asked for twice. Components are `Send + Sync`, so items may be used on any thread.
#![allow(unsafe_code)]

use std::ops::Range;

use super::data::QueryData;
use super::fetch::Driver;
use super::filter::QueryFilter;
use super::iter::Followed;
use super::many::Query;

/// Rows that one thread takes at a time: fewer are not worth handing over.
const ROWS_AT_A_TIME: usize = 1024;

/// A walk over some rows of the driver.
struct Walk<D: QueryData, F: QueryFilter> {
    driver: Driver,
    followed: Followed<D, F>,
    /// Every row has an item.
    is_packed: bool,
}

// SAFETY: the fetches are pointers into pools of components, which are `Send + Sync`; what is done with them is said above.
unsafe impl<D: QueryData, F: QueryFilter> Sync for Walk<D, F> {}

impl<D: QueryData, F: QueryFilter> Walk<D, F> {
    fn visit<'q>(&self, rows: Range<usize>, visit: &impl Fn(D::Item<'q>)) {
        assert!(rows.end <= self.driver.len, "rows {rows:?} of {}", self.driver.len);
        // SAFETY, for both: the row is one of the driver's; the query is borrowed exclusively, its fetches with it, and no
        // row is in two ranges.
        if self.is_packed {
            for row in rows {
                visit(unsafe { D::item_at(&self.followed.data, row, self.driver.owner_at(row)) });
            }
        } else {
            for row in rows {
                unsafe { self.followed.item(row, self.driver.owner_at(row)) }.into_iter().for_each(visit);
            }
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
        let Some(driver) = self.driver() else {
            return self.iter_mut().for_each(visit);
        };
        let followed = self.follow(driver);
        let walk = Walk { driver, is_packed: followed.is_packed(), followed };
        if let (Some(tally), false) = (self.tally, walk.is_packed) {
            tally.note(driver.len);
        }
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
