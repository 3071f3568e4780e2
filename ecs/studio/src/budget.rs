//! [`Budget`]: the time that one look through much data may take, since the program waits for it.

use std::cell::Cell;
use std::time::{Duration, Instant};

/// Leaves a frame at 30 frames a second its time.
const MAX_TIME: Duration = Duration::from_millis(30);
/// Looks at entities or events that are always made, also on a machine that is busy: they take little time.
const CHEAP_LOOKS: u32 = 256;

/// The time left for a look through much data.
pub(crate) struct Budget {
    begun: Instant,
    /// Looks that do not depend on the time.
    free: Cell<u32>,
}

impl Budget {
    /// For looks at entities or events.
    pub(crate) fn begin() -> Self {
        Self { begun: Instant::now(), free: Cell::new(CHEAP_LOOKS) }
    }

    /// For looks that take long themselves, of which so many are always made.
    pub(crate) fn of_looks(count: u32) -> Self {
        Self { free: Cell::new(count), ..Self::begin() }
    }

    /// Whether to stop after a look, and to answer with what was found so far.
    pub(crate) fn is_spent(&self) -> bool {
        let free = self.free.get();
        self.free.set(free.saturating_sub(1));
        free == 0 && self.begun.elapsed() > MAX_TIME
    }
}
