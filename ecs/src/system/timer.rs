//! When a system is due: in every frame, in intervals, or once.

use std::time::Duration;

/// What a timed system does in a frame that spans several of its intervals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum CatchUp {
    /// It runs once, with the whole time since its last run as [`Time::delta`](crate::Time::delta). For systems that
    /// multiply by time.
    #[default]
    Sum,
    /// It runs once for each interval that has passed, with one interval as [`Time::delta`](crate::Time::delta). For
    /// systems that count or step. Everything else is the same in each run, including
    /// [`Time::elapsed`](crate::Time::elapsed).
    ///
    /// There is no limit: in a frame of an hour, a system with an interval of a millisecond runs 3,600,000 times. An
    /// application whose frames may be long limits the `delta` of [`Engine::update`](crate::Engine::update).
    EachInterval,
}

/// How a system runs in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Due {
    /// Once, with the time of the frame.
    InFrame,
    Timed {
        /// Runs in each phase, at least one.
        runs: u64,
        /// The `delta` of each run.
        delta: Duration,
    },
}

impl Due {
    /// How often it runs.
    pub(crate) fn runs(self) -> u64 {
        match self {
            Self::InFrame => 1,
            Self::Timed { runs, .. } => runs,
        }
    }

    /// One run with `delta`.
    pub(crate) fn once(delta: Duration) -> Self {
        Self::Timed { runs: 1, delta }
    }
}

/// The timer of a system, in whole nanoseconds, so that nothing drifts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Timer {
    EveryFrame,
    /// `waited` is below `interval` between frames, unless the system was deferred.
    Every {
        interval: Duration,
        waited: Duration,
        since_last_run: Duration,
    },
    /// Runs once when `left` has passed; `None` afterwards.
    OnceAfter {
        left: Option<Duration>,
        waited: Duration,
    },
}

impl Timer {
    pub(crate) fn every(interval: Duration) -> Self {
        if interval.is_zero() {
            return Self::EveryFrame;
        }
        Self::Every { interval, waited: Duration::ZERO, since_last_run: Duration::ZERO }
    }

    /// Whether it runs at most once more.
    pub(crate) fn is_once(&self) -> bool {
        matches!(self, Self::OnceAfter { left: Some(_), .. })
    }

    pub(crate) fn once_after(delay: Duration) -> Self {
        Self::OnceAfter { left: Some(delay), waited: Duration::ZERO }
    }

    /// A timer that is never due.
    pub(crate) fn over() -> Self {
        Self::OnceAfter { left: None, waited: Duration::ZERO }
    }

    /// Whether it is never due again.
    pub(crate) fn is_over(&self) -> bool {
        matches!(self, Self::OnceAfter { left: None, .. })
    }

    /// Advances by `delta`. Returns how the system is due, if it is.
    pub(crate) fn tick(&mut self, delta: Duration, catch_up: CatchUp) -> Option<Due> {
        match self {
            Self::EveryFrame => Some(Due::InFrame),
            Self::Every { interval, waited, since_last_run } => {
                *waited = waited.saturating_add(delta);
                *since_last_run = since_last_run.saturating_add(delta);
                if *waited < *interval {
                    return None;
                }
                let intervals = waited.as_nanos() / interval.as_nanos();
                let rest = waited.as_nanos() % interval.as_nanos();
                *waited = Duration::new((rest / 1_000_000_000) as u64, (rest % 1_000_000_000) as u32);
                match catch_up {
                    CatchUp::Sum => Some(Due::once(std::mem::take(since_last_run))),
                    CatchUp::EachInterval => {
                        *since_last_run = *waited;
                        Some(Due::Timed { runs: u64::try_from(intervals).unwrap_or(u64::MAX), delta: *interval })
                    }
                }
            }
            Self::OnceAfter { left, waited } => {
                let remaining = (*left)?;
                *waited = waited.saturating_add(delta);
                match remaining.checked_sub(delta) {
                    Some(still) if !still.is_zero() => {
                        *left = Some(still);
                        None
                    }
                    _ => {
                        *left = None;
                        Some(Due::once(std::mem::take(waited)))
                    }
                }
            }
        }
    }

    /// How many intervals end within `delta`, if the system runs once for each of them; otherwise at most one.
    fn runs_in(&self, delta: Duration, catch_up: CatchUp) -> u128 {
        match (self, catch_up) {
            (Self::Every { interval, waited, .. }, CatchUp::EachInterval) => {
                waited.saturating_add(delta).as_nanos() / interval.as_nanos()
            }
            _ => 1,
        }
    }

    /// Called if the system was due and did not run: it is due in the next frame, with the time of both frames.
    pub(crate) fn defer(&mut self, due: Due) {
        let Due::Timed { runs, delta } = due else { return };
        // More runs than fit in 32 bits do not happen in practice.
        let runs = u32::try_from(runs).unwrap_or(u32::MAX);
        match self {
            Self::EveryFrame => {}
            Self::Every { interval, waited, since_last_run } => {
                *waited = waited.saturating_add(interval.saturating_mul(runs));
                *since_last_run = since_last_run.saturating_add(delta.saturating_mul(runs));
            }
            Self::OnceAfter { left, waited } => (*left, *waited) = (Some(Duration::ZERO), delta),
        }
    }
}

/// The most runs of a system in a frame: more of them are a mistake, and would not end.
pub(crate) const MOST_RUNS: u128 = 1 << 24;

/// The timer, the enabled flag, the result of the conditions and the due state of a system.
///
/// A system that runs every frame is due whenever it is enabled and its conditions hold, so a new frame does nothing
/// for it. The others become due by [`RunState::tick`].
#[repr(C)]
pub(crate) struct RunState {
    is_enabled: bool,
    /// Whether its conditions hold in this frame.
    holds: bool,
    catch_up: CatchUp,
    due: Option<Due>,
    timer: Timer,
}

impl RunState {
    pub(super) fn new(timer: Timer, catch_up: CatchUp, is_enabled: bool) -> Self {
        let mut run_state = Self { timer, catch_up, is_enabled, holds: true, due: None };
        run_state.update_due();
        run_state
    }

    pub(crate) fn timer(&self) -> Timer {
        self.timer
    }

    pub(crate) fn catch_up(&self) -> CatchUp {
        self.catch_up
    }

    pub(crate) fn is_enabled(&self) -> bool {
        self.is_enabled
    }

    /// How it runs in this frame, if it does.
    #[inline]
    pub(super) fn due(&self) -> Option<Due> {
        self.due
    }

    /// Whether it becomes due by [`RunState::tick`].
    pub(super) fn waits_for_ticks(&self) -> bool {
        self.timer != Timer::EveryFrame
    }

    pub(super) fn set_timer(&mut self, timer: Timer) {
        self.timer = timer;
        self.update_due();
    }

    pub(super) fn set_enabled(&mut self, is_enabled: bool) {
        self.is_enabled = is_enabled;
        self.update_due();
    }

    /// Whether its conditions hold in this frame.
    pub(super) fn holds(&self) -> bool {
        self.holds
    }

    /// Sets whether its conditions hold in this frame.
    pub(super) fn set_holds(&mut self, holds: bool) {
        self.holds = holds;
        self.update_due();
    }

    /// Advances the timer by `delta` if the system is enabled and its conditions hold.
    ///
    /// # Errors
    /// The number of runs if there would be more than [`MOST_RUNS`]: the timer stands still.
    pub(super) fn tick(&mut self, delta: Duration) -> Result<(), u128> {
        self.due = None;
        if self.is_enabled && self.holds {
            let runs = self.timer.runs_in(delta, self.catch_up);
            if runs > MOST_RUNS {
                return Err(runs);
            }
            self.due = self.timer.tick(delta, self.catch_up);
        }
        Ok(())
    }

    /// The system was due and did not run.
    pub(super) fn defer(&mut self) {
        if let Some(due) = self.due.take() {
            self.timer.defer(due);
        }
        self.update_due();
    }

    /// Updates `due` of a system that runs every frame.
    fn update_due(&mut self) {
        if !self.waits_for_ticks() {
            self.due = (self.is_enabled && self.holds).then_some(Due::InFrame);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    /// The `delta` of a system that runs at most once in a frame.
    fn told(timer: &mut Timer, delta: Duration) -> Option<Duration> {
        let Due::Timed { runs, delta } = timer.tick(delta, CatchUp::Sum)? else { return Some(delta) };
        assert_eq!(runs, 1);
        Some(delta)
    }

    #[test]
    fn interval_keeps_its_remainder() {
        let mut timer = Timer::every(ms(100));
        let runs: Vec<_> = (0..5).map(|_| told(&mut timer, ms(70))).collect();
        assert_eq!(runs, [None, Some(ms(140)), Some(ms(70)), None, Some(ms(140))]);
    }

    #[test]
    fn interval_of_zero_is_every_frame() {
        assert_eq!(Timer::every(Duration::ZERO), Timer::EveryFrame);
    }

    #[test]
    fn a_long_frame_runs_once_with_the_sum() {
        let mut timer = Timer::every(ms(100));
        assert_eq!(told(&mut timer, ms(350)), Some(ms(350)));
        assert_eq!(told(&mut timer, ms(50)), Some(ms(50)));
    }

    #[test]
    fn catch_up_by_intervals_runs_once_for_each_interval() {
        let mut timer = Timer::every(ms(100));
        assert_eq!(timer.tick(ms(350), CatchUp::EachInterval), Some(Due::Timed { runs: 3, delta: ms(100) }));
        assert_eq!(timer.tick(ms(49), CatchUp::EachInterval), None);
        assert_eq!(timer.tick(ms(1), CatchUp::EachInterval), Some(Due::once(ms(100))));
    }

    #[test]
    fn changing_catch_up_counts_no_time_twice() {
        let mut timer = Timer::every(ms(100));
        assert_eq!(timer.tick(ms(130), CatchUp::EachInterval), Some(Due::once(ms(100))));
        assert_eq!(timer.tick(ms(70), CatchUp::Sum), Some(Due::once(ms(100))));
    }

    #[test]
    fn longest_frame_does_not_overflow() {
        let mut timer = Timer::every(Duration::from_nanos(1));
        let delta = Duration::from_nanos(1);
        assert_eq!(timer.tick(Duration::MAX, CatchUp::EachInterval), Some(Due::Timed { runs: u64::MAX, delta }));
    }

    #[test]
    fn one_shot_runs_once() {
        let mut timer = Timer::once_after(ms(100));
        let runs: Vec<_> = (0..4).map(|_| told(&mut timer, ms(60))).collect();
        assert_eq!(runs, [None, Some(ms(120)), None, None]);
        assert!(timer.is_over() && Timer::over().is_over() && !Timer::once_after(ms(0)).is_over());
    }

    proptest! {
        #[test]
        fn no_time_is_lost(
            interval in 1_u64..1_000_000,
            deltas in prop::collection::vec(1_u64..400_000, 1..200),
            catch_up in prop::sample::select(vec![CatchUp::Sum, CatchUp::EachInterval]),
        ) {
            let mut timer = Timer::every(Duration::from_nanos(interval));
            let (mut total, mut runs, mut given) = (0, 0, 0);
            for delta in deltas {
                let before = total / interval;
                total += delta;
                let due = timer.tick(Duration::from_nanos(delta), catch_up);
                prop_assert_eq!(due.is_some(), total / interval > before);
                if let Some(Due::Timed { runs: new, delta }) = due {
                    runs += new;
                    given += new * delta.as_nanos() as u64;
                    let expected = if catch_up == CatchUp::Sum { total } else { total / interval * interval };
                    prop_assert_eq!(given, expected);
                }
            }
            match catch_up {
                CatchUp::Sum => prop_assert!(runs <= total / interval),
                CatchUp::EachInterval => prop_assert_eq!(runs, total / interval),
            }
        }
    }
}
