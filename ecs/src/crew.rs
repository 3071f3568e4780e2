//! The threads of an engine: they help whoever runs a frame.
//!
//! A frame runs on the thread that calls for it. Work that can be divided is offered in pieces: who offers it takes pieces, and so
//! does every helper that has nothing to do. Nobody is waited for but who has taken a piece, so a helper that sleeps costs no more
//! than the call that wakes it, and one that wakes late finds nothing left to do.

mod board;
#[cfg(test)]
mod loom_tests;
mod task;

use std::error::Error;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use self::board::Board;
pub(crate) use self::task::Kind;

/// Threads at most: more than any machine of today has cores for.
const MOST_THREADS: usize = 1024;

/// Helpers, and the board on which work is offered to them.
pub(crate) struct Crew {
    board: Arc<Board>,
    /// A walk over fewer rows, and a system that touches fewer components, is not worth waking a thread for.
    pub(crate) rows_worth_a_thread: usize,
    helpers: Vec<JoinHandle<()>>,
}

impl Crew {
    /// A crew of so many threads, of which whoever calls for a frame is one; of [`MOST_THREADS`] at most.
    ///
    /// # Errors
    /// If the platform has no threads, or no more.
    pub(crate) fn start(threads: usize, rows_worth_a_thread: usize) -> Result<Self, Box<dyn Error>> {
        let threads = threads.min(MOST_THREADS);
        // Each thread divides a walk at most, and one the systems of a wave besides.
        let board = Arc::new(Board::with_offers(threads + 1));
        let mut crew = Self { board, rows_worth_a_thread, helpers: Vec::with_capacity(threads) };
        for number in 1..threads {
            let board = Arc::clone(&crew.board);
            let helper = thread::Builder::new().name(format!("ecs-{number}"));
            // Those that have begun end with the crew if one does not.
            crew.helpers.push(helper.spawn(move || board.help_to_the_end())?);
        }
        Ok(crew)
    }

    /// How many threads may work at the same time.
    pub(crate) fn threads(&self) -> usize {
        self.helpers.len() + 1
    }

    /// Calls `work` with each number below `pieces`, once, on whichever threads have time, this one among them; returns when all
    /// calls have ended. O(pieces), and allocates nothing.
    ///
    /// # Panics
    /// If a call does, with what the first of those pieces panicked with; pieces that nobody has begun are left out then.
    pub(crate) fn divide(&self, kind: Kind, pieces: usize, work: &(dyn Fn(usize) + Sync)) {
        self.board.divide(kind, pieces, work);
    }

    /// Calls `work` with the elements of `all` at the `picked` places, which ascend, as [`Crew::divide`] does.
    ///
    /// # Panics
    /// As [`Crew::divide`], and if the places do not ascend or are not there.
    pub(crate) fn for_each_of<T: Send>(
        &self,
        kind: Kind,
        all: &mut [T],
        picked: &[usize],
        work: impl Fn(usize, &mut T) + Sync,
    ) {
        board::for_each_of(&self.board, kind, all, picked, work);
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.board.end();
        for helper in self.helpers.drain(..) {
            // Helpers catch the panics of what they do.
            let _ = helper.join();
        }
    }
}
