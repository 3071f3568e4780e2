//! State machines of an engine: the current state, requests for another one, and the methods of systems that a
//! transition calls.

use std::any::{Any, TypeId};
use std::ops::Deref;
use std::sync::Arc;

use super::SetupError;
use super::condition::Condition;
use crate::error::SnapshotError;
use crate::query::Access;
use crate::resources::Res;
use crate::state_machine::{Hook, Next, State, StateMachine};
use crate::type_map::{TypeMap, short_name};
use crate::types::TypeRegistry;
use crate::world::World;

/// The most paused states of a machine of an engine.
pub const MAX_PAUSED: usize = 8;

/// The state machine of an engine: a resource, which dereferences to the [`StateMachine`]. Only the engine changes it,
/// by the requests in [`NextState`].
#[derive(Clone)]
pub struct CurrentState<S> {
    machine: StateMachine<S, MAX_PAUSED>,
    /// The methods for entering the first state were called.
    has_begun: bool,
}

// A resource of any states.
impl<S> Unpin for CurrentState<S> {}

impl<S> Deref for CurrentState<S> {
    type Target = StateMachine<S, MAX_PAUSED>;

    fn deref(&self) -> &Self::Target {
        &self.machine
    }
}

/// The transition that is requested of a state machine: a resource, written by systems, listeners, or between frames.
/// The engine makes the transition when the next frame begins. Of several requests, the last one counts.
///
/// # Example
/// ```
/// use std::time::Duration;
/// use ecs::prelude::*;
/// use ecs::state_machine::{Next, State, StateMachine};
///
/// #[derive(Clone, Copy, Debug, PartialEq, Eq)]
/// enum Screen { Playing, Paused }
/// use Screen::{Paused, Playing};
///
/// impl State for Screen {
///     const TRANSITIONS: &'static [(Self, Self)] = &[(Playing, Paused), (Paused, Playing)];
/// }
///
/// let mut engine = Engine::new();
/// engine.add_state_machine(StateMachine::new(Playing))?;
/// let next = engine.resource_mut::<NextState<Screen>>().unwrap();
/// next.change(Paused);
/// next.push(Paused);
/// assert_eq!(*next.requested(), Next::Push(Paused));
/// engine.update(Duration::ZERO)?;
/// assert_eq!(engine.resource::<CurrentState<Screen>>().unwrap().current(), Paused);
/// engine.resource_mut::<NextState<Screen>>().unwrap().pop();
/// engine.update(Duration::ZERO)?;
/// assert_eq!(engine.resource::<CurrentState<Screen>>().unwrap().current(), Playing);
/// # Ok::<(), ecs::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct NextState<S>(Next<S>);

// A resource of any states.
impl<S> Unpin for NextState<S> {}

impl<S> NextState<S> {
    /// Requests a transition.
    ///
    /// # Example
    /// See [`NextState`].
    pub fn set(&mut self, next: Next<S>) {
        self.0 = next;
    }

    /// Requests that `state` replaces the current state.
    ///
    /// # Example
    /// See [`NextState`].
    pub fn change(&mut self, state: S) {
        self.set(Next::Change(state));
    }

    /// Requests that the current state is paused, and `state` runs on top of it.
    ///
    /// # Example
    /// See [`NextState`].
    pub fn push(&mut self, state: S) {
        self.set(Next::Push(state));
    }

    /// Requests that the current state ends, and the last paused one resumes.
    ///
    /// # Example
    /// See [`NextState`].
    pub fn pop(&mut self) {
        self.set(Next::Pop);
    }

    /// The request; [`Next::Stay`] if there is none.
    ///
    /// # Example
    /// See [`NextState`].
    #[must_use]
    pub fn requested(&self) -> &Next<S> {
        &self.0
    }
}

/// The condition that [`in_state`] makes.
#[derive(Clone, Copy, Debug)]
pub struct InState<S>(S);

/// Holds while `state` is the current state: `setup.run_if(in_state(Screen::Playing))`. It does not hold while the
/// state is paused.
pub fn in_state<S: State + Send + Sync>(state: S) -> InState<S> {
    InState(state)
}

impl<S: State + Send + Sync> Condition<InState<S>> for InState<S> {
    type Params = Res<'static, CurrentState<S>>;

    fn holds(&self, current: Res<'_, CurrentState<S>>) -> bool {
        current.current() == self.0
    }

    fn name(&self) -> String {
        format!("in state {:?}", self.0)
    }
}

/// A [`Hook`] of states of any type.
#[derive(Clone)]
pub(crate) struct TransitionHook {
    /// The type of the states, and its name.
    states: (TypeId, &'static str),
    hook: Arc<dyn Any + Send + Sync>,
    are_equal: fn(&dyn Any, &dyn Any) -> bool,
}

impl TransitionHook {
    pub(super) fn new<S: State + Send + Sync>(hook: Hook<S>) -> Self {
        let are_equal =
            |one: &dyn Any, other: &dyn Any| one.downcast_ref::<Hook<S>>() == other.downcast_ref::<Hook<S>>();
        Self { states: (TypeId::of::<S>(), short_name::<S>()), hook: Arc::new(hook), are_equal }
    }

    fn is(&self, other: &dyn Any) -> bool {
        (self.are_equal)(&*self.hook, other)
    }
}

impl PartialEq for TransitionHook {
    fn eq(&self, other: &Self) -> bool {
        self.is(&*other.hook)
    }
}

/// A method of a system that a transition calls.
pub(crate) struct StateMethod {
    pub(super) hook: TransitionHook,
    pub(crate) access: Access,
}

impl StateMethod {
    pub(super) fn is_called_for(&self, hook: &dyn Any) -> bool {
        self.hook.is(hook)
    }

    /// Name of the type of the states.
    #[cfg(feature = "inspect")]
    pub(super) fn states(&self) -> &'static str {
        self.hook.states.1
    }
}

/// A state machine of any type.
pub(crate) struct Machine {
    pub(super) name: &'static str,
    /// Inserts the resources that are missing.
    prepare: Box<dyn Fn(&mut World) + Send + Sync>,
    pub(super) step: Step,
}

/// Makes the requested transition. Calls the function with each [`Hook`] of the first state and of the transition;
/// returns why the transition was refused.
type Step = fn(&mut World, &mut dyn FnMut(&dyn Any, &mut World)) -> Result<(), String>;

fn step<S: State + Send + Sync>(world: &mut World, call: &mut dyn FnMut(&dyn Any, &mut World)) -> Result<(), String> {
    let begins =
        world.resource::<CurrentState<S>>().filter(|current| !current.has_begun).map(|current| current.current());
    // Only then is it borrowed for writing, which counts as a change.
    if let Some(first) = begins
        && let Some(current) = world.resource_mut::<CurrentState<S>>()
    {
        current.has_begun = true;
        call(&Hook::Entered(first), world);
    }
    if world.resource::<NextState<S>>().is_none_or(|next| next.0 == Next::Stay) {
        return Ok(());
    }
    let Some(NextState(next)) = world.resource_mut().map(|next| std::mem::replace(next, NextState(Next::Stay))) else {
        return Ok(());
    };
    let Some(current) = world.resource_mut::<CurrentState<S>>() else { return Ok(()) };
    let hooks = current.machine.step(next).map_err(|refused| refused.to_string())?;
    hooks.for_each(|hook| call(&hook, world));
    Ok(())
}

/// The state machines of an engine, in the order of adding.
#[derive(Default)]
pub(crate) struct Machines {
    pub(super) all: Vec<Machine>,
    /// The places of the machines by their states.
    by_states: TypeMap<usize>,
}

impl Machines {
    /// # Errors
    /// [`SetupError::StateMachineAlreadyAdded`] and [`SetupError::Types`].
    pub(crate) fn add<S: State + Send + Sync>(
        &mut self,
        machine: StateMachine<S, MAX_PAUSED>,
        world: &mut World,
        types: &mut TypeRegistry,
    ) -> Result<(), SetupError> {
        let (states, name) = (TypeId::of::<S>(), short_name::<S>());
        if self.by_states.contains_key(&states) {
            return Err(SetupError::StateMachineAlreadyAdded { states: name });
        }
        types.add_states::<S>().map_err(|error| SetupError::Types { system: name, error })?;
        let prepare = move |world: &mut World| {
            if world.resource::<CurrentState<S>>().is_none() {
                world.resources.replace(Some(CurrentState { machine, has_begun: false }));
            }
            if world.resource::<NextState<S>>().is_none() {
                world.resources.replace(Some(NextState::<S>(Next::Stay)));
            }
        };
        prepare(world);
        self.by_states.insert(states, self.all.len());
        self.all.push(Machine { name, prepare: Box::new(prepare), step: step::<S> });
        Ok(())
    }

    /// Inserts resources that are missing, for example after a save was loaded that is older than the machine.
    pub(super) fn prepare(&self, world: &mut World) {
        self.all.iter().for_each(|machine| (machine.prepare)(world));
    }

    /// The place of the machine whose transitions call a method.
    pub(super) fn find(&self, method: &StateMethod) -> Option<usize> {
        self.by_states.get(&method.hook.states.0).copied()
    }

    /// # Errors
    /// [`SetupError::UnknownStates`] if a method is called for states of which there is no machine.
    pub(super) fn check(&self, system: &'static str, methods: &[StateMethod]) -> Result<(), SetupError> {
        match methods.iter().find(|method| self.find(method).is_none()) {
            Some(method) => Err(SetupError::UnknownStates { system, states: method.hook.states.1 }),
            None => Ok(()),
        }
    }
}

impl TypeRegistry {
    /// Registers the resources of a machine, unless the application has done so. States are saved by their `Debug`
    /// text.
    fn add_states<S: State + Send + Sync>(&mut self) -> Result<(), SnapshotError> {
        let name = short_name::<S>();
        if self.resources.of(TypeId::of::<CurrentState<S>>()).is_none() {
            let hash = |current: &CurrentState<S>, hash: &mut crate::stable_hash::StateHasher| {
                hash.printed(&current.machine).add(&current.has_begun);
            };
            self.resource_by::<CurrentState<S>>(&format!("ecs state {name}"), hash)?;
            #[cfg(feature = "serde")]
            self.save_with_text::<CurrentState<S>>(1)?;
        }
        if self.resources.of(TypeId::of::<NextState<S>>()).is_none() {
            self.resource_by::<NextState<S>>(&format!("ecs next state {name}"), |next, hash| {
                _ = hash.printed(&next.0)
            })?;
            #[cfg(feature = "serde")]
            self.save_with_text::<NextState<S>>(1)?;
        }
        Ok(())
    }
}

#[cfg(feature = "serde")]
mod saved {
    //! States in saves: by their `Debug` text, which is found again in the table of transitions. A state whose text
    //! does not lead back to it is not saved.

    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::{Error as _, Serialize, Serializer};

    use super::{CurrentState, NextState};
    use crate::state_machine::{Next, State, StateMachine};
    use crate::type_map::short_name;

    fn named<S: State>(text: &str) -> Result<S, String> {
        let mut known = S::TRANSITIONS.iter().flat_map(|(from, to)| [*from, *to]);
        known
            .find(|state| format!("{state:?}") == text)
            .ok_or_else(|| format!("no transition of {} names a state `{text}`", short_name::<S>()))
    }

    /// The text of a state in a save.
    fn text_of<S: State>(state: S) -> Result<String, String> {
        let text = format!("{state:?}");
        match named::<S>(&text)? == state {
            true => Ok(text),
            false => Err(format!("two states of {} print as `{text}`", short_name::<S>())),
        }
    }

    impl<S: State> Serialize for CurrentState<S> {
        fn serialize<T: Serializer>(&self, serializer: T) -> Result<T::Ok, T::Error> {
            let text = |state| text_of::<S>(state).map_err(T::Error::custom);
            let paused = self.machine.paused().map(text).collect::<Result<Vec<_>, _>>()?;
            (text(self.machine.current())?, paused, self.has_begun).serialize(serializer)
        }
    }

    impl<'de, S: State> Deserialize<'de> for CurrentState<S> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let (current, paused, has_begun) = <(String, Vec<String>, bool)>::deserialize(deserializer)?;
            let named = |text: &String| named::<S>(text).map_err(D::Error::custom);
            let paused = paused.iter().rev().map(named).collect::<Result<Vec<S>, _>>()?;
            let machine = StateMachine::with_paused(named(&current)?, &paused);
            let full = || D::Error::custom(format!("{} states are paused, which is too many", paused.len()));
            Ok(Self { machine: machine.ok_or_else(full)?, has_begun })
        }
    }

    impl<S: State> Serialize for NextState<S> {
        fn serialize<T: Serializer>(&self, serializer: T) -> Result<T::Ok, T::Error> {
            let (kind, state) = match self.0 {
                Next::Stay => ("stay", None),
                Next::Change(state) => ("change", Some(state)),
                Next::ChangeAll(state) => ("change all", Some(state)),
                Next::Push(state) => ("push", Some(state)),
                Next::Pop => ("pop", None),
            };
            let text = state.map(text_of::<S>).transpose().map_err(T::Error::custom)?;
            (kind, text).serialize(serializer)
        }
    }

    impl<'de, S: State> Deserialize<'de> for NextState<S> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let (kind, state) = <(String, Option<String>)>::deserialize(deserializer)?;
            let state = state.map(|text| named::<S>(&text)).transpose().map_err(D::Error::custom)?;
            let next = match (&*kind, state) {
                ("stay", None) => Next::Stay,
                ("change", Some(state)) => Next::Change(state),
                ("change all", Some(state)) => Next::ChangeAll(state),
                ("push", Some(state)) => Next::Push(state),
                ("pop", None) => Next::Pop,
                _ => return Err(D::Error::custom(format!("`{kind}` is no transition"))),
            };
            Ok(Self(next))
        }
    }
}
