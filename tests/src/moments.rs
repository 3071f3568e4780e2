//! Random matches and random inputs.

use bounty_hunter::assets::Assets;
use bounty_hunter::input::{Cheat, Command, Inputs, Intent};
use bounty_hunter::simulation::{MatchSetup, Seat, Simulation};
use bounty_hunter::spell::Spell;
use bounty_hunter::view::GameState;
use ecs::random::RandomStream;
use ecs::{Engine, EngineBuilder};

const COMMANDS: [Command; 7] = [
    Command::Pause,
    Command::Resume,
    Command::Restart,
    Command::Cheat(Cheat::Possess),
    Command::Cheat(Cheat::Next),
    Command::Cheat(Cheat::KillCollectors),
    Command::Cheat(Cheat::KillBounties),
];
/// What a person with a keyboard can want.
const DRIVES: [f32; 3] = [0.0, 1.0, -0.5];
const TURNS: [f32; 3] = [0.0, 1.0, -1.0];

/// A random number below `end`.
pub fn below(random: &mut RandomStream, end: usize) -> usize {
    random.between(0.0, end as f32) as usize
}

/// An engine that uses its threads for any amount of work.
#[must_use]
pub fn eager(threads: usize) -> EngineBuilder {
    Engine::builder().threads(threads).parallel_threshold(0)
}

/// A seat of an AI.
#[must_use]
pub fn ai(profile: &str) -> Seat {
    Seat::Ai { profile: profile.to_owned() }
}

/// A match without inputs, at its first step in `state`.
///
/// # Panics
/// If the match cannot be set up.
#[must_use]
pub fn match_in(assets: &Assets, setup: &MatchSetup, state: GameState) -> Simulation {
    let mut simulation = Simulation::new(assets, setup).expect("the match can be set up");
    while simulation.step(&Inputs::none()).state != state {}
    simulation
}

/// A match of people, scripts and AIs of all profiles.
pub fn random_setup(random: &mut RandomStream, players: usize) -> MatchSetup {
    let profiles: Vec<String> = Assets::built_in().ai_names().cloned().collect();
    let seed = (below(random, 1 << 20) as u64) << 40 | below(random, 1 << 20) as u64;
    let seats = (0..players).map(|_| match below(random, 6) {
        0 => Seat::Human { person: below(random, 2) as u8 },
        1 => Seat::Script,
        _ => ai(&profiles[below(random, profiles.len())]),
    });
    MatchSetup { seats: seats.collect(), seed, play_seconds: Some(30.0) }
}

/// A short match of five AIs and a person in a mode.
///
/// # Panics
/// If there is no such mode.
#[must_use]
pub fn short_match(mode: &str, seed: u64, threads: usize) -> Simulation {
    let mut assets = Assets::built_in().in_mode(mode).expect("the mode is there");
    assets.game.countdown_seconds = 0.5;
    let mut seats = vec![ai(&assets.game.ai); 5];
    seats.push(Seat::Human { person: 0 });
    let setup = MatchSetup { seed, seats, play_seconds: Some(6.0) };
    Simulation::with_engine(&assets, &setup, eager(threads)).expect("the match can be set up")
}

/// Random inputs of a step: commands, people, scripts and spells; often none.
pub fn random_step(random: &mut RandomStream) -> Inputs {
    match below(random, 10) {
        0 => Inputs::none().with(COMMANDS[below(random, COMMANDS.len())]),
        1 | 2 => {
            let intent = Intent { drive: DRIVES[below(random, 3)], turn: TURNS[below(random, 3)] };
            Inputs::none().intent(below(random, 12) as u32, intent)
        }
        3 => {
            let intent = Intent { drive: random.between(-1.0, 1.0), turn: random.between(-1.0, 1.0) };
            Inputs::none().intent(below(random, 12) as u32, intent)
        }
        4 => {
            let mut inputs = Inputs::none();
            inputs.casts.push((below(random, 6) as u32, Spell::Magnet));
            inputs
        }
        _ => Inputs::none(),
    }
}

/// The inputs of [`random_step`] for `steps` steps.
pub fn random_inputs(random: &mut RandomStream, steps: usize) -> Vec<Inputs> {
    (0..steps).map(|_| random_step(random)).collect()
}

/// Takes steps and returns the hash after each one.
pub fn hashes_of(simulation: &mut Simulation, inputs: &[Inputs]) -> Vec<u64> {
    let step = |inputs| {
        simulation.step(inputs);
        simulation.state_hash()
    };
    inputs.iter().map(step).collect()
}
