//! The table of saved matches, by name.

use bounty_hunter::replay::Replay;
use rusqlite::{OptionalExtension, Row, params};
use serde::Serialize;

use super::{Archive, ArchiveError, SavedMatch, seconds_since_1970};

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
}

const LINE: &str = "SELECT name, datetime(saved_at, 'unixepoch'), mode, level, seed, players, ticks, version, \
    length(state) + length(replay) FROM saves";

fn line(row: &Row<'_>) -> rusqlite::Result<SaveLine> {
    Ok(SaveLine {
        name: row.get(0)?,
        saved_at: row.get(1)?,
        mode: row.get(2)?,
        level: row.get(3)?,
        seed: row.get(4)?,
        players: row.get(5)?,
        ticks: row.get(6)?,
        version: row.get(7)?,
        bytes: row.get(8)?,
    })
}

impl Archive {
    /// Saves a match, and replaces the save with this name.
    pub(crate) fn save(&mut self, slot: &str, saved: &SavedMatch) -> Result<(), ArchiveError> {
        let about = saved.replay.about();
        let written = self.connection.execute(
            "INSERT OR REPLACE INTO saves VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
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
                saved.replay.to_bytes(),
            ],
        );
        written.map_err(|error| self.failed(&error))?;
        tracing::debug!(slot, steps = about.steps, "saved");
        Ok(())
    }

    /// The save with this name.
    pub(crate) fn load(&self, slot: &str) -> Result<SavedMatch, ArchiveError> {
        let read = self.connection.query_row("SELECT state, replay FROM saves WHERE name = ?", [slot], |row| {
            Ok((row.get::<_, Vec<u8>>(0)?, row.get::<_, Vec<u8>>(1)?))
        });
        let (state, replay) =
            read.optional().map_err(|error| self.failed(&error))?.ok_or_else(|| self.no_save(slot))?;
        let replay = Replay::from_bytes(&replay)
            .map_err(|error| self.problem(format!("the save {slot:?} cannot be loaded: {error}")))?;
        Ok(SavedMatch { replay, state })
    }

    /// All saves, the latest first.
    pub(crate) fn saves(&self) -> Result<Vec<SaveLine>, ArchiveError> {
        let read = || -> rusqlite::Result<Vec<SaveLine>> {
            let mut lines = self.connection.prepare(&format!("{LINE} ORDER BY saved_at DESC, name"))?;
            lines.query_map([], line)?.collect()
        };
        read().map_err(|error| self.failed(&error))
    }

    /// One save as in a list.
    pub(crate) fn save_line(&self, slot: &str) -> Result<SaveLine, ArchiveError> {
        let read = self.connection.query_row(&format!("{LINE} WHERE name = ?"), [slot], line);
        read.optional().map_err(|error| self.failed(&error))?.ok_or_else(|| self.no_save(slot))
    }

    /// Copies a save to another name, and replaces the save with that name.
    pub(crate) fn copy_save(&mut self, slot: &str, to: &str) -> Result<(), ArchiveError> {
        let copied = self.connection.execute(
            "INSERT OR REPLACE INTO saves SELECT ?2, saved_at, mode, level, seed, players, ticks, version, state, replay \
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
        let names: Vec<String> = self.saves().unwrap_or_default().into_iter().map(|save| save.name).collect();
        let only =
            if names.is_empty() { "there are no saves".to_owned() } else { format!("only {}", names.join(", ")) };
        self.problem(format!("there is no save {slot:?}, {only}"))
    }
}
