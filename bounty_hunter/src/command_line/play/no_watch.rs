//! A build without watched files: [`Arguments`](crate::command_line::arguments::Arguments) refuses what asks for them.

use std::path::Path;

use bounty_hunter::client::Game;
use bounty_hunter::simulation::Simulation;

pub(super) fn following(_: Simulation, _: &Path) -> Result<Box<dyn Game>, String> {
    Err("this build watches no files".to_owned())
}
