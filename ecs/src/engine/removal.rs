//! Removing systems at run time.

use super::Engine;
use crate::error::Error;
use crate::system::System;

/// Removing systems.
impl Engine {
    /// Removes the system `S` and returns its state. Its listeners get none of the events that wait; the events that it
    /// sent are still delivered.
    ///
    /// A snapshot that was taken with the system brings it back if its type is registered
    /// ([`TypeRegistry::system`](crate::snapshot::TypeRegistry::system)); otherwise add it again first.
    ///
    /// # Errors
    /// Nothing is changed then.
    /// - [`SetupError::NotAdded`](crate::system::SetupError::NotAdded)
    /// - [`SetupError::Needed`](crate::system::SetupError::Needed) if another system is declared to run after or before
    ///   it.
    /// - [`SetupError::CommandsWait`](crate::system::SetupError::CommandsWait) if commands of `S` wait, because a panic
    ///   ended the last frame.
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::{Engine, Setup, System};
    /// struct Tutorial { frames: u32 }
    ///
    /// impl System for Tutorial {
    ///     fn setup(setup: &mut Setup<Self>) {
    ///         setup.update(|tutorial: &mut Self| tutorial.frames += 1);
    ///     }
    /// }
    ///
    /// let mut engine = Engine::new();
    /// engine.add(Tutorial { frames: 0 })?;
    /// engine.update(Duration::ZERO)?;
    /// let tutorial = engine.remove_system::<Tutorial>()?;
    /// engine.update(Duration::ZERO)?;
    /// assert_eq!(tutorial.frames, 1);
    /// engine.add(tutorial)?; // another time
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn remove_system<S: System>(&mut self) -> Result<S, Error> {
        let Self { world, systems, executor, .. } = self;
        let node = executor.remove_system::<S>(systems, world)?;
        Ok(*node.work.into_state().downcast().expect("systems are found by the type of their state"))
    }
}
