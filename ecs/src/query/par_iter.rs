//! Iterations that are split between threads.
//!
//! Soundness: the rows are split into ranges that do not overlap, and different rows are different entities, so no item
//! is asked for twice. Components are `Send + Sync`, so items may be used on any thread. A range has its own part of
//! the results.
#![allow(unsafe_code)]

use std::ops::Range;
use std::panic::resume_unwind;
use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::Query;
use super::filter::QueryFilter;
use super::par_output::Parts;
use super::par_output::{Key, ParOutput};
use super::query_data::QueryData;
use super::walk::Walk;
use crate::panic::{FirstPanic, catch};
use crate::thread_pool::{Kind, ThreadPool};

/// Chunks of an iteration per thread: enough that a thread that is done early helps the others.
const CHUNKS_PER_THREAD: usize = 16;
/// Rows of the smallest chunk: handing over fewer costs more than it saves, unless the work per row is large.
const MIN_ROWS: usize = 64;
/// The most chunks of an iteration with results, at any number of threads. Their results wait on the stack.
const RESULT_CHUNKS: usize = 64;
const NO_PANIC: &str = "a chunk that panics ends the iteration";

/// The iteration that threads share.
struct Iteration<'q, D: QueryData, F: QueryFilter> {
    walk: Walk<'q, D, F>,
    /// The number of its rows.
    rows: usize,
}

// SAFETY: the fetches are pointers into pools of components, which are `Send + Sync`; their use is described above.
unsafe impl<D: QueryData, F: QueryFilter> Sync for Iteration<'_, D, F> {}

impl<D: QueryData, F: QueryFilter> Iteration<'_, D, F> {
    fn fold<'q, A>(&self, rows: Range<usize>, start: A, fold: impl FnMut(A, D::Item<'q>) -> A) -> A {
        // SAFETY: the query is borrowed exclusively, and no row is in two ranges.
        unsafe { self.walk.fold_rows(rows, start, fold) }
    }

    /// See [`Query::par_map_collect`].
    fn collect<'q, R: Send>(
        &self,
        thread_pool: &ThreadPool,
        results: &mut Vec<R>,
        map: &(impl Fn(D::Item<'q>) -> R + Sync),
    ) {
        let chunks = Chunks::of(self.rows);
        results.reserve(chunks.rows);
        let spare = Results(results.spare_capacity_mut().as_mut_ptr().cast::<R>());
        let written = [const { (AtomicUsize::new(0), AtomicBool::new(false)) }; RESULT_CHUNKS];
        let mut panics = FirstPanic::default();
        let divide = || {
            thread_pool.divide(Kind::Iteration, chunks.len(), &|number| {
                let rows = chunks.chunk(number);
                let start = rows.start;
                let (count, is_complete) = &written[number];
                self.fold(rows, 0, |at, item| {
                    // SAFETY: there is memory for a result of each row, and only this call has the rows of the chunk.
                    unsafe { spare.write(start + at, map(item)) };
                    count.store(at + 1, Ordering::Relaxed);
                    at + 1
                });
                is_complete.store(true, Ordering::Relaxed);
            });
        };
        panics.catch(divide);
        let (before, mut len, mut kept) = (results.len(), 0, None);
        for (number, (count, is_complete)) in written.into_iter().take(chunks.len()).enumerate() {
            let count = count.into_inner();
            // SAFETY: the chunk has written that many results from its first row on. Earlier chunks had as many rows or
            // more.
            unsafe { ptr::copy(spare.0.add(chunks.chunk(number).start), spare.0.add(len), count) };
            len += count;
            if !is_complete.into_inner() {
                kept.get_or_insert(len);
            }
        }
        // SAFETY: the first `len` results behind the old ones were written, in memory that was reserved.
        unsafe { results.set_len(before + len) };
        // A single thread would have stopped at the panic.
        if let Some(kept) = kept {
            panics.catch(|| results.truncate(before + kept));
        }
        panics.raise();
    }
}

/// The chunks of an iteration with results. They depend on the number of rows only, and so do the results.
#[derive(Clone, Copy)]
struct Chunks {
    rows: usize,
    chunk_rows: usize,
}

impl Chunks {
    fn of(rows: usize) -> Self {
        Self { rows, chunk_rows: rows.div_ceil(RESULT_CHUNKS).max(MIN_ROWS) }
    }

    fn len(self) -> usize {
        self.rows.div_ceil(self.chunk_rows)
    }

    fn chunk(self, number: usize) -> Range<usize> {
        let start = number * self.chunk_rows;
        start..self.rows.min(start + self.chunk_rows)
    }
}

/// The memory behind a list of results, of which each chunk writes its own part.
struct Results<R>(*mut R);

// SAFETY: chunks write different results, which are `Send`.
unsafe impl<R: Send> Sync for Results<R> {}

impl<R> Results<R> {
    /// # Safety
    /// There is memory for this result, and no other thread writes it.
    unsafe fn write(&self, at: usize, result: R) {
        // SAFETY: the caller's promise.
        unsafe { self.0.add(at).write(result) };
    }
}

impl<'q, D: QueryData, F: QueryFilter> Query<'q, D, F> {
    /// Calls `visit` with each match, on several threads if the engine has them and the query has enough rows.
    ///
    /// The order of the calls is not fixed, so what `visit` does with one match must not depend on the others. It
    /// cannot use a sender or commands from outside: they belong to one thread, and the compiler says that they "cannot
    /// be shared between threads". Use [`Query::par_for_each_with`] to send events and record commands.
    ///
    /// # Panics
    /// If `visit` panics: with the panic that a single thread would have met first. Which of the later matches were
    /// visited is then not fixed.
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
        let iteration = self.iteration();
        let rows = iteration.rows;
        let Some(thread_pool) = self.threads_for(rows) else { return self.iter_mut().for_each(visit) };
        let chunk_rows = (rows / (thread_pool.threads() * CHUNKS_PER_THREAD)).max(MIN_ROWS);
        let chunk = |number: usize| {
            let start = number * chunk_rows;
            start..rows.min(start + chunk_rows)
        };
        let visit_chunk = |number: usize| iteration.fold(chunk(number), (), |(), item| visit(item));
        thread_pool.divide(Kind::Iteration, rows.div_ceil(chunk_rows), &visit_chunk);
    }

    /// As [`Query::par_for_each`]; `visit` also gets `outputs`, to send events and record commands: `&mut Sender<E>`,
    /// `&mut Commands`, or a tuple of up to four of these.
    ///
    /// The events and commands have the order of the matches, as if a single thread had visited one after the other, at
    /// any number of threads. Each chunk of rows writes to buffers of its own, which are joined when all have been
    /// visited. The system keeps the memory of the buffers.
    ///
    /// # Panics
    /// As [`Query::par_for_each`]. The events and commands up to the panic are kept, as on a single thread. Also if the
    /// outputs belong to methods of different engines.
    ///
    /// # Example
    /// ```
    /// use ecs::prelude::*;
    ///
    /// struct Health(i32);
    ///
    /// #[derive(Clone, Copy)]
    /// struct Died { entity: EntityId }
    ///
    /// fn poison(mut healths: Query<(EntityId, &mut Health)>, mut died: Sender<Died>, mut commands: Commands) {
    ///     healths.par_for_each_with((&mut died, &mut commands), |(died, commands), (entity, health)| {
    ///         health.0 -= 1;
    ///         if health.0 == 0 {
    ///             died.send(Died { entity });
    ///             commands.despawn(entity);
    ///         }
    ///     });
    /// }
    ///
    /// let mut engine = Engine::builder().threads(2).build();
    /// engine.spawn_many((0..5_000).map(|n| (Health(n % 5),)));
    /// engine.every(std::time::Duration::ZERO, poison)?;
    /// engine.update(std::time::Duration::ZERO)?;
    /// assert_eq!(engine.events().counters::<Died>().unwrap().sent, 1_000);
    /// assert_eq!(engine.query::<&Health>().count(), 4_000);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn par_for_each_with<O: ParOutput>(
        &mut self,
        outputs: O,
        visit: impl Fn(&mut O::Part<'_>, D::Item<'_>) + Sync,
    ) {
        let (id, buffers) = (outputs.id(), outputs.buffers(Key::new()));
        let mut whole = O::part(id, buffers);
        let iteration = self.iteration();
        if let Some(thread_pool) = self.threads_for(iteration.rows) {
            let chunks = Chunks::of(iteration.rows);
            let parts = Parts::take(buffers, chunks.len());
            let visit_chunk = |number: usize| {
                parts.with(number, |buffers| {
                    let mut part = O::part(id, buffers);
                    iteration.fold(chunks.chunk(number), (), |(), item| visit(&mut part, item));
                });
            };
            let caught = catch(|| thread_pool.divide(Kind::Iteration, chunks.len(), &visit_chunk));
            parts.join::<O>(buffers, &whole);
            return caught.unwrap_or_else(|panic| resume_unwind(panic));
        }
        self.iter_mut().for_each(|item| visit(&mut whole, item));
    }

    /// Folds all matches into one value, on several threads if the engine has them and the query has enough rows.
    ///
    /// Each chunk of rows starts with `init()`, and `merge` joins the results of the chunks from first to last. The
    /// chunks depend on the number of rows only: the result is the same bit for bit at any number of threads, also for
    /// sums of floats. Nothing is allocated.
    ///
    /// # Panics
    /// If a closure panics: with the panic that a single thread would have met first.
    ///
    /// # Example
    /// ```
    /// use ecs::prelude::*;
    ///
    /// struct Mass(f32);
    ///
    /// let mut engine = Engine::builder().threads(2).build();
    /// engine.spawn_many((0..1_000).map(|n| (Mass(n as f32),)));
    /// let total = engine.query::<&Mass>().par_fold(|| 0.0, |sum, mass| sum + mass.0, |a, b| a + b);
    /// assert_eq!(total, 499_500.0);
    /// ```
    pub fn par_fold<A: Send>(
        &mut self,
        init: impl Fn() -> A + Sync,
        fold: impl Fn(A, D::Item<'_>) -> A + Sync,
        mut merge: impl FnMut(A, A) -> A,
    ) -> A {
        let iteration = self.iteration();
        let chunks = Chunks::of(iteration.rows);
        let result = |number| iteration.fold(chunks.chunk(number), init(), &fold);
        if let Some(thread_pool) = self.threads_for(chunks.rows) {
            let results = [const { Mutex::new(None) }; RESULT_CHUNKS];
            let note = |number: usize| *results[number].lock().expect(NO_PANIC) = Some(result(number));
            thread_pool.divide(Kind::Iteration, chunks.len(), &note);
            let results = results.into_iter().filter_map(|result| result.into_inner().expect(NO_PANIC));
            return results.reduce(merge).unwrap_or_else(init);
        }
        (0..chunks.len()).map(result).reduce(&mut merge).unwrap_or_else(&init)
    }

    /// Appends what `map` returns for each match to `results`, in the order of the iteration, on several threads if the
    /// engine has them and the query has enough rows.
    ///
    /// The results and their order are the same at any number of threads. Keep the list and clear it to reuse its
    /// memory: nothing else is allocated.
    ///
    /// # Panics
    /// If `map` panics: with the panic that a single thread would have met first. The results up to the panic are
    /// appended.
    ///
    /// # Example
    /// ```
    /// use ecs::prelude::*;
    ///
    /// struct Health(i32);
    ///
    /// let mut engine = Engine::builder().threads(2).build();
    /// engine.spawn_many((0..5_000).map(|n| (Health(n),)));
    /// let mut percents = Vec::new();
    /// engine.query::<&Health>().par_map_collect(&mut percents, |health| health.0 / 50);
    /// assert!(percents.is_sorted() && percents.len() == 5_000);
    /// ```
    pub fn par_map_collect<R: Send>(&mut self, results: &mut Vec<R>, map: impl Fn(D::Item<'_>) -> R + Sync) {
        let iteration = self.iteration();
        if let Some(thread_pool) = self.threads_for(iteration.rows) {
            return iteration.collect(thread_pool, results, &map);
        }
        self.iter_mut().for_each(|item| results.push(map(item)));
    }

    fn iteration(&self) -> Iteration<'_, D, F> {
        let walk = self.walk();
        Iteration { rows: walk.rows(), walk }
    }

    /// The threads to split an iteration between; `None` if there are none, or too few rows.
    fn threads_for(&self, rows: usize) -> Option<&'q ThreadPool> {
        self.thread_pool.filter(|thread_pool| rows >= thread_pool.parallel_threshold)
    }
}
