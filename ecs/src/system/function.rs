//! Plain functions as systems: called in a phase, repeatedly or once, and removed when they have ended.

use std::any::TypeId;
use std::marker::PhantomData;
use std::time::Duration;

use super::condition::RunIf;
use super::method::IfCalled;
use super::node::{Dependency, Phase, SystemNode};
use super::states::TransitionHook;
use super::timer::{CatchUp, Timer};
use super::{
    Function, FunctionId, MethodOutput, Param, Priority, RepeatableFunction, Setup, SetupError, SystemInfo,
    SystemManager, SystemMethod,
};
use crate::entity::EntityId;
#[cfg(feature = "serde")]
use crate::ids::FunctionKey;
use crate::world::World;

/// When a system or function runs, and its place in the execution order.
#[derive(Clone)]
pub(crate) struct Timing {
    pub(crate) timer: Timer,
    pub(crate) catch_up: CatchUp,
    pub(crate) priority: Priority,
    pub(crate) after: Vec<Dependency>,
    pub(crate) before: Vec<Dependency>,
    pub(crate) sets: Vec<Dependency>,
    pub(crate) conditions: Vec<RunIf>,
    pub(crate) phase: Phase,
    /// Only the calling thread runs it.
    pub(crate) is_pinned: bool,
    /// The transition that calls a function instead of a phase.
    pub(crate) hook: Option<TransitionHook>,
    /// The entity with which a listener ends.
    pub(crate) ends_with: Option<BoundTo>,
}

/// The entity with which a listener ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BoundTo {
    pub(crate) entity: EntityId,
    /// It hears the events that concern the entity, and no others.
    pub(crate) is_observed: bool,
}

impl Timing {
    pub(crate) fn new(timer: Timer) -> Self {
        Self {
            timer,
            catch_up: CatchUp::default(),
            priority: Priority::default(),
            after: Vec::new(),
            before: Vec::new(),
            sets: Vec::new(),
            conditions: Vec::new(),
            phase: Phase::Update,
            is_pinned: false,
            hook: None,
            ends_with: None,
        }
    }

    /// Once in every `interval`; zero is every frame.
    pub(crate) fn every(interval: Duration) -> Self {
        Self::new(Timer::every(interval))
    }

    /// For a function that observes an entity.
    pub(crate) fn of_observer(entity: EntityId) -> Self {
        Self { ends_with: Some(BoundTo { entity, is_observed: true }), ..Self::every(Duration::ZERO) }
    }

    /// For a listener to all events of its type that ends with an entity.
    pub(crate) fn while_exists(entity: EntityId) -> Self {
        Self { ends_with: Some(BoundTo { entity, is_observed: false }), ..Self::every(Duration::ZERO) }
    }
}

/// The settings of a system or function by the methods of [`Configure`](super::Configure).
#[derive(Clone, Default)]
pub(super) struct Settings {
    pub(super) timer: Option<Timer>,
    pub(super) catch_up: Option<CatchUp>,
    pub(super) priority: Option<Priority>,
    pub(super) after: Vec<Dependency>,
    pub(super) before: Vec<Dependency>,
    pub(super) sets: Vec<Dependency>,
    pub(super) conditions: Vec<RunIf>,
    pub(super) phase: Option<Phase>,
    pub(super) is_pinned: bool,
    pub(super) hooks: Vec<TransitionHook>,
}

impl Settings {
    /// Whether nothing is set that saves do not hold: timers and priorities they do.
    pub(super) fn are_none(&self) -> bool {
        let Self { after, before, sets, conditions, phase, is_pinned, hooks, .. } = self;
        let are_listed = [after, before, sets].iter().any(|list| !list.is_empty());
        !are_listed && conditions.is_empty() && phase.is_none() && !is_pinned && hooks.is_empty()
    }

    /// Adds these settings to `timing`; those that exclude each other replace it.
    pub(super) fn over(self, mut timing: Timing) -> Timing {
        timing.timer = self.timer.unwrap_or(timing.timer);
        timing.catch_up = self.catch_up.unwrap_or(timing.catch_up);
        timing.priority = self.priority.unwrap_or(timing.priority);
        timing.after.extend(self.after);
        timing.before.extend(self.before);
        timing.sets.extend(self.sets);
        timing.conditions.extend(self.conditions);
        timing.phase = self.phase.unwrap_or(timing.phase);
        timing.is_pinned |= self.is_pinned;
        timing.hook = self.hooks.into_iter().next().or(timing.hook);
        timing
    }
}

/// A function that runs at most once.
#[derive(Clone)]
pub(crate) struct Once<F>(pub(crate) Option<F>);

/// A function that runs repeatedly.
#[derive(Clone)]
pub(crate) struct Repeated<F>(pub(crate) F);

/// The only method of a system whose state is a function.
pub(super) struct CallFunction;

/// Distinguishes the markers of the methods and listeners of such systems from those of others.
pub(super) struct OfFunction<M>(PhantomData<fn(M)>);

impl<F, M: 'static> SystemMethod<Once<F>, OfFunction<M>> for CallFunction
where
    F: Function<M, Output: MethodOutput>,
{
    type Params = F::Params;
    type Output = IfCalled<F::Output>;

    fn call(&self, state: &mut Once<F>, params: <F::Params as Param>::Item<'_>) -> Self::Output {
        IfCalled(state.0.take().map(|function| function.call(params)))
    }
}

impl<F, M: 'static> SystemMethod<Repeated<F>, OfFunction<M>> for CallFunction
where
    F: RepeatableFunction<M>,
{
    type Params = F::Params;
    type Output = F::Output;

    fn call(&self, state: &mut Repeated<F>, params: <F::Params as Param>::Item<'_>) -> F::Output {
        state.0.call(params)
    }
}

/// The system that calls `function` once.
pub(crate) fn once<M: 'static, F>(function: F, timing: Timing, world: &mut World) -> Result<SystemNode, SetupError>
where
    F: Function<M, Output: MethodOutput> + Send + 'static,
{
    Setup::of_function::<OfFunction<M>>(Once(Some(function)), Dependency::of::<F>(), CallFunction, timing, world)
}

/// The system that calls `function` repeatedly.
pub(crate) fn repeated<M: 'static, F>(function: F, timing: Timing, world: &mut World) -> Result<SystemNode, SetupError>
where
    F: RepeatableFunction<M>,
{
    Setup::of_function::<OfFunction<M>>(Repeated(function), Dependency::of::<F>(), CallFunction, timing, world)
}

impl SystemManager {
    /// The function, unless it has ended or was cancelled.
    #[must_use]
    pub fn function(&self, function: FunctionId) -> Option<SystemInfo> {
        self.functions.get(function.key).map(|index| self.nodes[*index].info())
    }

    /// The functions that were added of `function` and have not ended, in the order of adding; also those that listen.
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// fn count(mut counts: ResMut<u32>) {
    ///     *counts += 1;
    /// }
    ///
    /// let mut engine = Engine::new();
    /// engine.insert_resource(0_u32);
    /// engine.add((count, count.every(Duration::from_secs(9))))?;
    /// let each_frame = engine.systems().ids_of(count).next().unwrap();
    /// engine.cancel(each_frame);
    /// engine.update(Duration::ZERO)?;
    /// assert_eq!(*engine.resource::<u32>().unwrap(), 0);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn ids_of<F: 'static>(&self, _function: F) -> impl Iterator<Item = FunctionId> + use<'_, F> {
        let nodes = self.nodes.iter().filter(|node| node.label == TypeId::of::<F>());
        nodes.filter_map(|node| {
            let key = node.function.filter(|key| self.functions.contains_key(*key))?;
            Some(FunctionId { key, name: node.name })
        })
    }

    pub(crate) fn add_function(&mut self, mut node: SystemNode, world: &mut World) -> FunctionId {
        let key = self.functions.insert(self.nodes.len());
        node.function = Some(key);
        node.is_of_setup = !self.has_begun;
        let name = node.name;
        self.push_listening(node, world);
        FunctionId { key, name }
    }

    /// The settings of a function of the set-up that has ended, whose timer is over.
    #[cfg(feature = "serde")]
    pub(crate) fn ended_of_setup(&self, key: FunctionKey, system: TypeId) -> Option<Timing> {
        self.ended_of_setup.get(&key).filter(|(of, _)| *of == system).map(|(_, timing)| timing.clone())
    }

    /// Enables or disables a function. Returns whether there is one.
    pub(crate) fn set_function_enabled(&mut self, function: FunctionId, is_enabled: bool) -> bool {
        let Some(index) = self.functions.get(function.key) else { return false };
        self.set_node_enabled(*index, is_enabled);
        true
    }

    /// Which functions are enabled.
    pub(super) fn function_states(&self) -> impl Iterator<Item = (FunctionId, bool)> {
        self.functions.iter().map(|(key, index)| {
            let node = &self.nodes[*index];
            (FunctionId { key, name: node.name }, node.run_state.is_enabled())
        })
    }

    /// Cancels a function. It is removed once none of its events and commands wait. Returns whether there was one.
    pub(crate) fn cancel(&mut self, function: FunctionId) -> bool {
        let Some(index) = self.functions.remove(function.key) else { return false };
        self.set_node_enabled(index, false);
        self.set_node_timer(index, Timer::over());
        true
    }

    /// The number of functions that were cancelled and not removed.
    pub(crate) fn cancelled(&self) -> usize {
        self.nodes.len() - self.by_type.len() - self.functions.len()
    }

    /// Whether there is a function, including cancelled ones that were not removed.
    pub(crate) fn has_functions(&self) -> bool {
        self.nodes.len() > self.by_type.len()
    }

    /// Cancels the listeners that end with entities that are gone.
    pub(crate) fn cancel_observers(&mut self, world: &World) {
        self.list_what_ends();
        for place in 0..self.bound.len() {
            let (system, entity) = self.bound[place];
            if let Some(key) = self.nodes[system].function
                && !world.contains(entity)
            {
                self.cancel(FunctionId { key, name: "" });
            }
        }
    }

    /// Removes the systems and functions at places in the list of systems, ascending; those behind them move up.
    /// Returns them.
    ///
    /// # Complexity
    /// O(n log m) for n systems, of which m go.
    pub(crate) fn remove_nodes(&mut self, places: &[usize], world: &mut World) -> Vec<SystemNode> {
        let mut place = 0..;
        let is_gone = |system: usize| places.binary_search(&system).is_ok();
        let removed: Vec<_> = self.nodes.extract_if(.., |_| place.next().is_some_and(is_gone)).collect();
        for node in &removed {
            if let Some(key) = node.function {
                self.functions.remove(key);
                #[cfg(feature = "serde")]
                if node.is_of_setup {
                    self.ended_of_setup.insert(key, (node.system, node.timing()));
                }
            } else {
                self.by_type.remove(&node.system);
            }
            tracing::debug!(target: "ecs::system", system = node.name, "over");
        }
        // All other places are computed from these before they are used.
        let move_up = |index: &mut usize| *index = behind_removal(*index, places);
        self.by_type.values_mut().for_each(move_up);
        self.functions.values_mut().for_each(move_up);
        self.order.retain(|placed| !is_gone(placed.system));
        self.order.iter_mut().for_each(|placed| move_up(&mut placed.system));
        self.move_state_systems(|system| (!is_gone(system)).then(|| behind_removal(system, places)));
        self.note_change();
        if removed.iter().any(|node| !node.listens.is_empty()) {
            self.note_listeners(world);
        }
        removed
    }
}

/// The place of a system that stays when the systems at `places` are removed.
pub(crate) fn behind_removal(system: usize, places: &[usize]) -> usize {
    system - places.partition_point(|place| *place < system)
}
