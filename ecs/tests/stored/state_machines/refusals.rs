//! Refused steps change nothing and have a reason.

use ecs::state_machine::{Next, StateMachine, TransitionError};

use super::Stage::{self, Options, Over, Paused, Running, Title};

/// The error of a machine that is `Paused` over `Running`, for a step that it refuses.
fn refusal(next: Next<Stage>) -> (TransitionError<Stage>, String) {
    let mut machine: StateMachine<Stage, 1> = StateMachine::new(Running);
    machine.step(Next::Push(Paused)).expect("the table allows it");
    let before = machine;
    let error = machine.step(next).expect_err("the step is refused");
    assert_eq!(machine, before, "nothing has changed");
    (error, error.to_string())
}

#[test]
fn forbidden_change_names_both_states_and_the_allowed_ones() {
    for next in [Next::Change(Title), Next::ChangeAll(Title), Next::Push(Title)] {
        let (error, text) = refusal(next);
        assert_eq!(error, TransitionError::NotAllowed { from: Paused, to: Title });
        assert_eq!(text, "`Title` may not follow `Paused`: allowed after `Paused` are `Running`, `Options`, `Over`");
    }
}

#[test]
fn final_state_cannot_be_left() {
    let mut machine: StateMachine<Stage> = StateMachine::new(Over);
    let error = machine.step(Next::Change(Title)).expect_err("the game is over");
    assert_eq!(error.to_string(), "`Title` may not follow `Over`: nothing may follow `Over`");
}

#[test]
fn forbidden_pop_is_refused() {
    let mut machine: StateMachine<Stage, 1> = StateMachine::new(Running);
    machine.step(Next::Push(Paused)).expect("the table allows it");
    machine.step(Next::Change(Over)).expect("the table allows it");
    let before = machine;
    let error = machine.step(Next::Pop).expect_err("the game is over");
    assert_eq!((error, machine), (TransitionError::NotAllowed { from: Over, to: Running }, before));
}

#[test]
fn push_onto_a_full_stack_is_refused_with_its_size() {
    let (error, text) = refusal(Next::Push(Options));
    assert_eq!(error, TransitionError::Full { current: Paused, pushed: Options, most: 1 });
    assert_eq!(
        text,
        "`Options` cannot come over `Paused`: the machine's room for paused states, which is 1, is taken; change to \
         it instead, or give the machine more room"
    );
}

#[test]
fn last_state_cannot_be_popped() {
    let mut machine: StateMachine<Stage, 1> = StateMachine::new(Running);
    let error = machine.step(Next::Pop).expect_err("nothing is paused");
    assert_eq!((error, machine.current()), (TransitionError::NothingPaused { current: Running }, Running));
    assert_eq!(error.to_string(), "`Running` cannot end: no state is paused beneath it; change to another one instead");
}
