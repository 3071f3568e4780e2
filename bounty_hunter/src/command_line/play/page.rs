//! What the window asks the page for, in a browser.

use std::path::{Path, PathBuf};

/// A different seed each time.
pub(super) fn seed() -> u64 {
    bounty_hunter::browser::milliseconds()
}

/// A browser makes no films.
pub(super) fn films(_: Option<&Path>) -> Option<PathBuf> {
    None
}

/// The key of the settings in the storage of the page.
pub(super) fn settings(name: &str) -> Option<PathBuf> {
    Some(name.into())
}
