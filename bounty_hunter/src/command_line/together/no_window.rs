//! A match over a network in a build without a window.

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;

use bounty_hunter::assets::Assets;
use bounty_hunter::network::{Address, Beacon, LineWatch, Peer};

use crate::command_line::Failure;
use crate::command_line::arguments::PlayArguments;

pub(super) fn play(
    _: &Assets,
    _: &PlayArguments,
    _players: u32,
    _: (&Rc<RefCell<Peer>>, &Rc<RefCell<LineWatch>>),
    _: (Vec<Address>, Option<Beacon>),
    _directory: PathBuf,
) -> Result<(), Failure> {
    Err(Failure::BadInput("this build has no window: add --headless".to_owned()))
}

pub(super) fn first_name(_: &Assets) -> String {
    String::new()
}
