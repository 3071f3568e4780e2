//! The same match at one thread, at two threads, and once more at one.

use bounty_hunter::assets::Assets;
use bounty_hunter::input::Inputs;
use bounty_hunter::simulation::{MatchSetup, Simulation};
use bounty_hunter::view::GameState;

use crate::eager;

/// Plays a match to its end three times side by side, at one, two and one threads. After each step all states must be
/// equal and no command may have failed. `inputs` gives the inputs after a number of steps. Returns one of the matches.
///
/// # Panics
/// If the matches differ, a command failed, or the match cannot be set up.
pub fn play_at_one_and_two_threads(
    assets: &Assets,
    setup: &MatchSetup,
    mut inputs: impl FnMut(u64) -> Inputs,
) -> Simulation {
    let start = |threads| Simulation::with_engine(assets, setup, eager(threads)).expect("the match can be set up");
    let mut simulations = [start(1), start(2), start(1)];
    while simulations[0].state() != GameState::GameOver {
        let inputs = inputs(simulations[0].tick());
        let [one, two, again] = simulations.each_mut().map(|simulation| {
            simulation.step(&inputs);
            assert_eq!(simulation.engine().command_errors(), [], "tick {}", simulation.tick());
            simulation.state_hash()
        });
        assert_eq!((two, again), (one, one), "tick {}", simulations[0].tick());
    }
    let [simulation, ..] = simulations;
    simulation
}
