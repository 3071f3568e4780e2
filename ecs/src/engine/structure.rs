//! Entities and components of an engine, from outside of the frame.

use super::Engine;
use crate::commands::CommandFailure;
use crate::component::{Bundle, Component, PoolMut};
use crate::entity::{EntityId, NoSuchEntity};
use crate::query::{Query, QueryData, QueryFilter, QueryRef, ReadOnlyData};

/// Entities and components; every change takes effect at once.
impl Engine {
    /// Spawns an entity with the components of `bundle`; returns its id. O(number of components).
    pub fn spawn<B: Bundle>(&mut self, bundle: B) -> EntityId {
        self.world.spawn(bundle)
    }

    /// Despawns an entity and drops its components; if it was spawned from a prefab with children, then its parts, too.
    /// O(number of components).
    ///
    /// # Errors
    /// - [`NoSuchEntity`] if it was already gone.
    pub fn despawn(&mut self, entity: EntityId) -> Result<(), NoSuchEntity> {
        self.world.despawn(entity)
    }

    /// Whether `entity` exists, disabled or not. O(1).
    #[must_use]
    pub fn contains(&self, entity: EntityId) -> bool {
        self.entities().contains(entity)
    }

    /// Inserts the components of `bundle`, replacing those that are there.
    ///
    /// # Errors
    /// - [`NoSuchEntity`] if the entity is gone; the bundle was dropped.
    pub fn insert<B: Bundle>(&mut self, entity: EntityId, bundle: B) -> Result<(), NoSuchEntity> {
        self.world.insert(entity, bundle)
    }

    /// Takes the component of type `T` out and drops it. O(1).
    ///
    /// # Errors
    /// - [`CommandFailure::NoSuchEntity`] if the entity is gone.
    /// - [`CommandFailure::NoSuchComponent`] if it has none.
    pub fn remove<T: Component>(&mut self, entity: EntityId) -> Result<(), CommandFailure> {
        self.world.remove::<T>(entity)
    }

    /// The pool of `T`, to insert and remove the components of many entities one by one: each change is what
    /// [`Engine::insert`] and [`Engine::remove`] do, several times as fast, since what they look up is looked up once.
    ///
    /// # Example
    /// ```
    /// struct Burning(u32);
    ///
    /// let mut engine = ecs::Engine::new();
    /// let trees = engine.spawn_many((0..100).map(|n| (n,)));
    /// let mut burning = engine.pool_mut::<Burning>();
    /// for tree in trees.iter().step_by(10) {
    ///     burning.insert(*tree, Burning(3))?;
    /// }
    /// burning.remove(trees[50])?;
    /// assert_eq!(engine.query::<&Burning>().count(), 9);
    /// # Ok::<(), ecs::CommandFailure>(())
    /// ```
    pub fn pool_mut<T: Component>(&mut self) -> PoolMut<'_, T> {
        self.world.pool_mut()
    }

    /// Enables an entity: queries see it again.
    ///
    /// # Errors
    /// - [`NoSuchEntity`] if it is gone.
    pub fn enable(&mut self, entity: EntityId) -> Result<(), NoSuchEntity> {
        self.world.set_enabled(entity, true).map(drop)
    }

    /// Disables an entity: queries skip it, with all its components, unless they ask for it. Its components stay.
    ///
    /// # Errors
    /// - [`NoSuchEntity`] if it is gone.
    pub fn disable(&mut self, entity: EntityId) -> Result<(), NoSuchEntity> {
        self.world.set_enabled(entity, false).map(drop)
    }

    /// Enables the component of type `T` of an entity. O(1).
    ///
    /// # Errors
    /// As [`Engine::remove`].
    pub fn enable_component<T: Component>(&mut self, entity: EntityId) -> Result<(), CommandFailure> {
        self.world.enable_component::<T>(entity)
    }

    /// Disables the component of type `T` of an entity: queries take it as not there. O(1).
    ///
    /// # Errors
    /// As [`Engine::remove`].
    pub fn disable_component<T: Component>(&mut self, entity: EntityId) -> Result<(), CommandFailure> {
        self.world.disable_component::<T>(entity)
    }

    /// The component of `entity`, disabled or not; `None` if it has none or is gone. O(1).
    #[must_use]
    pub fn get<T: Component>(&self, entity: EntityId) -> Option<&T> {
        self.world.peek(entity)
    }

    /// The component of `entity` for writing, disabled or not; `None` if it has none or is gone. O(1).
    pub fn get_mut<T: Component>(&mut self, entity: EntityId) -> Option<&mut T> {
        self.world.get_mut(entity)
    }

    /// Whether `entity` has a component of type `T`, disabled or not. O(1).
    #[must_use]
    pub fn has<T: Component>(&self, entity: EntityId) -> bool {
        self.world.has::<T>(entity)
    }

    /// A query, for reading and writing.
    ///
    /// # Panics
    /// If it asks for one component for writing and a second time.
    pub fn query<D: QueryData + 'static>(&mut self) -> Query<'_, D> {
        self.world.query()
    }

    /// A query with a filter, for reading and writing.
    ///
    /// # Panics
    /// As [`Engine::query`].
    pub fn query_filtered<D: QueryData + 'static, F: QueryFilter + 'static>(&mut self) -> Query<'_, D, F> {
        self.world.query_filtered()
    }

    /// A query that only reads, for which a shared engine is enough.
    pub fn read<D: ReadOnlyData + 'static>(&self) -> QueryRef<'_, D> {
        self.world.read()
    }

    /// A query with a filter that only reads, for which a shared engine is enough.
    pub fn read_filtered<D: ReadOnlyData + 'static, F: QueryFilter + 'static>(&self) -> QueryRef<'_, D, F> {
        self.world.read_filtered()
    }
}
