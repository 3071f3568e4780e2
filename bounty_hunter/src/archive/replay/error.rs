//! Why a replay can not be read or played, and where a match went another way.

use std::fmt;

use super::file::{FORMAT, MOST_BYTES};
use crate::assets::UnknownName;
use crate::simulation::SimulationError;

/// Why a replay can not be read or played.
#[derive(Debug)]
pub enum ReplayError {
    /// It is a file of another kind.
    NotAReplay,
    /// A newer program has written it, in a form that this one does not know.
    Newer {
        /// The number of that form.
        format: u16,
    },
    /// An older program has written it, in a form that this one does not know any more.
    Older {
        /// The number of that form.
        format: u16,
    },
    /// It ends too early.
    Truncated {
        /// Bytes that are there.
        bytes: u64,
        /// Bytes that there should be.
        of: u64,
    },
    /// It goes on behind its end, or is longer than any replay.
    TooLong,
    /// Its content is not what was written; says how that shows.
    Damaged(&'static str),
    /// It was recorded in a mode or level that is not there.
    Unknown(UnknownName),
    /// It was recorded with other numbers or keys than those of the assets.
    Configuration,
    /// The match can not be set up.
    Simulation(SimulationError),
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAReplay => f.write_str("it is not a replay"),
            Self::Newer { format } => {
                write!(f, "a newer version wrote it in format {format}, this version reads formats up to {FORMAT}")
            }
            Self::Older { format } => {
                write!(f, "an older version wrote it in format {format}, this version reads format {FORMAT}: play it with that version")
            }
            Self::Truncated { bytes, of } => write!(f, "it ends after {bytes} of {of} bytes"),
            Self::TooLong => write!(f, "it goes on behind its end, or is longer than {MOST_BYTES} bytes"),
            Self::Damaged(how) => write!(f, "it is damaged: {how}"),
            Self::Unknown(error) => error.fmt(f),
            Self::Configuration => f.write_str(
                "it was recorded with other assets, so the match would go another way: play it with those, with --assets",
            ),
            Self::Simulation(error) => error.fmt(f),
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

/// A match that was played again went another way than the recorded one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The last step after which the states are known to agree.
    pub agrees_until: u64,
    /// The first step after which they are known to differ.
    pub differs_at: u64,
    /// The hash of the recorded state there.
    pub recorded: u64,
    /// The hash of the state there now.
    pub replayed: u64,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { agrees_until, differs_at, recorded, replayed } = self;
        write!(
            f,
            "the match goes another way between the steps {agrees_until} and {differs_at}: the recorded state has the hash \
             {recorded:016x}, the replayed one {replayed:016x}"
        )
    }
}

impl std::error::Error for Difference {}
