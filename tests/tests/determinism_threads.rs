//! A match is equal, step by step, at every number of threads.

use bounty_hunter::assets::Assets;
use bounty_hunter::input::Inputs;
use bounty_hunter::simulation::{MatchSetup, Simulation};
use bounty_hunter::view::GameState;
use ecs::random::RandomStream;
use ecs::{Engine, EngineBuilder};
use tests::{Eavesdropper, below, eager, random_setup, random_step};

const THREADS: [usize; 4] = [1, 2, 4, 16];

/// Plays `steps` steps of a match at every number of threads side by side, and compares the states and the ordered
/// events of each step. Returns the final state of the game.
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
        simulation.engine_mut().add(Eavesdropper::default()).expect("no other system has this name");
        simulation.engine_mut().types_mut().leave_out_system::<Eavesdropper>();
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

/// `RANDOM_MATCHES=256` plays that many instead of 16, as `.ci/deep determinism` does.
#[test]
fn random_matches_are_equal_at_every_number_of_threads() {
    let matches = std::env::var("RANDOM_MATCHES").map_or(16, |number| number.parse().expect("it is a number"));
    for case in 0..matches {
        let mut random = RandomStream::new(case, "test");
        let players = 1 + below(&mut random, 48);
        let setup = random_setup(&mut random, players);
        assert_same_at_all_threads(&setup, eager, 240, || random_step(&mut random));
    }
}

#[test]
fn whole_match_is_equal_at_every_number_of_threads() {
    let setup = MatchSetup { play_seconds: Some(10.0), ..MatchSetup::of_ais(8, 16, "hard") };
    assert_eq!(assert_same_at_all_threads(&setup, eager, 650, Inputs::none), GameState::GameOver);
}

#[test]
fn crowds_are_equal_at_every_number_of_threads() {
    for players in [1_025, 2_300] {
        let mut random = RandomStream::new(players, "crowd");
        let setup = random_setup(&mut random, players as usize);
        // As in the program: these crowds are large enough for threads.
        let engine = |threads| Engine::builder().threads(threads);
        assert_same_at_all_threads(&setup, engine, 30, || random_step(&mut random));
    }
}

#[test]
fn threads_are_not_part_of_the_hash() {
    let setup = MatchSetup::of_ais(1, 4, "normal");
    let hash_of = |engine| Simulation::with_engine(&Assets::built_in(), &setup, engine).unwrap().state_hash();
    let usual = hash_of(Engine::builder());
    assert_eq!(hash_of(eager(16)), usual);
    assert_eq!(hash_of(Engine::builder().clock(|| std::time::Duration::from_secs(1))), usual);
}
