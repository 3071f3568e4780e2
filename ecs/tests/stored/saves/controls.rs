//! Which controls a step loop holds is part of a save: no key sticks, in whichever program it is loaded.

use ecs::prelude::*;
use ecs::snapshot::StableHash;
use serde::{Deserialize, Serialize};

use crate::ms;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, StableHash)]
enum Control {
    Left,
    Right,
}

use Control::{Left, Right};

/// To which side a ship goes: the sum of what was pressed and released.
#[derive(Clone, Default, Serialize, Deserialize, StableHash)]
struct Course(i64);

fn steer(input: &Input<Control>, mut course: ResMut<Course>) {
    course.0 += match input {
        Input::Pressed(Left) | Input::Released(Right) => -1,
        Input::Pressed(Right) | Input::Released(Left) => 1,
    };
}

fn nameless() -> Engine {
    let mut engine = Engine::new();
    engine.insert_resource(Course::default());
    engine.types_mut().resource::<Course>("course").unwrap().save_with_text::<Course>(1).unwrap();
    engine.add(steer).unwrap();
    engine
}

fn new() -> (Engine, StepLoop<Control>) {
    let mut engine = nameless();
    engine.types_mut().event::<Input<Control>>("input").unwrap().save_with_text::<Input<Control>>(1).unwrap();
    (engine, StepLoop::new(ms(10)))
}

fn step((engine, steps): &mut (Engine, StepLoop<Control>)) -> i64 {
    steps.advance(engine, ms(10)).unwrap();
    engine.resource::<Course>().unwrap().0
}

/// A save of a game in which the ship goes to the left.
fn saved(game: &mut (Engine, StepLoop<Control>)) -> (Vec<u8>, String) {
    game.1.press(Left);
    assert_eq!(step(game), -1);
    let mut bytes = Vec::new();
    game.0.save(&mut bytes).unwrap();
    (bytes, game.0.save_text().unwrap())
}

#[test]
fn key_that_was_released_since_the_save_is_released_in_it() {
    let mut game = new();
    let (bytes, text) = saved(&mut game);
    game.1.release(&Left);
    game.1.press(Right);
    assert_eq!(step(&mut game), 1);
    game.0.load(&mut bytes.as_slice()).unwrap();
    assert_eq!(step(&mut game), 1, "left is released, right is pressed");
    game.1.release_all();
    game.0.load_text(&text).unwrap();
    assert_eq!(step(&mut game), 0);
}

#[test]
fn key_that_is_held_still_is_heard_once() {
    let mut game = new();
    let (bytes, _) = saved(&mut game);
    for _ in 0..3 {
        game.0.load(&mut bytes.as_slice()).unwrap();
        assert_eq!(step(&mut game), -1);
        assert_eq!(step(&mut game), -1);
    }
}

#[test]
fn another_program_releases_what_nobody_holds_there() {
    let (bytes, text) = saved(&mut new());
    for is_held in [false, true] {
        let (mut one, mut other) = (new(), new());
        one.1.hold(Left, is_held);
        other.1.hold(Left, is_held);
        one.0.load(&mut bytes.as_slice()).unwrap();
        other.0.load_text(&text).unwrap();
        assert_eq!([step(&mut one), step(&mut other)], [-i64::from(is_held); 2]);
    }
}

#[test]
fn save_of_a_game_that_heard_inputs_asks_for_their_name() {
    let (mut engine, mut steps) = (nameless(), StepLoop::new(ms(10)));
    engine.save(&mut Vec::new()).unwrap();
    steps.tap(Left);
    steps.advance(&mut engine, ms(10)).unwrap();
    let refused = engine.save(&mut Vec::new()).unwrap_err().to_string();
    assert!(refused.starts_with("event Input<") && refused.contains("give it a name"), "{refused}");
    engine.types_mut().event::<Input<Control>>("input").unwrap();
    let refused = engine.save(&mut Vec::new()).unwrap_err().to_string();
    assert!(refused.contains(".save::<Input<") && refused.contains("Control>>(1)"), "{refused}");
}

#[test]
fn load_takes_back_a_game_that_heard_more_than_the_save() {
    let mut game = new();
    let mut bytes = Vec::new();
    game.0.save(&mut bytes).unwrap();
    let (later, _) = saved(&mut game);
    game.0.load(&mut bytes.as_slice()).unwrap();
    assert_eq!(step(&mut game), -1, "the key that is held is heard");
    game.1.release_all();
    assert_eq!(step(&mut game), 0);
    game.0.load(&mut later.as_slice()).unwrap();
    assert_eq!(step(&mut game), 0);
}
