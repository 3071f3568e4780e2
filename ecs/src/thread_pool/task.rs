//! Work in pieces.

use std::panic::resume_unwind;
use std::sync::PoisonError;

use super::work_queue::sync::{AtomicUsize, Mutex, Ordering, lock};
use crate::panic::{Payload, catch, discard};

/// What is divided. Whoever waits for the systems of a wave takes pieces of their walks meanwhile. Whoever waits for the end of a walk is
/// within a system, and takes nothing: what others do there would run within it, with all that it holds, and be taken for its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The systems of a wave.
    Systems,
    /// The rows of a query.
    Walk,
}

/// Work whose pieces anybody may take who has it.
pub(super) struct Task<'a> {
    pub(super) kind: Kind,
    work: &'a (dyn Fn(usize) + Sync),
    pieces: usize,
    /// The piece that is taken next; beyond the last if none is left.
    next: AtomicUsize,
    /// The first piece that panicked, and with what.
    panic: Mutex<Option<(usize, Payload)>>,
}

impl<'a> Task<'a> {
    pub(super) fn new(kind: Kind, pieces: usize, work: &'a (dyn Fn(usize) + Sync)) -> Self {
        Self { kind, work, pieces, next: AtomicUsize::new(0), panic: Mutex::new(None) }
    }

    /// Takes pieces until none is left. Does not unwind.
    pub(super) fn help(&self) {
        loop {
            // Which piece it is says nothing about others: what they wrote is seen by who waits for all.
            let piece = self.next.fetch_add(1, Ordering::Relaxed);
            if piece >= self.pieces {
                return;
            }
            if let Err(panic) = catch(|| (self.work)(piece)) {
                self.next.store(self.pieces, Ordering::Relaxed);
                self.note(piece, panic);
            }
        }
    }

    /// Keeps the panic of the first piece: all before a piece were begun before it, so that is the one that a single thread would
    /// have met.
    fn note(&self, piece: usize, panic: Payload) {
        let mut kept = lock(&self.panic);
        let other = match &mut *kept {
            Some((first, _)) if *first < piece => Some(panic),
            kept => kept.replace((piece, panic)).map(|(_, panic)| panic),
        };
        drop(kept);
        // To drop it may panic, too, and nobody here may unwind.
        other.into_iter().for_each(discard);
    }

    /// Goes on with the panic of a piece, if there was one.
    ///
    /// # Panics
    /// With it.
    pub(super) fn raise(self) {
        if let Some((_, panic)) = self.panic.into_inner().unwrap_or_else(PoisonError::into_inner) {
            resume_unwind(panic);
        }
    }
}
