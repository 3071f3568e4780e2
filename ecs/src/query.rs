//! Queries: every entity that has certain components, with those components.
//!
//! Soundness: a query borrows its guards, or the whole world, for as long as it lives. Its methods for reading borrow
//! it shared and hand out references for reading only; those for writing borrow it exclusively.
#![allow(unsafe_code)]

mod access;
mod changed;
mod entities;
mod fetch;
mod filter;
mod get_many;
mod iter;
mod links_mut;
mod mask_query;
mod matching;
mod needs;
mod of_world;
mod par_iter;
mod par_output;
mod query_access;
mod query_data;
mod query_stats;
mod slices;
mod walk;

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::Arc;

#[doc(hidden)]
pub use self::access::Conflict;
pub(crate) use self::access::{Access, Clash, Used};
pub use self::changed::{Changed, Mut, Ref};
pub use self::entities::Entities;
pub(crate) use self::fetch::RunTicks;
use self::fetch::View;
pub use self::filter::{IncludeDisabled, Or, QueryFilter, With, Without};
pub use self::get_many::GetManyError;
pub use self::iter::{Pairs, QueryIter};
pub use self::links_mut::LinksMut;
pub use self::mask_query::{MaskQuery, MaskQueryNames};
pub use self::matching::Matching;
use self::needs::Needs;
pub use self::par_output::ParOutput;
pub(crate) use self::query_access::QueryAccess;
pub use self::query_data::{Has, QueryData, ReadOnlyData};
pub(crate) use self::query_stats::QueryStats;
pub use self::slices::{SliceData, SlicesIter};
use self::walk::{BoundFetch, Walk};
use crate::component::{ComponentManager, ComponentMask};
use crate::entity::{EntityId, EntityTable};
use crate::thread_pool::ThreadPool;
use crate::world::QueryCache;

/// The parts of a world that a query borrows.
#[derive(Clone, Copy)]
pub(crate) struct Source<'w> {
    pub(crate) components: &'w ComponentManager,
    pub(crate) thread_pool: Option<&'w ThreadPool>,
    pub(crate) ticks: RunTicks,
}

/// A query did not match exactly one entity.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum SingleError {
    /// It matched none.
    None,
    /// It matched two or more.
    Several,
}

impl fmt::Display for SingleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "the query matches no entity instead of exactly one",
            Self::Several => "the query matches several entities instead of exactly one",
        })
    }
}

crate::sentence::impl_error!(SingleError);

/// Every entity that has the components `D` asks for and passes the filter `F`.
///
/// Disabled entities and disabled components count as missing, unless the filter is [`IncludeDisabled`]. The order of
/// an iteration is deterministic: a function of what was spawned, inserted and removed so far, and of nothing else.
/// Entities that were made with the same components come one after the other, and lie side by side. An iteration costs
/// O(number of matches), and a look-up for each entity to which required components were added later.
///
/// # Example
/// ```
/// # use ecs::{Engine, EntityId, Query, Without};
/// struct Speed(f32);
/// struct Position(f32);
/// struct Frozen;
///
/// fn advance(mut moving: Query<(EntityId, &Speed, &mut Position), Without<Frozen>>) {
///     for (_entity, speed, position) in &mut moving {
///         position.0 += speed.0;
///     }
/// }
///
/// let mut engine = Engine::new();
/// let free = engine.spawn((Speed(2.0), Position(1.0)));
/// let frozen = engine.spawn((Speed(2.0), Position(1.0), Frozen));
/// engine.run(advance)?;
/// assert_eq!(engine.get::<Position>(free).unwrap().0, 3.0);
/// assert_eq!(engine.get::<Position>(frozen).unwrap().0, 1.0);
/// # Ok::<(), ecs::Error>(())
/// ```
pub struct Query<'q, D: QueryData, F: QueryFilter = ()> {
    bound: BoundFetch<D, F>,
    table: &'q EntityTable,
    /// Only for queries of systems and functions.
    stats: Option<&'q QueryStats>,
    /// Splits iterations, in a frame that has threads.
    thread_pool: Option<&'q ThreadPool>,
    borrow: PhantomData<&'q mut ()>,
}

/// The component ids that a query needs, looked up once.
#[doc(hidden)]
pub struct QueryState<D: QueryData, F: QueryFilter> {
    data: D::State,
    filter: F::State,
    /// The components whose guards another query of the same method takes, because no entity matches both.
    guarded_by_another: ComponentMask,
    /// Only for queries of systems and functions.
    stats: Option<Arc<QueryStats>>,
}

impl<D: QueryData, F: QueryFilter> QueryState<D, F> {
    /// Whether a component is required.
    pub(crate) const HAS_LEAD: bool = D::HAS_LEAD || F::HAS_LEAD;
    /// Whether it sees changes.
    const TRACKS: bool = D::TRACKS || F::TRACKS;

    fn new(needs: Needs<'_>) -> (Self, QueryAccess) {
        let (data, filter, access) = needs.of::<D, F>();
        debug_assert!(Self::TRACKS || access.tracked.is_empty(), "the parts of a query tell that they track");
        (Self { data, filter, guarded_by_another: ComponentMask::default(), stats: None }, access)
    }

    /// The state of a query of a system or a function.
    pub(crate) fn of_system(components: &mut ComponentManager, access: &mut Access) -> Self {
        let (mut state, query) = Self::new(Needs::exclusive(components));
        let stats = Arc::new(QueryStats::new(query.required.clone(), query.tracked.clone()));
        state.guarded_by_another = access.add_query(query, components);
        access.queries.push(Arc::clone(&stats));
        state.stats = Some(stats);
        state
    }

    /// The state of a query outside of systems.
    ///
    /// # Panics
    /// If the query names a component twice and writes to it.
    #[cold]
    fn without_conflict(components: &mut ComponentManager) -> Self {
        let (state, access) = Self::new(Needs::exclusive(components));
        if let Some(conflict) = access.conflict(components) {
            panic!("{conflict}");
        }
        state
    }
}

/// A query of a system or a function, with the guards of what it borrows.
#[doc(hidden)]
pub struct QueryGuard<'w, D: QueryData, F: QueryFilter> {
    query: Query<'w, D, F>,
    /// The tick of the run.
    tick: &'w Cell<u64>,
    _values: D::Guard<'w>,
}

impl<'w, D: QueryData, F: QueryFilter> QueryGuard<'w, D, F> {
    /// # Safety
    /// No query over a shared engine or world exists for `'w` (see `world/peek.rs`).
    pub(crate) unsafe fn new(state: &'w QueryState<D, F>, mut source: Source<'w>, tick: &'w Cell<u64>) -> Self {
        if let Some(stats) = &state.stats {
            source.ticks = RunTicks { now: tick.as_ptr(), since: stats.since() };
        }
        // SAFETY: by the caller's promise no reference into the world exists; only the query changes the values.
        let values = unsafe { D::guard(state.data, source.components, &state.guarded_by_another) };
        // SAFETY: the guards borrow the values, except those whose guard an earlier query of the method has. No entity
        // matches both: the system's parameters have no conflict.
        let query = unsafe { Query::unguarded(state, source) };
        Self { query: Query { stats: state.stats.as_deref(), ..query }, tick, _values: values }
    }

    /// The query for a call with it.
    pub(crate) fn query(&mut self) -> Query<'_, D, F> {
        if let (true, Some(stats)) = (QueryState::<D, F>::TRACKS, self.query.stats) {
            stats.begin_run(self.tick.get());
        }
        self.query.reborrow()
    }
}

impl<'q, D: QueryData, F: QueryFilter> Query<'q, D, F> {
    /// A query for a caller with exclusive access.
    ///
    /// # Panics
    /// If the query names a component twice and writes to it.
    pub(crate) fn exclusive(
        queries: &'q mut QueryCache,
        components: &'q mut ComponentManager,
        thread_pool: Option<&'q ThreadPool>,
    ) -> Self
    where
        D: 'static,
        F: 'static,
    {
        let state = queries.state(|| QueryState::<D, F>::without_conflict(components));
        components.raise_tick();
        let source = Source { components, thread_pool, ticks: RunTicks::outside(components) };
        // SAFETY: the components are borrowed exclusively for `'q`, and the state has no conflict.
        unsafe { Self::unguarded(state, source) }
    }

    /// A query without guards.
    ///
    /// # Safety
    /// For `'q`, nothing else uses the components that the query writes, and nothing writes those that it
    /// reads. Its state has no conflict.
    unsafe fn unguarded(state: &QueryState<D, F>, source: Source<'q>) -> Self {
        let Source { components, .. } = source;
        let view = View { with_disabled: F::INCLUDES_DISABLED, ticks: source.ticks };
        Self {
            bound: BoundFetch {
                // SAFETY: the caller's promise.
                data: unsafe { D::fetch(state.data, components, view) },
                filter: F::fetch(state.filter, components, view),
            },
            table: components.entities.table(),
            stats: None,
            thread_pool: source.thread_pool,
            borrow: PhantomData,
        }
    }

    /// The same query for a shorter time.
    #[inline(always)]
    fn reborrow(&mut self) -> Query<'_, D, F> {
        Query { ..*self }
    }

    /// Iterates over the matches for reading.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// # let mut engine = Engine::new();
    /// engine.spawn_many((1..=4).map(|n: u32| (n,)));
    /// let largest = engine.query::<&u32>().iter().copied().max();
    /// assert_eq!(largest, Some(4));
    /// ```
    #[inline(always)]
    pub fn iter(&self) -> QueryIter<'_, D::ReadOnly, F> {
        QueryIter::new(self.walk_read_only())
    }

    /// Iterates over the matches for writing.
    ///
    /// [`Iterator::for_each`], [`Iterator::fold`] and other methods that consume the iteration are faster than a `for`
    /// loop for arithmetic on thousands of vectors of three or more numbers, each smaller than a cache line.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// # let mut engine = Engine::new();
    /// engine.spawn_many((1..=4).map(|n: u32| (n,)));
    /// engine.query::<&mut u32>().iter_mut().for_each(|n| *n *= 10);
    /// assert_eq!(engine.query::<&u32>().iter().sum::<u32>(), 100);
    /// ```
    #[inline(always)]
    pub fn iter_mut(&mut self) -> QueryIter<'_, D, F> {
        QueryIter::new(self.walk())
    }

    /// The item of `entity` for reading; `None` if the entity does not match or is gone. O(1).
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// # let mut engine = Engine::new();
    /// let (ada, rock) = (engine.spawn(("Ada", 36_u32)), engine.spawn(("rock",)));
    /// let people = engine.query::<(&&str, &u32)>();
    /// assert_eq!(people.get(ada), Some((&"Ada", &36)));
    /// assert_eq!(people.get(rock), None); // It has no number.
    /// assert!(people.contains(ada) && !people.contains(rock));
    /// ```
    #[must_use]
    pub fn get(&self, entity: EntityId) -> Option<<D::ReadOnly as QueryData>::Item<'_>> {
        let location = self.locate(entity)?;
        // SAFETY: the query is borrowed shared as long as the item lives, which only reads.
        unsafe { self.bound.read_only().item(entity, location) }
    }

    /// The item of `entity` for writing; `None` if the entity does not match or is gone. O(1).
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// # let mut engine = Engine::new();
    /// let ada = engine.spawn((36_u32,));
    /// if let Some(age) = engine.query::<&mut u32>().get_mut(ada) {
    ///     *age += 1;
    /// }
    /// assert_eq!(engine.get(ada), Some(&37_u32));
    /// ```
    pub fn get_mut(&mut self, entity: EntityId) -> Option<D::Item<'_>> {
        let location = self.locate(entity)?;
        // SAFETY: the query is borrowed exclusively as long as the item lives.
        unsafe { self.bound.item(entity, location) }
    }

    /// The items of several entities for reading, in the order of the ids. O(N).
    ///
    /// # Errors
    /// - [`GetManyError::NoMatch`] for the first entity that does not match or is gone.
    ///
    /// # Example
    /// See [`Query::get_many_mut`].
    pub fn get_many<const N: usize>(
        &self,
        entities: [EntityId; N],
    ) -> Result<[<D::ReadOnly as QueryData>::Item<'_>; N], GetManyError> {
        self.check_matches(&entities)?;
        Ok(entities.map(|entity| self.get(entity).expect("each of the entities matches")))
    }

    /// The items of several different entities for writing, in the order of the ids. O(N²).
    ///
    /// # Errors
    /// - [`GetManyError::Duplicate`] for the first entity that is named twice.
    /// - [`GetManyError::NoMatch`] for the first entity that does not match or is gone.
    ///
    /// # Example
    /// ```
    /// use ecs::prelude::*;
    ///
    /// struct Purse(u32);
    ///
    /// let mut engine = Engine::new();
    /// let (ann, bob) = (engine.spawn((Purse(5),)), engine.spawn((Purse(0),)));
    /// let mut purses = engine.query::<&mut Purse>();
    /// let [from, to] = purses.get_many_mut([ann, bob])?;
    /// (from.0, to.0) = (from.0 - 2, to.0 + 2);
    /// assert_eq!(purses.get_many([ann, bob])?.map(|purse| purse.0), [3, 2]);
    /// assert!(purses.get_many_mut([ann, ann]).is_err(), "one value is not written by two references");
    /// # Ok::<(), ecs::query::GetManyError>(())
    /// ```
    pub fn get_many_mut<const N: usize>(&mut self, entities: [EntityId; N]) -> Result<[D::Item<'_>; N], GetManyError> {
        GetManyError::check_distinct(&entities)?;
        self.check_matches(&entities)?;
        let item = |entity| {
            let location = self.locate(entity)?;
            // SAFETY: as in `get_mut`; different entities have different components.
            unsafe { self.bound.item(entity, location) }
        };
        Ok(entities.map(|entity| item(entity).expect("each of the entities matches")))
    }

    fn check_matches(&self, entities: &[EntityId]) -> Result<(), GetManyError> {
        let missing = entities.iter().find(|entity| !self.contains(**entity));
        missing.map_or(Ok(()), |entity| Err(GetManyError::NoMatch(*entity)))
    }

    /// Whether `entity` matches. O(1).
    ///
    /// # Example
    /// See [`Query::get`].
    #[must_use]
    pub fn contains(&self, entity: EntityId) -> bool {
        self.get(entity).is_some()
    }

    /// The only match, for reading.
    ///
    /// # Errors
    /// - [`SingleError::None`] if nothing matches.
    /// - [`SingleError::Several`] if more than one entity matches.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// use ecs::query::SingleError;
    ///
    /// # let mut engine = Engine::new();
    /// engine.spawn((36_u32,));
    /// assert_eq!(engine.query::<&u32>().single(), Ok(&36));
    /// engine.spawn((7_u32,));
    /// assert_eq!(engine.query::<&u32>().single(), Err(SingleError::Several));
    /// ```
    pub fn single(&self) -> Result<<D::ReadOnly as QueryData>::Item<'_>, SingleError> {
        only(self.iter())
    }

    /// The only match, for writing.
    ///
    /// # Errors
    /// As [`Query::single`].
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// # let mut engine = Engine::new();
    /// let ada = engine.spawn((36_u32,));
    /// *engine.query::<&mut u32>().single_mut()? += 1;
    /// assert_eq!(engine.get(ada), Some(&37_u32));
    /// # Ok::<(), ecs::query::SingleError>(())
    /// ```
    pub fn single_mut(&mut self) -> Result<D::Item<'_>, SingleError> {
        if D::marks(&self.bound.data) {
            // An error marks nothing.
            self.single()?;
        }
        only(self.iter_mut())
    }

    /// The number of matches. O(number of matches).
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// # let mut engine = Engine::new();
    /// assert!(engine.query::<&u32>().is_empty());
    /// engine.spawn_many([(1_u32,), (2,), (3,)]);
    /// assert_eq!(engine.query::<&u32>().count(), 3);
    /// ```
    #[must_use]
    pub fn count(&self) -> usize {
        self.iter().count()
    }

    /// Whether nothing matches.
    ///
    /// # Example
    /// See [`Query::count`].
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }
}

impl<'a, D: QueryData, F: QueryFilter> IntoIterator for &'a Query<'_, D, F> {
    type Item = <D::ReadOnly as QueryData>::Item<'a>;
    type IntoIter = QueryIter<'a, D::ReadOnly, F>;

    #[inline(always)]
    fn into_iter(self) -> QueryIter<'a, D::ReadOnly, F> {
        self.iter()
    }
}

impl<'a, D: QueryData, F: QueryFilter> IntoIterator for &'a mut Query<'_, D, F> {
    type Item = D::Item<'a>;
    type IntoIter = QueryIter<'a, D, F>;

    #[inline(always)]
    fn into_iter(self) -> QueryIter<'a, D, F> {
        self.iter_mut()
    }
}

/// A query of a shared world, which only reads; [`World::read`](crate::World::read) returns it.
///
/// Its own methods return items that live as long as the world is borrowed. It dereferences to a [`Query`] with all
/// other methods.
///
/// # Example
/// ```
/// use ecs::prelude::*;
///
/// struct Name(&'static str);
///
/// fn name_of(engine: &Engine, entity: EntityId) -> Option<&Name> {
///     engine.read::<&Name>().get(entity)
/// }
///
/// let mut engine = Engine::new();
/// let ann = engine.spawn((Name("Ann"),));
/// assert_eq!(name_of(&engine, ann).unwrap().0, "Ann");
/// assert_eq!(engine.read::<&Name>().count(), 1);
/// ```
pub struct QueryRef<'w, D: ReadOnlyData, F: QueryFilter = ()>(Query<'w, D, F>);

impl<'w, D: ReadOnlyData, F: QueryFilter> QueryRef<'w, D, F> {
    /// # Safety
    /// For `'w` no system runs and nothing writes to the components.
    pub(crate) unsafe fn new(source: Source<'w>) -> Self {
        let (state, _) = QueryState::new(Needs::shared(source.components));
        // SAFETY: the caller's promise, and the query only reads.
        Self(unsafe { Query::unguarded(&state, source) })
    }

    /// Iterates over the matches.
    #[inline(always)]
    pub fn iter(&self) -> QueryIter<'w, D, F, BoundFetch<D, F>> {
        QueryIter::new(Walk::new(self.0.bound, self.0.table))
    }

    /// Calls `visit` with each match.
    pub fn for_each(&self, visit: impl FnMut(D::Item<'w>)) {
        self.iter().for_each(visit);
    }

    /// The item of `entity`; `None` if the entity does not match or is gone. O(1).
    #[must_use]
    pub fn get(&self, entity: EntityId) -> Option<D::Item<'w>> {
        let location = self.0.locate(entity)?;
        // SAFETY: nothing writes to the components for `'w`, and the item only reads.
        unsafe { self.0.bound.item(entity, location) }
    }

    /// The only match.
    ///
    /// # Errors
    /// As [`Query::single`].
    pub fn single(&self) -> Result<D::Item<'w>, SingleError> {
        only(self.iter())
    }
}

impl<'w, D: ReadOnlyData, F: QueryFilter> Deref for QueryRef<'w, D, F> {
    type Target = Query<'w, D, F>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<'w, D: ReadOnlyData, F: QueryFilter> IntoIterator for &QueryRef<'w, D, F> {
    type Item = D::Item<'w>;
    type IntoIter = QueryIter<'w, D, F, BoundFetch<D, F>>;

    #[inline(always)]
    fn into_iter(self) -> QueryIter<'w, D, F, BoundFetch<D, F>> {
        self.iter()
    }
}

impl<'w, D: ReadOnlyData, F: QueryFilter> IntoIterator for QueryRef<'w, D, F> {
    type Item = D::Item<'w>;
    type IntoIter = QueryIter<'w, D, F, BoundFetch<D, F>>;

    #[inline(always)]
    fn into_iter(self) -> QueryIter<'w, D, F, BoundFetch<D, F>> {
        self.iter()
    }
}

/// The only item of an iteration.
fn only<T>(mut items: impl Iterator<Item = T>) -> Result<T, SingleError> {
    let only = items.next().ok_or(SingleError::None)?;
    items.next().map_or(Ok(only), |_| Err(SingleError::Several))
}
