//! [`Hooks`]: the effects of a step of a state machine.

/// An effect of [`StateMachine::step`](super::StateMachine::step) on a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hook<S> {
    /// The state ended.
    Left(S),
    /// The state was paused; another one runs on top of it.
    Paused(S),
    /// The state began.
    Entered(S),
    /// The state continues after a pause.
    Resumed(S),
}

/// The effects of a step in order: the states left or paused, from the top down, then the state entered or resumed.
/// Empty if the machine stayed in its state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hooks<S, const PAUSED: usize> {
    first: Option<Hook<S>>,
    /// Paused states that ended, the oldest first.
    ended: [Option<S>; PAUSED],
    last: Option<Hook<S>>,
}

impl<S: Copy, const PAUSED: usize> Hooks<S, PAUSED> {
    pub(super) fn none() -> Self {
        Self { first: None, ended: [None; PAUSED], last: None }
    }

    pub(super) fn new(first: Hook<S>, ended: [Option<S>; PAUSED], last: Hook<S>) -> Self {
        Self { first: Some(first), ended, last: Some(last) }
    }
}

impl<S, const PAUSED: usize> Iterator for Hooks<S, PAUSED> {
    type Item = Hook<S>;

    fn next(&mut self) -> Option<Hook<S>> {
        let ended = &mut self.ended;
        let first = self.first.take();
        first.or_else(|| ended.iter_mut().rev().find_map(Option::take).map(Hook::Left)).or_else(|| self.last.take())
    }
}
