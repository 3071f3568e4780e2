//! The query itself: a parameter of systems, and what [`World::query`](crate::World::query) returns.
//!
//! Soundness: a query borrows its guards, or the whole world, for as long as it lives. Its methods for reading borrow it
//! shared and hand out references for reading only; those for writing borrow it exclusively.
#![allow(unsafe_code)]

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use atomic_refcell::AtomicRef;

use super::fetch::{LeadPool, PoolFetch, View};
use super::filter::QueryFilter;
use super::iter::{QueryIter, QueryIterMut};
use super::query_cache::QueryCache;
use super::query_data::QueryData;
use super::query_stats::QueryStats;
use crate::component::{Component, ComponentManager, ComponentMask, Group};
use crate::entity::{EntityId, EntityManager};
use crate::system::Access;
#[cfg(feature = "parallel")]
use crate::thread_pool::ThreadPool;
use crate::type_map::short_name;

/// A query did not match exactly one entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl std::error::Error for SingleError {}

/// Every entity that has the components `D` asks for and passes the filter `F`.
///
/// What is disabled, an entity or a single component, counts as not there, unless the filter is
/// [`IncludeDisabled`](crate::IncludeDisabled). The order of a walk depends on nothing but the changes so far: it is the
/// order in which the rarest of the required components lie in their pool. A walk costs O(number of the rarest component).
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
    pub(super) data: D::Fetch,
    pub(super) filter: F::Fetch,
    /// The members of the group whose order the walk can follow.
    pub(super) group: Option<LeadPool>,
    /// Where walks are counted; only for queries of systems and functions.
    pub(super) stats: Option<&'q QueryStats>,
    /// Only where no component is required.
    pub(super) entities: Option<&'q EntityManager>,
    /// Who helps to walk, in a frame that has threads.
    #[cfg(feature = "parallel")]
    pub(super) thread_pool: Option<&'q ThreadPool>,
    borrow: PhantomData<&'q mut ()>,
}

/// What a query asks for, as numbers: worked out once.
#[doc(hidden)]
pub struct QueryState<D: QueryData, F: QueryFilter> {
    data: D::State,
    filter: F::State,
    required: ComponentMask,
    /// Only for queries of systems and functions.
    stats: Option<Arc<QueryStats>>,
}

impl<D: QueryData, F: QueryFilter> QueryState<D, F> {
    /// Whether a component is required, whose owners can be walked.
    pub(crate) const HAS_LEAD: bool = D::HAS_LEAD || F::HAS_LEAD;

    /// For a system or a function: notes also what the query requires, and counts its walks.
    pub(crate) fn of_system(components: &mut ComponentManager, access: &mut Access) -> Self {
        let mut state = Self::prepare(components, access);
        let stats = Arc::new(QueryStats::new(state.required.clone(), F::INCLUDES_DISABLED));
        access.queries.push(Arc::clone(&stats));
        state.stats = Some(stats);
        state
    }

    /// Registers what the query asks for and notes what it touches.
    fn prepare(components: &mut ComponentManager, access: &mut Access) -> Self {
        Self::new(D::prepare(components, access), F::prepare(components))
    }

    /// For a world that is only looked at: what it has not met is not there.
    pub(super) fn find(components: &ComponentManager) -> Self {
        Self::new(D::find_state(components), F::find_state(components))
    }

    fn new(data: D::State, filter: F::State) -> Self {
        let mut required = ComponentMask::default();
        D::require(data, &mut required);
        F::require(filter, &mut required);
        Self { data, filter, required, stats: None }
    }

    /// The state of a query outside of systems.
    ///
    /// # Panics
    /// If the query asks for a component for writing and a second time.
    #[cold]
    fn without_conflict(components: &mut ComponentManager) -> Self {
        let mut access = Access::default();
        let state = Self::prepare(components, &mut access);
        if let Some(conflict) = access.conflict() {
            panic!("the query {}: {conflict}", short_name::<D>());
        }
        state
    }

    fn group<'w>(&self, components: &'w ComponentManager) -> Option<&'w Group> {
        // What is disabled is no member of a group.
        if F::INCLUDES_DISABLED { None } else { components.group_within(&self.required) }
    }
}

/// What a query keeps borrowed while it is used.
#[doc(hidden)]
pub struct QueryGuard<'w, D: QueryData, F: QueryFilter> {
    data: D::Guard<'w>,
    filter: F::Fetch,
    group: Option<&'w Group>,
    lead: Option<LeadPool>,
    stats: Option<&'w QueryStats>,
    entities: Option<AtomicRef<'w, EntityManager>>,
    #[cfg(feature = "parallel")]
    thread_pool: Option<&'w ThreadPool>,
}

impl<'w, D: QueryData, F: QueryFilter> QueryGuard<'w, D, F> {
    /// `entities` is asked for only if the query requires no component.
    ///
    /// # Safety
    /// No query over a shared engine or world exists for `'w` (see `world/peek.rs`).
    pub(crate) unsafe fn new(
        state: &'w QueryState<D, F>,
        components: &'w ComponentManager,
        entities: impl FnOnce() -> AtomicRef<'w, EntityManager>,
        #[cfg(feature = "parallel")] thread_pool: Option<&'w ThreadPool>,
    ) -> Self {
        let group = state.group(components);
        let view = View { with_disabled: F::INCLUDES_DISABLED, group };
        Self {
            // SAFETY: the caller's promise.
            data: unsafe { D::guard(state.data, components) },
            filter: F::fetch(state.filter, components, view),
            group,
            lead: group.and_then(|group| LeadPool::of_group(group, components)),
            stats: state.stats.as_deref(),
            entities: (!QueryState::<D, F>::HAS_LEAD).then(entities),
            #[cfg(feature = "parallel")]
            thread_pool,
        }
    }

    pub(crate) fn query(&mut self) -> Query<'_, D, F> {
        Query {
            data: D::fetch(&mut self.data, View { with_disabled: F::INCLUDES_DISABLED, group: self.group }),
            filter: self.filter,
            group: self.lead,
            stats: self.stats,
            entities: self.entities.as_deref(),
            #[cfg(feature = "parallel")]
            thread_pool: self.thread_pool,
            borrow: PhantomData,
        }
    }
}

impl<'q, D: QueryData, F: QueryFilter> Query<'q, D, F> {
    /// A query for a caller with exclusive access.
    ///
    /// # Panics
    /// If the query asks for a component for writing and a second time.
    pub(crate) fn exclusive(
        queries: &'q mut QueryCache,
        components: &'q mut ComponentManager,
        entities: &'q EntityManager,
        #[cfg(feature = "parallel")] thread_pool: Option<&'q ThreadPool>,
    ) -> Self
    where
        D: 'static,
        F: 'static,
    {
        let state = queries.state(|| QueryState::<D, F>::without_conflict(components));
        // SAFETY: the components are borrowed exclusively for `'q`, and the state has no conflict.
        unsafe {
            Self::unguarded(
                state,
                components,
                entities,
                #[cfg(feature = "parallel")]
                thread_pool,
            )
        }
    }

    /// A query without guards.
    ///
    /// # Safety
    /// For `'q` no system runs, and the components are borrowed exclusively or the query only reads. The query has no conflict.
    pub(super) unsafe fn unguarded(
        state: &QueryState<D, F>,
        components: &'q ComponentManager,
        entities: &'q EntityManager,
        #[cfg(feature = "parallel")] thread_pool: Option<&'q ThreadPool>,
    ) -> Self {
        let group = state.group(components);
        let view = View { with_disabled: F::INCLUDES_DISABLED, group };
        Self {
            // SAFETY: the caller's promise.
            data: unsafe { D::fetch_alone(state.data, components, view) },
            filter: F::fetch(state.filter, components, view),
            group: group.and_then(|group| LeadPool::of_group(group, components)),
            stats: None,
            entities: (!QueryState::<D, F>::HAS_LEAD).then_some(entities),
            #[cfg(feature = "parallel")]
            thread_pool,
            borrow: PhantomData,
        }
    }

    /// The same query for a shorter time.
    pub(super) fn reborrow(&mut self) -> Query<'_, D, F> {
        Query { ..*self }
    }

    /// Walks over the matches for reading.
    pub fn iter(&self) -> QueryIter<'_, D, F> {
        QueryIter::new(self)
    }

    /// Walks over the matches for writing. What takes the walk as a whole, such as [`Iterator::for_each`] or [`Iterator::fold`], is
    /// quicker than a loop with `for`: about twice as quick where thousands of vectors of three or more numbers, each smaller than a
    /// line of the cache, are calculated with.
    pub fn iter_mut(&mut self) -> QueryIterMut<'_, D, F> {
        QueryIterMut::new(self)
    }

    /// Whether `entity` may be asked for where no component says so.
    fn admits(&self, entity: EntityId) -> bool {
        let exists = |entities: &EntityManager| {
            entities.is_enabled(entity).is_some_and(|is_enabled| is_enabled || F::INCLUDES_DISABLED)
        };
        // SAFETY: the query borrows the world for as long as it exists.
        self.entities.is_none_or(exists) && unsafe { F::matches(&self.filter, 0, entity) }
    }

    /// What the query yields for `entity`, for reading; `None` if it does not match or is gone. O(1).
    #[must_use]
    pub fn get(&self, entity: EntityId) -> Option<D::Read<'_>> {
        if !self.admits(entity) {
            return None;
        }
        // SAFETY: the query is borrowed shared for as long as the item lives; its own fetch follows no driver.
        unsafe { D::read(&self.unfollowed(), 0, entity) }
    }

    /// What the query yields for `entity`, for writing; `None` if it does not match or is gone. O(1).
    pub fn get_mut(&mut self, entity: EntityId) -> Option<D::Item<'_>> {
        if !self.admits(entity) {
            return None;
        }
        // SAFETY: the query is borrowed exclusively for as long as the item lives; its own fetch follows no driver.
        unsafe { D::item(&self.unfollowed(), 0, entity) }
    }

    /// The fetch, of which the compiler knows here that it follows nobody, so that look-ups need not ask.
    #[inline]
    fn unfollowed(&self) -> D::Fetch {
        let mut data = self.data;
        D::follow(&mut data, LeadPool::NOBODY);
        data
    }

    /// What the query yields for two different entities at once, for writing; `None` if they are the same or one does not
    /// match. O(1).
    pub fn get_pair_mut(&mut self, a: EntityId, b: EntityId) -> Option<(D::Item<'_>, D::Item<'_>)> {
        if a == b || !self.admits(a) || !self.admits(b) {
            return None;
        }
        // SAFETY: as in `get_mut`; different entities have different positions.
        unsafe { Some((D::item(&self.unfollowed(), 0, a)?, D::item(&self.unfollowed(), 0, b)?)) }
    }

    /// Whether `entity` matches. O(1).
    #[must_use]
    pub fn contains(&self, entity: EntityId) -> bool {
        self.get(entity).is_some()
    }

    /// The only match, for reading.
    ///
    /// # Errors
    /// - [`SingleError::None`] if nothing matches.
    /// - [`SingleError::Several`] if more than one entity matches.
    pub fn single(&self) -> Result<D::Read<'_>, SingleError> {
        let mut matches = self.iter();
        let only = matches.next().ok_or(SingleError::None)?;
        matches.next().map_or(Ok(only), |_| Err(SingleError::Several))
    }

    /// The only match, for writing.
    ///
    /// # Errors
    /// As [`Query::single`].
    pub fn single_mut(&mut self) -> Result<D::Item<'_>, SingleError> {
        let mut matches = self.iter_mut();
        let only = matches.next().ok_or(SingleError::None)?;
        matches.next().map_or(Ok(only), |_| Err(SingleError::Several))
    }

    /// How many entities match. O(number of the rarest component).
    #[must_use]
    pub fn count(&self) -> usize {
        self.iter().count()
    }

    /// Whether nothing matches.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }
}

impl<'a, D: QueryData, F: QueryFilter> IntoIterator for &'a Query<'_, D, F> {
    type Item = D::Read<'a>;
    type IntoIter = QueryIter<'a, D, F>;

    fn into_iter(self) -> QueryIter<'a, D, F> {
        self.iter()
    }
}

impl<'a, D: QueryData, F: QueryFilter> IntoIterator for &'a mut Query<'_, D, F> {
    type Item = D::Item<'a>;
    type IntoIter = QueryIterMut<'a, D, F>;

    fn into_iter(self) -> QueryIterMut<'a, D, F> {
        self.iter_mut()
    }
}

/// Queries over one component hand out their pool as slices. With [`IncludeDisabled`](crate::IncludeDisabled), the
/// disabled ones are at the end.
macro_rules! slices {
    ($filter:ty) => {
        impl<T: Component> Query<'_, &T, $filter> {
            /// The components, side by side; parallel to [`Query::owners`].
            #[must_use]
            pub fn values(&self) -> &[T] {
                // SAFETY: the values are borrowed by the query, which hands out no reference for writing.
                unsafe { self.data.values(self.data.lead().len) }
            }

            /// The entities, parallel to the values.
            #[must_use]
            pub fn owners(&self) -> &[EntityId] {
                owners(&self.data)
            }
        }

        impl<T: Component> Query<'_, &mut T, $filter> {
            /// The components, side by side; parallel to [`Query::owners`].
            #[must_use]
            pub fn values(&self) -> &[T] {
                // SAFETY: the query is borrowed shared: nobody writes through it.
                unsafe { self.data.values(self.data.lead().len) }
            }

            /// The components for writing, side by side; parallel to [`Query::owners`].
            pub fn values_mut(&mut self) -> &mut [T] {
                // SAFETY: the query has the values for itself and is borrowed exclusively.
                unsafe { self.data.values_mut(self.data.lead().len) }
            }

            /// The entities, parallel to the values.
            #[must_use]
            pub fn owners(&self) -> &[EntityId] {
                owners(&self.data)
            }
        }
    };
}

fn owners<T>(fetch: &PoolFetch<T>) -> &[EntityId] {
    // SAFETY: the index does not change while a query exists.
    unsafe { fetch.lead().owners() }
}

slices!(());
slices!(crate::query::IncludeDisabled);
