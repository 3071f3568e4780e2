//! The time of frames as the engine is told it, in whole nanoseconds, and the measured time of their parts.

use std::time::Duration;

/// The time of the frame; a parameter of systems and listeners. It comes from [`Engine::update`](crate::Engine::update), not
/// from a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Time {
    pub(crate) delta: Duration,
    pub(crate) elapsed: Duration,
    pub(crate) frame: u64,
}

impl Time {
    /// Time since the system last ran: the length of the frame, or more for a system with an interval. A listener gets the
    /// length of the frame.
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
}

/// Measured time of whole frames, returned by [`Engine::frame_times`](crate::Engine::frame_times).
///
/// On one thread, [`FrameTimes::total`] minus the [`run_time`](crate::system::SystemInfo::run_time) and
/// [`listen_time`](crate::system::SystemInfo::listen_time) of all systems is the time of the framework itself. Systems that run
/// side by side add up to more than the frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameTimes {
    /// Number of measured frames; zero unless the engine was built with a clock.
    pub frames: u64,
    /// Sum of their times.
    pub total: Duration,
}

/// Measured times of the methods of one system.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RunTimes {
    pub(crate) runs: u64,
    pub(crate) running: Duration,
    pub(crate) listening: Duration,
}

/// The clock of an engine, if it has one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stopwatch(pub(crate) Option<fn() -> Duration>);

/// The start of a measurement, if there is a clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Started(Option<(fn() -> Duration, Duration)>);

impl Stopwatch {
    pub(crate) fn start(self) -> Started {
        Started(self.0.map(|clock| (clock, clock())))
    }
}

impl Started {
    /// The time since the start; `None` without a clock.
    pub(crate) fn elapsed(self) -> Option<Duration> {
        self.0.map(|(clock, start)| clock().saturating_sub(start))
    }
}
