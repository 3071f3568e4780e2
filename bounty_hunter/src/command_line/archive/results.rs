//! Matches that are over.

use std::collections::BTreeMap;

use bounty_hunter::replay::Replay;
use bounty_hunter::simulation::Simulation;
use bounty_hunter::view::Ending;
use rusqlite::{OptionalExtension, Row, params};
use serde::Serialize;

use super::{Archive, ArchiveError, seconds_since_1970};

/// How a player ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Standing {
    pub(crate) player: u32,
    pub(crate) name: String,
    pub(crate) is_person: bool,
    /// What lies in the stash.
    pub(crate) stashed: f64,
    /// Seconds left on the clock when the player was out of the match, for whoever was.
    pub(crate) out_at: Option<f64>,
}

/// How a match ended. The order of the fields is that of the keys in JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ResultDetails {
    #[serde(flatten)]
    pub(crate) line: ResultLine,
    /// By player.
    pub(crate) standings: Vec<Standing>,
    /// How many events of each type were sent in it.
    pub(crate) events: BTreeMap<String, i64>,
}

/// A match that is over, whole. The order of the fields is that of the keys in JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct MatchRecord {
    #[serde(flatten)]
    pub(crate) details: ResultDetails,
    /// All that entered it, to play it again.
    pub(crate) replay: Replay,
}

/// What a list of results says of one. The order of the fields is that of the keys in JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ResultLine {
    /// The archive's number for it; 0 before it is there.
    pub(crate) id: i64,
    /// Date and time of day in UTC; empty before it is in an archive.
    pub(crate) ended_at: String,
    pub(crate) mode: String,
    pub(crate) level: String,
    pub(crate) seed: String,
    pub(crate) players: u32,
    /// People among the players.
    pub(crate) people: u32,
    /// Time of play.
    pub(crate) seconds: f64,
    pub(crate) ending: String,
    /// The player who won; `None` for a draw.
    pub(crate) winner: Option<u32>,
    /// Version of the game.
    pub(crate) version: String,
}

/// Sums over all results. The order of the fields is that of the keys in JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Totals {
    pub(crate) matches: i64,
    /// Matches that people took part in, and that one of them won.
    pub(crate) with_people: i64,
    pub(crate) won_by_people: i64,
    /// Time of play in all.
    pub(crate) seconds: f64,
    /// The fullest stash of a person.
    pub(crate) best_stash: Option<f64>,
    /// Matches by mode.
    pub(crate) modes: BTreeMap<String, i64>,
    /// How many events of each type were sent.
    pub(crate) events: BTreeMap<String, i64>,
}

impl MatchRecord {
    /// What there is to say of a match; `None` while it is not over.
    pub(crate) fn of(simulation: &Simulation, replay: Replay) -> Option<Self> {
        let result = simulation.result()?;
        let players = simulation.view().players;
        let about = replay.about();
        let line = ResultLine {
            id: 0,
            ended_at: String::new(),
            mode: about.mode.clone(),
            level: about.level.clone(),
            seed: about.setup.seed.to_string(),
            players: players.len() as u32,
            people: players.iter().filter(|player| player.is_human).count() as u32,
            seconds: simulation.played_seconds(),
            ending: match result.ending {
                Ending::Time => "time",
                Ending::StashFull => "stash full",
                Ending::LastStanding => "last standing",
            }
            .to_owned(),
            winner: result.winner,
            version: about.version.clone(),
        };
        let standings = players.into_iter().map(|player| Standing {
            player: player.index,
            name: player.name,
            is_person: player.is_human,
            stashed: f64::from(player.stashed),
            out_at: player.out_at_clock_seconds.map(f64::from),
        });
        let events = simulation.event_counts().into_iter().map(|(event, sent)| (event, sent as i64));
        let replay = replay.beginning_at(simulation.begin());
        let details = ResultDetails { line, standings: standings.collect(), events: events.collect() };
        Some(Self { details, replay })
    }
}

const LINE: &str = "SELECT id, datetime(ended_at, 'unixepoch'), mode, level, seed, players, people, seconds, ending, winner, \
    version FROM results";

fn line(row: &Row<'_>) -> rusqlite::Result<ResultLine> {
    Ok(ResultLine {
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
    })
}

fn standing(row: &Row<'_>) -> rusqlite::Result<Standing> {
    Ok(Standing {
        player: row.get(0)?,
        name: row.get(1)?,
        is_person: row.get(2)?,
        stashed: row.get(3)?,
        out_at: row.get(4)?,
    })
}

impl Archive {
    /// Keeps a match that is over; returns its number.
    pub(crate) fn add_result(&mut self, record: &MatchRecord) -> Result<i64, ArchiveError> {
        let MatchRecord { details: ResultDetails { line, standings, events }, replay } = record;
        let mut write = || -> rusqlite::Result<i64> {
            let transaction = self.connection.transaction()?;
            transaction.execute(
                "INSERT INTO results VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                params![
                    seconds_since_1970(),
                    line.mode,
                    line.level,
                    line.seed,
                    line.players,
                    line.people,
                    line.seconds,
                    line.ending,
                    line.winner,
                    line.version,
                    replay.to_bytes(),
                ],
            )?;
            let id = transaction.last_insert_rowid();
            for Standing { player, name, is_person, stashed, out_at } in standings {
                let mut insert = transaction.prepare_cached("INSERT INTO standings VALUES (?, ?, ?, ?, ?, ?)")?;
                insert.execute(params![id, player, name, is_person, stashed, out_at])?;
            }
            for (event, sent) in events {
                let mut insert = transaction.prepare_cached("INSERT INTO events VALUES (?, ?, ?)")?;
                insert.execute(params![id, event, sent])?;
            }
            transaction.commit()?;
            Ok(id)
        };
        write().map_err(|error| self.failed(&error))
    }

    /// All results, the latest first.
    pub(crate) fn results(&self) -> Result<Vec<ResultLine>, ArchiveError> {
        let read = || -> rusqlite::Result<Vec<ResultLine>> {
            let mut lines = self.connection.prepare(&format!("{LINE} ORDER BY id DESC"))?;
            lines.query_map([], line)?.collect()
        };
        read().map_err(|error| self.failed(&error))
    }

    /// How a match ended.
    pub(crate) fn result(&self, id: i64) -> Result<ResultDetails, ArchiveError> {
        let read = || -> rusqlite::Result<_> {
            let of = |sql: &str| self.connection.prepare(sql);
            let line = self.connection.query_row(&format!("{LINE} WHERE id = ?"), [id], line)?;
            let standings =
                of("SELECT player, name, is_person, stashed, out_at FROM standings WHERE result = ? ORDER BY player")?
                    .query_map([id], standing)?
                    .collect::<rusqlite::Result<_>>()?;
            let events = of("SELECT event, sent FROM events WHERE result = ?")?
                .query_map([id], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect::<rusqlite::Result<_>>()?;
            Ok(ResultDetails { line, standings, events })
        };
        read().optional().map_err(|error| self.failed(&error))?.ok_or_else(|| self.no_result(id))
    }

    /// The replay of a match.
    pub(crate) fn replay(&self, id: i64) -> Result<Replay, ArchiveError> {
        let read =
            self.connection.query_row("SELECT replay FROM results WHERE id = ?", [id], |row| row.get::<_, Vec<u8>>(0));
        let replay = read.optional().map_err(|error| self.failed(&error))?.ok_or_else(|| self.no_result(id))?;
        Replay::from_bytes(&replay)
            .map_err(|error| self.problem(format!("the replay of result {id} can not be played: {error}")))
    }

    /// Forgets a result, which must be there.
    pub(crate) fn delete_result(&mut self, id: i64) -> Result<(), ArchiveError> {
        if self.forget_result(id)? { Ok(()) } else { Err(self.no_result(id)) }
    }

    /// Forgets a result; returns whether it was there.
    pub(crate) fn forget_result(&mut self, id: i64) -> Result<bool, ArchiveError> {
        let deleted = self.connection.execute("DELETE FROM results WHERE id = ?", [id]);
        deleted.map(|deleted| deleted > 0).map_err(|error| self.failed(&error))
    }

    /// Sums over all results.
    pub(crate) fn totals(&self) -> Result<Totals, ArchiveError> {
        let read = || -> rusqlite::Result<Totals> {
            let counts = |sql: &str| -> rusqlite::Result<BTreeMap<String, i64>> {
                self.connection.prepare(sql)?.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
            };
            let sums = "SELECT count(*), coalesce(sum(people > 0), 0), coalesce(sum(seconds), 0.0), \
                (SELECT count(*) FROM results JOIN standings ON result = id AND player = winner WHERE is_person), \
                (SELECT max(stashed) FROM standings WHERE is_person) FROM results";
            self.connection.query_row(sums, [], |row| {
                Ok(Totals {
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
        self.problem(format!("there is no result {id}, the command results lists them"))
    }
}

/// What the window wants to know besides.
#[cfg(feature = "client")]
impl Archive {
    /// Names of who won, by result; a draw has none.
    pub(crate) fn winners(&self) -> Result<BTreeMap<i64, String>, ArchiveError> {
        let read = || -> rusqlite::Result<BTreeMap<i64, String>> {
            let sql = "SELECT id, name FROM results JOIN standings ON result = id AND player = winner";
            self.connection.prepare(sql)?.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        };
        read().map_err(|error| self.failed(&error))
    }

    /// How all players of the matches ended that people took part in, by result.
    pub(crate) fn standings_with_people(&self) -> Result<BTreeMap<i64, Vec<Standing>>, ArchiveError> {
        let read = || -> rusqlite::Result<_> {
            let sql = "SELECT player, name, is_person, stashed, out_at, result FROM standings JOIN results ON result = id \
                WHERE people > 0 ORDER BY result, player";
            let mut by_result: BTreeMap<i64, Vec<Standing>> = BTreeMap::new();
            let mut found = self.connection.prepare(sql)?;
            let mut rows = found.query([])?;
            while let Some(row) = rows.next()? {
                by_result.entry(row.get(5)?).or_default().push(standing(row)?);
            }
            Ok(by_result)
        };
        read().map_err(|error| self.failed(&error))
    }
}
