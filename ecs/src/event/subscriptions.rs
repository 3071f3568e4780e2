//! The parameter with which a system lets listeners begin and cease to listen while the engine runs.

use std::any::TypeId;
use std::cell::Cell;

use super::{Event, EventManager};
use crate::system::System;

/// Switches listeners on and off, also while events are delivered; a parameter of systems and listeners.
///
/// A listener is named by its system and its event type; which ones there are is declared in
/// [`System::setup`]. One that is subscribed hears the next event of its type, never the one that is
/// being delivered; one that is unsubscribed hears nothing more. A listener that begins in the middle of a run of events
/// hears the rest of the run after the listeners that were there before.
pub struct Subscriptions<'w> {
    events: &'w EventManager,
    sequence: &'w Cell<Option<u64>>,
}

impl<'w> Subscriptions<'w> {
    pub(crate) fn new(events: &'w EventManager, sequence: &'w Cell<Option<u64>>) -> Self {
        Self { events, sequence }
    }

    /// Lets the listeners of system `S` for `E` hear again. Returns whether there is one that did not.
    pub fn subscribe<S: System, E: Event>(&mut self) -> bool {
        let next = self.sequence.get().map(|current| current + 1);
        self.events.subscribe(TypeId::of::<S>(), TypeId::of::<E>(), true, next)
    }

    /// Lets the listeners of system `S` for `E` hear nothing more. Returns whether there is one that did.
    pub fn unsubscribe<S: System, E: Event>(&mut self) -> bool {
        self.events.subscribe(TypeId::of::<S>(), TypeId::of::<E>(), false, None)
    }
}
