//! State machines with a table of transitions and a stack of paused states.

mod error;
mod hooks;
#[cfg(feature = "serde")]
mod saved;

use std::fmt;

pub use self::error::TransitionError;
pub use self::hooks::{Hook, Hooks};

/// A state of a [`StateMachine`], usually an `enum` without fields.
pub trait State: Copy + Eq + fmt::Debug + 'static {
    /// The allowed transitions, as pairs (from, to). They apply to every kind of [`Next`].
    const TRANSITIONS: &'static [(Self, Self)];

    /// Whether the table allows the transition from this state to `next`. O(length of the table).
    #[must_use]
    fn may_become(self, next: Self) -> bool {
        Self::TRANSITIONS.contains(&(self, next))
    }
}

/// The next transition of a machine, as decided by an update.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Next<S> {
    /// No transition.
    #[default]
    Stay,
    /// The state replaces the current one; paused states stay.
    Change(S),
    /// The state replaces the current one and all paused ones.
    ChangeAll(S),
    /// The current state is paused, and the new one runs on top of it.
    Push(S),
    /// The current state ends, and the last paused one resumes.
    Pop,
}

/// A state that changes by the table [`State::TRANSITIONS`], and up to `PAUSED` paused states below it.
///
/// It is plain data without heap memory, for use in components and resources. It runs nothing: the update of a state
/// returns a [`Next`], [`StateMachine::step`] makes the transition and returns the states that were left and entered,
/// and the caller acts on them.
///
/// # Example
/// ```
/// use ecs::state_machine::{Hook, Next, State, StateMachine, TransitionError};
///
/// #[derive(Clone, Copy, Debug, PartialEq, Eq)]
/// enum Door { Closed, Open, Stuck }
/// use Door::{Closed, Open, Stuck};
///
/// impl State for Door {
///     const TRANSITIONS: &'static [(Self, Self)] = &[(Closed, Open), (Open, Closed), (Open, Stuck)];
/// }
///
/// /// The update of each state.
/// fn update(door: Door, wind_mps: f32) -> Next<Door> {
///     match door {
///         Open if wind_mps > 20.0 => Next::Change(Stuck),
///         Open if wind_mps > 5.0 => Next::Change(Closed),
///         _ => Next::Stay,
///     }
/// }
///
/// let mut machine: StateMachine<Door> = StateMachine::new(Open);
/// let mut heard = Vec::new();
/// for wind_mps in [1.0, 9.0] {
///     for hook in machine.step(update(machine.current(), wind_mps))? {
///         match hook {
///             Hook::Left(Open) => heard.push("creak"),
///             Hook::Entered(Closed) => heard.push("bang"),
///             _ => {}
///         }
///     }
/// }
/// assert_eq!(heard, ["creak", "bang"]);
///
/// let refused = machine.step(Next::Change(Stuck)).unwrap_err();
/// assert_eq!(refused.to_string(), "`Stuck` may not follow `Closed`: allowed after `Closed` are `Open`");
/// assert_eq!(machine.current(), Closed);
/// # Ok::<(), TransitionError<Door>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct StateMachine<S, const PAUSED: usize = 0> {
    current: S,
    /// The oldest first; unused places are at the end.
    paused: [Option<S>; PAUSED],
}

impl<S: State, const PAUSED: usize> StateMachine<S, PAUSED> {
    /// A machine in `state`, which may be any state, with nothing paused.
    #[must_use]
    pub const fn new(state: S) -> Self {
        Self { current: state, paused: [None; PAUSED] }
    }

    /// The current state. O(1).
    #[must_use]
    pub const fn current(&self) -> S {
        self.current
    }

    /// The paused states, the last paused first.
    pub fn paused(&self) -> impl ExactSizeIterator<Item = S> + '_ {
        self.paused[..self.paused_len()].iter().rev().map(|state| state.expect("used places come first"))
    }

    fn paused_len(&self) -> usize {
        self.paused.iter().position(Option::is_none).unwrap_or(PAUSED)
    }

    /// Makes a transition; returns the states that were left, paused, entered and resumed, in this order. The
    /// transition does not depend on whether the hooks are consumed.
    ///
    /// # Errors
    /// The machine does not change.
    /// - [`TransitionError::NotAllowed`] if the transition is not in the table.
    /// - [`TransitionError::Full`] if `PAUSED` states are paused already.
    /// - [`TransitionError::NothingPaused`] if there is no state to resume.
    pub fn step(&mut self, next: Next<S>) -> Result<Hooks<S, PAUSED>, TransitionError<S>> {
        let (from, len) = (self.current, self.paused_len());
        let follow = |to: S| {
            if from.may_become(to) { Ok(to) } else { Err(TransitionError::NotAllowed { from, to }) }
        };
        let mut ended = [None; PAUSED];
        let (first, last) = match next {
            Next::Stay => return Ok(Hooks::none()),
            Next::Change(to) => {
                self.current = follow(to)?;
                (Hook::Left(from), Hook::Entered(to))
            }
            Next::ChangeAll(to) => {
                self.current = follow(to)?;
                std::mem::swap(&mut self.paused, &mut ended);
                (Hook::Left(from), Hook::Entered(to))
            }
            Next::Push(to) => {
                let to = follow(to)?;
                let place = self.paused.get_mut(len);
                *place.ok_or(TransitionError::Full { current: from, pushed: to, most: PAUSED })? = Some(from);
                self.current = to;
                (Hook::Paused(from), Hook::Entered(to))
            }
            Next::Pop => {
                let to = follow(self.paused().next().ok_or(TransitionError::NothingPaused { current: from })?)?;
                self.paused[len - 1] = None;
                self.current = to;
                (Hook::Left(from), Hook::Resumed(to))
            }
        };
        Ok(Hooks::new(first, ended, last))
    }
}

/// A machine in the default state.
impl<S: State + Default, const PAUSED: usize> Default for StateMachine<S, PAUSED> {
    fn default() -> Self {
        Self::new(S::default())
    }
}

impl<S: State, const PAUSED: usize> From<S> for StateMachine<S, PAUSED> {
    fn from(state: S) -> Self {
        Self::new(state)
    }
}

/// The current state over the paused ones: `Paused over Running`.
impl<S: State, const PAUSED: usize> fmt::Debug for StateMachine<S, PAUSED> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.current.fmt(f)?;
        self.paused().try_for_each(|state| {
            f.write_str(" over ")?;
            state.fmt(f)
        })
    }
}
