//! The numbers of rule sets that a match can be played with. All of them are switched off in the classic rules.

use serde::{Deserialize, Serialize};

use super::kinds::count;

/// Power-ups lie in the arena: who touches one passes through other collectors for a while.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PowerUpRules {
    /// The prefab of a power-up.
    pub prefab: String,
    /// Power-ups for each player, rounded up.
    pub power_ups_per_player: f32,
    /// Power-ups at least.
    pub least_power_ups: u32,
}

/// Collectors cast spells.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpellRules {
    /// Time from a purge, which destroys every bounty, to the same player's next; as long as that it takes to the first.
    pub purge_cooldown_seconds: f32,
    /// The same for a strike, which kills every other collector.
    pub strike_cooldown_seconds: f32,
    /// The same for a magnet, which pulls bounties.
    pub magnet_cooldown_seconds: f32,
    /// How long a magnet pulls.
    pub magnet_seconds: f32,
    /// How far a magnet reaches.
    pub magnet_range_m: f32,
    /// How fast bounties come.
    pub magnet_speed_mps: f32,
}

/// Collisions cost health, and who has none left dies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HealthRules {
    /// Points of health that a collector comes to life with.
    pub most_health: f32,
    /// Points of health that it takes from each one that it touches.
    pub damage: f32,
    /// How long nothing hurts who was hurt.
    pub grace_seconds: f32,
}

impl PowerUpRules {
    /// How many power-ups there are.
    #[must_use]
    pub fn count(&self, players: u32) -> u32 {
        count(self.power_ups_per_player, self.least_power_ups, players)
    }
}
