//! What commands ask of the component of one type.

use std::collections::vec_deque::Drain;

use super::CommandFailure;
use crate::component::Component;
use crate::entity::EntityId;
use crate::world::World;

/// A change of a component that carries no value.
#[derive(Clone, Copy)]
pub(crate) struct ComponentChange {
    pub(crate) entity: EntityId,
    pub(crate) change: &'static str,
    pub(crate) apply: fn(&mut World, EntityId) -> Result<(), CommandFailure>,
}

/// A removal from many entities.
#[derive(Clone, Copy)]
pub(crate) struct ManyRemoval {
    /// Whether an entity has the component.
    pub(crate) finds: fn(&World, EntityId) -> bool,
    pub(crate) apply: fn(&mut World, Drain<'_, EntityId>) -> Result<(), CommandFailure>,
}

impl ManyRemoval {
    pub(crate) fn of<T: Component>() -> Self {
        Self { finds: World::has::<T>, apply: |world, entities| world.remove_many::<T>(entities) }
    }
}

impl ComponentChange {
    pub(crate) fn remove<T: Component>(entity: EntityId) -> Self {
        Self { entity, change: "remove", apply: World::remove::<T> }
    }

    pub(crate) fn enable<T: Component>(entity: EntityId) -> Self {
        Self { entity, change: "enable", apply: World::enable_component::<T> }
    }

    pub(crate) fn disable<T: Component>(entity: EntityId) -> Self {
        Self { entity, change: "disable", apply: World::disable_component::<T> }
    }
}
