//! Waiting for the next step of a match without a window.

use std::thread::park_timeout;
use std::time::Instant;

/// Returns at a time, or at once if it is past.
pub(super) fn wait_until(due: Instant) {
    while let Some(wait) = due.checked_duration_since(Instant::now()).filter(|wait| !wait.is_zero()) {
        park_timeout(wait);
    }
}
