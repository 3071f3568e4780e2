//! The clock: uneven frame times become even simulation steps.

/// Limit of steps per frame; a slow machine plays slower instead of falling behind.
const MAX_STEPS_PER_FRAME: u32 = 8;

/// Collects frame time and divides it into steps of equal length.
#[derive(Clone, Debug)]
pub(crate) struct FixedClock {
    step_seconds: f64,
    left_over_seconds: f64,
}

impl FixedClock {
    /// A clock for steps of `1 / steps_per_second`, at least one per second.
    pub(crate) fn new(steps_per_second: u32) -> Self {
        Self { step_seconds: 1.0 / f64::from(steps_per_second.max(1)), left_over_seconds: 0.0 }
    }

    /// Adds the length of a frame; returns the number of due steps, at most [`MAX_STEPS_PER_FRAME`]. Further time is dropped.
    pub(crate) fn add(&mut self, frame_seconds: f64) -> u32 {
        if frame_seconds.is_finite() && frame_seconds > 0.0 {
            self.left_over_seconds += frame_seconds.min(self.step_seconds * f64::from(MAX_STEPS_PER_FRAME));
        }
        let mut steps = 0;
        // The tolerance keeps a frame of exactly one step from falling short by rounding.
        while self.left_over_seconds >= self.step_seconds * (1.0 - 1e-6) && steps < MAX_STEPS_PER_FRAME {
            self.left_over_seconds -= self.step_seconds;
            steps += 1;
        }
        self.left_over_seconds = self.left_over_seconds.clamp(0.0, self.step_seconds);
        steps
    }

    /// Position of the shown moment between the last two steps, 0 to 1.
    pub(crate) fn alpha(&self) -> f32 {
        (self.left_over_seconds / self.step_seconds) as f32
    }

    /// Drops collected time, after a pause without frames.
    pub(crate) fn reset(&mut self) {
        self.left_over_seconds = 0.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps_in_ten_seconds(frames_per_second: u32) -> u32 {
        let mut clock = FixedClock::new(60);
        (0..frames_per_second * 10).map(|_| clock.add(1.0 / f64::from(frames_per_second))).sum()
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
        let mut clock = FixedClock::new(60);
        for _ in 0..1000 {
            assert_eq!(clock.add(1.0 / 60.0), 1);
        }
    }

    #[test]
    fn frames_shorter_than_a_step_add_up() {
        let mut clock = FixedClock::new(60);
        let steps: Vec<u32> = (0..8).map(|_| clock.add(1.0 / 240.0)).collect();
        assert_eq!(steps, [0, 0, 0, 1, 0, 0, 0, 1]);
    }

    #[test]
    fn alpha_is_the_share_of_the_next_step() {
        let mut clock = FixedClock::new(50);
        assert_eq!(clock.add(0.035), 1);
        assert!((clock.alpha() - 0.75).abs() < 1e-4);
    }

    #[test]
    fn long_frame_asks_for_eight_steps_and_leaves_no_debt() {
        let mut clock = FixedClock::new(60);
        assert_eq!(clock.add(30.0), 8);
        assert_eq!(clock.add(1.0 / 60.0), 1);
    }

    #[test]
    fn nonsense_from_the_system_clock_is_ignored() {
        let mut clock = FixedClock::new(60);
        assert_eq!(clock.add(f64::NAN) + clock.add(-1.0) + clock.add(f64::INFINITY), 0);
        assert_eq!(clock.alpha(), 0.0);
    }
}
