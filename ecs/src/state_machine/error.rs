//! [`TransitionError`].

use std::fmt;

use super::State;

/// Why a transition was refused. The machine has not changed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum TransitionError<S> {
    /// The transition is not in the table.
    NotAllowed {
        /// The current state.
        from: S,
        /// The requested state.
        to: S,
    },
    /// The machine has no room for another paused state.
    Full {
        /// The current state.
        current: S,
        /// The requested state.
        pushed: S,
        /// The greatest number of paused states.
        most: usize,
    },
    /// There is no paused state to resume.
    NothingPaused {
        /// The current state.
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
                "`{pushed:?}` cannot come over `{current:?}`: the machine's room for paused states, which is {most}, \
                 is taken; change to it instead, or give the machine more room"
            ),
            Self::NothingPaused { current } => {
                write!(f, "`{current:?}` cannot end: no state is paused beneath it; change to another one instead")
            }
        }
    }
}

crate::sentence::impl_error!(TransitionError<S>, S: State);
