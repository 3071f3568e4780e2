//! The façade: everything that an application does with the framework, and the frame.

mod builder;
mod peek;

use std::any::TypeId;
use std::cell::{Cell, RefCell};
use std::time::Duration;

pub use self::builder::EngineBuilder;

use crate::commands::{Applied, CommandError, CommandFailure, CommandLane};
use crate::component::{Bundle, Component, ComponentManager};
use crate::entity::{EntityId, EntityManager, NoSuchEntity};
use crate::error::Error;
use crate::event::{Event, EventManager, Lane, Wiring};
use crate::query::{Query, QueryData, QueryFilter, QueryRef, ReadOnlyData};
use crate::resources::ResourceRef;
use crate::system::{
    Access, Executor, Explanation, Function, OUTSIDE, Param, Phase, Priority, RunContext, SetupError, System,
    SystemManager, Timer, WorkState,
};
use crate::time::Time;
use crate::type_map::short_name;
use crate::world::World;

/// Entities, components, systems and events, behind one object. Engines share nothing: several live side by side.
///
/// Outside of [`Engine::update`] every change takes effect at once. Within it, systems ask for changes of structure by
/// [`Commands`](crate::Commands), which are applied at one point of the frame.
pub struct Engine {
    world: World,
    systems: SystemManager,
    executor: Executor,
    /// Events of functions that were run since the last frame.
    function_lanes: Vec<Lane>,
    #[cfg(feature = "parallel")]
    threads: Option<std::sync::Arc<rayon::ThreadPool>>,
}

impl Default for Engine {
    fn default() -> Self {
        let world = World::new();
        let executor = Executor::new(world.mark());
        Self {
            world,
            systems: SystemManager::default(),
            executor,
            function_lanes: Vec::new(),
            #[cfg(feature = "parallel")]
            threads: None,
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
    /// 7. delivers the lifecycle events of that; commands that are recorded now wait for the next frame;
    /// 8. forgets the events and rewinds their arena.
    ///
    /// # Errors
    /// - [`Error::Setup`] if the systems can not be ordered, and [`Error::MissingResource`]: no frame was begun.
    /// - [`Error::Cascade`] if listeners kept sending events; the frame was finished without the rest of the events.
    pub fn update(&mut self, delta: Duration) -> Result<(), Error> {
        #[cfg(feature = "parallel")]
        {
            let is_worthwhile = self.world.components.longest_pool() >= self.executor.rows_worth_a_thread;
            let threads = self.threads.clone().filter(|_| is_worthwhile);
            self.executor.has_threads = threads.is_some();
            if let Some(threads) = threads {
                return threads.install(|| self.frame(delta));
            }
        }
        self.frame(delta)
    }

    fn frame(&mut self, delta: Duration) -> Result<(), Error> {
        let Self { world, systems, executor, function_lanes, .. } = self;
        executor.mark.check(world);
        systems.order(world)?;
        systems.check_resources(world)?;
        executor.begin_frame(delta);
        let _span = tracing::trace_span!(target: "ecs::engine", "frame", number = executor.time.frame()).entered();
        systems.tick(delta);
        let sent_before = executor.dispatch(systems, world);
        executor.run_phase(Phase::PreUpdate, systems, world);
        executor.run_phase(Phase::Update, systems, world);
        executor.run_phase(Phase::PostUpdate, systems, world);
        let sent = executor.dispatch(systems, world);
        executor.apply_commands(systems, world);
        let lifecycle = executor.dispatch(systems, world);
        executor.reset(systems, world);
        function_lanes.clear();
        Ok(sent_before.and(sent).and(lifecycle)?)
    }

    /// Adds a system. Dependencies are looked at when the next frame begins, so systems can be added in any order.
    ///
    /// # Errors
    /// - [`SetupError::AlreadyAdded`] if there is one of this type.
    /// - [`SetupError::Conflict`] if two parameters of one of its methods want the same thing.
    pub fn add<S: System>(&mut self, system: S) -> Result<&mut Self, Error> {
        self.executor.mark.check(&self.world);
        self.systems.add(system, &mut self.world)?;
        Ok(self)
    }

    /// Brings the systems into their work order now instead of at the next frame.
    ///
    /// # Errors
    /// - [`SetupError::UnknownDependency`] and [`SetupError::Cycle`].
    pub fn order(&mut self) -> Result<(), Error> {
        self.executor.mark.check(&self.world);
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

    /// Who sends which event and who listens; `Display` prints it, [`Wiring::flaws`] finds ends that lead nowhere.
    ///
    /// # Errors
    /// As [`Engine::order`].
    pub fn wiring(&mut self) -> Result<Wiring, Error> {
        self.order()?;
        Ok(Wiring::of(&self.world.events, |system| self.systems.nodes[system].name))
    }

    /// The system of type `S`, if it was added.
    #[must_use]
    pub fn system<S: System>(&self) -> Option<&S> {
        self.systems.state()
    }

    /// The system of type `S` for writing, if it was added.
    pub fn system_mut<S: System>(&mut self) -> Option<&mut S> {
        self.systems.state_mut()
    }

    /// Enables the system `S`.
    ///
    /// # Errors
    /// - [`SetupError::NotAdded`]
    pub fn enable_system<S: System>(&mut self) -> Result<(), Error> {
        self.switch_system::<S>(true)
    }

    /// Disables the system `S`: it does not run and hears nothing.
    ///
    /// # Errors
    /// - [`SetupError::NotAdded`]
    pub fn disable_system<S: System>(&mut self) -> Result<(), Error> {
        self.switch_system::<S>(false)
    }

    fn switch_system<S: System>(&mut self, is_enabled: bool) -> Result<(), Error> {
        match self.systems.set_enabled(TypeId::of::<S>(), is_enabled) {
            true => Ok(()),
            false => Err(SetupError::NotAdded { system: short_name::<S>() }.into()),
        }
    }

    /// Changes the priority of the system `S`; the order is rebuilt when the next frame begins.
    ///
    /// # Errors
    /// - [`SetupError::NotAdded`]
    pub fn set_priority<S: System>(&mut self, priority: Priority) -> Result<(), Error> {
        Ok(self.systems.set_priority::<S>(priority)?)
    }

    /// Lets the system `S` run once in every `interval` from now on; zero is every frame.
    ///
    /// # Errors
    /// - [`SetupError::NotAdded`]
    pub fn run_every<S: System>(&mut self, interval: Duration) -> Result<(), Error> {
        Ok(self.systems.set_timer::<S>(Timer::every(interval))?)
    }

    /// Lets the system `S` run once, in the first frame that ends `delay` or more from now, and then never again.
    ///
    /// # Errors
    /// - [`SetupError::NotAdded`]
    pub fn run_once_after<S: System>(&mut self, delay: Duration) -> Result<(), Error> {
        Ok(self.systems.set_timer::<S>(Timer::once_after(delay))?)
    }

    /// Which systems are enabled.
    #[must_use]
    pub fn work_state(&self) -> WorkState {
        self.systems.work_state()
    }

    /// Enables and disables systems as `state` says; systems that it does not name stay as they are.
    ///
    /// # Errors
    /// - [`SetupError::NotAdded`] if it names a system that is not there; nothing was changed.
    pub fn set_work_state(&mut self, state: &WorkState) -> Result<(), Error> {
        if let Some((_, system, _)) = state.systems.iter().find(|(system, ..)| self.systems.find(*system).is_none()) {
            return Err(SetupError::NotAdded { system }.into());
        }
        for (system, _, is_enabled) in &state.systems {
            self.systems.set_enabled(*system, *is_enabled);
        }
        Ok(())
    }

    /// Runs a function once, now, and returns its result. Its commands are applied when it has ended; its events are
    /// delivered when the next frame begins.
    ///
    /// # Errors
    /// - [`SetupError::Conflict`] if two of its parameters want the same thing.
    /// - [`Error::MissingResource`] if one asks for a resource that is not there.
    /// - [`Error::Command`] with the first of its commands that could not be applied; the others were.
    pub fn run<M, F: Function<M>>(&mut self, function: F) -> Result<F::Output, Error> {
        self.executor.mark.check(&self.world);
        let name = short_name::<F>();
        let mut access = Access::default();
        let params = F::Params::prepare(&mut self.world, &mut access);
        if let Some(conflict) = access.conflict() {
            return Err(SetupError::Conflict { system: name, conflict: conflict.to_owned() }.into());
        }
        if let Some(resource) = F::Params::missing(&params, &self.world) {
            return Err(Error::MissingResource { system: name, resource });
        }
        let mut lane = Lane::new();
        let commands = RefCell::new(CommandLane::default());
        let output = {
            let (world, time) = (&self.world, Time { delta: Duration::ZERO, ..self.executor.time });
            let context = RunContext { world, lane: &lane, commands: &commands, time, sequence: Cell::new(None) };
            let mut guard = F::Params::guard(&params, &context);
            function.call(F::Params::item(&mut guard))
        };
        self.world.events.collect_function(&mut lane);
        self.function_lanes.push(lane);
        self.apply_at_once(commands.into_inner())?;
        Ok(output)
    }

    /// Runs all phases of the system `S` once, now, whether it is enabled and due or not. Its commands are applied when it
    /// has ended, behind those that still wait from the last frame; its events are delivered when the next frame begins.
    ///
    /// # Errors
    /// - [`SetupError::NotAdded`]
    /// - [`Error::MissingResource`] if it asks for a resource that is not there.
    pub fn run_system<S: System>(&mut self) -> Result<(), Error> {
        let Self { world, systems, executor, .. } = self;
        executor.mark.check(world);
        let (index, _) = systems
            .find(TypeId::of::<S>())
            .ok_or_else(|| Error::from(SetupError::NotAdded { system: short_name::<S>() }))?;
        let node = &mut systems.nodes[index];
        if let Some(resource) = node.work.missing(world) {
            return Err(Error::MissingResource { system: node.name, resource });
        }
        executor.command_errors.clear();
        world.events.collect_outside(OUTSIDE);
        let time = Time { delta: Duration::ZERO, ..executor.time };
        for phase in Phase::ALL {
            executor.run_system(phase, index, time, node, world);
        }
        executor.apply_commands(systems, world);
        executor.switch_systems(systems);
        Ok(())
    }

    fn apply_at_once(&mut self, mut commands: CommandLane) -> Result<(), Error> {
        let mut first_failure = None;
        commands.take_count_of_new();
        while let Some(applied) = commands.apply_first(&mut self.world) {
            let failure = match applied {
                Applied::Done => None,
                Applied::Failed(_, failure) => Some(failure),
                Applied::SetSystem { system, name, enabled } => (!self.systems.set_enabled(system, enabled))
                    .then_some(CommandFailure::NoSuchSystem { system: name }),
            };
            first_failure = first_failure.or(failure);
        }
        first_failure.map_or(Ok(()), |failure| Err(failure.into()))
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
    pub fn entities(&self) -> impl std::ops::Deref<Target = EntityManager> + '_ {
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

/// Entities and components; every change takes effect at once.
impl Engine {
    /// Spawns an entity with the components of `bundle`; returns its id. O(number of components).
    pub fn spawn<B: Bundle>(&mut self, bundle: B) -> EntityId {
        self.world.spawn(bundle)
    }

    /// Despawns an entity and drops its components. O(number of components).
    ///
    /// # Errors
    /// - [`NoSuchEntity`] if it was already gone.
    pub fn despawn(&mut self, entity: EntityId) -> Result<(), NoSuchEntity> {
        self.world.despawn(entity)
    }

    /// Whether `entity` exists, disabled or not. O(1).
    #[must_use]
    pub fn contains(&self, entity: EntityId) -> bool {
        self.entities().contains(entity)
    }

    /// Inserts the components of `bundle`, replacing those that are there.
    ///
    /// # Errors
    /// - [`NoSuchEntity`] if the entity is gone; the bundle was dropped.
    pub fn insert<B: Bundle>(&mut self, entity: EntityId, bundle: B) -> Result<(), NoSuchEntity> {
        self.world.insert(entity, bundle)
    }

    /// Takes the component of type `T` out and drops it. O(1).
    ///
    /// # Errors
    /// - [`CommandFailure::NoSuchEntity`] if the entity is gone.
    /// - [`CommandFailure::NoSuchComponent`] if it has none.
    pub fn remove<T: Component>(&mut self, entity: EntityId) -> Result<(), CommandFailure> {
        self.world.remove::<T>(entity)
    }

    /// Enables an entity: queries see it again.
    ///
    /// # Errors
    /// - [`NoSuchEntity`] if it is gone.
    pub fn enable(&mut self, entity: EntityId) -> Result<(), NoSuchEntity> {
        self.world.set_enabled(entity, true).map(drop)
    }

    /// Disables an entity: queries skip it, with all its components, unless they ask for it. Its components stay.
    ///
    /// # Errors
    /// - [`NoSuchEntity`] if it is gone.
    pub fn disable(&mut self, entity: EntityId) -> Result<(), NoSuchEntity> {
        self.world.set_enabled(entity, false).map(drop)
    }

    /// Enables the component of type `T` of an entity. O(1).
    ///
    /// # Errors
    /// As [`Engine::remove`].
    pub fn enable_component<T: Component>(&mut self, entity: EntityId) -> Result<(), CommandFailure> {
        self.world.switch_on::<T>(entity)
    }

    /// Disables the component of type `T` of an entity: queries take it as not there. O(1).
    ///
    /// # Errors
    /// As [`Engine::remove`].
    pub fn disable_component<T: Component>(&mut self, entity: EntityId) -> Result<(), CommandFailure> {
        self.world.switch_off::<T>(entity)
    }

    /// The component of `entity`, disabled or not; `None` if it has none or is gone. O(1).
    #[must_use]
    pub fn get<T: Component>(&self, entity: EntityId) -> Option<&T> {
        peek::component(&self.world, entity)
    }

    /// The component of `entity` for writing, disabled or not; `None` if it has none or is gone. O(1).
    pub fn get_mut<T: Component>(&mut self, entity: EntityId) -> Option<&mut T> {
        self.world.get_mut(entity)
    }

    /// Whether `entity` has a component of type `T`, disabled or not. O(1).
    #[must_use]
    pub fn has<T: Component>(&self, entity: EntityId) -> bool {
        self.world.has::<T>(entity)
    }

    /// A query, for reading and writing.
    ///
    /// # Panics
    /// If it asks for one component for writing and a second time.
    pub fn query<D: QueryData + 'static>(&mut self) -> Query<'_, D> {
        self.world.query()
    }

    /// A query with a filter, for reading and writing.
    ///
    /// # Panics
    /// As [`Engine::query`].
    pub fn query_filtered<D: QueryData + 'static, F: QueryFilter + 'static>(&mut self) -> Query<'_, D, F> {
        self.world.query_filtered()
    }

    /// A query that only reads, for which a shared engine is enough.
    pub fn read<D: ReadOnlyData + 'static>(&self) -> QueryRef<'_, D> {
        self.world.read()
    }

    /// A query with a filter that only reads, for which a shared engine is enough.
    pub fn read_filtered<D: ReadOnlyData + 'static, F: QueryFilter + 'static>(&self) -> QueryRef<'_, D, F> {
        self.world.read_filtered()
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

    /// Says that events of type `E` come from outside of the systems, so that [`Wiring::flaws`] does not miss a sender.
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
