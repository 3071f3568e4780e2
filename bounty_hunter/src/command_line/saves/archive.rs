//! Saved matches and results of finished matches, in an SQLite database.
//!
//! All writes are transactions, so a program that is killed at any moment leaves the previous contents.

mod cells;
mod error;
pub(super) mod results;
mod saves;
#[cfg(test)]
mod tests;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bounty_hunter::foreign_file::FileKind;
use directories::ProjectDirs;
use rusqlite::{Connection, OpenFlags, OptionalExtension, ToSql};

pub(crate) use self::error::ArchiveError;
pub(crate) use self::results::MatchRecord;
pub(crate) use self::saves::SaveLine;

/// File name of the database.
const FILE: &str = "bounty_hunter.sqlite3";
/// The format of the tables that this version writes.
const FORMAT: i64 = 4;
/// A format to which [`FEATS`] and [`TEAMS`] are missing.
const WITHOUT_FEATS: i64 = 2;
/// A format to which nothing but [`TEAMS`] is missing.
const WITHOUT_TEAMS: i64 = 3;
/// Application id of the database: `BHSV`.
const APPLICATION: i64 = 0x4248_5356;
/// Pause between two attempts on a locked database, and number of attempts: three seconds in all.
///
/// The busy timeout of `SQLite` itself polls up to ten times a second, too rarely among several writers.
const PAUSE: Duration = Duration::from_millis(1);
const ATTEMPTS: i32 = 3_000;

/// The tables of [`WITHOUT_FEATS`].
const TABLES: &str = "
    CREATE TABLE saves (
        name TEXT PRIMARY KEY, saved_at INTEGER NOT NULL, mode TEXT NOT NULL, level TEXT NOT NULL, seed TEXT NOT NULL,
        players INTEGER NOT NULL, ticks INTEGER NOT NULL, version TEXT NOT NULL, state BLOB NOT NULL, replay BLOB NOT NULL
    ) STRICT;
    CREATE TABLE results (
        id INTEGER PRIMARY KEY AUTOINCREMENT, ended_at INTEGER NOT NULL, mode TEXT NOT NULL, level TEXT NOT NULL,
        seed TEXT NOT NULL, players INTEGER NOT NULL, people INTEGER NOT NULL, seconds REAL NOT NULL, ending TEXT NOT NULL,
        winner INTEGER, version TEXT NOT NULL, replay BLOB NOT NULL
    ) STRICT;
    CREATE TABLE standings (
        result INTEGER NOT NULL REFERENCES results (id) ON DELETE CASCADE, player INTEGER NOT NULL, name TEXT NOT NULL,
        is_person INTEGER NOT NULL, stashed REAL NOT NULL, out_at REAL, PRIMARY KEY (result, player)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE events (
        result INTEGER NOT NULL REFERENCES results (id) ON DELETE CASCADE, event TEXT NOT NULL, sent INTEGER NOT NULL,
        PRIMARY KEY (result, event)
    ) STRICT, WITHOUT ROWID;";
const FEATS: &str = "
    CREATE TABLE feats (
        result INTEGER NOT NULL REFERENCES results (id) ON DELETE CASCADE, player INTEGER NOT NULL, feat TEXT NOT NULL,
        PRIMARY KEY (result, player, feat)
    ) STRICT, WITHOUT ROWID;";

const TEAMS: &str = "ALTER TABLE standings ADD COLUMN team INTEGER;";

/// Saved matches and results.
#[derive(Debug)]
pub(crate) struct Archive {
    pub(super) connection: Connection,
    file: PathBuf,
}

impl Archive {
    /// Opens the archive in a directory, and creates both if needed.
    pub(crate) fn open(directory: &Path) -> Result<Self, ArchiveError> {
        let file = directory.join(FILE);
        fs::create_dir_all(directory).map_err(|error| ArchiveError::of_machine(&file, &error))?;
        Self::open_file(file, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)
    }

    /// Opens the archive in a directory, if it exists.
    pub(crate) fn open_existing(directory: &Path) -> Result<Option<Self>, ArchiveError> {
        let file = directory.join(FILE);
        match file.try_exists() {
            Ok(false) => Ok(None),
            Ok(true) => Self::open_file(file, OpenFlags::SQLITE_OPEN_READ_WRITE).map(Some),
            Err(error) => Err(ArchiveError::of_machine(&file, &error)),
        }
    }

    fn open_file(file: PathBuf, flags: OpenFlags) -> Result<Self, ArchiveError> {
        let connection = Connection::open_with_flags(&file, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX);
        let connection = connection.map_err(|error| ArchiveError::of(&file, &error))?;
        let mut archive = Self { connection, file };
        archive.prepare()?;
        Ok(archive)
    }

    /// Sets the time to wait for a locked database.
    #[cfg(test)]
    pub(crate) fn set_busy_timeout(&self, timeout: Duration) -> rusqlite::Result<()> {
        self.connection.busy_timeout(timeout)
    }

    /// Creates the tables of a new database and those that an older version lacks, and refuses other databases.
    fn prepare(&mut self) -> Result<(), ArchiveError> {
        let number =
            |connection: &Connection, pragma| connection.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
        let prepared = (|| {
            self.connection.busy_handler(Some(|attempts| {
                // Sleeps: no other thread unparks this one.
                std::thread::park_timeout(PAUSE);
                attempts < ATTEMPTS
            }))?;
            self.connection.pragma_update(None, "foreign_keys", true)?;
            // In one transaction: another program may create the tables at the same time.
            let reading = self.connection.transaction()?;
            let found = (number(&reading, "application_id")?, number(&reading, "user_version")?);
            let tables: i64 = reading.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
            reading.finish()?;
            let is_new = found == (0, 0) && tables == 0;
            if !is_new && found != (APPLICATION, WITHOUT_FEATS) && found != (APPLICATION, WITHOUT_TEAMS) {
                return Ok(found);
            }
            let transaction = self.connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
            // Another program may have created them first.
            let format = number(&transaction, "user_version")?;
            if format != FORMAT {
                if format == 0 {
                    transaction.execute_batch(TABLES)?;
                }
                if format != WITHOUT_TEAMS {
                    transaction.execute_batch(FEATS)?;
                }
                transaction.execute_batch(TEAMS)?;
                transaction.pragma_update(None, "application_id", APPLICATION)?;
                transaction.pragma_update(None, "user_version", FORMAT)?;
                transaction.commit()?;
            }
            Ok((APPLICATION, FORMAT))
        })();
        match prepared {
            Err(error) => Err(self.failed(&error)),
            Ok((APPLICATION, FORMAT)) => Ok(()),
            Ok((APPLICATION, newer)) if newer > FORMAT => Err(self.problem(format!(
                "a newer version of the game wrote it in format {newer}, this version reads formats up to {FORMAT}"
            ))),
            Ok((APPLICATION, other)) => Err(self.problem(format!(
                "it has the unknown format {other}: restore a copy, or move the file away to start a new one"
            ))),
            Ok(_) => Err(self.problem("it is the database of another program".to_owned())),
        }
    }

    /// The bytes in a column of the row with this key, or what is wrong with them; `None` without such a row.
    fn blob(
        &self,
        table: &str,
        column: &str,
        key_column: &str,
        key: impl ToSql,
        kind: FileKind,
    ) -> Result<Option<Result<Vec<u8>, String>>, ArchiveError> {
        // A value that is too long is not read.
        let most = kind.max_bytes() as i64;
        let sql = format!(
            "SELECT length({column}), CASE WHEN length({column}) <= {most} THEN {column} END FROM {table} WHERE {key_column} = ?"
        );
        let read = self.connection.query_row(&sql, [key], |row| {
            let length = row.get_ref(0)?.as_i64().unwrap_or_default();
            let bytes = || row.get_ref(1).ok()?.as_blob().ok().map(<[u8]>::to_vec);
            Ok(kind.check(length.max(0) as u64).and_then(|()| bytes().ok_or_else(|| "is no blob of bytes".to_owned())))
        });
        read.optional().map_err(|error| self.failed(&error))
    }

    pub(super) fn failed(&self, error: &rusqlite::Error) -> ArchiveError {
        ArchiveError::of(&self.file, error)
    }

    fn problem(&self, problem: String) -> ArchiveError {
        ArchiveError::new(&self.file, problem)
    }
}

/// The directory `named`, or the data directory of the platform.
pub(crate) fn directory(named: Option<&Path>) -> Result<PathBuf, String> {
    let usual = || ProjectDirs::from("", "", "bounty_hunter").map(|places| places.data_dir().to_owned());
    named
        .map(Path::to_owned)
        .or_else(usual)
        .ok_or_else(|| "there is no home directory for saves and results: set a directory with --data".to_owned())
}

/// Seconds since 1970. Only the program reads the clock, never the simulation.
fn seconds_since_1970() -> i64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |time| i64::try_from(time.as_secs()).unwrap_or(i64::MAX))
}
