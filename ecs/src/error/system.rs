//! Errors of systems: of adding, of ordering and of running them.

use std::fmt;

use super::SnapshotError;

/// A system cannot be added, or the systems cannot be ordered.
#[derive(Clone, PartialEq, Eq)]
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
    /// A state machine of these states was added already.
    StateMachineAlreadyAdded {
        /// Name of the type of the states.
        states: &'static str,
    },
    /// The events of this type have a reader already.
    ReaderAlreadyOpen {
        /// Name of the event.
        event: &'static str,
    },
    /// No system of this type was added.
    NotAdded {
        /// Name of the system.
        system: &'static str,
    },
    /// The system cannot be removed, because another one is declared to run after or before it.
    Needed {
        /// Name of the system.
        system: &'static str,
        /// Name of the other system.
        by: &'static str,
        /// `"after"` or `"before"`.
        relation: &'static str,
    },
    /// The system cannot be removed, because commands of it wait: a panic ended the last frame.
    CommandsWait {
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
        /// Name of the system or function.
        system: &'static str,
        /// Name of the method; that of the function again, if it is a function.
        method: &'static str,
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
        /// Name of the condition.
        condition: String,
        /// What is wrong with the condition, and the remedy.
        problem: String,
    },
    /// The event is for listeners only: it does not outlive the command that causes it.
    Unreadable {
        /// Name of the event type.
        event: &'static str,
    },
    /// A component type cannot need another one.
    Requirement {
        /// Name of the component type.
        component: &'static str,
        /// Name of the type that it was to need.
        needed: &'static str,
        /// Why.
        problem: &'static str,
    },
    /// A component type cannot get a hook.
    Hook {
        /// Name of the component type.
        component: &'static str,
        /// Why, and the remedy.
        problem: &'static str,
    },
    /// A system or function cannot have one of its settings.
    Settings {
        /// Name of the system or function.
        system: &'static str,
        /// The setting, the reason and the remedy.
        problem: String,
    },
    /// A system cannot be in the [presentation](crate::Engine::presentation).
    Presents {
        /// Name of the system.
        system: &'static str,
        /// What it does that only the simulation may do, and the remedy.
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
    /// A system has methods for states of which the engine has no machine.
    UnknownStates {
        /// Name of the system.
        system: &'static str,
        /// Name of the type of the states.
        states: &'static str,
    },
    /// The declared order of systems has a cycle.
    Cycle {
        /// Names of systems and sets: each one runs before the next, and the last one before the first.
        systems: Vec<&'static str>,
    },
    /// A system stood still in a frame, because it would have run too often.
    TooManyRuns {
        /// Name of the system.
        system: &'static str,
        /// The number of runs.
        runs: u64,
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
            Self::StateMachineAlreadyAdded { states } => {
                write!(f, "a state machine of {states} was added already: an engine has one of a type")
            }
            Self::Unreadable { event } => write!(f, "{event} is for listeners only: read `Despawned` instead"),
            Self::Requirement { component, needed, problem } => {
                write!(f, "{component} cannot need {needed}: {problem}")
            }
            Self::Hook { component, problem } => write!(f, "{component} cannot get a hook: {problem}"),
            Self::ReaderAlreadyOpen { event } => {
                write!(
                    f,
                    "event {event} has a reader already, which takes its events: pass them on from there, or drop it first"
                )
            }
            Self::NotAdded { system } => write!(f, "system {system} was not added to the engine"),
            Self::Needed { system, by, relation } => write!(
                f,
                "system {system} cannot be removed: {by} runs {relation} {system}; remove {by} first, or disable {system}"
            ),
            Self::CommandsWait { system } => write!(
                f,
                "system {system} cannot be removed: its commands wait, since a panic ended the last frame; run a frame first, \
                 which applies them"
            ),
            Self::NoSuchFunction { function } => {
                write!(f, "function {function} is over or was cancelled: add it again")
            }
            Self::Conflict { system, method, conflict } if system == method => {
                write!(f, "function {system} cannot be called: {conflict}")
            }
            Self::Conflict { system, method, conflict } if method.contains("{closure") => {
                write!(f, "a closure of system {system} cannot be called: {conflict}")
            }
            Self::Conflict { system, method, conflict } => {
                write!(f, "method {method} of system {system} cannot be called: {conflict}")
            }
            Self::Types { system, error } => write!(f, "system {system} cannot name a type: {error}"),
            Self::Condition { system, condition, problem } if condition.contains("{closure") => {
                write!(f, "a condition of {system} cannot be checked: {problem}")
            }
            Self::Condition { system, condition, problem } => {
                write!(f, "condition {condition} of {system} cannot be checked: {problem}")
            }
            Self::Settings { system, problem } => write!(f, "{system} cannot be added: {problem}"),
            Self::Presents { system, problem } => write!(f, "{system} cannot be in the presentation: {problem}"),
            Self::UnknownDependency { system, relation, dependency } => write!(
                f,
                "{system} runs {relation} {dependency}, which is neither a system, a function nor a set of the engine: add it or drop the dependency"
            ),
            Self::UnknownStates { system, states } => write!(
                f,
                "{system} is called by transitions of {states}, of which there is no machine: call Engine::add_state_machine"
            ),
            Self::Cycle { systems } => {
                write!(f, "systems wait for each other: ")?;
                for system in systems {
                    write!(f, "{system} → ")?;
                }
                write!(f, "{}: drop one of these dependencies", systems.first().copied().unwrap_or_default())
            }
            Self::TooManyRuns { system, runs } => write!(
                f,
                "system {system} stood still in this frame, in which it would have run {runs} times: update by a shorter time, or let it \
                 catch up by CatchUp::Sum"
            ),
        }
    }
}

crate::sentence::impl_error!(SetupError);

/// An error that a method of a system, or a function that an engine calls, returned.
#[derive(Clone, PartialEq, Eq)]
pub struct SystemError {
    /// Name of the system or function.
    pub system: &'static str,
    /// The method: its phase, as `update`, or `its listener for Bumped`.
    pub place: String,
    /// The text of the error.
    pub message: String,
}

impl fmt::Display for SystemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "system {} failed in {}: {}", self.system, self.place, self.message)
    }
}

crate::sentence::impl_error!(SystemError);
