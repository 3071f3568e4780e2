//! Plain functions as systems: called in a phase, repeatedly or once, and removed when they have ended.

use std::marker::PhantomData;
use std::time::Duration;

use super::condition::{Condition, RunIf};
use super::method::IfCalled;
use super::node::{Dependency, Phase, SystemNode};
use super::timer::{CatchUp, Timer};
use super::{
    Function, FunctionId, MethodOutput, Param, Priority, RepeatableFunction, Setup, SetupError, SystemInfo,
    SystemManager, SystemMethod,
};
use crate::entity::EntityId;
use crate::type_map::short_name;
use crate::world::World;

/// When a plain function runs, and its place in the execution order; for
/// [`Engine::add_function`](crate::Engine::add_function).
#[derive(Clone, Debug)]
pub struct Timing {
    pub(crate) timer: Timer,
    pub(crate) catch_up: CatchUp,
    pub(crate) priority: Priority,
    pub(crate) after: Vec<Dependency>,
    pub(crate) before: Vec<Dependency>,
    pub(crate) sets: Vec<Dependency>,
    pub(crate) conditions: Vec<RunIf>,
    pub(crate) phase: Phase,
    /// The entity of an observer.
    pub(crate) observed: Option<EntityId>,
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
            observed: None,
        }
    }

    /// Once in every `interval`, without drift; zero is every frame.
    #[must_use]
    pub fn every(interval: Duration) -> Self {
        Self::new(Timer::every(interval))
    }

    /// In every frame.
    #[must_use]
    pub fn every_frame() -> Self {
        Self::every(Duration::ZERO)
    }

    /// Once, in the first frame that ends at least `delay` from now.
    #[must_use]
    pub fn once_after(delay: Duration) -> Self {
        Self::new(Timer::once_after(delay))
    }

    /// For a function that observes an entity.
    pub(crate) fn of_observer(entity: EntityId) -> Self {
        Self { observed: Some(entity), ..Self::every(Duration::ZERO) }
    }

    /// What the function does in a frame that spans several intervals; [`CatchUp::Sum`] by default.
    #[must_use]
    pub fn catch_up(mut self, catch_up: CatchUp) -> Self {
        self.catch_up = catch_up;
        self
    }

    /// Runs before systems of a lower priority that are ready at the same time.
    #[must_use]
    pub fn priority(mut self, priority: Priority) -> Self {
        self.priority = priority;
        self
    }

    /// Runs after `Other`, which is a system or a set, whatever the priorities.
    #[must_use]
    pub fn after<Other: 'static>(mut self) -> Self {
        self.after.push(Dependency::of::<Other>());
        self
    }

    /// Runs before `Other`, which is a system or a set, whatever the priorities.
    #[must_use]
    pub fn before<Other: 'static>(mut self) -> Self {
        self.before.push(Dependency::of::<Other>());
        self
    }

    /// Runs before all updates instead of among them.
    #[must_use]
    pub fn in_pre_update(mut self) -> Self {
        self.phase = Phase::PreUpdate;
        self
    }

    /// Runs after all updates instead of among them.
    #[must_use]
    pub fn in_post_update(mut self) -> Self {
        self.phase = Phase::PostUpdate;
        self
    }

    /// Joins the set `Set`; as [`Setup::in_set`](crate::Setup::in_set). Functions are ordered among each other by their
    /// sets.
    #[must_use]
    pub fn in_set<Set: 'static>(mut self) -> Self {
        self.sets.push(Dependency::of::<Set>());
        self
    }

    /// Runs only in frames in which `condition` holds; as [`Setup::run_if`](crate::Setup::run_if).
    #[must_use]
    pub fn run_if<M: 'static>(mut self, condition: impl Condition<M>) -> Self {
        self.conditions.push(RunIf::new(condition));
        self
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
    Setup::of_function::<OfFunction<M>>(Once(Some(function)), short_name::<F>(), CallFunction, timing, world)
}

/// The system that calls `function` repeatedly.
pub(crate) fn repeated<M: 'static, F>(function: F, timing: Timing, world: &mut World) -> Result<SystemNode, SetupError>
where
    F: RepeatableFunction<M>,
{
    Setup::of_function::<OfFunction<M>>(Repeated(function), short_name::<F>(), CallFunction, timing, world)
}

impl SystemManager {
    /// The function, unless it has ended or was cancelled.
    #[must_use]
    pub fn function(&self, function: FunctionId) -> Option<SystemInfo> {
        self.functions.get(function.key).map(|index| self.nodes[*index].info())
    }

    pub(crate) fn add_function(&mut self, mut node: SystemNode, world: &mut World) -> FunctionId {
        let key = self.functions.insert(self.nodes.len());
        node.function = Some(key);
        let name = node.name;
        self.push_listening(node, world);
        FunctionId { key, name }
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

    /// Whether there is a function, including cancelled ones that were not removed.
    pub(crate) fn has_functions(&self) -> bool {
        self.nodes.len() > self.by_type.len()
    }

    /// Cancels the observers of entities that are gone.
    pub(crate) fn cancel_observers(&mut self, world: &World) {
        for system in 0..self.nodes.len() {
            let SystemNode { function, observed, .. } = self.nodes[system];
            if let (Some(key), Some(entity)) = (function, observed)
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
            } else {
                self.by_type.remove(&node.system);
            }
            tracing::info!(target: "ecs::system", system = node.name, "over");
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
