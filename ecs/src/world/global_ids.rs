//! Global ids of entities.

use super::World;
use crate::entity::{EntityId, GlobalId, GlobalIdError, NoSuchEntity};

/// Global ids; [`Entities`](crate::Entities) looks them up in systems.
impl World {
    /// The global id of `entity`. If it has none, it gets the next one of this engine's site. O(1).
    ///
    /// # Errors
    /// - [`GlobalIdError::NoSuchEntity`] if it is gone.
    /// - [`GlobalIdError::Exhausted`] if the site has assigned 4,294,967,295 of them.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// let (mut here, mut there) = (Engine::builder().site(1).build(), Engine::builder().site(2).build());
    /// let ship = here.spawn(("ship",));
    /// let name = here.global_id(ship)?;
    ///
    /// let copy = there.spawn(("ship",)); // Its `EntityId` is another one.
    /// there.adopt_global_id(copy, name)?;
    /// assert_eq!(there.entity_by_global_id(name), Some(copy));
    /// assert_eq!(there.assigned_global_id(copy), Some(name));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn global_id(&mut self, entity: EntityId) -> Result<GlobalId, GlobalIdError> {
        self.check_exists(entity)?;
        self.global_ids.assign(entity)
    }

    /// Gives `entity` the global id that it had in another engine, or in an earlier run of this one, until it is
    /// despawned. Adopting its own global id again changes nothing. O(1).
    ///
    /// # Errors
    /// - [`GlobalIdError::NoSuchEntity`] if it is gone.
    /// - [`GlobalIdError::AlreadyNamed`] if it has another one.
    /// - [`GlobalIdError::Taken`] if another entity has it.
    /// - [`GlobalIdError::NotYetAssigned`] if it is of this engine's site, which would assign it again later.
    ///
    /// # Example
    /// See [`World::global_id`].
    pub fn adopt_global_id(&mut self, entity: EntityId, global_id: GlobalId) -> Result<(), GlobalIdError> {
        self.check_exists(entity)?;
        self.global_ids.adopt(entity, global_id)
    }

    /// The global id of `entity`, if it has one. O(1).
    ///
    /// # Example
    /// See [`World::global_id`].
    #[must_use]
    pub fn assigned_global_id(&self, entity: EntityId) -> Option<GlobalId> {
        self.global_ids.of(entity)
    }

    /// The entity of this engine that has `global_id`; `None` if it is elsewhere. O(1).
    ///
    /// # Example
    /// See [`World::global_id`].
    #[must_use]
    pub fn entity_by_global_id(&self, global_id: GlobalId) -> Option<EntityId> {
        self.global_ids.entity(global_id)
    }

    /// The serial of the next global id that this engine assigns. Store it with a save, and build the engine that
    /// continues from there with it as [first serial](crate::EngineBuilder::first_serial).
    ///
    /// # Example
    /// See [`World::raise_next_serial`].
    #[must_use]
    pub fn next_serial(&self) -> u32 {
        self.global_ids.next
    }

    /// Raises the next serial to at least `least`.
    ///
    /// Call it on an engine that is restored although its peers have seen ids that it assigned since then: a snapshot
    /// also sets the next serial back, so that a repeated run is the same.
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
        self.global_ids.raise_next(least);
    }

    pub(crate) fn check_exists(&mut self, entity: EntityId) -> Result<(), NoSuchEntity> {
        // A shared borrow does not count as a change.
        self.components.entities.locate(entity).map(|_| ())
    }
}
