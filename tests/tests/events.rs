//! The events of the game: each has a cause, a sender and a listener, and is counted.

use std::collections::BTreeMap;

use bounty_hunter::assets::Assets;
use bounty_hunter::input::{Cheat, Command, Inputs};
use bounty_hunter::simulation::{MatchSetup, Seat, Simulation};
use bounty_hunter::view::GameState;
use ecs::{Sender, event::EventRoute};
use tests::{Game, match_in, scenario};

/// An event, how often its cause sends it, and the cause.
type Cause = (&'static str, u64, fn(&mut Game));

/// Each event of the original that is left, with a cause, in a match of two collectors, three steps after its start.
const CAUSES: [Cause; 13] = [
    // The game itself
    ("GameStarted", 1, |game| _ = game.pause().restart().step(3)),
    ("GamePaused", 1, |game| _ = game.pause().step(1)),
    ("GameResumed", 1, |game| _ = game.pause().resume().step(1)),
    ("GameOver", 1, |game| {
        game.carry(0, 100.0).store(0, 200.0).drive(0, 1.0, 0.0);
        game.step_until(20, |game| game.state() == GameState::GameOver);
    }),
    ("PauseGame", 1, |game| _ = game.pause()),
    ("ResumeGame", 1, |game| _ = game.pause().resume()),
    ("RestartGame", 1, |game| _ = game.pause().restart()),
    ("QuitGame", 1, |game| _ = game.pause().ask(Command::Quit)),
    // Objects
    ("GameObjectSpawned", 2, |game| _ = game.cheat(Cheat::KillCollectors).step(190)),
    ("GameObjectKilled", 2, |game| _ = game.cheat(Cheat::KillCollectors).step(190)),
    // Stashes and collisions
    ("StashFull", 1, |game| _ = game.carry(0, 100.0).store(0, 200.0).drive(0, 1.0, 0.0).step(20)),
    // The stash, the bounty behind it, and the other collector's own stash at the start
    ("CollisionBegin", 2, |game| _ = game.drive(0, 1.0, 0.0).step(40)),
    ("CollisionEnd", 2, |game| _ = game.drive(0, 1.0, 0.0).step(40)),
];

/// The events that the original did not have.
const NEW: [&str; 6] =
    ["BountyCollected", "BountyStashed", "KillGameObject", "SpawnGameObject", "PlayerEliminated", "UseCheat"];

fn fresh(players: usize) -> Game {
    let seats = vec![Seat::Script; players];
    let setup = MatchSetup { seed: 1, seats, play_seconds: None };
    let mut game = Game::playing(Simulation::new(&Assets::built_in(), &setup).expect("the match can be set up"));
    game.step(1);
    game
}

/// Player 0 in front of its stash and a bounty, player 1 far away.
fn stage() -> Game {
    let mut game = scenario(">...0...b").players(2).begin();
    game.step(3);
    game
}

#[test]
fn each_event_of_the_original_is_sent_by_its_cause() {
    for (event, expected, cause) in CAUSES {
        let mut game = stage();
        // Counts of the engine continue over restarts; those of a match do not.
        let count = |game: &Game| {
            let mut types = game.simulation().engine().events().iter();
            types.find(|(name, _)| *name == event).map_or(0, |(_, counters)| counters.sent)
        };
        let before = count(&game);
        cause(&mut game);
        assert_eq!(count(&game) - before, expected, "{event}");
    }
}

#[test]
fn there_are_thirteen_events_of_the_original_and_six_more() {
    let mut game = fresh(2);
    let event_graph = game.simulation_mut().engine_mut().event_graph().expect("the systems can be ordered");
    let mut names: Vec<&str> = event_graph.routes.iter().map(|route| route.event).collect();
    // Events of the framework.
    names.retain(|name| !["Spawned", "Despawned", "Enabled", "Disabled"].contains(name));
    let mut expected: Vec<&str> = CAUSES.iter().map(|(name, ..)| *name).chain(NEW).collect();
    expected.sort_unstable();
    names.sort_unstable();
    assert_eq!(names, expected);
}

/// A match with all systems of the game.
fn with_all_systems() -> Simulation {
    let assets = Assets::built_in().with_all_rule_sets();
    Simulation::new(&assets, &MatchSetup::of_ais(7, 4, "normal")).expect("the match can be set up")
}

fn issues(simulation: &mut Simulation) -> Vec<String> {
    let graph = simulation.engine_mut().event_graph().expect("the systems can be ordered");
    graph.issues().iter().map(ToString::to_string).collect()
}

fn routes() -> Vec<EventRoute> {
    fresh(2).simulation_mut().engine_mut().event_graph().expect("the systems can be ordered").routes
}

#[test]
fn each_event_of_the_game_is_heard_by_a_system_in_which_it_has_an_effect() {
    let mut simulation = with_all_systems();
    assert_eq!(issues(&mut simulation), Vec::<String>::new());
    let mut last = GameState::NotInitialized;
    while last != GameState::GameOver {
        last = simulation.step(&Inputs::none()).state;
    }
    assert_eq!(issues(&mut simulation), Vec::<String>::new(), "after a match that has sent them");
    let graph = simulation.engine_mut().event_graph().expect("the systems can be ordered");
    for expected in CAUSES.iter().map(|(name, ..)| *name).chain(NEW) {
        assert!(graph.routes.iter().any(|route| route.event == expected), "{expected}");
    }
}

/// An event that was added to the game, and to which nobody listens.
#[derive(Clone, Copy)]
struct CrowdCheered;

#[test]
fn a_new_event_that_nobody_hears_is_an_issue() {
    let cheer = |mut cheers: Sender<CrowdCheered>| cheers.send(CrowdCheered);
    let mut simulation = with_all_systems();
    simulation.engine_mut().add(cheer).expect("it fits");
    let found = issues(&mut simulation);
    assert!(found.len() == 1 && found[0].starts_with("CrowdCheered is sent by "), "{found:?}");

    let mut simulation = with_all_systems();
    simulation.engine_mut().send(CrowdCheered);
    assert_eq!(issues(&mut simulation), ["CrowdCheered is sent from outside of the systems and has no listener"]);
}

#[test]
fn each_event_comes_either_from_outside_or_from_systems() {
    for EventRoute { event, senders, comes_from_outside, .. } in routes() {
        // A declaration would hide that the last system stopped sending the event. Set-up and respawns both spawn
        // objects.
        let has_both = event == "SpawnGameObject";
        assert!(!comes_from_outside || senders.is_empty() || has_both, "{event} is sent by {senders:?}");
        assert!(comes_from_outside || !senders.is_empty(), "{event} has no sender");
    }
}

#[test]
fn counts_of_a_whole_match_fit_together() {
    let setup = MatchSetup::of_ais(7, 16, "normal");
    let simulation = match_in(&Assets::built_in(), &setup, GameState::GameOver);
    let counts = simulation.event_counts();
    let count = |name: &str| counts.get(name).copied().unwrap_or(0);
    for once in ["GameStarted", "GameOver"] {
        assert_eq!(count(once), 1, "{once}");
    }
    assert_eq!(count("GameObjectSpawned"), count("SpawnGameObject"), "each request to spawn was granted");
    assert!(count("GameObjectKilled") <= count("KillGameObject"));
    let alive = simulation.view().collectors.len() + simulation.view().bounties.len();
    assert_eq!(count("GameObjectSpawned") - count("GameObjectKilled"), alive as u64);
    assert!(count("CollisionEnd") <= count("CollisionBegin"));
    assert!(count("BountyStashed") > 0 && count("BountyCollected") >= count("BountyStashed"));
    assert_eq!(count("GamePaused"), 0);
}

/// Takes steps with pauses and a restart; returns the counts.
fn counts_after(simulation: &mut Simulation, steps: u64) -> BTreeMap<String, u64> {
    for _ in 0..steps {
        let inputs = match simulation.tick() {
            // A pause that a restart ends, then two pauses.
            90 | 300 | 330 => Inputs::none().with(Command::Pause),
            320 | 340 => Inputs::none().with(Command::Resume),
            95 => Inputs::none().with(Command::Restart),
            _ => Inputs::none(),
        };
        simulation.step(&inputs);
    }
    simulation.event_counts()
}

#[test]
fn restored_and_loaded_matches_keep_the_counts_of_their_past() {
    let mut assets = Assets::built_in();
    assets.game.countdown_seconds = 0.5;
    let new = || Simulation::new(&assets, &MatchSetup::of_ais(7, 6, "normal")).expect("the match can be set up");
    for then in [60, 200, 310] {
        let mut simulation = new();
        let counts = counts_after(&mut simulation, then);
        let (snapshot, bytes) = (simulation.snapshot().unwrap(), simulation.save().unwrap());
        let later = counts_after(&mut simulation, 300);
        assert_ne!(counts, later);
        simulation.restore(&snapshot).unwrap();
        let (mut restored, mut loaded) = (new(), new());
        counts_after(&mut restored, 77);
        restored.restore(&snapshot).unwrap();
        loaded.load(&bytes).unwrap();
        for (how, mut simulation) in [("restored", simulation), ("restored elsewhere", restored), ("loaded", loaded)] {
            assert_eq!(simulation.event_counts(), counts, "{how} at {then}");
            assert_eq!(simulation.begin(), if then < 96 { 0 } else { 96 }, "{how} at {then}");
            assert_eq!(counts_after(&mut simulation, 300), later, "{how} at {then}, and later");
        }
    }
}

#[test]
fn restarted_match_counts_its_own_events() {
    let mut assets = Assets::built_in();
    assets.game.countdown_seconds = 0.5;
    let setup = MatchSetup::of_ais(7, 6, "normal");
    let mut simulation = Simulation::new(&assets, &setup).expect("the match can be set up");
    let counts = counts_after(&mut simulation, 250);
    assert_eq!(counts["GameStarted"], 1, "{counts:?}");
    assert!(!counts.contains_key("GamePaused"), "{counts:?}");
}
