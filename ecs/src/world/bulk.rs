//! Changes of many entities at once, with the same result as one by one.

use super::World;
use crate::component::{Bundle, Columns, Component, DespawnMany, Scratch, no_such_component};
use crate::entity::{EntityId, NoSuchEntity};
use crate::error::CommandFailure;
use crate::panic::FirstPanic;

impl World {
    /// Bytes of the reused memory for changes of many entities.
    pub(crate) fn scratch_bytes_held(&self) -> usize {
        self.scratch.held_bytes() + self.relations.held_bytes() + self.fresh.capacity() * size_of::<EntityId>()
    }

    pub(crate) fn shrink_scratch(&mut self) {
        self.scratch = Scratch::default();
        self.fresh = Vec::new();
        self.relations.shrink();
    }

    /// Spawns an entity for each bundle and appends the ids to `ids`.
    pub(crate) fn spawn_many<B: Bundle>(&mut self, bundles: impl Iterator<Item = B>, ids: &mut Vec<EntityId>) {
        let (components, announce) = self.components_and_announce();
        components.spawn_many(bundles, announce, ids);
    }

    /// As [`World::spawn_many`], without returning the ids.
    pub(crate) fn spawn_all<B: Bundle>(&mut self, bundles: impl Iterator<Item = B>) {
        let mut ids = std::mem::take(&mut self.scratch.ids);
        ids.clear();
        self.spawn_many(bundles, &mut ids);
        self.scratch.ids = ids;
    }

    /// The entities of the last command that spawned many.
    pub(crate) fn last_spawned(&mut self) -> &mut Vec<EntityId> {
        &mut self.scratch.ids
    }

    pub(crate) fn spawn_columns<C: Columns>(&mut self, columns: C, count: usize) -> Vec<EntityId> {
        let (components, announce) = self.components_and_announce();
        let mut ids = Vec::new();
        components.spawn_columns(columns, count, announce, &mut ids);
        ids
    }

    /// Despawns entities; skips those that are gone.
    ///
    /// # Errors
    /// - [`NoSuchEntity`] with the first one that is gone.
    pub(crate) fn despawn_many(&mut self, ids: impl Iterator<Item = EntityId>) -> Result<(), NoSuchEntity> {
        let has_links = self.relations.has_links(&self.components);
        let Self { components, events, scratch, global_ids, entity_lists, .. } = self;
        let is_silent = events.lifecycle.despawned.is_none() && components.removes_silently(components.ids());
        if !is_silent || has_links {
            return apply_to_all(ids, |entity| self.despawn(entity));
        }
        let mut despawns = DespawnMany::new(components, scratch);
        let result = apply_all(ids.map(|entity| {
            despawns.despawn(entity)?;
            global_ids.forget(entity);
            entity_lists.forget(entity);
            Ok(())
        }));
        despawns.finish();
        result
    }

    /// Inserts a bundle into each entity; skips those that are gone.
    ///
    /// # Errors
    /// - [`NoSuchEntity`] with the first one that is gone.
    pub(crate) fn insert_many<B: Bundle>(
        &mut self,
        bundles: impl Iterator<Item = (EntityId, B)>,
    ) -> Result<(), NoSuchEntity> {
        apply_all(bundles.map(|(entity, bundle)| self.insert(entity, bundle)))
    }

    /// Removes the component of type `T` from each entity; skips those that have none.
    ///
    /// # Errors
    /// As [`World::remove`], for the first one that has none or is gone.
    pub(crate) fn remove_many<T: Component>(
        &mut self,
        ids: impl Iterator<Item = EntityId>,
    ) -> Result<(), CommandFailure> {
        let Self { components, relations, .. } = self;
        let is_silent = |id: &_| components.removes_silently(std::iter::once(*id)) && !relations.contains(*id);
        let id = components.id_of::<T>().filter(is_silent);
        let Some(id) = id else {
            return apply_to_all(ids, |entity| self.remove::<T>(entity));
        };
        // All of them, even if one panics when it is dropped.
        let mut panics = FirstPanic::default();
        let result = apply_all(ids.map(|entity| {
            let location = components.entities.locate(entity)?;
            components.check_not_needed(id, entity)?;
            let value = components.detach::<T>(id, entity, location);
            let value = value.ok_or_else(|| no_such_component::<T>(entity))?;
            if std::mem::needs_drop::<T>() {
                panics.catch(|| drop(value));
            }
            Ok(())
        }));
        panics.raise();
        result
    }
}

/// Changes all entities, even if a value panics when it leaves; returns the first failure.
fn apply_to_all<E>(
    ids: impl Iterator<Item = EntityId>,
    mut change: impl FnMut(EntityId) -> Result<(), E>,
) -> Result<(), E> {
    let mut panics = FirstPanic::default();
    let result = apply_all(ids.map(|entity| panics.catch(|| change(entity)).unwrap_or(Ok(()))));
    panics.raise();
    result
}

/// Makes all changes; returns the first failure.
fn apply_all<E>(changes: impl Iterator<Item = Result<(), E>>) -> Result<(), E> {
    let mut first = Ok(());
    changes.for_each(|change| {
        if let (Err(failure), true) = (change, first.is_ok()) {
            first = Err(failure);
        }
    });
    first
}
