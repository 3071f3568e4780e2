//! What becomes of a panic in a system: it is caught where it happens, so that everybody else of the phase or of the run of
//! events is served first, and raised again with the name of the system.
//!
//! Nothing that was caught is lost from sight: each panic is logged, and the first one in work order goes on its way. What
//! is left behind is the same at any number of threads, since none of them ends early.

use std::fmt::Display;
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};

use crate::panic::{Payload, discard, text_of};
#[cfg(feature = "parallel")]
use crate::system::node::PhaseEntry;

/// The panics of a phase, of a run of events or of a command.
#[derive(Default)]
pub(super) struct Panics {
    /// Each with the system that it came from. Locked by whoever panics, and by nobody else.
    caught: Mutex<Vec<(usize, Payload)>>,
}

impl Panics {
    /// Keeps a panic of `system`; `place` says where, as in "system A panicked in update".
    #[cold]
    pub(super) fn note(&self, system: usize, place: impl Display, payload: Payload) {
        let payload: Payload = match text_of(&payload) {
            Some(text) => {
                tracing::error!(target: "ecs::system", "{place}: {text}");
                Box::new(format!("{place}: {text}"))
            }
            None => {
                tracing::error!(target: "ecs::system", "{place}, with a value that is not a text");
                payload
            }
        };
        self.caught.lock().unwrap_or_else(PoisonError::into_inner).push((system, payload));
    }

    pub(super) fn is_empty(&mut self) -> bool {
        self.caught.get_mut().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// Brings panics that were caught on several threads into work order.
    #[cfg(feature = "parallel")]
    pub(super) fn sort(&mut self, order: &[PhaseEntry]) {
        let caught = self.caught.get_mut().unwrap_or_else(PoisonError::into_inner);
        caught.sort_by_key(|(system, _)| order.iter().position(|entry| entry.system == *system));
    }

    /// Goes on with the first panic, if there is one.
    ///
    /// # Panics
    /// With a message that begins with the place, or with the value that the system panicked with if that is not a text.
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
