//! Time as the engine is told it: whole nanoseconds, added up without rounding.

use std::time::Duration;

/// What time it is for a system; a parameter of systems and listeners. The engine reads no clock: it is told by
/// [`Engine::update`](crate::Engine::update).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Time {
    pub(crate) delta: Duration,
    pub(crate) elapsed: Duration,
    pub(crate) frame: u64,
}

impl Time {
    /// Time since the system last ran: the length of the frame, or more for a system with an interval. A listener gets the
    /// length of the frame.
    #[must_use]
    pub fn delta(self) -> Duration {
        self.delta
    }

    /// [`Time::delta`] in seconds.
    #[must_use]
    pub fn delta_seconds(self) -> f32 {
        self.delta.as_secs_f32()
    }

    /// Sum of the lengths of all frames, this one included.
    #[must_use]
    pub fn elapsed(self) -> Duration {
        self.elapsed
    }

    /// Number of the frame, from 1; 0 before the first.
    #[must_use]
    pub fn frame(self) -> u64 {
        self.frame
    }
}
