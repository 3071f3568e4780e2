//! Whose turn it is: a system's timer and switch, and what both say of the frame that is running.

use std::time::Duration;

use super::timer::{CatchUp, Due, Timer};

/// A system's timer, its switch, and what it is due for.
///
/// Who runs in every frame is due as long as it is enabled, in a frame and between two. So nothing has to be done for it when a
/// frame begins; all others wait for [`RunState::tick`].
pub(crate) struct RunState {
    timer: Timer,
    catch_up: CatchUp,
    is_enabled: bool,
    due: Option<Due>,
}

impl RunState {
    pub(super) fn new(timer: Timer, catch_up: CatchUp, is_enabled: bool) -> Self {
        let mut turn = Self { timer, catch_up, is_enabled, due: None };
        turn.settle();
        turn
    }

    pub(crate) fn timer(&self) -> Timer {
        self.timer
    }

    pub(super) fn catch_up(&self) -> CatchUp {
        self.catch_up
    }

    pub(crate) fn is_enabled(&self) -> bool {
        self.is_enabled
    }

    /// What it runs for in this frame, if it does.
    #[inline]
    pub(super) fn due(&self) -> Option<Due> {
        self.due
    }

    /// Whether [`RunState::tick`] is what it is due by.
    pub(super) fn waits_for_ticks(&self) -> bool {
        self.timer != Timer::EveryFrame
    }

    pub(super) fn set_timer(&mut self, timer: Timer) {
        self.timer = timer;
        self.settle();
    }

    pub(super) fn set_enabled(&mut self, is_enabled: bool) {
        self.is_enabled = is_enabled;
        self.settle();
    }

    /// Lets `delta` pass if it is enabled, and works out what it is due for.
    pub(super) fn tick(&mut self, delta: Duration) {
        self.due = if self.is_enabled { self.timer.tick(delta, self.catch_up) } else { None };
    }

    /// Takes back that it was due, since it did not come to its turn.
    pub(super) fn defer(&mut self) {
        if let Some(due) = self.due.take() {
            self.timer.defer(due);
        }
        self.settle();
    }

    /// Makes it due by its switch alone, if that is all that decides.
    fn settle(&mut self) {
        if !self.waits_for_ticks() {
            self.due = self.is_enabled.then_some(Due::InFrame);
        }
    }
}
