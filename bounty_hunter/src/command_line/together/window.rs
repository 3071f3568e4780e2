//! The window of a match over a network.

use std::cell::RefCell;
use std::io::stdout;
use std::path::PathBuf;
use std::rc::Rc;

use bounty_hunter::assets::Assets;
use bounty_hunter::client;
use bounty_hunter::client::together::Lobby;
use bounty_hunter::network::{Address, Beacon, LineWatch, Peer};

use super::report_desyncs;
use crate::command_line::Failure;
use crate::command_line::arguments::{Frames, PlayArguments};
use crate::command_line::output::write_line;
use crate::command_line::play;

/// Opens the window, and returns when the person leaves the match. States that differ are written to `directory`.
pub(super) fn play(
    assets: &Assets,
    arguments: &PlayArguments,
    players: u32,
    (peer, line): (&Rc<RefCell<Peer>>, &Rc<RefCell<LineWatch>>),
    (addresses, beacon): (Vec<Address>, Option<Beacon>),
    directory: PathBuf,
) -> Result<(), Failure> {
    let options = play::client_options(assets, arguments, players, 1);
    let after_step = Box::new(move |peer: &mut Peer| report_desyncs(peer, &directory));
    let lobby = Lobby { peer: Rc::clone(peer), line: Rc::clone(line), addresses, beacon, after_step };
    client::together::play(options, lobby)?;
    write_line(&mut stdout(), format_args!("confirmed {} steps; {}", peer.borrow().confirmed(), line.borrow()))
}

/// The name of the first person in the settings.
pub(super) fn first_name(assets: &Assets) -> String {
    client::first_name(&play::devices(assets, &Frames::default()))
}
