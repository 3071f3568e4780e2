//! What a process asks its machine for, and a page of a browser asks elsewhere.

use std::ffi::OsString;
use std::path::Path;

use bounty_hunter::foreign_file::{self, FileKind};

/// The arguments of the process, its name first.
pub(crate) fn arguments() -> Vec<OsString> {
    std::env::args_os().collect()
}

/// Shows why the program ends, besides on standard error.
pub(super) fn end(_: &str) {}

/// The bytes of a replay file.
pub(super) fn replay(file: &Path) -> Result<Vec<u8>, String> {
    foreign_file::read(file, FileKind::Replay)
        .map_err(|error| error.get_ref().map_or_else(|| error.to_string(), |problem| format!("it {problem}")))
}
