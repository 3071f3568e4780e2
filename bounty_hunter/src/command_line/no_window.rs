//! What stands in for the window in a build without one.

use bounty_hunter::assets::Assets;

use super::Failure;
use super::arguments::{PlayOptions, ReplayArguments};

/// Says that there is no window.
pub(crate) fn play(_assets: Assets, _options: &PlayOptions) -> Result<(), Failure> {
    Err(refuse("run `bounty_hunter simulate`"))
}

/// Says that there is no window.
pub(crate) fn watch(_assets: &Assets, _arguments: &ReplayArguments) -> Result<(), Failure> {
    Err(refuse("say --verify"))
}

fn refuse(instead: &str) -> Failure {
    Failure::BadInput(format!("this build has no window, build it with the feature `client` or {instead}"))
}
