//! The table of saved matches, by name.

use bounty_hunter::foreign_file::FileKind;
use bounty_hunter::replay::Replay;
use bounty_hunter::saved_match::SavedMatch;
use ecs::prefab::may_be_meant;
use rusqlite::{OptionalExtension, Row, params};
use serde::Serialize;

use super::cells::{Cells, PLAYERS, TICKS};
use super::{Archive, ArchiveError, seconds_since_1970};

/// One save in a list. The order of the fields is the order of the keys in JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct SaveLine {
    pub(crate) name: String,
    /// Date and time of day in UTC.
    pub(crate) saved_at: String,
    pub(crate) mode: String,
    pub(crate) level: String,
    pub(crate) seed: String,
    pub(crate) players: u32,
    /// Number of steps.
    pub(crate) ticks: i64,
    /// Version of the game.
    pub(crate) version: String,
    /// Size of its state and its replay.
    pub(crate) bytes: i64,
    /// What cannot be, as sentences that begin with the name of the column; its values are empty or 0.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) odd: Vec<String>,
}

const LINE: &str = "SELECT name, saved_at, datetime(saved_at, 'unixepoch'), mode, level, seed, players, ticks, version, \
    length(state) + length(replay) FROM saves";

fn line(row: &Row<'_>) -> SaveLine {
    let mut cells = Cells::of(row);
    let line = SaveLine {
        name: cells.text(0, "name"),
        saved_at: cells.date(2, "saved_at"),
        mode: cells.text(3, "mode"),
        level: cells.text(4, "level"),
        seed: cells.text(5, "seed"),
        players: cells.count(6, "players", PLAYERS),
        ticks: cells.whole(7, "ticks", TICKS),
        version: cells.text(8, "version"),
        bytes: cells.whole(9, "bytes", 0..=MAX_SAVE_BYTES),
        odd: Vec::new(),
    };
    SaveLine { odd: cells.odd, ..line }
}

/// The most bytes of a state and a replay.
const MAX_SAVE_BYTES: i64 = (FileKind::State.max_bytes() + FileKind::Replay.max_bytes()) as i64;

/// The most names of saves in a sentence.
const MAX_NAMES_IN_A_SENTENCE: usize = 10;

impl Archive {
    /// Saves a match, and replaces the save with this name.
    pub(crate) fn save(&mut self, slot: &str, saved: &SavedMatch) -> Result<(), ArchiveError> {
        let about = saved.replay.about();
        FileKind::State
            .check(saved.state.len() as u64)
            .map_err(|problem| self.problem(format!("the match {problem}")))?;
        let replay = saved.replay.to_bytes();
        FileKind::Replay
            .check(replay.len() as u64)
            .map_err(|problem| self.problem(format!("the replay of the match {problem}")))?;
        let written = self.connection.execute(
            "INSERT OR REPLACE INTO saves (name, saved_at, mode, level, seed, players, ticks, version, state, replay) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            params![
                slot,
                seconds_since_1970(),
                about.mode,
                about.level,
                about.setup.seed.to_string(),
                about.setup.seats.len() as i64,
                about.steps as i64,
                about.version,
                saved.state,
                replay,
            ],
        );
        written.map_err(|error| self.failed(&error))?;
        tracing::debug!(target: "bounty_hunter::command_line::archive", slot, steps = about.steps, "saved");
        Ok(())
    }

    /// The save with this name.
    pub(crate) fn load(&self, slot: &str) -> Result<SavedMatch, ArchiveError> {
        let bytes_of = |column, kind| {
            let bytes = self.blob("saves", column, "name", slot, kind)?.ok_or_else(|| self.no_save(slot))?;
            bytes.map_err(|problem| self.problem(format!("the save {slot:?} cannot be loaded: its {column} {problem}")))
        };
        let (state, replay) = (bytes_of("state", FileKind::State)?, bytes_of("replay", FileKind::Replay)?);
        let replay = Replay::from_bytes(&replay)
            .map_err(|error| self.problem(format!("the save {slot:?} cannot be loaded: {error}")))?;
        Ok(SavedMatch { replay, state })
    }

    /// All saves, the latest first.
    pub(crate) fn saves(&self) -> Result<Vec<SaveLine>, ArchiveError> {
        let read = || -> rusqlite::Result<Vec<SaveLine>> {
            let mut lines = self.connection.prepare(&format!("{LINE} ORDER BY saved_at DESC, name"))?;
            lines.query_map([], |row| Ok(line(row)))?.collect()
        };
        read().map_err(|error| self.failed(&error))
    }

    /// One save as in a list.
    pub(crate) fn save_line(&self, slot: &str) -> Result<SaveLine, ArchiveError> {
        let read = self.connection.query_row(&format!("{LINE} WHERE name = ?"), [slot], |row| Ok(line(row)));
        read.optional().map_err(|error| self.failed(&error))?.ok_or_else(|| self.no_save(slot))
    }

    /// Copies a save to another name, and replaces the save with that name.
    pub(crate) fn copy_save(&mut self, slot: &str, to: &str) -> Result<(), ArchiveError> {
        let copied = self.connection.execute(
            "INSERT OR REPLACE INTO saves (name, saved_at, mode, level, seed, players, ticks, version, state, replay) \
             SELECT ?2, saved_at, mode, level, seed, players, ticks, version, state, replay \
             FROM saves WHERE name = ?1",
            [slot, to],
        );
        self.one(copied, slot)
    }

    /// Deletes a save.
    pub(crate) fn delete_save(&mut self, slot: &str) -> Result<(), ArchiveError> {
        let deleted = self.connection.execute("DELETE FROM saves WHERE name = ?", [slot]);
        self.one(deleted, slot)
    }

    fn one(&self, changed: rusqlite::Result<usize>, slot: &str) -> Result<(), ArchiveError> {
        match changed.map_err(|error| self.failed(&error))? {
            0 => Err(self.no_save(slot)),
            _ => Ok(()),
        }
    }

    fn no_save(&self, slot: &str) -> ArchiveError {
        let saves = self.saves().unwrap_or_default();
        let names: Vec<&str> = saves.iter().map(|save| &*save.name).filter(|name| !name.is_empty()).collect();
        let shown = &names[..names.len().min(MAX_NAMES_IN_A_SENTENCE)];
        let only = match names.len() - shown.len() {
            _ if names.is_empty() => "there are no saves".to_owned(),
            0 => format!("only {}", shown.join(", ")),
            more => format!("only {} and {more} more: `bounty_hunter saves` lists them", shown.join(", ")),
        };
        let meant = may_be_meant(slot, names.iter().copied());
        self.problem(format!("there is no save {slot:?}, {only}{meant}"))
    }
}
