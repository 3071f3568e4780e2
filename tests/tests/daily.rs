//! The match of the day: the same for everybody, and a try that anyone can verify.

use bounty_hunter::assets::Assets;
use bounty_hunter::daily::{self, Day};
use bounty_hunter::input::{Cheat, Command, Inputs, Intent};
use bounty_hunter::replay::{Recorder, Replay};
use bounty_hunter::simulation::{MatchSetup, Simulation};
use bounty_hunter::spell::Spell;
use bounty_hunter::view::GameState;

fn day(text: &str) -> Day {
    text.parse().expect("it is a day")
}

/// A recording of a match, up to its end or for so many steps.
fn play(mode: &str, setup: &MatchSetup, most_steps: u64, inputs: impl Fn(u64) -> Inputs) -> Replay {
    let assets = Assets::built_in().in_mode(mode).expect("the mode exists");
    let mut simulation = Simulation::new(&assets, setup).expect("it can be set up");
    let mut recorder = Recorder::new(mode, &assets, setup).expect("it can be recorded");
    while simulation.state() != GameState::GameOver && simulation.tick() < most_steps {
        let inputs = inputs(simulation.tick());
        simulation.step(&inputs);
        recorder.note(&inputs, &mut simulation);
    }
    recorder.match_replay(&mut simulation)
}

fn of_day(day: Day) -> MatchSetup {
    day.setup(&Assets::built_in()).expect("its mode exists")
}

/// Drives in a circle.
fn circling(_: u64) -> Inputs {
    Inputs::none().intent(0, Intent { drive: 1.0, turn: 0.3 })
}

/// The first day of this mode.
fn first_of(mode: &str) -> Day {
    let days = (1..=5).map(|date| day(&format!("2026-01-0{date}")));
    days.into_iter().find(|day| day.mode() == mode).expect("each mode has its turn within five days")
}

#[test]
fn try_of_each_mode_is_verified_and_has_a_line_to_share() {
    for mode in daily::MODES {
        let day = first_of(mode);
        let replay = play(mode, &of_day(day), u64::MAX, circling);
        let bytes = replay.to_bytes();
        let result = daily::verify(Replay::from_bytes(&bytes).expect("it was written just now"), &Assets::built_in())
            .unwrap_or_else(|error| panic!("{mode}: {error}"));
        let setup = of_day(day);
        assert_eq!((result.day, result.players, result.hash), (day, setup.seats.len(), replay.last_hash()));
        let line = result.to_string();
        let begin = format!("BountyHunter {day}, {mode}: ");
        let end = format!(" of {} [{:016x}]", setup.seats.len(), replay.last_hash());
        assert!(line.starts_with(&begin) && line.contains(" points, place ") && line.ends_with(&end), "{line}");
    }
}

#[test]
fn days_have_matches_of_their_own() {
    let [today, tomorrow, in_five_days] = ["2026-11-28", "2026-11-29", "2026-12-03"].map(day);
    assert_ne!(today.mode(), tomorrow.mode());
    assert_eq!(today.mode(), in_five_days.mode());
    assert_ne!(of_day(today).seed, of_day(in_five_days).seed);
}

#[test]
fn another_match_a_cheat_and_an_early_end_are_refused() {
    let day = first_of("classic");
    let refusal = |replay: Replay| daily::verify(replay, &Assets::built_in()).expect_err("it is no try").to_string();
    let another = "it is not the match of any day: another mode, level, seed, length or other seats";
    let setup = of_day(day);
    let with_seed = MatchSetup { seed: 7, ..setup.clone() };
    assert_eq!(refusal(play("classic", &with_seed, 60, circling)), another);
    let mut with_others = setup.clone();
    with_others.seats.truncate(2);
    assert_eq!(refusal(play("classic", &with_others, 60, circling)), another);
    let shorter = MatchSetup { play_seconds: Some(1.0), ..setup.clone() };
    assert_eq!(refusal(play("classic", &shorter, 300, circling)), another);
    assert_eq!(refusal(play("survival", &setup, 60, circling)), another);
    assert_eq!(refusal(play("classic", &setup, 600, circling)), "it stops before the end of the match");
    let cheated = play("classic", &setup, 600, |step| match step {
        400 => Inputs::none().with(Command::Cheat(Cheat::KillCollectors)),
        _ => Inputs::none(),
    });
    assert_eq!(refusal(cheated), "somebody cheated in step 401");
    for (step, inputs) in [
        (301, Inputs::none().with(Command::TakeSeat(1))),
        (302, Inputs::none().intent(1, Intent { drive: 0.0, turn: 1.0 })),
        (303, Inputs::none().cast(1, Spell::Strike)),
        (304, Inputs::none().with(Command::Restart)),
    ] {
        let unfair =
            play("classic", &setup, 600, |tick| if tick + 1 == step { inputs.clone() } else { Inputs::none() });
        assert_eq!(refusal(unfair), format!("somebody cheated in step {step}"));
        let fair = daily::fair_part(&inputs.clone().with(Command::Pause).intent(0, Intent::IDLE));
        assert_eq!(fair, Inputs::none().with(Command::Pause).intent(0, Intent::IDLE));
    }
    let edited = play("classic", &setup, 600, |step| match step {
        200 => Inputs { edits: vec![vec![1]], ..Inputs::none() },
        _ => Inputs::none(),
    });
    assert_eq!(refusal(edited), "somebody cheated in step 201", "an edit by the studio is a cheat");
}

#[test]
fn another_level_and_missing_hashes_are_refused() {
    let day = first_of("brawl");
    let replay = play("brawl", &of_day(day), u64::MAX, circling);
    let changed = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut fields = serde_json::to_value(&replay).expect("it is data");
        change(&mut fields);
        let forged: Replay = serde_json::from_value(fields).expect("it is a replay");
        daily::verify(forged, &Assets::built_in()).expect_err("it is no try").to_string()
    };
    let level = changed(&|fields| fields["about"]["level"] = "arena".into());
    assert_eq!(level, "it is not the match of any day: another mode, level, seed, length or other seats");
    let hashes = changed(&|fields| {
        let states = fields["recording"]["states"].as_array_mut().expect("it has some");
        states.remove(3);
    });
    assert_eq!(hashes, "it was altered: it lacks hashes");
}

#[test]
fn altered_file_is_refused() {
    let day = first_of("brawl");
    let replay = play("brawl", &of_day(day), u64::MAX, circling);
    let bytes = replay.to_bytes();
    let mut refused = 0;
    for index in (0..bytes.len()).step_by(bytes.len().div_ceil(40)) {
        let mut altered = bytes.clone();
        altered[index] ^= 1;
        match Replay::from_bytes(&altered) {
            Err(_) => refused += 1,
            // What changes nothing of the match, as the version of the program, may be altered.
            Ok(other) => match daily::verify(other, &Assets::built_in()) {
                Err(_) => refused += 1,
                Ok(result) => assert_eq!(result.hash, replay.last_hash()),
            },
        }
    }
    assert!(refused > 30, "{refused} of 40");
}
