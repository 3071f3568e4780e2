//! Work in pieces.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::board::sync::{AtomicUsize, Mutex, Ordering, lock};

/// What is divided. Whoever waits for the end of one walk may take pieces of another one meanwhile, but no systems: they would run
/// within each other, and be taken for each other's time.
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
    /// What the first call panicked with that did.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

impl<'a> Task<'a> {
    pub(super) fn new(kind: Kind, pieces: usize, work: &'a (dyn Fn(usize) + Sync)) -> Self {
        Self { kind, work, pieces, next: AtomicUsize::new(0), panic: Mutex::new(None) }
    }

    /// Takes pieces until none is left.
    pub(super) fn help(&self) {
        loop {
            // Which piece it is says nothing about others: what they wrote is seen by who waits for all.
            let piece = self.next.fetch_add(1, Ordering::Relaxed);
            if piece >= self.pieces {
                return;
            }
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| (self.work)(piece))) {
                self.next.store(self.pieces, Ordering::Relaxed);
                lock(&self.panic).get_or_insert(panic);
            }
        }
    }

    /// Goes on with the panic of a piece, if there was one.
    ///
    /// # Panics
    /// With it.
    pub(super) fn raise(self) {
        let panic = lock(&self.panic).take();
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
    }
}
