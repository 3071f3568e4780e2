//! What can be wrong with a set of systems.

use std::fmt;

use crate::snapshot::SnapshotError;

/// A system can not be added, or the systems can not be ordered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetupError {
    /// There is a system of this type already.
    AlreadyAdded {
        /// Name of the system.
        system: &'static str,
    },
    /// A plugin of this type was added already.
    PluginAlreadyAdded {
        /// Name of the plugin.
        plugin: &'static str,
    },
    /// There is no system of this type.
    NotAdded {
        /// Name of the system.
        system: &'static str,
    },
    /// The function has run for the last time, or was cancelled.
    NoSuchFunction {
        /// Name of the function.
        function: &'static str,
    },
    /// Two parameters of one method of the system want the same thing.
    Conflict {
        /// Name of the system.
        system: &'static str,
        /// What the conflict is, and the way out.
        conflict: String,
    },
    /// The system can not give a type the name that it wants.
    Types {
        /// Name of the system.
        system: &'static str,
        /// What is wrong with the name.
        error: SnapshotError,
    },
    /// A system wants to run after or before one that was never added.
    UnknownDependency {
        /// Name of the system.
        system: &'static str,
        /// `"after"` or `"before"`.
        relation: &'static str,
        /// Name of the system that is missing.
        dependency: &'static str,
    },
    /// Systems wait for each other in a circle.
    Cycle {
        /// The circle: each one runs before the next, and the last before the first.
        systems: Vec<&'static str>,
    },
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AlreadyAdded { system } => {
                write!(f, "system {system} was added already: an engine has one system of a type")
            }
            Self::PluginAlreadyAdded { plugin } => {
                write!(f, "plugin {plugin} was added already: ask `has_plugin` before adding it again")
            }
            Self::NotAdded { system } => write!(f, "system {system} was not added to the engine"),
            Self::NoSuchFunction { function } => {
                write!(
                    f,
                    "function {function} is over or was cancelled: add it anew with Engine::every or Engine::after"
                )
            }
            Self::Conflict { system, conflict } => {
                write!(f, "a method of system {system} can not be called: {conflict}")
            }
            Self::Types { system, error } => write!(f, "system {system} can not name a type: {error}"),
            Self::UnknownDependency { system, relation, dependency } => write!(
                f,
                "system {system} runs {relation} {dependency}, which was not added: add {dependency} or drop the dependency"
            ),
            Self::Cycle { systems } => {
                write!(f, "systems wait for each other: ")?;
                for system in systems {
                    write!(f, "{system} → ")?;
                }
                write!(f, "{}: drop one of these dependencies", systems.first().copied().unwrap_or_default())
            }
        }
    }
}

impl std::error::Error for SetupError {}
