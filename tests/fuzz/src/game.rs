//! Replays and saved matches: the reader refuses the bytes, or the match can be played.

use bounty_hunter::assets::Assets;
use bounty_hunter::input::{Cheat, Command, Inputs, Intent};
use bounty_hunter::replay::{Playback, Recorder, Replay};
use bounty_hunter::simulation::{MatchSetup, Seat, Simulation};
use bounty_hunter::spell::Spell;
use ecs::Engine;

use crate::Basic;
use crate::hashes::{content_of, match_of, match_save_of, parts_of, replay_of, save_of};
use crate::mutation::{Choice, change_bytes, change_parts, put};

/// Most players of a match that is played; more would take too long.
const MAX_PLAYERS: usize = 6;
/// Most steps of a replay that are played.
const MAX_STEPS: usize = 200;

fn simulation(assets: &Assets, setup: &MatchSetup) -> Simulation {
    Simulation::new(assets, setup).expect("the match can be set up")
}

/// Inputs of every kind at fixed steps, and none at the others.
fn inputs(step: usize) -> Inputs {
    match step {
        3 => Inputs::none().with(Command::TakeSeat(2)),
        10 => Inputs::none().intent(0, Intent { drive: 1.0, turn: 0.0 }).with(Command::Cheat(Cheat::Possess)),
        20 => Inputs::none().intent(0, Intent::IDLE).with(Command::ReleaseSeat(2)),
        30 => Inputs::none().intent(1, Intent { drive: 1.0, turn: -0.5 }),
        40 => Inputs::none().cast(0, Spell::Magnet).cast(1, Spell::Strike),
        50 => Inputs::none().with(Command::Pause),
        55 => Inputs::none().with(Command::Resume).with(Command::Pause),
        60 => Inputs::none().with(Command::Restart),
        90 => Inputs::none().with(Command::Close),
        _ => Inputs::none(),
    }
}

/// Short replays in every mode, as bytes.
#[must_use]
pub fn replays() -> Vec<Vec<u8>> {
    let built_in = Assets::built_in();
    let replay = |(seed, mode): (usize, &String)| {
        let assets = built_in.clone().in_mode(mode).expect("the mode exists");
        let ai = Seat::Ai { profile: assets.game.ai.clone() };
        let seats = vec![Seat::Human { person: 0 }, Seat::Script, ai];
        let setup = MatchSetup { seed: seed as u64, seats, play_seconds: Some(1.0) };
        let mut simulation = simulation(&assets, &setup);
        let mut recorder = Recorder::new(mode, &assets, &setup).expect("the match can be set up");
        for step in 0..100 {
            let inputs = inputs(step);
            simulation.step(&inputs);
            recorder.note(&inputs, &mut simulation);
        }
        let bytes = recorder.replay(&mut simulation).to_bytes();
        assert_eq!(replay_of(&content_of(&bytes)), bytes, "the hash is that of the game");
        bytes
    };
    built_in.modes.keys().enumerate().map(replay).collect()
}

/// Mutates the content of a replay and corrects its hash; one time in eight mutates any bytes, to test the hash.
pub fn change_replay(bytes: &mut [u8], size: usize, seed: u32, basic: Basic<'_>) -> usize {
    let mut choice = Choice::new(seed);
    if choice.below(8) == 0 {
        return basic(bytes, size);
    }
    let mut content = content_of(&bytes[..size]);
    change_bytes(&mut content, bytes.len() - size, basic);
    put(&replay_of(&content), bytes, size, basic)
}

/// A replay that is read can be written and read again, and can be played if its match can be set up.
///
/// # Panics
/// If the check fails.
pub fn check_replay(bytes: &[u8]) {
    let replay = match Replay::from_bytes(bytes) {
        Ok(replay) => replay,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let written = replay.to_bytes();
    let again = Replay::from_bytes(&written).expect("what was written can be read");
    // The bytes are compared because the replay may contain NaN.
    assert_eq!(again.to_bytes(), written);
    if replay.about().setup.seats.len() > MAX_PLAYERS {
        return;
    }
    match Playback::new(replay, &Assets::built_in(), Engine::builder()) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(mut playback) => {
            for _ in 0..MAX_STEPS {
                if playback.step().is_none() {
                    break;
                }
            }
            let _ = playback.state_hash();
        }
    }
}

/// A small match that uses every feature, for its saves.
fn saved_match() -> Simulation {
    let mut assets = Assets::built_in().in_mode("spells").expect("the mode exists");
    assets.game.countdown_seconds = 0.1;
    let seats = vec![Seat::Human { person: 0 }, Seat::Ai { profile: assets.game.ai.clone() }];
    simulation(&assets, &MatchSetup { seed: 5, seats, play_seconds: Some(1.0) })
}

/// Saves of one match from its start to its end.
#[must_use]
pub fn match_saves() -> Vec<Vec<u8>> {
    let mut simulation = saved_match();
    let mut saves = Vec::new();
    for step in 0..48 {
        if [0, 5, 24, 45].contains(&step) {
            let save = simulation.save().expect("all types are registered");
            let (header, snapshot) = match_of(&save);
            let (format, parts) = parts_of(&snapshot);
            assert_eq!(match_save_of(&header, &save_of(format, &parts)), save, "the hashes are those of the game");
            saves.push(save);
        }
        simulation.step(&inputs(step));
    }
    saves
}

/// Mutates a part of the snapshot in a saved match, sometimes its header, and one time in eight any bytes.
pub fn change_match_save(bytes: &mut [u8], size: usize, seed: u32, basic: Basic<'_>) -> usize {
    let mut choice = Choice::new(seed);
    let room = bytes.len() - size;
    let (mut header, snapshot) = match_of(&bytes[..size]);
    let (format, mut parts) = parts_of(&snapshot);
    match choice.below(16) {
        0 | 1 => return basic(bytes, size),
        2 => change_bytes(&mut header, room, basic),
        _ => change_parts(&mut parts, &mut choice, room, basic),
    }
    put(&match_save_of(&header, &save_of(format, &parts)), bytes, size, basic)
}

/// Steps that a loaded match must be able to take; a guest takes the save of a host and plays on from it.
const STEPS_AFTER_A_LOAD: u32 = 40;

/// A match that is loaded can be viewed and saved, loading that save gives an equal match, and both go on alike.
///
/// # Panics
/// If the check fails.
pub fn check_match_save(bytes: &[u8]) {
    let mut simulation = saved_match();
    if let Err(error) = simulation.load(bytes) {
        return assert!(!error.to_string().is_empty());
    }
    let saved = simulation.save().expect("what was loaded can be saved");
    let mut again = saved_match();
    again.load(&saved).expect("what was saved can be loaded");
    assert_eq!((again.tick(), again.state_hash()), (simulation.tick(), simulation.state_hash()));
    let _ = (simulation.view(), simulation.result());
    for _ in 0..STEPS_AFTER_A_LOAD {
        simulation.step(&Inputs::none());
        again.step(&Inputs::none());
    }
    assert_eq!(again.state_hash(), simulation.state_hash(), "they went on alike");
}
