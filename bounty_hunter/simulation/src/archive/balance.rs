//! Balance: what happens in a match between its steps, and statistics over many matches.

use std::collections::BTreeMap;

use ecs::{Engine, IncludeDisabled};

use crate::data::config::MatchRules;
use crate::gameplay::match_flow::{Ending, GameFlow, GameState};
use crate::gameplay::player::Players;
use crate::gameplay::statistics::Statistics;
use crate::objects::stash::Stash;
use crate::objects::team::{Side, SideId, Team, leading, list_sides};

/// Counts during one match: call [`MatchCounts::watch`] after each step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatchCounts {
    /// Deaths of each player's collector.
    pub deaths: Vec<u32>,
    /// How often a player, or a team, took the lead from another one. While two of them tie, the lead does not change.
    pub lead_changes: u32,
    /// The leader when half of the clock was over; `None` before, and for a tie.
    pub leader_at_half: Option<u32>,
    is_past_half: bool,
    leader: Option<SideId>,
    /// Listed again in each step; the memory is kept.
    sides: Vec<Side>,
}

impl MatchCounts {
    /// Counts what has happened since the last call.
    pub fn watch(&mut self, engine: &Engine) {
        let Some(players) = engine.resource::<Players>() else { return };
        if let Some(statistics) = engine.resource::<Statistics>() {
            self.deaths.clear();
            self.deaths.extend(statistics.players.iter().map(|player| player.deaths));
        }
        self.deaths.resize(players.0.len(), 0);
        let stashes = engine.read_filtered::<(&Stash, Option<&Team>), IncludeDisabled>();
        list_sides(stashes.iter(), &mut self.sides);
        let leading = leading(&self.sides);
        let leader = leading.map(Side::id);
        if leader.is_some() && leader != self.leader {
            self.lead_changes += u32::from(self.leader.is_some());
            self.leader = leader;
        }
        let half = engine.resource::<GameFlow>().zip(engine.resource::<MatchRules>());
        let is_past_half = half.is_some_and(|(flow, rules)| {
            flow.state() == GameState::Running && flow.clock_seconds() <= 0.5 * rules.play_seconds
        });
        if is_past_half && !self.is_past_half {
            (self.is_past_half, self.leader_at_half) = (true, leading.map(|side| side.best));
        }
    }
}

/// One finished match.
#[derive(Clone, Copy, Debug)]
pub struct Outcome<'a> {
    /// Why it ended; `None` if it was stopped.
    pub ending: Option<Ending>,
    /// The winner's seat, one of the team that has won; `None` for a draw.
    pub winner: Option<u32>,
    /// Length of the match.
    pub seconds: f64,
    /// Points in the stash of each player.
    pub stashes: &'a [f32],
    /// The AI of each seat.
    pub ais: &'a [String],
    /// The number of the team of each seat, from 0; empty without teams.
    pub teams: &'a [u32],
    /// What was counted during the match.
    pub counts: &'a MatchCounts,
}

/// Statistics over matches of one mode with the same number of players.
#[derive(Clone, Debug, Default)]
pub struct Balance {
    matches: u32,
    endings: BTreeMap<&'static str, u32>,
    /// Wins of each seat, or of each team.
    wins: Vec<u32>,
    deaths: u64,
    lives: u64,
    lead_changes: Vec<u32>,
    /// The number of matches with a leader at half-time, and of those that this leader won.
    led_at_half: (u32, u32),
    seconds: Vec<f64>,
    /// Points won and matches played by the first AI of each pair against the second; a tie is half a point.
    duels: BTreeMap<(String, String), (f64, u32)>,
    /// What each AI made of its seats.
    records: BTreeMap<String, AiRecord>,
}

/// What one AI made of its seats, over many matches.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AiRecord {
    /// Matches that it won, from any seat.
    pub wins: u32,
    /// The wins of as many seats that are as good as all others: for each match its share of the seats.
    pub fair_wins: f64,
    /// Seats that it has had.
    pub seats: u32,
    /// Deaths of its collectors.
    pub deaths: u32,
}

impl AiRecord {
    /// Its wins as a multiple of the fair ones; 0 without any.
    #[must_use]
    pub fn strength(self) -> f64 {
        if self.fair_wins > 0.0 { f64::from(self.wins) / self.fair_wins } else { 0.0 }
    }
}

impl Balance {
    /// Adds a match.
    pub fn add(&mut self, outcome: &Outcome<'_>) {
        let Outcome { ending, winner, seconds, stashes, ais, teams, counts } = *outcome;
        let side = |seat: u32| teams.get(seat as usize).copied().unwrap_or(seat);
        let sides = teams.iter().max().map_or(stashes.len(), |last| *last as usize + 1);
        let winning = winner.map(side);
        self.matches += 1;
        if let Some(ending) = ending {
            *self.endings.entry(ending.name()).or_default() += 1;
        }
        if self.wins.len() < sides {
            self.wins.resize(sides, 0);
        }
        if let Some(wins) = winning.and_then(|winning| self.wins.get_mut(winning as usize)) {
            *wins += 1;
        }
        self.deaths += counts.deaths.iter().map(|deaths| u64::from(*deaths)).sum::<u64>();
        self.lives += stashes.len() as u64;
        self.lead_changes.push(counts.lead_changes);
        if counts.leader_at_half.is_some() {
            self.led_at_half.0 += 1;
            self.led_at_half.1 += u32::from(counts.leader_at_half.map(side) == winning);
        }
        self.seconds.push(seconds);
        for (seat, ai) in ais.iter().enumerate() {
            let record = self.records.entry(ai.clone()).or_default();
            record.wins += u32::from(winning == Some(side(seat as u32)));
            record.fair_wins += 1.0 / if teams.is_empty() { ais.len() } else { sides } as f64;
            record.seats += 1;
            record.deaths += counts.deaths.get(seat).copied().unwrap_or(0);
        }
        for (one, mine) in ais.iter().zip(stashes) {
            for (other, theirs) in ais.iter().zip(stashes).filter(|(other, _)| *other != one) {
                let duel = self.duels.entry((one.clone(), other.clone())).or_default();
                duel.0 += if mine > theirs { 1.0 } else { 0.5 * f64::from(u8::from(mine == theirs)) };
                duel.1 += 1;
            }
        }
    }

    /// The number of matches.
    #[must_use]
    pub fn matches(&self) -> u32 {
        self.matches
    }

    /// The share of matches with this ending.
    #[must_use]
    pub fn share(&self, ending: Ending) -> f64 {
        f64::from(self.endings.get(ending.name()).copied().unwrap_or(0)) / f64::from(self.matches.max(1))
    }

    /// Deaths of a player in a match, on average.
    #[must_use]
    pub fn deaths_per_player(&self) -> f64 {
        self.deaths as f64 / self.lives.max(1) as f64
    }

    /// Changes of the lead in the median match.
    #[must_use]
    pub fn lead_changes(&self) -> f64 {
        median(self.lead_changes.iter().map(|changes| f64::from(*changes)))
    }

    /// The share of the matches with a leader at half-time that this leader won, 0 to 1; `None` without such a match.
    #[must_use]
    pub fn leader_at_half_wins(&self) -> Option<f64> {
        let (led, won) = self.led_at_half;
        (led > 0).then(|| f64::from(won) / f64::from(led))
    }

    /// Length of the median match.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        median(self.seconds.iter().copied())
    }

    /// Wins of each seat, or of each team.
    #[must_use]
    pub fn wins(&self) -> &[u32] {
        &self.wins
    }

    /// Pearson's statistic of the wins against equal chances of all seats. If the seats are equal, its mean is the
    /// number of seats less one, and it exceeds [`Balance::chi_square_limit`] once in a hundred times.
    #[must_use]
    pub fn chi_square(&self) -> f64 {
        let all: f64 = self.wins.iter().copied().map(f64::from).sum();
        let expected = all / self.wins.len().max(1) as f64;
        let squares = self.wins.iter().map(|wins| (f64::from(*wins) - expected).powi(2)).sum::<f64>();
        if expected > 0.0 { squares / expected } else { 0.0 }
    }

    /// The 99th percentile of the statistic for equal seats, by the approximation of Wilson and Hilferty (1931).
    #[must_use]
    pub fn chi_square_limit(&self) -> f64 {
        const PERCENTILE_99: f64 = 2.326;
        let freedom = self.wins.len().saturating_sub(1) as f64;
        if freedom == 0.0 {
            return 0.0;
        }
        let spread = 2.0 / (9.0 * freedom);
        freedom * (1.0 - spread + PERCENTILE_99 * spread.sqrt()).powi(3)
    }

    /// For each pair of different AIs: how often the first one had more in its stash than the second one, 0 to 1.
    pub fn duels(&self) -> impl Iterator<Item = ((&str, &str), f64)> {
        self.duels.iter().map(|((one, other), (won, of))| ((one.as_str(), other.as_str()), won / f64::from(*of)))
    }

    /// What each AI made of its seats.
    pub fn records(&self) -> impl Iterator<Item = (&str, AiRecord)> {
        self.records.iter().map(|(ai, record)| (ai.as_str(), *record))
    }

    /// Of the matches that one of two AIs won, the share of `one`, as if both had had equally many seats; a half
    /// without wins.
    #[must_use]
    pub fn wins_against(&self, one: &str, other: &str) -> f64 {
        let [mine, theirs] = [one, other].map(|ai| self.records.get(ai).copied().unwrap_or_default().strength());
        if mine + theirs > 0.0 { mine / (mine + theirs) } else { 0.5 }
    }
}

/// The middle value, or the mean of the two in the middle; 0 without values.
fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match (values.get(middle), values.len() % 2) {
        (None, _) => 0.0,
        (Some(upper), 0) => f64::midpoint(values[middle - 1], *upper),
        (Some(value), _) => *value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome<'a>(winner: u32, stashes: &'a [f32], ais: &'a [String], counts: &'a MatchCounts) -> Outcome<'a> {
        Outcome { ending: Some(Ending::Time), winner: Some(winner), seconds: 90.0, stashes, ais, teams: &[], counts }
    }

    #[test]
    fn statistics_are_those_of_the_matches() {
        let ais = ["hard", "easy"].map(str::to_owned);
        let mut balance = Balance::default();
        for (winner, stashes, lead_changes) in [(0, [5.0, 1.0], 2), (0, [3.0, 3.0], 4), (1, [1.0, 2.0], 9)] {
            let counts = MatchCounts { deaths: vec![1, 2], lead_changes, ..MatchCounts::default() };
            balance.add(&outcome(winner, &stashes, &ais, &counts));
        }
        let counts = MatchCounts { deaths: vec![0, 0], ..MatchCounts::default() };
        let full = Outcome { ending: Some(Ending::StashFull), seconds: 30.0, ..outcome(0, &[9.0, 0.0], &ais, &counts) };
        balance.add(&full);

        assert_eq!((balance.matches(), balance.wins()), (4, &[3, 1][..]));
        assert_eq!(
            [Ending::Time, Ending::StashFull, Ending::LastStanding].map(|end| balance.share(end)),
            [0.75, 0.25, 0.0]
        );
        assert_eq!((balance.deaths_per_player(), balance.lead_changes(), balance.seconds()), (1.125, 3.0, 90.0));
        assert_eq!(balance.chi_square(), 1.0);
        let duels: Vec<_> = balance.duels().collect();
        assert_eq!(duels, [(("easy", "hard"), 0.375), (("hard", "easy"), 0.625)]);
        let records: Vec<_> = balance.records().collect();
        let record = |wins, deaths| AiRecord { wins, fair_wins: 2.0, seats: 4, deaths };
        assert_eq!(records, [("easy", record(1, 6)), ("hard", record(3, 3))]);
        assert_eq!((records[1].1.strength(), balance.wins_against("hard", "easy")), (1.5, 0.75));
        assert_eq!(balance.wins_against("no", "body"), 0.5);
    }

    #[test]
    fn team_wins_once_and_each_of_its_players_has_won() {
        let ais = ["hard", "easy", "easy"].map(str::to_owned);
        let counts = MatchCounts { leader_at_half: Some(0), ..MatchCounts::default() };
        let mut balance = Balance::default();
        balance.add(&Outcome { teams: &[0, 0, 1], ..outcome(1, &[5.0, 9.0, 10.0], &ais, &counts) });
        assert_eq!((balance.wins(), balance.leader_at_half_wins()), (&[1, 0][..], Some(1.0)));
        let wins: Vec<_> = balance.records().map(|(ai, record)| (ai, record.wins, record.fair_wins)).collect();
        assert_eq!(wins, [("easy", 1, 1.0), ("hard", 1, 0.5)]);
    }

    #[test]
    fn limit_of_the_statistic_is_that_of_the_tables() {
        for (seats, limit) in [(2, 6.635), (4, 11.345), (8, 18.475), (16, 30.578)] {
            let found = Balance { wins: vec![1; seats], ..Balance::default() }.chi_square_limit();
            assert!((found - limit).abs() < 0.1, "{seats} seats: {found}");
        }
        assert_eq!(Balance::default().chi_square_limit(), 0.0);
    }

    #[test]
    fn median_of_an_even_number_of_values_lies_between_two() {
        let of = |values: &[f64]| median(values.iter().copied());
        assert_eq!((of(&[]), of(&[3.0]), of(&[4.0, 1.0, 9.0]), of(&[4.0, 1.0, 2.0, 9.0])), (0.0, 3.0, 4.0, 3.0));
    }
}
