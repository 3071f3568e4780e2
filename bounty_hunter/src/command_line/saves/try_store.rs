//! The tries of daily matches as files in a directory beside the saves.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use bounty_hunter::replay::Replay;

use super::archive;
use crate::command_line::replay;

/// The directory of the tries, or the reason why there is none.
#[derive(Clone, Debug)]
pub(in crate::command_line) struct TryStore(Result<PathBuf, String>);

/// The file of one try.
#[derive(Debug)]
pub(in crate::command_line) struct Try(PathBuf);

impl TryStore {
    /// The directory below `data`, or below that of the platform; it is made for the first try.
    pub(in crate::command_line) fn open(data: Option<&Path>) -> Option<Self> {
        Some(Self(archive::directory(data).map(|directory| directory.join("daily"))))
    }

    /// Whether a try of this name has begun, or cannot begin.
    pub(in crate::command_line) fn has(&self, name: &str) -> bool {
        self.0.as_ref().is_ok_and(|directory| directory.join(name).exists()) || self.0.is_err()
    }

    /// Begins the try of this name; `None` if it has begun before.
    ///
    /// # Errors
    /// A sentence, if the file cannot be written.
    pub(in crate::command_line) fn begin(&self, name: String) -> Result<Option<Try>, String> {
        let directory = self.0.as_deref()?;
        let refuse = |file: &Path, error: std::io::Error| format!("{} cannot be written: {error}", file.display());
        fs::create_dir_all(directory).map_err(|error| refuse(directory, error))?;
        let file = directory.join(name);
        match File::create_new(&file) {
            Ok(_) => Ok(Some(Try(file))),
            Err(_) if file.exists() => Ok(None),
            Err(error) => Err(refuse(&file, error)),
        }
    }
}

impl Try {
    /// The name of its file, without the directory.
    pub(in crate::command_line) fn name(&self) -> String {
        self.0.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Writes the replay; returns the path of its file.
    pub(in crate::command_line) fn end(self, played: &Replay) -> Result<String, String> {
        let written = replay::write(&self.0, played);
        written.map_err(|failure| failure.sentence())?;
        Ok(self.0.display().to_string())
    }
}
