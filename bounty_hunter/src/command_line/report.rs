//! The report of a simulated match, as a line of JSON or a row of a table.

use std::collections::BTreeMap;
use std::io::Write;

use bounty_hunter::replay::Replay;
use bounty_hunter::view::Ending;
use serde::{Serialize, Serializer};

use super::Failure;
use super::storage::Ended;

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
    /// `None` for a draw or an unfinished match.
    pub(crate) winner: Option<u32>,
    /// Points in the stash of each player.
    pub(crate) stashes: Vec<f32>,
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
}

fn as_hexadecimal<S: Serializer>(hash: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{hash:016x}"))
}

impl MatchReport {
    /// Writes one row of the table.
    fn write_row(&self, out: &mut impl Write) -> Result<(), Failure> {
        let ending = self.ending.map_or("unfinished", Ending::name);
        let winner = match (self.winner, self.ending) {
            (Some(player), _) => player.to_string(),
            (None, Some(_)) => "draw".to_owned(),
            (None, None) => "-".to_owned(),
        };
        let best_stash = self.stashes.iter().copied().fold(0.0, f32::max);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command_line::output::write_json;

    fn report() -> MatchReport {
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
            stashes: vec![12.5, 250.0],
            events: [("BountyCollected", 3), ("Algae", 1)].map(|(name, count)| (name.to_owned(), count)).into(),
            hash: 0xab,
            ticks_per_second: 1234.5,
            times_real_time: 20.5,
            ended: Ended::default(),
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
}
