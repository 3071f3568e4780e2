//! Optional rule sets. All are off in the classic rules.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::kinds::count;
use crate::data::limits;

/// Power-ups: a collector that touches one is helped by it for a while.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PowerUpRules {
    /// Names of the prefabs; they are dealt in turn.
    pub prefabs: Vec<String>,
    /// Power-ups for each player, rounded up.
    #[serde(deserialize_with = "limits::read::objects_per_player")]
    pub power_ups_per_player: f32,
    /// Least number of power-ups.
    #[serde(deserialize_with = "limits::read::objects")]
    pub least_power_ups: u32,
    /// Name of the prefab of mines; `None` in a match without power-ups that lay them.
    #[serde(default)]
    pub mine: Option<String>,
}

/// Prints every field, but no mine where there is none: so hashes of matches without mines do not know of them.
impl fmt::Debug for PowerUpRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { prefabs, power_ups_per_player, least_power_ups, mine } = self;
        let mut text = f.debug_struct("PowerUpRules");
        text.field("prefabs", prefabs)
            .field("power_ups_per_player", power_ups_per_player)
            .field("least_power_ups", least_power_ups);
        mine.iter().for_each(|mine| _ = text.field("mine", mine));
        text.finish()
    }
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
    /// How long further damage is ignored after damage.
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

/// A chain: each bounty that a collector takes before it unloads is worth more than the one before, and a part of the
/// load of a collector that dies spills as bounties.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChainRules {
    /// What each link of the chain adds to the worth of the next bounty, as a share of its own value.
    #[serde(deserialize_with = "limits::read::share")]
    pub growth_share: f32,
    /// Links that add, at most.
    #[serde(deserialize_with = "limits::read::links")]
    pub most_links: u32,
    /// The greatest distance of a near miss, from centre to centre, metres. Two collectors that pass each other so
    /// closely, and fast enough, get a link each if they carry a load.
    #[serde(deserialize_with = "limits::read::near_miss_m")]
    pub near_miss_m: f32,
    /// The least relative speed of a near miss, metres per second.
    #[serde(deserialize_with = "limits::read::speed_mps")]
    pub near_miss_mps: f32,
    /// The part of a lost load that spills, 0 to 1.
    #[serde(deserialize_with = "limits::read::share")]
    pub spill_share: f32,
    /// Bounties that one load spills as, at most.
    #[serde(deserialize_with = "limits::read::spilled_bounties")]
    pub spilled_bounties: u32,
    /// Value of each of them, if the most are enough for it; otherwise each is worth more, points.
    #[serde(deserialize_with = "limits::read::points")]
    pub spilled_points: f32,
}

impl ChainRules {
    /// How many times its own value a bounty is worth after so many links.
    #[must_use]
    pub fn factor(&self, links: u32) -> f32 {
        1.0 + self.growth_share * links.min(self.most_links) as f32
    }

    /// The number of bounties that wait for lost loads in a match of so many players.
    #[must_use]
    pub fn waiting_bounties(&self, players: u32) -> u32 {
        self.spilled_bounties * players
    }

    /// The number of bounties that a lost load spills as, and the value of each, points.
    #[must_use]
    pub fn spill(&self, lost: f32) -> (u32, f32) {
        split(self.spill_share * lost, self.spilled_bounties, self.spilled_points)
    }
}

/// The crown: a collector that crashes into the leader gets a part of the leader's load.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrownRules {
    /// The part of the leader's load that goes to the stash of its hunter, 0 to 1.
    #[serde(deserialize_with = "limits::read::share")]
    pub reward_share: f32,
}

/// A gold rush: from time to time a bounty of great worth appears and drives through the arena.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoldRushRules {
    /// Name of the prefab of that bounty.
    pub prefab: String,
    /// Shortest and longest time from the beginning of the match, and from the end of a rush, to the next rush.
    #[serde(deserialize_with = "limits::read::duration_range_seconds")]
    pub wait_seconds: (f32, f32),
    /// The last part of that time, in which all know where it will appear.
    #[serde(deserialize_with = "limits::read::delay_seconds")]
    pub announce_seconds: f32,
    /// Radius around the centre within which it appears, as a share of that of usual bounties, 0 to 1.
    #[serde(deserialize_with = "limits::read::share")]
    pub region_share: f32,
    /// The speed at which the gold drives.
    #[serde(deserialize_with = "limits::read::speed_mps")]
    pub speed_mps: f32,
    /// It turns at most so fast.
    #[serde(deserialize_with = "limits::read::turn_radps")]
    pub most_turn_radps: f32,
    /// Bounties that the part spills as that does not fit into a pocket, at most.
    #[serde(deserialize_with = "limits::read::spilled_bounties")]
    pub spilled_bounties: u32,
    /// Value of each of them, if the most are enough for it; otherwise each is worth more, points.
    #[serde(deserialize_with = "limits::read::points")]
    pub spilled_points: f32,
}

impl GoldRushRules {
    /// The number of bounties that so many points spill as, and the value of each, points.
    #[must_use]
    pub fn spill(&self, points: f32) -> (u32, f32) {
        split(points, self.spilled_bounties, self.spilled_points)
    }
}

/// Teams: neighbouring seats play together, and the sum of their stashes counts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TeamRules {
    /// Seats that each team is dealt, in their order; the last team may get fewer.
    #[serde(deserialize_with = "limits::read::players_per_team")]
    pub players_per_team: u32,
}

impl TeamRules {
    /// The number of the team of a seat.
    #[must_use]
    pub fn team_of(&self, seat: u32) -> u32 {
        seat / self.players_per_team.max(1)
    }
}

/// The number of bounties for so many points, at most `most`, and the value of each: `usual` or less, or more if the
/// most are too few.
fn split(points: f32, most: u32, usual: f32) -> (u32, f32) {
    let count = ((points / usual).ceil() as u32).min(most);
    (count, points / count.max(1) as f32)
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

    /// The number of mines: one for each player.
    #[must_use]
    pub fn mines(&self, players: u32) -> u32 {
        if self.mine.is_some() { players } else { 0 }
    }
}

#[cfg(test)]
impl ChainRules {
    /// Rules for tests.
    pub(crate) const SAMPLE: Self = Self {
        growth_share: 0.25,
        most_links: 4,
        near_miss_m: 4.0,
        near_miss_mps: 20.0,
        spill_share: 0.5,
        spilled_bounties: 3,
        spilled_points: 10.0,
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHAIN: ChainRules = ChainRules::SAMPLE;

    #[test]
    fn each_link_adds_until_there_are_the_most() {
        assert_eq!([0, 1, 4, 5, u32::MAX].map(|links| CHAIN.factor(links)), [1.0, 1.25, 2.0, 2.0, 2.0]);
    }

    #[test]
    fn load_spills_as_few_bounties_of_the_usual_value_or_as_the_most() {
        assert_eq!(
            [4.0, 20.0, 21.0, 60.0, 120.0].map(|lost| CHAIN.spill(lost)),
            [(1, 2.0), (1, 10.0), (2, 5.25), (3, 10.0), (3, 20.0)]
        );
        assert_eq!(ChainRules { spill_share: 0.0, ..CHAIN }.spill(50.0), (0, 0.0));
        assert_eq!(ChainRules { spilled_bounties: 0, ..CHAIN }.spill(50.0).0, 0);
    }
}
