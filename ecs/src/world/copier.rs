//! Copies of entities.

use super::World;
use crate::entity::EntityId;
use crate::error::CommandFailure;

/// What knows how to copy the components of an entity.
pub(crate) trait EntityCopier {
    /// Spawns an entity with copies of all components of `entity`; returns its id. Nothing is changed by an error.
    ///
    /// # Errors
    /// If `entity` is gone, or a component is of a type that is not registered.
    fn copy_entity(&self, entity: EntityId, world: &mut World) -> Result<EntityId, CommandFailure>;
}
