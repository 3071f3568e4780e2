//! Running code once, outside of frames.

use std::any::TypeId;
use std::cell::{Cell, RefCell};
use std::time::Duration;

use super::Engine;
use crate::commands::{Applied, CallContext, CommandBuffer, Switch};
use crate::error::{Error, SetupError};
use crate::event::{CascadeError, EventBuffer, OUTSIDE};
use crate::limits::{Limits, error_in};
use crate::panic::{FirstPanic, drop_each};
use crate::query::{Access, MaskQuery};
use crate::system::{EntityFunction, Function, Param, Pending, RunContext, System};
use crate::time::Time;
use crate::type_map::short_name;

/// Running code once, outside of frames.
impl Engine {
    /// Runs a function now and returns its result. Its commands are applied when it returns; its events are delivered
    /// when the next frame begins.
    ///
    /// A panic of the function, or of one of its commands, is passed on after the events and the remaining commands
    /// took effect; failed commands are not reported then.
    ///
    /// # Errors
    /// - [`SetupError::Conflict`] if two parameters access the same data and one of them writes.
    /// - [`Error::MissingResource`] if a parameter needs a resource that does not exist.
    /// - [`Error::Command`] with the first command that failed; the others were applied.
    /// - [`Error::System`] if the first that failed is a function that a command ran.
    /// - [`Error::Cascade`] if functions that commands run kept recording commands: the last ones were dropped.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// let mut engine = Engine::new();
    /// engine.spawn_many((1..=4).map(|n: u32| (n,)));
    /// let sum = engine.run(|numbers: Query<&u32>| numbers.iter().sum::<u32>())?;
    /// assert_eq!(sum, 10);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn run<M, F: Function<M>>(&mut self, function: F) -> Result<F::Output, Error> {
        self.run_now::<F::Params, _>(short_name::<F>(), |guard| function.call(F::Params::item(guard)))
    }

    /// Calls `function` for each entity that matches `query`, now; returns the number of calls.
    ///
    /// The entities are found before the first call, in the order of [`World::matching`](crate::World::matching). Each
    /// call sees the values that earlier calls wrote; commands are applied after the last call, in the order of the
    /// calls, and events are delivered when the next frame begins. So an entity that a call despawns is still there for
    /// later calls, and spawned entities get no call.
    ///
    /// A panic ends the calls; otherwise it is handled as in [`Engine::run`].
    ///
    /// # Errors
    /// As [`Engine::run`], also if no entity matches.
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
    /// assert_eq!(engine.run_for_each(&burnable, burn)?, 2);
    /// assert!(!engine.contains(straw) && engine.contains(wood) && engine.contains(stone));
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn run_for_each<M, F: EntityFunction<M>>(
        &mut self,
        query: &MaskQuery,
        mut function: F,
    ) -> Result<usize, Error> {
        let entities = self.world.matching(query);
        self.run_now::<F::Params, _>(short_name::<F>(), |guard| {
            entities.iter().for_each(|entity| function.call(*entity, F::Params::item(guard)));
        })?;
        Ok(entities.len())
    }

    /// Runs code with parameters `P`, and applies its commands.
    fn run_now<P: Param, R>(
        &mut self,
        name: &'static str,
        run: impl FnOnce(&mut P::Guard<'_>) -> R,
    ) -> Result<R, Error> {
        let mut access = Access::of(name);
        let params = P::prepare(&mut self.world, &mut access);
        access.check_once(name)?;
        if let Some(resource) = P::missing(&params, &self.world) {
            return Err(Error::MissingResource { system: name, resource });
        }
        let tick = Cell::new(self.world.components.raise_tick());
        access.see_changes_since(*self.world.components.frame_tick());
        let Limits { event_bytes, commands, .. } = self.world.limits;
        let mut buffer = EventBuffer::limited(event_bytes);
        let commands = RefCell::new(CommandBuffer::limited(commands));
        // A function that panics may leave values half changed.
        let mut panics = FirstPanic::default();
        let output = panics.catch(|| {
            let (world, time) = (&self.world, Time { delta: Duration::ZERO, ..self.executor.time });
            let context =
                RunContext { world, buffer: &buffer, commands: &commands, time: &time, delivery: None, tick: &tick };
            let mut guard = P::guard(&params, &context);
            run(&mut guard)
        });
        self.world.events.collect_function(&mut buffer);
        self.executor.command_rounds.begin();
        let (mut first_failure, mut left) = (None, commands.borrow_mut().take_count_of_new());
        // Commands behind one that panics are still applied.
        self.world.entities_mut().is_caught = true;
        while panics.catch(|| self.apply_at_once(name, &commands, &mut left, &mut buffer, &mut first_failure)).is_none()
        {
        }
        self.world.entities_mut().is_caught = false;
        self.world.make_whole();
        self.world.events.collect_function(&mut buffer);
        self.function_buffers.push(buffer);
        match (output, first_failure) {
            (Some(output), None) if !panics.is_there() => Ok(output),
            (Some(_), Some(error)) if !panics.is_there() => Err(error),
            (output, _) => {
                panics.catch(|| drop(output));
                let payload = panics.take().expect("a function without output panicked");
                Err(error_in(format_args!("function {name}"), payload).into())
            }
        }
    }

    /// Runs all phases of the system `S` once, now, even if it is disabled or not due. Then commands are applied: first
    /// those left from the last frame, then those of `S`. Events are delivered when the next frame begins. If a command
    /// panics, those behind it wait for the next frame.
    ///
    /// # Errors
    /// - [`SetupError::NotAdded`]
    /// - [`Error::MissingResource`] if a parameter needs a resource that does not exist.
    /// - [`Error::System`] if a method returned an error and the policy is
    ///   [`ErrorPolicy::Stop`](crate::system::ErrorPolicy::Stop).
    /// - [`Error::Cascade`] if functions that commands run kept recording commands: the last ones were dropped.
    /// - [`Error::Limit`]
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// # struct Counter(u32);
    /// # impl System for Counter {
    /// #     fn setup(setup: &mut Setup<Self>) {
    /// #         setup.update(|counter: &mut Self| counter.0 += 1);
    /// #     }
    /// # }
    /// let mut engine = Engine::new();
    /// engine.add(Counter(0))?;
    /// engine.run_system::<Counter>()?; // Without a frame.
    /// assert_eq!((engine.system::<Counter>().unwrap().0, engine.time().frame()), (1, 0));
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn run_system<S: System>(&mut self) -> Result<(), Error> {
        let Self { world, systems, executor, snapshots, .. } = self;
        let (index, _) = systems
            .find(TypeId::of::<S>())
            .ok_or_else(|| Error::from(SetupError::NotAdded { system: short_name::<S>() }))?;
        let node = &systems.nodes[index];
        if let Some(resource) = node.work.missing(world) {
            return Err(Error::MissingResource { system: node.name, resource });
        }
        executor.clear_errors();
        world.events.collect_outside(OUTSIDE, None);
        executor.run_by_hand(index, systems, world);
        executor.note_causes(systems, world, None);
        let applied = executor.apply_all_commands(systems, world, &snapshots.types);
        let mut panics = FirstPanic::default();
        let removed = executor.switch_systems(systems, world, &mut snapshots.types, &mut panics);
        executor.forget_cancelled(systems, world);
        panics.catch(|| drop_each(removed));
        panics.raise();
        applied?;
        executor.stop_at_error()
    }

    /// Applies the commands of a function, of which `left` are left in this round; keeps the first failure. A command
    /// that panics leaves those behind it in the buffer. If commands keep recording commands, the last ones are
    /// dropped.
    fn apply_at_once(
        &mut self,
        name: &'static str,
        commands: &RefCell<CommandBuffer>,
        left: &mut usize,
        buffer: &mut EventBuffer,
        first_failure: &mut Option<Error>,
    ) {
        let Self { world, systems, executor, snapshots, .. } = self;
        loop {
            if *left == 0 {
                *left = commands.borrow_mut().take_count_of_new();
                let next = executor.command_rounds.next(name, *left, executor.rounds, executor.caused_events);
                if let (1.., Err(error)) = (*left, next) {
                    first_failure.get_or_insert(CascadeError { dropped: std::mem::take(left), ..error }.into());
                    let mut panics = FirstPanic::default();
                    commands.borrow_mut().cancel(world, &mut panics);
                    panics.raise();
                }
            }
            *left = left.saturating_sub(1);
            let Some(applied) = commands.borrow_mut().apply_first(world, None) else { break };
            let failure = match applied {
                Applied::Done | Applied::Nothing => None,
                Applied::Failed(_, failure) => Some(failure),
                Applied::Conflict(_) => unreachable!("a single source of commands cannot conflict"),
                Applied::MethodFailed(failure) => {
                    first_failure.get_or_insert_with(|| failure.of(name).into());
                    None
                }
                Applied::Switch(Switch::Cancel { function }) => {
                    executor.cancel(function, systems, world);
                    None
                }
                Applied::Switch(switch) => {
                    let checked = systems.check_switch(switch, None, &Pending::default());
                    checked.and_then(|switch| executor.switch(switch, systems, world).map(drop)).err()
                }
                Applied::Call(call) => {
                    world.events.collect_function(buffer);
                    executor.command_rounds.called.get_or_insert(call.function);
                    let time = Time { delta: Duration::ZERO, ..executor.time };
                    let mut pending = Pending::default();
                    let (pending, copier) = (&mut pending, &snapshots.types);
                    let context = CallContext { world, buffer, commands, time: &time, copier, pending };
                    let mut failed = (call.make)(context).err();
                    let mut removed = Vec::new();
                    for (change, _) in pending.take() {
                        let types = &mut snapshots.types;
                        let changed = executor.change_systems(change, systems, world, types, &mut removed);
                        failed = failed.or(changed.err());
                    }
                    failed
                }
            };
            *first_failure = first_failure.take().or(failure.map(Error::from));
        }
    }
}
