//! Who sends what and who listens: listed, and checked for ends that lead nowhere.

use std::fmt;

use super::{EventCounters, EventManager};

/// One event type: who sends it and who listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventRoute {
    /// Name of the event type.
    pub event: &'static str,
    /// Systems that declare to send it, in work order.
    pub senders: Vec<&'static str>,
    /// Whether the engine sends it, or it was sent or announced from outside of the systems.
    pub comes_from_outside: bool,
    /// Systems that listen, in work order; one that is unsubscribed at the moment is listed too.
    pub listeners: Vec<&'static str>,
    /// What was sent and delivered so far.
    pub counters: EventCounters,
}

/// An end that leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventGraphFlaw {
    /// Systems send it and nobody listens.
    NeverHeard {
        /// Name of the event type.
        event: &'static str,
        /// Who sends it.
        senders: Vec<&'static str>,
    },
    /// Somebody listens and nobody sends it.
    NeverSent {
        /// Name of the event type.
        event: &'static str,
        /// Who listens.
        listeners: Vec<&'static str>,
    },
}

impl fmt::Display for EventGraphFlaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NeverHeard { event, senders } => {
                write!(f, "{event} is sent by {} and nobody listens", senders.join(", "))
            }
            Self::NeverSent { event, listeners } => {
                write!(f, "{event} is listened to by {} and nobody sends it", listeners.join(", "))
            }
        }
    }
}

/// The event graph of all event types; [`Engine::event_graph`](crate::Engine::event_graph) makes it, `Display` prints it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventGraph {
    /// One entry for each event type, by name.
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
                listeners: event_type.subscribers.iter().map(|subscriber| system_name(subscriber.system)).collect(),
                counters,
            })
            .collect();
        routes.sort_by_key(|route| route.event);
        Self { routes }
    }

    /// The ends that lead nowhere: sent but never heard, heard but never sent.
    #[must_use]
    pub fn flaws(&self) -> Vec<EventGraphFlaw> {
        let mut flaws = Vec::new();
        for route in &self.routes {
            let is_sent = route.comes_from_outside || !route.senders.is_empty();
            if route.listeners.is_empty() && is_sent && !route.senders.is_empty() {
                flaws.push(EventGraphFlaw::NeverHeard { event: route.event, senders: route.senders.clone() });
            }
            if !route.listeners.is_empty() && !is_sent {
                flaws.push(EventGraphFlaw::NeverSent { event: route.event, listeners: route.listeners.clone() });
            }
        }
        flaws
    }
}

impl fmt::Display for EventGraph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for route in &self.routes {
            let mut senders = route.senders.clone();
            if route.comes_from_outside {
                senders.insert(0, "(outside)");
            }
            let list = |names: &[&'static str]| match names {
                [] => "nobody".to_owned(),
                names => names.join(", "),
            };
            writeln!(f, "{}: {} -> {}", route.event, list(&senders), list(&route.listeners))?;
        }
        for flaw in self.flaws() {
            writeln!(f, "warning: {flaw}")?;
        }
        Ok(())
    }
}
