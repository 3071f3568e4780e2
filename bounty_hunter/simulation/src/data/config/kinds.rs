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

/// The capacity of a stash in matches of a number of players.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StashSize {
    /// Number of players.
    #[serde(deserialize_with = "limits::read::players")]
    pub players: u32,
    /// Points for each second of the match.
    #[serde(deserialize_with = "limits::read::points")]
    pub points_per_second: f32,
}

/// Capacities are multiples of this, points.
const STASH_UNIT: f32 = 10.0;

/// The capacity of a stash, interpolated between the entries of `sizes`; outside of their range, that of the nearest
/// entry. `None` if there are no sizes.
pub(crate) fn stash_points(sizes: &[StashSize], players: u32, play_seconds: f32) -> Option<f32> {
    let below = sizes.iter().filter(|size| size.players <= players).max_by_key(|size| size.players);
    let above = sizes.iter().filter(|size| size.players >= players).min_by_key(|size| size.players);
    let (below, above) = (below.or(above)?, above.or(below)?);
    let step = (above.players - below.players).max(1) as f32;
    let share = (players.max(below.players) - below.players).min(above.players - below.players) as f32 / step;
    let per_second = below.points_per_second + share * (above.points_per_second - below.points_per_second);
    Some((per_second * play_seconds / STASH_UNIT).round().max(1.0) * STASH_UNIT)
}

/// `per_player` for each player, rounded up, but at least `least`.
pub(crate) fn count(per_player: f32, least: u32, players: u32) -> u32 {
    ((per_player * players as f32).ceil() as u32).max(least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stashes_are_sized_by_players_and_length() {
        let size = |players, points_per_second| StashSize { players, points_per_second };
        let sizes = [size(16, 2.0), size(4, 5.0)];
        let points = |players| stash_points(&sizes, players, 90.0);
        assert_eq!([1, 4, 8, 16, 500].map(points), [450.0, 450.0, 360.0, 180.0, 180.0].map(Some));
        assert_eq!(stash_points(&sizes, 16, 45.0), Some(90.0));
        assert_eq!(stash_points(&sizes, 16, 0.1), Some(10.0), "never nothing");
        assert_eq!(stash_points(&[], 16, 90.0), None);
    }

    #[test]
    fn deals_grow_with_the_players_and_are_at_least_the_least() {
        let deal = Deal { prefab: String::new(), objects_per_player: 0.25, least_objects: 2 };
        assert_eq!([1, 8, 9, 1_000].map(|players| deal.count(players)), [2, 2, 3, 250]);
    }
}
