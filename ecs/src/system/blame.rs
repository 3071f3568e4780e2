//! [`Blame`]: what wrote a field in the frames that were run while it was watched, or why nothing did.
//!
//! The executor calls [`FieldWatcher`] before and after each unit of work: a method of a system, a listener with one
//! event, a command. All run on the calling thread, in execution order, while a field is watched.

mod field;
mod scan;
mod state;
mod suspects;
mod watch;

use std::fmt;

pub use self::field::{Field, FieldValue};
pub(crate) use self::field::{Owner, Readers, walking};
pub(crate) use self::scan::{Source, steps};
pub(crate) use self::state::{NoSuchPart, StateReaders, SystemKey};
pub(in crate::system) use self::watch::Method;
pub(crate) use self::watch::{FieldWatcher, Request};
use crate::causal_trace::CauseLink;
use crate::entity::EntityId;
use crate::types::Leaf;

/// What wrote a field in the frames that ran between [`Inspector::begin_blame`] and [`Inspector::end_blame`].
///
/// [`Inspector::begin_blame`]: crate::inspect::Inspector::begin_blame
/// [`Inspector::end_blame`]: crate::inspect::Inspector::end_blame
#[derive(Clone, Debug)]
pub struct Blame {
    /// The field.
    pub field: Field,
    /// Its value before the frames, as people read it; `None` if it was not there.
    pub before: Option<String>,
    /// Its value after them.
    pub after: Option<String>,
    /// The changes, in the order in which they were made. Of more than 1,000, the last ones.
    pub writes: Vec<Write>,
    /// What could have written it and did not, in execution order.
    pub suspects: Vec<Suspect>,
    /// The places that had a value before a unit ran, if they were looked for.
    pub(crate) sources: Vec<Source>,
    /// There were too many values to look at.
    pub(crate) is_scan_cut: bool,
}

/// A change of a field.
#[derive(Clone, Debug)]
pub struct Write {
    /// The frame.
    pub frame: u64,
    /// What made it.
    pub by: Writer,
    /// What it was.
    pub kind: WriteKind,
    /// The values that changed, at most 20 of them.
    pub changes: Vec<ValueChange>,
    /// What led to it, the oldest first: events and commands, the last of which was delivered or applied then. Empty
    /// for a method of a phase.
    pub cause: Vec<CauseLink>,
    /// The number of the unit of work.
    pub(crate) unit: u64,
    /// The new value, if it is the only one that changed.
    pub(crate) leaf: Option<Leaf>,
}

/// What a write did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteKind {
    /// It changed values.
    Changed,
    /// The component, the resource or the system came to be.
    Inserted,
    /// It was removed.
    Removed,
    /// The entity came to be.
    Spawned,
    /// The entity was despawned.
    Despawned,
    /// The component, or its entity, was enabled.
    Enabled,
    /// It was disabled.
    Disabled,
}

/// A value in a field, or the field itself, that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueChange {
    /// The name with its path, such as `pocket.carried`.
    pub name: String,
    /// The value before, as people read it; `None` if it was not there.
    pub before: Option<String>,
    /// The value after.
    pub after: Option<String>,
}

/// What made a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Writer {
    /// The program, between two frames.
    Program,
    /// A method of a system, in a phase.
    System {
        /// Name of the system.
        system: &'static str,
        /// Name of the phase.
        phase: &'static str,
        /// Names of its methods in that phase that may write the field, as `read_back`; none for a plain function and
        /// for a closure.
        methods: Vec<&'static str>,
    },
    /// A listener, called with one event.
    Listener {
        /// Name of the system.
        system: &'static str,
        /// Name of the event type.
        event: &'static str,
        /// Name of the method; `None` for a plain function and for a closure.
        method: Option<&'static str>,
        /// The number of the event; `None` for `Despawning`, which is not traced.
        number: Option<u64>,
        /// The event, as people read it, if its type is registered for saving.
        value: Option<String>,
    },
    /// A method that a transition of a state machine calls.
    TransitionMethod {
        /// Name of the system.
        system: &'static str,
        /// Name of the type of the states.
        states: &'static str,
    },
    /// The engine, making a transition.
    Transition {
        /// Name of the type of the states.
        states: &'static str,
    },
    /// A condition of a system, which is checked before it runs.
    Conditions,
    /// The engine at the end of a frame, adding and removing systems that come and go.
    EndOfFrame,
    /// The engine, applying a command.
    Command {
        /// "insert", "despawn" and so on.
        command: &'static str,
        /// Name of the system that recorded it.
        system: &'static str,
        /// The number of the event that the system heard when it recorded it.
        heard: Option<u64>,
    },
}

/// A method that may write a field, by its declared access, and did not change it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suspect {
    /// Name of the system.
    pub system: &'static str,
    /// The method: "in update by `read_back`", "in its listener `on_struck` for Struck".
    pub place: String,
    /// Why it did not change the field.
    pub reason: WhyNot,
}

/// Why a method did not change a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhyNot {
    /// The system is disabled.
    Disabled,
    /// A condition of the system or of one of its sets was false: these may have been.
    Condition(Vec<String>),
    /// Its timer was not due.
    NotDue,
    /// The listener is not subscribed.
    NotSubscribed,
    /// No event of its type was delivered to it.
    NoEvent,
    /// No transition called it.
    NoTransition,
    /// A panic ended the frame before.
    NotReached,
    /// No query of the method that writes the component matches the entity: a sentence that names the term.
    NoMatch(String),
    /// It was called so often, and left the value as it was or wrote the same one.
    SameValue {
        /// The number of calls.
        calls: u64,
    },
}

impl fmt::Display for Blame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tell(f, |_, _| Ok(()))
    }
}

impl Blame {
    /// Writes it as text; `behind` adds to a write, by its place.
    pub(crate) fn tell(
        &self,
        f: &mut fmt::Formatter<'_>,
        behind: impl Fn(&mut fmt::Formatter<'_>, usize) -> fmt::Result,
    ) -> fmt::Result {
        let Self { field, before, after, writes, suspects, .. } = self;
        let shown = |value: &Option<String>| value.clone().unwrap_or_else(|| "not there".to_owned());
        if writes.is_empty() {
            write!(f, "{field} is {} and did not change", shown(after))?;
            if suspects.is_empty() {
                write!(f, "; no system declares that it writes it")?;
            }
            return suspects.iter().try_for_each(|suspect| write!(f, "\n  {suspect}"));
        }
        write!(f, "{field} was {} and is {}", shown(before), shown(after))?;
        writes.iter().enumerate().try_for_each(|(at, written)| {
            write!(f, "\n  {written}")?;
            behind(f, at)
        })
    }
}

impl fmt::Display for Write {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { frame, by, kind, changes, cause, .. } = self;
        write!(f, "frame {frame}: {by} {kind}")?;
        for (at, change) in changes.iter().enumerate() {
            write!(f, "{} {change}", if at > 0 { "," } else { "" })?;
        }
        if !cause.is_empty() {
            f.write_str("; ")?;
        }
        for (at, link) in cause.iter().enumerate() {
            write!(f, "{}{link}", if at > 0 { " → " } else { "" })?;
        }
        Ok(())
    }
}

impl fmt::Display for WriteKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Changed => "changed",
            Self::Inserted => "inserted",
            Self::Removed => "removed",
            Self::Spawned => "spawned the entity with",
            Self::Despawned => "despawned the entity with",
            Self::Enabled => "enabled",
            Self::Disabled => "disabled",
        })
    }
}

impl fmt::Display for ValueChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, before, after } = self;
        match (before, after) {
            (Some(before), Some(after)) => write!(f, "{name}: {before} → {after}"),
            (Some(value), None) | (None, Some(value)) => write!(f, "{name}: {value}"),
            (None, None) => f.write_str(name),
        }
    }
}

impl fmt::Display for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Program => f.write_str("the program, between frames,"),
            Self::System { system, phase, methods } => write!(f, "{system} {}", in_phase(phase, methods)),
            Self::Listener { system, event, method, value, .. } => {
                write!(f, "{system} {}", in_listener(*method, event))?;
                value.iter().try_for_each(|value| write!(f, " ({value})"))
            }
            Self::TransitionMethod { system, states } => write!(f, "{system}, called by a transition of {states},"),
            Self::Transition { states } => write!(f, "the engine, making a transition of {states},"),
            Self::Conditions => f.write_str("one of its conditions"),
            Self::EndOfFrame => f.write_str("the engine, adding and removing systems at the end of the frame,"),
            Self::Command { command, system, .. } => write!(f, "the command \"{command}\" of {system}"),
        }
    }
}

impl fmt::Display for Suspect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { system, place, reason } = self;
        write!(f, "{system} {place}: {reason}")
    }
}

impl fmt::Display for WhyNot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Disabled => f.write_str("it is disabled"),
            Self::Condition(names) => write!(f, "its condition was false: {}", names.join(", ")),
            Self::NotDue => f.write_str("its timer was not due"),
            Self::NotSubscribed => f.write_str("it is not subscribed"),
            Self::NoEvent => f.write_str("no such event came"),
            Self::NoTransition => f.write_str("no transition called it"),
            Self::NotReached => f.write_str("a panic ended the frame before"),
            Self::NoMatch(sentence) => f.write_str(sentence),
            Self::SameValue { calls: 1 } => f.write_str("it was called and did not change the value"),
            Self::SameValue { calls } => write!(f, "it was called {calls} times and did not change the value"),
        }
    }
}

/// A phase, and the methods in it.
fn in_phase(phase: &str, methods: &[&str]) -> String {
    let by: Vec<_> = methods.iter().map(|method| format!("`{method}`")).collect();
    format!("in {phase}{}{}", if by.is_empty() { "" } else { " by " }, by.join(" or "))
}

/// A listener, with the name of its method.
fn in_listener(method: Option<&str>, event: &str) -> String {
    let method = method.map_or_else(String::new, |method| format!(" `{method}`"));
    format!("in its listener{method} for {event}")
}

/// An entity with its name as people read it.
fn of_entity(entity: EntityId) -> String {
    format!(" of entity {entity}")
}
