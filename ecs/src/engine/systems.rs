//! Systems of an engine: looked at, switched, timed, and run outside of the loop.

use std::any::TypeId;
use std::cell::{Cell, RefCell};
use std::time::Duration;

use super::Engine;
use crate::commands::{Applied, CommandBuffer, CommandFailure};
use crate::error::Error;
use crate::event::EventBuffer;
use crate::panic::FirstPanic;
use crate::query::MaskQuery;
use crate::system::{
    Access, EntityFunction, Function, OUTSIDE, Param, Priority, RunContext, SetupError, System, Timer, WorkState,
};
use crate::time::Time;
use crate::type_map::short_name;

/// The systems.
impl Engine {
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

    /// Enables and disables systems as `state` says; systems that it does not name stay as they are, and functions that are
    /// over by now are passed over.
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
        for (function, is_enabled) in &state.functions {
            self.systems.set_function_enabled(*function, *is_enabled);
        }
        Ok(())
    }
}

/// Running once, outside of the loop.
impl Engine {
    /// Runs a function once, now, and returns its result. Its commands are applied when it has ended; its events are
    /// delivered when the next frame begins.
    ///
    /// If the function panics, what it sent and asked for until then takes effect all the same, and the panic goes on; so it
    /// does if a command panics, for example because it drops a component, when those behind it were applied. Whether others
    /// failed is not told then.
    ///
    /// # Errors
    /// - [`SetupError::Conflict`] if two of its parameters want the same thing.
    /// - [`Error::MissingResource`] if one asks for a resource that is not there.
    /// - [`Error::Command`] with the first of its commands that could not be applied; the others were.
    pub fn run<M, F: Function<M>>(&mut self, function: F) -> Result<F::Output, Error> {
        self.run_now::<F::Params, _>(short_name::<F>(), |guard| function.call(F::Params::item(guard)))
    }

    /// Calls `function` for each entity that matches `query`, now; returns how many there were.
    ///
    /// They come in the order of [`Engine::matching`], and who matches is decided before the first call. All calls see the same
    /// entities and components, and the values that earlier calls wrote: what one asks for by command is carried out after the
    /// last, in the order of the calls. So an entity that an earlier call despawns is there for the later ones still, its own
    /// call included, and what calls spawn is not called for. Events are delivered when the next frame begins, in the order of
    /// the calls.
    ///
    /// If a call panics, the calls behind it are not made; what was sent and asked for until then takes effect all the same,
    /// and the panic goes on. Commands that panic do as those of [`Engine::run`].
    ///
    /// # Errors
    /// As [`Engine::run`]; parameters are looked at even if nobody matches.
    ///
    /// # Example
    /// ```
    /// # use ecs::{Commands, Engine, EntityId, Query, Without};
    /// struct Health(i32);
    /// struct Fireproof;
    ///
    /// let mut engine = Engine::new();
    /// let (straw, wood) = (engine.spawn((Health(5),)), engine.spawn((Health(20),)));
    /// let stone = engine.spawn((Health(5), Fireproof));
    ///
    /// let burnable = engine.mask_query::<&Health, Without<Fireproof>>();
    /// let burn = |entity: EntityId, mut healths: Query<&mut Health>, mut commands: Commands| {
    ///     let Some(health) = healths.get_mut(entity) else { return };
    ///     health.0 -= 10;
    ///     if health.0 <= 0 {
    ///         commands.despawn(entity);
    ///     }
    /// };
    /// assert_eq!(engine.run_over(&burnable, burn)?, 2);
    /// assert!(!engine.contains(straw) && engine.contains(wood) && engine.contains(stone));
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn run_over<M, F: EntityFunction<M>>(&mut self, query: &MaskQuery, mut function: F) -> Result<usize, Error> {
        let entities = self.world.matching(query);
        self.run_now::<F::Params, _>(short_name::<F>(), |guard| {
            entities.iter().for_each(|entity| function.call(*entity, F::Params::item(guard)));
        })?;
        Ok(entities.len())
    }

    /// Runs whatever has parameters `P`, now.
    fn run_now<P: Param, R>(
        &mut self,
        name: &'static str,
        run: impl FnOnce(&mut P::Guard<'_>) -> R,
    ) -> Result<R, Error> {
        let mut access = Access::default();
        let params = P::prepare(&mut self.world, &mut access);
        if let Some(conflict) = access.conflict() {
            return Err(SetupError::Conflict { system: name, conflict: conflict.to_owned() }.into());
        }
        if let Some(resource) = P::missing(&params, &self.world) {
            return Err(Error::MissingResource { system: name, resource });
        }
        let mut buffer = EventBuffer::new();
        let commands = RefCell::new(CommandBuffer::default());
        // What the function had borrowed may be half changed: that is what it is allowed to leave behind.
        let mut panics = FirstPanic::default();
        let output = panics.catch(|| {
            let (world, time) = (&self.world, Time { delta: Duration::ZERO, ..self.executor.time });
            let context =
                RunContext { world, buffer: &buffer, commands: &commands, time: &time, sequence: Cell::new(None) };
            let mut guard = P::guard(&params, &context);
            run(&mut guard)
        });
        self.world.events.collect_function(&mut buffer);
        self.function_buffers.push(buffer);
        let mut commands = commands.into_inner();
        commands.take_count_of_new();
        let mut first_failure = None;
        // A command that panics, for example because it drops a component, does not take those behind it along.
        while panics.catch(|| self.apply_at_once(&mut commands, &mut first_failure)).is_none() {}
        match (output, first_failure) {
            (Some(output), None) if !panics.is_there() => Ok(output),
            (Some(_), Some(failure)) if !panics.is_there() => Err(failure.into()),
            (output, _) => {
                panics.catch(|| drop(output));
                panics.raise();
                unreachable!("whoever has no output panicked")
            }
        }
    }

    /// Runs all phases of the system `S` once, now, whether it is enabled and due or not. Its commands are applied when it
    /// has ended, behind those that still wait from the last frame; its events are delivered when the next frame begins. If a
    /// command panics, those behind it wait for the next frame.
    ///
    /// # Errors
    /// - [`SetupError::NotAdded`]
    /// - [`Error::MissingResource`] if it asks for a resource that is not there.
    pub fn run_system<S: System>(&mut self) -> Result<(), Error> {
        let Self { world, systems, executor, .. } = self;
        let (index, _) = systems
            .find(TypeId::of::<S>())
            .ok_or_else(|| Error::from(SetupError::NotAdded { system: short_name::<S>() }))?;
        let node = &systems.nodes[index];
        if let Some(resource) = node.work.missing(world) {
            return Err(Error::MissingResource { system: node.name, resource });
        }
        executor.command_errors.clear();
        world.events.collect_outside(OUTSIDE, None);
        executor.run_by_hand(index, systems, world);
        executor.note_causes(systems, world, None);
        executor.apply_commands(systems, world);
        executor.switch_systems(systems);
        executor.forget_functions(systems, world);
        Ok(())
    }

    /// Applies all commands of a function; keeps the first failure.
    ///
    /// # Panics
    /// If a command does; those behind it are still in the buffer.
    fn apply_at_once(&mut self, commands: &mut CommandBuffer, first_failure: &mut Option<CommandFailure>) {
        while let Some(applied) = commands.apply_first(&mut self.world, None) {
            let failure = match applied {
                Applied::Done => None,
                Applied::Failed(_, failure) => Some(failure),
                Applied::Conflict(_) => unreachable!("a function that runs alone is in nobody's way"),
                Applied::Switch(switch) => {
                    let failure = self.systems.check_switch(switch).err();
                    self.systems.switch(switch);
                    failure
                }
            };
            *first_failure = first_failure.take().or(failure);
        }
        self.executor.forget_functions(&mut self.systems, &mut self.world);
    }
}
