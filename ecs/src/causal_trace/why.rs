//! Chains of causes, built from the causal trace.

use std::any::TypeId;
use std::fmt;

use super::{CausalTrace, CausedBy, TracedChange, TracedEvent};
use crate::entity::EntityId;

/// One link in a chain of causes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CauseLink {
    /// The frame in which it happened.
    pub frame: u64,
    /// The name of the event, or of the command: "spawn", "despawn", "insert" and so on.
    pub what: &'static str,
    /// The system that sent or recorded it; `None` for the engine and the application.
    pub system: Option<&'static str>,
}

/// Why something happened within the traced frames, returned by [`Engine::why`](crate::Engine::why) and
/// [`Engine::why_event`](crate::Engine::why_event). `Display` prints one chain on each line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    /// The chains of causes, the oldest first. Each begins with an event from outside, with a system, or where the
    /// traced frames begin, and ends with the event or change in question.
    pub chains: Vec<Vec<CauseLink>>,
    /// The entity or event in question.
    subject: String,
    /// What did not happen, if there are no chains.
    missing: &'static str,
    /// Number of traced frames; 0 without tracing.
    frames: u64,
}

impl fmt::Display for CauseLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { frame, what, system } = self;
        match system {
            Some(system) => write!(f, "{what} ({system}, frame {frame})"),
            None => write!(f, "{what} (frame {frame})"),
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { chains, subject, missing, frames } = self;
        if *frames == 0 {
            return write!(
                f,
                "{subject}: causes are not traced; build the engine with Engine::builder().trace_causes(…)"
            );
        }
        if chains.is_empty() {
            return write!(f, "{subject}: {missing} in the last {frames} frames");
        }
        for (at, chain) in chains.iter().enumerate() {
            write!(f, "{}{subject}: ", if at > 0 { "\n" } else { "" })?;
            for (at, link) in chain.iter().enumerate() {
                write!(f, "{}{link}", if at > 0 { " → " } else { "" })?;
            }
        }
        Ok(())
    }
}

impl Why {
    pub(crate) fn nothing(subject: String) -> Self {
        Self { chains: Vec::new(), subject, missing: "", frames: 0 }
    }
}

impl CausalTrace {
    /// The commands that changed an entity.
    pub(crate) fn of_entity(&self, entity: EntityId) -> Why {
        let changes = self.changes.iter().filter(|change| change.entities.contains(&entity));
        let chains = changes.map(|change| self.chain(change.link(), change.by)).collect();
        Why { chains, subject: format!("entity {entity}"), missing: "no command changed it", frames: self.frames }
    }

    /// The causes of the last event of a type.
    pub(crate) fn of_event(&self, event_type: TypeId, name: &str) -> Why {
        let event = self.events.iter().rev().find(|event| event.event_type == event_type);
        let chains = event.map(|event| self.chain(event.link(), event.by)).into_iter().collect();
        Why { chains, subject: name.to_owned(), missing: "no such event was sent", frames: self.frames }
    }

    /// The chain that ends with `last`. A cause has a smaller number than its effect, so the chain is finite.
    fn chain(&self, last: CauseLink, by: CausedBy) -> Vec<CauseLink> {
        let mut chain = self.causes(by);
        chain.push(last);
        chain
    }

    /// The chain of causes that ends with the event or command behind `by`, the oldest first.
    pub(crate) fn causes(&self, by: CausedBy) -> Vec<CauseLink> {
        let mut chain = Vec::new();
        let mut cause = Some(by);
        while let Some((link, by)) = cause.and_then(|by| self.link(by)) {
            chain.push(link);
            cause = Some(by);
        }
        chain.reverse();
        chain
    }

    fn link(&self, by: CausedBy) -> Option<(CauseLink, CausedBy)> {
        match by {
            CausedBy::Listener(_, number) => {
                let event = self.events.get(number.checked_sub(self.first_event)? as usize)?;
                Some((event.link(), event.by))
            }
            CausedBy::Change(number) => {
                let change = self.changes.get(number.checked_sub(self.first_change)? as usize)?;
                Some((change.link(), change.by))
            }
            CausedBy::Outside | CausedBy::System(_) | CausedBy::Unknown => None,
        }
    }
}

impl CausedBy {
    fn system(self) -> Option<&'static str> {
        match self {
            Self::System(system) | Self::Listener(system, _) => Some(system),
            Self::Outside | Self::Change(_) | Self::Unknown => None,
        }
    }
}

impl TracedEvent {
    fn link(&self) -> CauseLink {
        CauseLink { frame: self.frame, what: self.name, system: self.by.system() }
    }
}

impl TracedChange {
    fn link(&self) -> CauseLink {
        CauseLink { frame: self.frame, what: self.change, system: self.by.system() }
    }
}
