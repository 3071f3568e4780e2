//! Players: their seats, names and objects.

use ecs::EntityId;
use serde::{Deserialize, Serialize};

/// What controls a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// A script: [`Inputs::intents`](crate::data::input::Inputs::intents).
    Script,
}

/// A player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Player {
    /// Shown name.
    pub name: String,
    /// What controls it.
    pub seat: Seat,
    /// The keys of the person who took it over by a cheat: an index into [`Keymap::people`](crate::data::config::Keymap::people).
    pub possessed_with: Option<usize>,
    /// Its collector.
    pub collector: EntityId,
    /// Its stash.
    pub stash: EntityId,
}

impl Player {
    /// The keys with which a person drives it now: an index into [`Keymap::people`](crate::data::config::Keymap::people).
    #[must_use]
    pub fn keys(&self) -> Option<usize> {
        match self.seat {
            Seat::Human { keys } => Some(keys),
            _ => self.possessed_with,
        }
    }

    /// Whether an AI drives it now.
    #[must_use]
    pub fn is_driven_by_ai(&self) -> bool {
        matches!(self.seat, Seat::Ai { .. }) && self.possessed_with.is_none()
    }
}

/// Resource: the players, by seat. Written when a match is built and by the cheats.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Players(pub Vec<Player>);

/// The shown name of a seat.
#[must_use]
pub fn name_of(seat: &Seat, index: u32) -> String {
    match seat {
        Seat::Human { keys: 0 } => "BountyHunter".to_owned(),
        Seat::Human { keys } => format!("BountyHunter {}", keys + 1),
        Seat::Ai { .. } | Seat::Script => format!("Player #{index}"),
    }
}
