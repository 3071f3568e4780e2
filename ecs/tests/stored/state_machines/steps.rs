//! The result of each kind of step.

use ecs::state_machine::{Hook, Next, StateMachine};

use super::Stage::{self, Options, Over, Paused, Running, Title};

fn hooks<const PAUSED: usize>(machine: &mut StateMachine<Stage, PAUSED>, next: Next<Stage>) -> Vec<Hook<Stage>> {
    machine.step(next).expect("the table allows it").collect()
}

#[test]
fn machine_starts_in_its_state_with_nothing_paused() {
    let machine: StateMachine<Stage, 2> = StateMachine::new(Running);
    assert_eq!((machine.current(), machine.paused().len()), (Running, 0));
    assert_eq!(StateMachine::<Stage>::default().current(), Title);
    assert_eq!(StateMachine::<Stage>::from(Over).current(), Over);
}

#[test]
fn stay_has_no_hooks() {
    let mut machine: StateMachine<Stage> = StateMachine::new(Over);
    assert_eq!(hooks(&mut machine, Next::Stay), []);
    assert_eq!((machine.current(), Next::<Stage>::default()), (Over, Next::Stay));
}

#[test]
fn change_leaves_one_state_and_enters_the_other() {
    let mut machine: StateMachine<Stage> = StateMachine::new(Title);
    assert_eq!(hooks(&mut machine, Next::Change(Running)), [Hook::Left(Title), Hook::Entered(Running)]);
    assert_eq!(machine.current(), Running);
}

#[test]
fn allowed_change_to_the_same_state_leaves_and_enters_it() {
    let mut machine: StateMachine<Stage> = StateMachine::new(Running);
    assert_eq!(hooks(&mut machine, Next::Change(Running)), [Hook::Left(Running), Hook::Entered(Running)]);
}

#[test]
fn push_pauses_the_state_beneath_and_pop_resumes_it() {
    let mut machine: StateMachine<Stage, 2> = StateMachine::new(Running);
    assert_eq!(hooks(&mut machine, Next::Push(Paused)), [Hook::Paused(Running), Hook::Entered(Paused)]);
    assert_eq!(hooks(&mut machine, Next::Push(Options)), [Hook::Paused(Paused), Hook::Entered(Options)]);
    assert_eq!(machine.paused().collect::<Vec<_>>(), [Paused, Running]);
    assert_eq!(hooks(&mut machine, Next::Pop), [Hook::Left(Options), Hook::Resumed(Paused)]);
    assert_eq!(hooks(&mut machine, Next::Pop), [Hook::Left(Paused), Hook::Resumed(Running)]);
    assert_eq!(machine, StateMachine::new(Running));
}

#[test]
fn change_above_a_paused_state_keeps_it_paused() {
    let mut machine: StateMachine<Stage, 2> = StateMachine::new(Paused);
    hooks(&mut machine, Next::Push(Options));
    assert_eq!(hooks(&mut machine, Next::Change(Title)), [Hook::Left(Options), Hook::Entered(Title)]);
    assert_eq!((machine.current(), machine.paused().collect::<Vec<_>>()), (Title, vec![Paused]));
}

#[test]
fn change_all_leaves_the_whole_stack_from_the_top() {
    let mut machine: StateMachine<Stage, 3> = StateMachine::new(Running);
    hooks(&mut machine, Next::Push(Paused));
    hooks(&mut machine, Next::Push(Options));
    hooks(&mut machine, Next::Change(Paused));
    assert_eq!(
        hooks(&mut machine, Next::ChangeAll(Over)),
        [Hook::Left(Paused), Hook::Left(Paused), Hook::Left(Running), Hook::Entered(Over)]
    );
    assert_eq!(machine, StateMachine::new(Over));
}

#[test]
fn machine_changes_even_if_the_hooks_are_ignored() {
    let mut machine: StateMachine<Stage> = StateMachine::new(Title);
    let _ = machine.step(Next::Change(Running)).expect("the table allows it");
    assert_eq!(machine.current(), Running);
}

#[test]
fn debug_output_has_the_state_and_the_paused_states() {
    let mut machine: StateMachine<Stage, 2> = StateMachine::new(Running);
    assert_eq!(format!("{machine:?}"), "Running");
    hooks(&mut machine, Next::Push(Paused));
    hooks(&mut machine, Next::Push(Options));
    assert_eq!(format!("{machine:?}"), "Options over Paused over Running");
}

#[test]
fn machine_without_a_stack_is_as_small_as_its_state() {
    assert_eq!(size_of::<StateMachine<Stage>>(), size_of::<Stage>());
    assert_eq!(size_of::<StateMachine<Stage, 3>>(), 4 * size_of::<Stage>());
}
