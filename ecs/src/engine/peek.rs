//! Reading a component through a shared engine.
//!
//! # Invariant
//! Systems and functions run only while their engine is borrowed mutably, and whoever looks at the world meanwhile has the
//! world and not the engine. So through `&Engine` nobody writes to a pool for as long as the borrow lasts.
#![allow(unsafe_code)]

use crate::component::Component;
use crate::entity::EntityId;
use crate::world::World;

/// The component of `entity` in the world of an engine that is borrowed shared.
pub(super) fn component<T: Component>(world: &World, entity: EntityId) -> Option<&T> {
    let pool = world.components.find(world.components.id_of::<T>()?)?;
    let position = pool.index().position(entity)?;
    // SAFETY: nobody writes, by the invariant above.
    unsafe { &*pool.column()?.values_ptr() }.get(position)
}
