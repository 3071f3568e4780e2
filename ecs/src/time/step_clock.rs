//! Turns the times of uneven frames into steps of equal length.

use std::time::Duration;

/// The longest time that one frame makes up for, unless [`StepClock::most_steps`] says otherwise.
const LONGEST_FRAME: Duration = Duration::from_millis(250);

/// The most steps of one frame, unless [`StepClock::most_steps`] says otherwise: steps of nanoseconds, by a mistake,
/// would keep a program busy for minutes.
const MOST_STEPS: u32 = 10_000;

/// Says how many steps of equal length a frame owes: the clock of [`Engine::advance`](crate::Engine::advance), and of
/// programs that take the steps themselves. It counts whole nanoseconds, so that nothing drifts.
///
/// The clock belongs to the program, not to the simulation: it is in no snapshot and no hash, because two runs of one
/// simulation may have different frames.
///
/// # Example
/// ```
/// use ecs::StepClock;
/// use std::time::Duration;
///
/// const MS: Duration = Duration::from_millis(1);
/// let mut clock = StepClock::new(10 * MS).most_steps(4);
/// assert_eq!(clock.advance(25 * MS), Duration::ZERO);
/// assert!(clock.take_step() && clock.take_step() && !clock.take_step());
/// assert_eq!((clock.step(), clock.overstep(), clock.overstep_fraction()), (10 * MS, 5 * MS, 0.5));
/// // A late frame: the time beyond four steps is dropped.
/// assert_eq!(clock.advance(65 * MS), 30 * MS);
/// assert_eq!((clock.due_steps(), clock.overstep_fraction()), (4, 0.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepClock {
    step: Duration,
    most_steps: u32,
    waited: Duration,
    is_halted: bool,
}

impl StepClock {
    /// A clock for steps of this length. A frame owes at most the steps of a quarter of a second, and at least one; at
    /// most 10,000.
    ///
    /// # Panics
    /// If `step` is zero.
    ///
    /// # Example
    /// See [`StepClock`].
    #[must_use]
    pub fn new(step: Duration) -> Self {
        assert!(!step.is_zero(), "the steps of a StepClock have no length: give it a step above zero");
        let most = LONGEST_FRAME.as_nanos() / step.as_nanos();
        let most_steps = u32::try_from(most).unwrap_or(u32::MAX).clamp(1, MOST_STEPS);
        Self { step, most_steps, waited: Duration::ZERO, is_halted: false }
    }

    /// Sets the most steps that a frame owes, so that a late frame does not make the next one later.
    ///
    /// # Example
    /// See [`StepClock`].
    #[must_use]
    pub fn most_steps(self, most_steps: u32) -> Self {
        Self { most_steps, ..self }
    }

    /// Adds the time of a frame. Returns the time that it drops, because more steps than [`StepClock::most_steps`]
    /// would be due: the simulation is then that much later than the real time.
    ///
    /// # Example
    /// See [`StepClock`].
    pub fn advance(&mut self, elapsed: Duration) -> Duration {
        if self.is_halted {
            self.waited = self.step;
            return Duration::ZERO;
        }
        let waited = self.waited.saturating_add(elapsed);
        self.waited = waited;
        if waited.as_nanos() / self.step.as_nanos() > u128::from(self.most_steps) {
            // It does not overflow: more steps than these fit into a `Duration`.
            self.waited = self.step * self.most_steps + self.rest();
        }
        waited - self.waited
    }

    /// Takes one step off the time, if a whole one is due. Steps that are not taken stay due: a program may stop in the
    /// middle of a frame.
    ///
    /// # Example
    /// See [`StepClock`].
    pub fn take_step(&mut self) -> bool {
        let left = self.waited.checked_sub(self.step);
        self.waited = left.unwrap_or(self.waited);
        self.is_halted &= left.is_none();
        left.is_some()
    }

    /// Stands still, because the step that was taken did not run: each frame owes one step, until one is taken and
    /// runs.
    pub(crate) fn halt(&mut self) {
        (self.waited, self.is_halted) = (Duration::ZERO, true);
    }

    /// How many steps are due.
    ///
    /// # Example
    /// See [`StepClock`].
    #[must_use]
    pub fn due_steps(&self) -> u32 {
        // `advance` limits it.
        (self.waited.as_nanos() / self.step.as_nanos()) as u32
    }

    /// The length of a step.
    ///
    /// # Example
    /// See [`StepClock`].
    #[must_use]
    pub fn step(&self) -> Duration {
        self.step
    }

    /// The time since the last step that is due or taken: less than a step.
    ///
    /// # Example
    /// See [`StepClock`].
    #[must_use]
    pub fn overstep(&self) -> Duration {
        self.rest()
    }

    /// [`StepClock::overstep`] as a fraction of a step, for drawing between the last two steps.
    ///
    /// # Example
    /// See [`StepClock`].
    #[must_use]
    pub fn overstep_fraction(&self) -> f32 {
        if self.is_halted {
            return 1.0; // The last step itself.
        }
        (self.rest().as_secs_f64() / self.step.as_secs_f64()) as f32
    }

    fn rest(&self) -> Duration {
        let rest = self.waited.as_nanos() % self.step.as_nanos();
        Duration::new((rest / 1_000_000_000) as u64, (rest % 1_000_000_000) as u32)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Whole numbers do the same.
        #[test]
        fn steps_are_those_that_fit_and_no_time_is_lost_in_silence(
            step in 1_u64..50,
            most in 0_u32..5,
            frames in prop::collection::vec((0_u64..200, 0_u32..6), 1..100),
        ) {
            let mut clock = StepClock::new(Duration::from_nanos(step)).most_steps(most);
            let mut waited = 0;
            for (elapsed, takes) in frames {
                waited += elapsed;
                let due = (waited / step).min(u64::from(most));
                let kept = due * step + waited % step;
                prop_assert_eq!(clock.advance(Duration::from_nanos(elapsed)), Duration::from_nanos(waited - kept));
                prop_assert_eq!(u64::from(clock.due_steps()), due);
                let taken = (0..takes).filter(|_| clock.take_step()).count() as u64;
                prop_assert_eq!(taken, due.min(u64::from(takes)));
                waited = kept - taken * step;
                prop_assert_eq!(clock.overstep(), Duration::from_nanos(waited % step));
            }
        }
    }

    #[test]
    fn a_quarter_of_a_second_is_made_up_for_by_one_step_at_least_and_10_000_at_most() {
        let due = |step| {
            let mut clock = StepClock::new(step);
            clock.advance(Duration::MAX);
            clock.advance(Duration::MAX);
            clock.due_steps()
        };
        assert_eq!(due(Duration::from_millis(10)), 25);
        assert_eq!([due(Duration::from_secs(2)), due(Duration::MAX)], [1, 1]);
        assert_eq!([1, 60, 25_000].map(|nanos| due(Duration::from_nanos(nanos))), [10_000; 3]);
        assert_eq!(due(Duration::from_nanos(25_001)), 9_999);
    }

    #[test]
    fn due_steps_never_exceed_32_bits() {
        let mut clock = StepClock::new(Duration::from_nanos(1)).most_steps(u32::MAX);
        clock.advance(Duration::MAX);
        assert_eq!(clock.due_steps(), u32::MAX);
    }

    #[test]
    #[should_panic(expected = "give it a step above zero")]
    fn steps_without_a_length_are_refused() {
        _ = StepClock::new(Duration::ZERO);
    }
}
