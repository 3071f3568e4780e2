//! Answers to the question why.

use std::any::TypeId;
use std::fmt;

use super::{CausalTrace, CausedBy, TracedChange, TracedEvent};
use crate::entity::EntityId;

/// One link in a chain of causes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CauseLink {
    /// The frame in which it happened.
    pub frame: u64,
    /// The name of the event, or what a command did: "spawn", "despawn", "insert" and so on.
    pub what: &'static str,
    /// The system that sent or asked for it; `None` for the engine itself and for whoever has the engine.
    pub system: Option<&'static str>,
}

/// Why something happened, as far as the traced frames tell; `Display` prints the chains, a line each.
///
/// [`Engine::why`](crate::Engine::why) and [`Engine::why_event`](crate::Engine::why_event) return it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    /// The chains of causes, the oldest first, each from its beginning to what was asked about. A chain begins with what was sent from
    /// outside, with what a system did by itself, or where the traced frames begin.
    pub chains: Vec<Vec<CauseLink>>,
    /// What was asked about.
    subject: String,
    /// How many frames are traced; 0 if none are.
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
        let Self { chains, subject, frames } = self;
        if *frames == 0 {
            return write!(
                f,
                "{subject}: causes are not traced; build the engine with Engine::builder().trace_causes(…)"
            );
        }
        if chains.is_empty() {
            return write!(f, "{subject}: nothing is known of it in the last {frames} frames");
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
        Self { chains: Vec::new(), subject, frames: 0 }
    }
}

impl CausalTrace {
    /// What commands did to an entity.
    pub(crate) fn of_entity(&self, entity: EntityId) -> Why {
        let changes = self.changes.iter().filter(|change| change.entities.contains(&entity));
        let chains = changes.map(|change| self.chain(change.link(), change.by)).collect();
        Why { chains, subject: format!("entity {entity}"), frames: self.frames }
    }

    /// What led to the last event of a type.
    pub(crate) fn of_event(&self, event_type: TypeId, name: &str) -> Why {
        let event = self.events.iter().rev().find(|event| event.event_type == event_type);
        let chains = event.map(|event| self.chain(event.link(), event.by)).into_iter().collect();
        Why { chains, subject: name.to_owned(), frames: self.frames }
    }

    /// The links that lead to `last`, which is the end of the chain. CausalTrace have smaller numbers than what they cause, so there is
    /// a beginning.
    fn chain(&self, last: CauseLink, by: CausedBy) -> Vec<CauseLink> {
        let mut chain = vec![last];
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
