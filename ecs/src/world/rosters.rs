//! Changes of rosters.

use super::World;
use crate::entity::{EntityId, NoSuchEntity};

impl World {
    pub(crate) fn join(&mut self, roster: &str, entity: EntityId) -> Result<bool, NoSuchEntity> {
        self.check_exists(entity)?;
        Ok(self.rosters.join(roster, entity))
    }

    pub(crate) fn leave(&mut self, roster: &str, entity: EntityId) -> Result<bool, NoSuchEntity> {
        self.check_exists(entity)?;
        Ok(self.rosters.leave(roster, entity))
    }

    pub(crate) fn tag(&mut self, tag: &str, entity: EntityId) -> Result<(), NoSuchEntity> {
        self.check_exists(entity)?;
        self.rosters.tag(tag, entity);
        Ok(())
    }
}
