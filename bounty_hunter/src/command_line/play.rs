//! `bounty_hunter play`: hands the options over to the window.

use bounty_hunter::assets::Assets;

use super::arguments::PlayOptions;

/// Plays in a window until it is closed.
#[cfg(feature = "client")]
pub(crate) fn play(_assets: Assets, _options: &PlayOptions) -> Result<(), String> {
    Err("not connected yet".to_owned())
}

/// Says that there is no window.
#[cfg(not(feature = "client"))]
pub(crate) fn play(_assets: Assets, _options: &PlayOptions) -> Result<(), String> {
    Err("this build has no window, build it with the feature `client` or run `bounty_hunter simulate`".to_owned())
}
