//! `bounty_hunter systems`: the work order of the game, explained, and who sends what to whom.

use bounty_hunter::assets::Assets;
use bounty_hunter::input::Inputs;
use bounty_hunter::simulation::{MatchSetup, Simulation};
use bounty_hunter::view::GameState;

/// Steps of the match after which the engine is asked which groups would help.
const STEPS_TO_MEASURE: usize = 300;

/// The systems of the game in work order with the reason for each place, then the wiring of its events, then the groups of
/// pools that would help.
pub(crate) fn describe_systems() -> Result<String, String> {
    let setup = MatchSetup::of_ais(0, 16, "normal");
    let mut simulation = Simulation::new(&Assets::built_in(), &setup).map_err(|error| error.to_string())?;
    // Between matches most systems are disabled, which is not the order that anybody asks for.
    while simulation.step(&Inputs::none()).state != GameState::Running {}
    (0..STEPS_TO_MEASURE).for_each(|_| _ = simulation.step(&Inputs::none()));
    let engine = simulation.engine_mut();
    let groups = engine.propose_groups().map_err(|error| error.to_string())?;
    let order = engine.explain().map_err(|error| error.to_string())?;
    let wiring = engine.wiring().map_err(|error| error.to_string())?;
    Ok(format!("{order}\nevents: who sends -> who listens\n{wiring}\n{groups}"))
}
