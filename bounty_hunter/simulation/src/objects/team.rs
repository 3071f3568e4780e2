//! Teams: with the rule set `teams`, some neighbouring seats play together.
//!
//! Partners pass through each other, and neither spells, mines nor near misses concern them. The stashes of a team fill
//! together: each takes the loads of the whole team, and their sum counts.

use ecs::{EntityId, Query};
use serde::{Deserialize, Serialize};

use crate::objects::capacity::Capacity;
use crate::objects::stash::Stash;

/// Component of a collector, a stash and a mine: the team of its player. Constant during a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Team {
    /// Number of the team, from 0.
    pub number: u32,
}

/// Whether two objects belong to the same team. Objects without a team have no partners.
#[must_use]
pub fn are_partners(one: Option<&Team>, other: Option<&Team>) -> bool {
    one.is_some() && one == other
}

/// The points that the stashes of a player's partners hold: so much less fits into its own. A stash without a team has
/// no partners.
#[must_use]
pub fn stashed_by_partners<'a>(
    (player, team): (u32, Option<&Team>),
    stashes: impl Iterator<Item = (&'a Stash, Option<&'a Team>)>,
) -> f32 {
    let Some(team) = team else { return 0.0 };
    let partners = stashes.filter(|(stash, other)| stash.player != player && *other == Some(team));
    partners.map(|(stash, _)| stash.stashed).sum()
}

/// A stash, and what decides how much fits into it.
pub type StashItem<'q> = (&'q mut Stash, &'q Capacity, Option<&'q Team>);

/// Puts points into a stash, as far as its partners leave room. Returns whether it became full.
pub fn put_in(stash: EntityId, points: f32, stashes: &mut Query<StashItem<'_>>) -> bool {
    let Some((own, _, team)) = stashes.get(stash) else { return false };
    let of_partners = stashed_by_partners((own.player, team), stashes.iter().map(|(stash, _, team)| (stash, team)));
    let item = stashes.get_mut(stash);
    item.is_some_and(|(stash, capacity, _)| stash.take_in(points, capacity.points - of_partners))
}

/// A team, or a player without one: what wins or loses together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SideId {
    /// The number of a team.
    Team(u32),
    /// The seat of a player without a team.
    Player(u32),
}

impl SideId {
    /// The side of a player with the number of its team, if it has one.
    #[must_use]
    pub fn of(player: u32, team: Option<u32>) -> Self {
        team.map_or(Self::Player(player), Self::Team)
    }
}

/// A team, or a player without one, and what its stashes hold together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Side {
    /// Its team; `None` for a player without one.
    pub team: Option<Team>,
    /// The sum of its stashes, points.
    pub stashed: f32,
    /// The player with the fullest stash among its members; the first seat of several.
    pub best: u32,
    /// The content of that stash, points.
    pub best_stashed: f32,
}

impl Side {
    /// Which side it is.
    #[must_use]
    pub fn id(&self) -> SideId {
        SideId::of(self.best, self.team.map(|team| team.number))
    }
}

/// Overwrites `sides` with all sides of a match, by team, then by seat.
pub fn list_sides<'a>(stashes: impl Iterator<Item = (&'a Stash, Option<&'a Team>)>, sides: &mut Vec<Side>) {
    sides.clear();
    sides.extend(stashes.map(|(stash, team)| Side {
        team: team.copied(),
        stashed: stash.stashed,
        best: stash.player,
        best_stashed: stash.stashed,
    }));
    sides.sort_unstable_by_key(|side| (side.team, side.best));
    sides.dedup_by(|next, side| {
        let is_of_side = are_partners(next.team.as_ref(), side.team.as_ref());
        if is_of_side {
            side.stashed += next.stashed;
            if next.best_stashed > side.best_stashed {
                (side.best, side.best_stashed) = (next.best, next.best_stashed);
            }
        }
        is_of_side
    });
}

/// The side whose stashes hold more than those of every other side.
#[must_use]
pub fn leading(sides: &[Side]) -> Option<&Side> {
    let most = sides.iter().map(|side| side.stashed).fold(0.0, f32::max);
    let mut best = sides.iter().filter(|side| most > 0.0 && side.stashed == most);
    best.next().filter(|_| best.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sides(stashes: &[(Option<u32>, f32)]) -> Vec<Side> {
        let all: Vec<(Stash, Option<Team>)> = (0..)
            .zip(stashes)
            .map(|(player, &(team, stashed))| (Stash { player, stashed }, team.map(|number| Team { number })))
            .collect();
        let mut sides = Vec::new();
        list_sides(all.iter().map(|(stash, team)| (stash, team.as_ref())), &mut sides);
        sides
    }

    #[test]
    fn stashes_of_a_team_count_together_and_its_fullest_one_names_the_best() {
        let found = sides(&[(Some(0), 5.0), (Some(0), 20.0), (Some(1), 12.0), (Some(1), 12.0), (Some(2), 24.5)]);
        let of = |side: &Side| (side.team.map(|team| team.number), side.stashed, side.best);
        assert_eq!(
            found.iter().map(of).collect::<Vec<_>>(),
            [(Some(0), 25.0, 1), (Some(1), 24.0, 2), (Some(2), 24.5, 4)]
        );
        assert_eq!(leading(&found).map(|side| side.best), Some(1), "the sum counts, not the fullest stash");
    }

    #[test]
    fn leader_without_teams_has_more_than_every_other_player() {
        let of = |stashed: &[f32]| {
            let stashes: Vec<_> = stashed.iter().map(|stashed| (None, *stashed)).collect();
            leading(&sides(&stashes)).map(|side| side.best)
        };
        assert_eq!((of(&[]), of(&[0.0, 0.0]), of(&[1.0, 2.0, 0.5])), (None, None, Some(1)));
        assert_eq!((of(&[2.0, 1.0, 2.0]), of(&[2.0, 2.0, 3.0])), (None, Some(2)));
    }

    #[test]
    fn players_without_a_team_have_no_partners() {
        let [red, blue] = [0, 1].map(|number| Team { number });
        assert!(are_partners(Some(&red), Some(&red)) && !are_partners(Some(&red), Some(&blue)));
        assert!(!are_partners(None, None) && !are_partners(Some(&red), None));
    }
}
