//! Feats: what a replay tells of its match.

use std::collections::BTreeSet;

use bounty_hunter::assets::Assets;
use bounty_hunter::feats::{self, CHALLENGES, Feat};
use bounty_hunter::input::{Cheat, Command, Inputs};
use bounty_hunter::replay::{Playback, Recorder, Replay};
use bounty_hunter::simulation::{MatchSetup, Simulation};
use bounty_hunter::view::GameState;
use ecs::Engine;

/// A match of AIs: mode, level, players and seed; and what one of its players does in it: seat and challenges.
type Example = (&'static str, &'static str, usize, u64, u32, &'static [&'static str]);

const EXAMPLES: [Example; 14] = [
    ("classic", "easy", 2, 1, 1, &["first-victory", "one-haul", "clean-hands", "untouched"]),
    ("classic", "normal", 2, 0, 0, &["harvest", "regular", "full-house", "landslide"]),
    ("classic", "hard", 2, 0, 1, &["hard-duel", "photo-finish"]),
    ("classic", "learned", 4, 0, 3, &["in-a-hurry", "master"]),
    ("classic", "hard", 8, 0, 2, &["hard-eight"]),
    ("classic", "easy", 16, 0, 0, &["crowd"]),
    ("brawl", "learned", 2, 0, 0, &["plenty", "rich"]),
    ("brawl", "easy", 2, 0, 1, &["unhurt"]),
    ("survival", "easy", 2, 4, 1, &["survivor", "one-life"]),
    ("spells", "hard", 4, 1, 2, &["sorcerer"]),
    ("spells", "learned", 2, 0, 0, &["no-magic"]),
    ("spells", "easy", 4, 3, 1, &["long-chain", "hair-s-breadth"]),
    ("spells", "normal", 2, 0, 0, &["bounty-hunter"]),
    ("power-ups", "normal", 8, 0, 4, &["well-equipped"]),
];

/// The built-in assets without habits: AIs of a level all play alike.
fn assets() -> Assets {
    let mut assets = Assets::built_in();
    assets.game.habits.clear();
    assets.modes.values_mut().for_each(|mode| mode.game.habits.clear());
    assets
}

/// A recording of a match of AIs with this input in one step.
fn recorded(mode: &str, setup: &MatchSetup, at: u64, input: &Inputs) -> Replay {
    let assets = assets().in_mode(mode).expect("the mode exists");
    let mut simulation = Simulation::new(&assets, setup).expect("it can be set up");
    let mut recorder = Recorder::new(mode, &assets, setup).expect("it can be recorded");
    let nothing = Inputs::none();
    while simulation.state() != GameState::GameOver {
        let inputs = if simulation.tick() == at { input } else { &nothing };
        simulation.step(inputs);
        recorder.note(inputs, &mut simulation);
    }
    recorder.match_replay(&mut simulation)
}

/// The names of the feats of each player, from the bytes of a replay.
fn feats_in(replay: &Replay) -> Vec<BTreeSet<String>> {
    let replay = Replay::from_bytes(&replay.to_bytes()).expect("it was written just now");
    let about = replay.about().clone();
    let mut playback = Playback::new(replay, &assets(), Engine::builder()).expect("the mode exists");
    playback.verify().expect("it repeats");
    let performances = feats::performances(playback.simulation(), &about.mode, &about.setup);
    performances.iter().map(|performance| feats::of(performance).map(|feat| feat.to_string()).collect()).collect()
}

fn check(examples: &[Example]) {
    let mut all = Vec::new();
    for (mode, level, players, seed, player, challenges) in examples {
        let setup = MatchSetup::of_ais(*seed, *players, level);
        let found = feats_in(&recorded(mode, &setup, u64::MAX, &Inputs::none()));
        assert_eq!(found.len(), *players);
        for challenge in *challenges {
            assert!(
                found[*player as usize].contains(*challenge),
                "{mode} {level} {seed}: {challenge} is not in {found:?}"
            );
        }
        all.extend(found);
    }
    for challenge in examples.iter().flat_map(|(.., challenges)| *challenges) {
        assert!(all.iter().any(|feats| !feats.contains(*challenge)), "{challenge} is a gift");
    }
}

#[test]
fn each_challenge_has_an_example() {
    let shown: BTreeSet<&str> = EXAMPLES.iter().flat_map(|(.., challenges)| *challenges).copied().collect();
    assert_eq!(shown, CHALLENGES.iter().map(|challenge| challenge.name).collect());
}

#[test]
fn challenges_of_classic_matches_are_found_in_replays() {
    check(&EXAMPLES[..5]);
}

#[test]
fn challenges_of_crowds_brawls_and_survival_are_found_in_replays() {
    check(&EXAMPLES[5..9]);
}

#[test]
fn challenges_of_spells_and_power_ups_are_found_in_replays() {
    check(&EXAMPLES[9..]);
}

#[test]
fn medals_name_the_mode_and_the_weakest_ai() {
    let mut setup = MatchSetup { play_seconds: Some(8.0), ..MatchSetup::of_ais(3, 6, "hard") };
    setup.seats[5] = MatchSetup::of_ais(0, 1, "normal").seats.remove(0);
    let found = feats_in(&recorded("brawl", &setup, u64::MAX, &Inputs::none()));
    let medals: Vec<&String> = found.iter().flatten().filter(|feat| feat.starts_with("medal/")).collect();
    assert!(!medals.is_empty() && medals.iter().all(|medal| medal.starts_with("medal/brawl/normal/")), "{medals:?}");
    assert!(medals.iter().all(|medal| matches!(medal.parse(), Ok(Feat::Medal(_)))));
}

#[test]
fn unfinished_match_has_no_feats_and_a_cheat_is_found() {
    let setup = MatchSetup { play_seconds: Some(2.0), ..MatchSetup::of_ais(3, 2, "hard") };
    let assets = Assets::built_in();
    let simulation = Simulation::new(&assets, &setup).expect("it can be set up");
    assert_eq!(feats::performances(&simulation, "classic", &setup), []);
    let cheated = recorded("classic", &setup, 200, &Inputs::none().with(Command::Cheat(Cheat::KillCollectors)));
    assert_eq!(cheated.first_cheat(), Some(201));
    let edited = recorded("classic", &setup, 210, &Inputs { edits: vec![vec![1]], ..Inputs::none() });
    assert_eq!(edited.first_cheat(), Some(211));
}
