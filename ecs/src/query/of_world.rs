//! The queries of a world.
//!
//! Soundness: as of the unguarded reads in `world/peek.rs`. While systems and functions run, their engine is borrowed
//! mutably, so nothing writes while user code holds `&World`; the parameters of systems that run side by side hold
//! guards.
#![allow(unsafe_code)]

use std::cell::Cell;

use super::{
    GetManyError, IncludeDisabled, MaskQuery, Matching, Query, QueryData, QueryFilter, QueryGuard, QueryRef,
    QueryState, ReadOnlyData, RunTicks, Source,
};
use crate::component::Component;
use crate::entity::EntityId;
use crate::world::World;

impl World {
    /// A query that reads and writes.
    ///
    /// # Panics
    /// If the query names a component twice and writes to it.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// # let mut engine = Engine::new();
    /// engine.spawn_many([(1_u32, 0.5_f32), (2, 0.5)]);
    /// for (n, share) in &mut engine.query::<(&u32, &mut f32)>() {
    ///     *share *= *n as f32;
    /// }
    /// assert_eq!(engine.query::<&f32>().iter().sum::<f32>(), 1.5);
    /// ```
    pub fn query<D: QueryData + 'static>(&mut self) -> Query<'_, D> {
        self.query_filtered::<D, ()>()
    }

    /// A query with a filter that reads and writes.
    ///
    /// # Panics
    /// As [`World::query`].
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// struct Frozen;
    ///
    /// # let mut engine = Engine::new();
    /// engine.spawn((1_u32,));
    /// engine.spawn((2_u32, Frozen));
    /// assert_eq!(engine.query_filtered::<&u32, Without<Frozen>>().single(), Ok(&1));
    /// assert_eq!(engine.query_filtered::<&u32, With<Frozen>>().single(), Ok(&2));
    /// ```
    pub fn query_filtered<D: QueryData + 'static, F: QueryFilter + 'static>(&mut self) -> Query<'_, D, F> {
        let Self { queries, components, thread_pool, .. } = self;
        Query::exclusive(queries, components, thread_pool.as_deref())
    }

    /// A read-only query; a shared borrow is enough.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// struct Frozen;
    ///
    /// let mut engine = Engine::new();
    /// engine.spawn_many([(3_u32,), (4,)]);
    /// engine.spawn((5_u32, Frozen));
    /// let world: &World = &engine;
    /// assert_eq!(world.read::<&u32>().iter().sum::<u32>(), 12);
    /// assert_eq!(world.read_filtered::<&u32, Without<Frozen>>().iter().sum::<u32>(), 7);
    /// ```
    pub fn read<D: ReadOnlyData + 'static>(&self) -> QueryRef<'_, D> {
        self.read_filtered::<D, ()>()
    }

    /// A read-only query with a filter; a shared borrow is enough.
    ///
    /// # Example
    /// See [`World::read`].
    pub fn read_filtered<D: ReadOnlyData + 'static, F: QueryFilter + 'static>(&self) -> QueryRef<'_, D, F> {
        // SAFETY: no system spawns or writes, by the invariant above.
        unsafe { QueryRef::new(self.source()) }
    }

    fn source(&self) -> Source<'_> {
        Source {
            components: &self.components,
            thread_pool: self.thread_pool.as_deref(),
            ticks: RunTicks::outside(&self.components),
        }
    }

    /// The components of several different entities for writing, enabled or disabled, in the order of the ids. O(N²).
    ///
    /// # Errors
    /// - [`GetManyError::Duplicate`] for the first entity that is named twice.
    /// - [`GetManyError::NoMatch`] for the first entity that is gone or lacks the component.
    ///
    /// # Panics
    /// As [`World::get_mut`].
    ///
    /// # Example
    /// ```
    /// let mut engine = ecs::Engine::new();
    /// let (ann, bob) = (engine.spawn((5_u32,)), engine.spawn((0_u32,)));
    /// let [from, to] = engine.get_many_mut::<u32, 2>([ann, bob])?;
    /// std::mem::swap(from, to);
    /// assert_eq!(engine.get(bob), Some(&5_u32));
    /// assert!(engine.get_many_mut::<u32, 2>([ann, ann]).is_err());
    /// # Ok::<(), ecs::query::GetManyError>(())
    /// ```
    pub fn get_many_mut<T: Component, const N: usize>(
        &mut self,
        entities: [EntityId; N],
    ) -> Result<[&mut T; N], GetManyError> {
        GetManyError::check_distinct(&entities)?;
        self.components.check_writer::<T>();
        let query = self.query_filtered::<&mut T, IncludeDisabled>();
        query.check_matches(&entities)?;
        let item = |entity| {
            let location = query.locate(entity)?;
            // SAFETY: the world is borrowed exclusively for as long as the items live; different entities have
            // different components.
            unsafe { query.bound.item(entity, location) }
        };
        Ok(entities.map(|entity| item(entity).expect("each of the entities matches")))
    }

    /// The mask query that finds the same entities as a typed query.
    ///
    /// # Example
    /// ```
    /// # use ecs::{Engine, Without};
    /// struct Position(f32);
    /// struct Frozen;
    ///
    /// let mut engine = Engine::new();
    /// let query = engine.mask_query::<&mut Position, Without<Frozen>>();
    /// assert_eq!(query.names(engine.components()).to_string(), "all of {Position}, none of {Frozen}");
    /// ```
    pub fn mask_query<D: QueryData, F: QueryFilter>(&mut self) -> MaskQuery {
        MaskQuery::of::<D, F>(&mut self.components)
    }

    /// The entities that match `query`, in the order of every query: see [`Matching`]. They are copied, so
    /// the engine can be changed during the iteration.
    ///
    /// O(number of entities that match).
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// # let mut engine = Engine::new();
    /// let ada = engine.spawn(("Ada", 36_u32));
    /// engine.spawn(("rock",));
    /// let people = engine.mask_query::<(&&str, &u32), ()>();
    /// assert_eq!(engine.matching(&people), [ada]);
    /// ```
    #[must_use]
    pub fn matching(&self, query: &MaskQuery) -> Vec<EntityId> {
        Matching::new(query, &self.components).collect()
    }

    /// A query of a system or a function.
    pub(crate) fn query_guard<'w, D: QueryData, F: QueryFilter>(
        &'w self,
        state: &'w QueryState<D, F>,
        tick: &'w Cell<u64>,
    ) -> QueryGuard<'w, D, F> {
        // SAFETY: the engine is borrowed mutably while a system or a function runs.
        unsafe { QueryGuard::new(state, self.source(), tick) }
    }
}
