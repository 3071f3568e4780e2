//! The eight states of the game: the table of transitions, and inputs that cause each of them.

use bounty_hunter::assets::Assets;
use bounty_hunter::events::{GamePaused, GameResumed, GameStarted, PauseGame, RestartGame, ResumeGame};
use bounty_hunter::input::Command;
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
    let setup = MatchSetup { seed: 1, seats: vec![Seat::Human { person: 0 }; 1], play_seconds: Some(1.0) };
    Game::playing(Simulation::new(&Assets::built_in(), &setup).expect("the match can be set up"))
}

/// The same game, brought to a state by inputs and time.
fn in_state(state: GameState) -> Game {
    let mut game = fresh();
    match state {
        Paused => {
            game.step_until(300, |game| game.state() == Running);
            game.pause();
        }
        Terminated => {
            game.step_until(300, |game| game.state() == GameOver);
            game.ask(Command::Quit);
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
    let commands = [Command::Pause, Command::Resume, Command::Restart, Command::Quit, Command::Close];
    let mut tries: Vec<Option<Command>> = commands.into_iter().map(Some).collect();
    tries.push(None);
    for state in STATES.into_iter().skip(1) {
        for command in &tries {
            let mut game = in_state(state);
            if let Some(command) = command {
                game.command(*command);
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
    game.pause().resume();
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
        game.pause();
        let ticks = game.ticks_left();
        assert_eq!(game.state(), Paused);
        game.step(50).resume();
        assert_eq!((game.state(), game.ticks_left()), (state, ticks), "resumed from {state:?}");
        game.step(1);
        assert_eq!((game.count::<GamePaused>(), game.count::<GameResumed>()), (1, 1));
    }
}

#[test]
fn each_command_has_its_effect_in_some_states_only() {
    for (state, command, expected) in [
        (Paused, Command::Resume, Running),
        (Paused, Command::Restart, Restarted),
        (Paused, Command::Quit, Terminated),
        (Paused, Command::Pause, Paused),
        (GameOver, Command::Restart, Restarted),
        (GameOver, Command::Quit, Terminated),
        (GameOver, Command::Pause, GameOver),
        (GameOver, Command::Resume, GameOver),
        (Running, Command::Resume, Running),
        (Running, Command::Restart, Running),
        (Running, Command::Quit, Running),
        (Started, Command::Restart, Started),
        (Started, Command::Quit, Started),
    ] {
        let mut game = in_state(state);
        game.ask(command);
        assert_eq!(game.state(), expected, "{command:?} in {state:?}");
    }
}

#[test]
fn requests_forbidden_in_a_state_are_ignored() {
    let mut game = in_state(Running);
    game.simulation_mut().engine_mut().send(ResumeGame);
    game.simulation_mut().engine_mut().send(RestartGame);
    game.simulation_mut().engine_mut().send(bounty_hunter::events::QuitGame);
    game.step(1);
    assert_eq!((game.state(), game.count::<GameResumed>(), game.count::<GameStarted>()), (Running, 0, 1));
    let mut game = in_state(GameOver);
    game.simulation_mut().engine_mut().send(PauseGame);
    game.simulation_mut().engine_mut().send(ResumeGame);
    game.step(1);
    assert_eq!((game.state(), game.count::<GamePaused>()), (GameOver, 0));
    let mut game = in_state(Paused);
    game.simulation_mut().engine_mut().send(PauseGame);
    game.step(1).resume();
    assert_eq!((game.state(), game.count::<GamePaused>()), (Running, 1), "a pause within a pause is ignored");
}

#[test]
fn closing_the_window_ends_the_program_in_every_state() {
    for state in [Initialized, Restarted, Started, Running, Paused, GameOver] {
        let mut game = in_state(state);
        game.command(Command::Close);
        let steps = game.step_until(3, |game| game.state() == Terminated);
        assert!(steps <= 2, "in {state:?} it took {steps} steps");
    }
}

#[test]
fn steps_after_the_end_of_the_program_have_no_effect() {
    let mut game = in_state(Terminated);
    let (tick, hash) = (game.simulation().tick(), game.simulation_mut().state_hash());
    game.restart().step(9);
    assert_eq!((game.state(), game.simulation().tick(), game.simulation_mut().state_hash()), (Terminated, tick, hash));
}

#[test]
fn pause_stops_only_a_match() {
    for (state, expected) in [(Started, Paused), (Running, Paused), (Paused, Paused), (GameOver, GameOver)] {
        let mut game = in_state(state);
        game.pause();
        assert_eq!(game.state(), expected, "paused in {state:?}");
    }
}

#[test]
fn match_paused_while_it_is_built_starts_paused() {
    for state in [Initialized, Restarted] {
        let mut game = in_state(state);
        game.pause().step(3);
        assert_eq!(game.state(), Paused, "paused in {state:?}");
        game.resume();
        assert_eq!(game.state(), Started);
    }
}

#[test]
fn restarted_match_keeps_nothing_of_the_old_one() {
    let mut game = scenario(">..b").players(3).begin();
    game.carry(0, 50.0).carry(1, 60.0).store(2, 200.0).step(30);
    let old = game.players();
    game.pause().restart();
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
        game.pause().restart();
    }
    let [first, second, third]: [Vec<[u32; 2]>; 3] = layouts.try_into().expect("three matches");
    assert!(first != second && second != third && first != third);
}

#[test]
fn second_match_does_not_depend_on_the_first() {
    let second_match = |steps_of_the_first: u32| {
        let setup = MatchSetup::of_ais(5, 4, "normal");
        let mut game = Game::playing(Simulation::new(&Assets::built_in(), &setup).expect("the match can be set up"));
        game.step(300 + steps_of_the_first).pause().restart().step_until(300, |game| game.state() == Running);
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
        game.pause().restart().step_until(20, |game| game.state() == Running);
    }
    assert_eq!(game.simulation().engine().entities().len(), before);
    let physics = game.simulation().engine().resource::<bounty_hunter::physics::Physics>().expect("there is physics");
    assert_eq!(physics.body_count(), 8 * 2 + 4);
}
