//! Replays: the set-up of a match, its inputs, and hashes of its state, which verify a playback.
//!
//! A [`Recorder`] records a simulation as a [`Replay`]; a [`Playback`] plays it again; a [`Seeker`] seeks in it.
//! [`Replay::to_bytes`] and [`Replay::from_bytes`] convert it to and from the content of a file.
//!
//! ```
//! use bounty_hunter_simulation::assets::Assets;
//! use bounty_hunter_simulation::input::{Inputs, Intent};
//! use bounty_hunter_simulation::replay::{Playback, Recorder, Replay};
//! use bounty_hunter_simulation::simulation::{MatchSetup, Seat, Simulation};
//! use ecs::Engine;
//!
//! let assets = Assets::built_in();
//! let setup = MatchSetup { seed: 7, seats: vec![Seat::Human { person: 0 }; 2], play_seconds: None };
//! let mut simulation = Simulation::new(&assets, &setup)?;
//! let mut recorder = Recorder::new("classic", &assets, &setup)?;
//! for step in 0..500 {
//!     let forward = Intent { drive: 1.0, turn: 0.5 };
//!     let inputs = if step == 200 { Inputs::none().intent(0, forward) } else { Inputs::none() };
//!     simulation.step(&inputs);
//!     recorder.note(&inputs, &mut simulation);
//! }
//! let bytes = recorder.replay(&mut simulation).to_bytes();
//!
//! let replay = Replay::from_bytes(&bytes)?;
//! let mut playback = Playback::new(replay, &assets, Engine::builder().threads(2))?;
//! playback.verify()?;
//! assert_eq!(playback.state_hash(), simulation.state_hash());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod file;
mod playback;
mod recorder;
mod seeker;

pub use self::error::{Difference, ReplayError};
pub use self::file::MAX_BYTES;
pub use self::playback::Playback;
pub use self::recorder::Recorder;
pub use self::seeker::Seeker;

use ecs::recording::Recording;
use serde::{Deserialize, Serialize};

use crate::data::input::{Command, Inputs};
use crate::simulation::MatchSetup;

/// The steps between two hashes of the state.
pub const STEPS_PER_HASH: u64 = 60;

/// A recorded match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Replay {
    about: About,
    /// The inputs, and hashes of the state after each [`STEPS_PER_HASH`] steps and after the last.
    recording: Recording<Inputs, u64>,
}

/// The description of a recorded match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct About {
    /// The version of the program that recorded it.
    pub version: String,
    /// Its mode.
    pub mode: String,
    /// Its level.
    pub level: String,
    /// Its seed, seats and length.
    pub setup: MatchSetup,
    /// [`configuration_hash`](crate::simulation::configuration_hash) of the set-up and the assets.
    pub configuration: u64,
    /// Simulation steps per second of play.
    pub steps_per_second: u32,
    /// The number of recorded steps.
    pub steps: u64,
    /// The first step of the match; earlier steps belong to earlier matches of the same session.
    pub begin: u64,
}

impl Replay {
    /// The description of its match.
    #[must_use]
    pub fn about(&self) -> &About {
        &self.about
    }

    /// The replay with `begin` as the first step of its match; at most its last step.
    #[must_use]
    pub fn beginning_at(mut self, begin: u64) -> Self {
        self.about.begin = begin.min(self.about.steps);
        self
    }

    /// The replay with the inputs of some steps alone, and without the hashes of its states.
    #[must_use]
    pub fn with_inputs_of(&self, is_kept: impl Fn(u64) -> bool) -> Self {
        let (mut recording, mut inputs) = (Recording::new(), self.recording.inputs().peekable());
        for step in 1..=self.recording.frames() {
            let own = inputs.next_if(|(at, _)| *at == step).filter(|_| is_kept(step));
            recording.frame(own.map(|(_, inputs)| inputs.clone()));
        }
        Self { about: self.about.clone(), recording }
    }

    /// The replay itself, if it has no changes by hand.
    ///
    /// # Errors
    /// - [`ReplayError::Edited`] if it has changes by hand.
    pub fn without_edits(self) -> Result<Self, ReplayError> {
        match self.first_refused(|inputs| inputs.edits.is_empty()) {
            Some(step) => Err(ReplayError::Edited { step }),
            None => Ok(self),
        }
    }

    /// The first step with a cheat or a change by hand, from 1; `None` without any.
    #[must_use]
    pub fn first_cheat(&self) -> Option<u64> {
        let is_cheat = |command: &Command| matches!(command, Command::Cheat(_));
        self.first_refused(|inputs| inputs.edits.is_empty() && !inputs.commands.iter().any(is_cheat))
    }

    /// Whether it has the hash of the state after each [`STEPS_PER_HASH`] steps, as a recorder writes them.
    #[must_use]
    pub fn has_all_hashes(&self) -> bool {
        let regular = self.recording.states().filter(|(step, _)| step.is_multiple_of(STEPS_PER_HASH));
        regular.count() as u64 == self.about.steps / STEPS_PER_HASH
    }

    /// The first step whose inputs are refused by `is_allowed`, from 1; `None` without any.
    pub fn first_refused(&self, is_allowed: impl Fn(&Inputs) -> bool) -> Option<u64> {
        self.recording.inputs().find(|(_, inputs)| !is_allowed(inputs)).map(|(step, _)| step)
    }

    /// The hash of the state after the last step; 0 without steps.
    #[must_use]
    pub fn last_hash(&self) -> u64 {
        self.recording.last_state().map_or(0, |(_, hash)| *hash)
    }
}
