//! Copies of entities, by the types that know how to copy their components.

use super::TypeRegistry;
use super::component_type::InsertCopy;
use crate::entity::{EntityId, NoSuchEntity};
use crate::error::CommandFailure;
use crate::world::{EntityCopier, World};

impl EntityCopier for TypeRegistry {
    fn copy_entity(&self, entity: EntityId, world: &mut World) -> Result<EntityId, CommandFailure> {
        let info = world.components.info_of(entity).ok_or(NoSuchEntity { entity })?;
        let mut copies: Vec<InsertCopy> = Vec::new();
        for component in &info.components {
            let pool = world.components.find(component.id).map(|pool| pool.value_type());
            if let Some(value_type) = pool.filter(|_| !world.components.is_link(component.id)) {
                copies.extend(self.components.known(value_type, component.name)?.what.copy_one(world, entity));
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
