//! State machines: a table says which state may follow which, and a machine holds the current one and those paused beneath it.

mod error;
mod hooks;
#[cfg(feature = "serde")]
mod saved;

use std::fmt;

pub use self::error::TransitionError;
pub use self::hooks::{Hook, Hooks};

/// A state of a [`StateMachine`], mostly an `enum` without fields.
pub trait State: Copy + Eq + fmt::Debug + 'static {
    /// All pairs of which the second state may follow the first. It makes no difference by which [`Next`] it follows.
    const TRANSITIONS: &'static [(Self, Self)];

    /// Whether the table lets `next` follow this state. O(length of the table).
    #[must_use]
    fn may_become(self, next: Self) -> bool {
        Self::TRANSITIONS.contains(&(self, next))
    }
}

/// What a machine is to do next; what an update decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Next<S> {
    /// It stays in its state.
    #[default]
    Stay,
    /// Another state takes the place of the current one; what is paused stays paused.
    Change(S),
    /// Another state takes the place of the current one and of all that are paused.
    ChangeAll(S),
    /// Another state comes on top; the current one is paused.
    Push(S),
    /// The current state ends, and the one that was paused last goes on.
    Pop,
}

/// A state that changes along the table of [`State::TRANSITIONS`], and up to `PAUSED` states that are paused beneath it.
///
/// It is plain data without memory of its own: a component, a field of one, or part of a resource. It runs nothing by itself:
/// the update of a state returns a [`Next`], [`StateMachine::step`] goes there and tells what was left and what was entered,
/// and whoever steps acts on that.
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
    /// The one that was paused first comes first; the places behind the last are empty.
    paused: [Option<S>; PAUSED],
}

impl<S: State, const PAUSED: usize> StateMachine<S, PAUSED> {
    /// A machine in `state`, with nothing paused beneath it. No table is asked whether it may begin there.
    #[must_use]
    pub const fn new(state: S) -> Self {
        Self { current: state, paused: [None; PAUSED] }
    }

    /// The current state. O(1).
    #[must_use]
    pub const fn current(&self) -> S {
        self.current
    }

    /// The states that are paused; the one that was paused last, which goes on first, comes first.
    pub fn paused(&self) -> impl ExactSizeIterator<Item = S> + '_ {
        self.paused[..self.paused_len()].iter().rev().map(|state| state.expect("the places in front are filled"))
    }

    fn paused_len(&self) -> usize {
        self.paused.iter().position(Option::is_none).unwrap_or(PAUSED)
    }

    /// Goes where `next` says; returns what was left, paused, entered and resumed, in this order. The machine has changed
    /// when this returns, whether or not the hooks are looked at.
    ///
    /// # Errors
    /// The machine stays as it is.
    /// - [`TransitionError::NotAllowed`] if the table does not let the new state follow the current one.
    /// - [`TransitionError::Full`] if `PAUSED` states are paused already.
    /// - [`TransitionError::NothingPaused`] if there is no state to go back to.
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

/// The current state; behind it, if there are any, those that are paused: `Paused over Running`.
impl<S: State, const PAUSED: usize> fmt::Debug for StateMachine<S, PAUSED> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.current.fmt(f)?;
        self.paused().try_for_each(|state| {
            f.write_str(" over ")?;
            state.fmt(f)
        })
    }
}
