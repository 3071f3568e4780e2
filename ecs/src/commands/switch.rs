//! Enabling and disabling systems and plain functions.

use std::any::TypeId;

use super::{Command, Commands};
use crate::ids::FunctionId;

/// A system or a function to enable, disable or cancel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Switch {
    System {
        system: TypeId,
        name: &'static str,
        enabled: bool,
    },
    Function {
        function: FunctionId,
        enabled: bool,
    },
    Cancel {
        function: FunctionId,
    },
    /// The function that recorded the command.
    CancelSelf,
    Remove {
        system: TypeId,
        name: &'static str,
    },
}

impl Switch {
    /// The name of the command.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::System { .. } => "switch a system",
            Self::Function { .. } => "switch a function",
            Self::Cancel { .. } | Self::CancelSelf => "cancel a function",
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

    /// Cancels the function that records this: it does not run or listen from the next frame on. So a function that a
    /// command added can end itself. A system that records it is removed, as by [`Commands::remove_system`].
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// fn count_down(mut left: ResMut<u32>, mut commands: Commands) {
    ///     *left -= 1;
    ///     if *left == 0 {
    ///         commands.cancel_self();
    ///     }
    /// }
    ///
    /// # let mut engine = Engine::new();
    /// engine.insert_resource(3_u32);
    /// engine.run(|mut commands: Commands| commands.every(Duration::ZERO, count_down))?;
    /// for _ in 0..10 {
    ///     engine.update(Duration::ZERO)?;
    /// }
    /// assert_eq!(*engine.resource::<u32>().unwrap(), 0);
    /// assert!(engine.systems().is_empty());
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn cancel_self(&mut self) {
        self.switch(Switch::CancelSelf);
    }

    pub(crate) fn switch(&mut self, switch: Switch) {
        self.push(Command::Switch(switch));
    }
}
