//! Copies of entities.

use super::Engine;
use crate::entity::{EntityId, NoSuchEntity};
use crate::error::Error;
use crate::types::InsertCopy;

/// Copies of entities.
impl Engine {
    /// Spawns an entity with copies of all components of `entity`; returns its id. O(number of components).
    ///
    /// What is disabled is disabled in the copy. The copy has no links, so neither a parent nor children, and is in no
    /// entity list. `Added` and `Spawned` are sent as by [`Engine::spawn`].
    ///
    /// # Errors
    /// Nothing is changed then.
    /// - [`Error::NoSuchEntity`] if `entity` is gone.
    /// - [`SnapshotError::NotRegistered`](crate::snapshot::SnapshotError::NotRegistered) if a component is of a type
    ///   that is not registered for snapshots: only then the engine knows how to copy it.
    ///
    /// # Panics
    /// If a `Clone` panics; nothing was changed.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// let mut engine = Engine::new();
    /// engine.types_mut().component::<u32>("health")?.component::<String>("name")?;
    /// let orc = engine.spawn((7_u32, "orc".to_owned()));
    /// let twin = engine.duplicate(orc)?;
    /// engine.despawn(orc)?;
    /// assert_eq!((engine.get(twin), engine.get::<String>(twin).unwrap().as_str()), (Some(&7_u32), "orc"));
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn duplicate(&mut self, entity: EntityId) -> Result<EntityId, Error> {
        let Self { world, snapshots, .. } = self;
        let types = &snapshots.types.components;
        let info = world.components.info_of(entity).ok_or(NoSuchEntity { entity })?;
        let mut copies: Vec<InsertCopy> = Vec::new();
        for component in &info.components {
            let pool = world.components.find(component.id).map(|pool| pool.value_type());
            if let Some(value_type) = pool.filter(|_| !world.components.is_link(component.id)) {
                copies.extend(types.known(value_type, component.name)?.what.copy_one(world, entity));
            }
        }
        let copy = world.spawn_bare();
        world.fill_new(copy, |world| {
            copies.into_iter().try_for_each(|insert| insert(world, copy))?;
            world.add_needs(copy);
            Ok::<_, NoSuchEntity>(())
        })?;
        for component in info.components.iter().filter(|component| !component.is_enabled) {
            world.components.switch(Some(component.id), copy, false)?;
        }
        if !info.is_enabled {
            world.set_enabled(copy, false)?;
        }
        Ok(copy)
    }
}
