//! The window of a match over a network.

use std::cell::RefCell;
use std::rc::Rc;

use bounty_hunter::assets::Assets;
use bounty_hunter::client;
use bounty_hunter::client::together::AfterStep;
use bounty_hunter::network::{Address, LineWatch, Peer};

use crate::command_line::Failure;
use crate::command_line::arguments::PlayArguments;
use crate::command_line::play;

/// Opens the window, and returns when the person leaves the match.
pub(super) fn play(
    assets: &Assets,
    arguments: &PlayArguments,
    players: u32,
    (peer, line): (Rc<RefCell<Peer>>, Rc<RefCell<LineWatch>>),
    addresses: Vec<Address>,
    after_step: AfterStep,
) -> Result<(), Failure> {
    let options = play::client_options(assets, arguments, players, 1);
    Ok(client::together::play(options, peer, line, addresses, after_step)?)
}

/// The name of the first person in the settings.
pub(super) fn first_name(assets: &Assets) -> String {
    client::first_name(&play::devices(assets))
}
