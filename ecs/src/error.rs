//! What can stop a frame, or keep it from beginning.

use std::fmt;

use crate::commands::CommandFailure;
use crate::component::GroupError;
use crate::entity::NoSuchEntity;
use crate::snapshot::SnapshotError;
use crate::system::{CascadeError, SetupError};

/// What an engine can not do, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The systems do not fit together.
    Setup(SetupError),
    /// A system needs a resource that is not there. No frame was begun.
    MissingResource {
        /// Name of the system, or of the function that was run.
        system: &'static str,
        /// Name of the resource type.
        resource: &'static str,
    },
    /// Listeners kept answering events with events. The frame was finished without the rest of them.
    Cascade(CascadeError),
    /// The entity is gone.
    NoSuchEntity(NoSuchEntity),
    /// A change could not be made.
    Command(CommandFailure),
    /// Pools can not be grouped.
    Group(GroupError),
    /// A prefab can not be used.
    #[cfg(feature = "prefabs")]
    Prefab(crate::prefab::PrefabError),
    /// A type can not be registered, or a snapshot not be taken or put back.
    Snapshot(SnapshotError),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Setup(error) => error.fmt(f),
            Self::MissingResource { system, resource } => {
                write!(f, "{system} needs the resource {resource}, which is not there: insert it, or ask for an Option")
            }
            Self::Cascade(error) => error.fmt(f),
            Self::NoSuchEntity(error) => error.fmt(f),
            Self::Command(failure) => failure.fmt(f),
            Self::Group(error) => error.fmt(f),
            #[cfg(feature = "prefabs")]
            Self::Prefab(error) => error.fmt(f),
            Self::Snapshot(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl From<SetupError> for Error {
    fn from(error: SetupError) -> Self {
        Self::Setup(error)
    }
}

impl From<CascadeError> for Error {
    fn from(error: CascadeError) -> Self {
        Self::Cascade(error)
    }
}

impl From<NoSuchEntity> for Error {
    fn from(error: NoSuchEntity) -> Self {
        Self::NoSuchEntity(error)
    }
}

impl From<CommandFailure> for Error {
    fn from(failure: CommandFailure) -> Self {
        Self::Command(failure)
    }
}

#[cfg(feature = "prefabs")]
impl From<crate::prefab::PrefabError> for Error {
    fn from(error: crate::prefab::PrefabError) -> Self {
        Self::Prefab(error)
    }
}

impl From<GroupError> for Error {
    fn from(error: GroupError) -> Self {
        Self::Group(error)
    }
}

impl From<SnapshotError> for Error {
    fn from(error: SnapshotError) -> Self {
        Self::Snapshot(error)
    }
}
