//! The eight states of the game: the table of transitions, and inputs that cause each of them.

use bounty_hunter::assets::Assets;
use bounty_hunter::events::{GamePaused, GameQuit, GameRestarted, GameResumed, PauseGame, RestartGame, ResumeGame};
use bounty_hunter::input::{InputEvent, Key};
use bounty_hunter::menu::{MenuOption, menu_of};
use bounty_hunter::simulation::{MatchSetup, Seat, Simulation};
use bounty_hunter::view::GameState::{
    self, GameOver, Initialized, NotInitialized, Paused, Restarted, Running, Started, Terminated,
};
use ecs::state_machine::State;
use tests::{Game, scenario};

const STATES: [GameState; 8] = [NotInitialized, Initialized, Restarted, Started, Running, Paused, GameOver, Terminated];

/// `x` where the state of the row may change to that of the column, in the order of `STATES`.
const TABLE: &str = "
    . x . . . . . .
    . . x . . . . x
    . . . x . . . .
    . . . . x x . .
    . . . . . x x .
    . . x x x . . x
    . . x . . . . x
    . . . . . . . .";

/// A game of one person in the first state of the program.
fn fresh() -> Game {
    let setup = MatchSetup { seed: 1, seats: vec![Seat::Human { keys: 0 }; 1], play_seconds: Some(1.0) };
    Game::playing(Simulation::new(&Assets::built_in(), &setup).expect("the match can be set up"))
}

/// The same game, brought to a state by inputs and time.
fn in_state(state: GameState) -> Game {
    let mut game = fresh();
    match state {
        Paused => {
            game.step_until(300, |game| game.state() == Running);
            game.tap(Key::P);
        }
        Terminated => {
            game.step_until(300, |game| game.state() == GameOver);
            game.tap(Key::Q);
        }
        NotInitialized => panic!("a new simulation is already initialised"),
        _ => _ = game.step_until(300, |game| game.state() == state),
    }
    assert_eq!(game.state(), state);
    game
}

#[test]
fn allowed_transitions_are_those_of_the_table() {
    let rows: Vec<Vec<char>> = TABLE
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.split_whitespace().flat_map(str::chars).collect())
        .collect();
    let mut pairs = 0;
    for (from, row) in STATES.into_iter().zip(&rows) {
        for (to, cell) in STATES.into_iter().zip(row) {
            assert_eq!(from.may_become(to), *cell == 'x', "{from:?} to {to:?}");
            pairs += 1;
        }
    }
    assert_eq!(pairs, 64);
    assert_eq!(GameState::TRANSITIONS.len(), TABLE.matches('x').count(), "no transition is listed twice");
}

#[test]
fn game_passes_through_its_states_without_inputs() {
    let mut game = fresh();
    let mut states = vec![game.state()];
    for _ in 0..300 {
        game.step(1);
        if states.last() != Some(&game.state()) {
            states.push(game.state());
        }
    }
    assert_eq!(states, [Initialized, Restarted, Started, Running, GameOver]);
    let sequence: Vec<bool> = states.windows(2).map(|pair| pair[0].may_become(pair[1])).collect();
    assert!(sequence.iter().all(|is_allowed| *is_allowed));
}

#[test]
fn inputs_cause_all_transitions_of_the_table_and_no_others() {
    let mut seen = vec![(NotInitialized, Initialized)];
    let keys = [Key::P, Key::Escape, Key::R, Key::Digit1, Key::Digit2, Key::Digit3];
    let mut tries: Vec<Option<InputEvent>> = keys.into_iter().map(|key| Some(InputEvent::KeyDown(key))).collect();
    tries.extend([None, Some(InputEvent::QuitRequested), Some(InputEvent::WindowMinimized)]);
    for state in STATES.into_iter().skip(1) {
        for input in &tries {
            let mut game = in_state(state);
            if let Some(input) = input {
                game.input(*input);
            }
            let mut before = game.state();
            for _ in 0..200 {
                game.step(1);
                let now = game.state();
                if now != before {
                    // Closing the window in a match passes through a pause.
                    let is_by_pause = !before.may_become(now) && before.may_become(Paused) && Paused.may_become(now);
                    if is_by_pause {
                        seen.extend([(before, Paused), (Paused, now)]);
                    } else {
                        seen.push((before, now));
                    }
                }
                before = now;
            }
        }
    }
    // From a pause of the countdown.
    let mut game = in_state(Started);
    game.tap(Key::P).tap(Key::P);
    seen.push((Paused, game.state()));
    for change in &seen {
        assert!(GameState::TRANSITIONS.contains(change), "{change:?}");
    }
    for change in GameState::TRANSITIONS {
        assert!(seen.contains(change), "{change:?}");
    }
}

#[test]
fn pause_returns_to_the_paused_state() {
    for state in [Started, Running] {
        let mut game = in_state(state);
        game.tap(Key::P);
        let ticks = game.ticks_left();
        assert_eq!(game.state(), Paused);
        game.step(50).tap(Key::P);
        assert_eq!((game.state(), game.ticks_left()), (state, ticks), "resumed from {state:?}");
        game.step(1);
        assert_eq!((game.count::<GamePaused>(), game.count::<GameResumed>()), (1, 1));
    }
}

#[test]
fn escape_in_a_match_opens_the_menu() {
    for key in [Key::Escape, Key::Q] {
        let mut game = in_state(Running);
        game.tap(key);
        assert_eq!(game.state(), Paused);
        game.tap(key);
        assert_eq!(game.state(), Terminated);
    }
}

#[test]
fn menus_offer_the_options_of_their_state() {
    assert_eq!(menu_of(Paused), [MenuOption::Resume, MenuOption::Restart, MenuOption::Quit]);
    assert_eq!(menu_of(GameOver), [MenuOption::Restart, MenuOption::Quit]);
    for state in [NotInitialized, Initialized, Restarted, Started, Running, Terminated] {
        assert_eq!(menu_of(state), []);
    }
}

#[test]
fn each_menu_option_has_its_effect() {
    for (state, key, expected) in [
        (Paused, Key::Digit1, Running),
        (Paused, Key::Digit2, Restarted),
        (Paused, Key::Digit3, Terminated),
        (Paused, Key::Digit4, Paused),
        (Paused, Key::R, Restarted),
        (GameOver, Key::Digit1, Restarted),
        (GameOver, Key::Digit2, Terminated),
        (GameOver, Key::Digit3, GameOver),
        (GameOver, Key::R, Restarted),
        (GameOver, Key::P, GameOver),
        (Running, Key::Digit1, Running),
        (Running, Key::Digit2, Running),
        (Running, Key::Digit3, Running),
        (Running, Key::R, Running),
        (Started, Key::R, Started),
        (Started, Key::Digit3, Started),
    ] {
        let mut game = in_state(state);
        game.tap(key);
        assert_eq!(game.state(), expected, "{key:?} in {state:?}");
    }
}

#[test]
fn requests_forbidden_in_a_state_are_ignored() {
    let mut game = in_state(Running);
    game.simulation_mut().engine_mut().send(ResumeGame);
    game.simulation_mut().engine_mut().send(RestartGame);
    game.simulation_mut().engine_mut().send(bounty_hunter::events::QuitGame);
    game.step(1);
    assert_eq!((game.state(), game.count::<GameResumed>(), game.count::<GameRestarted>()), (Running, 0, 1));
    let mut game = in_state(GameOver);
    game.simulation_mut().engine_mut().send(PauseGame);
    game.simulation_mut().engine_mut().send(ResumeGame);
    game.step(1);
    assert_eq!((game.state(), game.count::<GamePaused>()), (GameOver, 0));
    let mut game = in_state(Paused);
    game.simulation_mut().engine_mut().send(PauseGame);
    game.step(1).tap(Key::P);
    assert_eq!((game.state(), game.count::<GamePaused>()), (Running, 1), "a pause within a pause is ignored");
}

#[test]
fn closing_the_window_ends_the_program_in_every_state() {
    for state in [Initialized, Restarted, Started, Running, Paused, GameOver] {
        let mut game = in_state(state);
        game.input(InputEvent::QuitRequested);
        let steps = game.step_until(3, |game| game.state() == Terminated);
        assert!(steps <= 2, "in {state:?} it took {steps} steps");
        assert_eq!(game.count::<GameQuit>(), 1, "in {state:?}");
    }
}

#[test]
fn steps_after_the_end_of_the_program_have_no_effect() {
    let mut game = in_state(Terminated);
    let (tick, hash) = (game.simulation().tick(), game.simulation_mut().state_hash());
    game.press(Key::R).step(10);
    assert_eq!((game.state(), game.simulation().tick(), game.simulation_mut().state_hash()), (Terminated, tick, hash));
}

#[test]
fn minimising_pauses_only_a_match() {
    for (state, expected) in [(Started, Paused), (Running, Paused), (Paused, Paused), (GameOver, GameOver)] {
        let mut game = in_state(state);
        game.input(InputEvent::WindowMinimized).step(1);
        assert_eq!(game.state(), expected, "minimised in {state:?}");
        game.input(InputEvent::WindowRestored).step(5);
        assert_eq!(game.state(), expected, "restoring does not resume");
    }
}

#[test]
fn match_minimised_while_it_is_built_starts_paused() {
    for state in [Initialized, Restarted] {
        let mut game = in_state(state);
        game.input(InputEvent::WindowMinimized).step(4);
        assert_eq!(game.state(), Paused, "minimised in {state:?}");
        game.tap(Key::P);
        assert_eq!(game.state(), Started);
    }
}

#[test]
fn restarted_match_keeps_nothing_of_the_old_one() {
    let mut game = scenario(">..b").players(3).begin();
    game.carry(0, 50.0).carry(1, 60.0).store(2, 200.0).step(30);
    let old = game.players();
    game.tap(Key::P).tap(Key::R);
    assert_eq!(game.state(), Restarted);
    game.step_until(20, |game| game.state() == Running);
    for player in 0..3 {
        assert_eq!((game.pocket(player), game.stashed(player), game.is_alive(player)), (0.0, 0.0, true));
        assert!(!game.simulation().engine().contains(old.0[player].collector), "the old collector is despawned");
    }
    assert_eq!(game.result(), None);
    assert_eq!(game.ticks_left().1, tests::steps(tests::LONG_PLAY_SECONDS));
}

#[test]
fn matches_of_a_session_differ() {
    let setup = MatchSetup::of_ais(5, 4, "normal");
    let mut game = Game::playing(Simulation::new(&Assets::built_in(), &setup).expect("the match can be set up"));
    let mut layouts = Vec::new();
    for _ in 0..3 {
        game.step_until(300, |game| game.state() == Running);
        layouts.push(game.bounties().iter().map(|bounty| bounty.position.to_array().map(f32::to_bits)).collect());
        game.tap(Key::P).tap(Key::R);
    }
    let [first, second, third]: [Vec<[u32; 2]>; 3] = layouts.try_into().expect("three matches");
    assert!(first != second && second != third && first != third);
}

#[test]
fn second_match_does_not_depend_on_the_first() {
    let second_match = |steps_of_the_first: u32| {
        let setup = MatchSetup::of_ais(5, 4, "normal");
        let mut game = Game::playing(Simulation::new(&Assets::built_in(), &setup).expect("the match can be set up"));
        game.step(300 + steps_of_the_first).tap(Key::P).tap(Key::R).step_until(300, |game| game.state() == Running);
        game.step(600);
        let mut bounties: Vec<_> =
            game.bounties().iter().map(|bounty| (bounty.position.x, bounty.position.y, bounty.value)).collect();
        bounties.sort_by(|one, other| one.0.total_cmp(&other.0));
        // In whatever order the first match left them.
        let mut collectors: Vec<_> =
            game.simulation().view().collectors.iter().map(|one| (one.position.x, one.position.y)).collect();
        collectors.sort_by(|one, other| one.0.total_cmp(&other.0));
        (bounties, collectors)
    };
    assert_eq!(second_match(1), second_match(1_000));
}

#[test]
fn restarts_do_not_leak_entities() {
    let mut game = scenario("").players(8).begin();
    let before = game.simulation().engine().entities().len();
    for _ in 0..5 {
        game.tap(Key::P).tap(Key::R).step_until(20, |game| game.state() == Running);
    }
    assert_eq!(game.simulation().engine().entities().len(), before);
    let physics = game.simulation().engine().resource::<bounty_hunter::physics::Physics>().expect("there is physics");
    assert_eq!(physics.body_count(), 8 * 2 + 4);
}
