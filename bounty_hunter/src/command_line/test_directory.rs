//! A directory for a test.

use std::fs;
use std::path::PathBuf;

/// A directory that is gone when the test ends; it is not there before somebody makes it.
pub(super) struct Directory(pub(super) PathBuf);

impl Directory {
    /// `name` is one that no other test has.
    pub(super) fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("bounty_hunter_{name}_{}", std::process::id())))
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        // It may never have been made.
        let _ = fs::remove_dir_all(&self.0);
    }
}
