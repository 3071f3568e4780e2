//! Errors of the archive.

use std::fmt;
use std::path::{Path, PathBuf};

use rusqlite::{Error, ErrorCode};

/// An error of the archive: its file and the problem.
#[derive(Debug)]
pub(crate) struct ArchiveError {
    file: PathBuf,
    problem: String,
    /// The machine cannot read or write the file; otherwise it is not as it should be, or lacks what is asked for.
    is_of_machine: bool,
}

impl ArchiveError {
    pub(super) fn new(file: &Path, problem: String) -> Self {
        Self { file: file.to_owned(), problem, is_of_machine: false }
    }

    /// The machine cannot read or write the file.
    pub(super) fn of_machine(file: &Path, error: &std::io::Error) -> Self {
        Self { is_of_machine: true, ..Self::new(file, error.to_string()) }
    }

    /// Translates an error of `SQLite` into a problem and a remedy.
    pub(super) fn of(file: &Path, error: &Error) -> Self {
        let problem = match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                "another program is writing to it: try again when that has finished".to_owned()
            }
            Some(ErrorCode::NotADatabase) => "it is not a database: move the file away to start a new one".to_owned(),
            Some(ErrorCode::DatabaseCorrupt) => {
                "it is damaged: restore a copy, or move the file away to start a new one".to_owned()
            }
            Some(ErrorCode::DiskFull) => "the disk is full: nothing was changed".to_owned(),
            Some(ErrorCode::ReadOnly) => "it is read-only: allow writing to the file and its directory".to_owned(),
            Some(ErrorCode::CannotOpen) => {
                "it cannot be opened or created: check its directory and permissions".to_owned()
            }
            Some(ErrorCode::SystemIoFailure) => {
                format!("it cannot be read or written: check the disk, or restore a copy ({error})")
            }
            // The queries fit the tables that this program writes, so these are not its tables.
            _ if is_about_content(error) => {
                // Without the text of the query.
                let error: &dyn fmt::Display = match error {
                    Error::SqlInputError { msg, .. } => msg,
                    error => error,
                };
                format!("it is damaged: restore a copy, or move the file away to start a new one ({error})")
            }
            _ => error.to_string(),
        };
        let is_of_machine = matches!(
            error.sqlite_error_code(),
            Some(
                ErrorCode::DatabaseBusy
                    | ErrorCode::DatabaseLocked
                    | ErrorCode::DiskFull
                    | ErrorCode::ReadOnly
                    | ErrorCode::CannotOpen
                    | ErrorCode::SystemIoFailure
            )
        );
        Self { is_of_machine, ..Self::new(file, problem) }
    }
}

/// Whether tables or values differ from those that this program writes.
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
        match error.is_of_machine {
            true => Self::Machine(error.to_string()),
            false => Self::BadInput(error.to_string()),
        }
    }
}
