//! The progress of a long simulation, on one line of standard error.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Shorter work shows no progress.
const QUIET: Duration = Duration::from_secs(1);
/// Time between two lines.
pub(crate) const BETWEEN_LINES: Duration = Duration::from_millis(200);
const CLEAR_LINE: &str = "\r\x1b[2K";

/// Shows nothing unless standard error is a terminal and the work takes longer than a second.
pub(crate) struct Progress {
    matches: u64,
    started: Instant,
    is_terminal: bool,
    next_line_after: Duration,
    is_shown: bool,
}

impl Progress {
    /// Starts the clock for this many matches.
    pub(crate) fn start(matches: u64) -> Self {
        Self {
            matches,
            started: Instant::now(),
            is_terminal: io::stderr().is_terminal(),
            next_line_after: QUIET,
            is_shown: false,
        }
    }

    /// Reports the steps done in a match; matches are counted from 1.
    pub(crate) fn step(&mut self, match_number: u64, ticks: u64) {
        let elapsed = self.started.elapsed();
        if self.is_terminal
            && let Some(line) = self.line(elapsed, match_number, ticks)
        {
            self.is_shown = true;
            // Progress that cannot be shown does not stop the simulation.
            let _ = write!(io::stderr(), "{CLEAR_LINE}{line}");
        }
    }

    /// Clears the line for other output.
    pub(crate) fn clear(&mut self) {
        if self.is_shown {
            self.is_shown = false;
            let _ = write!(io::stderr(), "{CLEAR_LINE}");
        }
    }

    /// The line to show at this time, if it is due.
    fn line(&mut self, elapsed: Duration, match_number: u64, ticks: u64) -> Option<String> {
        if elapsed < self.next_line_after {
            return None;
        }
        self.next_line_after = elapsed + BETWEEN_LINES;
        Some(format!("match {match_number} of {}, step {ticks}, {} s", self.matches, elapsed.as_secs()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_after_a_second_and_five_times_a_second() {
        let mut progress = Progress::start(7);
        let mut line_at = |milliseconds| progress.line(Duration::from_millis(milliseconds), 2, 30);
        assert_eq!(line_at(999), None);
        assert_eq!(line_at(1000).as_deref(), Some("match 2 of 7, step 30, 1 s"));
        assert_eq!(line_at(1199), None);
        assert!(line_at(1200).is_some());
    }
}
