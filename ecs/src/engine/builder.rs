//! Settings of an engine.

use std::sync::Arc;
use std::time::Duration;

use super::Engine;
use crate::causal_trace::CausalTrace;
use crate::event::EventBuffer;
use crate::limits::Limits;
use crate::system::ErrorPolicy;
use crate::thread_pool::ThreadPool;
use crate::time::Meters;

/// Settings of an engine; made by [`Engine::builder`].
#[derive(Clone, Copy, Debug, Default)]
pub struct EngineBuilder {
    site: u32,
    first_serial: u32,
    entities: usize,
    event_bytes: usize,
    threads: usize,
    parallel_threshold: Option<usize>,
    seed: u64,
    rounds: Option<usize>,
    caused_events: Option<usize>,
    meters: Meters,
    traced_frames: usize,
    error_policy: ErrorPolicy,
    limits: Limits,
}

impl EngineBuilder {
    /// Identifies the engine among all that exchange entities: the high half of the
    /// [`GlobalId`](crate::entity::GlobalId)s that it assigns. Default: 0.
    #[must_use]
    pub fn site(mut self, site: u32) -> Self {
        self.site = site;
        self
    }

    /// The serial of the first [`GlobalId`](crate::entity::GlobalId) that the engine assigns. An engine that continues
    /// an earlier one starts with its [`next_serial`](crate::World::next_serial). Default: 0.
    #[must_use]
    pub fn first_serial(mut self, serial: u32) -> Self {
        self.first_serial = serial;
        self
    }

    /// The seed of all random numbers that systems draw by [`Random`](crate::Random). Default: 0.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Reserves memory for this many entities.
    #[must_use]
    pub fn entities(mut self, count: usize) -> Self {
        self.entities = count;
        self
    }

    /// Reserves this many bytes, at most 1 GiB, for events that are sent from outside of the systems. The buffers of
    /// systems grow as needed and keep their memory.
    #[must_use]
    pub fn event_bytes(mut self, bytes: usize) -> Self {
        self.event_bytes = bytes;
        self
    }

    /// Number of threads, at most 1,024: systems that do not conflict run in parallel, and
    /// [`Query::par_for_each`](crate::Query::par_for_each) splits its work. The result is the same, bit for bit, at any
    /// number. With 0 or 1, and without the feature `parallel`, everything runs on the calling thread. Default: 0.
    ///
    /// The thread that calls [`Engine::update`] counts as one; the workers are named `ecs-1` and so on, and sleep
    /// between frames. Dropping the engine joins them. On a platform without threads a warning is logged and the
    /// calling thread does all work.
    #[must_use]
    pub fn threads(mut self, count: usize) -> Self {
        self.threads = count;
        self
    }

    /// Smallest number of rows that is worth a second thread: systems and parallel iterations with fewer rows run on
    /// one thread, as listeners with fewer events do. Lower it if the work for each row is large. Default: 1,024.
    #[must_use]
    pub fn parallel_threshold(mut self, rows: usize) -> Self {
        self.parallel_threshold = Some(rows);
        self
    }

    /// Number of rounds after which a dispatch fails with [`Error::Cascade`](crate::Error::Cascade), at least 1.
    /// Default: 64.
    #[must_use]
    pub fn dispatch_rounds(mut self, rounds: usize) -> Self {
        self.rounds = Some(rounds);
        self
    }

    /// Number of events from listeners after which a dispatch fails with [`Error::Cascade`](crate::Error::Cascade).
    /// Default: 16,777,216.
    #[must_use]
    pub fn dispatch_events(mut self, events: usize) -> Self {
        self.caused_events = Some(events);
        self
    }

    /// A clock for measuring systems, listeners and frames: see [`SystemInfo`](crate::system::SystemInfo),
    /// [`EventCounters`](crate::event::EventCounters) and [`Engine::frame_times`]. Without one nothing is measured.
    /// Systems cannot read it.
    #[must_use]
    pub fn clock(mut self, now: fn() -> Duration) -> Self {
        self.meters.clock = Some(now);
        self
    }

    /// Returns how often the calling thread has allocated so far, to measure the
    /// [`allocations`](crate::system::SystemInfo::allocations) of systems. The program's global allocator counts; the
    /// package `lockstep_ecs_studio` has one that does.
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::{Engine, Setup, System};
    /// # use std::cell::Cell;
    /// // In a program the global allocator counts; here the system does.
    /// thread_local! { static ALLOCATIONS: Cell<u64> = const { Cell::new(0) } }
    ///
    /// struct Collector;
    ///
    /// impl System for Collector {
    ///     fn setup(setup: &mut Setup<Self>) {
    ///         setup.update(|_: &mut Self| ALLOCATIONS.set(ALLOCATIONS.get() + 3));
    ///     }
    /// }
    ///
    /// let mut engine = Engine::builder().count_allocations(|| ALLOCATIONS.get()).build();
    /// engine.add(Collector)?;
    /// engine.update(Duration::ZERO)?;
    /// assert_eq!(engine.systems().iter().next().unwrap().allocations, 3);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    #[must_use]
    pub fn count_allocations(mut self, of_this_thread: fn() -> u64) -> Self {
        self.meters.allocations = Some(of_this_thread);
        self
    }

    /// Records the causes of events and commands of this many frames for [`Engine::why`] and [`Engine::why_event`].
    /// Costs time and memory for each event and command; does not affect the run. Default: 0.
    #[must_use]
    pub fn trace_causes(mut self, frames: usize) -> Self {
        self.traced_frames = frames;
        self
    }

    /// What happens when a method of a system returns an error. Default: [`ErrorPolicy::Report`].
    #[must_use]
    pub fn on_error(mut self, policy: ErrorPolicy) -> Self {
        self.error_policy = policy;
        self
    }

    /// How many entities, bytes of events and commands there may be. Default: no limits.
    ///
    /// # Example
    /// See [`Limits`].
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Builds the engine.
    #[must_use]
    pub fn build(self) -> Engine {
        let mut engine = Engine::new();
        engine.world.random.set_seed(self.seed);
        engine.world.global_ids.site = self.site;
        engine.world.global_ids.next = self.first_serial;
        engine.world.limits = self.limits;
        engine.world.entities_mut().reserve_capacity(self.entities);
        engine.world.entities_mut().set_most(self.limits.entities);
        if self.event_bytes > 0 {
            *engine.world.events.outside_buffer() = EventBuffer::with_capacity(self.event_bytes);
        }
        engine.executor.error_policy = self.error_policy;
        engine.executor.meters = self.meters;
        engine.executor.causal_trace = (self.traced_frames > 0).then(|| Box::new(CausalTrace::new(self.traced_frames)));
        if cfg!(feature = "parallel") && self.threads > 1 {
            match ThreadPool::start(self.threads, self.parallel_threshold.unwrap_or(1024)) {
                Ok(thread_pool) => engine.thread_pool = Some(Arc::new(thread_pool)),
                Err(error) => {
                    tracing::warn!(target: "ecs::engine", %error, "cannot start threads: everything runs on the calling thread");
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
