//! The table of finished matches.

use std::collections::BTreeMap;

use bounty_hunter::replay::Replay;
use bounty_hunter::results::{MatchDetails, MatchSummary, MatchTotals, PlayerResult, assign_places};
use bounty_hunter::simulation::Simulation;
use rusqlite::{OptionalExtension, Row, params};
use serde::Serialize;

use super::{Archive, ArchiveError, seconds_since_1970};

/// A finished match with its replay. The order of the fields is the order of the keys in JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct MatchRecord {
    #[serde(flatten)]
    pub(crate) details: MatchDetails,
    pub(crate) replay: Replay,
}

impl MatchRecord {
    /// The record of a finished match; `None` if the match is not over.
    pub(crate) fn of(simulation: &Simulation, replay: Replay) -> Option<Self> {
        let result = simulation.result()?;
        let players = simulation.view().players;
        let about = replay.about();
        let summary = MatchSummary {
            id: 0,
            ended_at: String::new(),
            mode: about.mode.clone(),
            level: about.level.clone(),
            seed: about.setup.seed.to_string(),
            players: players.len() as u32,
            people: players.iter().filter(|player| player.is_human).count() as u32,
            seconds: simulation.played_seconds(),
            ending: result.ending.name().to_owned(),
            winner: result.winner,
            version: about.version.clone(),
            winner_name: result
                .winner
                .and_then(|winner| players.get(winner as usize))
                .map(|winner| winner.name.clone()),
            best_person: None,
        };
        let standings = players.into_iter().map(|player| PlayerResult {
            place: 0,
            player: player.index,
            name: player.name,
            is_person: player.is_human,
            stashed: f64::from(player.stashed),
            out_at: player.out_at_clock_seconds.map(f64::from),
        });
        let events = simulation.event_counts().into_iter().map(|(event, sent)| (event, sent as i64));
        let replay = replay.beginning_at(simulation.begin());
        let details = match_details(summary, standings.collect(), events.collect());
        Some(Self { details, replay })
    }
}

/// Fills in the places, and the best person.
fn match_details(
    mut summary: MatchSummary,
    mut standings: Vec<PlayerResult>,
    events: BTreeMap<String, i64>,
) -> MatchDetails {
    assign_places(&mut standings, summary.winner);
    summary.best_person = best_person(&standings);
    MatchDetails { summary, standings, events }
}

fn best_person(standings: &[PlayerResult]) -> Option<PlayerResult> {
    standings.iter().filter(|player| player.is_person).min_by_key(|player| player.place).cloned()
}

const SUMMARY: &str = "SELECT id, datetime(ended_at, 'unixepoch'), mode, level, seed, players, people, seconds, ending, winner, \
    version, coalesce((SELECT name FROM standings WHERE result = id AND player = winner), 'Player #' || winner) FROM results";

fn summary(row: &Row<'_>) -> rusqlite::Result<MatchSummary> {
    Ok(MatchSummary {
        id: row.get(0)?,
        ended_at: row.get(1)?,
        mode: row.get(2)?,
        level: row.get(3)?,
        seed: row.get(4)?,
        players: row.get(5)?,
        people: row.get(6)?,
        seconds: row.get(7)?,
        ending: row.get(8)?,
        winner: row.get(9)?,
        version: row.get(10)?,
        winner_name: row.get(11)?,
        best_person: None,
    })
}

fn player_result(row: &Row<'_>) -> rusqlite::Result<PlayerResult> {
    Ok(PlayerResult {
        place: 0,
        player: row.get(0)?,
        name: row.get(1)?,
        is_person: row.get(2)?,
        stashed: row.get(3)?,
        out_at: row.get(4)?,
    })
}

impl Archive {
    /// Stores a finished match; returns its id.
    pub(crate) fn add_result(&mut self, record: &MatchRecord) -> Result<i64, ArchiveError> {
        let MatchRecord { details: MatchDetails { summary, standings, events }, replay } = record;
        let mut write = || -> rusqlite::Result<i64> {
            let transaction = self.connection.transaction()?;
            transaction.execute(
                "INSERT INTO results VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                params![
                    seconds_since_1970(),
                    summary.mode,
                    summary.level,
                    summary.seed,
                    summary.players,
                    summary.people,
                    summary.seconds,
                    summary.ending,
                    summary.winner,
                    summary.version,
                    replay.to_bytes(),
                ],
            )?;
            let id = transaction.last_insert_rowid();
            let mut insert_standing = transaction.prepare("INSERT INTO standings VALUES (?, ?, ?, ?, ?, ?)")?;
            for PlayerResult { player, name, is_person, stashed, out_at, .. } in standings {
                insert_standing.execute(params![id, player, name, is_person, stashed, out_at])?;
            }
            let mut insert_event = transaction.prepare("INSERT INTO events VALUES (?, ?, ?)")?;
            for (event, sent) in events {
                insert_event.execute(params![id, event, sent])?;
            }
            drop((insert_standing, insert_event));
            transaction.commit()?;
            Ok(id)
        };
        write().map_err(|error| self.failed(&error))
    }

    /// All results, the latest first.
    pub(crate) fn results(&self) -> Result<Vec<MatchSummary>, ArchiveError> {
        let read = || -> rusqlite::Result<Vec<MatchSummary>> {
            let mut lines = self.connection.prepare(&format!("{SUMMARY} ORDER BY id DESC"))?;
            lines.query_map([], summary)?.collect()
        };
        read().map_err(|error| self.failed(&error))
    }

    /// One result.
    pub(crate) fn result(&self, id: i64) -> Result<MatchDetails, ArchiveError> {
        let read = || -> rusqlite::Result<_> {
            let of = |sql: &str| self.connection.prepare(sql);
            let summary = self.connection.query_row(&format!("{SUMMARY} WHERE id = ?"), [id], summary)?;
            let standings =
                of("SELECT player, name, is_person, stashed, out_at FROM standings WHERE result = ? ORDER BY player")?
                    .query_map([id], player_result)?
                    .collect::<rusqlite::Result<_>>()?;
            let events = of("SELECT event, sent FROM events WHERE result = ?")?
                .query_map([id], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect::<rusqlite::Result<_>>()?;
            Ok(match_details(summary, standings, events))
        };
        read().optional().map_err(|error| self.failed(&error))?.ok_or_else(|| self.no_result(id))
    }

    /// The replay of a match.
    pub(crate) fn replay(&self, id: i64) -> Result<Replay, ArchiveError> {
        let read =
            self.connection.query_row("SELECT replay FROM results WHERE id = ?", [id], |row| row.get::<_, Vec<u8>>(0));
        let replay = read.optional().map_err(|error| self.failed(&error))?.ok_or_else(|| self.no_result(id))?;
        Replay::from_bytes(&replay)
            .map_err(|error| self.problem(format!("the replay of result {id} cannot be played: {error}")))
    }

    /// Deletes a result.
    pub(crate) fn delete_result(&mut self, id: i64) -> Result<(), ArchiveError> {
        if self.delete_result_if_any(id)? { Ok(()) } else { Err(self.no_result(id)) }
    }

    /// Deletes a result if it exists; returns whether it did.
    pub(crate) fn delete_result_if_any(&mut self, id: i64) -> Result<bool, ArchiveError> {
        let deleted = self.connection.execute("DELETE FROM results WHERE id = ?", [id]);
        deleted.map(|deleted| deleted > 0).map_err(|error| self.failed(&error))
    }

    /// Sums over all results.
    pub(crate) fn totals(&self) -> Result<MatchTotals, ArchiveError> {
        let read = || -> rusqlite::Result<MatchTotals> {
            let counts = |sql: &str| -> rusqlite::Result<BTreeMap<String, i64>> {
                self.connection.prepare(sql)?.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
            };
            let sums = "SELECT count(*), coalesce(sum(people > 0), 0), coalesce(sum(seconds), 0.0), \
                (SELECT count(*) FROM results JOIN standings ON result = id AND player = winner WHERE is_person), \
                (SELECT max(stashed) FROM standings WHERE is_person) FROM results";
            self.connection.query_row(sums, [], |row| {
                Ok(MatchTotals {
                    matches: row.get(0)?,
                    with_people: row.get(1)?,
                    seconds: row.get(2)?,
                    won_by_people: row.get(3)?,
                    best_stash: row.get(4)?,
                    modes: counts("SELECT mode, count(*) FROM results GROUP BY mode")?,
                    events: counts("SELECT event, sum(sent) FROM events GROUP BY event")?,
                })
            })
        };
        read().map_err(|error| self.failed(&error))
    }

    fn no_result(&self, id: i64) -> ArchiveError {
        self.problem(format!("there is no result {id}: `bounty_hunter results` lists them"))
    }
}

#[cfg(feature = "client")]
impl Archive {
    /// All results, the latest first, with the best person of each.
    pub(crate) fn results_with_people(&self) -> Result<Vec<MatchSummary>, ArchiveError> {
        let read = || -> rusqlite::Result<_> {
            let sql = "SELECT player, name, is_person, stashed, out_at, result FROM standings JOIN results ON result = id \
                WHERE people > 0 ORDER BY result, player";
            let mut by_result: BTreeMap<i64, Vec<PlayerResult>> = BTreeMap::new();
            let mut found = self.connection.prepare(sql)?;
            let mut rows = found.query([])?;
            while let Some(row) = rows.next()? {
                by_result.entry(row.get(5)?).or_default().push(player_result(row)?);
            }
            Ok(by_result)
        };
        let mut by_result = read().map_err(|error| self.failed(&error))?;
        let mut results = self.results()?;
        for summary in &mut results {
            if let Some(standings) = by_result.get_mut(&summary.id) {
                assign_places(standings, summary.winner);
                summary.best_person = best_person(standings);
            }
        }
        Ok(results)
    }
}
