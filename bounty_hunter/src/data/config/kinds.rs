//! Which prefabs a match is played with.

use ecs::Prefabs;
use serde::{Deserialize, Serialize};

use super::GameConfig;
use crate::objects::game_object::GameObjectKind;
use crate::objects::role::{Role, kind};

/// The prefabs of what is in every match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KindNames {
    /// What players drive.
    pub collector: String,
    /// Where they bring bounty.
    pub stash: String,
    /// What they collect.
    pub bounty: String,
    /// A solid wall of a level.
    pub wall: String,
    /// A wall beyond an edge of the world.
    pub edge: String,
}

/// A number of objects that appear where bounties do, when a match is built.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deal {
    /// The prefab.
    pub prefab: String,
    /// So many for each player, rounded up.
    pub objects_per_player: f32,
    /// So many at least.
    pub least_objects: u32,
}

impl Deal {
    /// How many there are.
    #[must_use]
    pub fn count(&self, players: u32) -> u32 {
        count(self.objects_per_player, self.least_objects, players)
    }
}

/// How many there are of something of which there are some for each player, rounded up, and a number at least.
pub(crate) fn count(per_player: f32, least: u32, players: u32) -> u32 {
    ((per_player * players as f32).ceil() as u32).max(least)
}

impl GameConfig {
    /// All prefabs that a match needs, each with the path of its name in this struct and what it is played as.
    #[must_use]
    pub fn prefabs(&self) -> Vec<(String, Role, &str)> {
        let kinds = &self.kinds;
        let mut prefabs = vec![
            ("kinds.collector".to_owned(), Role::Collector, kinds.collector.as_str()),
            ("kinds.stash".to_owned(), Role::Stash, &kinds.stash),
            ("kinds.bounty".to_owned(), Role::Bounty, &kinds.bounty),
            ("kinds.wall".to_owned(), Role::Wall, &kinds.wall),
            ("kinds.edge".to_owned(), Role::Edge, &kinds.edge),
        ];
        for (index, deal) in self.deals.iter().enumerate() {
            prefabs.push((format!("deals.{index}.prefab"), Role::Object, &deal.prefab));
        }
        if let Some(power_ups) = &self.rules.power_ups {
            prefabs.push(("rules.power_ups.0.prefab".to_owned(), Role::PowerUp, &power_ups.prefab));
        }
        prefabs
    }

    /// What keeps a prefab that can be played from doing anything in these matches, in a sentence; `None` if nothing does.
    #[must_use]
    pub fn refusal_by_rules(&self, prefabs: &Prefabs, name: &str) -> Option<String> {
        let is_dead = kind(prefabs, name) == GameObjectKind::PowerUp && self.rules.power_ups.is_none();
        is_dead.then(|| format!("prefab {name:?} is a power-up, which needs the rule set `power_ups`"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deals_grow_with_the_players_and_are_never_fewer_than_the_least() {
        let deal = Deal { prefab: String::new(), objects_per_player: 0.25, least_objects: 2 };
        assert_eq!([1, 8, 9, 1_000].map(|players| deal.count(players)), [2, 2, 3, 250]);
    }
}
