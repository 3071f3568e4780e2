//! Unguarded reads. A guard could be leaked, and the pool would stay borrowed.
//!
//! # Invariant
//! While systems and functions run, their engine is borrowed mutably, and only an exclusive system, which runs alone,
//! has the world. So nothing writes while user code holds `&Engine` or `&World`. Within the crate, systems that run
//! side by side share the world as well; their parameters hold guards.
#![allow(unsafe_code)]

use super::World;
use crate::component::Component;
use crate::entity::{EntityId, EntityManager};

impl World {
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
        &self.components.entities
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
        let location = self.components.entities.table().location(entity)?;
        // SAFETY: no system writes to the pool, by the invariant above.
        unsafe { &*pool.column::<T>()?.values_ptr() }.get(pool.index(), entity, location)
    }
}
