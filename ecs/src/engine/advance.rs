//! Steps of one length at any frame rate.

use std::time::Duration;

use super::Engine;
use crate::error::Error;
use crate::time::StepClock;

/// What [`Engine::advance`] did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advanced {
    /// The number of steps.
    pub steps: u32,
    /// The time that was dropped, because the frame was late: see [`StepClock::most_steps`]. Usually zero.
    pub dropped: Duration,
    /// The time since the last step as a fraction of a step, for drawing between the last two steps.
    pub overstep_fraction: f32,
}

impl Engine {
    /// Takes the steps that are due when a frame of `elapsed` ends: each is one [`Engine::update`] by the length of a
    /// step, with its dispatches, commands and lifecycle events. So a simulation cannot tell the frame rate. Then it
    /// runs the [presentation](Engine::presentation), once.
    ///
    /// `before_step` is called before each step, to send its inputs. Events that were sent before this call are
    /// delivered in the next step, even if that comes frames later, and in one step only.
    ///
    /// # Errors
    /// - The first error of [`Engine::update`]. The steps behind it are not taken; they stay due, and nothing is
    ///   presented.
    /// - As [`Engine::present`]; the steps were taken.
    ///
    /// # Example
    /// ```
    /// use std::time::Duration;
    /// use ecs::prelude::*;
    ///
    /// #[derive(Clone, Copy)]
    /// struct Pressed(char);
    ///
    /// struct Typist(String);
    /// impl System for Typist {
    ///     fn setup(setup: &mut Setup<Self>) {
    ///         setup.listen(|typist: &mut Self, pressed: &Pressed| typist.0.push(pressed.0));
    ///         setup.update(|typist: &mut Self| typist.0.push('.'));
    ///     }
    /// }
    ///
    /// const MS: Duration = Duration::from_millis(1);
    /// let mut engine = Engine::new();
    /// engine.add(Typist(String::new()))?;
    /// let mut clock = StepClock::new(10 * MS);
    /// for (elapsed, key) in [(4 * MS, 'a'), (4 * MS, 'b'), (27 * MS, 'c'), (1 * MS, 'd'), (4 * MS, 'e')] {
    ///     engine.send(Pressed(key));
    ///     engine.advance(&mut clock, elapsed, |_| {})?;
    /// }
    /// assert_eq!(engine.system::<Typist>().unwrap().0, "abc...de.");
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn advance(
        &mut self,
        clock: &mut StepClock,
        elapsed: Duration,
        mut before_step: impl FnMut(&mut Self),
    ) -> Result<Advanced, Error> {
        self.take_steps(clock, elapsed, |engine, step| {
            before_step(engine);
            Some(engine.update(step))
        })
    }

    /// As [`Engine::advance`], with steps that `run` runs; if it returns `None`, the clock stands still.
    pub(crate) fn take_steps(
        &mut self,
        clock: &mut StepClock,
        elapsed: Duration,
        mut run: impl FnMut(&mut Self, Duration) -> Option<Result<(), Error>>,
    ) -> Result<Advanced, Error> {
        let dropped = clock.advance(elapsed);
        if !dropped.is_zero() {
            tracing::warn!(target: "ecs::engine", ?dropped, "a late frame dropped time");
        }
        let mut steps = 0;
        while clock.take_step() {
            let Some(outcome) = run(self, clock.step()) else {
                clock.halt();
                break;
            };
            outcome?;
            steps += 1;
        }
        let overstep_fraction = clock.overstep_fraction();
        self.present(elapsed, overstep_fraction)?;
        Ok(Advanced { steps, dropped, overstep_fraction })
    }
}
