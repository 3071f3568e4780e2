//! Errors that more than one module raises or passes on: plain data of names and ids, with a sentence that says what to
//! do.

mod command;
#[cfg(feature = "prefabs")]
mod prefab;
mod snapshot;
mod system;

use std::fmt;

pub use self::command::{CommandError, CommandFailure};
#[cfg(feature = "prefabs")]
pub use self::prefab::PrefabError;
pub use self::snapshot::{SnapshotError, TypeKind};
pub use self::system::{SetupError, SystemError};
use crate::entity::NoSuchEntity;
use crate::event::CascadeError;
use crate::limits::LimitError;

/// An error of an engine; the message says what to do.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A system was refused, or the systems cannot be ordered.
    Setup(SetupError),
    /// A system needs a resource that does not exist. The frame did not begin.
    MissingResource {
        /// Name of the system, or of the function that was run.
        system: &'static str,
        /// Name of the resource type.
        resource: &'static str,
    },
    /// A state machine refused a requested transition. The frame did not begin, and the request is dropped.
    Transition {
        /// Name of the type of the states.
        states: &'static str,
        /// Why it was refused.
        problem: String,
    },
    /// Listeners kept sending events. The frame ran to its end without delivering the rest.
    Cascade(CascadeError),
    /// A method of a system returned an error.
    System(SystemError),
    /// A limit of the engine was reached: see [`Limits`](crate::engine::Limits).
    Limit(LimitError),
    /// The entity is gone.
    NoSuchEntity(NoSuchEntity),
    /// A command failed.
    Command(CommandFailure),
    /// A prefab is invalid or unknown.
    #[cfg(feature = "prefabs")]
    Prefab(PrefabError),
    /// A type cannot be registered, or a snapshot cannot be taken or restored.
    Snapshot(SnapshotError),
}

/// The name of the missing resource where a function asks for `Res<Time>`.
pub(crate) const TIME_AS_RESOURCE: &str = "ecs::Time";

/// That a resource does not exist, as a sentence.
fn needs_resource(function: &str, resource: &str) -> String {
    match resource {
        TIME_AS_RESOURCE => {
            format!("{function} asks for the time as a resource: it is a parameter of its own, `time: Time`")
        }
        _ => format!("{function} needs the resource {resource}, which does not exist: insert it, or ask for an Option"),
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Setup(error) => error.fmt(f),
            Self::MissingResource { system, resource } if resource.starts_with("CurrentState<") => {
                write!(f, "{system} needs {resource}, which does not exist: add it by engine.add_state_machine(…)")
            }
            Self::MissingResource { system, resource } => f.write_str(&needs_resource(system, resource)),
            Self::Transition { states, problem } => write!(f, "a transition of {states} was refused: {problem}"),
            Self::Cascade(error) => error.fmt(f),
            Self::System(error) => error.fmt(f),
            Self::Limit(error) => error.fmt(f),
            Self::NoSuchEntity(error) => error.fmt(f),
            Self::Command(failure) => failure.fmt(f),
            #[cfg(feature = "prefabs")]
            Self::Prefab(error) => error.fmt(f),
            Self::Snapshot(error) => error.fmt(f),
        }
    }
}

crate::sentence::impl_error!(Error);

macro_rules! from {
    ($($(#[$feature:meta])? $variant:ident($error:ty);)*) => {$(
        $(#[$feature])?
        impl From<$error> for Error {
            fn from(error: $error) -> Self {
                Self::$variant(error)
            }
        }
    )*};
}

from! {
    Setup(SetupError);
    Cascade(CascadeError);
    System(SystemError);
    Limit(LimitError);
    NoSuchEntity(NoSuchEntity);
    Command(CommandFailure);
    #[cfg(feature = "prefabs")]
    Prefab(PrefabError);
    Snapshot(SnapshotError);
}
