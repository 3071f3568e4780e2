//! Timed functions: plain functions that run at an interval or once after a delay.

use std::time::Duration;

use super::Engine;
use crate::commands::Switch;
use crate::error::{Error, SetupError};
use crate::ids::FunctionId;
use crate::system::{Function, MethodOutput, RepeatableFunction, Timer, Timing, once, repeated};

/// Timed functions.
///
/// A function may return a `Result<(), E>`. Its errors are reported as those of methods: see
/// [`Engine::system_errors`](crate::Engine::system_errors).
impl Engine {
    /// Runs `function` once in every `interval` from now on, in the update phase; zero is every frame. A frame that
    /// spans several intervals is handled as by [`Setup::every`](crate::Setup::every). A function can be added more
    /// than once.
    ///
    /// # Errors
    /// - [`SetupError::Conflict`] if two parameters access the same data and one of them writes.
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::{Commands, Engine, Query};
    /// struct Sprout;
    ///
    /// fn sow(mut commands: Commands) {
    ///     commands.spawn((Sprout,));
    /// }
    ///
    /// let mut engine = Engine::new();
    /// let sowing = engine.every(Duration::from_millis(500), sow)?;
    /// engine.after(Duration::from_secs(3), |sprouts: Query<&Sprout>| assert_eq!(sprouts.count(), 5))?;
    /// for _ in 0..30 {
    ///     engine.update(Duration::from_millis(100))?;
    /// }
    /// assert!(engine.cancel(sowing));
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn every<M: 'static, F: RepeatableFunction<M>>(
        &mut self,
        interval: Duration,
        function: F,
    ) -> Result<FunctionId, Error> {
        let node = repeated(function, Timing::every(interval), &mut self.world)?;
        Ok(self.systems.add_function(node, &mut self.world))
    }

    /// Runs `function` once, in the update phase of the first frame that ends `delay` or more from now. It is dropped
    /// after that frame.
    ///
    /// # Errors
    /// As [`Engine::every`].
    ///
    /// # Example
    /// See [`Engine::every`].
    pub fn after<M: 'static, F>(&mut self, delay: Duration, function: F) -> Result<FunctionId, Error>
    where
        F: Function<M, Output: MethodOutput> + Send + 'static,
    {
        let node = once(function, Timing::new(Timer::once_after(delay)), &mut self.world)?;
        Ok(self.systems.add_function(node, &mut self.world))
    }

    /// Cancels and drops a function; returns whether it would have run again.
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// let mut engine = Engine::new();
    /// engine.insert_resource(0_u32);
    /// let counting = engine.every(Duration::ZERO, |mut count: ResMut<u32>| *count += 1)?;
    /// engine.update(Duration::ZERO)?;
    /// assert!(engine.cancel(counting));
    /// engine.update(Duration::ZERO)?;
    /// assert_eq!(*engine.resource::<u32>().unwrap(), 1);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn cancel(&mut self, function: FunctionId) -> bool {
        self.executor.cancel(function, &mut self.systems, &mut self.world)
    }

    /// Enables a function.
    ///
    /// # Errors
    /// - [`SetupError::NoSuchFunction`] if it was cancelled or has run for the last time.
    ///
    /// # Example
    /// See [`Engine::disable_function`].
    pub fn enable_function(&mut self, function: FunctionId) -> Result<(), Error> {
        self.switch_function(function, true)
    }

    /// Disables a function: it does not run, its timer stops, and it receives no events.
    ///
    /// # Errors
    /// As [`Engine::enable_function`].
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// let mut engine = Engine::new();
    /// engine.insert_resource(0_u32);
    /// let counting = engine.every(Duration::ZERO, |mut count: ResMut<u32>| *count += 1)?;
    /// engine.disable_function(counting)?;
    /// engine.update(Duration::ZERO)?;
    /// engine.enable_function(counting)?;
    /// engine.update(Duration::ZERO)?;
    /// assert_eq!(*engine.resource::<u32>().unwrap(), 1);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn disable_function(&mut self, function: FunctionId) -> Result<(), Error> {
        self.switch_function(function, false)
    }

    fn switch_function(&mut self, function: FunctionId, enabled: bool) -> Result<(), Error> {
        match self.systems.switch(Switch::Function { function, enabled }) {
            true => Ok(()),
            false => Err(SetupError::NoSuchFunction { function: function.name() }.into()),
        }
    }
}
