//! Keys and buttons at a window, and what a match makes of them.

use super::*;
use crate::client::input::bindings::Bindings;
use bounty_hunter_simulation::assets::Assets;
use bounty_hunter_simulation::simulation::view::GameState;
use bounty_hunter_simulation::simulation::{MatchSetup, Seat, Simulation};

/// People at a window, with the keys of the built-in keymap, and their match without AIs.
struct Table {
    simulation: Simulation,
    queue: InputQueue,
    bindings: Bindings,
    inputs: Inputs,
}

impl Table {
    /// A match of so many people in its first step.
    fn of(people: u8) -> Self {
        Self::with((0..people).map(|person| Seat::Human { person }).collect())
    }

    fn with(seats: Vec<Seat>) -> Self {
        let mut assets = Assets::built_in().in_mode("spells").unwrap();
        assets.game.countdown_seconds = 0.2;
        let setup = MatchSetup { seed: 1, seats, play_seconds: None };
        Self {
            simulation: Simulation::new(&assets, &setup).unwrap(),
            queue: InputQueue::default(),
            bindings: Bindings::new(None, &assets.keymap),
            inputs: Inputs::none(),
        }
    }

    /// As [`Table::of`], when the match runs.
    fn running(people: u8) -> Self {
        let mut table = Self::of(people);
        table.step_until(GameState::Running);
        table
    }

    fn press(&mut self, key: Key) -> &mut Self {
        let action = self.bindings.action(key).expect("the key has a meaning");
        self.queue.press(Switch::Key(key), action, self.simulation.state());
        self
    }

    fn release(&mut self, key: Key) -> &mut Self {
        self.queue.release(Switch::Key(key));
        self
    }

    fn tap(&mut self, key: Key) -> &mut Self {
        self.press(key).release(key).step()
    }

    fn step(&mut self) -> &mut Self {
        self.queue.take_into(&mut self.inputs, &self.simulation.view());
        self.simulation.step(&self.inputs);
        self
    }

    fn step_until(&mut self, state: GameState) {
        for _ in 0..300 {
            if self.simulation.state() == state {
                return;
            }
            self.step();
        }
        panic!("{state:?} was not reached");
    }

    /// What the players want, as the match knows it.
    fn intents(&self) -> Vec<(f32, f32)> {
        self.simulation.view().players.iter().map(|player| (player.intent.drive, player.intent.turn)).collect()
    }

    fn state(&self) -> GameState {
        self.simulation.state()
    }
}

const IDLE: (f32, f32) = (0.0, 0.0);

#[test]
fn two_people_share_a_keyboard() {
    let mut table = Table::running(2);
    table.press(Key::W).press(Key::Up).press(Key::Left).step();
    assert_eq!(table.intents(), [(1.0, 0.0), (1.0, 1.0)]);
    table.release(Key::W).press(Key::D).release(Key::Left).press(Key::Down).step();
    assert_eq!(table.intents(), [(0.0, -1.0), (-0.5, 0.0)]);
    table.release(Key::Down).step();
    assert_eq!(table.intents(), [(0.0, -1.0), (1.0, 0.0)], "up is still down");
}

#[test]
fn four_people_have_keys_of_their_own() {
    let mut table = Table::running(4);
    for (person, key) in [Key::W, Key::Up, Key::I, Key::T].into_iter().enumerate() {
        let mut expected = [IDLE; 4];
        expected[person] = (1.0, 0.0);
        assert_eq!(table.press(key).step().intents(), expected);
        table.release(key).step();
    }
}

#[test]
fn last_pressed_of_two_opposite_keys_counts() {
    let mut table = Table::running(1);
    assert_eq!(table.press(Key::A).step().press(Key::D).step().intents(), [(0.0, -1.0)]);
    assert_eq!(table.release(Key::D).step().intents(), [(0.0, 1.0)]);
    assert_eq!(table.release(Key::A).step().intents(), [IDLE]);
}

#[test]
fn two_switches_for_one_action_are_held_each() {
    let mut table = Table::running(1);
    table.press(Key::W);
    table.queue.press(Switch::Pad(0, PadButton::South), Action::Forward(0), GameState::Running);
    assert_eq!(table.release(Key::W).step().intents(), [(1.0, 0.0)], "the button of the pad is still down");
    table.queue.release(Switch::Pad(0, PadButton::South));
    assert_eq!(table.step().intents(), [IDLE]);
}

#[test]
fn intents_are_inputs_only_when_they_change() {
    let mut table = Table::running(1);
    assert!(table.press(Key::W).step().inputs.intents.len() == 1 && table.step().inputs.is_empty());
    assert!(table.release(Key::W).step().inputs.intents.len() == 1 && table.step().inputs.is_empty());
}

#[test]
fn what_is_held_counts_after_a_countdown_a_pause_a_restart_and_another_moment() {
    let mut table = Table::of(1);
    table.press(Key::W).step_until(GameState::Running);
    assert_eq!(table.intents(), [(1.0, 0.0)], "held since before the countdown");
    let snapshot = table.simulation.snapshot().unwrap();
    table.tap(Key::P).release(Key::W).press(Key::A).step();
    assert_eq!(table.state(), GameState::Paused);
    assert_eq!(table.tap(Key::P).step().intents(), [(0.0, 1.0)], "only what is held now");
    table.tap(Key::P).tap(Key::R).step_until(GameState::Running);
    assert_eq!(table.intents(), [(0.0, 1.0)]);
    table.simulation.restore(&snapshot).unwrap();
    assert_eq!(table.step().intents(), [(0.0, 1.0)], "not what was held then");
    table.queue.release_all();
    assert_eq!(table.step().intents(), [IDLE]);
}

#[test]
fn keys_of_the_match_depend_on_its_state() {
    let mut table = Table::running(1);
    for (key, expected) in [
        (Key::R, GameState::Running),
        (Key::Digit1, GameState::Running),
        (Key::P, GameState::Paused),
        (Key::P, GameState::Running),
        (Key::Escape, GameState::Paused),
        (Key::R, GameState::Restarted),
        (Key::R, GameState::Started),
        (Key::Q, GameState::Paused),
        (Key::Q, GameState::Terminated),
    ] {
        assert_eq!(table.tap(key).state(), expected, "{key:?}");
    }
}

#[test]
fn press_between_two_steps_reaches_one_of_them() {
    let mut table = Table::running(1);
    table.press(Key::P).release(Key::P).press(Key::C).press(Key::C);
    table.step();
    assert_eq!(
        (&table.inputs.commands[..], &table.inputs.casts[..]),
        (&[Command::Pause][..], &[(0, Spell::Magnet)][..])
    );
    assert!(table.step().inputs.is_empty(), "a key that is held is pressed once");
}

#[test]
fn a_direction_that_is_pressed_and_released_between_two_steps_counts_for_one() {
    let mut table = Table::running(1);
    table.press(Key::W).release(Key::W).press(Key::A).release(Key::A).press(Key::D).release(Key::D);
    assert!(!table.queue.holds(Action::Forward(0)), "nothing is down");
    assert_eq!(table.step().intents(), [(1.0, -1.0)], "of two opposite ones the last");
    assert_eq!(table.step().intents(), [IDLE]);
    table.press(Key::A).step().release(Key::A).press(Key::A).release(Key::A);
    assert_eq!(table.step().intents(), [(0.0, 1.0)], "pressed again, and released again");
    assert_eq!(table.step().intents(), [IDLE]);
    table.press(Key::W).release(Key::W).queue.forget_presses();
    assert_eq!(table.step().intents(), [IDLE], "a press during a rewind means nothing");
}

#[test]
fn each_person_casts_with_keys_of_its_own() {
    let mut table = Table::running(2);
    for (spell, keys) in [
        (Spell::Purge, [Key::Z, Key::Backspace]),
        (Spell::Strike, [Key::X, Key::RightShift]),
        (Spell::Magnet, [Key::C, Key::RightControl]),
    ] {
        for (player, key) in (0..).zip(keys) {
            assert_eq!(table.tap(key).inputs.casts, [(player, spell)], "{key:?}");
        }
    }
}

#[test]
fn possessed_collector_obeys_the_keys_of_a_person_without_a_seat() {
    let ai = Seat::Ai { profile: "normal".into() };
    let mut table = Table::with(vec![Seat::Human { person: 0 }, ai.clone(), ai]);
    table.step_until(GameState::Running);
    table.tap(Key::F5).press(Key::W).press(Key::Left).step();
    assert_eq!(table.intents(), [(1.0, 0.0), (0.0, 1.0), IDLE]);
    table.tap(Key::F7).step();
    assert_eq!(table.intents(), [(1.0, 0.0), IDLE, (0.0, 1.0)], "the next one");
    table.tap(Key::F6).step();
    assert_eq!(table.intents(), [(1.0, 0.0), IDLE, IDLE]);
}

#[test]
fn nothing_that_is_pressed_during_a_rewind_reaches_the_match_but_its_end() {
    let mut table = Table::running(1);
    table.press(Key::Tab).press(Key::W).press(Key::P).press(Key::C);
    assert!(table.queue.holds(Action::Rewind));
    table.queue.forget_presses();
    assert!(!table.queue.is_closing());
    assert_eq!((table.step().state(), table.intents()), (GameState::Running, vec![(1.0, 0.0)]));
    table.queue.command(Command::Close);
    table.queue.forget_presses();
    assert!(table.queue.is_closing());
    assert_eq!(table.step().state(), GameState::Terminated);
}

#[test]
fn stick_on_the_screen_steers_the_first_person_until_the_finger_is_gone() {
    let mut table = Table::running(2);
    let heading = |table: &Table, player: u32| {
        let view = table.simulation.view();
        view.collectors.iter().find(|collector| collector.player == player).map(|collector| collector.heading)
    };
    let before = heading(&table, 0).expect("it is alive");
    let left = Vec2::new(-libm::sinf(before), libm::cosf(before));
    table.queue.push(Some(left));
    table.step();
    assert_eq!(table.intents(), [(0.0, 1.0), (0.0, 0.0)], "it turns to the left before it drives there");
    (0..60).for_each(|_| _ = table.step());
    let after = heading(&table, 0).expect("it is alive");
    let turned = Vec2::new(libm::cosf(after), libm::sinf(after));
    assert!(turned.dot(left) > 0.999, "{turned} is not {left}");
    assert_eq!(table.intents()[0], (1.0, 0.0));
    table.queue.push(None);
    table.step();
    assert_eq!(table.intents()[0], (0.0, 0.0), "it stops");
    table.queue.push(Some(left));
    table.queue.release_all();
    table.step();
    assert_eq!(table.intents()[0], (0.0, 0.0), "a window in the background has no finger");
}

#[test]
fn finger_on_a_button_casts_while_another_steers() {
    let mut table = Table::running(1);
    table.queue.push(Some(Vec2::X));
    table.queue.press(Switch::Finger(4), Action::Magnet(0), GameState::Running);
    table.queue.take_into(&mut table.inputs, &table.simulation.view());
    assert_eq!(table.inputs.casts, [(0, Spell::Magnet)]);
    assert_eq!(table.inputs.intents.len(), 1);
    table.queue.release(Switch::Finger(4));
    assert!(!table.queue.holds(Action::Magnet(0)));
}
