//! The configuration in `assets/`; field names carry their units.

mod habits;
mod kinds;
mod rule_sets;

use std::fmt;

use serde::{Deserialize, Serialize};

pub(crate) use self::habits::{Characters, check_habits};
pub use self::habits::{Habit, Hull};
pub use self::kinds::{Deal, KindNames, StashSize};
pub use self::rule_sets::{
    ChainRules, CrownRules, GoldRushRules, HealthRules, HungerRules, PowerUpRules, SpellRules, TeamRules,
};
use crate::data::limits;
use crate::objects::appearance::Color;

/// `assets/game.ron`: the match and its rules. A mode may override any field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameConfig {
    /// Simulation steps per second.
    #[serde(deserialize_with = "limits::read::steps_per_second")]
    pub steps_per_second: u32,
    /// Default number of players.
    #[serde(deserialize_with = "limits::read::players")]
    pub players: u32,
    /// Default AI profile.
    pub ai: String,
    /// Name of the level.
    pub level: String,
    /// Length of a match after its countdown.
    #[serde(deserialize_with = "limits::read::duration_seconds")]
    pub play_seconds: f32,
    /// Length of the countdown before a match.
    #[serde(deserialize_with = "limits::read::countdown_seconds")]
    pub countdown_seconds: f32,
    /// Bounties for each player, rounded up.
    #[serde(deserialize_with = "limits::read::objects_per_player")]
    pub bounties_per_player: f32,
    /// Least number of bounties.
    #[serde(deserialize_with = "limits::read::objects")]
    pub least_bounties: u32,
    /// Prefabs of the match.
    pub kinds: KindNames,
    /// Other objects dealt into the bounty region.
    #[serde(default)]
    pub deals: Vec<Deal>,
    /// Optional rules.
    pub rules: RulesConfig,
    /// Habits of AIs; without any, AIs have numbers instead of names.
    #[serde(default)]
    pub habits: Vec<Habit>,
    /// Capacity of a stash by the number of players; empty for the capacity of its prefab.
    #[serde(default)]
    pub stash_sizes: Vec<StashSize>,
    /// The colour of the ground in the picture; it changes nothing else.
    #[serde(default = "usual_ground")]
    pub ground: Color,
}

impl GameConfig {
    /// The number of bounties.
    #[must_use]
    pub fn bounty_count(&self, players: u32) -> u32 {
        kinds::count(self.bounties_per_player, self.least_bounties, players)
    }

    /// The capacity of a stash, points; `None` for that of its prefab.
    #[must_use]
    pub fn stash_points(&self, players: u32, play_seconds: f32) -> Option<f32> {
        kinds::stash_points(&self.stash_sizes, players, play_seconds)
    }
}

/// Resource: the numbers of this match. No system writes it while a match runs.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchRules {
    /// Half the side of the world, metres.
    pub world_half_extent_m: f32,
    /// Length of the match without its countdown, seconds.
    pub play_seconds: f32,
    /// Options.
    pub options: RulesConfig,
}

/// Options of the rules. A rule set that is `None` is off: its systems and components do not exist in the match.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RulesConfig {
    /// A collector can unload only at its own stash.
    pub only_own_stash_accepts: bool,
    /// A full stash ends the match.
    #[serde(default = "yes")]
    pub full_stash_ends_match: bool,
    /// Lives of each player; `None` for unlimited. A player without lives is out, and the match ends when at most one
    /// is in.
    #[serde(default, deserialize_with = "limits::read::lives")]
    pub lives: Option<u32>,
    /// Power-ups: their holders become ghosts.
    #[serde(default)]
    pub power_ups: Option<PowerUpRules>,
    /// Spells.
    #[serde(default)]
    pub spells: Option<SpellRules>,
    /// Health: collisions cost health instead of a life.
    #[serde(default)]
    pub health: Option<HealthRules>,
    /// Hunger: a collector must deliver in time.
    #[serde(default)]
    pub hunger: Option<HungerRules>,
    /// A chain of bounties, and spilled loads.
    #[serde(default)]
    pub chain: Option<ChainRules>,
    /// Crown: a crash into the leader is rewarded.
    #[serde(default)]
    pub crown: Option<CrownRules>,
    /// Gold rushes: one bounty of great worth from time to time.
    #[serde(default)]
    pub gold_rush: Option<GoldRushRules>,
    /// Teams: seats play together.
    #[serde(default)]
    pub teams: Option<TeamRules>,
}

/// Prints every field, but no gold rush and no teams where there are none: so hashes of other matches do not know of
/// them.
impl fmt::Debug for RulesConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            only_own_stash_accepts,
            full_stash_ends_match,
            lives,
            power_ups,
            spells,
            health,
            hunger,
            chain,
            crown,
            gold_rush,
            teams,
        } = self;
        let mut text = f.debug_struct("RulesConfig");
        text.field("only_own_stash_accepts", only_own_stash_accepts)
            .field("full_stash_ends_match", full_stash_ends_match)
            .field("lives", lives)
            .field("power_ups", power_ups)
            .field("spells", spells)
            .field("health", health)
            .field("hunger", hunger)
            .field("chain", chain)
            .field("crown", crown);
        gold_rush.iter().for_each(|gold_rush| _ = text.field("gold_rush", gold_rush));
        teams.iter().for_each(|teams| _ = text.field("teams", teams));
        text.finish()
    }
}

fn usual_ground() -> Color {
    Color([0x3c, 0x62, 0xd8])
}

fn yes() -> bool {
    true
}

/// How an AI picks a bounty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Strategy {
    /// Picks none: it wanders.
    None,
    /// The one seen for the longest time.
    First,
    /// The nearest one.
    Nearest,
    /// The most valuable one.
    MostValuable,
    /// The most value per distance.
    BestValuePerDistance,
    /// The most value per second of driving around walls, unless a rival is there first.
    Foresight,
}

/// `assets/ai/*.ron`: one AI profile, named after its file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AiProfile {
    /// How it picks a bounty.
    pub strategy: Strategy,
    /// Full opening angle of its radar.
    #[serde(deserialize_with = "limits::read::angle_rad")]
    pub radar_angle_rad: f32,
    /// Range of its radar.
    #[serde(deserialize_with = "limits::read::length_m")]
    pub radar_range_m: f32,
    /// Length of its avoider, the box ahead in which it sees other collectors.
    #[serde(deserialize_with = "limits::read::length_m")]
    pub avoider_range_m: f32,
    /// Half the width of its avoider.
    #[serde(deserialize_with = "limits::read::length_m")]
    pub avoider_half_width_m: f32,
    /// Chance per step to continue wandering instead of looking for bounty, 0 to 1.
    #[serde(deserialize_with = "limits::read::share")]
    pub wander_chance: f32,
    /// Share of the top turning speed when wandering, 0 to 1.
    #[serde(deserialize_with = "limits::read::share")]
    pub wander_steering: f32,
    /// Share of the top turning speed when seeking a target, 0 to 1.
    #[serde(deserialize_with = "limits::read::share")]
    pub target_steering: f32,
    /// Share of the top turning speed when avoiding a collector, 0 to 1.
    #[serde(deserialize_with = "limits::read::share")]
    pub avoid_steering: f32,
    /// Pocket fullness from which it goes home, 0 to 1.
    #[serde(deserialize_with = "limits::read::share")]
    pub stash_threshold: f32,
    /// Value of a crash with a rival, as a share of what the rival would lose more, 0 to 1. At 0 it never seeks a
    /// crash.
    #[serde(default, deserialize_with = "limits::read::share")]
    pub aggression: f32,
    /// It goes home when the clock leaves no more than the way home and this margin.
    #[serde(deserialize_with = "limits::read::delay_seconds")]
    pub hurry_home_seconds: f32,
    /// Drive and turn that it holds instead of thinking, shares of the top speeds, 0 to 1; for measuring what doing
    /// nothing pays.
    #[serde(default, deserialize_with = "limits::read::share")]
    pub holds: Option<(f32, f32)>,
}

#[cfg(test)]
mod tests {
    use crate::assets::Assets;

    #[test]
    fn bounties_are_rounded_up_and_at_least_the_least() {
        let counts: Vec<u32> =
            [1, 8, 9, 16, 17, 10_000].into_iter().map(|n| Assets::built_in().game.bounty_count(n)).collect();
        assert_eq!(counts, [14, 14, 14, 14, 14, 7_500]);
    }
}
