//! The order of the score table.

use std::collections::BTreeSet;

use crate::client::translation::{tr_later, tr_with};
use bounty_hunter_simulation::results::ranked;
use bounty_hunter_simulation::simulation::view::{PlayerView, View};

/// One line of the score table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Standing {
    /// Place from 1; players that stayed in the match equally long and have equal stashes share it. With teams, the
    /// place of the team.
    pub(crate) rank: u32,
    /// Index of the player in the view.
    pub(crate) index: usize,
    /// Its line in the whole table, from 0.
    pub(crate) line: usize,
}

/// All players: those that stayed in the match longest first, then the fullest stash, then by seat. The players of a
/// team stand together.
pub(crate) fn standings(players: &[PlayerView]) -> Vec<Standing> {
    let compare = |one: &PlayerView, other: &PlayerView| {
        let [(one_exit, one_score), (other_exit, other_score)] = [one, other].map(result);
        one_exit.total_cmp(&other_exit).then(one_score.total_cmp(&other_score))
    };
    let mut ranks = ranked(players, compare);
    if players.iter().any(|player| player.team.is_some()) {
        ranks.sort_by_key(|&(rank, index)| (rank, players[index].side()));
        // Teams are counted, not their players.
        let (mut sides, mut last) = (0, None);
        let mut place = (0, 0);
        for (rank, index) in &mut ranks {
            sides += u32::from(last.replace(players[*index].side()) != Some(players[*index].side()));
            if place.0 != *rank {
                place = (*rank, sides);
            }
            *rank = place.1;
        }
    }
    ranks.into_iter().enumerate().map(|(line, (rank, index))| Standing { rank, index, line }).collect()
}

/// What decides the place of a player, the least first: the time on the clock when it, or its team, went out, and the
/// points. A player that is still in has the least time on the clock.
fn result(player: &PlayerView) -> (f32, f32) {
    let exit = player.team.map_or(player.out_at_clock_seconds, |team| team.out_at_clock_seconds);
    (exit.unwrap_or(f32::NEG_INFINITY), -player.score())
}

/// The names of the players of a team, by seat; the name of a player without one.
pub(crate) fn names_of_side(view: &View, player: u32) -> Vec<&str> {
    let members = view.players.iter().filter(|other| view.are_of_one_side(player, other.index));
    members.map(|member| member.name.as_str()).collect()
}

/// The number of teams, or of players without teams.
pub(crate) fn sides(players: &[PlayerView]) -> usize {
    players.iter().map(PlayerView::side).collect::<BTreeSet<_>>().len()
}

/// The place of one player, as in [`standings`], in linear time without teams.
pub(crate) fn rank_of(players: &[PlayerView], index: usize) -> u32 {
    let own = result(&players[index]);
    let better = players.iter().filter(|player| result(player) < own);
    let has_teams = players[index].team.is_some();
    1 + if has_teams { better.map(PlayerView::side).collect::<BTreeSet<_>>().len() } else { better.count() } as u32
}

/// `rows` standings: those of people at this screen, then those of other people, then the first of AIs.
pub(crate) fn shown(standings: &[Standing], players: &[PlayerView], rows: usize) -> Vec<Standing> {
    let importance = |standing: &Standing| match &players[standing.index] {
        player if player.is_here() => 0,
        player if player.is_person() => 1,
        _ => 2,
    };
    let mut shown = standings.to_vec();
    shown.sort_by_key(importance);
    shown.truncate(rows);
    shown.sort_by_key(|standing| standing.line);
    shown
}

/// The first `rows` standings, and those of people at this screen; at most `most`.
pub(crate) fn leading(standings: &[Standing], players: &[PlayerView], rows: usize, most: usize) -> Vec<Standing> {
    let is_shown = |standing: &&Standing| standing.line < rows || players[standing.index].is_here();
    standings.iter().filter(is_shown).take(most).copied().collect()
}

/// Whether the table that is shown leaves out lines before the line at `place`.
pub(crate) fn is_after_gap(shown: &[Standing], place: usize) -> bool {
    let expected = shown[..place].last().map_or(0, |before| before.line + 1);
    shown[place].line > expected
}

/// 1st, 2nd, 3rd, 4th.
pub(crate) fn ordinal(place: u32) -> String {
    let text = match (place % 100, place % 10) {
        (11..=13, _) => tr_later("{place}th"),
        (_, 1) => tr_later("{place}st"),
        (_, 2) => tr_later("{place}nd"),
        (_, 3) => tr_later("{place}rd"),
        _ => tr_later("{place}th"),
    };
    tr_with(text, &[("place", &place)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::sample;
    use bounty_hunter_simulation::simulation::view::TeamView;

    fn players(stashes: &[f32], people: &[u32]) -> Vec<PlayerView> {
        let player = |(index, stashed): (u32, &f32)| {
            let player = if people.contains(&index) { sample::person_elsewhere } else { sample::player };
            PlayerView { stashed: *stashed, ..player(index) }
        };
        (0..).zip(stashes).map(player).collect()
    }

    fn pairs(table: &[Standing]) -> Vec<(u32, usize)> {
        table.iter().map(|standing| (standing.rank, standing.index)).collect()
    }

    #[test]
    fn players_of_a_team_stand_together_on_its_place() {
        let team = |number, stashed| Some(TeamView { number, stashed, out_at_clock_seconds: None });
        let teams = [team(0, 50.0), team(0, 50.0), team(1, 90.0), team(1, 90.0), team(2, 50.0), team(3, 10.0)];
        let mut players: Vec<PlayerView> =
            (0..).zip(teams).map(|(index, team)| PlayerView { team, ..sample::player(index) }).collect();
        let of = |players: &[PlayerView]| {
            standings(players).iter().map(|standing| (standing.rank, standing.index)).collect::<Vec<_>>()
        };
        assert_eq!(of(&players), [(1, 2), (1, 3), (2, 0), (2, 1), (2, 4), (4, 5)]);
        assert_eq!([0, 2, 4, 5].map(|index| rank_of(&players, index)), [2, 1, 2, 4]);
        assert_eq!(sides(&players), 4);
        // A team is out with its last player.
        players[3].out_at_clock_seconds = Some(40.0);
        assert_eq!(rank_of(&players, 3), 1);
        let out = |player: &PlayerView| Some(TeamView { out_at_clock_seconds: Some(9.0), ..player.team? });
        (players[2].team, players[3].team) = (out(&players[2]), out(&players[3]));
        assert_eq!(of(&players), [(1, 0), (1, 1), (1, 4), (3, 5), (4, 2), (4, 3)]);
    }

    #[test]
    fn ordinals_have_english_endings() {
        let places = [1, 2, 3, 4, 11, 12, 13, 21, 102, 111].map(ordinal);
        assert_eq!(places, ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "111th"]);
    }

    #[test]
    fn highest_stash_stands_first_and_equals_share_a_rank() {
        let table = standings(&players(&[5.0, 30.0, 12.0, 30.0, 12.0], &[]));
        assert_eq!(pairs(&table), [(1, 1), (1, 3), (3, 2), (3, 4), (5, 0)]);
        let equals = players(&[5.0, 30.0, 12.0, 30.0, 12.0], &[]);
        assert_eq!([0, 1, 2, 3, 4].map(|player| rank_of(&equals, player)), [5, 1, 3, 1, 3]);
    }

    #[test]
    fn player_that_stayed_longer_ranks_above_a_higher_stash() {
        let mut players = players(&[90.0, 5.0, 40.0, 30.0], &[]);
        players[0].out_at_clock_seconds = Some(60.0);
        players[2].out_at_clock_seconds = Some(20.0);
        players[3].out_at_clock_seconds = Some(20.0);
        let table = standings(&players);
        assert_eq!(pairs(&table), [(1, 1), (2, 2), (3, 3), (4, 0)]);
        assert!(table.iter().all(|standing| rank_of(&players, standing.index) == standing.rank));
    }

    #[test]
    fn person_far_down_takes_the_last_line() {
        let players = players(&[9.0, 8.0, 7.0, 6.0, 5.0], &[4]);
        let table = standings(&players);
        assert_eq!(pairs(&shown(&table, &players, 3)), [(1, 0), (2, 1), (5, 4)]);
    }

    #[test]
    fn people_far_down_keep_their_order_and_replace_only_ais() {
        let players = players(&[9.0, 8.0, 7.0, 6.0, 5.0], &[1, 3, 4]);
        let table = standings(&players);
        let shown = shown(&table, &players, 3);
        assert_eq!(pairs(&shown), [(2, 1), (4, 3), (5, 4)]);
        assert_eq!([0, 1, 2].map(|place| is_after_gap(&shown, place)), [true, true, false]);
    }

    #[test]
    fn the_own_line_is_shown_before_those_of_other_people() {
        let mut players = players(&[9.0, 8.0, 7.0, 6.0, 5.0], &[0, 1, 2, 3]);
        players[4] = PlayerView { stashed: 5.0, ..sample::person_here(4) };
        let table = standings(&players);
        assert_eq!(pairs(&shown(&table, &players, 3)), [(1, 0), (2, 1), (5, 4)]);
        assert_eq!(pairs(&shown(&table, &players, 1)), [(5, 4)]);
    }

    #[test]
    fn slim_table_has_the_first_lines_and_those_of_people_at_this_screen() {
        let mut players = players(&[9.0, 8.0, 7.0, 6.0, 5.0], &[3]);
        players[4] = PlayerView { stashed: 5.0, ..sample::person_here(4) };
        let table = standings(&players);
        assert_eq!(pairs(&leading(&table, &players, 2, 16)), [(1, 0), (2, 1), (5, 4)]);
        assert_eq!(pairs(&leading(&table, &players, 2, 2)), [(1, 0), (2, 1)]);
    }

    #[test]
    fn short_table_is_shown_whole() {
        let players = players(&[1.0, 2.0], &[0]);
        let table = standings(&players);
        assert_eq!(shown(&table, &players, 16), table);
    }

    #[test]
    fn stash_that_is_not_a_number_does_not_panic() {
        assert_eq!(standings(&players(&[f32::NAN, 1.0], &[])).len(), 2);
    }
}
