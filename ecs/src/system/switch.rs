//! What switches a system or a function: between frames at once, and by command when the frame is over.

use std::any::TypeId;

use super::{FunctionId, SystemManager};
use crate::commands::CommandFailure;

/// A change to what works from now on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Switch {
    System { system: TypeId, name: &'static str, enabled: bool },
    Function { function: FunctionId, enabled: bool },
    Cancel { function: FunctionId },
}

impl Switch {
    /// What a command that asks for it is called.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::System { .. } => "switch a system",
            Self::Function { .. } => "switch a function",
            Self::Cancel { .. } => "cancel a function",
        }
    }
}

impl SystemManager {
    /// Whether there is what is to be switched. To cancel what is over already is no mistake.
    pub(crate) fn check_switch(&self, switch: Switch) -> Result<(), CommandFailure> {
        match switch {
            Switch::System { system, name, .. } if self.find(system).is_none() => {
                Err(CommandFailure::NoSuchSystem { system: name })
            }
            Switch::Function { function, .. } if self.function(function).is_none() => {
                Err(CommandFailure::NoSuchFunction { function: function.name })
            }
            _ => Ok(()),
        }
    }

    /// Carries out a change. Returns whether there was what was to be switched.
    pub(crate) fn switch(&mut self, switch: Switch) -> bool {
        match switch {
            Switch::System { system, enabled, .. } => self.set_enabled(system, enabled),
            Switch::Function { function, enabled } => self.set_function_enabled(function, enabled),
            Switch::Cancel { function } => self.cancel(function),
        }
    }
}
