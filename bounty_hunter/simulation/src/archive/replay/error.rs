//! Errors of reading and playing replays, and the difference between a match and its replay.

use std::fmt;

use ecs::recording::SecondRun;

use super::file::{FORMAT, MAX_BYTES};
use crate::assets::UnknownName;
use crate::simulation::SimulationError;

/// Why a replay cannot be read or played.
#[derive(Debug)]
pub enum ReplayError {
    /// The bytes are not a replay.
    NotAReplay,
    /// A newer version wrote it in a format that this version does not read.
    Newer {
        /// The format.
        format: u16,
    },
    /// An older version wrote it in a format that this version does not read.
    Older {
        /// The format.
        format: u16,
    },
    /// It ends too early.
    Truncated {
        /// Its length, bytes.
        bytes: u64,
        /// The expected length, bytes.
        of: u64,
    },
    /// It is longer than its header says, or than [`MAX_BYTES`].
    TooLong,
    /// Its content is damaged; the text says how.
    Damaged(&'static str),
    /// The assets lack its mode or its level.
    Unknown(UnknownName),
    /// It was recorded with other assets.
    Configuration,
    /// The match cannot be set up.
    Simulation(SimulationError),
    /// It changes the match by hand: in the studio, or in the tables of a save.
    Edited {
        /// The first step before which it does, from 1.
        step: u64,
    },
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAReplay => f.write_str("it is not a replay"),
            Self::Newer { format } => {
                write!(f, "a newer version wrote it in format {format}, this version reads formats up to {FORMAT}")
            }
            Self::Older { format } => {
                write!(
                    f,
                    "an older version wrote it in format {format}, this version reads format {FORMAT}: play it with that version"
                )
            }
            Self::Truncated { bytes, of } => write!(f, "it ends after {bytes} of {of} bytes"),
            Self::TooLong => write!(f, "it is longer than its header says, or than {MAX_BYTES} bytes"),
            Self::Damaged(how) => write!(f, "it is damaged: {how}"),
            Self::Unknown(error) => error.fmt(f),
            Self::Configuration => f.write_str("it was recorded with other assets: name their directory with --assets"),
            Self::Simulation(error) => error.fmt(f),
            Self::Edited { step } => {
                write!(
                    f,
                    "it changes the match by hand before step {step}: if you trust who made it, play it with --edits"
                )
            }
        }
    }
}

impl std::error::Error for ReplayError {}

impl From<SimulationError> for ReplayError {
    fn from(error: SimulationError) -> Self {
        Self::Simulation(error)
    }
}

impl From<UnknownName> for ReplayError {
    fn from(error: UnknownName) -> Self {
        Self::Unknown(error)
    }
}

/// A difference between a recorded match and its playback.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The last step with equal hashes.
    pub agrees_until: u64,
    /// The first step with different hashes.
    pub differs_at: u64,
    /// The recorded hash.
    pub recorded: u64,
    /// The hash of the playback.
    pub replayed: u64,
    /// Whether two playbacks of the steps between agree.
    pub second_run: Option<Box<SecondRun>>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { agrees_until, differs_at, recorded, replayed, second_run } = self;
        write!(
            f,
            "the match differs from its replay between the steps {agrees_until} and {differs_at}: the recorded state has the hash \
             {recorded:016x}, the replayed one {replayed:016x}"
        )?;
        match second_run {
            Some(second_run) => write!(f, "; {second_run}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Difference {}
