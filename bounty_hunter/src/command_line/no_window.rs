//! Commands that need a window, in a build without one.

use bounty_hunter::assets::Assets;

use super::Failure;
use super::arguments::{PlayArguments, ReplayArguments};

pub(crate) fn play(_: Assets, _: PlayArguments, _players: u32, _humans: u32) -> Result<(), Failure> {
    Err(refuse("run `bounty_hunter simulate`"))
}

pub(crate) fn watch(_: &Assets, _: &ReplayArguments) -> Result<(), Failure> {
    Err(refuse("use --verify"))
}

fn refuse(instead: &str) -> Failure {
    Failure::BadInput(format!("this build has no window: `cargo build -p bounty_hunter` builds one, or {instead}"))
}
