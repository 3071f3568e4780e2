//! What the window asks its machine for, and a page of a browser asks elsewhere.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use crate::client::input::hand::Hand;
use bounty_hunter_simulation::foreign_file::{self, FileKind};
use bounty_hunter_simulation::whole_file;

/// Whether the window is a page, whose browser decides on its size and on when it draws.
pub(super) const IS_A_PAGE: bool = false;

/// The bytes of the file of the settings; `None` if there is no file.
pub(super) fn read(path: &Path) -> Result<Option<Vec<u8>>, String> {
    match foreign_file::read(path, FileKind::Settings) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(foreign_file::problem(&error)),
    }
}

/// Writes a file completely or not at all.
pub(super) fn write(path: &Path, text: &str) -> Result<(), String> {
    let folder = path.parent().unwrap_or(path);
    let written = fs::create_dir_all(folder).and_then(|()| whole_file::write(path, text.as_bytes()));
    written.map_err(|error| error.to_string())
}

/// What a person has in hand before the first event.
pub(super) fn first_hand() -> Hand {
    Hand::default()
}

/// Shows why the program in the window has ended; empty without a reason.
pub(super) fn end(_: &str) {}
