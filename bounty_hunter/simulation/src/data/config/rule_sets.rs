//! Optional rule sets. All are off in the classic rules.

use serde::{Deserialize, Serialize};

use super::kinds::count;
use crate::data::limits;

/// Power-ups: a collector that touches one passes through other collectors for a while.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PowerUpRules {
    /// Name of the prefab.
    pub prefab: String,
    /// Power-ups for each player, rounded up.
    #[serde(deserialize_with = "limits::read::objects_per_player")]
    pub power_ups_per_player: f32,
    /// Least number of power-ups.
    #[serde(deserialize_with = "limits::read::objects")]
    pub least_power_ups: u32,
}

/// Spells of collectors. A cool-down also precedes the first cast.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpellRules {
    /// Cool-down of a purge, which destroys every bounty.
    #[serde(deserialize_with = "limits::read::duration_seconds")]
    pub purge_cooldown_seconds: f32,
    /// Cool-down of a strike, which kills every other collector.
    #[serde(deserialize_with = "limits::read::duration_seconds")]
    pub strike_cooldown_seconds: f32,
    /// Cool-down of a magnet, which pulls bounties.
    #[serde(deserialize_with = "limits::read::duration_seconds")]
    pub magnet_cooldown_seconds: f32,
    /// How long a magnet pulls.
    #[serde(deserialize_with = "limits::read::duration_seconds")]
    pub magnet_seconds: f32,
    /// Range of a magnet.
    #[serde(deserialize_with = "limits::read::length_m")]
    pub magnet_range_m: f32,
    /// Speed of pulled bounties.
    #[serde(deserialize_with = "limits::read::speed_mps")]
    pub magnet_speed_mps: f32,
}

/// Health: collisions cost health, and a collector without health dies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HealthRules {
    /// Health of a collector when it spawns, points.
    #[serde(deserialize_with = "limits::read::points")]
    pub most_health: f32,
    /// Damage that it deals to each collector it touches, points.
    #[serde(deserialize_with = "limits::read::points")]
    pub damage: f32,
    /// Time without further damage after damage.
    #[serde(deserialize_with = "limits::read::delay_seconds")]
    pub grace_seconds: f32,
}

/// Hunger: a collector that delivers nothing for a while starves, sooner the longer the match lasts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HungerRules {
    /// Time from a delivery or a spawn to death: at the end of the match and, longer, at its beginning.
    #[serde(deserialize_with = "limits::read::duration_range_seconds")]
    pub starve_seconds: (f32, f32),
}

impl HungerRules {
    /// The time from a delivery to death when this share of the match is left, 0 to 1.
    #[must_use]
    pub fn seconds_at(&self, left_share: f32) -> f32 {
        let (least, most) = self.starve_seconds;
        least + (most - least) * left_share.clamp(0.0, 1.0)
    }
}

impl PowerUpRules {
    /// The number of power-ups.
    #[must_use]
    pub fn count(&self, players: u32) -> u32 {
        count(self.power_ups_per_player, self.least_power_ups, players)
    }
}
