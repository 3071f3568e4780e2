//! Work that is divided into chunks.

use std::panic::resume_unwind;
use std::sync::PoisonError;

use super::work_queue::sync::{AtomicUsize, Mutex, Ordering, lock};
use crate::panic::{Payload, catch, discard};

/// The kind of work. A thread that waits for the systems of a wave assists with their iterations. A thread that waits
/// for an iteration is within a system and takes nothing: helping there would nest another system inside this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The systems of a wave.
    Systems,
    /// The rows of a query.
    Iteration,
}

/// Work whose chunks any thread may take.
pub(super) struct Task<'a> {
    pub(super) kind: Kind,
    work: &'a (dyn Fn(usize) + Sync),
    chunks: usize,
    /// The next chunk to take; beyond the last one if none is left.
    next: AtomicUsize,
    /// The first chunk that panicked, and its panic.
    panic: Mutex<Option<(usize, Payload)>>,
}

impl<'a> Task<'a> {
    pub(super) fn new(kind: Kind, chunks: usize, work: &'a (dyn Fn(usize) + Sync)) -> Self {
        Self { kind, work, chunks, next: AtomicUsize::new(0), panic: Mutex::new(None) }
    }

    /// Takes chunks until none is left. Does not unwind.
    pub(super) fn help(&self) {
        loop {
            // Relaxed, because leaving the offer orders what the chunks wrote.
            let chunk = self.next.fetch_add(1, Ordering::Relaxed);
            if chunk >= self.chunks {
                return;
            }
            if let Err(panic) = catch(|| (self.work)(chunk)) {
                self.next.store(self.chunks, Ordering::Relaxed);
                self.note(chunk, panic);
            }
        }
    }

    /// Keeps the panic of the first chunk. Chunks are begun in order, so a single thread would have met the same panic.
    fn note(&self, chunk: usize, panic: Payload) {
        let mut kept = lock(&self.panic);
        let other = match &mut *kept {
            Some((first, _)) if *first < chunk => Some(panic),
            kept => kept.replace((chunk, panic)).map(|(_, panic)| panic),
        };
        drop(kept);
        // Dropping the payload may panic, and this must not unwind.
        other.into_iter().for_each(discard);
    }

    /// Raises the panic of a chunk, if there was one.
    ///
    /// # Panics
    /// With that panic.
    pub(super) fn raise(self) {
        if let Some((_, panic)) = self.panic.into_inner().unwrap_or_else(PoisonError::into_inner) {
            resume_unwind(panic);
        }
    }
}
