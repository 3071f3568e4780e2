//! Replays: they play equally, are small, and damaged ones are refused.

use bounty_hunter::assets::Assets;
use bounty_hunter::input::{Command, Inputs, Intent};
use bounty_hunter::replay::{MAX_BYTES, Playback, Recorder, Replay, ReplayError};
use bounty_hunter::simulation::{MatchSetup, Seat, Simulation};
use bounty_hunter::stash::Stash;
use bounty_hunter::view::GameState;
use ecs::Engine;
use ecs::random::RandomStream;
use ecs::recording::SecondRun;
use tests::{ai, below, random_setup, random_step};

/// Plays `steps` steps and records them.
fn record(
    mode: &str,
    assets: &Assets,
    setup: &MatchSetup,
    steps: u64,
    mut inputs: impl FnMut(u64) -> Inputs,
) -> (Replay, Simulation) {
    let mut simulation = Simulation::new(assets, setup).unwrap();
    let mut recorder = Recorder::new(mode, assets, setup).unwrap();
    for step in 0..steps {
        let inputs = inputs(step);
        simulation.step(&inputs);
        recorder.note(&inputs, &mut simulation);
    }
    (recorder.replay(&mut simulation), simulation)
}

fn reread(replay: &Replay) -> Replay {
    Replay::from_bytes(&replay.to_bytes()).unwrap()
}

/// A short replay with inputs of all kinds.
fn short_replay() -> Replay {
    let mut random = RandomStream::new(5, "test");
    let setup = random_setup(&mut random, 5);
    let (replay, _) = record("classic", &Assets::built_in(), &setup, 130, |_| random_step(&mut random));
    replay
}

#[test]
fn replay_selects_its_mode() {
    for mode in Assets::built_in().modes.keys().filter(|mode| *mode != "sandbox") {
        let assets = Assets::built_in().in_mode(mode).unwrap();
        let setup = MatchSetup::of_ais(3, 6, &assets.game.ai);
        let (replay, mut simulation) = record(mode, &assets, &setup, 300, |_| Inputs::none());
        assert_eq!((&replay.about().mode, &replay.about().level), (mode, &assets.game.level));
        let mut playback = Playback::new(replay, &Assets::built_in(), Engine::builder()).unwrap();
        playback.verify().unwrap();
        assert_eq!(playback.state_hash(), simulation.state_hash(), "{mode}");
    }
}

#[test]
fn classic_match_of_a_busy_player_takes_few_kilobytes() {
    let mut seats = vec![ai("normal"); 15];
    seats.insert(0, Seat::Human { person: 0 });
    let setup = MatchSetup { seed: 1, seats, play_seconds: None };
    let mut random = RandomStream::new(1, "test");
    // One of four keys goes down or comes up four times a second, for a minute and a half; what the person wants
    // follows from them.
    let (mut held, mut last) = ([false; 4], Intent::IDLE);
    let (replay, _) = record("classic", &Assets::built_in(), &setup, 5_580, |step| {
        if step % 15 == 0 {
            held[below(&mut random, 4)] = step % 30 == 0;
        }
        let share = |plus: usize, minus: usize| f32::from(i8::from(held[plus]) - i8::from(held[minus]));
        let intent = Intent { drive: share(0, 1), turn: share(2, 3) };
        match std::mem::replace(&mut last, intent) == intent {
            true => Inputs::none(),
            false => Inputs::none().intent(0, intent),
        }
    });
    let bytes = replay.to_bytes().len();
    assert!(bytes < 4_400, "{bytes} bytes");
}

#[test]
fn playback_ends_with_the_recording() {
    let assets = Assets::built_in();
    let setup = MatchSetup::of_ais(2, 2, "normal");
    for steps in [0, 1, 59, 60, 61, 120] {
        let (replay, mut simulation) = record("classic", &assets, &setup, steps, |_| Inputs::none());
        let mut playback = Playback::new(reread(&replay), &assets, Engine::builder()).unwrap();
        let mut taken = 0;
        while let Some(report) = playback.step() {
            taken += 1;
            assert_eq!(report.tick, taken);
        }
        assert_eq!(taken, steps);
        assert!(playback.is_over());
        assert_eq!(playback.state_hash(), simulation.state_hash());
        playback.verify().unwrap();
    }
}

#[test]
fn steps_after_the_end_of_the_game_are_not_recorded() {
    let assets = Assets::built_in();
    let setup = MatchSetup::of_ais(2, 2, "normal");
    let (replay, simulation) = record("classic", &assets, &setup, 40, |step| match step {
        10 => Inputs::none().with(Command::Close),
        _ => Inputs::none(),
    });
    assert_eq!(simulation.state(), GameState::Terminated);
    assert!(replay.about().steps < 40, "{}", replay.about().steps);
    assert_eq!(replay.about().steps, simulation.tick());
    Playback::new(replay, &assets, Engine::builder()).unwrap().verify().unwrap();
}

#[test]
fn difference_is_reported_with_the_steps_around_it() {
    let assets = Assets::built_in();
    let setup = MatchSetup::of_ais(4, 2, "normal");
    let mut simulation = Simulation::new(&assets, &setup).unwrap();
    let mut recorder = Recorder::new("classic", &assets, &setup).unwrap();
    for step in 1..=400 {
        simulation.step(&Inputs::none());
        if step == 250 {
            // No input does this, so a replay cannot reproduce it.
            simulation.engine_mut().query::<&mut Stash>().iter_mut().for_each(|stash| stash.stashed += 1.0);
        }
        recorder.note(&Inputs::none(), &mut simulation);
    }
    let mut playback = Playback::new(reread(&recorder.replay(&mut simulation)), &assets, Engine::builder()).unwrap();
    let difference = playback.verify().unwrap_err();
    assert_eq!((difference.agrees_until, difference.differs_at), (240, 300));
    // The match itself repeats.
    assert_eq!(difference.second_run.as_deref(), Some(&SecondRun::Agrees { until: 300 }));
    let text = difference.to_string();
    assert!(
        text.starts_with("the match differs from its replay between the steps 240 and 300: the recorded state has"),
        "{text}"
    );
}

#[test]
fn replay_with_any_bit_flipped_is_refused() {
    let bytes = short_replay().to_bytes();
    assert!(bytes.len() > 200);
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << bit;
            assert!(Replay::from_bytes(&flipped).is_err(), "bit {bit} of byte {at}");
        }
    }
}

#[test]
fn replay_that_is_too_short_or_too_long_is_refused_with_a_sentence() {
    let bytes = short_replay().to_bytes();
    for length in 0..bytes.len() {
        let error = Replay::from_bytes(&bytes[..length]).unwrap_err();
        let is_expected = match length {
            0 => matches!(error, ReplayError::NotAReplay),
            _ => matches!(error, ReplayError::Truncated { bytes, .. } if bytes == length as u64),
        };
        assert!(is_expected, "{length} bytes: {error:?}");
    }
    let cut = Replay::from_bytes(&bytes[..bytes.len() - 1]).unwrap_err();
    assert_eq!(cut.to_string(), format!("it ends after {} of {} bytes", bytes.len() - 1, bytes.len()));
    let mut longer = bytes.clone();
    longer.push(0);
    assert!(matches!(Replay::from_bytes(&longer), Err(ReplayError::TooLong)));
    longer.resize(MAX_BYTES as usize + 1, 0);
    assert!(matches!(Replay::from_bytes(&longer), Err(ReplayError::TooLong)));
}

#[test]
fn foreign_and_newer_files_are_refused_with_a_sentence() {
    let sentence = |bytes: &[u8]| Replay::from_bytes(bytes).unwrap_err().to_string();
    assert_eq!(sentence(b"PNG, for example"), "it is not a replay");
    let mut newer = short_replay().to_bytes();
    newer[8] = 9;
    assert_eq!(sentence(&newer), "a newer version wrote it in format 9, this version reads formats up to 7");
    newer[8] = 1;
    assert_eq!(
        sentence(&newer),
        "an older version wrote it in format 1, this version reads format 7: play it with that version"
    );
    let mut flipped = short_replay().to_bytes();
    flipped[100] ^= 1;
    assert_eq!(sentence(&flipped), "it is damaged: its checksum does not match its content");
}

#[test]
fn replay_is_refused_with_other_assets_than_its_own() {
    let assets = Assets::built_in();
    let setup = MatchSetup::of_ais(2, 2, "normal");
    let (replay, _) = record("classic", &assets, &setup, 10, |_| Inputs::none());
    let refusal = |change: &dyn Fn(&mut Assets)| {
        let mut changed = assets.clone();
        change(&mut changed);
        Playback::new(replay.clone(), &changed, Engine::builder()).map(|_| ()).unwrap_err()
    };
    let faster = |assets: &mut Assets| {
        let text = include_str!("../../assets/prefabs/collector.ron").replace("max_speed_mps: 2", "max_speed_mps: 3");
        assert_ne!(text, include_str!("../../assets/prefabs/collector.ron"));
        *assets = Assets::with_texts([("prefabs/collector.ron", text.as_str())]).expect("it is well formed");
    };
    assert!(matches!(refusal(&faster), ReplayError::Configuration));
    let mut with_other_keys = assets.clone();
    with_other_keys.keymap.people[0].forward.clear();
    assert!(Playback::new(replay.clone(), &with_other_keys, Engine::builder()).is_ok(), "a match knows no keys");
    let without_mode = refusal(&|assets| drop(assets.modes.remove("classic")));
    assert_eq!(
        without_mode.to_string(),
        "there is no mode \"classic\", there are brawl, gold-rush, power-ups, sandbox, spells, survival, teams"
    );
}
