//! [`Budget`]: the time that one look through much data may take, since the program waits for it.

use std::time::{Duration, Instant};

/// Leaves a frame at 30 frames a second its time.
const MAX_TIME: Duration = Duration::from_millis(30);

/// The time left for a look through much data.
pub(crate) struct Budget {
    begun: Instant,
}

impl Budget {
    pub(crate) fn begin() -> Self {
        Self { begun: Instant::now() }
    }

    /// Whether to stop, and to answer with what was found so far.
    pub(crate) fn is_spent(&self) -> bool {
        self.begun.elapsed() > MAX_TIME
    }
}
