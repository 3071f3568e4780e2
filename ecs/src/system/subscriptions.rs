//! The parameter that subscribes and unsubscribes listeners.

use std::any::TypeId;
use std::cell::Cell;

use super::System;
use crate::event::{Event, EventManager};

/// Subscribes and unsubscribes listeners, also while events are delivered; a parameter of systems and listeners.
///
/// A listener is named by its system and its event type, as declared in [`System::setup`]. A listener that is
/// subscribed receives the next event of its type, never the one that is being delivered; a listener that is
/// unsubscribed receives no more events. A listener that is subscribed in the middle of a run of events receives the
/// rest of the run after the other listeners.
pub struct Subscriptions<'w> {
    events: &'w EventManager,
    sequence: Option<&'w Cell<u64>>,
}

impl<'w> Subscriptions<'w> {
    pub(crate) fn new(events: &'w EventManager, sequence: Option<&'w Cell<u64>>) -> Self {
        Self { events, sequence }
    }

    /// Subscribes the listeners of system `S` for `E`. Returns whether anything changed.
    pub fn subscribe<S: System, E: Event>(&mut self) -> bool {
        let next = self.sequence.map(|current| current.get() + 1);
        self.events.subscribe(TypeId::of::<S>(), TypeId::of::<E>(), true, next)
    }

    /// Unsubscribes the listeners of system `S` for `E`. Returns whether anything changed.
    pub fn unsubscribe<S: System, E: Event>(&mut self) -> bool {
        self.events.subscribe(TypeId::of::<S>(), TypeId::of::<E>(), false, None)
    }
}
