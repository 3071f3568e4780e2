//! Settings of an engine.

#[cfg(feature = "parallel")]
use std::sync::Arc;
use std::time::Duration;

use super::Engine;
use crate::causal_trace::CausalTrace;
use crate::event::EventBuffer;
use crate::system::Stopwatch;
#[cfg(feature = "parallel")]
use crate::thread_pool::ThreadPool;

/// Settings of an engine; made by [`Engine::builder`].
#[derive(Clone, Copy, Debug, Default)]
pub struct EngineBuilder {
    site: u32,
    first_serial: u32,
    entities: usize,
    event_bytes: usize,
    threads: usize,
    rows_worth_a_thread: Option<usize>,
    rounds: Option<usize>,
    caused_events: Option<usize>,
    clock: Option<fn() -> Duration>,
    traced_frames: usize,
}

impl EngineBuilder {
    /// Tells the engine from all others with which it trades entities: the first half of the [`GlobalId`](crate::GlobalId)s that
    /// it assigns. 0 unless set.
    #[must_use]
    pub fn site(mut self, site: u32) -> Self {
        self.site = site;
        self
    }

    /// The serial of the first [`GlobalId`](crate::GlobalId) that the engine assigns: 0 unless set. An engine that goes on where
    /// an earlier one ended takes its [`Engine::next_serial`].
    #[must_use]
    pub fn first_serial(mut self, serial: u32) -> Self {
        self.first_serial = serial;
        self
    }

    /// Makes room for this many entities.
    #[must_use]
    pub fn entities(mut self, count: usize) -> Self {
        self.entities = count;
        self
    }

    /// Makes room for this many bytes of events that are sent from outside of the systems: 1 GiB at most. The buffers of systems
    /// grow to what they need and keep their memory.
    #[must_use]
    pub fn event_bytes(mut self, bytes: usize) -> Self {
        self.event_bytes = bytes;
        self
    }

    /// Lets the engine use this many threads: systems that do not conflict run side by side, and
    /// [`Query::par_for_each`](crate::Query::par_for_each) splits its work. With 0 or 1, and without the feature `parallel`,
    /// everything runs on the thread that calls. The result is the same, bit for bit, at any number.
    ///
    /// The thread that calls [`Engine::update`] is one of them; the others are named `ecs-1` and so on, help it, and sleep otherwise.
    /// There are 1,024 at most. Dropping the engine ends them and waits until they have ended. Where the platform has no threads a warning is logged and there
    /// are none.
    #[must_use]
    pub fn threads(mut self, count: usize) -> Self {
        self.threads = count;
        self
    }

    /// How many components a system must touch, and how many rows a divided walk must have, before it is worth waking a thread for:
    /// 1,024 unless set. What is smaller is left to one thread. Set it lower where there is much to do for each row.
    #[must_use]
    pub fn rows_worth_a_thread(mut self, rows: usize) -> Self {
        self.rows_worth_a_thread = Some(rows);
        self
    }

    /// Rounds that one dispatch may take before it is given up as endless: 64 unless set, 1 at least.
    #[must_use]
    pub fn dispatch_rounds(mut self, rounds: usize) -> Self {
        self.rounds = Some(rounds);
        self
    }

    /// Events that listeners may send in one dispatch before it is given up as endless: 16,777,216 unless set.
    #[must_use]
    pub fn dispatch_events(mut self, events: usize) -> Self {
        self.caused_events = Some(events);
        self
    }

    /// A clock with which the engine measures how long systems, their listeners and whole frames take: see
    /// [`SystemInfo`](crate::SystemInfo), [`EventCounters`](crate::EventCounters) and [`Engine::frame_times`]. Without one it
    /// measures nothing: it never reads the time of day by itself, and what the clock says reaches no system.
    #[must_use]
    pub fn clock(mut self, now: fn() -> Duration) -> Self {
        self.clock = Some(now);
        self
    }

    /// Notes for this many frames which event, system or command led to what, so that [`Engine::why`] and [`Engine::why_event`] can
    /// tell. It changes nothing of a run, takes time and memory for every event and command, and costs nothing if it is off.
    #[must_use]
    pub fn trace_causes(mut self, frames: usize) -> Self {
        self.traced_frames = frames;
        self
    }

    /// The engine.
    #[must_use]
    pub fn build(self) -> Engine {
        let mut engine = Engine::new();
        engine.world.global_ids.site = self.site;
        engine.world.global_ids.next = self.first_serial;
        engine.world.entities_mut().reserve_capacity(self.entities);
        if self.event_bytes > 0 {
            *engine.world.events.outside_buffer() = EventBuffer::with_capacity(self.event_bytes);
        }
        engine.executor.clock = Stopwatch(self.clock);
        engine.executor.causal_trace = (self.traced_frames > 0).then(|| Box::new(CausalTrace::new(self.traced_frames)));
        #[cfg(feature = "parallel")]
        if self.threads > 1 {
            match ThreadPool::start(self.threads, self.rows_worth_a_thread.unwrap_or(1024)) {
                Ok(thread_pool) => engine.thread_pool = Some(Arc::new(thread_pool)),
                Err(error) => {
                    tracing::warn!(target: "ecs::engine", %error, "no threads to be had, everything runs on one");
                }
            }
        }
        if let Some(rounds) = self.rounds {
            engine.executor.rounds = rounds.max(1);
        }
        if let Some(events) = self.caused_events {
            engine.executor.caused_events = events as u64;
        }
        engine
    }
}
