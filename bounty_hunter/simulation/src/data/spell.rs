//! The ids of spells.

use serde::{Deserialize, Serialize};

/// The id of a spell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Spell {
    /// Destroys every bounty.
    Purge,
    /// Kills every collector except the caster and ghosts.
    Strike,
    /// Pulls bounties towards the caster for a while.
    Magnet,
}

impl Spell {
    /// Number of spells.
    pub const COUNT: usize = 3;
    /// All spells, by index.
    pub const ALL: [Self; Self::COUNT] = [Self::Purge, Self::Strike, Self::Magnet];

    /// Its index in [`ALL`](Self::ALL) and in every array by spell.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Shown name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Purge => "Purge",
            Self::Strike => "Strike",
            Self::Magnet => "Magnet",
        }
    }
}

/// Why a requested spell was not cast.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refusal {
    /// Its cool-down has not elapsed.
    CoolingDown,
    /// The caster is dead.
    Dead,
}
