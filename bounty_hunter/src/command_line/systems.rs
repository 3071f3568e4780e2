//! `bounty_hunter systems`: the work order of the game, explained, and who sends what to whom.

use bounty_hunter::assets::Assets;
use bounty_hunter::input::Inputs;
use bounty_hunter::simulation::{MatchSetup, Seat, Simulation};
use bounty_hunter::view::GameState;

/// The systems of the game in work order with the reason for each place, then the wiring of its events.
pub(crate) fn describe_systems() -> Result<String, String> {
    let setup = MatchSetup { seed: 0, seats: vec![Seat::Script], play_seconds: None };
    let mut simulation = Simulation::new(&Assets::built_in(), &setup).map_err(|error| error.to_string())?;
    // Between matches most systems are disabled, which is not the order that anybody asks for.
    while simulation.step(&Inputs::none()).state != GameState::Running {}
    let engine = simulation.engine_mut();
    let order = engine.explain().map_err(|error| error.to_string())?;
    let wiring = engine.wiring().map_err(|error| error.to_string())?;
    Ok(format!("{order}\nevents: who sends -> who listens\n{wiring}"))
}
