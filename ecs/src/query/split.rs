//! A walk that is split between threads.
//!
//! Soundness: the rows of the driver are split into ranges that do not overlap, and different rows are different entities,
//! so no item is asked for twice. Components are `Send + Sync`, so items may be used on any thread.
#![allow(unsafe_code)]

use std::ops::Range;

use super::data::QueryData;
use super::filter::QueryFilter;
use super::iter::{Followed, Stretch};
use super::many::Query;

/// Pieces of a walk for each thread: enough that one that is done early takes over from another.
const PIECES_A_THREAD: usize = 4;
/// Rows of the smallest piece: handing over fewer costs more than it gives, unless there is very much to do for each.
const LEAST_ROWS: usize = 64;

/// A walk over the rows of a driver.
struct Walk<D: QueryData, F: QueryFilter> {
    all: Stretch<D, F>,
    /// Rows that one thread takes at a time.
    rows_at_a_time: usize,
}

// SAFETY: the fetches are pointers into pools of components, which are `Send + Sync`; what is done with them is said above.
unsafe impl<D: QueryData, F: QueryFilter> Sync for Walk<D, F> {}

impl<D: QueryData, F: QueryFilter> Walk<D, F> {
    fn visit<'q>(&self, rows: Range<usize>, visit: &impl Fn(D::Item<'q>)) {
        let Stretch { followed, driver, is_packed, ref known, .. } = self.all;
        assert!(rows.end <= driver.len, "rows {rows:?} of {}", driver.len);
        if !D::CAN_ALIGN {
            for row in rows {
                // SAFETY: the row is one of the driver's; the query is borrowed exclusively, its fetches with it, and no row
                // is in two ranges.
                unsafe { followed.item(row, driver.owner_at(row)) }.into_iter().for_each(visit);
            }
            return;
        }
        // SAFETY: as above.
        unsafe {
            let at = |data: &D::Fetch, row, entity| D::item_at(data, row, entity);
            let find = |followed: &Followed<D, F>, row, entity| followed.item(row, entity);
            let known = known.clone();
            Stretch { followed, driver, rows, is_packed, known }.fold((), at, find, |(), item| visit(item));
        }
    }

    fn split<'q>(&self, rows: Range<usize>, visit: &(impl Fn(D::Item<'q>) + Sync)) {
        if rows.len() <= self.rows_at_a_time {
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
        let Some(all) = self.stretch() else {
            return self.iter_mut().for_each(visit);
        };
        let (rows, threads) = (all.rows.clone(), if self.has_threads { threads_of_the_pool() } else { None });
        let rows_at_a_time = (rows.len() / (threads.unwrap_or(1) * PIECES_A_THREAD)).max(LEAST_ROWS);
        let walk = Walk { all, rows_at_a_time };
        // Whose pool this thread belongs to does not matter: an engine without threads may be driven from anybody's.
        match threads {
            Some(_) => walk.split(rows, &visit),
            None => walk.visit(rows, &visit),
        }
    }
}

#[cfg(feature = "parallel")]
use rayon::join;

/// How many threads the pool has that this thread belongs to, if it does. An exclusive system may look at the world from a
/// thread that it made: work that is split there would go to a global pool.
#[cfg(feature = "parallel")]
fn threads_of_the_pool() -> Option<usize> {
    rayon::current_thread_index().map(|_| rayon::current_num_threads())
}

#[cfg(not(feature = "parallel"))]
fn join(left: impl FnOnce(), right: impl FnOnce()) {
    left();
    right();
}

#[cfg(not(feature = "parallel"))]
fn threads_of_the_pool() -> Option<usize> {
    None
}
