//! Players: their seats, names and objects.

use ecs::EntityId;
use serde::{Deserialize, Serialize};

/// The most people at one screen.
pub const MAX_PEOPLE: u8 = 4;

/// What controls a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Seat {
    /// A person at this screen: [`Inputs::intents`](crate::data::input::Inputs::intents).
    Human {
        /// Number of the person, from 0.
        person: u8,
    },
    /// An AI with a profile from `assets/ai`.
    Ai {
        /// Name of the profile.
        profile: String,
    },
    /// A script: [`Inputs::intents`](crate::data::input::Inputs::intents).
    Script,
}

/// A player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Player {
    /// Shown name.
    pub name: String,
    /// The index of its habit in the configuration of the match; `None` for people, scripts, and where there are none.
    pub habit: Option<usize>,
    /// What controls it.
    pub seat: Seat,
    /// The number of the person to whom a cheat gave it.
    pub possessed_by: Option<u8>,
    /// Its collector.
    pub collector: EntityId,
    /// Its stash.
    pub stash: EntityId,
}

impl Player {
    /// The number of the person at this screen who drives it, by its seat or by a cheat.
    #[must_use]
    pub fn person(&self) -> Option<u8> {
        match self.seat {
            Seat::Human { person } => Some(person),
            _ => self.possessed_by,
        }
    }

    /// Whether an AI drives it now.
    #[must_use]
    pub fn is_driven_by_ai(&self) -> bool {
        matches!(self.seat, Seat::Ai { .. }) && self.possessed_by.is_none()
    }
}

/// Resource: the players, by seat. Written when a match is built and by the cheats.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Players(pub Vec<Player>);

/// The shown name of a seat without a character.
#[must_use]
pub fn name_of(seat: &Seat, index: u32) -> String {
    match seat {
        Seat::Human { person: 0 } => "BountyHunter".to_owned(),
        Seat::Human { person } => format!("BountyHunter {}", u32::from(*person) + 1),
        Seat::Ai { .. } | Seat::Script => format!("Player #{index}"),
    }
}
