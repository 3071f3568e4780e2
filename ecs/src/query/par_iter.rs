//! A walk that is split between threads.
//!
//! Soundness: the rows of the driver are split into ranges that do not overlap, and different rows are different entities,
//! so no item is asked for twice. Components are `Send + Sync`, so items may be used on any thread.
#![allow(unsafe_code)]

use std::ops::Range;

use super::filter::QueryFilter;
use super::many::Query;
use super::query_data::QueryData;
use super::row_range::{BoundFetch, RowRange};
#[cfg(feature = "parallel")]
use crate::thread_pool::Kind;

/// Pieces of a walk for each thread: enough that one that is done early takes over from another.
#[cfg(feature = "parallel")]
const PIECES_A_THREAD: usize = 16;
/// Rows of the smallest piece: handing over fewer costs more than it gives, unless there is very much to do for each.
#[cfg(feature = "parallel")]
const LEAST_ROWS: usize = 64;

/// A walk over the rows of a driver.
struct Walk<D: QueryData, F: QueryFilter> {
    all: RowRange<D, F>,
}

// SAFETY: the fetches are pointers into pools of components, which are `Send + Sync`; what is done with them is said above.
unsafe impl<D: QueryData, F: QueryFilter> Sync for Walk<D, F> {}

impl<D: QueryData, F: QueryFilter> Walk<D, F> {
    fn visit<'q>(&self, rows: Range<usize>, visit: &impl Fn(D::Item<'q>)) {
        let RowRange { bound, lead, is_packed, ref known, .. } = self.all;
        assert!(rows.end <= lead.len, "rows {rows:?} of {}", lead.len);
        if !D::CAN_ALIGN {
            for row in rows {
                // SAFETY: the row is one of the driver's; the query is borrowed exclusively, its fetches with it, and no row
                // is in two ranges.
                unsafe { bound.item(row, lead.owner_at(row)) }.into_iter().for_each(visit);
            }
            return;
        }
        // SAFETY: as above.
        unsafe {
            let at = |data: &D::Fetch, row, entity| D::item_at(data, row, entity);
            let find = |bound: &BoundFetch<D, F>, row, entity| bound.item(row, entity);
            let known = known.clone();
            let in_fours = D::IN_FOURS.then_some(|items, (), visit: &mut _| D::visit_four(items, (), visit));
            RowRange { bound, lead, rows, is_packed, known }.fold((), at, find, in_fours, |(), item| visit(item));
        }
    }
}

impl<'q, D: QueryData, F: QueryFilter> Query<'q, D, F> {
    /// Calls `visit` with each match, on several threads if the engine has them and there is enough to do.
    ///
    /// The order of the calls is not fixed, so `visit` must do with each match what does not depend on the others. It can
    /// not send events or ask for commands: senders and commands belong to one thread.
    ///
    /// # Panics
    /// If `visit` does: with the panic that a single thread would have met first. Which of the matches behind it were visited is not
    /// fixed then.
    pub fn par_for_each(&mut self, visit: impl Fn(D::Item<'_>) + Sync) {
        let Some(all) = self.stretch() else {
            return self.iter_mut().for_each(visit);
        };
        let rows = all.rows.clone();
        let walk = Walk { all };
        #[cfg(feature = "parallel")]
        if let Some(thread_pool) = self.thread_pool.filter(|thread_pool| rows.len() >= thread_pool.parallel_threshold) {
            let rows_of_a_piece = (rows.len() / (thread_pool.threads() * PIECES_A_THREAD)).max(LEAST_ROWS);
            let piece = |number: usize| {
                let start = rows.start + number * rows_of_a_piece;
                start..rows.end.min(start + rows_of_a_piece)
            };
            thread_pool
                .divide(Kind::Walk, rows.len().div_ceil(rows_of_a_piece), &|number| walk.visit(piece(number), &visit));
            return;
        }
        walk.visit(rows, &visit);
    }
}
