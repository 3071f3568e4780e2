//! Functions as commands: run once, run later, and made to listen.

use std::any::Any;
use std::cell::Cell;
use std::time::Duration;

use super::pending::ADD_SYSTEMS;
use super::{
    Configure, Function, IntoSystems, ListenerFunction, MethodOutput, Param, Pending, RepeatableFunction, RunContext,
    SystemChange, SystemNode, Timer, Timing, listener, observer, once, repeated,
};
use crate::commands::{CallContext, Commands};
use crate::entity::EntityId;
use crate::error::{CommandFailure, SetupError};
use crate::event::EntityEvent;
use crate::query::Access;
use crate::type_map::short_name;
use crate::world::World;

/// Functions as commands. Each of these commands allocates, so use them for what happens rarely. A function that was
/// added by a command ends itself with [`Commands::cancel_self`].
///
/// Snapshots hold a waiting function as if the method of the same name of [`Engine`](crate::Engine) had added it.
impl Commands<'_> {
    /// Runs `function` in step 6 of this frame, at the place of this command among all commands: it sees the changes of
    /// those before it. Its events are delivered in step 7. Its own commands are applied after that, when step 6
    /// repeats. An error that it returns is reported as one of the system that recorded the command.
    ///
    /// The command fails with [`CommandFailure::Setup`] if two parameters access the same data and one of them writes,
    /// and with [`CommandFailure::MissingResource`].
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::{Commands, Engine, Query};
    /// struct Soldier;
    /// struct Count(usize);
    ///
    /// fn muster(mut commands: Commands) {
    ///     commands.spawn((Soldier,));
    ///     commands.run(|soldiers: Query<&Soldier>, mut commands: Commands| commands.spawn((Count(soldiers.count()),)));
    ///     commands.spawn((Soldier,));
    /// }
    ///
    /// let mut engine = Engine::new();
    /// engine.after(Duration::ZERO, muster)?;
    /// engine.update(Duration::ZERO)?;
    /// assert_eq!(engine.query::<&Count>().single().unwrap().0, 1, "the second soldier came later");
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn run<M, F: Function<M, Output: MethodOutput> + Send + 'static>(&mut self, function: F) {
        self.call("run a function", short_name::<F>(), move |CallContext { world, buffer, commands, time, .. }| {
            let name = short_name::<F>();
            let mut access = Access::of(name);
            let params = F::Params::prepare(world, &mut access);
            access.check_once(name)?;
            if let Some(resource) = F::Params::missing(&params, world) {
                return Err(CommandFailure::MissingResource { function: name, resource });
            }
            let tick = Cell::new(world.components.raise_tick());
            access.see_changes_since(*world.components.frame_tick());
            let context = RunContext { world, buffer, commands, time, delivery: None, tick: &tick };
            let output = function.call(F::Params::item(&mut F::Params::guard(&params, &context)));
            if let Some(error) = output.into_error() {
                commands.borrow_mut().fail(format!("the function {name} that it ran"), error);
            }
            Ok(())
        });
    }

    /// Runs `function` once, in the update phase of the first frame that ends `delay` or more after this one; see
    /// [`Engine::after`](crate::Engine::after).
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// /// A bomb goes off two seconds after it was dropped.
    /// fn drop_bomb(mut commands: Commands) {
    ///     commands.after(Duration::from_secs(2), |mut craters: ResMut<u32>| *craters += 1);
    /// }
    ///
    /// let mut engine = Engine::new();
    /// engine.insert_resource(0_u32);
    /// engine.run(drop_bomb)?;
    /// engine.update(Duration::from_secs(1))?;
    /// assert_eq!(*engine.resource::<u32>().unwrap(), 0);
    /// engine.update(Duration::from_secs(1))?;
    /// assert_eq!(*engine.resource::<u32>().unwrap(), 1);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn after<M: 'static, F>(&mut self, delay: Duration, function: F)
    where
        F: Function<M, Output: MethodOutput> + Send + 'static,
    {
        self.add_function("run a function later", move |world| {
            once(function, Timing::new(Timer::once_after(delay)), world)
        });
    }

    /// Runs `function` once in every `interval` from the end of this frame on; see
    /// [`Engine::every`](crate::Engine::every).
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// let mut engine = Engine::new();
    /// engine.insert_resource(0_u32);
    /// engine.run(|mut commands: Commands| {
    ///     commands.every(Duration::from_secs(1), |mut ticks: ResMut<u32>, mut commands: Commands| {
    ///         *ticks += 1;
    ///         if *ticks == 3 {
    ///             commands.cancel_self();
    ///         }
    ///     });
    /// })?;
    /// (0..10).try_for_each(|_| engine.update(Duration::from_secs(1)))?;
    /// assert_eq!(*engine.resource::<u32>().unwrap(), 3);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn every<M: 'static, F: RepeatableFunction<M>>(&mut self, interval: Duration, function: F) {
        self.add_function("run a function repeatedly", move |world| repeated(function, Timing::every(interval), world));
    }

    /// Calls `function` with every event of its type from the next frame on; see
    /// [`Engine::listen`](crate::Engine::listen).
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// #[derive(Clone, Copy)]
    /// struct Scored(u32);
    ///
    /// let mut engine = Engine::new();
    /// engine.insert_resource(0_u32);
    /// engine.run(|mut commands: Commands| commands.listen(|scored: &Scored, mut sum: ResMut<u32>| *sum += scored.0))?;
    /// engine.send(Scored(5));
    /// engine.update(Duration::ZERO)?;
    /// assert_eq!(*engine.resource::<u32>().unwrap(), 5);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn listen<M: 'static, F: ListenerFunction<M>>(&mut self, function: F) {
        self.add_function("listen", move |world| listener::<M, F>(function, Timing::every(Duration::ZERO), world));
    }

    /// Calls `function` with each event that concerns `entity`, from the next frame on, until the entity is gone; see
    /// [`Engine::observe`](crate::Engine::observe).
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// let mut engine = Engine::new();
    /// engine.insert_resource(0_u32);
    /// let [king, pawn] = [(); 2].map(|()| engine.spawn(()));
    /// engine.run(move |mut commands: Commands| {
    ///     commands.observe(king, |_: &Despawned, mut lost: ResMut<u32>| *lost += 1);
    /// })?;
    /// engine.despawn_many([pawn, king])?;
    /// engine.update(Duration::ZERO)?;
    /// assert_eq!(*engine.resource::<u32>().unwrap(), 1);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn observe<M: 'static, F>(&mut self, entity: EntityId, function: F)
    where
        F: ListenerFunction<M, Event: EntityEvent>,
    {
        self.call("observe", "observe", move |context| {
            context.world.check_exists(entity)?;
            add_later(context.pending, observer::<M, F>(function, Timing::of_observer(entity), context.world)?);
            Ok(())
        });
    }

    /// As [`Commands::listen`], until `entity` is gone; see [`Engine::listen_while`](crate::Engine::listen_while).
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// #[derive(Clone, Copy)]
    /// struct Rang;
    ///
    /// let mut engine = Engine::new();
    /// engine.insert_resource(0_u32);
    /// let sleeper = engine.spawn(());
    /// engine.run(move |mut commands: Commands| {
    ///     commands.listen_while(sleeper, |_: &Rang, mut heard: ResMut<u32>| *heard += 1);
    /// })?;
    /// engine.send(Rang);
    /// engine.update(Duration::ZERO)?;
    /// engine.despawn(sleeper)?;
    /// engine.update(Duration::ZERO)?;
    /// engine.send(Rang);
    /// engine.update(Duration::ZERO)?;
    /// assert_eq!(*engine.resource::<u32>().unwrap(), 1);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn listen_while<M: 'static, F: ListenerFunction<M>>(&mut self, entity: EntityId, function: F) {
        self.call("listen_while", "listen", move |context| {
            context.world.check_exists(entity)?;
            add_later(context.pending, listener::<M, F>(function, Timing::while_exists(entity), context.world)?);
            Ok(())
        });
    }

    /// Adds systems and functions at the end of this frame, as [`Engine::add`](crate::Engine::add) does: they run from
    /// the next frame on. What a method for a transition adds is there when its transition is made. Changes of the
    /// systems are made in the order in which they are recorded, so [`Commands::remove_system`] and then this replaces
    /// a system.
    ///
    /// What a command added goes with a snapshot that was taken before it, and comes back with one that was taken while
    /// it was there. So a snapshot asks that the type of such a system is registered
    /// ([`TypeRegistry::system`](crate::snapshot::TypeRegistry::system)), and a save that it can be saved.
    ///
    /// The command fails with [`CommandFailure::Setup`], and adds nothing, if a system of the type is there already, if
    /// its parameters contradict each other, if it names a system that is not there, or if there is no order.
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// /// Rain falls for a while.
    /// struct Rain { left: u32 }
    ///
    /// impl System for Rain {
    ///     fn setup(setup: &mut Setup<Self>) {
    ///         setup.update(Self::fall);
    ///     }
    /// }
    ///
    /// impl Rain {
    ///     fn fall(&mut self, mut drops: ResMut<u32>, mut commands: Commands) {
    ///         *drops += 1;
    ///         self.left -= 1;
    ///         if self.left == 0 {
    ///             commands.remove_system::<Self>();
    ///         }
    ///     }
    /// }
    ///
    /// let mut engine = Engine::new();
    /// engine.insert_resource(0_u32);
    /// engine.after(Duration::ZERO, |mut commands: Commands| commands.add(Rain { left: 3 }))?;
    /// for _ in 0..10 {
    ///     engine.update(Duration::ZERO)?;
    /// }
    /// assert_eq!(*engine.resource::<u32>().unwrap(), 3);
    /// assert!(engine.systems().is_empty());
    /// # Ok::<(), ecs::Error>(())
    /// ```
    #[allow(clippy::implied_bounds_in_impls)]
    pub fn add<M>(&mut self, systems: impl Configure<M> + IntoSystems<M>) {
        let systems = systems.into_systems();
        self.call(ADD_SYSTEMS, ADD_SYSTEMS, move |context| {
            change_later(context.pending, SystemChange::Add(systems));
            Ok(())
        });
    }

    fn add_function(
        &mut self,
        name: &'static str,
        make: impl FnOnce(&mut World) -> Result<SystemNode, SetupError> + Send + 'static,
    ) {
        self.call(name, name, |context| {
            add_later(context.pending, make(context.world)?);
            Ok(())
        });
    }
}

/// Adds a function to the list of a [`CallContext`].
fn add_later(pending: &mut dyn Any, function: SystemNode) {
    change_later(pending, SystemChange::Function(Box::new(function)));
}

fn change_later(pending: &mut dyn Any, change: SystemChange) {
    let pending: &mut Pending = pending.downcast_mut().expect("it is the list of changes of the systems");
    // `Pending::name_from` adds the name of the system.
    pending.push(change, "");
}
