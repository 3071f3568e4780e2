//! The parameter with which a system sends events.

use std::marker::PhantomData;

use super::buffer::EventBuffer;
use super::{Event, EventTypeId};

/// Sends events of one type; a parameter of systems and listeners.
///
/// Nothing is delivered at once: what a system sends in a phase is delivered when the phases are over, what a listener
/// sends joins the end of the queue.
pub struct Sender<'w, E> {
    buffer: &'w EventBuffer,
    event_type: EventTypeId,
    event: PhantomData<fn(E)>,
}

impl<'w, E: Event> Sender<'w, E> {
    pub(crate) fn new(buffer: &'w EventBuffer, event_type: EventTypeId) -> Self {
        Self { buffer, event_type, event: PhantomData }
    }

    /// Sends `event`: a store into the system's own arena. O(1).
    #[inline]
    pub fn send(&mut self, event: E) {
        self.buffer.push(self.event_type, event);
    }
}
