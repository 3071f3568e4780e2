//! Errors of adding and ordering systems.

use std::fmt;

use crate::snapshot::SnapshotError;

/// A system cannot be added, or the systems cannot be ordered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetupError {
    /// A system of this type was added already.
    AlreadyAdded {
        /// Name of the system.
        system: &'static str,
    },
    /// A plugin of this type was added already.
    PluginAlreadyAdded {
        /// Name of the plugin.
        plugin: &'static str,
    },
    /// No system of this type was added.
    NotAdded {
        /// Name of the system.
        system: &'static str,
    },
    /// The function has run for the last time, or was cancelled.
    NoSuchFunction {
        /// Name of the function.
        function: &'static str,
    },
    /// Two parameters of one method exclude each other, or a query asks for a type that cannot be a component.
    Conflict {
        /// Name of the system.
        system: &'static str,
        /// The conflict and its remedy.
        conflict: String,
    },
    /// The system cannot give a type its name.
    Types {
        /// Name of the system.
        system: &'static str,
        /// What is wrong with the name.
        error: SnapshotError,
    },
    /// A run condition cannot be checked.
    Condition {
        /// Name of the system or set.
        system: &'static str,
        /// What is wrong with the condition, and the remedy.
        problem: String,
    },
    /// A system or set is declared to run after or before a system that was not added, or a set that does not exist.
    UnknownDependency {
        /// Name of the system or set.
        system: &'static str,
        /// `"after"` or `"before"`.
        relation: &'static str,
        /// Name of the system or set that is missing.
        dependency: &'static str,
    },
    /// The declared order of systems has a cycle.
    Cycle {
        /// Names of systems and sets: each one runs before the next, and the last one before the first.
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
                    "function {function} is over or was cancelled: add it again with Engine::every or Engine::after"
                )
            }
            Self::Conflict { system, conflict } => {
                write!(f, "a method of system {system} cannot be called: {conflict}")
            }
            Self::Types { system, error } => write!(f, "system {system} cannot name a type: {error}"),
            Self::Condition { system, problem } => write!(f, "a condition of {system} cannot be checked: {problem}"),
            Self::UnknownDependency { system, relation, dependency } => write!(
                f,
                "{system} runs {relation} {dependency}, which is neither a system nor a set of the engine: add it or drop the dependency"
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

/// Listeners caused events, by sending them or by commands, until the budget of the dispatch was spent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CascadeError {
    /// The event types that caused each other: a listener of each one sent the next, or recorded a command that caused it.
    pub cycle: Vec<&'static str>,
    /// Whether the last type caused the first. If not, `cycle` is the whole chain of causes.
    pub is_circle: bool,
    /// Rounds that were dispatched.
    pub rounds: usize,
    /// Events that listeners caused.
    pub sent: u64,
    /// Events that were not delivered.
    pub dropped: usize,
}

impl fmt::Display for CascadeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rounds, sent, dropped, .. } = self;
        write!(f, "listeners kept causing events, {sent} in {rounds} rounds: {}", self.cycle.join(" → "))?;
        if let (true, Some(first)) = (self.is_circle, self.cycle.first()) {
            write!(f, " → {first}")?;
        }
        write!(f, "; {dropped} of them were dropped: let a listener stop, or raise the budget of a dispatch")
    }
}

impl std::error::Error for CascadeError {}
