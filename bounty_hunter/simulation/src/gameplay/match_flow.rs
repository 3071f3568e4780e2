//! The states of the game, their transitions, and the clock.
//!
//! During a frame the system [`MatchFlow`] counts the clock down and records requests. After the frame
//! `simulation/advance.rs` grants them: it alone changes the state.

use std::fmt;

use ecs::{
    Priority, ResMut, Setup, System,
    state_machine::{State, StateMachine},
};
use serde::{Deserialize, Serialize};

use crate::events::{PauseGame, QuitGame, RestartGame, ResumeGame, StashFull};

use GameState::{GameOver, Initialized, NotInitialized, Paused, Restarted, Running, Started, Terminated};

/// The states of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum GameState {
    /// The engine is empty.
    #[default]
    NotInitialized,
    /// The systems exist, but no match.
    Initialized,
    /// The previous match is being cleared.
    Restarted,
    /// The arena is built and the countdown runs; no collector moves.
    Started,
    /// The clock runs.
    Running,
    /// The match stands still.
    Paused,
    /// The match is over.
    GameOver,
    /// The program ends.
    Terminated,
}

impl GameState {
    /// Whether a match is played: it can be paused.
    #[must_use]
    pub fn is_match(self) -> bool {
        matches!(self, Started | Running)
    }
}

/// Why a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// The clock ran out.
    Time,
    /// A stash reached its capacity.
    StashFull,
    /// At most one player had a life left.
    LastStanding,
}

impl Ending {
    /// The name in tables and in the database.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::StashFull => "stash full",
            Self::LastStanding => "last standing",
        }
    }
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchResult {
    /// Why it ended.
    pub ending: Ending,
    /// The player with the fullest stash among those that stayed in longest; `None` for a draw. With teams, the one
    /// with the fullest stash of the team that has won; its partners have won as well.
    pub winner: Option<u32>,
}

/// A pause is pushed onto the paused state; restarting or ending the game leaves both.
impl State for GameState {
    const TRANSITIONS: &'static [(Self, Self)] = &[
        (NotInitialized, Initialized),
        (Initialized, Restarted),
        (Paused, Restarted),
        (GameOver, Restarted),
        (Restarted, Started),
        (Paused, Started),
        (Started, Paused),
        (Running, Paused),
        (Started, Running),
        (Paused, Running),
        (Running, GameOver),
        (GameOver, Terminated),
        (Paused, Terminated),
        (Initialized, Terminated),
    ];
}

/// A request to change the state of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Request {
    /// Pause.
    Pause,
    /// Resume.
    Resume,
    /// Restart; granted in a pause and after the end.
    Restart,
    /// End the program; granted in a pause and after the end.
    Quit,
    /// End the program from any state: the window was closed.
    Close,
}

/// Resource: state, clock and result. Written by [`MatchFlow`] and `simulation/advance.rs`.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct GameFlow {
    pub(crate) state: StateMachine<GameState, 1>,
    pub(crate) steps_per_second: f32,
    pub(crate) countdown_ticks: u32,
    pub(crate) clock_ticks: u32,
    pub(crate) is_stash_full: bool,
    pub(crate) requests: Vec<Request>,
    pub(crate) result: Option<MatchResult>,
    /// Number of matches built.
    pub(crate) matches: u64,
}

impl GameFlow {
    /// The flow of a game in its first state.
    #[must_use]
    pub fn new(steps_per_second: u32) -> Self {
        Self {
            state: StateMachine::new(NotInitialized),
            steps_per_second: steps_per_second as f32,
            countdown_ticks: 0,
            clock_ticks: 0,
            is_stash_full: false,
            requests: Vec::new(),
            result: None,
            matches: 0,
        }
    }

    /// The state of the game.
    #[must_use]
    pub fn state(&self) -> GameState {
        self.state.current()
    }

    /// Seconds until the match begins.
    #[must_use]
    pub fn countdown_seconds(&self) -> f32 {
        self.countdown_ticks as f32 / self.steps_per_second
    }

    /// Seconds left of the match.
    #[must_use]
    pub fn clock_seconds(&self) -> f32 {
        self.clock_ticks as f32 / self.steps_per_second
    }

    /// The result of the match, from its end until the next match begins.
    #[must_use]
    pub fn result(&self) -> Option<&MatchResult> {
        self.result.as_ref()
    }

    /// Records a request; it is granted or dropped after the frame.
    pub fn request(&mut self, request: Request) {
        self.requests.push(request);
    }

    /// Ticks left of the countdown and of the clock.
    #[must_use]
    pub fn ticks_left(&self) -> (u32, u32) {
        (self.countdown_ticks, self.clock_ticks)
    }
}

/// Prints every field; `paused_from` is the state that a pause returns to, `Running` without a pause.
impl fmt::Debug for GameFlow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { state, steps_per_second, countdown_ticks, clock_ticks, is_stash_full, requests, result, matches } =
            self;
        f.debug_struct("GameFlow")
            .field("state", &state.current())
            .field("paused_from", &state.paused().next().unwrap_or(Running))
            .field("steps_per_second", steps_per_second)
            .field("countdown_ticks", countdown_ticks)
            .field("clock_ticks", clock_ticks)
            .field("is_stash_full", is_stash_full)
            .field("requests", requests)
            .field("result", result)
            .field("matches", matches)
            .finish()
    }
}

/// Counts the clock down and records requests.
#[derive(Debug, Default)]
pub struct MatchFlow;

impl System for MatchFlow {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .priority(Priority::HIGH)
            .pre_update(Self::count_down)
            .listen(Self::on_pause)
            .listen(Self::on_resume)
            .listen(Self::on_restart)
            .listen(Self::on_quit)
            .listen(Self::on_stash_full);
    }
}

impl MatchFlow {
    fn count_down(&mut self, mut flow: ResMut<GameFlow>) {
        match flow.state() {
            Started => flow.countdown_ticks = flow.countdown_ticks.saturating_sub(1),
            Running => flow.clock_ticks = flow.clock_ticks.saturating_sub(1),
            _ => {}
        }
    }

    fn on_pause(&mut self, _: &PauseGame, mut flow: ResMut<GameFlow>) {
        flow.request(Request::Pause);
    }

    fn on_resume(&mut self, _: &ResumeGame, mut flow: ResMut<GameFlow>) {
        flow.request(Request::Resume);
    }

    fn on_restart(&mut self, _: &RestartGame, mut flow: ResMut<GameFlow>) {
        flow.request(Request::Restart);
    }

    fn on_quit(&mut self, _: &QuitGame, mut flow: ResMut<GameFlow>) {
        flow.request(Request::Quit);
    }

    fn on_stash_full(&mut self, _: &StashFull, mut flow: ResMut<GameFlow>) {
        flow.is_stash_full = true;
    }
}
