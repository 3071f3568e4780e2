//! Changes of entity lists.

use super::World;
use crate::entity::{EntityId, NoSuchEntity};

impl World {
    pub(crate) fn join(&mut self, entity_list: &str, entity: EntityId) -> Result<bool, NoSuchEntity> {
        self.check_exists(entity)?;
        Ok(self.entity_lists.join(entity_list, entity))
    }

    pub(crate) fn leave(&mut self, entity_list: &str, entity: EntityId) -> Result<bool, NoSuchEntity> {
        self.check_exists(entity)?;
        Ok(self.entity_lists.leave(entity_list, entity))
    }

    pub(crate) fn tag(&mut self, tag: &str, entity: EntityId) -> Result<(), NoSuchEntity> {
        self.check_exists(entity)?;
        self.entity_lists.tag(tag, entity);
        Ok(())
    }
}
