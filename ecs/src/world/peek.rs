//! Queries and unguarded reads. A guard could be leaked, and the pool would stay borrowed.
//!
//! # Invariant
//! While systems and functions run, their engine is borrowed mutably, and only an exclusive system, which runs alone, has the
//! world. So nothing writes while user code holds `&Engine` or `&World`. Within the crate, systems that run side by side share the
//! world as well; their parameters hold guards.
#![allow(unsafe_code)]

use std::cell::Cell;

use super::World;
use crate::component::Component;
use crate::entity::{EntityId, EntityManager};
use crate::query::{Query, QueryData, QueryFilter, QueryGuard, QueryRef, QueryState, ReadOnlyData, RunTicks, Source};

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
        let Self { queries, components, entities, .. } = self;
        Query::exclusive(
            queries,
            components,
            entities,
            #[cfg(feature = "parallel")]
            self.thread_pool.as_deref(),
        )
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
            entities: &self.entities,
            #[cfg(feature = "parallel")]
            thread_pool: self.thread_pool.as_deref(),
            ticks: RunTicks::outside(&self.components),
        }
    }

    /// The entities of the engine.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// # let mut engine = Engine::new();
    /// let ghost = engine.spawn(("ghost",));
    /// engine.disable(ghost)?;
    /// assert_eq!((engine.entities().len(), engine.entities().is_enabled(ghost)), (1, Some(false)));
    /// # Ok::<(), ecs::NoSuchEntity>(())
    /// ```
    #[must_use]
    pub fn entities(&self) -> &EntityManager {
        debug_assert!(self.entities.try_borrow().is_ok(), "no system spawns while the entities are read");
        // SAFETY: no `Spawner` exists, by the invariant above.
        unsafe { &*self.entities.as_ptr() }
    }

    /// Whether `entity` exists, enabled or disabled. O(1).
    ///
    /// # Example
    /// See [`Engine::despawn`](crate::Engine::despawn).
    #[must_use]
    pub fn contains(&self, entity: EntityId) -> bool {
        self.entities().contains(entity)
    }

    /// The component of `entity`, enabled or disabled; `None` if the entity is gone or lacks it. O(1).
    ///
    /// # Example
    /// See [`Engine::despawn`](crate::Engine::despawn).
    #[must_use]
    pub fn get<T: Component>(&self, entity: EntityId) -> Option<&T> {
        let pool = self.components.find(self.components.id_of::<T>()?)?;
        let position = pool.index().position(entity)?;
        // SAFETY: no system writes to the pool, by the invariant above.
        unsafe { &*pool.column()?.values_ptr() }.get(position)
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
