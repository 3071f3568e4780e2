//! Short matches to which random things happen, for tests that go back to some moment of them.

use bounty_hunter::assets::Assets;
use bounty_hunter::input::{InputEvent, Inputs, Key};
use bounty_hunter::random::RandomStream;
use bounty_hunter::simulation::{MatchSetup, Seat, Simulation};
use bounty_hunter::spell::Spell;
use ecs::Engine;

const KEYS: [Key; 9] = [Key::W, Key::A, Key::D, Key::Up, Key::P, Key::F5, Key::F9, Key::F10, Key::R];

/// A random number below `end`.
pub fn below(random: &mut RandomStream, end: usize) -> usize {
    random.between(0.0, end as f32) as usize
}

/// A short match in a mode, of five AIs and a person: it ends and is restarted on the way.
///
/// # Panics
/// If there is no such mode.
#[must_use]
pub fn short_match(mode: &str, seed: u64, threads: usize) -> Simulation {
    let mut assets = Assets::built_in().in_mode(mode).expect("the mode is there");
    assets.game.countdown_seconds = 0.5;
    let mut seats = vec![Seat::Ai { profile: assets.game.ai.clone() }; 5];
    seats.push(Seat::Human { keys: 0 });
    let setup = MatchSetup { seed, seats, play_seconds: Some(6.0) };
    Simulation::with_engine(&assets, &setup, Engine::builder().threads(threads).rows_worth_a_thread(0))
        .expect("the match can be set up")
}

/// What happens outside in so many steps: keys, windows, spells, and mostly nothing.
pub fn random_inputs(random: &mut RandomStream, steps: usize) -> Vec<Inputs> {
    let key = |random: &mut RandomStream| KEYS[below(random, KEYS.len())];
    (0..steps)
        .map(|_| match below(random, 8) {
            0 => Inputs::none().key_down(key(random)),
            1 => Inputs::none().key_up(key(random)),
            2 => Inputs::none().with(InputEvent::WindowResized(640, 480)),
            3 => {
                let mut inputs = Inputs::none();
                inputs.casts.push((below(random, 6) as u32, Spell::Magnet));
                inputs
            }
            _ => Inputs::none(),
        })
        .collect()
}

/// Takes steps and returns the hash after each.
pub fn hashes_of(simulation: &mut Simulation, inputs: &[Inputs]) -> Vec<u64> {
    let step = |inputs| {
        simulation.step(inputs);
        simulation.state_hash()
    };
    inputs.iter().map(step).collect()
}
