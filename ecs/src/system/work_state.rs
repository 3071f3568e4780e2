//! Which systems and functions are enabled: saved, restored, and changed by commands.

use std::any::TypeId;

use super::{FunctionId, Pending, System, SystemManager, SystemNode};
use crate::commands::{Commands, Switch};
use crate::error::CommandFailure;
use crate::type_map::short_name;

/// Which systems and functions are enabled: [`Engine::work_state`](crate::Engine::work_state) returns it,
/// [`Engine::set_work_state`](crate::Engine::set_work_state) applies it. It names systems by their type, so it stays
/// valid when the execution order changes or systems are added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkState {
    /// Type and name of each system, and whether it is enabled.
    pub(crate) systems: Vec<(TypeId, &'static str, bool)>,
    pub(crate) functions: Vec<(FunctionId, bool)>,
}

impl WorkState {
    /// Sets whether the system `S` is enabled.
    #[must_use]
    pub fn with<S: System>(mut self, is_enabled: bool) -> Self {
        let system = TypeId::of::<S>();
        match self.systems.iter_mut().find(|(known, ..)| *known == system) {
            Some((.., state)) => *state = is_enabled,
            None => self.systems.push((system, short_name::<S>(), is_enabled)),
        }
        self
    }

    /// Sets whether the systems and functions with this name, as in [`SystemInfo::name`](super::SystemInfo::name), are
    /// enabled; `None` if there are none.
    #[must_use]
    pub fn with_named(mut self, name: &str, is_enabled: bool) -> Option<Self> {
        let systems = self.systems.iter_mut().map(|(_, known, state)| (*known, state));
        let functions = self.functions.iter_mut().map(|(function, state)| (function.name, state));
        let mut named = systems.chain(functions).filter(|(known, _)| *known == name).peekable();
        named.peek()?;
        named.for_each(|(_, state)| *state = is_enabled);
        Some(self)
    }

    /// Disables all systems and functions but those with these names; those stay enabled or disabled.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// # fn eat() {}
    /// # fn sleep() {}
    /// # let mut engine = Engine::new();
    /// engine.add((eat, sleep))?;
    /// engine.set_work_state(&engine.work_state().with_only(["sleep"]))?;
    /// let explained = engine.explain()?;
    /// let enabled = explained.systems.iter().filter(|system| system.is_enabled);
    /// assert_eq!(enabled.map(|system| system.system).collect::<Vec<_>>(), ["sleep"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_only<'n>(mut self, names: impl IntoIterator<Item = &'n str>) -> Self {
        let names: Vec<&str> = names.into_iter().collect();
        let systems = self.systems.iter_mut().map(|(_, known, state)| (*known, state));
        let functions = self.functions.iter_mut().map(|(function, state)| (function.name, state));
        let others = systems.chain(functions).filter(|(known, _)| !names.contains(known));
        others.for_each(|(_, state)| *state = false);
        self
    }

    /// The same systems and functions, all of them enabled.
    #[must_use]
    pub fn all_enabled(self) -> Self {
        self.all(true)
    }

    /// The same systems and functions, all of them disabled.
    #[must_use]
    pub fn all_disabled(self) -> Self {
        self.all(false)
    }

    fn all(mut self, enabled: bool) -> Self {
        for (.., is_enabled) in &mut self.systems {
            *is_enabled = enabled;
        }
        for (_, is_enabled) in &mut self.functions {
            *is_enabled = enabled;
        }
        self
    }

    /// Whether the system `S` is enabled; `None` if the state does not name it.
    #[must_use]
    pub fn is_enabled<S: System>(&self) -> Option<bool> {
        self.systems.iter().find(|(system, ..)| *system == TypeId::of::<S>()).map(|(.., is_enabled)| *is_enabled)
    }
}

impl SystemManager {
    /// Checks that the system or function exists, and names it. Cancelling a function that has ended is no error. The
    /// command was recorded by the system or function at the place `of`, if it is one.
    pub(crate) fn check_switch(
        &self,
        switch: Switch,
        of: Option<usize>,
        pending: &Pending,
    ) -> Result<Switch, CommandFailure> {
        match switch {
            Switch::CancelSelf => match of.map(|of| &self.nodes[of]) {
                Some(&SystemNode { function: Some(key), name, .. }) => {
                    Ok(Switch::Cancel { function: FunctionId { key, name } })
                }
                Some(&SystemNode { system, name, .. }) => Ok(Switch::Remove { system, name }),
                None => Err(CommandFailure::NoSuchFunction { function: "Engine::run" }),
            },
            Switch::System { system, name, .. } | Switch::Remove { system, name }
                if self.find(system).is_none() && !pending.adds(system) =>
            {
                Err(CommandFailure::NoSuchSystem { system: name })
            }
            Switch::Function { function, .. } if self.function(function).is_none() => {
                Err(CommandFailure::NoSuchFunction { function: function.name })
            }
            _ => Ok(switch),
        }
    }

    /// Carries out the switch. Returns whether the system or function exists.
    pub(crate) fn switch(&mut self, switch: Switch) -> bool {
        match switch {
            Switch::System { system, enabled, .. } => self.set_enabled(system, enabled),
            Switch::Function { function, enabled } => self.set_function_enabled(function, enabled),
            Switch::Cancel { function } => self.cancel(function),
            Switch::Remove { .. } | Switch::CancelSelf => unreachable!("the executor removes systems"),
        }
    }
}

impl Commands<'_> {
    /// Enables the system `S` from the next frame on.
    ///
    /// # Example
    /// See [`Commands::disable_system`].
    pub fn enable_system<S: System>(&mut self) {
        self.switch(switch_system::<S>(true));
    }

    /// Disables the system `S`, including its listeners, from the next frame on.
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// /// Disables itself in its first run.
    /// struct Once(u32);
    ///
    /// impl System for Once {
    ///     fn setup(setup: &mut Setup<Self>) {
    ///         setup.update(|once: &mut Self, mut commands: Commands| {
    ///             once.0 += 1;
    ///             commands.disable_system::<Once>();
    ///         });
    ///     }
    /// }
    ///
    /// # let mut engine = Engine::new();
    /// # engine.add(Once(0))?;
    /// engine.update(Duration::ZERO)?;
    /// engine.update(Duration::ZERO)?;
    /// assert_eq!(engine.system::<Once>().unwrap().0, 1);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn disable_system<S: System>(&mut self) {
        self.switch(switch_system::<S>(false));
    }

    /// Removes the system `S` at the end of the frame and drops its state; see
    /// [`Engine::remove_system`](crate::Engine::remove_system).
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// /// Greets once and is gone.
    /// struct Greeting;
    ///
    /// impl System for Greeting {
    ///     fn setup(setup: &mut Setup<Self>) {
    ///         setup.update(|_: &mut Self, mut commands: Commands| commands.remove_system::<Self>());
    ///     }
    /// }
    ///
    /// # let mut engine = Engine::new();
    /// engine.add(Greeting)?;
    /// engine.update(Duration::ZERO)?;
    /// assert!(engine.system::<Greeting>().is_none());
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn remove_system<S: System>(&mut self) {
        self.switch(Switch::Remove { system: TypeId::of::<S>(), name: short_name::<S>() });
    }
}

fn switch_system<S: System>(enabled: bool) -> Switch {
    Switch::System { system: TypeId::of::<S>(), name: short_name::<S>(), enabled }
}
