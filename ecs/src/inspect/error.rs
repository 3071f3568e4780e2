//! Why something cannot be inspected.

use std::fmt;

use crate::entity::NoSuchEntity;
use crate::error::{CommandFailure, TypeKind};
use crate::types::ReadError;

/// Why an [`Inspector`](super::Inspector) refused something. It changed nothing.
#[derive(Clone, PartialEq, Eq)]
pub enum InspectError {
    /// No type is registered under this name.
    UnknownName {
        /// The kind of type that was looked for.
        kind: TypeKind,
        /// The name.
        name: String,
    },
    /// No system or function has this name.
    UnknownSystem {
        /// The name.
        name: String,
    },
    /// Only the program can do it, such as spawning from a prefab: it may need to know more.
    NeedsProgram,
    /// The type is not registered for saving, so its fields are unknown.
    NotSaved,
    /// Only the engine may change it.
    OnlyRead,
    /// There is no such value: the entity lacks the component, the resource is absent, or the event is not traced.
    Missing,
    /// The entity is gone.
    NoSuchEntity(NoSuchEntity),
    /// The component cannot be removed, enabled or disabled.
    Command(CommandFailure),
    /// There is no such field.
    Field {
        /// What is not there, and which name may be meant.
        problem: String,
    },
    /// The value cannot be written, or does not fit the type.
    Value {
        /// What the format says.
        problem: String,
    },
}

impl fmt::Display for InspectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownName { kind, name } => write!(f, "no {kind} is registered as {name:?}"),
            Self::UnknownSystem { name } => write!(f, "there is no system {name:?}"),
            Self::NeedsProgram => f.write_str("only the program can do it"),
            Self::NotSaved => f.write_str("the type is not registered for saving, so its fields are unknown"),
            Self::OnlyRead => f.write_str("only the engine may change it"),
            Self::Missing => f.write_str("there is no such value"),
            Self::NoSuchEntity(error) => error.fmt(f),
            Self::Command(failure) => failure.fmt(f),
            Self::Field { problem } | Self::Value { problem } => f.write_str(problem),
        }
    }
}

crate::sentence::impl_error!(InspectError);

impl From<NoSuchEntity> for InspectError {
    fn from(error: NoSuchEntity) -> Self {
        Self::NoSuchEntity(error)
    }
}

impl From<ReadError> for InspectError {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::OnlyRead => Self::OnlyRead,
            ReadError::Value(problem) => Self::Value { problem },
        }
    }
}

impl From<CommandFailure> for InspectError {
    fn from(failure: CommandFailure) -> Self {
        Self::Command(failure)
    }
}
