//! What a process asks its machine for, and a page of a browser asks elsewhere.

use std::ffi::OsString;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use bounty_hunter::foreign_file::{self, FileKind};

/// The arguments of the process, its name first.
pub(crate) fn arguments() -> Vec<OsString> {
    std::env::args_os().collect()
}

/// Shows why the program ends, besides on standard error.
pub(super) fn end(_: &str) {}

/// Seconds since 1970; `None` if the clock is before it.
pub(super) fn unix_seconds() -> Option<u64> {
    SystemTime::now().duration_since(UNIX_EPOCH).ok().map(|since| since.as_secs())
}

/// Whether a person takes files out of the program by [`download`]: here they are in a directory already.
#[cfg(feature = "client")]
pub(super) const CAN_DOWNLOAD: bool = false;

/// Hands a file to the person.
#[cfg(feature = "client")]
pub(super) fn download(_: &str, _: &[u8]) {}

/// The bytes of a replay file.
pub(super) fn replay(file: &Path) -> Result<Vec<u8>, String> {
    foreign_file::read(file, FileKind::Replay)
        .map_err(|error| error.get_ref().map_or_else(|| error.to_string(), |problem| format!("it {problem}")))
}
