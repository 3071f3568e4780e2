//! Why a state machine did not go where it was told to.

use std::fmt;

use super::State;

/// Why a step of a state machine was refused; the machine is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransitionError<S> {
    /// The table does not have the pair.
    NotAllowed {
        /// The state that the machine is in.
        from: S,
        /// The state that may not follow.
        to: S,
    },
    /// As many states are paused as the machine has room for.
    Full {
        /// The state that would have been paused.
        current: S,
        /// The state that was to come on top.
        pushed: S,
        /// How many states can be paused at a time.
        most: usize,
    },
    /// There is no paused state to go back to.
    NothingPaused {
        /// The state that was to end.
        current: S,
    },
}

impl<S: State> fmt::Display for TransitionError<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAllowed { from, to } => {
                write!(f, "`{to:?}` may not follow `{from:?}`: ")?;
                let mut allowed = S::TRANSITIONS.iter().filter(|(state, _)| state == from).map(|(_, next)| next);
                let Some(first) = allowed.next() else { return write!(f, "nothing may follow `{from:?}`") };
                write!(f, "allowed after `{from:?}` are `{first:?}`")?;
                allowed.try_for_each(|next| write!(f, ", `{next:?}`"))
            }
            Self::Full { current, pushed, most } => write!(
                f,
                "`{pushed:?}` can not come over `{current:?}`: the machine's room for paused states, which is {most}, \
                 is taken; change to it instead, or give the machine more room"
            ),
            Self::NothingPaused { current } => {
                write!(f, "`{current:?}` can not end: no state is paused beneath it; change to another one instead")
            }
        }
    }
}

impl<S: State> std::error::Error for TransitionError<S> {}
