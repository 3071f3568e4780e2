//! What commands ask of a single component of an entity.

use std::any::TypeId;

use super::CommandFailure;
use crate::component::Component;
use crate::entity::EntityId;
use crate::world::World;

/// A change of a component that carries no value.
#[derive(Clone, Copy)]
pub(crate) struct ComponentChange {
    pub(crate) entity: EntityId,
    pub(crate) component: TypeId,
    pub(crate) change: &'static str,
    pub(crate) apply: fn(&mut World, EntityId) -> Result<(), CommandFailure>,
}

impl ComponentChange {
    pub(crate) fn remove<T: Component>(entity: EntityId) -> Self {
        Self { entity, component: TypeId::of::<T>(), change: "remove", apply: World::remove::<T> }
    }

    pub(crate) fn enable<T: Component>(entity: EntityId) -> Self {
        Self { entity, component: TypeId::of::<T>(), change: "enable", apply: World::switch_on::<T> }
    }

    pub(crate) fn disable<T: Component>(entity: EntityId) -> Self {
        Self { entity, component: TypeId::of::<T>(), change: "disable", apply: World::switch_off::<T> }
    }
}
