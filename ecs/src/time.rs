//! The time of frames as the engine is told it, in whole nanoseconds, and the measured time of their parts.

mod step_clock;

use std::marker::PhantomPinned;
use std::time::Duration;

pub use self::step_clock::StepClock;

/// The time of the frame; a parameter of systems and listeners. It comes from
/// [`Engine::update`](crate::Engine::update), not from a clock.
///
/// It cannot be an event, so a function that takes it by reference, and would listen for it, does not compile:
///
/// ```compile_fail
/// ecs::Engine::new().add(|time: &ecs::Time| println!("{}", time.frame()))?;
/// # Ok::<(), ecs::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Time {
    pub(crate) delta: Duration,
    pub(crate) elapsed: Duration,
    pub(crate) frame: u64,
    pub(crate) overstep_fraction: f32,
    /// Keeps it from being `Unpin`, as events must be.
    pub(crate) is_no_event: PhantomPinned,
}

impl Time {
    /// Time since the system last ran: the length of the frame, or more for a system with an interval. A listener gets
    /// the length of the frame.
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// # let mut engine = Engine::new();
    /// engine.every(Duration::ZERO, |time: Time| {
    ///     assert_eq!((time.delta(), time.delta_seconds()), (Duration::from_millis(500), 0.5));
    ///     assert_eq!(time.elapsed(), time.delta() * time.frame() as u32);
    /// })?;
    /// for _ in 0..3 {
    ///     engine.update(Duration::from_millis(500))?;
    /// }
    /// # Ok::<(), ecs::Error>(())
    /// ```
    #[must_use]
    pub fn delta(self) -> Duration {
        self.delta
    }

    /// [`Time::delta`] in seconds.
    ///
    /// # Example
    /// See [`Time::delta`].
    #[must_use]
    pub fn delta_seconds(self) -> f32 {
        self.delta.as_secs_f32()
    }

    /// Sum of the lengths of all frames, this one included.
    ///
    /// # Example
    /// See [`Time::delta`].
    #[must_use]
    pub fn elapsed(self) -> Duration {
        self.elapsed
    }

    /// Number of the frame, from 1; 0 before the first.
    ///
    /// # Example
    /// See [`Time::delta`].
    #[must_use]
    pub fn frame(self) -> u64 {
        self.frame
    }

    /// In the [presentation](crate::Engine::presentation): the time since the last step as a fraction of a step, for
    /// drawing between the last two steps. In a step it is 0, so that a simulation cannot tell the frame rate.
    ///
    /// # Example
    /// See [`Engine::presentation`](crate::Engine::presentation).
    #[must_use]
    pub fn overstep_fraction(self) -> f32 {
        self.overstep_fraction
    }
}

/// Measured time of whole frames, returned by [`Engine::frame_times`](crate::Engine::frame_times).
///
/// On one thread, [`FrameTimes::total`] minus the [`run_time`](crate::system::SystemInfo::run_time) and
/// [`listen_time`](crate::system::SystemInfo::listen_time) of all systems is the time of the framework itself. Systems
/// that run side by side add up to more than the frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameTimes {
    /// Number of measured frames; zero unless the engine was built with a clock or a counter of allocations.
    pub frames: u64,
    /// Sum of their times.
    pub total: Duration,
}

/// What was measured of the methods of one system.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RunTimes {
    pub(crate) runs: u64,
    pub(crate) running: Duration,
    pub(crate) listening: Duration,
    pub(crate) allocations: u64,
}

/// What an engine measures with: the functions that it was given.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Meters {
    pub(crate) clock: Option<fn() -> Duration>,
    pub(crate) allocations: Option<fn() -> u64>,
}

/// The start of a measurement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Started {
    meters: Meters,
    at: Measured,
}

/// Readings of the meters, zero where there is none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measured {
    pub(crate) time: Duration,
    pub(crate) allocations: u64,
}

impl Meters {
    /// Whether anything is measured.
    pub(crate) fn is_some(self) -> bool {
        self.clock.is_some() || self.allocations.is_some()
    }

    pub(crate) fn start(self) -> Started {
        Started { meters: self, at: self.read() }
    }

    fn read(self) -> Measured {
        Measured {
            time: self.clock.map_or(Duration::ZERO, |clock| clock()),
            allocations: self.allocations.map_or(0, |count| count()),
        }
    }
}

impl Started {
    /// What was measured since the start; `None` without meters.
    pub(crate) fn end(self) -> Option<Measured> {
        let Self { meters, at } = self;
        meters.is_some().then(|| {
            let now = meters.read();
            Measured {
                time: now.time.saturating_sub(at.time),
                allocations: now.allocations.saturating_sub(at.allocations),
            }
        })
    }
}
