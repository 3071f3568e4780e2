//! The report of a simulated match, as a line of JSON or a row of a table.

use std::collections::BTreeMap;
use std::io::Write;

use bounty_hunter::balance::{Balance, MatchCounts, Outcome};
use bounty_hunter::replay::Replay;
use bounty_hunter::view::Ending;
use ecs::engine::MemoryReport;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::Failure;
use super::asserted::Asserted;
use super::saves::Ended;

/// The report of one match. The order of the fields is the order of the keys in JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct MatchReport {
    pub(crate) mode: String,
    pub(crate) level: String,
    pub(crate) seed: u64,
    pub(crate) players: u32,
    /// Steps of the match.
    pub(crate) ticks: u64,
    /// Steps without those before the match was loaded.
    #[serde(skip)]
    pub(crate) ticks_now: u64,
    /// Steps per second of play.
    #[serde(skip)]
    pub(crate) steps_per_second: u32,
    /// `None` if the match was stopped before its end.
    pub(crate) ending: Option<Ending>,
    /// `None` for a draw or an unfinished match; with teams, one player of the team that has won.
    pub(crate) winner: Option<u32>,
    /// The number of the team that has won.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) winning_team: Option<u32>,
    /// The number of the team of each player; empty without teams.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) teams: Vec<u32>,
    /// Points in the stash of each player.
    pub(crate) stashes: Vec<f32>,
    /// The AI of each player; empty for people and scripts.
    pub(crate) ais: Vec<String>,
    /// What was counted during the match.
    #[serde(flatten, serialize_with = "as_fields")]
    pub(crate) counts: MatchCounts,
    /// Number of events by type.
    pub(crate) events: BTreeMap<String, u64>,
    /// Hash of the world after the last step, 16 hexadecimal digits.
    #[serde(serialize_with = "as_hexadecimal")]
    pub(crate) hash: u64,
    /// Speed of the simulation in steps per second, including its setup. Differs from run to run.
    pub(crate) ticks_per_second: f64,
    /// Speed as a multiple of the speed in a window.
    pub(crate) times_real_time: f64,
    /// The result to store.
    #[serde(skip)]
    pub(crate) ended: Ended,
    /// The recording, if it was asked for.
    #[serde(skip)]
    pub(crate) replay: Option<Replay>,
    /// What its invariants tell.
    #[serde(skip)]
    pub(crate) asserted: Asserted,
    /// What it holds in memory, if that was asked for.
    #[serde(skip)]
    pub(crate) memory: Option<MemoryReport>,
}

fn as_hexadecimal<S: Serializer>(hash: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{hash:016x}"))
}

/// The numbers of deaths and of changes of the lead, as two keys.
fn as_fields<S: Serializer>(counts: &MatchCounts, serializer: S) -> Result<S::Ok, S::Error> {
    let mut fields = serializer.serialize_map(Some(2))?;
    fields.serialize_entry("deaths", &counts.deaths)?;
    fields.serialize_entry("lead_changes", &counts.lead_changes)?;
    fields.end()
}

impl MatchReport {
    /// The match as a part of statistics.
    fn outcome(&self) -> Outcome<'_> {
        let Self { ending, winner, stashes, ais, teams, counts, .. } = self;
        let seconds = self.ticks as f64 / f64::from(self.steps_per_second);
        Outcome { ending: *ending, winner: *winner, seconds, stashes, ais, teams, counts }
    }

    /// A player, or all players of its team, such as `4+5`.
    fn side_of(&self, player: u32) -> String {
        let team = |player: u32| self.teams.get(player as usize);
        let is_partner = |other: &u32| *other == player || team(player).is_some_and(|own| team(*other) == Some(own));
        let members: Vec<String> = (0..self.players).filter(is_partner).map(|player| player.to_string()).collect();
        members.join("+")
    }

    /// The points in the fullest stash, or in the stashes of the best team.
    fn best_stash(&self) -> f32 {
        let mut sums = self.stashes.clone();
        if let Some(last) = self.teams.iter().max() {
            sums = vec![0.0; *last as usize + 1];
            self.teams.iter().zip(&self.stashes).for_each(|(team, stashed)| sums[*team as usize] += stashed);
        }
        sums.into_iter().fold(0.0, f32::max)
    }

    /// Writes one row of the table.
    fn write_row(&self, out: &mut impl Write) -> Result<(), Failure> {
        let ending = self.ending.map_or("unfinished", Ending::name);
        let winner = match (self.winner, self.ending) {
            (Some(player), _) => self.side_of(player),
            (None, Some(_)) => "draw".to_owned(),
            (None, None) => "-".to_owned(),
        };
        let best_stash = self.best_stash();
        let Self { seed, players, ticks, hash, ticks_per_second, .. } = self;
        Ok(writeln!(
            out,
            "{seed:>20} {players:>7} {ticks:>8}  {ending:<13} {winner:>6} {best_stash:>10.1}  {hash:016x} {ticks_per_second:>9.0}"
        )?)
    }
}

/// A table of matches, written row by row, with the sums of their events at the end.
#[derive(Default)]
pub(crate) struct Table {
    rows: u64,
    events: BTreeMap<String, u64>,
}

impl Table {
    /// Writes the row of one match, and the head of the table before the first.
    pub(crate) fn write_match(&mut self, report: &MatchReport, out: &mut impl Write) -> Result<(), Failure> {
        if self.rows == 0 {
            writeln!(
                out,
                "{:>20} {:>7} {:>8}  {:<13} {:>6} {:>10}  {:<16} {:>9}",
                "seed", "players", "steps", "ending", "winner", "best stash", "hash", "steps/s"
            )?;
        }
        self.rows += 1;
        for (name, count) in &report.events {
            *self.events.entry(name.clone()).or_default() += count;
        }
        report.write_row(out)
    }

    /// Writes the number of events of all matches by type.
    pub(crate) fn write_events(&self, out: &mut impl Write) -> Result<(), Failure> {
        if self.events.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n{:>20}  event", "count")?;
        self.events.iter().try_for_each(|(name, count)| Ok(writeln!(out, "{count:>20}  {name}")?))
    }
}

/// Statistics over all matches, as a table in Markdown.
#[derive(Default)]
pub(crate) struct Summary {
    /// Mode, level and number of players of the first match.
    about: Option<(String, String, u32)>,
    balance: Balance,
}

impl Summary {
    /// Adds a match.
    pub(crate) fn add(&mut self, report: &MatchReport) {
        self.about.get_or_insert_with(|| (report.mode.clone(), report.level.clone(), report.players));
        self.balance.add(&report.outcome());
    }

    /// Writes the table, and if there are several AIs, one of their wins and one of their pairs.
    pub(crate) fn write(&self, out: &mut impl Write) -> Result<(), Failure> {
        let Some((mode, level, players)) = &self.about else { return Ok(()) };
        let balance = &self.balance;
        let percent = |share: f64| format!("{:.0} %", 100.0 * share);
        let [time, full, standing] =
            [Ending::Time, Ending::StashFull, Ending::LastStanding].map(|ending| percent(balance.share(ending)));
        let least_wins = balance.wins().iter().min().copied().unwrap_or(0);
        let most_wins = balance.wins().iter().max().copied().unwrap_or(0);
        writeln!(
            out,
            "| mode | level | players | matches | by time | stash full | last standing | median length | deaths per player | median lead changes | leader at half-time wins | wins of a seat | chi-square (1 % limit) |"
        )?;
        writeln!(out, "|---|---|---|---|---|---|---|---|---|---|---|---|---|")?;
        writeln!(
            out,
            "| {mode} | {level} | {players} | {} | {time} | {full} | {standing} | {:.0} s | {:.1} | {} | {} | {least_wins} to {most_wins} | {:.1} ({:.1}) |",
            balance.matches(),
            balance.seconds(),
            balance.deaths_per_player(),
            balance.lead_changes(),
            balance.leader_at_half_wins().map_or("–".to_owned(), percent),
            balance.chi_square(),
            balance.chi_square_limit(),
        )?;
        if balance.records().count() < 2 {
            return Ok(());
        }
        writeln!(out, "\n| AI | seats | wins | share of wins | fair share | deaths |\n|---|---|---|---|---|---|")?;
        for (ai, record) in balance.records() {
            let [share, fair] =
                [f64::from(record.wins), record.fair_wins].map(|wins| wins / f64::from(balance.matches()));
            let deaths = f64::from(record.deaths) / f64::from(record.seats);
            let (share, fair) = (percent(share), percent(fair));
            writeln!(out, "| {ai} | {} | {} | {share} | {fair} | {deaths:.1} |", record.seats, record.wins)?;
        }
        writeln!(out, "\n| AI | against | wins | has more in its stash |\n|---|---|---|---|")?;
        balance.duels().try_for_each(|((one, other), share)| {
            let wins = percent(balance.wins_against(one, other));
            Ok(writeln!(out, "| {one} | {other} | {wins} | {} |", percent(share))?)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command_line::output::write_json;

    fn report() -> MatchReport {
        let mut counts = MatchCounts::default();
        (counts.deaths, counts.lead_changes) = (vec![3, 1], 2);
        MatchReport {
            ticks_now: 5580,
            steps_per_second: 60,
            mode: "classic".to_owned(),
            level: "arena".to_owned(),
            seed: 7,
            players: 2,
            ticks: 5580,
            ending: Some(Ending::StashFull),
            winner: Some(1),
            winning_team: None,
            teams: Vec::new(),
            stashes: vec![12.5, 250.0],
            ais: ["hard", "easy"].map(str::to_owned).into(),
            counts,
            events: [("BountyCollected", 3), ("Algae", 1)].map(|(name, count)| (name.to_owned(), count)).into(),
            hash: 0xab,
            ticks_per_second: 1234.5,
            times_real_time: 20.5,
            ended: Ended::default(),
            asserted: Asserted::default(),
            memory: None,
            replay: None,
        }
    }

    fn written(write: impl FnOnce(&mut Vec<u8>) -> Result<(), Failure>) -> String {
        let mut out = Vec::new();
        write(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn json_is_one_line_with_its_keys_in_order() {
        assert_eq!(
            written(|out| write_json(out, &report())),
            concat!(
                r#"{"mode":"classic","level":"arena","seed":7,"players":2,"ticks":5580,"ending":"stash_full","winner":1,"stashes":[12.5,250.0],"#,
                r#""ais":["hard","easy"],"deaths":[3,1],"lead_changes":2,"#,
                r#""events":{"Algae":1,"BountyCollected":3},"hash":"00000000000000ab","ticks_per_second":1234.5,"times_real_time":20.5}"#,
                "\n"
            )
        );
        let unfinished = MatchReport { ending: None, winner: None, ..report() };
        assert!(written(|out| write_json(out, &unfinished)).contains(r#""ending":null,"winner":null,"#));
    }

    #[test]
    fn table_has_one_head_and_sums_the_events() {
        let text = written(|out| {
            let mut table = Table::default();
            table.write_match(&report(), out)?;
            table.write_match(&MatchReport { ending: Some(Ending::Time), winner: None, ..report() }, out)?;
            table.write_match(&MatchReport { ending: None, winner: None, ..report() }, out)?;
            table.write_events(out)
        });
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[0][..3], ["seed", "players", "steps"]);
        assert_eq!(lines[1], ["7", "2", "5580", "stash", "full", "1", "250.0", "00000000000000ab", "1234"]);
        assert_eq!(lines[2][3..5], ["time", "draw"]);
        assert_eq!(lines[3][3..5], ["unfinished", "-"]);
        assert_eq!(lines[5..], [["count", "event"], ["3", "Algae"], ["9", "BountyCollected"]]);
    }

    #[test]
    fn team_that_has_won_is_named_by_its_players() {
        let report = MatchReport {
            players: 5,
            winner: Some(3),
            winning_team: Some(1),
            teams: vec![0, 0, 1, 1, 2],
            stashes: vec![100.0, 0.0, 40.0, 70.0, 90.0],
            ..report()
        };
        let row = written(|out| report.write_row(out));
        assert_eq!(row.split_whitespace().skip(5).take(2).collect::<Vec<_>>(), ["2+3", "110.0"]);
        assert!(
            written(|out| write_json(out, &report)).contains(r#""winner":3,"winning_team":1,"teams":[0,0,1,1,2],"#)
        );
    }

    #[test]
    fn summary_is_a_table_of_all_matches_and_one_of_the_ais() {
        let text = written(|out| {
            let mut summary = Summary::default();
            summary.add(&report());
            summary.add(&MatchReport { ending: Some(Ending::Time), winner: Some(0), ticks: 6180, ..report() });
            summary.write(out)
        });
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[2],
            "| classic | arena | 2 | 2 | 50 % | 50 % | 0 % | 98 s | 2.0 | 2 | – | 1 to 1 | 0.0 (6.6) |"
        );
        assert_eq!(lines[6..8], ["| easy | 2 | 1 | 50 % | 50 % | 1.0 |", "| hard | 2 | 1 | 50 % | 50 % | 3.0 |"]);
        assert_eq!(lines[11..], ["| easy | hard | 50 % | 100 % |", "| hard | easy | 50 % | 0 % |"]);
        assert_eq!(written(|out| Summary::default().write(out)), "");
    }
}
