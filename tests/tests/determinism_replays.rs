//! Recorded matches replay equally with other threads, in other builds, and with saves in between.

use bounty_hunter::assets::Assets;
use bounty_hunter::replay::{Playback, Recorder, Replay};
use bounty_hunter::simulation::{MatchSetup, Simulation};
use ecs::random::RandomStream;
use ecs::snapshot::StateHasher;
use tests::{below, eager, random_inputs, random_setup};

/// The hash of the final states of all hundred matches, equal in debug and release builds. After a change of the rules
/// the failing test prints the new hash.
const GOLDEN: u64 = 0x7378_71d5_4351_b2ff;

const THREADS: [usize; 3] = [1, 2, 4];

/// Starts a match with a random number of threads.
fn start(assets: &Assets, setup: &MatchSetup, random: &mut RandomStream) -> Simulation {
    let threads = THREADS[below(random, THREADS.len())];
    Simulation::with_engine(assets, setup, eager(threads)).expect("the match can be set up")
}

#[test]
fn hundred_matches_with_saves_replay_equally_at_any_number_of_threads_in_any_build() {
    let modes: Vec<String> = Assets::built_in().modes.into_keys().filter(|mode| mode != "sandbox").collect();
    let mut all = StateHasher::default();
    for seed in 0..100 {
        let mut random = RandomStream::new(seed, "test");
        let mode = &modes[below(&mut random, modes.len())];
        let assets = Assets::built_in().in_mode(mode).unwrap();
        let players = 1 + below(&mut random, 15);
        let setup = MatchSetup { play_seconds: Some(2.0), ..random_setup(&mut random, players) };
        let steps = 250 + below(&mut random, 200);
        let saves = [0; 2].map(|_| below(&mut random, steps));

        let mut simulation = start(&assets, &setup, &mut random);
        let mut recorder = Recorder::new(mode, &assets, &setup).unwrap();
        for (step, inputs) in random_inputs(&mut random, steps).iter().enumerate() {
            if saves.contains(&step) {
                let saved = simulation.save().unwrap();
                simulation = start(&assets, &setup, &mut random);
                simulation.load(&saved).unwrap();
            }
            simulation.step(inputs);
            recorder.note(inputs, &mut simulation);
        }

        let replay = recorder.replay(&mut simulation);
        let read = Replay::from_bytes(&replay.to_bytes()).unwrap();
        assert_eq!(read, replay);
        let threads = THREADS[below(&mut random, THREADS.len())];
        let mut playback = Playback::new(read, &assets, eager(threads)).unwrap();
        playback.verify().unwrap_or_else(|difference| panic!("{mode}, seed {seed}, saved at {saves:?}: {difference}"));
        let played = playback.state_hash();
        assert_eq!((playback.simulation().tick(), played), (simulation.tick(), simulation.state_hash()));
        all.number(played);
    }
    assert!(all.finish() == GOLDEN, "the game has changed, its hash now is {:#018x}", all.finish());
}
