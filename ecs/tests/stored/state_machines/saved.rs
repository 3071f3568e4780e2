//! State machines are written and read.

use ecs::state_machine::{Next, StateMachine};

use super::Stage::{self, Paused, Running};

#[test]
fn written_machine_is_read_with_its_paused_states() {
    let mut machine: StateMachine<Stage, 2> = StateMachine::new(Running);
    machine.step(Next::Push(Paused)).expect("the table allows it");
    let text = ron::to_string(&machine).expect("a list of states can be written");
    assert_eq!((text.as_str(), ron::from_str(&text)), ("[Running,Paused]", Ok(machine)));
}

#[test]
fn machine_with_too_many_or_no_states_is_refused() {
    let refusal = |text| ron::from_str::<StateMachine<Stage, 1>>(text).expect_err("it is refused").to_string();
    let text = refusal("[Running, Paused, Options]");
    assert!(text.contains("2 states are paused, the machine has room for 1"), "{text}");
    let text = refusal("[]");
    assert!(text.contains("a state machine has at least one state"), "{text}");
}
