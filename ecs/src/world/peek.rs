//! Reading entities and components through a shared world, without a guard that could be leaked.
//!
//! # Invariant
//! While systems and functions run, their engine is borrowed mutably, and only an exclusive system, which runs alone, has the
//! world. So nothing is written as long as a borrow of `&Engine` or `&World` lasts that came from outside of the crate. Within the
//! crate, systems that run side by side share the world as well: their parameters hold the guards of what they use.
#![allow(unsafe_code)]

use super::World;
use crate::component::Component;
use crate::entity::{EntityId, EntityManager};

impl World {
    /// The entities of the engine.
    #[must_use]
    pub fn entities(&self) -> &EntityManager {
        debug_assert!(self.entities.try_borrow().is_ok(), "no system spawns while the entities are read");
        // SAFETY: no `Spawner` exists, by the invariant above.
        unsafe { &*self.entities.as_ptr() }
    }

    /// Whether `entity` exists, enabled or disabled. O(1).
    #[must_use]
    pub fn contains(&self, entity: EntityId) -> bool {
        self.entities().contains(entity)
    }

    /// The component of `entity`, enabled or disabled; `None` if the entity is gone or lacks it. O(1).
    #[must_use]
    pub fn get<T: Component>(&self, entity: EntityId) -> Option<&T> {
        let pool = self.components.find(self.components.id_of::<T>()?)?;
        let position = pool.index().position(entity)?;
        // SAFETY: no system writes to the pool, by the invariant above.
        unsafe { &*pool.column()?.values_ptr() }.get(position)
    }
}
