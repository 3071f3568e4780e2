//! The clock: uneven frame times become even simulation steps.

use std::time::Duration;

use ecs::StepClock;

/// Limit of steps per frame; a slow machine plays slower instead of falling behind.
const MAX_STEPS_PER_FRAME: u32 = 8;

/// A clock for steps of `1 / steps_per_second`, at least one per second.
pub(crate) fn step_clock(steps_per_second: u32) -> StepClock {
    let step = Duration::from_nanos(1_000_000_000 / u64::from(steps_per_second.max(1)));
    StepClock::new(step.max(Duration::from_nanos(1))).most_steps(MAX_STEPS_PER_FRAME)
}

/// Adds the length of a frame, unless it is nonsense; takes the steps that are due, and returns their number. Time for
/// more than [`MAX_STEPS_PER_FRAME`] is dropped.
pub(crate) fn due_steps(clock: &mut StepClock, frame_seconds: f64) -> u32 {
    let dropped = clock.advance(Duration::try_from_secs_f64(frame_seconds).unwrap_or_default());
    if !dropped.is_zero() {
        tracing::debug!(target: "bounty_hunter::client", ?dropped, "a late frame dropped time");
    }
    std::iter::from_fn(|| clock.take_step().then_some(())).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps_in_ten_seconds(frames_per_second: u32) -> u32 {
        let mut clock = step_clock(60);
        (0..frames_per_second * 10).map(|_| due_steps(&mut clock, 1.0 / f64::from(frames_per_second))).sum()
    }

    #[test]
    fn game_runs_at_one_speed_at_every_frame_rate() {
        for frames_per_second in [24, 30, 59, 60, 75, 144, 240, 1000] {
            let steps = steps_in_ten_seconds(frames_per_second);
            assert!((599..=600).contains(&steps), "{steps} steps at {frames_per_second} fps");
        }
    }

    #[test]
    fn one_step_is_due_in_each_frame_of_exactly_one_step() {
        let mut clock = step_clock(60);
        for _ in 0..1000 {
            assert_eq!(due_steps(&mut clock, 1.0 / 60.0), 1);
        }
    }

    #[test]
    fn frames_shorter_than_a_step_add_up() {
        let mut clock = step_clock(60);
        let steps: Vec<u32> = (0..8).map(|_| due_steps(&mut clock, 1.0 / 240.0)).collect();
        assert_eq!(steps, [0, 0, 0, 1, 0, 0, 0, 1]);
    }

    #[test]
    fn alpha_is_the_share_of_the_next_step() {
        let mut clock = step_clock(50);
        assert_eq!(due_steps(&mut clock, 0.035), 1);
        assert!((clock.overstep_fraction() - 0.75).abs() < 1e-4);
    }

    #[test]
    fn long_frame_asks_for_eight_steps_and_leaves_no_debt() {
        let mut clock = step_clock(60);
        assert_eq!(due_steps(&mut clock, 30.0), 8);
        assert_eq!(due_steps(&mut clock, 1.0 / 60.0), 1);
    }

    #[test]
    fn nonsense_from_the_system_clock_is_ignored() {
        let mut clock = step_clock(60);
        assert_eq!(
            due_steps(&mut clock, f64::NAN) + due_steps(&mut clock, -1.0) + due_steps(&mut clock, f64::INFINITY),
            0
        );
        assert_eq!(clock.overstep_fraction(), 0.0);
    }
}
