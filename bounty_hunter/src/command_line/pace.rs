//! Waiting for the next step of a match without a window.

use std::thread::park_timeout;
use std::time::{Duration, Instant};

/// The most time that is made up for by steps without a wait. A process that stood still for longer, such as one that
/// was stopped or whose machine slept, goes on from there: peers of a match would take the steps of a minute at once
/// for a minute of silence.
const MOST_BEHIND: Duration = Duration::from_millis(133);

/// The time between two looks for requests while nothing runs.
#[cfg(feature = "studio")]
pub(super) const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

/// Steps of equal length.
pub(super) struct Pace {
    step: Duration,
    due: Instant,
}

impl Pace {
    /// Begins now.
    pub(super) fn new(step: Duration, now: Instant) -> Self {
        Self { step, due: now }
    }

    /// Waits for the next step.
    pub(super) fn wait(&mut self) {
        wait_until(self.next(Instant::now()));
    }

    /// As [`Pace::wait`]; calls `serve` again and again meanwhile.
    #[cfg(feature = "studio")]
    pub(super) fn wait_and(&mut self, mut serve: impl FnMut()) {
        let due = self.next(Instant::now());
        while let Some(left) = due.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) {
            park_timeout(left.min(BETWEEN_LOOKS));
            serve();
        }
    }

    /// The time of the next step.
    fn next(&mut self, now: Instant) -> Instant {
        self.due += self.step;
        if now.saturating_duration_since(self.due) > MOST_BEHIND {
            self.due = now;
        }
        self.due
    }
}

/// Returns at a time, or at once if it is past.
pub(super) fn wait_until(due: Instant) {
    while let Some(wait) = due.checked_duration_since(Instant::now()).filter(|wait| !wait.is_zero()) {
        park_timeout(wait);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The steps that are taken at once at a time, in milliseconds after the beginning.
    fn steps_at(pace: &mut Pace, begun: Instant, now_ms: u64) -> u32 {
        let now = begun + Duration::from_millis(now_ms);
        let mut steps = 0;
        while pace.due <= now {
            pace.next(now);
            steps += 1;
        }
        steps
    }

    #[test]
    fn short_delay_is_made_up_for_and_a_long_one_is_not() {
        let begun = Instant::now();
        let mut pace = Pace::new(Duration::from_millis(10), begun);
        assert_eq!([0, 10, 15, 20].map(|now| steps_at(&mut pace, begun, now)), [1, 1, 0, 1]);
        assert_eq!(steps_at(&mut pace, begun, 100), 8, "the machine was busy");
        assert!(steps_at(&mut pace, begun, 20_000) <= 2, "the process was stopped");
        assert_eq!([20_010, 20_020].map(|now| steps_at(&mut pace, begun, now)), [1, 1]);
    }
}
