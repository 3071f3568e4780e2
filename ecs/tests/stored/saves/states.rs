//! Saved states; forged ones are refused, and those that could not be read again are not saved.

use std::time::Duration;

use ecs::Engine;
use ecs::state_machine::{Next, State, StateMachine};
use ecs::system::{CurrentState, NextState};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Screen {
    Menu,
    Playing,
    Paused,
}
use Screen::{Menu, Paused, Playing};

impl State for Screen {
    const TRANSITIONS: &'static [(Self, Self)] = &[(Menu, Playing), (Playing, Paused), (Paused, Playing)];
}

fn engine<S: State + Send + Sync>(first: S) -> Engine {
    let mut engine = Engine::new();
    engine.add_state_machine(StateMachine::new(first)).unwrap();
    engine
}

/// A paused game that asks for its next state.
fn saved() -> String {
    let mut engine = engine(Menu);
    for next in [Next::Change(Playing), Next::Push(Paused)] {
        engine.resource_mut::<NextState<Screen>>().unwrap().set(next);
        engine.update(Duration::ZERO).unwrap();
    }
    engine.resource_mut::<NextState<Screen>>().unwrap().change(Playing);
    engine.save_text().unwrap()
}

const CURRENT: &str = r#"("Paused",["Playing"],true)"#;
const NEXT: &str = r#"("change",Some("Playing"))"#;

#[test]
fn forged_states_and_requests_are_refused_and_change_nothing() {
    let text = saved();
    let forge = |old: &str, new: &str| {
        assert!(text.contains(old), "there is no {old} in {text}");
        text.replacen(old, new, 1)
    };
    let nine = format!("(\"Paused\",[{}],true)", ["\"Playing\""; 9].join(","));
    let unknown = "no transition of Screen names a state `Credits`";
    for (old, new, reason) in [
        (CURRENT, r#"("Credits",["Playing"],true)"#, unknown),
        (CURRENT, r#"("Paused",["Credits"],true)"#, unknown),
        (CURRENT, &nine, "9 states are paused, which is too many"),
        (NEXT, r#"("jump",Some("Playing"))"#, "`jump` is no transition"),
        (NEXT, r#"("change",None)"#, "`change` is no transition"),
        (NEXT, r#"("stay",Some("Menu"))"#, "`stay` is no transition"),
        (NEXT, r#"("change",Some("Credits"))"#, unknown),
    ] {
        let mut engine = engine(Menu);
        let before = engine.state_hash().unwrap();
        let error = engine.load_text(&forge(old, new)).expect_err(new).to_string();
        assert!(error.contains(reason) && !error.contains('\n'), "{error}");
        assert_eq!(engine.state_hash().unwrap(), before);
        assert_eq!(engine.resource::<CurrentState<Screen>>().unwrap().current(), Menu);
    }
}

#[test]
fn forged_request_that_the_table_does_not_allow_is_an_error_of_the_next_frame_only() {
    let text = saved().replacen(NEXT, r#"("change",Some("Menu"))"#, 1);
    let mut engine = engine(Menu);
    engine.load_text(&text).unwrap();
    let error = engine.update(Duration::ZERO).unwrap_err().to_string();
    assert!(error.contains("`Menu` may not follow `Paused`"), "{error}");
    engine.update(Duration::ZERO).unwrap();
    assert_eq!(engine.resource::<CurrentState<Screen>>().unwrap().current(), Paused);
}

/// A state that its table does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Alone;

impl State for Alone {
    const TRANSITIONS: &'static [(Self, Self)] = &[];
}

/// Both print alike.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Twin {
    Elder,
    Younger,
}

impl std::fmt::Debug for Twin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Twin")
    }
}

impl State for Twin {
    const TRANSITIONS: &'static [(Self, Self)] = &[(Twin::Elder, Twin::Younger), (Twin::Younger, Twin::Elder)];
}

#[test]
fn states_that_could_not_be_read_again_are_not_saved() {
    let refused = |mut engine: Engine| {
        let bytes = engine.save(&mut Vec::new()).unwrap_err().to_string();
        assert!(bytes.contains("resource \"ecs state "), "{bytes}");
        engine.save_text().unwrap_err().to_string()
    };
    let text = refused(engine(Alone));
    assert!(text.contains("no transition of Alone names a state `Alone`"), "{text}");
    engine(Twin::Elder).save_text().unwrap();
    let text = refused(engine(Twin::Younger));
    assert!(text.contains("two states of Twin print as `Twin`"), "{text}");
}
