//! The controls of a replay: pause, single steps, speed and seeking.

use bounty_hunter_simulation::keymap::Key;
use bounty_hunter_simulation::simulation::view::{GameState, View};

/// Speeds as multiples of normal speed.
const SPEEDS: [f64; 7] = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0];
const USUAL_SPEED: usize = 2;
/// Distance of the arrow keys while the replay runs.
const SEEK_SECONDS: u64 = 5;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ReplayPlayer {
    /// The first step of the match.
    begin: u64,
    /// The step to start from, also again.
    start: u64,
    steps: u64,
    steps_per_second: u32,
    speed: usize,
    is_running: bool,
    /// Due steps; less than one between frames.
    due: f64,
    target: Option<u64>,
}

impl ReplayPlayer {
    /// A running replay that seeks to the first step of the match.
    pub(crate) fn new(begin: u64, steps: u64, steps_per_second: u32) -> Self {
        let target = (begin > 0).then_some(begin);
        Self { begin, start: begin, steps, steps_per_second, speed: USUAL_SPEED, is_running: true, due: 0.0, target }
    }

    pub(crate) fn speed(&self) -> f64 {
        SPEEDS[self.speed]
    }

    pub(crate) fn is_running(&self) -> bool {
        self.is_running
    }

    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    pub(crate) fn begin(&self) -> u64 {
        self.begin
    }

    /// Starts from a later step of the match.
    pub(crate) fn start_at(&mut self, step: u64) {
        self.start = step.clamp(self.begin.min(self.steps), self.steps);
        self.go_to(self.start);
    }

    /// The step that is sought; `None` as soon as it is shown.
    pub(crate) fn target(&self) -> Option<u64> {
        self.target
    }

    /// Whether a key has a meaning here.
    pub(crate) fn takes(key: Key) -> bool {
        matches!(key, Key::Space | Key::Left | Key::Right | Key::Up | Key::Down)
    }

    /// Applies a key at step `now`.
    pub(crate) fn press(&mut self, key: Key, now: u64) {
        let seek = if self.is_running { SEEK_SECONDS * u64::from(self.steps_per_second) } else { 1 };
        match key {
            Key::Space if self.is_running => self.is_running = false,
            Key::Space => {
                // At the end, Space starts again.
                if now >= self.steps {
                    self.go_to(self.start);
                }
                self.is_running = true;
            }
            Key::Right => self.go_to(self.target.unwrap_or(now).saturating_add(seek)),
            Key::Left => self.go_to(self.target.unwrap_or(now).saturating_sub(seek)),
            Key::Up => self.speed = (self.speed + 1).min(SPEEDS.len() - 1),
            Key::Down => self.speed = self.speed.saturating_sub(1),
            _ => {}
        }
    }

    /// Seeks to a share of the time line, which shows the match.
    pub(crate) fn point(&mut self, share: f32) {
        let steps = self.steps.saturating_sub(self.begin) as f64;
        self.go_to(self.begin + (f64::from(share.clamp(0.0, 1.0)) * steps).round() as u64);
    }

    fn go_to(&mut self, step: u64) {
        self.target = Some(step.max(self.begin).min(self.steps));
        self.due = 0.0;
    }

    /// The step to show a frame after `now`. The replay pauses at the end.
    pub(crate) fn advance(&mut self, now: u64, frame_seconds: f64) -> u64 {
        if let Some(target) = self.target {
            if target == now {
                self.target = None;
            }
            return target;
        }
        if self.is_running && frame_seconds.is_finite() && frame_seconds > 0.0 {
            // Frames longer than a tenth of a second slow the replay down.
            self.due += frame_seconds.min(0.1) * f64::from(self.steps_per_second) * self.speed();
        }
        let steps = self.due.floor();
        self.due -= steps;
        let next = now.saturating_add(steps as u64).min(self.steps);
        if next == self.steps {
            self.is_running = false;
            self.due = 0.0;
        }
        next
    }

    /// Position of the shown moment between two steps, 0 to 1. Only normal speed and slow motion interpolate.
    pub(crate) fn alpha(&self) -> f32 {
        match self.is_running && self.speed() <= 1.0 {
            true => self.due as f32,
            false => 1.0,
        }
    }
}

/// Seconds before the first delivery at which a replay starts, and the most seconds of play to look for one.
const BEFORE_DELIVERY_SECONDS: u64 = 4;
const MOST_OPENING_SECONDS: u64 = 20;

/// Looks for the moment at which a match gets good: shortly before the first delivery to a stash, and not before the
/// end of the countdown.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Opening {
    /// The step after which the clock ran.
    running: Option<u64>,
}

impl Opening {
    /// Follows the match step by step; returns the step to start from, once it is found.
    pub(crate) fn follow(&mut self, step: u64, view: &View, steps_per_second: u32) -> Option<u64> {
        let steps = |seconds: u64| seconds * u64::from(steps_per_second);
        if view.state == GameState::Running {
            self.running.get_or_insert(step);
        }
        let running = self.running?;
        let has_delivered = view.players.iter().any(|player| player.stashed > 0.0);
        if has_delivered {
            return Some(step.saturating_sub(steps(BEFORE_DELIVERY_SECONDS)).max(running));
        }
        // There is no early delivery: the replay starts with the first move.
        (step >= running + steps(MOST_OPENING_SECONDS)).then_some(running)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: f64 = 1.0 / 60.0 + 1e-9;

    fn player() -> ReplayPlayer {
        ReplayPlayer::new(0, 1_000, 60)
    }

    /// The step after some frames.
    fn shown(player: &mut ReplayPlayer, mut now: u64, frames: usize) -> u64 {
        for _ in 0..frames {
            now = player.advance(now, FRAME);
        }
        now
    }

    #[test]
    fn speeds_reach_from_a_quarter_to_sixteen_times() {
        let mut player = player();
        assert_eq!((player.speed(), shown(&mut player, 0, 60)), (1.0, 60));
        (0..9).for_each(|_| player.press(Key::Down, 0));
        assert_eq!((player.speed(), shown(&mut player, 0, 60)), (0.25, 15));
        (0..9).for_each(|_| player.press(Key::Up, 0));
        assert_eq!((player.speed(), shown(&mut player, 0, 30)), (16.0, 480));
    }

    #[test]
    fn paused_replay_moves_by_single_steps_both_ways() {
        let mut player = player();
        player.press(Key::Space, 100);
        assert_eq!(shown(&mut player, 100, 50), 100);
        player.press(Key::Right, 100);
        assert_eq!(shown(&mut player, 100, 3), 101);
        player.press(Key::Left, 101);
        player.press(Key::Left, 101);
        assert_eq!(shown(&mut player, 101, 3), 99);
        player.press(Key::Space, 99);
        assert_eq!(shown(&mut player, 99, 2), 101);
    }

    #[test]
    fn running_replay_seeks_and_goes_on() {
        let mut player = player();
        player.press(Key::Right, 10);
        assert_eq!(player.advance(10, FRAME), 310);
        assert_eq!(player.advance(250, FRAME), 310, "until the target is reached");
        assert_eq!(player.advance(310, FRAME), 310);
        assert_eq!(player.advance(310, FRAME), 311);
        player.press(Key::Left, 200);
        assert_eq!(player.advance(200, FRAME), 0, "not before the first step");
    }

    #[test]
    fn pointing_at_the_time_line_goes_there() {
        let mut player = player();
        player.point(0.25);
        assert_eq!(player.advance(900, FRAME), 250);
        player.point(7.0);
        assert_eq!(player.advance(250, FRAME), 1_000);
    }

    #[test]
    fn end_pauses_the_replay_and_space_starts_again() {
        let mut player = player();
        assert_eq!(shown(&mut player, 990, 20), 1_000);
        assert!(!player.is_running());
        player.press(Key::Space, 1_000);
        assert_eq!(player.advance(1_000, FRAME), 0);
        assert!(player.is_running());
    }

    #[test]
    fn later_match_of_a_session_starts_at_its_own_first_step() {
        let mut player = ReplayPlayer::new(400, 1_000, 60);
        assert_eq!(player.advance(0, FRAME), 400, "straight to its first step");
        assert_eq!(shown(&mut player, 400, 11), 410);
        player.press(Key::Left, 410);
        assert_eq!(player.advance(410, FRAME), 400, "earlier matches are not part of it");
        player.press(Key::Space, 1_000);
        player.press(Key::Space, 1_000);
        assert_eq!(player.advance(1_000, FRAME), 400);
        player.point(0.5);
        assert_eq!(player.advance(1_000, FRAME), 700, "the time line shows the match alone");
        player.point(0.0);
        assert_eq!(player.advance(700, FRAME), 400);
    }

    #[test]
    fn start_can_be_later_than_the_first_step_which_can_still_be_seen() {
        let mut player = ReplayPlayer::new(400, 1_000, 60);
        player.start_at(600);
        assert_eq!(player.advance(400, FRAME), 600);
        assert_eq!(player.advance(600, FRAME), 600);
        player.press(Key::Left, 600);
        assert_eq!(player.advance(600, FRAME), 400);
        player.press(Key::Space, 1_000);
        player.press(Key::Space, 1_000);
        assert_eq!(player.advance(1_000, FRAME), 600, "again from the start");
        player.start_at(7_000);
        assert_eq!(player.advance(600, FRAME), 1_000);
    }

    /// The start that is found in a match with a countdown of 180 steps, and how many steps were looked at.
    fn opening(begin: u64, first_delivery: u64) -> (u64, u64) {
        let mut opening = Opening::default();
        for step in begin.. {
            let mut player = crate::client::sample::player(0);
            player.stashed = if step >= first_delivery { 5.0 } else { 0.0 };
            let state = if step < begin + 180 { GameState::Started } else { GameState::Running };
            let view = View { state, players: vec![player], ..View::empty() };
            if let Some(start) = opening.follow(step, &view, 60) {
                return (start, step);
            }
        }
        unreachable!("it ends with a start")
    }

    #[test]
    fn replay_starts_shortly_before_the_first_delivery_and_after_the_countdown() {
        assert_eq!(opening(0, 700), (700 - 240, 700));
        assert_eq!(opening(0, 300), (180, 300), "not in the countdown");
        assert_eq!(opening(5_000, 5_900), (5_660, 5_900), "of a later match");
        assert_eq!(opening(0, u64::MAX), (180, 1_380), "nobody delivers");
    }

    #[test]
    fn nonsense_from_the_system_clock_is_ignored() {
        let mut player = player();
        for seconds in [f64::NAN, f64::INFINITY, -1.0] {
            assert_eq!(player.advance(5, seconds), 5);
        }
        assert_eq!(player.advance(5, 100.0), 11, "a long frame is no jump");
    }
}
