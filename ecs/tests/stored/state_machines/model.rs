//! Random steps on a machine and on a naive model made of a `Vec`.

use ecs::state_machine::{Hook, Next, State, StateMachine, TransitionError};
use proptest::prelude::*;

use super::Stage::{self, Options, Over, Paused, Running, Title};

/// The states from bottom to top; the last one is the current state.
struct Naive {
    states: Vec<Stage>,
    most_paused: usize,
}

impl Naive {
    fn step(&mut self, next: Next<Stage>) -> Result<Vec<Hook<Stage>>, TransitionError<Stage>> {
        let from = *self.states.last().expect("there is always a state");
        let to = match next {
            Next::Stay => return Ok(Vec::new()),
            Next::Change(to) | Next::ChangeAll(to) | Next::Push(to) => to,
            Next::Pop if self.states.len() == 1 => return Err(TransitionError::NothingPaused { current: from }),
            Next::Pop => self.states[self.states.len() - 2],
        };
        if !Stage::TRANSITIONS.contains(&(from, to)) {
            return Err(TransitionError::NotAllowed { from, to });
        }
        Ok(match next {
            Next::Stay => unreachable!("it returned above"),
            Next::Change(_) => {
                self.states.pop();
                self.states.push(to);
                vec![Hook::Left(from), Hook::Entered(to)]
            }
            Next::ChangeAll(_) => {
                let mut hooks: Vec<_> = self.states.drain(..).rev().map(Hook::Left).collect();
                self.states.push(to);
                hooks.push(Hook::Entered(to));
                hooks
            }
            Next::Push(_) if self.states.len() > self.most_paused => {
                return Err(TransitionError::Full { current: from, pushed: to, most: self.most_paused });
            }
            Next::Push(_) => {
                self.states.push(to);
                vec![Hook::Paused(from), Hook::Entered(to)]
            }
            Next::Pop => {
                self.states.pop();
                vec![Hook::Left(from), Hook::Resumed(to)]
            }
        })
    }
}

fn stage() -> impl Strategy<Value = Stage> {
    prop::sample::select(vec![Title, Running, Paused, Options, Over])
}

fn steps() -> impl Strategy<Value = Vec<Next<Stage>>> {
    let next = prop_oneof![
        1 => Just(Next::Stay),
        3 => stage().prop_map(Next::Change),
        1 => stage().prop_map(Next::ChangeAll),
        4 => stage().prop_map(Next::Push),
        4 => Just(Next::Pop),
    ];
    prop::collection::vec(next, 0..60)
}

fn compare<const PAUSED: usize>(first: Stage, steps: &[Next<Stage>]) {
    let mut machine: StateMachine<Stage, PAUSED> = StateMachine::new(first);
    let mut naive = Naive { states: vec![first], most_paused: PAUSED };
    for next in steps {
        let (found, expected) = (machine.step(*next), naive.step(*next));
        assert_eq!(found.map(Iterator::collect::<Vec<_>>), expected, "{next:?}");
        let states: Vec<_> = [machine.current()].into_iter().chain(machine.paused()).collect();
        assert_eq!(states, naive.states.iter().rev().copied().collect::<Vec<_>>(), "{next:?}");
    }
}

proptest! {
    #[test]
    fn machine_equals_the_naive_model(first in stage(), steps in steps()) {
        compare::<0>(first, &steps);
        compare::<1>(first, &steps);
        compare::<3>(first, &steps);
    }
}
