//! The events of the game: each has a cause, a sender and a listener, and is counted.

use std::collections::BTreeMap;

use bounty_hunter::assets::Assets;
use bounty_hunter::input::{InputEvent, Inputs, Key, MouseButton};
use bounty_hunter::simulation::{MatchSetup, Seat, Simulation};
use bounty_hunter::view::GameState;
use ecs::event::EventRoute;
use tests::{Game, match_in, scenario};

/// An event, how often its cause sends it, and the cause.
type Cause = (&'static str, u64, fn(&mut Game));

/// Each event of the original with a cause, in a match of two collectors, three steps after its start.
const CAUSES: [Cause; 38] = [
    // The game itself
    ("GameInitialized", 1, |game| *game = fresh(2)),
    ("GameRestarted", 1, |game| _ = game.tap(Key::P).tap(Key::R).step(3)),
    ("GameStarted", 1, |game| _ = game.tap(Key::P).tap(Key::R).step(3)),
    ("GamePaused", 1, |game| _ = game.tap(Key::P).step(1)),
    ("GameResumed", 1, |game| _ = game.tap(Key::P).tap(Key::P).step(1)),
    ("GameOver", 1, |game| {
        game.carry(0, 100.0).store(0, 200.0).drive(0, 1.0, 0.0);
        game.step_until(20, |game| game.state() == GameState::GameOver);
    }),
    ("GameQuit", 1, |game| _ = game.tap(Key::P).tap(Key::Q)),
    ("PauseGame", 1, |game| _ = game.tap(Key::P)),
    ("ResumeGame", 1, |game| _ = game.tap(Key::P).tap(Key::P)),
    ("RestartGame", 1, |game| _ = game.tap(Key::P).tap(Key::Digit2)),
    ("QuitGame", 1, |game| _ = game.tap(Key::P).tap(Key::Digit3)),
    // The mouse and the keyboard
    ("LeftButtonDown", 1, |game| _ = game.input(InputEvent::ButtonDown(MouseButton::Left, 1, 2)).step(1)),
    ("LeftButtonUp", 1, |game| _ = game.input(InputEvent::ButtonUp(MouseButton::Left, 1, 2)).step(1)),
    ("LeftButtonPressed", 1, |game| _ = game.input(InputEvent::ButtonPressed(MouseButton::Left, 1, 2)).step(1)),
    ("RightButtonDown", 1, |game| _ = game.input(InputEvent::ButtonDown(MouseButton::Right, 1, 2)).step(1)),
    ("RightButtonUp", 1, |game| _ = game.input(InputEvent::ButtonUp(MouseButton::Right, 1, 2)).step(1)),
    ("RightButtonPressed", 1, |game| _ = game.input(InputEvent::ButtonPressed(MouseButton::Right, 1, 2)).step(1)),
    ("KeyDown", 2, |game| _ = game.tap(Key::W).press(Key::A).step(1)),
    ("KeyUp", 1, |game| _ = game.tap(Key::W).press(Key::A).step(1)),
    ("KeyPressed", 3, |game| {
        game.press(Key::W);
        for _ in 0..3 {
            game.step(1).input(InputEvent::KeyPressed(Key::W));
        }
        game.step(1);
    }),
    // The window
    ("ToggleFullscreen", 2, |game| _ = game.tap(Key::F1).tap(Key::F1)),
    ("EnterFullscreenMode", 1, |game| _ = game.tap(Key::F1)),
    ("EnterWindowMode", 1, |game| _ = game.tap(Key::F1).tap(Key::F1)),
    // Objects: two collectors, their spawns and stashes, four walls, the bounties' spawn and the camera
    ("GameObjectCreated", 12, |game| _ = game.tap(Key::P).tap(Key::R).step(3)),
    ("GameObjectDestroyed", 13, |game| _ = game.tap(Key::P).tap(Key::R).step(3)),
    ("GameObjectSpawned", 2, |game| _ = game.tap(Key::F9).step(190)),
    ("GameObjectKilled", 2, |game| _ = game.tap(Key::F9).step(190)),
    ("CameraCreated", 1, |game| _ = game.tap(Key::P).tap(Key::R).step(3)),
    ("CameraDestroyed", 1, |game| _ = game.tap(Key::P).tap(Key::R).step(3)),
    ("WindowMinimized", 1, |game| _ = game.input(InputEvent::WindowMinimized).step(1)),
    ("WindowRestored", 1, |game| _ = game.input(InputEvent::WindowRestored).step(1)),
    ("WindowResized", 1, |game| _ = game.input(InputEvent::WindowResized(640, 480)).step(1)),
    // Players, stashes and collisions
    ("PlayerJoined", 2, |game| _ = game.tap(Key::P).tap(Key::R).step(3)),
    ("PlayerLeft", 2, |game| _ = game.tap(Key::P).tap(Key::R).step(3)),
    ("StashFull", 1, |game| _ = game.carry(0, 100.0).store(0, 200.0).drive(0, 1.0, 0.0).step(20)),
    // The stash, the bounty behind it, and the other collector's own stash at the start
    ("CollisionBegin", 2, |game| _ = game.drive(0, 1.0, 0.0).step(40)),
    ("CollisionEnd", 2, |game| _ = game.drive(0, 1.0, 0.0).step(40)),
    ("ToggleDebugDraw", 1, |game| _ = game.tap(Key::F2)),
];

/// The events that the original did not have.
const NEW: [&str; 5] = ["BountyCollected", "BountyStashed", "KillGameObject", "SpawnGameObject", "PlayerEliminated"];

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
fn each_of_the_38_events_is_sent_by_its_cause() {
    for (event, expected, cause) in CAUSES {
        let mut game = stage();
        // Counts of the engine continue over restarts; those of a match do not.
        let count = |game: &Game| {
            let mut types = game.simulation().engine().events().iter();
            types.find(|(name, _)| *name == event).map_or(0, |(_, counters)| counters.sent)
        };
        let before = if event == "GameInitialized" { 0 } else { count(&game) };
        cause(&mut game);
        assert_eq!(count(&game) - before, expected, "{event}");
    }
}

#[test]
fn there_are_the_38_events_of_the_original_and_five_more() {
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

fn routes() -> Vec<EventRoute> {
    fresh(2).simulation_mut().engine_mut().event_graph().expect("the systems can be ordered").routes
}

#[test]
fn event_log_hears_the_events_that_no_other_system_hears_and_only_these() {
    for EventRoute { event, listeners, .. } in routes() {
        let is_logged = listeners.contains(&"EventLog");
        let others: Vec<_> = listeners.into_iter().filter(|listener| *listener != "EventLog").collect();
        let is_of_the_game = CAUSES.iter().any(|(name, ..)| *name == event) || NEW.contains(&event);
        assert_eq!(is_logged, is_of_the_game && others.is_empty(), "{event} is heard by {others:?}");
    }
}

#[test]
fn each_event_comes_either_from_outside_or_from_systems() {
    for EventRoute { event, senders, comes_from_outside, .. } in routes() {
        // A declaration would hide that the last system stopped sending the event. Set-up and respawns both spawn objects.
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
    for once in ["GameInitialized", "GameRestarted", "GameStarted", "GameOver", "CameraCreated"] {
        assert_eq!(count(once), 1, "{once}");
    }
    assert_eq!(count("PlayerJoined"), 16);
    assert_eq!(
        count("GameObjectCreated"),
        1 + 4 + 3 * 16 + 1 + 14,
        "the objects of the original, two more bounties, and one more spawn"
    );
    assert_eq!(count("GameObjectSpawned"), count("SpawnGameObject"), "each request to spawn was granted");
    assert!(count("GameObjectKilled") <= count("KillGameObject"));
    let alive = simulation.view().collectors.len() + simulation.view().bounties.len();
    assert_eq!(count("GameObjectSpawned") - count("GameObjectKilled"), alive as u64);
    assert!(count("CollisionEnd") <= count("CollisionBegin"));
    assert!(count("BountyStashed") > 0 && count("BountyCollected") >= count("BountyStashed"));
    assert_eq!(count("GameQuit") + count("PlayerLeft") + count("GameObjectDestroyed"), 0);
}

/// Takes steps with pauses and a restart; returns the counts.
fn counts_after(simulation: &mut Simulation, steps: u64) -> BTreeMap<String, u64> {
    for _ in 0..steps {
        let inputs = match simulation.tick() {
            // A pause that a restart ends, then two pauses.
            90 | 300 | 320 | 330 | 340 => Inputs::none().key_down(Key::P).key_up(Key::P),
            95 => Inputs::none().key_down(Key::R).key_up(Key::R),
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
    assert_eq!((counts["GameStarted"], counts["PlayerJoined"], counts["GameRestarted"]), (1, 6, 1), "{counts:?}");
    assert!(!counts.contains_key("GameInitialized") && !counts.contains_key("GamePaused"), "{counts:?}");
}
