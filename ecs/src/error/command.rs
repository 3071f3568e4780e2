//! Why commands fail.

use std::fmt;

#[cfg(feature = "prefabs")]
use super::PrefabError;
use super::{SetupError, SnapshotError};
use crate::entity::{EntityId, NoSuchEntity};

/// Why a command failed. It changed nothing.
#[derive(Clone, PartialEq, Eq)]
pub enum CommandFailure {
    /// The entity is gone.
    NoSuchEntity(NoSuchEntity),
    /// The entity does not have the component.
    NoSuchComponent {
        /// The entity.
        entity: EntityId,
        /// Name of the component type.
        component: &'static str,
    },
    /// Another component of the entity needs the component: remove that one first.
    Needed {
        /// The entity.
        entity: EntityId,
        /// Name of the component type.
        component: &'static str,
        /// Name of the type that needs it.
        by: &'static str,
    },
    /// The entity cannot leave the entity list, because it is not a member.
    NotAMember {
        /// The entity.
        entity: EntityId,
        /// Name of the entity list.
        entity_list: Box<str>,
    },
    /// Another system inserted the component into the entity in the same frame. Nothing of the bundle was inserted.
    Conflict {
        /// The entity.
        entity: EntityId,
        /// Name of the component type.
        component: &'static str,
        /// Name of the system that was first.
        other: &'static str,
    },
    /// The parent would be the child itself or one of its descendants.
    Cycle {
        /// The child.
        child: EntityId,
        /// The parent.
        parent: EntityId,
    },
    /// The component stores links. Changing it alone would leave links with one end.
    OnlyRead {
        /// Name of the component type.
        component: &'static str,
    },
    /// There is no such link between the two entities.
    NotRelated {
        /// The source.
        source: EntityId,
        /// The target.
        target: EntityId,
        /// Name of the relation type.
        relation: &'static str,
    },
    /// The system is not in the engine.
    NoSuchSystem {
        /// Name of the system type.
        system: &'static str,
    },
    /// The function has ended or was cancelled.
    NoSuchFunction {
        /// Name of the function.
        function: &'static str,
    },
    /// The function cannot be called or added, or the system cannot be removed.
    Setup(SetupError),
    /// The function needs a resource that does not exist.
    MissingResource {
        /// Name of the function.
        function: &'static str,
        /// Name of the resource type.
        resource: &'static str,
    },
    /// A component of the entity is of a type that is not registered, so that nothing knows how to copy it.
    Snapshot(SnapshotError),
    /// The prefab cannot be spawned.
    #[cfg(feature = "prefabs")]
    Prefab(PrefabError),
}

impl fmt::Display for CommandFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchEntity(error) => error.fmt(f),
            Self::NoSuchComponent { entity, component } => write!(f, "entity {entity} has no {component}"),
            Self::Needed { entity, component, by } => {
                write!(f, "{component} of entity {entity} cannot be removed: its {by} needs it, so remove that first")
            }
            Self::NotAMember { entity, entity_list } => {
                write!(f, "entity {entity} is no member of the entity list {entity_list:?}")
            }
            Self::Conflict { entity, component, other } => write!(
                f,
                "{other} inserted {component} into entity {entity} in the same frame: let one of the two do it, or let \
                 them do it in different frames"
            ),
            Self::Cycle { child, parent } if child == parent => write!(f, "entity {child} cannot be its own parent"),
            Self::Cycle { child, parent } => write!(
                f,
                "entity {parent} cannot be the parent of {child}, because it is a descendant of {child}: move it elsewhere first"
            ),
            Self::OnlyRead { component } => f.write_str(&crate::relation::only_read(component)),
            Self::NotRelated { source, target, relation } => {
                write!(f, "entity {source} has no link {relation} to entity {target}")
            }
            Self::NoSuchSystem { system } => write!(f, "system {system} was not added to the engine"),
            Self::NoSuchFunction { function } => write!(f, "function {function} is over or was cancelled"),
            Self::Setup(error) => error.fmt(f),
            Self::Snapshot(error) => error.fmt(f),
            Self::MissingResource { function, resource } => f.write_str(&super::needs_resource(function, resource)),
            #[cfg(feature = "prefabs")]
            Self::Prefab(error) => error.fmt(f),
        }
    }
}

crate::sentence::impl_error!(CommandFailure);

#[cfg(feature = "prefabs")]
impl From<PrefabError> for CommandFailure {
    fn from(error: PrefabError) -> Self {
        Self::Prefab(error)
    }
}

impl From<SnapshotError> for CommandFailure {
    fn from(error: SnapshotError) -> Self {
        Self::Snapshot(error)
    }
}

impl From<SetupError> for CommandFailure {
    fn from(error: SetupError) -> Self {
        Self::Setup(error)
    }
}

impl From<NoSuchEntity> for CommandFailure {
    fn from(error: NoSuchEntity) -> Self {
        Self::NoSuchEntity(error)
    }
}

/// A command that failed, with the system that recorded it.
#[derive(Clone, PartialEq, Eq)]
pub struct CommandError {
    /// Name of the system that recorded the command.
    pub system: &'static str,
    /// Name of the command.
    pub command: &'static str,
    /// Why it failed.
    pub failure: CommandFailure,
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} asked to {}: {}", self.system, self.command, self.failure)
    }
}

crate::sentence::impl_error!(CommandError);
