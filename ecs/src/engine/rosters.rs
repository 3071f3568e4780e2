//! Rosters and tags, from outside of the frame.

use super::Engine;
use crate::entity::{EntityId, NoSuchEntity};
use crate::roster::Rosters;

/// Rosters: named lists of entities. See [`Rosters`].
impl Engine {
    /// All rosters, for looking.
    #[must_use]
    pub fn rosters(&self) -> Rosters<'_> {
        Rosters::new(&self.world.rosters)
    }

    /// Lets `entity` join a roster, at its end; returns whether it was no member. A member stays where it is.
    ///
    /// # Errors
    /// - [`NoSuchEntity`] if it is gone.
    pub fn join(&mut self, roster: &str, entity: EntityId) -> Result<bool, NoSuchEntity> {
        self.world.join(roster, entity)
    }

    /// Lets `entity` leave a roster; returns whether it was a member.
    ///
    /// # Errors
    /// - [`NoSuchEntity`] if it is gone.
    pub fn leave(&mut self, roster: &str, entity: EntityId) -> Result<bool, NoSuchEntity> {
        self.world.leave(roster, entity)
    }

    /// Gives a tag to `entity` and takes it from whoever has it. O(number of those who have it).
    ///
    /// # Errors
    /// - [`NoSuchEntity`] if it is gone.
    pub fn tag(&mut self, tag: &str, entity: EntityId) -> Result<(), NoSuchEntity> {
        self.world.tag(tag, entity)
    }
}
