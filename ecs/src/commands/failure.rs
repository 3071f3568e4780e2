//! Why commands change nothing, and who asked for them.

use std::fmt;

use crate::entity::{EntityId, NoSuchEntity};

/// Why a command changed nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandFailure {
    /// The entity was gone.
    NoSuchEntity(NoSuchEntity),
    /// The entity does not have the component.
    NoSuchComponent {
        /// The entity.
        entity: EntityId,
        /// Name of the component type.
        component: &'static str,
    },
    /// The entity was no member of the entity list that it was to leave.
    NotAMember {
        /// The entity.
        entity: EntityId,
        /// Name of the entity list.
        entity_list: Box<str>,
    },
    /// Another system inserted such a component into the entity in the same frame. Nothing of the bundle was inserted.
    Conflict {
        /// The entity.
        entity: EntityId,
        /// Name of the component type.
        component: &'static str,
        /// Name of the system that came first.
        other: &'static str,
    },
    /// The system was never added.
    NoSuchSystem {
        /// Name of the system type.
        system: &'static str,
    },
    /// The function has run for the last time, or was cancelled.
    NoSuchFunction {
        /// Name of the function.
        function: &'static str,
    },
    /// The prefab can not be spawned.
    #[cfg(feature = "prefabs")]
    Prefab(crate::prefab::PrefabError),
}

impl fmt::Display for CommandFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchEntity(error) => error.fmt(f),
            Self::NoSuchComponent { entity, component } => write!(f, "entity {entity} has no {component}"),
            Self::NotAMember { entity, entity_list } => {
                write!(f, "entity {entity} is no member of the entity list {entity_list:?}")
            }
            Self::Conflict { entity, component, other } => write!(
                f,
                "{other} inserted {component} into entity {entity} in the same frame: let one of the two do it, or let \
                 them do it in different frames"
            ),
            Self::NoSuchSystem { system } => write!(f, "system {system} was not added to the engine"),
            Self::NoSuchFunction { function } => write!(f, "function {function} is over or was cancelled"),
            #[cfg(feature = "prefabs")]
            Self::Prefab(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CommandFailure {}

#[cfg(feature = "prefabs")]
impl From<crate::prefab::PrefabError> for CommandFailure {
    fn from(error: crate::prefab::PrefabError) -> Self {
        Self::Prefab(error)
    }
}

impl From<NoSuchEntity> for CommandFailure {
    fn from(error: NoSuchEntity) -> Self {
        Self::NoSuchEntity(error)
    }
}

/// A command that could not be applied, and who asked for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandError {
    /// Name of the system that recorded the command.
    pub system: &'static str,
    /// What it asked for.
    pub command: &'static str,
    /// Why nothing came of it.
    pub failure: CommandFailure,
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} asked to {}: {}", self.system, self.command, self.failure)
    }
}

impl std::error::Error for CommandError {}
