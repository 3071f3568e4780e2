//! What the window asks its machine for, and a page of a browser asks elsewhere.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// A different seed each time. Only the program reads the clock, never the simulation.
pub(super) fn seed() -> u64 {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH);
    since_1970.map_or(0, |time| time.as_nanos() as u64)
}

/// The folder for films of highlights: in the folder `named` or that of the platform; `None` without either.
pub(super) fn films(named: Option<&Path>) -> Option<PathBuf> {
    let usual = || directories::ProjectDirs::from("", "", "bounty_hunter").map(|places| places.data_dir().to_owned());
    Some(named.map(Path::to_owned).or_else(usual)?.join("highlights"))
}

/// The file of the settings; `None` on a platform without a place for it.
pub(super) fn settings(name: &str) -> Option<PathBuf> {
    directories::ProjectDirs::from("", "", "bounty_hunter").map(|places| places.config_dir().join(name))
}
