//! Plain functions that run by themselves: every so often, or once after a while.

use std::time::Duration;

use super::Engine;
use crate::error::Error;
use crate::system::{Function, FunctionId, Once, RepeatableFunction, Repeated, Setup, SetupError, Switch, Timing};
use crate::type_map::short_name;

/// Functions that run by themselves.
impl Engine {
    /// Runs `function` once in every `interval` from now on, in the update phase; zero is every frame. What
    /// [`Setup::every`](crate::Setup::every) says of systems holds for functions as well.
    ///
    /// Any number of functions can be added, one function also more than once. The work order is worked out anew when the
    /// next frame begins.
    ///
    /// # Errors
    /// - [`SetupError::Conflict`] if two of its parameters want the same thing.
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
        self.add_function(Timing::every(interval), function)
    }

    /// Runs `function` once, in the first frame that ends `delay` or more from now, in the update phase. It is dropped when
    /// that frame is over.
    ///
    /// # Errors
    /// As [`Engine::every`].
    pub fn after<M: 'static, F>(&mut self, delay: Duration, function: F) -> Result<FunctionId, Error>
    where
        F: Function<M, Output = ()> + Send + 'static,
    {
        let (state, timing) = (Once(Some(function)), Timing::once_after(delay));
        let node = Setup::of_function::<F::Params, M>(state, short_name::<F>(), timing, &mut self.world)?;
        Ok(self.systems.add_function(node))
    }

    /// Runs `function` as `timing` says, which also knows of long frames and of the place in the work order.
    ///
    /// # Errors
    /// As [`Engine::every`]; and when the next frame begins, those of [`Engine::order`].
    pub fn add_function<M: 'static, F: RepeatableFunction<M>>(
        &mut self,
        timing: Timing,
        function: F,
    ) -> Result<FunctionId, Error> {
        let node = Setup::of_function::<F::Params, M>(Repeated(function), short_name::<F>(), timing, &mut self.world)?;
        Ok(self.systems.add_function(node))
    }

    /// Cancels a function: it never runs again and is dropped. Returns whether it was still to run.
    pub fn cancel(&mut self, function: FunctionId) -> bool {
        let was_there = self.systems.switch(Switch::Cancel { function });
        self.executor.forget_functions(&mut self.systems, &mut self.world);
        was_there
    }

    /// Enables a function.
    ///
    /// # Errors
    /// - [`SetupError::NoSuchFunction`] if it is over.
    pub fn enable_function(&mut self, function: FunctionId) -> Result<(), Error> {
        self.switch_function(function, true)
    }

    /// Disables a function: it does not run, and its time stands still.
    ///
    /// # Errors
    /// - [`SetupError::NoSuchFunction`] if it is over.
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
