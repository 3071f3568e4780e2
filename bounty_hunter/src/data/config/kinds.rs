//! The prefabs of a match.

use serde::{Deserialize, Serialize};

use crate::data::limits;

/// Prefab names of the objects in every match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KindNames {
    /// The players' collectors.
    pub collector: String,
    /// The players' stashes.
    pub stash: String,
    /// The bounties.
    pub bounty: String,
    /// The solid walls of a level.
    pub wall: String,
    /// The walls beyond the edges of the world.
    pub edge: String,
}

/// Objects of one prefab that are dealt into the bounty region when a match is built.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deal {
    /// Name of the prefab.
    pub prefab: String,
    /// Objects for each player, rounded up.
    #[serde(deserialize_with = "limits::read::objects_per_player")]
    pub objects_per_player: f32,
    /// Least number of objects.
    #[serde(deserialize_with = "limits::read::objects")]
    pub least_objects: u32,
}

impl Deal {
    /// The number of objects.
    #[must_use]
    pub fn count(&self, players: u32) -> u32 {
        count(self.objects_per_player, self.least_objects, players)
    }
}

/// `per_player` for each player, rounded up, but at least `least`.
pub(crate) fn count(per_player: f32, least: u32, players: u32) -> u32 {
    ((per_player * players as f32).ceil() as u32).max(least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deals_grow_with_the_players_and_are_at_least_the_least() {
        let deal = Deal { prefab: String::new(), objects_per_player: 0.25, least_objects: 2 };
        assert_eq!([1, 8, 9, 1_000].map(|players| deal.count(players)), [2, 2, 3, 250]);
    }
}
