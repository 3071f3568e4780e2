//! A match goes the same way, step by step, whatever the number of threads that work it out.

use bounty_hunter::assets::Assets;
use bounty_hunter::input::{Inputs, Key};
use bounty_hunter::random::{Purpose, RandomStream};
use bounty_hunter::simulation::{MatchSetup, Seat, Simulation};
use bounty_hunter::view::GameState;
use ecs::{Engine, EngineBuilder};

const THREADS: [usize; 4] = [1, 2, 4, 16];

/// An engine that hands to its threads whatever it can, however little it is.
fn eager(threads: usize) -> EngineBuilder {
    Engine::builder().threads(threads).rows_worth_a_thread(0)
}

/// Draws a number below `end`.
fn below(random: &mut RandomStream, end: usize) -> usize {
    random.between(0.0, end as f32) as usize
}

/// A match of people, scripts and AIs of all profiles.
fn random_setup(random: &mut RandomStream, players: usize) -> MatchSetup {
    let profiles: Vec<String> = Assets::built_in().ai.into_keys().collect();
    let seed = (below(random, 1 << 20) as u64) << 40 | below(random, 1 << 20) as u64;
    let seats = (0..players).map(|_| match below(random, 8) {
        0 => Seat::Human { keys: below(random, 2) },
        1 => Seat::Script,
        _ => Seat::Ai { profile: profiles[below(random, profiles.len())].clone() },
    });
    MatchSetup { seats: seats.collect(), seed, play_seconds: Some(30.0) }
}

/// What people do in a step: mostly nothing.
fn random_inputs(random: &mut RandomStream) -> Inputs {
    const KEYS: [Key; 10] = [Key::W, Key::A, Key::D, Key::Up, Key::Left, Key::P, Key::F5, Key::F7, Key::F9, Key::F10];
    let key = KEYS[below(random, KEYS.len())];
    match below(random, 12) {
        0 => Inputs::none().key_down(key),
        1 => Inputs::none().key_up(key),
        _ => Inputs::none(),
    }
}

/// Plays a match at every number of threads side by side, `steps` steps from when the collectors may move, and compares
/// their states after each. Returns the state of the game in the end.
#[track_caller]
fn assert_same_at_all_threads(
    setup: &MatchSetup,
    engine: impl Fn(usize) -> EngineBuilder,
    steps: usize,
    mut inputs: impl FnMut() -> Inputs,
) -> GameState {
    let mut assets = Assets::built_in();
    assets.game.countdown_seconds = 0.1;
    let start = |threads| Simulation::with_engine(&assets, setup, engine(threads)).expect("the match can be set up");
    let mut simulations = THREADS.map(start);
    for _ in 0..steps {
        let inputs = inputs();
        let [one, others @ ..] = simulations.each_mut().map(|simulation| {
            simulation.step(&inputs);
            simulation.state_hash()
        });
        assert_eq!(others, [one; 3], "seed {}, tick {}", setup.seed, simulations[0].tick());
    }
    let [one, others @ ..] = simulations.each_ref().map(|simulation| (simulation.stashes(), simulation.event_counts()));
    assert!(others.iter().all(|other| *other == one), "seed {}", setup.seed);
    simulations[0].state()
}

#[test]
fn random_matches_go_the_same_way_at_every_number_of_threads() {
    for case in 0..64 {
        let mut random = RandomStream::new(case, Purpose::Wander, 0);
        let players = 1 + below(&mut random, 48);
        let setup = random_setup(&mut random, players);
        assert_same_at_all_threads(&setup, eager, 240, || random_inputs(&mut random));
    }
}

#[test]
fn whole_match_goes_the_same_way_at_every_number_of_threads() {
    let setup = MatchSetup { play_seconds: Some(10.0), ..MatchSetup::of_ais(8, 16, "hard") };
    assert_eq!(assert_same_at_all_threads(&setup, eager, 650, Inputs::none), GameState::GameOver);
}

#[test]
fn crowds_go_the_same_way_at_every_number_of_threads() {
    for players in [1_025, 2_300] {
        let mut random = RandomStream::new(players, Purpose::Wander, 0);
        let setup = random_setup(&mut random, players as usize);
        // As the program does it: these crowds are large enough for threads by themselves.
        let engine = |threads| Engine::builder().threads(threads);
        assert_same_at_all_threads(&setup, engine, 30, || random_inputs(&mut random));
    }
}

#[test]
fn threads_are_no_part_of_the_hash() {
    let setup = MatchSetup::of_ais(1, 4, "normal");
    let hash_of = |engine| Simulation::with_engine(&Assets::built_in(), &setup, engine).map(|it| it.state_hash());
    let usual = Simulation::new(&Assets::built_in(), &setup).map(|it| it.state_hash());
    assert_eq!(hash_of(eager(16)), usual);
    assert_eq!(hash_of(Engine::builder().clock(|| std::time::Duration::from_secs(1))), usual);
}
