//! AIs have names and habits, which the seed deals.

use std::collections::BTreeSet;

use bounty_hunter::assets::Assets;
use bounty_hunter::input::{Command, Inputs};
use bounty_hunter::player::Seat;
use bounty_hunter::simulation::{MatchSetup, Simulation};
use bounty_hunter::view::{GameState, Hull, Mood, View};
use tests::match_in;

fn names(view: &View) -> Vec<String> {
    view.players.iter().map(|player| player.name.clone()).collect()
}

fn running(assets: &Assets, seed: u64, players: usize) -> Simulation {
    match_in(assets, &MatchSetup::of_ais(seed, players, "normal"), GameState::Running)
}

#[test]
fn ais_have_names_of_their_own_by_the_seed() {
    let assets = Assets::built_in();
    let known: BTreeSet<&str> = assets.game.habits.iter().flat_map(|habit| &habit.names).map(String::as_str).collect();
    let first = names(&running(&assets, 7, 16).view());
    assert_eq!(first.iter().collect::<BTreeSet<_>>().len(), 16, "each has another: {first:?}");
    assert!(first.iter().all(|name| known.contains(name.as_str())));
    assert_eq!(first, names(&running(&assets, 7, 16).view()));
    assert_ne!(first, names(&running(&assets, 8, 16).view()));
    let many = names(&running(&assets, 7, known.len() + 2).view());
    assert!(many[known.len()].ends_with(" 2") && many[0] == many[known.len()].trim_end_matches(" 2"), "{many:?}");
}

#[test]
fn people_and_scripts_have_no_habit_and_without_habits_nobody_has() {
    let mut assets = Assets::built_in();
    let mut setup = MatchSetup::of_ais(7, 3, "normal");
    (setup.seats[0], setup.seats[1]) = (Seat::Human { person: 0 }, Seat::Script);
    let faces = |assets: &Assets| {
        let view = match_in(assets, &setup, GameState::Running).view();
        let mut faces = [None; 3];
        view.collectors.iter().for_each(|collector| faces[collector.player as usize] = collector.face);
        (names(&view), faces)
    };
    let (named, shown) = faces(&assets);
    assert_eq!(named[..2], ["BountyHunter", "Player #1"]);
    assert!(shown[..2] == [None; 2] && shown[2].is_some());
    assets.game.habits.clear();
    assert_eq!(faces(&assets), (["BountyHunter", "Player #1", "Player #2"].map(str::to_owned).into(), [None; 3]));
}

#[test]
fn seat_that_a_person_takes_keeps_its_name_and_loses_its_face() {
    let mut simulation = running(&Assets::built_in(), 7, 3);
    let before = simulation.view();
    simulation.step(&Inputs::none().with(Command::TakeSeat(1)));
    let face_of = |view: &View| view.collectors.iter().find(|collector| collector.player == 1).unwrap().face;
    assert!(face_of(&before).is_some());
    assert_eq!((names(&simulation.view()), face_of(&simulation.view())), (names(&before), None));
    simulation.step(&Inputs::none().with(Command::ReleaseSeat(1)));
    assert!(face_of(&simulation.view()).is_some());
}

/// How often each mood is seen of the AIs of a hull in a minute of eight.
fn moods(assets: &Assets) -> [usize; 4] {
    let mut simulation = running(assets, 7, 8);
    let mut seen = [0; 4];
    for _ in 0..3_600 {
        simulation.step(&Inputs::none());
        for collector in &simulation.view().collectors {
            seen[collector.face.expect("all are AIs").mood as usize] += 1;
        }
    }
    seen
}

#[test]
fn habits_change_what_ais_do_and_faces_show_it() {
    let mut assets = Assets::built_in();
    assets.game.habits.retain(|habit| habit.hull == Hull::Plain);
    let plain = moods(&assets);
    let [calm, wary, hunting, homeward] =
        [Mood::Calm, Mood::Wary, Mood::Hunting, Mood::Homeward].map(|mood| plain[mood as usize]);
    assert!(calm > 0 && wary > 0 && hunting > 0 && homeward > 0, "{plain:?}");
    assets.game.habits[0].aggression_factor = 0.0;
    assert_eq!(moods(&assets)[Mood::Hunting as usize], 0, "nobody is aggressive");
    assets.game.habits[0].load_factor = 10.0;
    assert!(moods(&assets)[Mood::Homeward as usize] < homeward, "they go home with full pockets alone");
}
