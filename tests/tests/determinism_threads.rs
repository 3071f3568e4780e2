//! A match goes the same way, step by step, whatever the number of threads that work it out.

use bounty_hunter::assets::Assets;
use bounty_hunter::input::Inputs;
use bounty_hunter::random::{Purpose, RandomStream};
use bounty_hunter::simulation::{MatchSetup, Simulation};
use bounty_hunter::view::GameState;
use ecs::{Engine, EngineBuilder};
use tests::{Eavesdropper, below, eager, random_setup, random_step};

const THREADS: [usize; 4] = [1, 2, 4, 16];

/// Plays a match at every number of threads side by side, `steps` steps from when the collectors may move, and compares
/// their states and the events of each step, in their order. Returns the state of the game in the end.
#[track_caller]
fn assert_same_at_all_threads(
    setup: &MatchSetup,
    engine: impl Fn(usize) -> EngineBuilder,
    steps: usize,
    mut inputs: impl FnMut() -> Inputs,
) -> GameState {
    let mut assets = Assets::built_in();
    assets.game.countdown_seconds = 0.1;
    let start = |threads| {
        let mut simulation = Simulation::with_engine(&assets, setup, engine(threads)).expect("the match can be set up");
        simulation.engine_mut().add(Eavesdropper::default()).expect("nobody else is called so");
        simulation
    };
    let mut simulations = THREADS.map(start);
    for _ in 0..steps {
        let inputs = inputs();
        let [one, others @ ..] = simulations.each_mut().map(|simulation| {
            simulation.step(&inputs);
            let heard = simulation.engine().system::<Eavesdropper>().map(Eavesdropper::heard);
            (simulation.state_hash(), heard)
        });
        assert_eq!(others, [one; 3], "seed {}, tick {}", setup.seed, simulations[0].tick());
    }
    let heard = simulations[0].engine().system::<Eavesdropper>().map(Eavesdropper::heard);
    assert!(heard.is_some_and(|(events, _)| events > 10), "{heard:?}");
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
        assert_same_at_all_threads(&setup, eager, 240, || random_step(&mut random));
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
        assert_same_at_all_threads(&setup, engine, 30, || random_step(&mut random));
    }
}

#[test]
fn threads_are_no_part_of_the_hash() {
    let setup = MatchSetup::of_ais(1, 4, "normal");
    let hash_of = |engine| Simulation::with_engine(&Assets::built_in(), &setup, engine).unwrap().state_hash();
    let usual = hash_of(Engine::builder());
    assert_eq!(hash_of(eager(16)), usual);
    assert_eq!(hash_of(Engine::builder().clock(|| std::time::Duration::from_secs(1))), usual);
}
