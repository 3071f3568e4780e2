//! Enabling and disabling systems and plain functions.

use std::any::TypeId;

use super::{Command, Commands};
use crate::system::FunctionId;

/// A system or a function to enable, disable or cancel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Switch {
    System { system: TypeId, name: &'static str, enabled: bool },
    Function { function: FunctionId, enabled: bool },
    Cancel { function: FunctionId },
    Remove { system: TypeId, name: &'static str },
}

impl Switch {
    /// The name of the command.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::System { .. } => "switch a system",
            Self::Function { .. } => "switch a function",
            Self::Cancel { .. } => "cancel a function",
            Self::Remove { .. } => "remove a system",
        }
    }
}

impl Commands<'_> {
    /// Enables a function that the engine runs by itself, from the next frame on.
    ///
    /// # Example
    /// See [`Engine::enable_function`](crate::Engine::enable_function).
    pub fn enable_function(&mut self, function: FunctionId) {
        self.switch(Switch::Function { function, enabled: true });
    }

    /// Disables a function that the engine runs by itself, from the next frame on; its time stands still.
    ///
    /// # Example
    /// See [`Engine::disable_function`](crate::Engine::disable_function).
    pub fn disable_function(&mut self, function: FunctionId) {
        self.switch(Switch::Function { function, enabled: false });
    }

    /// Cancels a function: it does not run from the next frame on. If it has already ended, nothing happens.
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// let mut engine = Engine::new();
    /// engine.insert_resource(0_u32);
    /// let counting = engine.every(Duration::ZERO, |mut count: ResMut<u32>| *count += 1)?;
    /// engine.after(Duration::ZERO, move |mut commands: Commands| commands.cancel(counting))?;
    /// engine.update(Duration::ZERO)?; // Takes effect at the end of the frame.
    /// engine.update(Duration::ZERO)?;
    /// assert_eq!(*engine.resource::<u32>().unwrap(), 1);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn cancel(&mut self, function: FunctionId) {
        self.switch(Switch::Cancel { function });
    }

    pub(crate) fn switch(&mut self, switch: Switch) {
        self.push(Command::Switch(switch));
    }
}
