//! The engine, the entry point of the library: the frame, changes between frames, snapshots and reports.

mod advance;
mod builder;
mod duplicate;
mod explain;
mod functions;
mod hierarchy;
mod listeners;
mod memory;
mod plugins;
#[cfg(feature = "prefabs")]
mod prefabs;
mod presentation;
mod removal;
mod run;
#[cfg(feature = "serde")]
mod saves;
mod snapshots;
mod structure;
mod systems;

use std::any::TypeId;
use std::ops::{Deref, DerefMut};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::time::Duration;

pub use self::advance::Advanced;
pub use self::builder::EngineBuilder;
pub use self::memory::{BufferMemory, EntityMemory, MemoryReport};
pub use self::plugins::Plugin;
pub use self::presentation::Presentation;
pub use self::structure::UnequalColumns;
pub use crate::limits::{LimitError, Limits};

use self::presentation::Presenters;
use crate::error::{Error, SetupError};
use crate::event::{Despawning, Event, EventBuffer, EventReader};
use crate::panic::{FirstPanic, catch};
#[cfg(feature = "inspect")]
use crate::snapshot::FrameInputs;
use crate::snapshot::Snapshots;
#[cfg(doc)]
use crate::system::ErrorPolicy;
use crate::system::{Executor, Phase, System, SystemManager};
use crate::thread_pool::ThreadPool;
use crate::time::Time;
use crate::type_map::short_name;
use crate::world::World;

/// Entities, components, systems and events behind one object. Engines share nothing, so a program can have several.
///
/// Between frames every change takes effect at once. During [`Engine::update`] systems record changes of structure as
/// [`Commands`](crate::Commands), which are applied at one point of the frame.
///
/// An engine dereferences to its [`World`], which has the methods that read and write values: `get`, `query`,
/// `resource`, `send` and more.
pub struct Engine {
    world: Box<World>,
    systems: SystemManager,
    executor: Executor,
    /// The systems that run once a frame; `None` before the first is added.
    presenters: Option<Box<Presenters>>,
    /// Events of functions that were run since the last frame.
    function_buffers: Vec<EventBuffer>,
    snapshots: Snapshots,
    /// The types of the plugins that were added.
    plugins: Vec<TypeId>,
    thread_pool: Option<Arc<ThreadPool>>,
    /// What the frames since a call were run with, if an inspector asks for it.
    #[cfg(feature = "inspect")]
    recorded_frames: Option<Vec<FrameInputs>>,
}

impl Default for Engine {
    fn default() -> Self {
        let mut snapshots = Snapshots::default();
        snapshots.types.add_cancelled();
        #[cfg(feature = "prefabs")]
        snapshots.types.add_prefabs();
        let mut world = World::new();
        world.components.name_by(snapshots.types.component_names.clone());
        Self {
            world,
            systems: SystemManager::default(),
            executor: Executor::default(),
            presenters: None,
            #[cfg(feature = "inspect")]
            recorded_frames: None,
            function_buffers: Vec::new(),
            snapshots,
            plugins: Vec::new(),
            thread_pool: None,
        }
    }
}

/// The frame.
impl Engine {
    /// An empty engine with default settings.
    ///
    /// # Example
    /// ```
    /// use ecs::prelude::*;
    /// let mut engine = Engine::new();
    /// let house = engine.spawn(("house",));
    /// assert_eq!(engine.get(house), Some(&"house"));
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Settings for a new engine.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// let engine = Engine::builder().threads(2).entities(10_000).build();
    /// assert_eq!(engine.entities().len(), 0); // Room for 10,000 without another allocation.
    /// ```
    #[must_use]
    pub fn builder() -> EngineBuilder {
        EngineBuilder::default()
    }

    /// Makes the requested transitions of [state machines](Engine::add_state_machine), and runs one frame of length
    /// `delta`:
    ///
    /// 1. delivers the events that were sent since the last frame;
    ///    then the [conditions](crate::Setup::run_if) of systems and sets are checked;
    /// 2. to 4. runs pre-update, update and post-update of every system that is due, in execution order;
    /// 5. delivers the events that were sent, first in, first out, with what listeners send at the end;
    /// 6. applies the commands in the order of recording; [`Despawning`] is announced before
    ///    each despawn;
    /// 7. delivers the lifecycle events of step 6; while listeners record commands, steps 6 and 7 repeat;
    /// 8. enables and disables systems by command, clears the events and rewinds their arenas.
    ///
    /// # Errors
    /// - [`Error::Setup`] if the systems cannot be ordered, [`Error::MissingResource`], [`Error::Transition`] if a
    ///   state machine refused a request, and [`Error::Cascade`] if what runs for a transition kept recording commands:
    ///   the frame did not begin.
    /// - [`Error::MissingResource`] for a condition, or for a system whose conditions hold: the frame ran to its end
    ///   without that system.
    /// - [`SetupError::TooManyRuns`] if a system that runs once for each
    ///   interval would run more than 16,777,216 times: the frame ran to its end, and the timer of that system stood
    ///   still.
    /// - [`Error::Cascade`] if listeners kept sending events: the frame ran to its end without delivering the rest. All
    ///   commands were applied.
    /// - [`Error::System`] with the first error that a method returned, if the policy is [`ErrorPolicy::Stop`]: the
    ///   frame ran to its end.
    /// - [`Error::Limit`] if a [limit](Limits) was reached: the frame ran to its end.
    ///
    /// # Panics
    /// If a system, a listener or a command panics. The frame ends, and the message names the system: "system Movement
    /// panicked in update: …". If an event panics in `drop`: the frame ran to its end. A panic payload that is not text
    /// is passed on unchanged, and the system is named in the log.
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// let mut engine = Engine::new();
    /// engine.update(Duration::from_millis(16))?;
    /// engine.update(Duration::from_millis(20))?;
    /// assert_eq!(engine.time().frame(), 2);
    /// assert_eq!(engine.time().elapsed(), Duration::from_millis(36));
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn update(&mut self, delta: Duration) -> Result<(), Error> {
        let one_by_one = self.executor.watcher.is_on();
        let Some(thread_pool) = self.thread_pool.as_ref().filter(|_| !one_by_one) else {
            return self.frame(delta);
        };
        self.world.thread_pool = Some(Arc::clone(thread_pool));
        let outcome = catch(|| self.frame(delta));
        // Between frames everything runs on the calling thread.
        self.world.thread_pool = None;
        outcome.unwrap_or_else(|panic| resume_unwind(panic))
    }

    fn frame(&mut self, delta: Duration) -> Result<(), Error> {
        #[cfg(feature = "inspect")]
        self.note_traced_types();
        #[cfg(feature = "inspect")]
        let inputs = self.recorded_frames.is_some().then(|| FrameInputs { delta, waiting: self.waiting_events() });
        let Self { world, systems, executor, function_buffers, snapshots, .. } = self;
        executor.watcher.begin_frame(executor.time.frame + 1, world, systems);
        let started = executor.meters.start();
        executor.forget_cancelled(systems, world);
        systems.order(world)?;
        systems.check_resources(world)?;
        executor.clear_errors();
        executor.make_transitions(systems, world, &mut snapshots.types)?;
        // Commands of state methods may have added, removed and enabled systems.
        systems.order(world)?;
        systems.check_resources(world)?;
        executor.begin_frame(delta, started);
        #[cfg(feature = "inspect")]
        if let (Some(recorded), Some(inputs)) = (&mut self.recorded_frames, inputs) {
            recorded.push(inputs);
        }
        world.components.begin_frame();
        let _span = tracing::trace_span!(target: "ecs::engine", "frame", number = executor.time.frame()).entered();
        let events_before = world.events.collected();
        let sent_before = executor.dispatch(systems, world);
        let conditions = executor.check_conditions(systems, world);
        let ticked = systems.tick(delta);
        executor.run_phase(Phase::PreUpdate, systems, world);
        executor.run_phase(Phase::Update, systems, world);
        executor.run_phase(Phase::PostUpdate, systems, world);
        let sent = executor.dispatch(systems, world);
        let lifecycle = executor.apply_and_dispatch(systems, world, &snapshots.types);
        let (entities, events) = (world.entities().len(), world.events.collected() - events_before);
        // Traces the events of each type first.
        let mut panics = FirstPanic::default();
        executor.reset(systems, world, &mut snapshots.types, &mut panics);
        tracing::trace!(target: "ecs::counters", entities, events);
        panics.catch(|| function_buffers.clear());
        executor.end_frame();
        panics.raise();
        conditions?;
        ticked?;
        sent_before.and(sent).and(lifecycle)?;
        executor.stop_at_error()
    }

    /// While events are traced with their values: notes how those of registered types are copied.
    #[cfg(feature = "inspect")]
    fn note_traced_types(&mut self) {
        if self.executor.causal_trace.as_ref().is_some_and(|trace| trace.has_values()) {
            self.snapshots.types.note_copiers(&mut self.world.events);
        }
    }

    /// The sum and the number of all frames so far.
    ///
    /// # Example
    /// See [`Engine::update`].
    #[must_use]
    pub fn time(&self) -> Time {
        self.executor.time
    }
}

impl Deref for Engine {
    type Target = World;

    fn deref(&self) -> &World {
        &self.world
    }
}

impl DerefMut for Engine {
    fn deref_mut(&mut self) -> &mut World {
        &mut self.world
    }
}

/// Resources and events.
impl Engine {
    /// Inserts a resource; returns the one that it replaces.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// #[derive(Debug, PartialEq)]
    /// struct Gravity(f32);
    ///
    /// let mut engine = Engine::new();
    /// assert_eq!(engine.insert_resource(Gravity(9.81)), None);
    /// assert_eq!(engine.insert_resource(Gravity(1.62)), Some(Gravity(9.81)));
    /// assert_eq!(engine.remove_resource(), Some(Gravity(1.62)));
    /// ```
    pub fn insert_resource<T: Send + Sync + 'static>(&mut self, resource: T) -> Option<T> {
        self.world.resources.replace(Some(resource))
    }

    /// Removes and returns a resource, if there is one.
    ///
    /// # Example
    /// See [`Engine::insert_resource`].
    pub fn remove_resource<T: Send + Sync + 'static>(&mut self) -> Option<T> {
        self.world.resources.replace(None)
    }

    /// Declares that events of type `E` are sent from outside of the systems, so that
    /// [`EventGraph::issues`](crate::event::EventGraph::issues) does not report a missing sender, and reports a missing
    /// listener before the first one is sent.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Clone, Copy)]
    /// # struct Pressed(char);
    /// # struct Typist;
    /// # impl System for Typist {
    /// #     fn setup(setup: &mut Setup<Self>) {
    /// #         setup.listen(|_: &mut Self, _: &Pressed| {});
    /// #     }
    /// # }
    /// let mut engine = Engine::new();
    /// engine.add(Typist)?; // It listens to `Pressed`, which no system sends.
    /// assert_eq!(engine.event_graph()?.issues().len(), 1);
    /// engine.declare_external::<Pressed>();
    /// assert!(engine.event_graph()?.issues().is_empty());
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn declare_external<E: Event>(&mut self) {
        let id = self.world.events.register::<E>();
        self.world.events.event_type_mut(id).comes_from_outside = true;
    }

    /// Opens a reader, with which the application takes the events of a type after frames: once, before its loop. From
    /// then on nothing is lost or given twice, with any number of frames between two looks; see
    /// [`EventReader`]. A type has one reader at a time.
    ///
    /// # Errors
    /// - [`SetupError::ReaderAlreadyOpen`]
    ///
    /// # Example
    /// ```
    /// use std::time::Duration;
    /// use ecs::prelude::*;
    ///
    /// struct Played { sound: String }
    ///
    /// fn bounce(mut played: Sender<Played>) {
    ///     played.send(Played { sound: "boing.ogg".to_owned() });
    /// }
    ///
    /// let mut engine = Engine::new();
    /// engine.add(bounce)?;
    /// let mut sounds = engine.reader::<Played>()?;
    /// let mut clock = StepClock::new(Duration::from_millis(10));
    /// let mut heard = Vec::new();
    /// for _ in 0..3 {
    ///     // Of a window: it takes two or three steps.
    ///     engine.advance(&mut clock, Duration::from_millis(25), |_| {})?;
    ///     for played in sounds.drain() {
    ///         heard.push(played.sound);
    ///     }
    /// }
    /// assert_eq!(heard, ["boing.ogg"; 7]);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn reader<E: Event>(&mut self) -> Result<EventReader<E>, Error> {
        if TypeId::of::<E>() == TypeId::of::<Despawning>() {
            return Err(SetupError::Unreadable { event: short_name::<E>() }.into());
        }
        let World { events, components, .. } = &mut *self.world;
        let reader = events.open_reader().ok_or(SetupError::ReaderAlreadyOpen { event: short_name::<E>() })?;
        let id = events.register::<E>();
        if events.note_listener(id) {
            components.announce(TypeId::of::<E>(), id);
        }
        Ok(reader)
    }

    /// Resumes delivery of `E` to the listeners of system `S`; returns whether this changed anything.
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// # #[derive(Clone, Copy)]
    /// # struct Pressed(char);
    /// # struct Typist(String);
    /// # impl System for Typist {
    /// #     fn setup(setup: &mut Setup<Self>) {
    /// #         setup.listen(|typist: &mut Self, pressed: &Pressed| typist.0.push(pressed.0));
    /// #     }
    /// # }
    /// # let mut engine = Engine::new();
    /// # engine.add(Typist(String::new()))?;
    /// engine.unsubscribe::<Typist, Pressed>();
    /// engine.send(Pressed('a'));
    /// engine.update(Duration::ZERO)?;
    /// engine.subscribe::<Typist, Pressed>();
    /// engine.send(Pressed('b'));
    /// engine.update(Duration::ZERO)?;
    /// assert_eq!(engine.system::<Typist>().unwrap().0, "b");
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn subscribe<S: System, E: Event>(&mut self) -> bool {
        self.switch_listeners::<S, E>(true)
    }

    /// Stops delivery of `E` to the listeners of system `S`; returns whether this changed anything.
    ///
    /// # Example
    /// See [`Engine::subscribe`].
    pub fn unsubscribe<S: System, E: Event>(&mut self) -> bool {
        self.switch_listeners::<S, E>(false)
    }

    fn switch_listeners<S: System, E: Event>(&mut self, on: bool) -> bool {
        // The listeners of new systems are known once they are ordered. The next frame reports an error of the order.
        _ = self.order();
        self.world.events.subscribe(TypeId::of::<S>(), TypeId::of::<E>(), on, None)
    }
}
