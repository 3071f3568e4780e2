//! When a system is due: every frame, every so often, or once.

use std::time::Duration;

/// When a system runs. All in whole nanoseconds: nothing drifts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Timer {
    EveryFrame,
    /// `waited` is below `interval` between frames; what is left over stays.
    Every {
        interval: Duration,
        waited: Duration,
        since_last_run: Duration,
    },
    /// Runs once when `left` has passed, then never again until it is set anew.
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

    pub(crate) fn once_after(delay: Duration) -> Self {
        Self::OnceAfter { left: Some(delay), waited: Duration::ZERO }
    }

    /// Lets `delta` pass. Returns the time since the last run if the system is due.
    ///
    /// A system that is due for several intervals at once runs once and gets their sum.
    pub(crate) fn tick(&mut self, delta: Duration) -> Option<Duration> {
        match self {
            Self::EveryFrame => Some(delta),
            Self::Every { interval, waited, since_last_run } => {
                *waited = waited.saturating_add(delta);
                *since_last_run = since_last_run.saturating_add(delta);
                if *waited < *interval {
                    return None;
                }
                let interval_nanos = interval.as_nanos();
                let rest = waited.as_nanos() % interval_nanos;
                *waited = Duration::new((rest / 1_000_000_000) as u64, (rest % 1_000_000_000) as u32);
                Some(std::mem::take(since_last_run))
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
                        Some(std::mem::take(waited))
                    }
                }
            }
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

    #[test]
    fn interval_keeps_its_remainder() {
        let mut timer = Timer::every(ms(100));
        let runs: Vec<_> = (0..5).map(|_| timer.tick(ms(70))).collect();
        assert_eq!(runs, [None, Some(ms(140)), Some(ms(70)), None, Some(ms(140))]);
    }

    #[test]
    fn interval_of_zero_runs_every_frame() {
        assert_eq!(Timer::every(Duration::ZERO).tick(ms(3)), Some(ms(3)));
    }

    #[test]
    fn a_long_frame_runs_once_with_the_sum() {
        let mut timer = Timer::every(ms(100));
        assert_eq!(timer.tick(ms(350)), Some(ms(350)));
        assert_eq!(timer.tick(ms(50)), Some(ms(50)));
    }

    #[test]
    fn one_shot_runs_once() {
        let mut timer = Timer::once_after(ms(100));
        let runs: Vec<_> = (0..4).map(|_| timer.tick(ms(60))).collect();
        assert_eq!(runs, [None, Some(ms(120)), None, None]);
    }

    proptest! {
        #[test]
        fn no_time_is_lost(interval in 1_u64..1_000_000, deltas in prop::collection::vec(1_u64..400_000, 1..200)) {
            let mut timer = Timer::every(Duration::from_nanos(interval));
            let (mut total, mut runs, mut given) = (0, 0, 0);
            for delta in deltas {
                let before = total / interval;
                total += delta;
                let due = timer.tick(Duration::from_nanos(delta));
                prop_assert_eq!(due.is_some(), total / interval > before);
                if let Some(time) = due {
                    runs += 1;
                    given += time.as_nanos() as u64;
                    prop_assert_eq!(given, total);
                }
            }
            prop_assert!(runs <= total / interval);
        }
    }
}
