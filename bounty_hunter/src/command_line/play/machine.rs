//! What the window asks its machine for, and a page of a browser asks elsewhere.

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

/// A different seed each time. Only the program reads the clock, never the simulation.
pub(super) fn seed() -> u64 {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH);
    since_1970.map_or(0, |time| time.as_nanos() as u64)
}

/// The file of the settings; `None` on a platform without a place for it.
pub(super) fn settings(name: &str) -> Option<PathBuf> {
    directories::ProjectDirs::from("", "", "bounty_hunter").map(|places| places.config_dir().join(name))
}
