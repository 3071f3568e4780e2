//! [`GroupError`].

use std::fmt;

/// Why pools cannot be grouped.
#[derive(Clone, PartialEq, Eq)]
pub enum GroupError {
    /// Two groups share a pool and neither contains the other, so the pool cannot have the order of both.
    Conflict {
        /// The new group.
        group: String,
        /// The group that was declared before.
        declared: String,
        /// Name of a component that both would own.
        component: &'static str,
    },
    /// The components are refused: one of the types is not a component, or is listed twice.
    Refused {
        /// What is wrong and how to fix it.
        reason: String,
    },
    /// Fewer than two component types. A single pool needs no group.
    TooSmall {
        /// The new group.
        group: String,
    },
}

impl fmt::Display for GroupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Conflict { group, declared, component } => write!(
                f,
                "group {group} cannot own {component}: group {declared} owns it, and neither group contains the other; remove one of \
                 them, or leave {component} out of one, whose queries then look it up"
            ),
            Self::Refused { reason } => f.write_str(reason),
            Self::TooSmall { group } => {
                write!(f, "group {group} does not name two components: a single pool needs no group")
            }
        }
    }
}

crate::sentence::impl_error!(GroupError);
