//! Errors of setting up a match.

use std::fmt;

use super::MAX_PLAYERS;
use crate::assets::UnknownName;
use crate::gameplay::player::MAX_PEOPLE;

/// Why a match cannot be set up.
#[derive(Clone, Debug, PartialEq)]
pub enum SimulationError {
    /// The number of players is out of range.
    Players(usize),
    /// A seat names an unknown AI profile, or the assets an unknown level.
    Unknown(UnknownName),
    /// A seat is of a person whose number is too large.
    Person(u8),
    /// The level has fewer places than players.
    Places {
        /// The level.
        level: String,
        /// Its places.
        places: usize,
        /// The players of the match.
        players: usize,
    },
    /// A prefab is missing or does not fit its role; the text says which and why.
    Prefab(String),
    /// A number of the match, or what follows from several, is out of its bounds; the text names them.
    OutOfBounds(String),
    /// The systems do not fit together.
    Engine(ecs::Error),
}

impl fmt::Display for SimulationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Players(players) => write!(f, "a match has 1 to {MAX_PLAYERS} players, not {players}"),
            Self::Unknown(error) => error.fmt(f),
            Self::Person(person) => {
                write!(f, "a seat is of person {}, must be of person 1 to {MAX_PEOPLE}", u32::from(*person) + 1)
            }
            Self::Places { level, places, players } => {
                write!(f, "the level {level:?} has places for {places} players, not for {players}")
            }
            Self::Prefab(problem) | Self::OutOfBounds(problem) => f.write_str(problem),
            Self::Engine(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SimulationError {}

impl From<UnknownName> for SimulationError {
    fn from(error: UnknownName) -> Self {
        Self::Unknown(error)
    }
}
