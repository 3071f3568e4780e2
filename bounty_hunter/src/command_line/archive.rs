//! What outlasts a run of the program: saved matches and the results of finished ones, in an SQLite database.
//!
//! Everything is written in transactions, so a program that is killed at any moment leaves what was there before. The file can be
//! opened with any tool for SQLite; the tables say what is in them.

mod error;
mod results;
mod saves;
#[cfg(test)]
mod tests;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use directories::ProjectDirs;
use rusqlite::{Connection, OpenFlags};

pub(crate) use self::error::ArchiveError;
pub(crate) use self::results::MatchRecord;
pub(crate) use self::saves::{SaveLine, SavedMatch};

/// The database in its directory.
const FILE: &str = "bounty_hunter.sqlite3";
/// The form of the tables that this version writes.
const FORMAT: i64 = 2;
/// Tells the database from those of other programs: `BHSV`.
const APPLICATION: i64 = 0x4248_5356;
/// How long to wait between two looks whether another program is still writing, and how many looks to take: three seconds.
///
/// `SQLite` by itself looks ten times a second in the end, and who looks so seldom may find somebody else at it every time.
const PAUSE: Duration = Duration::from_millis(1);
const LOOKS: i32 = 3_000;

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

/// What makes the tables of format 1 those of format 2: when players were out.
const FROM_FORMAT_1: &str = "ALTER TABLE standings ADD COLUMN out_at REAL";

/// Saved matches and results.
#[derive(Debug)]
pub(crate) struct Archive {
    connection: Connection,
    file: PathBuf,
}

impl Archive {
    /// The archive in a directory; both are created if they are not there.
    pub(crate) fn open(directory: &Path) -> Result<Self, ArchiveError> {
        let file = directory.join(FILE);
        fs::create_dir_all(directory).map_err(|error| ArchiveError::new(&file, error.to_string()))?;
        Self::open_file(file, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)
    }

    /// The archive in a directory, if there is one.
    pub(crate) fn open_existing(directory: &Path) -> Result<Option<Self>, ArchiveError> {
        let file = directory.join(FILE);
        match file.try_exists() {
            Ok(false) => Ok(None),
            Ok(true) => Self::open_file(file, OpenFlags::SQLITE_OPEN_READ_WRITE).map(Some),
            Err(error) => Err(ArchiveError::new(&file, error.to_string())),
        }
    }

    fn open_file(file: PathBuf, flags: OpenFlags) -> Result<Self, ArchiveError> {
        let connection = Connection::open_with_flags(&file, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX);
        let connection = connection.map_err(|error| ArchiveError::of(&file, &error))?;
        let mut archive = Self { connection, file };
        archive.prepare()?;
        Ok(archive)
    }

    /// Sets how long to wait for another program that is writing.
    #[cfg(all(test, feature = "client"))]
    pub(crate) fn be_patient(&self, patience: Duration) -> rusqlite::Result<()> {
        self.connection.busy_timeout(patience)
    }

    /// Makes the tables of a new database, and refuses those of others.
    fn prepare(&mut self) -> Result<(), ArchiveError> {
        let number =
            |connection: &Connection, pragma| connection.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
        let prepared = (|| {
            self.connection.busy_handler(Some(|looks| {
                // A pause: nobody unparks this thread.
                std::thread::park_timeout(PAUSE);
                looks < LOOKS
            }))?;
            self.connection.pragma_update(None, "foreign_keys", true)?;
            // All in one transaction: another program may be making the tables at the same time.
            let reading = self.connection.transaction()?;
            let found = (number(&reading, "application_id")?, number(&reading, "user_version")?);
            let tables: i64 = reading.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
            reading.finish()?;
            let is_old = found == (APPLICATION, 1);
            if !is_old && (found != (0, 0) || tables > 0) {
                return Ok(found);
            }
            let transaction = self.connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
            // Another program may have been faster.
            let made = match number(&transaction, "user_version")? {
                0 => Some(TABLES),
                1 => Some(FROM_FORMAT_1),
                _ => None,
            };
            if let Some(tables) = made {
                transaction.execute_batch(tables)?;
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
                "it has the format {other}, which there never was: put a copy in its place, or move the file away to begin a new one"
            ))),
            Ok(_) => Err(self.problem("it is the database of another program".to_owned())),
        }
    }

    fn failed(&self, error: &rusqlite::Error) -> ArchiveError {
        ArchiveError::of(&self.file, error)
    }

    fn problem(&self, problem: String) -> ArchiveError {
        ArchiveError::new(&self.file, problem)
    }
}

/// The directory that was named, or else the one that the platform has for the data of programs.
pub(crate) fn directory(named: Option<&Path>) -> Result<PathBuf, String> {
    let usual = || ProjectDirs::from("", "", "bounty_hunter").map(|places| places.data_dir().to_owned());
    named.map(Path::to_owned).or_else(usual).ok_or_else(|| {
        "there is no home directory to keep saves and results in, name a directory with --data".to_owned()
    })
}

/// Seconds since 1970. The clock is read here, in the program, and never in the simulation.
fn seconds_since_1970() -> i64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |time| i64::try_from(time.as_secs()).unwrap_or(i64::MAX))
}
