//! Commands that change entity lists.

use std::collections::VecDeque;

use super::{Command, Commands};
use crate::entity::EntityId;
use crate::error::CommandFailure;
use crate::world::World;

/// A change of an entity list.
pub(super) type ChangeEntityList = fn(&mut World, &str, EntityId) -> Result<(), CommandFailure>;

impl Commands<'_> {
    /// Appends `entity` to an entity list; a member keeps its place.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// # let mut engine = Engine::new();
    /// let (wolf, hen) = (engine.spawn(("wolf",)), engine.spawn(("hen",)));
    /// engine.run(move |mut commands: Commands| {
    ///     commands.join("hungry", wolf);
    ///     commands.join("hungry", hen);
    ///     commands.leave("hungry", wolf);
    ///     commands.tag("leader", hen);
    /// })?;
    /// assert!(engine.entity_lists().members("hungry").eq([hen]));
    /// assert_eq!(engine.entity_lists().tagged("leader"), Some(hen));
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn join(&mut self, entity_list: &str, entity: EntityId) {
        self.change_entity_list("join", entity_list, entity, join);
    }

    /// Removes `entity` from an entity list. The command fails and is reported if `entity` is not a member when it is
    /// applied.
    ///
    /// # Example
    /// See [`Commands::join`].
    pub fn leave(&mut self, entity_list: &str, entity: EntityId) {
        self.change_entity_list("leave", entity_list, entity, leave);
    }

    /// Moves a tag to `entity`.
    ///
    /// # Example
    /// See [`Commands::join`].
    pub fn tag(&mut self, tag: &str, entity: EntityId) {
        self.change_entity_list("tag", tag, entity, tag_alone);
    }

    fn change_entity_list(&mut self, change: &'static str, name: &str, entity: EntityId, apply: ChangeEntityList) {
        self.recording().names.extend(name.as_bytes());
        self.push(Command::EntityList { entity, change, name_bytes: name.len(), apply });
    }
}

fn join(world: &mut World, entity_list: &str, entity: EntityId) -> Result<(), CommandFailure> {
    Ok(world.join(entity_list, entity).map(drop)?)
}

fn leave(world: &mut World, entity_list: &str, entity: EntityId) -> Result<(), CommandFailure> {
    let was_member = world.leave(entity_list, entity)?;
    was_member.then_some(()).ok_or_else(|| CommandFailure::NotAMember { entity, entity_list: entity_list.into() })
}

fn tag_alone(world: &mut World, tag: &str, entity: EntityId) -> Result<(), CommandFailure> {
    Ok(world.tag(tag, entity)?)
}

/// Applies a change with the first recorded name.
pub(super) fn apply(
    world: &mut World,
    names: &mut VecDeque<u8>,
    name_bytes: usize,
    entity: EntityId,
    apply: ChangeEntityList,
) -> Result<(), CommandFailure> {
    let name = std::str::from_utf8(&names.make_contiguous()[..name_bytes]).expect("the bytes were those of a `&str`");
    let result = apply(world, name, entity);
    names.drain(..name_bytes);
    result
}
