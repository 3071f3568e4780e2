//! Sets with a fixed step: their systems run as often as whole steps fit into the time.

#[cfg(feature = "serde")]
use std::any::Any;
use std::marker::PhantomData;
use std::time::Duration;

use super::timer::MOST_RUNS;
use crate::error::SnapshotError;
use crate::type_map::short_name;
use crate::types::TypeRegistry;
use crate::world::World;

/// What a set with a fixed step does with the steps above its [limit](super::SetSetup::most_steps).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backlog {
    /// It drops them: the simulation is slower than the clock while frames are long.
    Drop,
    /// It keeps them for the next frames.
    Keep,
}

/// The clock of the set `Set`, which has a [fixed step](super::SetSetup::fixed_step): a resource of the engine.
#[derive(Debug)]
pub struct FixedStep<Set> {
    pub(super) clock: StepClock,
    set: PhantomData<fn() -> Set>,
}

impl<Set> FixedStep<Set> {
    pub(super) fn new(clock: StepClock) -> Self {
        Self { clock, set: PhantomData }
    }
}

impl<Set> std::ops::Deref for FixedStep<Set> {
    type Target = StepClock;

    fn deref(&self) -> &StepClock {
        &self.clock
    }
}

// By hand, because `Set` need not be `Clone`.
impl<Set> Clone for FixedStep<Set> {
    fn clone(&self) -> Self {
        Self::new(self.clock)
    }
}

/// Only the time that waits is state; the step is a setting of the set.
#[cfg(feature = "serde")]
impl<Set> serde::Serialize for FixedStep<Set> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.clock.waited.serialize(serializer)
    }
}

#[cfg(feature = "serde")]
impl<'de, Set> serde::Deserialize<'de> for FixedStep<Set> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let waited = Duration::deserialize(deserializer)?;
        Ok(Self::new(StepClock { step: Duration::ZERO, waited }))
    }
}

/// Turns times of uneven frames into steps of equal length: the clock of a set with a [fixed step](super::SetSetup::fixed_step), and of
/// programs that take the steps of an engine themselves. It counts whole nanoseconds, so that nothing drifts.
///
/// ```
/// use ecs::system::{Backlog, StepClock};
/// use std::time::Duration;
///
/// let mut clock = StepClock::new(Duration::from_millis(10));
/// assert_eq!(clock.advance(Duration::from_millis(25), None), 2);
/// assert_eq!(clock.overstep_fraction(), 0.5);
/// // A long frame: the steps beyond the limit are dropped.
/// assert_eq!(clock.advance(Duration::from_secs(1), Some((8, Backlog::Drop))), 8);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepClock {
    step: Duration,
    waited: Duration,
}

/// The settings of a set with a fixed step, and how many steps are due in this frame.
pub(crate) struct Steps {
    pub(super) step: Duration,
    pub(super) most: Option<(u32, Backlog)>,
    pub(super) due: u64,
    /// The clock of the set, whose type only this function and the next know.
    clock: fn(&mut World) -> &mut StepClock,
    /// The clock in a copy of a resource, if that is the clock of the set.
    #[cfg(feature = "serde")]
    copied_clock: fn(&dyn Any) -> Option<StepClock>,
}

impl Steps {
    pub(super) fn of<Set: 'static>(step: Duration, most: Option<(u32, Backlog)>) -> Self {
        Self {
            step,
            most,
            due: 0,
            clock: clock_of::<Set>,
            #[cfg(feature = "serde")]
            copied_clock: |copy| Some(copy.downcast_ref::<Option<FixedStep<Set>>>()?.as_ref()?.clock),
        }
    }

    /// The steps of the next frame, if `copy` is a copy of the set's clock.
    #[cfg(feature = "serde")]
    pub(super) fn due_in_copy(&self, copy: &dyn Any) -> Option<u64> {
        (self.copied_clock)(copy).map(|clock| StepClock { step: self.step, ..clock }.advance(Duration::ZERO, self.most))
    }

    /// Makes sure that there is a clock.
    pub(super) fn prepare(&self, world: &mut World) {
        (self.clock)(world).step = self.step;
    }

    /// Advances the clock by `delta`, or not at all if the conditions of the set do not hold.
    ///
    /// # Errors
    /// The number of steps if there would be more than [`MOST_RUNS`]: the clock stands still.
    pub(super) fn tick(&mut self, delta: Duration, holds: bool, world: &mut World) -> Result<(), u128> {
        self.due = 0;
        if !holds {
            return Ok(());
        }
        let clock = (self.clock)(world);
        let mut advanced = StepClock { step: self.step, ..*clock };
        let due = advanced.advance(delta, self.most);
        if u128::from(due) > MOST_RUNS {
            return Err(due.into());
        }
        (*clock, self.due) = (advanced, due);
        Ok(())
    }

    /// Gives back the steps that were due and did not run.
    pub(super) fn defer(&mut self, world: &mut World) {
        let due = u32::try_from(std::mem::take(&mut self.due)).unwrap_or(u32::MAX);
        let clock = (self.clock)(world);
        clock.waited = clock.waited.saturating_add(self.step.saturating_mul(due));
    }
}

impl StepClock {
    /// A clock for steps of this length.
    #[must_use]
    pub fn new(step: Duration) -> Self {
        Self { step, waited: Duration::ZERO }
    }

    /// Adds the time of a frame; returns how many steps are due, at most as many as `most` allows. A clock whose steps have no length has none.
    pub fn advance(&mut self, delta: Duration, most: Option<(u32, Backlog)>) -> u64 {
        self.waited = self.waited.saturating_add(delta);
        if self.step.is_zero() {
            return 0;
        }
        let steps = self.waited.as_nanos() / self.step.as_nanos();
        match most {
            Some((most, Backlog::Keep)) if steps > u128::from(most) => {
                self.waited -= self.step * most;
                return u64::from(most);
            }
            _ => {}
        }
        let rest = self.waited.as_nanos() % self.step.as_nanos();
        self.waited = Duration::new((rest / 1_000_000_000) as u64, (rest % 1_000_000_000) as u32);
        let most = most.map_or(u64::MAX, |(most, _)| u64::from(most));
        u64::try_from(steps).unwrap_or(u64::MAX).min(most)
    }

    /// The length of a step.
    #[must_use]
    pub fn step(&self) -> Duration {
        self.step
    }

    /// The time that has passed since the last step: less than a step, unless a [`Backlog`] is kept.
    #[must_use]
    pub fn overstep(&self) -> Duration {
        self.waited
    }

    /// [`StepClock::overstep`] as a fraction of a step, for drawing between the last two steps.
    #[must_use]
    pub fn overstep_fraction(&self) -> f32 {
        match self.step.is_zero() {
            true => 0.0,
            false => self.waited.as_secs_f32() / self.step.as_secs_f32(),
        }
    }
}

/// The clock of a set. It is inserted if it is missing, for example in a save from before the set had a step.
fn clock_of<Set: 'static>(world: &mut World) -> &mut StepClock {
    if world.resources.slot::<FixedStep<Set>>().is_none() {
        world.resources.replace(Some(FixedStep::<Set>::new(StepClock::default())));
    }
    &mut world.resources.slot::<FixedStep<Set>>().as_mut().expect("it was just inserted").clock
}

impl TypeRegistry {
    /// Registers the clock of a set, unless the application has done so.
    pub(super) fn add_fixed_step<Set: 'static>(&mut self) -> Result<(), SnapshotError> {
        if self.resources.of(std::any::TypeId::of::<FixedStep<Set>>()).is_some() {
            return Ok(());
        }
        let name = format!("ecs fixed step {}", short_name::<Set>());
        self.resource_by::<FixedStep<Set>>(&name, |fixed, hash| _ = hash.add(&fixed.clock.waited))?;
        #[cfg(feature = "serde")]
        self.save_with_text::<FixedStep<Set>>(1)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Whole numbers do the same.
        #[test]
        fn steps_are_those_that_fit(
            step in 1_u64..50,
            most in prop::option::of((0_u32..4, prop::sample::select(vec![Backlog::Drop, Backlog::Keep]))),
            deltas in prop::collection::vec(0_u64..200, 1..100),
        ) {
            let mut clock = StepClock::new(Duration::from_nanos(step));
            let mut waited = 0;
            for delta in deltas {
                waited += delta;
                let fits = waited / step;
                let (runs, left) = match most {
                    Some((most, _)) if fits <= u64::from(most) => (fits, waited % step),
                    Some((most, Backlog::Drop)) => (u64::from(most), waited % step),
                    Some((most, Backlog::Keep)) => (u64::from(most), waited - u64::from(most) * step),
                    None => (fits, waited % step),
                };
                waited = left;
                prop_assert_eq!(clock.advance(Duration::from_nanos(delta), most), runs);
                prop_assert_eq!(clock.waited, Duration::from_nanos(waited));
            }
        }
    }
}
