//! Recordings of matches: how a match was set up, what entered it in each step, and hashes of its state to tell by whether
//! it goes the same way again.
//!
//! A [`Recorder`] watches a simulation and yields a [`Replay`]; a [`Playback`] plays it again. What is kept in
//! a file are the bytes of [`Replay::to_bytes`], and [`Replay::from_bytes`] reads them. A [`Seeker`] seeks in it.
//!
//! ```
//! use bounty_hunter::assets::Assets;
//! use bounty_hunter::input::{Inputs, Key};
//! use bounty_hunter::replay::{Playback, Recorder, Replay};
//! use bounty_hunter::simulation::{MatchSetup, Seat, Simulation};
//! use ecs::Engine;
//!
//! let assets = Assets::built_in();
//! let setup = MatchSetup { seed: 7, seats: vec![Seat::Human { keys: 0 }; 2], play_seconds: None };
//! let mut simulation = Simulation::new(&assets, &setup)?;
//! let mut recorder = Recorder::new("classic", &assets, &setup)?;
//! for step in 0..500 {
//!     let inputs = if step == 200 { Inputs::none().key_down(Key::W) } else { Inputs::none() };
//!     simulation.step(&inputs);
//!     recorder.note(&inputs, &simulation);
//! }
//! let bytes = recorder.replay(&simulation).to_bytes();
//!
//! let replay = Replay::from_bytes(&bytes)?;
//! let mut playback = Playback::new(replay, &assets, Engine::builder().threads(2))?;
//! playback.verify()?;
//! assert_eq!(playback.simulation().state_hash(), simulation.state_hash());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod file;
mod playback;
mod recorder;
mod seeker;

pub use self::error::{Difference, ReplayError};
pub use self::file::MOST_BYTES;
pub use self::playback::Playback;
pub use self::recorder::Recorder;
pub use self::seeker::Seeker;

use ecs::recording::Recording;
use serde::{Deserialize, Serialize};

use crate::data::input::Inputs;
use crate::simulation::MatchSetup;

/// Steps from one hash of the state to the next.
pub const STEPS_PER_HASH: u64 = 60;

/// A recorded match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Replay {
    about: About,
    /// What entered, and hashes of the state: after every [`STEPS_PER_HASH`] steps, and after the last.
    recording: Recording<Inputs, u64>,
}

/// What a replay says about its match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct About {
    /// Version of the program that recorded it.
    pub version: String,
    /// The mode that was played.
    pub mode: String,
    /// The level that it was played in.
    pub level: String,
    /// Seed of every random number and who played.
    pub setup: MatchSetup,
    /// [`configuration_hash`](crate::simulation::configuration_hash) of the set-up and the assets.
    pub configuration: u64,
    /// Simulation steps per second of play.
    pub steps_per_second: u32,
    /// Steps that were recorded.
    pub steps: u64,
    /// The step with which the match begins that the replay is of; before it are those that the same people played before.
    pub begin: u64,
}

impl Replay {
    /// What it says about its match.
    #[must_use]
    pub fn about(&self) -> &About {
        &self.about
    }

    /// The same replay as one of the match that begins with step `begin`, or with the last step where that is earlier.
    #[must_use]
    pub fn beginning_at(mut self, begin: u64) -> Self {
        self.about.begin = begin.min(self.about.steps);
        self
    }

    /// Hash of the state after the last step; 0 if there is no step.
    #[must_use]
    pub fn last_hash(&self) -> u64 {
        self.recording.last_state().map_or(0, |(_, hash)| *hash)
    }
}
