//! Walks that are split between threads.
//!
//! Soundness: the rows are split into ranges that do not overlap, and different rows are different entities, so no item is asked
//! for twice. Components are `Send + Sync`, so items may be used on any thread.
#![allow(unsafe_code)]

use std::ops::Range;

use super::Query;
use super::filter::QueryFilter;
use super::query_data::QueryData;
use super::row_range::RowRange;
#[cfg(feature = "parallel")]
use crate::thread_pool::Kind;

/// Chunks of a walk per thread: enough that a thread that is done early helps the others.
#[cfg(feature = "parallel")]
const CHUNKS_PER_THREAD: usize = 16;
/// Rows of the smallest chunk: handing over fewer costs more than it saves, unless the work per row is large.
#[cfg(feature = "parallel")]
const LEAST_ROWS: usize = 64;

/// The rows that threads share.
struct Walk<D: QueryData, F: QueryFilter>(RowRange<D, F>);

// SAFETY: the fetches are pointers into pools of components, which are `Send + Sync`; their use is described above.
unsafe impl<D: QueryData, F: QueryFilter> Sync for Walk<D, F> {}

impl<D: QueryData, F: QueryFilter> Walk<D, F> {
    fn visit<'q>(&self, rows: Range<usize>, visit: &impl Fn(D::Item<'q>)) {
        let RowRange { bound, lead, is_packed, ref known, .. } = self.0;
        assert!(rows.end <= lead.len, "rows {rows:?} of {}", lead.len);
        if !D::CAN_ALIGN {
            for row in rows {
                // SAFETY: the row is one of the lead pool's; the query is borrowed exclusively, and no row is in two ranges.
                unsafe { bound.item(row, lead.owner_at(row)) }.into_iter().for_each(visit);
            }
            return;
        }
        let known = known.clone();
        // SAFETY: as above.
        unsafe { RowRange { bound, lead, rows, is_packed, known }.fold((), |(), item| visit(item)) }
    }
}

impl<'q, D: QueryData, F: QueryFilter> Query<'q, D, F> {
    /// Calls `visit` with each match, on several threads if the engine has them and the query has enough rows.
    ///
    /// The order of the calls is not fixed, so what `visit` does with one match must not depend on the others. It cannot send
    /// events or record commands: senders and commands belong to one thread.
    ///
    /// # Panics
    /// If `visit` panics: with the panic that a single thread would have met first. Which of the later matches were visited is then
    /// not fixed.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// let mut engine = Engine::builder().threads(2).build();
    /// engine.spawn_many((0..5_000_u32).map(|n| (n, 0_u64)));
    /// engine.run(|mut squares: Query<(&u32, &mut u64)>| {
    ///     squares.par_for_each(|(n, square)| *square = u64::from(*n).pow(2));
    /// })?;
    /// assert!(engine.query::<(&u32, &u64)>().iter().all(|(n, square)| u64::from(*n).pow(2) == *square));
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn par_for_each(&mut self, visit: impl Fn(D::Item<'_>) + Sync) {
        let Some(all) = self.rows() else {
            return self.iter_mut().for_each(visit);
        };
        let rows = all.rows.clone();
        let walk = Walk(all);
        #[cfg(feature = "parallel")]
        if let Some(thread_pool) = self.thread_pool.filter(|thread_pool| rows.len() >= thread_pool.parallel_threshold) {
            let chunk_rows = (rows.len() / (thread_pool.threads() * CHUNKS_PER_THREAD)).max(LEAST_ROWS);
            let chunk = |number: usize| {
                let start = rows.start + number * chunk_rows;
                start..rows.end.min(start + chunk_rows)
            };
            thread_pool
                .divide(Kind::Walk, rows.len().div_ceil(chunk_rows), &|number| walk.visit(chunk(number), &visit));
            return;
        }
        walk.visit(rows, &visit);
    }
}
