//! Systems of an engine: adding, finding, switching and timing them.

use std::any::TypeId;
use std::time::Duration;

use super::Engine;
use crate::error::{Error, SetupError};
use crate::state_machine::{State, StateMachine};
use crate::system::{
    Configure, IntoSystems, MAX_PAUSED, Priority, SetSetup, System, SystemManager, SystemNode, Timer, WorkState,
};
use crate::type_map::short_name;
use crate::world::World;

/// Systems.
impl Engine {
    /// Adds a system, a function, a function that listens, or a tuple of these, with the settings that [`Configure`]
    /// gives them. Dependencies are resolved when the next frame begins, so the order of adding does not matter to
    /// them.
    ///
    /// There is one system of a type; a function may be added more than once. [`SystemManager::ids_of`] finds the ids
    /// of functions. [`Engine::every`], [`Engine::after`] and [`Engine::listen`] are short for closures, and return
    /// their id.
    ///
    /// # Errors
    /// Nothing is added in case of an error.
    ///
    /// - [`SetupError::AlreadyAdded`] if there is a system of this type.
    /// - [`SetupError::Settings`] if a function or system cannot have one of its settings.
    /// - [`SetupError::Conflict`] if two parameters of a function access the same data and one of them writes.
    /// - [`SetupError::Condition`] if a condition cannot be checked.
    /// - [`SetupError::Types`] if a type cannot be registered under its stable name.
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// #[derive(Clone, Copy)]
    /// struct Laid;
    ///
    /// struct Hen;
    ///
    /// impl System for Hen {
    ///     fn setup(setup: &mut Setup<Self>) {
    ///         setup.update(|_: &mut Self, mut eggs: Sender<Laid>| eggs.send(Laid));
    ///     }
    /// }
    ///
    /// fn collect(_: &Laid, mut eggs: ResMut<u32>) {
    ///     *eggs += 1;
    /// }
    ///
    /// fn eat(mut eggs: ResMut<u32>) {
    ///     *eggs = eggs.saturating_sub(1);
    /// }
    ///
    /// let mut engine = Engine::new();
    /// engine.insert_resource(0_u32);
    /// engine.add((Hen, collect, eat.every(Duration::from_secs(2))))?;
    /// (0..6).try_for_each(|_| engine.update(Duration::from_secs(1)))?;
    /// assert_eq!(*engine.resource::<u32>().unwrap(), 3);
    /// assert!(engine.add(Hen).is_err());
    /// # Ok::<(), ecs::Error>(())
    /// ```
    #[allow(clippy::implied_bounds_in_impls)]
    pub fn add<M>(&mut self, systems: impl Configure<M> + IntoSystems<M>) -> Result<&mut Self, Error> {
        // The form is matched first, so that an error of the compiler names the parameter at fault.
        self.systems.add(systems.into_systems(), &mut self.world, &mut self.snapshots.types, accept)?;
        Ok(self)
    }

    /// Orders the systems now instead of when the next frame begins.
    ///
    /// # Errors
    /// - [`SetupError::UnknownDependency`] and [`SetupError::Cycle`].
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// # struct Hen;
    /// # struct Egg;
    /// # impl System for Hen {
    /// #     fn setup(setup: &mut Setup<Self>) {
    /// #         setup.update(|_: &mut Self| {}).after_type::<Egg>();
    /// #     }
    /// # }
    /// # impl System for Egg {
    /// #     fn setup(setup: &mut Setup<Self>) {
    /// #         setup.update(|_: &mut Self| {}).after_type::<Hen>();
    /// #     }
    /// # }
    /// let mut engine = Engine::new();
    /// engine.add(Hen)?.add(Egg)?; // Each declares that it runs after the other.
    /// let error = engine.order().unwrap_err().to_string();
    /// assert!(error.contains("Hen") && error.contains("Egg"));
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn order(&mut self) -> Result<(), Error> {
        self.executor.forget_cancelled(&mut self.systems, &mut self.world);
        Ok(self.systems.order(&mut self.world)?)
    }

    /// All systems, with their settings and counters.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// # struct Nothing;
    /// # impl System for Nothing {
    /// #     fn setup(_: &mut Setup<Self>) {}
    /// # }
    /// let mut engine = Engine::new();
    /// engine.add(Nothing)?;
    /// assert_eq!(engine.systems().len(), 1);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    #[must_use]
    pub fn systems(&self) -> &SystemManager {
        &self.systems
    }

    /// The system of type `S`, if it was added.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// struct Score(u32);
    ///
    /// impl System for Score {
    ///     fn setup(_: &mut Setup<Self>) {}
    /// }
    ///
    /// let mut engine = Engine::new();
    /// engine.add(Score(0))?;
    /// engine.system_mut::<Score>().unwrap().0 += 7;
    /// assert_eq!(engine.system::<Score>().unwrap().0, 7);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    #[must_use]
    pub fn system<S: System>(&self) -> Option<&S> {
        self.systems.state()
    }

    /// The system of type `S` for writing, if it was added.
    ///
    /// # Example
    /// See [`Engine::system`].
    pub fn system_mut<S: System>(&mut self) -> Option<&mut S> {
        self.systems.state_mut()
    }

    /// Enables the system `S`.
    ///
    /// # Errors
    /// - [`SetupError::NotAdded`]
    ///
    /// # Example
    /// See [`Engine::disable_system`].
    pub fn enable_system<S: System>(&mut self) -> Result<(), Error> {
        self.switch_system::<S>(true)
    }

    /// Disables the system `S`: it does not run and receives no events.
    ///
    /// # Errors
    /// - [`SetupError::NotAdded`]
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// # struct Counter(u32);
    /// # impl System for Counter {
    /// #     fn setup(setup: &mut Setup<Self>) {
    /// #         setup.update(|counter: &mut Self| counter.0 += 1);
    /// #     }
    /// # }
    /// let mut engine = Engine::new();
    /// engine.add(Counter(0))?;
    /// engine.disable_system::<Counter>()?;
    /// engine.update(Duration::ZERO)?;
    /// engine.enable_system::<Counter>()?;
    /// engine.update(Duration::ZERO)?;
    /// assert_eq!(engine.system::<Counter>().unwrap().0, 1);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn disable_system<S: System>(&mut self) -> Result<(), Error> {
        self.switch_system::<S>(false)
    }

    fn switch_system<S: System>(&mut self, is_enabled: bool) -> Result<(), Error> {
        match self.systems.set_enabled(TypeId::of::<S>(), is_enabled) {
            true => Ok(()),
            false => Err(SetupError::NotAdded { system: short_name::<S>() }.into()),
        }
    }

    /// Declares the order of the set `Set`, its conditions, and the sets around it. Repeated calls add to the earlier
    /// ones. Systems join a set by [`Setup::in_set`](crate::Setup::in_set), before or after this call.
    ///
    /// # Errors
    /// [`SetupError::Condition`] if a condition does not only read.
    ///
    /// The set does not change then. The next frame also reports the errors of [`Engine::order`].
    ///
    /// # Example
    /// ```
    /// use ecs::prelude::*;
    ///
    /// struct Input;
    /// struct Physics;
    ///
    /// struct Fall;
    /// impl System for Fall {
    ///     fn setup(setup: &mut Setup<Self>) {
    ///         setup.in_set::<Physics>().update(|_: &mut Self, mut log: ResMut<Vec<&str>>| log.push("fall"));
    ///     }
    /// }
    ///
    /// struct ReadKeys;
    /// impl System for ReadKeys {
    ///     fn setup(setup: &mut Setup<Self>) {
    ///         setup.in_set::<Input>().update(|_: &mut Self, mut log: ResMut<Vec<&str>>| log.push("read keys"));
    ///     }
    /// }
    ///
    /// let mut engine = Engine::new();
    /// engine.insert_resource(Vec::<&str>::new());
    /// engine.add(Fall)?.add(ReadKeys)?.configure_set::<Physics>(|set| set.after_type::<Input>())?;
    /// engine.update(std::time::Duration::ZERO)?;
    /// assert_eq!(*engine.resource::<Vec<&str>>().unwrap(), ["read keys", "fall"]);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn configure_set<Set: 'static>(
        &mut self,
        declare: impl FnOnce(&mut SetSetup) -> &mut SetSetup,
    ) -> Result<&mut Self, Error> {
        self.systems.configure_set::<Set>(&mut self.world, declare)?;
        Ok(self)
    }

    /// Adds a state machine: the resource [`CurrentState`](crate::system::CurrentState) with its current state, and the
    /// resource [`NextState`](crate::system::NextState) for requests.
    ///
    /// When a frame begins, before step 1, each machine makes the transition that was requested of it, if the table of
    /// its states allows it. Systems with methods for it are called ([`Setup::on_enter`](crate::Setup::on_enter),
    /// [`Setup::on_exit`](crate::Setup::on_exit)), and their commands are applied. So in the whole frame the state is
    /// the same, and its entities are there. In the first frame, the methods for entering the first state are called.
    /// Loading and restoring call no methods.
    ///
    /// Both resources are part of snapshots and saves. Saves hold states by their `Debug` text, and find them in the
    /// table of transitions.
    ///
    /// # Errors
    /// - [`SetupError::StateMachineAlreadyAdded`] if there is a machine of these states.
    /// - [`SetupError::Types`] if the resources cannot be registered: another type has their name.
    ///
    /// # Example
    /// ```
    /// use std::time::Duration;
    /// use ecs::prelude::*;
    /// use ecs::state_machine::{State, StateMachine};
    /// use ecs::system::condition::in_state;
    /// use ecs::system::{CurrentState, NextState};
    ///
    /// #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    /// enum Screen { Menu, Playing }
    ///
    /// impl State for Screen {
    ///     const TRANSITIONS: &'static [(Self, Self)] = &[(Screen::Menu, Screen::Playing), (Screen::Playing, Screen::Menu)];
    /// }
    ///
    /// struct Ball;
    /// struct Game;
    ///
    /// impl System for Game {
    ///     fn setup(setup: &mut Setup<Self>) {
    ///         setup.on_enter(Screen::Playing, |_: &mut Self, mut commands: Commands| commands.spawn((Ball,)));
    ///         setup.run_if(in_state(Screen::Playing)).update(|_: &mut Self, balls: Query<&Ball>| assert_eq!(balls.count(), 1));
    ///     }
    /// }
    ///
    /// let mut engine = Engine::new();
    /// engine.add_state_machine(StateMachine::new(Screen::Menu))?.add(Game)?;
    /// engine.update(Duration::ZERO)?;
    /// engine.resource_mut::<NextState<Screen>>().unwrap().change(Screen::Playing);
    /// engine.update(Duration::ZERO)?;
    /// assert_eq!(engine.resource::<CurrentState<Screen>>().unwrap().current(), Screen::Playing);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn add_state_machine<S: State + Send + Sync>(
        &mut self,
        machine: StateMachine<S, MAX_PAUSED>,
    ) -> Result<&mut Self, Error> {
        self.systems.machines.add(machine, &mut self.world, &mut self.snapshots.types)?;
        Ok(self)
    }

    /// Enables all systems and functions of the set `Set`, including those of the sets in it.
    ///
    /// # Errors
    /// - [`SetupError::NotAdded`] if there is no such set.
    /// - As [`Engine::order`].
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    ///
    /// struct Physics;
    ///
    /// let mut engine = Engine::new();
    /// engine.insert_resource(0_u32);
    /// engine.add((|mut runs: ResMut<u32>| *runs += 1).in_set::<Physics>())?;
    /// engine.disable_set::<Physics>()?;
    /// engine.update(Duration::ZERO)?;
    /// engine.enable_set::<Physics>()?;
    /// engine.update(Duration::ZERO)?;
    /// assert_eq!(*engine.resource::<u32>().unwrap(), 1);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn enable_set<Set: 'static>(&mut self) -> Result<(), Error> {
        self.switch_set::<Set>(true)
    }

    /// Disables all systems and functions of the set `Set`, including those of the sets in it: they do not run and
    /// receive no events.
    ///
    /// # Errors
    /// As [`Engine::enable_set`].
    ///
    /// # Example
    /// See [`Engine::enable_set`].
    pub fn disable_set<Set: 'static>(&mut self) -> Result<(), Error> {
        self.switch_set::<Set>(false)
    }

    fn switch_set<Set: 'static>(&mut self, is_enabled: bool) -> Result<(), Error> {
        self.order()?;
        match self.systems.set_members_enabled(TypeId::of::<Set>(), is_enabled) {
            true => Ok(()),
            false => Err(SetupError::NotAdded { system: short_name::<Set>() }.into()),
        }
    }

    /// Sets the priority of the system `S`; the systems are ordered again when the next frame begins.
    ///
    /// # Errors
    /// - [`SetupError::NotAdded`]
    ///
    /// # Example
    /// See [`Setup::priority`](crate::Setup::priority).
    pub fn set_priority<S: System>(&mut self, priority: Priority) -> Result<(), Error> {
        Ok(self.systems.set_priority::<S>(priority)?)
    }

    /// Runs the system `S` once in every `interval` from now on; zero is every frame.
    ///
    /// # Errors
    /// - [`SetupError::NotAdded`]
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// # struct Counter(u32);
    /// # impl System for Counter {
    /// #     fn setup(setup: &mut Setup<Self>) {
    /// #         setup.update(|counter: &mut Self| counter.0 += 1);
    /// #     }
    /// # }
    /// let mut engine = Engine::new();
    /// engine.add(Counter(0))?.run_every::<Counter>(Duration::from_millis(25))?;
    /// for _ in 0..10 {
    ///     engine.update(Duration::from_millis(10))?;
    /// }
    /// assert_eq!(engine.system::<Counter>().unwrap().0, 4); // 100 ms: nothing drifts.
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn run_every<S: System>(&mut self, interval: Duration) -> Result<(), Error> {
        Ok(self.systems.set_timer::<S>(Timer::every(interval))?)
    }

    /// Runs the system `S` once, in the first frame that ends `delay` or more from now, and then never again.
    ///
    /// # Errors
    /// - [`SetupError::NotAdded`]
    ///
    /// # Example
    /// See [`Setup::once_after`](crate::Setup::once_after).
    pub fn run_once_after<S: System>(&mut self, delay: Duration) -> Result<(), Error> {
        Ok(self.systems.set_timer::<S>(Timer::once_after(delay))?)
    }

    /// Which systems are enabled.
    ///
    /// # Example
    /// See [`Engine::set_work_state`].
    #[must_use]
    pub fn work_state(&self) -> WorkState {
        self.systems.work_state()
    }

    /// Enables and disables the systems and functions that `state` names. Functions that were dropped since are
    /// ignored.
    ///
    /// # Errors
    /// - [`SetupError::NotAdded`] if it names an unknown system; nothing was changed.
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// # struct Counter(u32);
    /// # impl System for Counter {
    /// #     fn setup(setup: &mut Setup<Self>) {
    /// #         setup.update(|counter: &mut Self| counter.0 += 1);
    /// #     }
    /// # }
    /// # let mut engine = Engine::new();
    /// # engine.add(Counter(0))?;
    /// let playing = engine.work_state();
    /// engine.set_work_state(&playing.clone().all_disabled())?; // A pause.
    /// engine.update(Duration::ZERO)?;
    /// engine.set_work_state(&playing)?;
    /// engine.update(Duration::ZERO)?;
    /// assert_eq!(engine.system::<Counter>().unwrap().0, 1);
    /// # Ok::<(), ecs::Error>(())
    /// ```
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

/// A simulation may have any system.
fn accept(_: &SystemNode, _: &World) -> Result<(), SetupError> {
    Ok(())
}
