//! A build without the network: [`Arguments`](super::arguments::Arguments) refuses what asks for it.

use bounty_hunter::assets::Assets;

use super::Failure;
use super::arguments::{PlayArguments, Role};

pub(crate) fn play(_: Assets, _: Assets, _: &PlayArguments, _: Role, _players: u32) -> Result<(), Failure> {
    Err(Failure::BadInput("this build lacks the feature `network`".to_owned()))
}
