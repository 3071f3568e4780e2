//! Panics of systems: caught at the system, so that the rest of the phase or of the run of events goes on, and raised
//! again with the name of the system.
//!
//! Each panic is logged, and the first one in execution order is raised. No thread ends early, so the state that a
//! panic leaves behind is the same at any number of threads.

use std::fmt::Display;
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};

use crate::limits::{LimitError, error_of};
use crate::panic::{Payload, discard, is_limit, placed, text_of};
use crate::system::node::PhaseEntry;

/// The panics of a phase, of a run of events or of a command.
#[derive(Default)]
pub(super) struct Panics {
    /// Each panic with its system. Locked only by threads that caught one.
    caught: Mutex<Vec<(usize, Payload)>>,
}

impl Panics {
    /// Keeps a panic of `system`; `place` says where, as in "system A panicked in update".
    #[cold]
    pub(super) fn note(&self, system: usize, place: impl Display, payload: Payload) {
        let text = text_of(&payload).unwrap_or("a value that is not a text");
        if !is_limit(&payload) {
            tracing::error!(target: "ecs::system", %place, text, "panicked");
        }
        let payload = placed(place, payload);
        self.caught.lock().unwrap_or_else(PoisonError::into_inner).push((system, payload));
    }

    /// Keeps a panic of a listener.
    #[cold]
    pub(super) fn note_in_listener(&self, system: usize, name: &str, event: &str, payload: Payload) {
        self.note(system, format_args!("system {name} panicked in its listener for {event}"), payload);
    }

    /// Takes out what reached a limit; returns the first error.
    pub(super) fn take_limits(&mut self) -> Option<LimitError> {
        let caught = self.caught.get_mut().unwrap_or_else(PoisonError::into_inner);
        let reached = caught.extract_if(.., |(_, payload)| is_limit(payload));
        // To the end, since what is not taken out stays.
        reached.fold(None, |first, (_, payload)| first.or_else(|| Some(error_of(payload))))
    }

    pub(super) fn is_empty(&mut self) -> bool {
        self.caught.get_mut().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// Brings panics that were caught on several threads into execution order.
    pub(super) fn sort(&mut self, order: &[PhaseEntry]) {
        let caught = self.caught.get_mut().unwrap_or_else(PoisonError::into_inner);
        caught.sort_by_key(|(system, _)| order.iter().position(|entry| entry.system == *system));
    }

    /// Raises the first panic, if there is one.
    ///
    /// # Panics
    /// With a message that begins with the place, or with the value of the panic if that is not a text.
    pub(super) fn raise(self) {
        let caught = self.caught.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut caught = caught.into_iter().map(|(_, payload)| payload);
        let Some(payload) = caught.next() else { return };
        caught.for_each(discard);
        match payload.downcast::<String>() {
            Ok(message) => panic!("{message}"),
            Err(payload) => resume_unwind(payload),
        }
    }
}
