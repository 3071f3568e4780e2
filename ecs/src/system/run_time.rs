//! How long the parts of a frame take, by the clock that the engine was given. Without one nothing is measured.

use std::time::Duration;

/// How long frames took as a whole; told by [`Engine::frame_times`](crate::Engine::frame_times).
///
/// What is left of [`FrameTimes::total`] without the [`run_time`](crate::system::SystemInfo::run_time) and the
/// [`listen_time`](crate::system::SystemInfo::listen_time) of all systems is the framework's own share, as long as everything runs on
/// one thread; systems that run side by side add up to more than the frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameTimes {
    /// Frames that were measured; zero unless the engine was built with a clock.
    pub frames: u64,
    /// Sum of the time that they took.
    pub total: Duration,
}

/// How long the methods of one system took.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RunTimes {
    pub(crate) runs: u64,
    pub(crate) running: Duration,
    pub(crate) listening: Duration,
}

/// The clock of an engine, if it has one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stopwatch(pub(crate) Option<fn() -> Duration>);

/// When a measurement began, if there is a clock to read.
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
