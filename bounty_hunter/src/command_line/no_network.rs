//! A build without the network: [`Arguments`](super::arguments::Arguments) refuses what asks for it.

use bounty_hunter::assets::Assets;
#[cfg(feature = "client")]
use bounty_hunter::client::together::Network;

#[cfg(feature = "client")]
use bounty_hunter::replay::Replay;

use super::Failure;
use super::arguments::{PlayArguments, Role};

pub(crate) fn play(_: Assets, _: Assets, _: &PlayArguments, _: Role, _players: u32) -> Result<(), Failure> {
    Err(Failure::BadInput("this build lacks the feature `network`".to_owned()))
}

/// The network of a window that opens with its title.
#[cfg(feature = "client")]
pub(crate) fn of_the_window(_: &Assets, _: &PlayArguments) -> (Network, Played) {
    (None, Played)
}

/// The matches over a network that were played from the title.
#[cfg(feature = "client")]
#[derive(Clone)]
pub(crate) struct Played;

#[cfg(feature = "client")]
impl Played {
    /// Forgets the last one, because another match follows it.
    pub(crate) fn forget(&self) {}

    /// The replay of the last one, if it was the last of all matches.
    pub(crate) fn last(&self) -> Option<Result<Replay, Failure>> {
        None
    }
}
