//! The senders and listeners of each event type, and a check for events without senders or listeners.

use std::fmt;

use super::{EventCounters, EventManager};

/// The senders and listeners of one event type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventRoute {
    /// Name of the event type.
    pub event: &'static str,
    /// Systems that declare to send it, in execution order.
    pub senders: Vec<&'static str>,
    /// Whether the engine sends it, or it was sent or declared from outside of the systems.
    pub comes_from_outside: bool,
    /// Whether the engine itself sends it, and only while it has listeners: lifecycle events.
    pub is_lifecycle: bool,
    /// Whether the application reads it ([`Engine::reader`](crate::Engine::reader)).
    pub is_read_outside: bool,
    /// Systems that listen, in execution order, including unsubscribed ones.
    pub listeners: Vec<&'static str>,
    /// How often it was sent and delivered.
    pub counters: EventCounters,
}

/// An event type without listeners or without senders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventGraphIssue {
    /// It is sent, and no system listens.
    NeverHeard {
        /// Name of the event type.
        event: &'static str,
        /// The systems that send it; empty if it only comes from outside of the systems.
        senders: Vec<&'static str>,
    },
    /// Systems listen to it, and it has no sender.
    NeverSent {
        /// Name of the event type.
        event: &'static str,
        /// The systems that listen.
        listeners: Vec<&'static str>,
    },
}

impl fmt::Display for EventGraphIssue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NeverHeard { event, senders } if senders.is_empty() => {
                write!(f, "{event} is sent from outside of the systems and has no listener")
            }
            Self::NeverHeard { event, senders } => {
                write!(f, "{event} is sent by {} and has no listener", senders.join(", "))
            }
            Self::NeverSent { event, listeners } => {
                write!(f, "{event} has no sender, but these systems listen to it: {}", listeners.join(", "))
            }
        }
    }
}

/// The senders and listeners of all event types; [`Engine::event_graph`](crate::Engine::event_graph) makes it,
/// `Display` prints it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventGraph {
    /// One entry for each event type, sorted by name.
    pub routes: Vec<EventRoute>,
}

impl EventGraph {
    pub(crate) fn of(events: &EventManager, system_name: impl Fn(usize) -> &'static str) -> Self {
        let mut routes: Vec<_> = events
            .types
            .iter()
            .zip(events.iter())
            .map(|(event_type, (_, counters))| EventRoute {
                event: event_type.name,
                senders: event_type.senders.clone(),
                comes_from_outside: event_type.comes_from_outside,
                is_lifecycle: event_type.is_lifecycle,
                is_read_outside: event_type.reader.is_some(),
                listeners: event_type.subscribers.iter().map(|subscriber| system_name(subscriber.system)).collect(),
                counters,
            })
            .collect();
        routes.sort_by_key(|route| route.event);
        Self { routes }
    }

    /// The event types that are sent, by systems or from outside, and have no listeners, or have listeners but no
    /// senders. A reader of the application counts as a listener. A type that has both has no issue, whatever its
    /// listener does with it: a listener that only logs hides that an event has no effect.
    #[must_use]
    pub fn issues(&self) -> Vec<EventGraphIssue> {
        let mut issues = Vec::new();
        for route in &self.routes {
            let is_sent = !route.senders.is_empty() || route.comes_from_outside && !route.is_lifecycle;
            if is_sent && route.listeners.is_empty() && !route.is_read_outside {
                issues.push(EventGraphIssue::NeverHeard { event: route.event, senders: route.senders.clone() });
            }
            if !route.listeners.is_empty() && route.senders.is_empty() && !route.comes_from_outside {
                issues.push(EventGraphIssue::NeverSent { event: route.event, listeners: route.listeners.clone() });
            }
        }
        issues
    }
}

impl fmt::Display for EventGraph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for route in &self.routes {
            let mut senders = route.senders.clone();
            if route.comes_from_outside {
                senders.insert(0, "(outside)");
            }
            let mut listeners = route.listeners.clone();
            if route.is_read_outside {
                listeners.push("(outside)");
            }
            let list = |names: &[&'static str]| match names {
                [] => "(none)".to_owned(),
                names => names.join(", "),
            };
            writeln!(f, "{}: {} -> {}", route.event, list(&senders), list(&listeners))?;
        }
        for issue in self.issues() {
            writeln!(f, "warning: {issue}")?;
        }
        Ok(())
    }
}
