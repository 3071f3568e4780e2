//! The façade: everything that an application does with the framework, and the frame.

mod builder;
mod bulk;
mod causal_trace;
mod entity_lists;
mod functions;
mod global_ids;
mod groups;
mod masks;
mod memory;
#[cfg(feature = "prefabs")]
mod prefabs;
#[cfg(feature = "serde")]
mod saves;
mod snapshots;
mod structure;
mod systems;

use std::any::TypeId;
#[cfg(feature = "parallel")]
use std::panic::resume_unwind;
#[cfg(feature = "parallel")]
use std::sync::Arc;
use std::time::Duration;

pub use self::builder::EngineBuilder;
pub use self::bulk::UnequalColumns;
pub use self::memory::{BufferMemory, EntityMemory, MemoryReport};

use crate::commands::CommandError;
use crate::component::ComponentManager;
use crate::entity::EntityManager;
use crate::error::Error;
use crate::event::{Event, EventBuffer, EventGraph, EventManager};
use crate::resources::ResourceRef;
use crate::snapshot::Snapshots;
use crate::system::{Executor, Explanation, FrameTimes, Phase, System, SystemManager};
#[cfg(feature = "parallel")]
use crate::thread_pool::ThreadPool;
use crate::time::Time;
use crate::world::World;

/// Entities, components, systems and events, behind one object. Engines share nothing: several live side by side.
///
/// Outside of [`Engine::update`] every change takes effect at once. Within it, systems ask for changes of structure by
/// [`Commands`](crate::Commands), which are applied at one point of the frame.
pub struct Engine {
    world: Box<World>,
    systems: SystemManager,
    executor: Executor,
    /// Events of functions that were run since the last frame.
    function_buffers: Vec<EventBuffer>,
    snapshots: Snapshots,
    #[cfg(feature = "parallel")]
    thread_pool: Option<Arc<ThreadPool>>,
}

impl Default for Engine {
    fn default() -> Self {
        Self {
            world: World::new(),
            systems: SystemManager::default(),
            executor: Executor::default(),
            function_buffers: Vec::new(),
            snapshots: Snapshots::default(),
            #[cfg(feature = "parallel")]
            thread_pool: None,
        }
    }
}

/// The frame, and the systems.
impl Engine {
    /// An engine without anything in it.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An engine with settings of its own.
    #[must_use]
    pub fn builder() -> EngineBuilder {
        EngineBuilder::default()
    }

    /// Carries out one frame of length `delta`:
    ///
    /// 1. delivers the events that were sent since the last frame;
    /// 2. to 4. runs pre-update, update and post-update of every system that is due, in work order;
    /// 5. delivers the events that were sent, first in, first out, with what listeners send at the end;
    /// 6. applies the commands in the order in which they were recorded;
    /// 7. delivers the lifecycle events of that; if listeners recorded commands, steps 6 and 7 repeat until none is left;
    /// 8. forgets the events and rewinds their arena.
    ///
    /// # Errors
    /// - [`Error::Setup`] if the systems can not be ordered, and [`Error::MissingResource`]: no frame was begun.
    /// - [`Error::Cascade`] if listeners kept causing events; the frame was finished without the rest of the events. All commands
    ///   were applied.
    ///
    /// # Panics
    /// If a system, a listener or a command does: the frame ends there, with a message such as "system Movement panicked in
    /// update: …". A panic with a value that is not a text goes on with that value; the system is named in the log.
    pub fn update(&mut self, delta: Duration) -> Result<(), Error> {
        #[cfg(feature = "parallel")]
        {
            let rows = self.world.components.longest_pool();
            if let Some(thread_pool) =
                self.thread_pool.as_ref().filter(|thread_pool| rows >= thread_pool.rows_worth_a_thread)
            {
                self.world.thread_pool = Some(Arc::clone(thread_pool));
                let outcome = crate::panic::catch(|| self.frame(delta));
                // Outside of frames nothing is divided.
                self.world.thread_pool = None;
                return outcome.unwrap_or_else(|panic| resume_unwind(panic));
            }
        }
        self.frame(delta)
    }

    fn frame(&mut self, delta: Duration) -> Result<(), Error> {
        let Self { world, systems, executor, function_buffers, .. } = self;
        let started = executor.clock.start();
        systems.order(world)?;
        systems.check_resources(world)?;
        executor.begin_frame(delta, started);
        let _span = tracing::trace_span!(target: "ecs::engine", "frame", number = executor.time.frame()).entered();
        systems.tick(delta);
        let sent_before = executor.dispatch(systems, world);
        executor.run_phase(Phase::PreUpdate, systems, world);
        executor.run_phase(Phase::Update, systems, world);
        executor.run_phase(Phase::PostUpdate, systems, world);
        let sent = executor.dispatch(systems, world);
        let lifecycle = executor.apply_and_dispatch(systems, world);
        executor.reset(systems, world);
        function_buffers.clear();
        executor.end_frame();
        Ok(sent_before.and(sent).and(lifecycle)?)
    }

    /// Adds a system. Dependencies are looked at when the next frame begins, so systems can be added in any order.
    ///
    /// # Errors
    /// - [`SetupError::AlreadyAdded`](crate::SetupError::AlreadyAdded) if there is one of this type.
    /// - [`SetupError::Conflict`](crate::SetupError::Conflict) if two parameters of one of its methods want the same thing.
    /// - [`SetupError::Types`](crate::SetupError::Types) if it can not give a type the name that it wants.
    pub fn add<S: System>(&mut self, system: S) -> Result<&mut Self, Error> {
        self.systems.add(system, &mut self.world, &mut self.snapshots.types)?;
        Ok(self)
    }

    /// Brings the systems into their work order now instead of at the next frame.
    ///
    /// # Errors
    /// - [`SetupError::UnknownDependency`](crate::SetupError::UnknownDependency) and [`SetupError::Cycle`](crate::SetupError::Cycle).
    pub fn order(&mut self) -> Result<(), Error> {
        Ok(self.systems.order(&mut self.world)?)
    }

    /// The work order with the reason for each place; `Display` prints it.
    ///
    /// # Errors
    /// As [`Engine::order`].
    pub fn explain(&mut self) -> Result<Explanation, Error> {
        self.order()?;
        Ok(self.systems.explain(&self.world))
    }

    /// Who sends which event and who listens; `Display` prints it, [`EventGraph::flaws`] finds ends that lead nowhere.
    ///
    /// # Errors
    /// As [`Engine::order`].
    pub fn event_graph(&mut self) -> Result<EventGraph, Error> {
        self.order()?;
        Ok(EventGraph::of(&self.world.events, |system| self.systems.nodes[system].name))
    }

    /// The commands of the last frame that could not be applied, each with the system that asked.
    #[must_use]
    pub fn command_errors(&self) -> &[CommandError] {
        &self.executor.command_errors
    }

    /// What time it is: the sum and the number of all frames so far.
    #[must_use]
    pub fn time(&self) -> Time {
        self.executor.time
    }

    /// How long frames took so far, if the engine was built with a clock. [`SystemManager::iter`] tells how much of it each
    /// system took.
    #[must_use]
    pub fn frame_times(&self) -> FrameTimes {
        self.executor.frame_times
    }
}

/// The managers, for looking.
impl Engine {
    /// The data of the engine.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The data of the engine, for values to be written.
    pub fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }

    /// The entities.
    #[must_use]
    pub fn entities(&self) -> &EntityManager {
        self.world.entities()
    }

    /// The component types and their pools.
    #[must_use]
    pub fn components(&self) -> &ComponentManager {
        self.world.components()
    }

    /// The systems.
    #[must_use]
    pub fn systems(&self) -> &SystemManager {
        &self.systems
    }

    /// The event types and their counters.
    #[must_use]
    pub fn events(&self) -> &EventManager {
        self.world.events()
    }
}

/// Resources and events.
impl Engine {
    /// Inserts a resource; returns the one that it replaces.
    pub fn insert_resource<T: Send + Sync + 'static>(&mut self, resource: T) -> Option<T> {
        self.world.resources.replace(Some(resource))
    }

    /// Takes a resource out, if it is there.
    pub fn remove_resource<T: Send + Sync + 'static>(&mut self) -> Option<T> {
        self.world.resources.replace(None)
    }

    /// The resource of type `T`, if it is there.
    #[must_use]
    pub fn resource<T: Send + Sync + 'static>(&self) -> Option<ResourceRef<'_, T>> {
        self.world.resource()
    }

    /// The resource of type `T` for writing, if it is there.
    pub fn resource_mut<T: Send + Sync + 'static>(&mut self) -> Option<&mut T> {
        self.world.resource_mut()
    }

    /// Sends an event; it is delivered when the next frame begins.
    pub fn send<E: Event>(&mut self, event: E) {
        self.world.send(event);
    }

    /// Says that events of type `E` come from outside of the systems, so that [`EventGraph::flaws`] does not miss a sender.
    pub fn expect_from_outside<E: Event>(&mut self) {
        let id = self.world.events.register::<E>();
        self.world.events.event_type_mut(id).comes_from_outside = true;
    }

    /// Lets the listeners of system `S` for `E` hear again; returns whether there is one that did not.
    pub fn subscribe<S: System, E: Event>(&mut self) -> bool {
        self.world.events.subscribe(TypeId::of::<S>(), TypeId::of::<E>(), true, None)
    }

    /// Lets the listeners of system `S` for `E` hear nothing more; returns whether there is one that did.
    pub fn unsubscribe<S: System, E: Event>(&mut self) -> bool {
        self.world.events.subscribe(TypeId::of::<S>(), TypeId::of::<E>(), false, None)
    }
}
