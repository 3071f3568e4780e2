//! Entities by names that hold across engines, from outside of the frame.

use super::Engine;
use crate::entity::{EntityId, GlobalId, GlobalIdError};

/// Global ids: names of entities that hold across engines. See [`GlobalId`].
impl Engine {
    /// The global id of `entity`, which gets the next one of this engine's site if it has none. O(1).
    ///
    /// # Errors
    /// As [`World::global_id`](crate::World::global_id).
    pub fn global_id(&mut self, entity: EntityId) -> Result<GlobalId, GlobalIdError> {
        self.world.global_id(entity)
    }

    /// Gives `entity` the global id that it had in another engine, or in an earlier run of this one. O(1).
    ///
    /// # Errors
    /// As [`World::adopt_global_id`](crate::World::adopt_global_id).
    pub fn adopt_global_id(&mut self, entity: EntityId, global_id: GlobalId) -> Result<(), GlobalIdError> {
        self.world.adopt_global_id(entity, global_id)
    }

    /// The global id of `entity`, if it has one. O(1).
    #[must_use]
    pub fn assigned_global_id(&self, entity: EntityId) -> Option<GlobalId> {
        self.world.assigned_global_id(entity)
    }

    /// The entity of this engine that has `global_id`; `None` if it is elsewhere. O(1).
    #[must_use]
    pub fn entity_by_global_id(&self, global_id: GlobalId) -> Option<EntityId> {
        self.world.entity_by_global_id(global_id)
    }

    /// The serial of the next global id that this engine assigns, to be stored with what is saved: an engine that goes on from
    /// there is built with it as [first serial](crate::EngineBuilder::first_serial).
    #[must_use]
    pub fn next_serial(&self) -> u32 {
        self.world.global_ids.next
    }

    /// Lets no serial below `least` be assigned from now on; one that is higher already stays.
    ///
    /// For an engine that is put back into an earlier state although others have seen ids that it assigned since then: a
    /// snapshot takes the next serial back with all else, or a run that is repeated would not be the same one.
    ///
    /// # Example
    /// ```
    /// let mut engine = ecs::Engine::new();
    /// let before = engine.snapshot()?;
    /// let gone = engine.spawn(());
    /// let sent_to_others = engine.global_id(gone)?;
    /// let next = engine.next_serial();
    /// engine.restore(&before)?;
    /// engine.raise_next_serial(next);
    /// let newcomer = engine.spawn(());
    /// assert_ne!(engine.global_id(newcomer)?, sent_to_others);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn raise_next_serial(&mut self, least: u32) {
        self.world.global_ids.raise_next(least);
    }
}
