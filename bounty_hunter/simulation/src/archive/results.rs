//! Results of finished matches, as they are stored, listed and shown.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::objects::team::SideId;
use crate::simulation::Simulation;
use crate::simulation::view::PlayerView;

/// One finished match in a list. The order of the fields is the order of the keys in JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MatchSummary {
    /// Number in the database; 0 before the match is stored.
    pub id: i64,
    /// Date and time in UTC, such as `2026-11-21 20:15:00`; empty before the match is stored.
    pub ended_at: String,
    /// Name of the mode.
    pub mode: String,
    /// Name of the level.
    pub level: String,
    /// Seed in digits.
    pub seed: String,
    /// Number of players, people and AIs.
    pub players: u32,
    /// Number of people among them.
    pub people: u32,
    /// Time of play.
    pub seconds: f64,
    /// Name of the [`Ending`](crate::match_flow::Ending).
    pub ending: String,
    /// Index of the winner, with teams that of one player of the team that has won; `None` for a draw.
    pub winner: Option<u32>,
    /// Version of the game that played the match.
    pub version: String,
    /// Name of the winner, or the names of all players of the team that has won; `None` for a draw.
    #[serde(skip)]
    pub winner_name: Option<String>,
    /// The person with the best place; `None` if only AIs played, or if the list has not looked it up.
    #[serde(skip)]
    pub best_person: Option<PlayerResult>,
    /// What cannot be, as sentences that begin with the name of a field; the odd values are empty or 0.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub odd: Vec<String>,
}

impl MatchSummary {
    /// Whether the stored value of a field cannot be.
    #[must_use]
    pub fn is_odd(&self, field: &str) -> bool {
        self.odd.iter().any(|problem| problem.split(' ').next() == Some(field))
    }
}

/// The result of one player. The order of the fields is the order of the keys in JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayerResult {
    /// Place from 1, by [`assign_places`]; equal players share it.
    #[serde(skip)]
    pub place: u32,
    /// Index of the player.
    pub player: u32,
    /// Shown name.
    pub name: String,
    /// Whether a person played.
    pub is_person: bool,
    /// Number of its team; `None` in a match without teams.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team: Option<u32>,
    /// Points in the stash.
    pub stashed: f64,
    /// Seconds left on the clock when the player left the match; `None` if it stayed to the end.
    pub out_at: Option<f64>,
    /// Names of the feats of a person in this match, as a [`Feat`](crate::feats::Feat) displays.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub feats: Vec<String>,
}

/// One finished match. The order of the fields is the order of the keys in JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MatchDetails {
    /// The match in a list.
    #[serde(flatten)]
    pub summary: MatchSummary,
    /// The players.
    pub standings: Vec<PlayerResult>,
    /// Number of events by type.
    pub events: BTreeMap<String, i64>,
}

/// A feat that people have achieved. The order of the fields is the order of the keys in JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FeatRecord {
    /// Its name, as a [`Feat`](crate::feats::Feat) displays; a later version of the game may know more of them.
    pub feat: String,
    /// Number of times, in all matches.
    pub times: i64,
    /// The first match, by its number in the database.
    pub first: i64,
}

/// Sums over all stored matches. The order of the fields is the order of the keys in JSON.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MatchTotals {
    /// Number of matches.
    pub matches: i64,
    /// Matches with at least one person.
    pub with_people: i64,
    /// Matches that a person won.
    pub won_by_people: i64,
    /// Time of play.
    pub seconds: f64,
    /// Points in the fullest stash of a person; `None` if no person has played.
    pub best_stash: Option<f64>,
    /// Number of matches by mode.
    pub modes: BTreeMap<String, i64>,
    /// Number of events by type.
    pub events: BTreeMap<String, i64>,
    /// Matches with values that cannot be, which count as 0.
    #[serde(skip_serializing_if = "is_zero")]
    pub odd: i64,
}

fn is_zero(number: &i64) -> bool {
    *number == 0
}

/// The results of the players in the present state of a match, by seat, with places as they are now.
#[must_use]
pub fn standings(simulation: &Simulation) -> Vec<PlayerResult> {
    let standing = |player: PlayerView| PlayerResult {
        place: 0,
        player: player.index,
        is_person: player.is_person(),
        name: player.name,
        team: player.team.map(|team| team.number),
        stashed: f64::from(player.stashed),
        out_at: player.out_at_clock_seconds.map(f64::from),
        feats: Vec::new(),
    };
    let mut standings: Vec<_> = simulation.view().players.into_iter().map(standing).collect();
    assign_places(&mut standings, simulation.result().and_then(|result| result.winner));
    standings
}

/// Assigns the places by the rules: the winner, then the player that stayed longest, then the fullest stash. With teams
/// the places are those of the teams: a team stays as long as one of its players, and has all their stashes.
///
/// Databases of older versions do not store when players left, so the winner comes first in any case.
pub fn assign_places(players: &mut [PlayerResult], winner: Option<u32>) {
    let sides = side_results(players, winner);
    let ranks = ranked(&sides, |one, other| {
        let by_exit = one.exit.total_cmp(&other.exit);
        other.has_won.cmp(&one.has_won).then(by_exit).then(other.stashed.total_cmp(&one.stashed))
    });
    let places: BTreeMap<SideId, u32> = ranks.into_iter().map(|(rank, index)| (sides[index].side, rank)).collect();
    for player in players {
        player.place = places.get(&side_of(player)).copied().unwrap_or(0);
    }
}

/// What a side has made of a match.
#[derive(Clone, Copy)]
pub(super) struct SideResult {
    pub(super) side: SideId,
    has_won: bool,
    /// Seconds left on the clock when its last player went out.
    exit: f64,
    /// Points in all its stashes.
    pub(super) stashed: f64,
}

pub(super) fn side_of(player: &PlayerResult) -> SideId {
    SideId::of(player.player, player.team)
}

/// The results of all sides, in their order.
pub(super) fn side_results(players: &[PlayerResult], winner: Option<u32>) -> Vec<SideResult> {
    let mut sides: BTreeMap<SideId, SideResult> = BTreeMap::new();
    for player in players {
        let side = side_of(player);
        let nothing = SideResult { side, has_won: false, exit: f64::INFINITY, stashed: 0.0 };
        let result = sides.entry(side).or_insert(nothing);
        result.has_won |= Some(player.player) == winner;
        result.exit = result.exit.min(player.out_at.unwrap_or(f64::NEG_INFINITY));
        result.stashed += player.stashed;
    }
    sides.into_values().collect()
}

/// Whether a player has won: alone, or with its team.
#[must_use]
pub fn has_won(player: &PlayerResult, players: &[PlayerResult], winner: Option<u32>) -> bool {
    let winner = players.iter().find(|other| Some(other.player) == winner);
    winner.is_some_and(|winner| side_of(winner) == side_of(player))
}

/// The names of all players that have won, with `&` between them; `None` for a draw.
#[must_use]
pub fn winner_name(players: &[PlayerResult], winner: Option<u32>) -> Option<String> {
    let names: Vec<&str> =
        players.iter().filter(|player| has_won(player, players, winner)).map(|player| player.name.as_str()).collect();
    (!names.is_empty()).then(|| names.join(" & "))
}

/// Ranks from 1 and indices, best first by `compare`. Equal items share a rank and keep their order.
pub fn ranked<T>(items: &[T], compare: impl Fn(&T, &T) -> Ordering) -> Vec<(u32, usize)> {
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by(|&one, &other| compare(&items[one], &items[other]));
    let mut ranks: Vec<(u32, usize)> = Vec::with_capacity(order.len());
    for (position, index) in order.into_iter().enumerate() {
        let rank = match ranks.last() {
            Some(&(rank, above)) if compare(&items[above], &items[index]).is_eq() => rank,
            _ => position as u32 + 1,
        };
        ranks.push((rank, index));
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn players(stashes: &[f64]) -> Vec<PlayerResult> {
        let player = |(player, stashed): (usize, &f64)| {
            let (player, name) = (player as u32, format!("Player #{player}"));
            PlayerResult {
                place: 0,
                player,
                name,
                is_person: player == 2,
                team: None,
                stashed: *stashed,
                out_at: None,
                feats: Vec::new(),
            }
        };
        stashes.iter().enumerate().map(player).collect()
    }

    fn places(mut players: Vec<PlayerResult>, winner: Option<u32>) -> Vec<u32> {
        assign_places(&mut players, winner);
        players.iter().map(|player| player.place).collect()
    }

    #[test]
    fn winner_has_the_first_place_and_equal_players_share_one() {
        assert_eq!(places(players(&[5.0, 30.0, 12.0, 12.0]), Some(1)), [4, 1, 2, 2]);
        assert_eq!(places(players(&[5.0, 30.0, 12.0, 30.0]), None), [4, 1, 3, 1]);
        // The winner that outlasted all others need not have the fullest stash, and shares no place.
        assert_eq!(places(players(&[5.0, 30.0, 12.0, 12.0]), Some(3)), [4, 2, 3, 1]);
        assert_eq!(places(players(&[12.0, 12.0]), Some(1)), [2, 1]);
        assert!(places(players(&[]), None).is_empty());
        // The last two left together, so there is no winner; the fullest stash left long before.
        let mut draw = players(&[90.0, 7.0, 7.0]);
        (draw[0].out_at, draw[1].out_at, draw[2].out_at) = (Some(9.0), Some(3.0), Some(3.0));
        assert_eq!(places(draw, None), [3, 1, 1]);
    }

    #[test]
    fn players_of_a_team_share_its_place_and_its_victory() {
        let mut all = players(&[5.0, 30.0, 12.0, 12.0, 36.0]);
        for (player, team) in all.iter_mut().zip([0, 0, 1, 1, 2]) {
            player.team = Some(team);
        }
        assert_eq!(places(all.clone(), Some(4)), [2, 2, 3, 3, 1]);
        assert_eq!(places(all.clone(), Some(1)), [1, 1, 3, 3, 2]);
        assert_eq!(winner_name(&all, Some(1)).as_deref(), Some("Player #0 & Player #1"));
        assert_eq!((winner_name(&all, Some(4)).as_deref(), winner_name(&all, None)), (Some("Player #4"), None));
        // The second player of a team went out last.
        (all[0].out_at, all[1].out_at, all[4].out_at) = (Some(80.0), Some(2.0), Some(40.0));
        assert_eq!(places(all, Some(2)), [2, 2, 1, 1, 3]);
    }
}
