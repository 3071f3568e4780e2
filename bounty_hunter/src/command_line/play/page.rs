//! What the window asks the page for, in a browser.

use std::path::PathBuf;

/// A different seed each time.
pub(super) fn seed() -> u64 {
    bounty_hunter::browser::milliseconds()
}

/// The key of the settings in the storage of the page.
pub(super) fn settings(name: &str) -> Option<PathBuf> {
    Some(name.into())
}
