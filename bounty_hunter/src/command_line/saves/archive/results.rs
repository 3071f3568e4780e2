//! The table of finished matches.

use std::collections::BTreeMap;

use bounty_hunter::feats::{self, Performance};
use bounty_hunter::foreign_file::FileKind;
use bounty_hunter::replay::Replay;
use bounty_hunter::results::{
    FeatRecord, MatchDetails, MatchSummary, MatchTotals, PlayerResult, assign_places, winner_name,
};
use bounty_hunter::simulation::Simulation;
use rusqlite::{OptionalExtension, Row, params};
use serde::Serialize;

use super::cells::{Cells, PLAYERS, POINTS, SECONDS};
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
        let about = replay.about();
        let with_feats = |performance: Performance| {
            let is_proud = performance.player.is_person && replay.first_cheat().is_none();
            let feats = feats::of(&performance).filter(|_| is_proud).map(|feat| feat.to_string()).collect();
            PlayerResult { feats, ..performance.player }
        };
        let performances = feats::performances(simulation, &about.mode, &about.setup);
        let players: Vec<PlayerResult> = performances.into_iter().map(with_feats).collect();
        let summary = MatchSummary {
            id: 0,
            ended_at: String::new(),
            mode: about.mode.clone(),
            level: about.level.clone(),
            seed: about.setup.seed.to_string(),
            players: players.len() as u32,
            people: players.iter().filter(|player| player.is_person).count() as u32,
            seconds: simulation.played_seconds(),
            ending: result.ending.name().to_owned(),
            winner: result.winner,
            version: about.version.clone(),
            winner_name: winner_name(&players, result.winner),
            best_person: None,
            odd: Vec::new(),
        };
        let events = simulation.event_counts().into_iter().map(|(event, sent)| (event, sent as i64));
        let replay = replay.beginning_at(simulation.begin());
        let details = match_details(summary, players, events.collect());
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

pub(in crate::command_line::saves) fn best_person(standings: &[PlayerResult]) -> Option<PlayerResult> {
    standings.iter().filter(|player| player.is_person).min_by_key(|player| player.place).cloned()
}

const SUMMARY: &str = "SELECT id, ended_at, datetime(ended_at, 'unixepoch'), mode, level, seed, players, people, seconds, ending, winner, \
    version, coalesce((SELECT group_concat(name, ' & ') FROM (SELECT name FROM standings WHERE result = id AND (player = winner OR \
    team = (SELECT team FROM standings WHERE result = id AND player = winner)) ORDER BY player)), 'Player #' || winner) FROM results";

/// The columns that [`player_result`] reads.
pub(in crate::command_line::saves) const STANDING: &str = "player, name, is_person, stashed, out_at, team";

fn summary(row: &Row<'_>) -> MatchSummary {
    let mut cells = Cells::of(row);
    let summary = MatchSummary {
        id: cells.whole(0, "id", i64::MIN..=i64::MAX),
        ended_at: cells.date(2, "ended_at"),
        mode: cells.text(3, "mode"),
        level: cells.text(4, "level"),
        seed: cells.text(5, "seed"),
        players: cells.count(6, "players", PLAYERS),
        people: cells.count(7, "people", PLAYERS),
        seconds: cells.number(8, "seconds", SECONDS),
        ending: cells.text(9, "ending"),
        winner: cells.perhaps_count(10, "winner", PLAYERS),
        version: cells.text(11, "version"),
        winner_name: None,
        best_person: None,
        odd: Vec::new(),
    };
    let winner_name = summary.winner.map(|_| cells.text(12, "winner"));
    MatchSummary { winner_name, odd: cells.odd, ..summary }
}

/// The result of a player, and what is odd about it.
pub(in crate::command_line::saves) fn player_result(row: &Row<'_>) -> (PlayerResult, Vec<String>) {
    let mut cells = Cells::of(row);
    let result = PlayerResult {
        place: 0,
        player: cells.count(0, "player", PLAYERS),
        name: cells.text(1, "name"),
        is_person: cells.whole(2, "is_person", 0..=1) == 1,
        stashed: cells.number(3, "stashed", POINTS),
        out_at: cells.perhaps_number(4, "out_at", SECONDS),
        team: cells.perhaps_count(5, "team", PLAYERS),
        feats: Vec::new(),
    };
    let of_player = format!("of player {}", result.player);
    (result, cells.odd.into_iter().map(|problem| format!("{problem} ({of_player})")).collect())
}

/// The id of the result to which a standing belongs, in the column after those of [`player_result`]; `None` if it is no
/// id.
pub(in crate::command_line::saves) fn result_of(row: &Row<'_>) -> Option<i64> {
    row.get_ref(6).ok()?.as_i64().ok()
}

/// A name and how often, and what is odd about them.
fn counted(row: &Row<'_>) -> (String, i64, Vec<String>) {
    let mut cells = Cells::of(row);
    let (name, count) = (cells.text(0, "event"), cells.whole(1, "sent", 0..=i64::MAX));
    (name, count, cells.odd)
}

impl Archive {
    /// Stores a finished match; returns its id.
    pub(crate) fn add_result(&mut self, record: &MatchRecord) -> Result<i64, ArchiveError> {
        let MatchRecord { details: MatchDetails { summary, standings, events }, replay } = record;
        let mut write = || -> rusqlite::Result<i64> {
            let transaction = self.connection.transaction()?;
            transaction.execute(
                "INSERT INTO results (ended_at, mode, level, seed, players, people, seconds, ending, winner, version, replay) \
                 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
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
            let mut insert_standing = transaction.prepare(
                "INSERT INTO standings (result, player, name, is_person, stashed, out_at, team) VALUES (?, ?, ?, ?, ?, ?, ?)",
            )?;
            let mut insert_feat = transaction.prepare("INSERT INTO feats (result, player, feat) VALUES (?, ?, ?)")?;
            for PlayerResult { player, name, is_person, stashed, out_at, team, feats, .. } in standings {
                insert_standing.execute(params![id, player, name, is_person, stashed, out_at, team])?;
                for feat in feats {
                    insert_feat.execute(params![id, player, feat])?;
                }
            }
            let mut insert_event = transaction.prepare("INSERT INTO events (result, event, sent) VALUES (?, ?, ?)")?;
            for (event, sent) in events {
                insert_event.execute(params![id, event, sent])?;
            }
            drop((insert_standing, insert_feat, insert_event));
            transaction.commit()?;
            Ok(id)
        };
        write().map_err(|error| self.failed(&error))
    }

    /// All results, the latest first.
    pub(crate) fn results(&self) -> Result<Vec<MatchSummary>, ArchiveError> {
        let read = || -> rusqlite::Result<Vec<MatchSummary>> {
            let mut lines = self.connection.prepare(&format!("{SUMMARY} ORDER BY id DESC"))?;
            lines.query_map([], |row| Ok(summary(row)))?.collect()
        };
        read().map_err(|error| self.failed(&error))
    }

    /// The ids of results of matches in a mode and a level with so many players, of whom one was a person: those of the
    /// fullest stashes of that person, the fullest first.
    #[cfg_attr(not(feature = "client"), allow(dead_code))]
    pub(crate) fn best_of_one_person(&self, mode: &str, level: &str, players: usize) -> Result<Vec<i64>, ArchiveError> {
        const MOST: i64 = 30;
        let read = || -> rusqlite::Result<Vec<i64>> {
            let mut found = self.connection.prepare(
                "SELECT id FROM results JOIN standings ON result = id WHERE mode = ? AND level = ? AND players = ? \
                 AND people = 1 AND is_person = 1 ORDER BY stashed DESC, id LIMIT ?",
            )?;
            let players = i64::try_from(players).unwrap_or(i64::MAX);
            found.query_map(params![mode, level, players, MOST], |row| row.get(0))?.collect()
        };
        read().map_err(|error| self.failed(&error))
    }

    /// One result.
    pub(crate) fn result(&self, id: i64) -> Result<MatchDetails, ArchiveError> {
        let read = || -> rusqlite::Result<_> {
            let of = |sql: &str| self.connection.prepare(sql);
            let summary = |row: &Row<'_>| Ok(summary(row));
            let mut summary = self.connection.query_row(&format!("{SUMMARY} WHERE id = ?"), [id], summary)?;
            let (mut standings, mut events) = (Vec::new(), BTreeMap::new());
            let mut found = of(&format!("SELECT {STANDING} FROM standings WHERE result = ? ORDER BY player"))?;
            let mut rows = found.query([id])?;
            while let Some(row) = rows.next()? {
                let (standing, odd) = player_result(row);
                standings.push(standing);
                summary.odd.extend(odd);
            }
            let mut found = of("SELECT feat, player FROM feats WHERE result = ? ORDER BY feat")?;
            let mut rows = found.query([id])?;
            while let Some(row) = rows.next()? {
                let mut cells = Cells::of(row);
                let (feat, player) = (cells.text(0, "feat"), cells.count(1, "player", PLAYERS));
                summary.odd.append(&mut cells.odd);
                let standing = standings.iter_mut().find(|standing| standing.player == player);
                standing.into_iter().for_each(|standing| standing.feats.push(feat.clone()));
            }
            let mut found = of("SELECT event, sent FROM events WHERE result = ?")?;
            let mut rows = found.query([id])?;
            while let Some(row) = rows.next()? {
                let (event, sent, odd) = counted(row);
                events.insert(event, sent);
                summary.odd.extend(odd);
            }
            Ok(match_details(summary, standings, events))
        };
        read().optional().map_err(|error| self.failed(&error))?.ok_or_else(|| self.no_result(id))
    }

    /// The replay of a match.
    pub(crate) fn replay(&self, id: i64) -> Result<Replay, ArchiveError> {
        let unplayable =
            |problem: String| self.problem(format!("the replay of result {id} cannot be played: {problem}"));
        let replay = self.blob("results", "replay", "id", id, FileKind::Replay)?.ok_or_else(|| self.no_result(id))?;
        let replay = replay.map_err(|problem| unplayable(format!("it {problem}")))?;
        Replay::from_bytes(&replay).map_err(|error| unplayable(error.to_string()))
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

    /// Sums over all results. Odd values count as 0.
    pub(crate) fn totals(&self) -> Result<MatchTotals, ArchiveError> {
        let mut totals = MatchTotals::default();
        for line in self.results()? {
            totals.matches += 1;
            totals.with_people += i64::from(line.people > 0);
            totals.seconds += line.seconds;
            totals.odd += i64::from(!line.odd.is_empty());
            *totals.modes.entry(line.mode).or_default() += 1;
        }
        let mut add_rows = || -> rusqlite::Result<()> {
            let sql = "SELECT count(DISTINCT own.result) FROM standings AS own JOIN results ON own.result = id \
                LEFT JOIN standings AS best ON best.result = id AND best.player = winner \
                WHERE own.is_person = 1 AND (own.player = winner OR own.team = best.team)";
            totals.won_by_people = self.connection.query_row(sql, [], |row| row.get(0))?;
            let mut found = self.connection.prepare(&format!("SELECT {STANDING} FROM standings"))?;
            let mut rows = found.query([])?;
            while let Some(row) = rows.next()? {
                let (standing, _) = player_result(row);
                if standing.is_person {
                    totals.best_stash = Some(totals.best_stash.unwrap_or(0.0).max(standing.stashed));
                }
            }
            let mut found = self.connection.prepare("SELECT event, sent FROM events")?;
            let mut rows = found.query([])?;
            while let Some(row) = rows.next()? {
                let (event, sent, _) = counted(row);
                let sum = totals.events.entry(event).or_default();
                *sum = sum.saturating_add(sent);
            }
            Ok(())
        };
        add_rows().map_err(|error| self.failed(&error))?;
        Ok(totals)
    }

    /// The feats of people in all results, by name. A row that cannot be is left out.
    pub(crate) fn feats(&self) -> Result<Vec<FeatRecord>, ArchiveError> {
        let read = || -> rusqlite::Result<Vec<FeatRecord>> {
            let mut found =
                self.connection.prepare("SELECT feat, count(*), min(result) FROM feats GROUP BY feat ORDER BY feat")?;
            let rows = found.query_map([], |row| {
                let mut cells = Cells::of(row);
                let (feat, times) = (cells.text(0, "feat"), cells.whole(1, "times", 0..=i64::MAX));
                let first = cells.whole(2, "first", i64::MIN..=i64::MAX);
                Ok(cells.odd.is_empty().then_some(FeatRecord { feat, times, first }))
            })?;
            rows.filter_map(Result::transpose).collect()
        };
        read().map_err(|error| self.failed(&error))
    }

    fn no_result(&self, id: i64) -> ArchiveError {
        self.problem(format!("there is no result {id}: `bounty_hunter results` lists them"))
    }
}
