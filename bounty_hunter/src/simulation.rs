//! The headless game: created from assets and a set-up, stepped with inputs, looked at through views.

use crate::view::GameState;

/// Who plays a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seat {
    /// A person, with the keys of `keymap.people[keys]`.
    Human {
        /// Index into the keymap's people.
        keys: usize,
    },
    /// An AI with a profile from `assets/ai`.
    Ai {
        /// Name of the profile.
        profile: String,
    },
    /// Whatever [`Inputs::intents`] says.
    Script,
}

/// What a simulation is created with, besides the assets.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchSetup {
    /// Seed of every random number.
    pub seed: u64,
    /// One entry for each player, 1 to 10,000.
    pub seats: Vec<Seat>,
    /// Length of the match, instead of the assets' `play_seconds`.
    pub play_seconds: Option<f32>,
}

/// What a step led to, as far as whoever steps must act on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepReport {
    /// Steps since the simulation was created.
    pub tick: u64,
    /// The state after the step; at `Terminated` stepping has no further effect.
    pub state: GameState,
}
