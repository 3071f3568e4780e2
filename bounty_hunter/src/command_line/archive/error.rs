//! Why the archive can not be read or written.

use std::fmt;
use std::path::{Path, PathBuf};

use rusqlite::{Error, ErrorCode};

/// What is wrong with an archive, or with something in it.
#[derive(Debug)]
pub(crate) struct ArchiveError {
    file: PathBuf,
    problem: String,
}

impl ArchiveError {
    pub(super) fn new(file: &Path, problem: String) -> Self {
        Self { file: file.to_owned(), problem }
    }

    /// What SQLite says, in words for whoever plays.
    pub(super) fn of(file: &Path, error: &Error) -> Self {
        let problem = match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                "another program is writing to it: try again when that has finished".to_owned()
            }
            Some(ErrorCode::NotADatabase) => "it is no database: move the file away to begin a new one".to_owned(),
            Some(ErrorCode::DatabaseCorrupt) => {
                "it is damaged: put a copy in its place, or move the file away to begin a new one".to_owned()
            }
            Some(ErrorCode::DiskFull) => "the disk is full: nothing was changed".to_owned(),
            Some(ErrorCode::ReadOnly) => "it can only be read: allow writing to the file and its directory".to_owned(),
            Some(ErrorCode::CannotOpen) => "it can not be opened or created".to_owned(),
            Some(ErrorCode::SystemIoFailure) => {
                format!("the disk does not let it be read or written, or it is damaged: use another copy ({error})")
            }
            // What is read is asked for in a way that fits to what was written: it is not what was written.
            _ if is_about_content(error) => {
                format!("it is damaged: put a copy in its place, or move the file away to begin a new one ({error})")
            }
            _ => error.to_string(),
        };
        Self::new(file, problem)
    }
}

/// Whether tables or values are not what they should be.
fn is_about_content(error: &Error) -> bool {
    let is_schema = error.sqlite_error_code() == Some(ErrorCode::Unknown);
    is_schema
        || matches!(
            error,
            Error::FromSqlConversionFailure(..)
                | Error::IntegralValueOutOfRange(..)
                | Error::Utf8Error(..)
                | Error::InvalidColumnType(..)
                | Error::SqlInputError { .. }
        )
}

impl fmt::Display for ArchiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "saves and results in {}: {}", self.file.display(), self.problem)
    }
}

impl std::error::Error for ArchiveError {}

impl From<ArchiveError> for crate::command_line::Failure {
    fn from(error: ArchiveError) -> Self {
        Self::BadInput(error.to_string())
    }
}
