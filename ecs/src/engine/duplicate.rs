//! Copies of entities.

use super::Engine;
use crate::entity::EntityId;
use crate::error::{CommandFailure, Error};
use crate::world::EntityCopier;

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
        self.snapshots.types.copy_entity(entity, &mut self.world).map_err(|failure| match failure {
            CommandFailure::NoSuchEntity(error) => error.into(),
            CommandFailure::Snapshot(error) => error.into(),
            other => other.into(),
        })
    }
}
