//! Directories for tests.

use std::fs;
use std::path::PathBuf;

/// A directory for one test, deleted when the test ends. It does not exist at first.
pub(in crate::command_line) struct Directory(pub(in crate::command_line) PathBuf);

impl Directory {
    /// `name` must be unique among the tests.
    pub(in crate::command_line) fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("bounty_hunter_{name}_{}", std::process::id())))
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        // It may not exist.
        let _ = fs::remove_dir_all(&self.0);
    }
}
