//! EntityLists and tags, from outside of the frame.

use super::Engine;
use crate::entity::{EntityId, NoSuchEntity};
use crate::entity_lists::EntityLists;

/// EntityLists: named lists of entities. See [`EntityLists`].
impl Engine {
    /// All entity lists, for looking.
    #[must_use]
    pub fn entity_lists(&self) -> EntityLists<'_> {
        EntityLists::new(&self.world.entity_lists)
    }

    /// Lets `entity` join an entity list, at its end; returns whether it was no member. A member stays where it is.
    ///
    /// # Errors
    /// - [`NoSuchEntity`] if it is gone.
    pub fn join(&mut self, entity_list: &str, entity: EntityId) -> Result<bool, NoSuchEntity> {
        self.world.join(entity_list, entity)
    }

    /// Lets `entity` leave an entity list; returns whether it was a member.
    ///
    /// # Errors
    /// - [`NoSuchEntity`] if it is gone.
    pub fn leave(&mut self, entity_list: &str, entity: EntityId) -> Result<bool, NoSuchEntity> {
        self.world.leave(entity_list, entity)
    }

    /// Gives a tag to `entity` and takes it from whoever has it. O(number of those who have it).
    ///
    /// # Errors
    /// - [`NoSuchEntity`] if it is gone.
    pub fn tag(&mut self, tag: &str, entity: EntityId) -> Result<(), NoSuchEntity> {
        self.world.tag(tag, entity)
    }
}
