//! Seeking in a replay: the state equals that of an uninterrupted playback, and a seek takes few steps.

use bounty_hunter::assets::Assets;
use bounty_hunter::replay::{Playback, Recorder, Replay, Seeker};
use bounty_hunter::simulation::{MatchSetup, Seat, Simulation};
use ecs::Engine;
use ecs::random::RandomStream;
use tests::{below, hashes_of, random_inputs};

const ANY: u64 = u64::MAX;

/// A short match of AIs and a person with random inputs: its replay, and the hash after each step from 0 on.
fn recorded(mode: &str, seed: u64, players: usize, steps: usize) -> (Replay, Assets, Vec<u64>) {
    let mut assets = Assets::built_in();
    assets.modes.values_mut().for_each(|mode| mode.game.countdown_seconds = 0.5);
    let assets = assets.in_mode(mode).unwrap();
    let mut setup = MatchSetup { play_seconds: Some(3.0), ..MatchSetup::of_ais(seed, players, &assets.game.ai) };
    setup.seats[0] = Seat::Human { person: 0 };
    let mut simulation = Simulation::new(&assets, &setup).unwrap();
    let mut recorder = Recorder::new(mode, &assets, &setup).unwrap();
    let mut hashes = vec![simulation.state_hash()];
    for inputs in random_inputs(&mut RandomStream::new(seed, "test").split(1), steps) {
        hashes.extend(hashes_of(&mut simulation, std::slice::from_ref(&inputs)));
        recorder.note(&inputs, &mut simulation);
    }
    (recorder.replay(&mut simulation), assets, hashes)
}

fn playback((replay, assets, _): &(Replay, Assets, Vec<u64>)) -> Playback {
    Playback::new(replay.clone(), assets, Engine::builder()).unwrap()
}

fn now(seeker: &Seeker) -> u64 {
    seeker.playback().simulation().tick()
}

#[track_caller]
fn assert_as_recorded(seeker: &mut Seeker, hashes: &[u64]) {
    assert_eq!(seeker.state_hash(), hashes[now(seeker) as usize], "step {}", now(seeker));
}

#[test]
fn every_step_is_equal_after_any_seeks() {
    let steps = 500;
    let mut random = RandomStream::new(3, "test");
    for (mode, players) in [("classic", 6), ("power-ups", 5), ("spells", 4), ("survival", 6), ("sandbox", 60)] {
        let recorded = recorded(mode, 40 + players as u64, players, steps);
        let hashes = &recorded.2;
        // Moments after each step, usual ones, and limits that increase their distance.
        for (steps_apart, most_objects) in [(1, 1_000_000), (60, 1_000_000), (7, 900), (45, 0)] {
            let mut seeker = Seeker::with_limits(playback(&recorded), steps_apart, most_objects).unwrap();
            assert_as_recorded(&mut seeker, hashes);
            for _ in 0..40 {
                match below(&mut random, 5) {
                    // Some steps forwards, as in a playback.
                    0 => {
                        for _ in 0..below(&mut random, 30) {
                            seeker.step().unwrap();
                        }
                    }
                    // Backwards step by step, as in a pause.
                    1 => {
                        for _ in 0..below(&mut random, 45) {
                            seeker.seek(now(&seeker).saturating_sub(1), ANY).unwrap();
                            assert_as_recorded(&mut seeker, hashes);
                        }
                    }
                    // A part of a seek.
                    2 => _ = seeker.seek(below(&mut random, steps + 1) as u64, below(&mut random, 80) as u64).unwrap(),
                    _ => {
                        let goal = below(&mut random, steps + 20) as u64;
                        seeker.seek(goal, ANY).unwrap();
                        assert_eq!(now(&seeker), goal.min(steps as u64), "a goal beyond the end is the end");
                    }
                }
                assert_as_recorded(&mut seeker, hashes);
            }
            // The rest plays as recorded.
            while let Some(report) = seeker.step().unwrap() {
                assert_eq!(report.tick, now(&seeker));
            }
            assert_eq!((now(&seeker), seeker.state_hash()), (steps as u64, hashes[steps]));
        }
    }
}

#[test]
fn seek_within_the_played_part_takes_fewer_steps_than_the_distance_of_moments() {
    let recorded = recorded("classic", 8, 5, 400);
    let mut seeker = Seeker::with_limits(playback(&recorded), 60, 1_000_000).unwrap();
    assert_eq!(seeker.seek(333, ANY).unwrap(), 333, "this part was not played yet");
    for goal in [332, 10, 300, 299, 0, 333, 59, 60, 61, 333] {
        let steps = seeker.seek(goal, ANY).unwrap();
        assert!(steps < 60, "{steps} steps to {goal}");
        assert_eq!(now(&seeker), goal);
    }
    assert_eq!(seeker.seek(400, ANY).unwrap(), 400 - 333);
}

#[test]
fn stepping_backwards_takes_steps_once() {
    let recorded = recorded("classic", 8, 5, 400);
    let mut seeker = Seeker::with_limits(playback(&recorded), 400, 1_000_000).unwrap();
    seeker.seek(350, ANY).unwrap();
    let steps: Vec<u64> = (300..350).rev().map(|goal| seeker.seek(goal, ANY).unwrap()).collect();
    assert_eq!(steps.iter().filter(|steps| **steps > 0).count(), 1, "{steps:?}");
}

#[test]
fn stepping_backwards_after_a_seek_in_parts_takes_steps_once() {
    let recorded = recorded("classic", 8, 5, 400);
    let mut seeker = Seeker::with_limits(playback(&recorded), 400, 1_000_000).unwrap();
    while now(&seeker) < 350 {
        seeker.seek(350, 3).unwrap();
    }
    let steps: Vec<u64> = (321..350).rev().map(|goal| seeker.seek(goal, ANY).unwrap()).collect();
    assert_eq!(steps, [0; 29]);
    // Further back, with several calls per seek.
    let mut taken = Vec::new();
    for goal in (300..321).rev() {
        let mut steps = seeker.seek(goal, 7).unwrap();
        while now(&seeker) < goal {
            steps += seeker.seek(goal, 7).unwrap();
        }
        assert_as_recorded(&mut seeker, &recorded.2);
        taken.push(steps);
    }
    assert_eq!(taken.iter().filter(|steps| **steps > 0).count(), 1, "{taken:?}");
}

#[test]
fn far_seek_can_be_made_in_parts() {
    let recorded = recorded("classic", 8, 5, 400);
    let mut seeker = Seeker::new(playback(&recorded)).unwrap();
    let mut steps = Vec::new();
    while now(&seeker) < 250 {
        steps.push(seeker.seek(250, 100).unwrap());
        assert_as_recorded(&mut seeker, &recorded.2);
    }
    assert_eq!(steps, [100, 100, 50]);
}

#[test]
fn moments_get_rarer_at_the_limit_of_objects() {
    let recorded = recorded("classic", 8, 12, 400);
    let mut seeker = Seeker::with_limits(playback(&recorded), 1, 600).unwrap();
    seeker.seek(20, ANY).unwrap();
    let objects = seeker.playback().simulation().engine().entities().len();
    assert!(objects > 12, "a stash each, and more");
    while seeker.step().unwrap().is_some() {
        assert!(seeker.moments() * 12 <= 600, "{} moments at step {}", seeker.moments(), now(&seeker));
    }
    assert!(seeker.moments() > 5, "there is room for several");
}

#[test]
fn replay_without_steps_can_seek() {
    let recorded = recorded("classic", 8, 3, 0);
    let mut seeker = Seeker::new(playback(&recorded)).unwrap();
    assert_eq!((seeker.seek(99, ANY).unwrap(), seeker.step().unwrap()), (0, None));
    assert_as_recorded(&mut seeker, &recorded.2);
}
