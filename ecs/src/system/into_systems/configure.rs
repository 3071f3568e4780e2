//! The settings of systems and functions: order, timers, conditions, phases.

use std::time::Duration;

use super::{IntoSystems, Systems};
use crate::state_machine::{Hook, State};
use crate::system::Priority;
use crate::system::condition::{Condition, RunIf};
use crate::system::node::{Dependency, Phase};
use crate::system::states::TransitionHook;
use crate::system::timer::{CatchUp, Timer};

/// The settings of a system, a function or a tuple of these: its order, timer, conditions, phase and so on.
///
/// What has the form of one has these methods, so that the compiler names the parameter at fault, and not a method that
/// is missing.
#[diagnostic::on_unimplemented(
    message = "this is neither a system, nor a function that an engine can call, nor a tuple of these",
    label = "expected a struct with `impl System`, a function with up to 8 parameters, or one with an `&Event` and up to 8 more",
    note = "a tuple has up to 12 elements, and a tuple or a struct with `#[derive(Param)]` holds more parameters",
    note = "as a closure, it names the types of its parameters"
)]
pub trait Configure<Marker>: Sized {
    /// Runs after `others`, whatever the priorities: functions by their names, systems by a value.
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// fn steer(mut log: ResMut<Vec<&str>>) {
    ///     log.push("steer");
    /// }
    ///
    /// fn fly(mut log: ResMut<Vec<&str>>) {
    ///     log.push("fly");
    /// }
    ///
    /// let mut engine = Engine::new();
    /// engine.insert_resource(Vec::<&str>::new());
    /// engine.add((fly.after(steer), steer))?;
    /// engine.update(Duration::ZERO)?;
    /// assert_eq!(*engine.resource::<Vec<&str>>().unwrap(), ["steer", "fly"]);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    fn after<M>(self, others: impl IntoSystems<M>) -> Systems
    where
        Self: IntoSystems<Marker>,
    {
        let others = others.into_systems();
        self.into_systems().with(|settings| settings.after.extend(others.labels()))
    }

    /// Runs before `others`, whatever the priorities.
    ///
    /// # Example
    /// See [`Configure::after`].
    fn before<M>(self, others: impl IntoSystems<M>) -> Systems
    where
        Self: IntoSystems<Marker>,
    {
        let others = others.into_systems();
        self.into_systems().with(|settings| settings.before.extend(others.labels()))
    }

    /// Runs after `Other`, which is a system or a [set](Configure::in_set), whatever the priorities.
    ///
    /// # Example
    /// See [`Configure::in_set`].
    fn after_type<Other: 'static>(self) -> Systems
    where
        Self: IntoSystems<Marker>,
    {
        self.into_systems().with(|settings| settings.after.push(Dependency::of::<Other>()))
    }

    /// Runs before `Other`, which is a system or a [set](Configure::in_set), whatever the priorities.
    ///
    /// # Example
    /// See [`Configure::in_set`].
    fn before_type<Other: 'static>(self) -> Systems
    where
        Self: IntoSystems<Marker>,
    {
        self.into_systems().with(|settings| settings.before.push(Dependency::of::<Other>()))
    }

    /// Joins the set `Set`, which is any type, usually a unit struct; see
    /// [`Engine::configure_set`](crate::Engine::configure_set).
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// struct Physics;
    ///
    /// fn draw(mut log: ResMut<Vec<&str>>) {
    ///     log.push("draw");
    /// }
    ///
    /// fn fall(mut log: ResMut<Vec<&str>>) {
    ///     log.push("fall");
    /// }
    ///
    /// let mut engine = Engine::new();
    /// engine.insert_resource(Vec::<&str>::new());
    /// engine.add(draw.after_type::<Physics>())?.add(fall.in_set::<Physics>())?;
    /// engine.update(Duration::ZERO)?;
    /// assert_eq!(*engine.resource::<Vec<&str>>().unwrap(), ["fall", "draw"]);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    fn in_set<Set: 'static>(self) -> Systems
    where
        Self: IntoSystems<Marker>,
    {
        self.into_systems().with(|settings| settings.sets.push(Dependency::of::<Set>()))
    }

    /// Runs each element of a tuple after all elements before it. A tuple in the tuple is one element.
    ///
    /// # Example
    /// See [`IntoSystems`].
    fn chain(self) -> Systems
    where
        Self: IntoSystems<Marker>,
    {
        let mut systems = self.into_systems();
        for group in &systems.groups {
            systems.items[group.clone()].iter_mut().for_each(|item| item.follows.extend(0..group.start));
        }
        systems
    }

    /// Runs only in frames in which `condition` holds; of several conditions, all must hold. See
    /// [`Setup::run_if`](crate::Setup::run_if) and [`condition`](crate::system::condition).
    ///
    /// For a function that listens, they are checked right before each event: it never gets an event for which they do
    /// not hold. The resources that it and they need must be there all the time. Conditions of a set do not concern
    /// listeners.
    ///
    /// # Example
    /// See [`IntoSystems`].
    fn run_if<M: 'static>(self, condition: impl Condition<M>) -> Systems
    where
        Self: IntoSystems<Marker>,
    {
        let condition = RunIf::new(condition);
        self.into_systems().with(|settings| settings.conditions.push(condition.clone()))
    }

    /// Runs once in every `interval`, without drift; zero is every frame. See
    /// [`Setup::every`](crate::Setup::every).
    ///
    /// # Example
    /// See [`IntoSystems`].
    fn every(self, interval: Duration) -> Systems
    where
        Self: IntoSystems<Marker>,
    {
        self.into_systems().with(|settings| settings.timer = Some(Timer::every(interval)))
    }

    /// Runs once, in the first frame that ends at least `delay` from now. A function is dropped after that frame.
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// fn ring(mut rings: ResMut<u32>) {
    ///     *rings += 1;
    /// }
    ///
    /// let mut engine = Engine::new();
    /// engine.insert_resource(0_u32);
    /// engine.add(ring.once_after(Duration::from_secs(2)))?;
    /// (0..4).try_for_each(|_| engine.update(Duration::from_secs(1)))?;
    /// assert_eq!(*engine.resource::<u32>().unwrap(), 1);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    fn once_after(self, delay: Duration) -> Systems
    where
        Self: IntoSystems<Marker>,
    {
        self.into_systems().with(|settings| settings.timer = Some(Timer::once_after(delay)))
    }

    /// What happens in a frame that spans several intervals; [`CatchUp::Sum`] by default.
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// use ecs::system::CatchUp;
    ///
    /// let mut engine = Engine::new();
    /// engine.insert_resource(0_u32);
    /// let beat = |mut beats: ResMut<u32>| *beats += 1;
    /// engine.add(beat.every(Duration::from_millis(10)).catch_up(CatchUp::EachInterval))?;
    /// engine.update(Duration::from_millis(35))?;
    /// assert_eq!(*engine.resource::<u32>().unwrap(), 3);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    fn catch_up(self, catch_up: CatchUp) -> Systems
    where
        Self: IntoSystems<Marker>,
    {
        self.into_systems().with(|settings| settings.catch_up = Some(catch_up))
    }

    /// Runs before systems of a lower priority that are ready at the same time.
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// #[derive(Clone, Copy)]
    /// struct Rang;
    ///
    /// fn open(_: &Rang, mut log: ResMut<Vec<&str>>) {
    ///     log.push("open");
    /// }
    ///
    /// fn look(_: &Rang, mut log: ResMut<Vec<&str>>) {
    ///     log.push("look");
    /// }
    ///
    /// let mut engine = Engine::new();
    /// engine.insert_resource(Vec::<&str>::new());
    /// engine.add((open, look.priority(Priority::HIGH)))?;
    /// engine.send(Rang);
    /// engine.update(Duration::ZERO)?;
    /// assert_eq!(*engine.resource::<Vec<&str>>().unwrap(), ["look", "open"]);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    fn priority(self, priority: Priority) -> Systems
    where
        Self: IntoSystems<Marker>,
    {
        self.into_systems().with(|settings| settings.priority = Some(priority))
    }

    /// Only the thread that calls [`Engine::update`](crate::Engine::update) runs it: for what belongs to one thread, as
    /// a window and most sound devices do. Parallel iterations in it still use all threads. Listeners, conditions and
    /// exclusive methods, and the [presentation](crate::Engine::presentation), run there always.
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// let window = std::thread::current().id();
    /// let draw = move || assert_eq!(std::thread::current().id(), window);
    /// let mut engine = Engine::builder().threads(2).build();
    /// engine.add(draw.pinned())?;
    /// engine.update(Duration::ZERO)?;
    /// # Ok::<(), ecs::Error>(())
    /// ```
    fn pinned(self) -> Systems
    where
        Self: IntoSystems<Marker>,
    {
        self.into_systems().with(|settings| settings.is_pinned = true)
    }

    /// Runs before all updates instead of among them. Only for functions: a system names the phases of its methods.
    ///
    /// # Example
    /// See [`Configure::in_post_update`].
    fn in_pre_update(self) -> Systems
    where
        Self: IntoSystems<Marker>,
    {
        self.into_systems().with(|settings| settings.phase = Some(Phase::PreUpdate))
    }

    /// Runs after all updates instead of among them. Only for functions.
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// fn early(mut log: ResMut<Vec<&str>>) {
    ///     log.push("early");
    /// }
    ///
    /// fn late(mut log: ResMut<Vec<&str>>) {
    ///     log.push("late");
    /// }
    ///
    /// let mut engine = Engine::new();
    /// engine.insert_resource(Vec::<&str>::new());
    /// engine.add((late.in_post_update(), early.in_pre_update()))?;
    /// engine.update(Duration::ZERO)?;
    /// assert_eq!(*engine.resource::<Vec<&str>>().unwrap(), ["early", "late"]);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    fn in_post_update(self) -> Systems
    where
        Self: IntoSystems<Marker>,
    {
        self.into_systems().with(|settings| settings.phase = Some(Phase::PostUpdate))
    }

    /// Calls functions when a state machine enters `state`, instead of in a phase; as
    /// [`Configure::on_transition`] with [`Hook::Entered`].
    ///
    /// # Example
    /// See [`Configure::on_transition`].
    fn on_enter<S: State + Send + Sync>(self, state: S) -> Systems
    where
        Self: IntoSystems<Marker>,
    {
        self.on_transition(Hook::Entered(state))
    }

    /// Calls functions when a state machine leaves `state`, instead of in a phase; as [`Configure::on_transition`]
    /// with [`Hook::Left`].
    ///
    /// # Example
    /// See [`Configure::on_transition`].
    fn on_exit<S: State + Send + Sync>(self, state: S) -> Systems
    where
        Self: IntoSystems<Marker>,
    {
        self.on_transition(Hook::Left(state))
    }

    /// Calls functions when a state machine of the engine leaves, pauses, enters or resumes a state, instead of in a
    /// phase; see [`Setup::on_transition`](crate::Setup::on_transition). Neither timers nor conditions go with it.
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// use ecs::state_machine::{State, StateMachine};
    ///
    /// #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    /// enum Door { Closed, Open }
    ///
    /// impl State for Door {
    ///     const TRANSITIONS: &'static [(Self, Self)] = &[(Door::Closed, Door::Open)];
    /// }
    ///
    /// fn click(mut log: ResMut<Vec<&str>>) {
    ///     log.push("click");
    /// }
    ///
    /// fn creak(mut log: ResMut<Vec<&str>>) {
    ///     log.push("creak");
    /// }
    ///
    /// let mut engine = Engine::new();
    /// engine.insert_resource(Vec::<&str>::new());
    /// engine.add_state_machine(StateMachine::new(Door::Closed))?;
    /// engine.add((creak.on_enter(Door::Open), click.on_exit(Door::Closed)))?;
    /// engine.resource_mut::<NextState<Door>>().unwrap().change(Door::Open);
    /// engine.update(Duration::ZERO)?;
    /// assert_eq!(*engine.resource::<Vec<&str>>().unwrap(), ["click", "creak"]);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    fn on_transition<S: State + Send + Sync>(self, hook: Hook<S>) -> Systems
    where
        Self: IntoSystems<Marker>,
    {
        let hook = TransitionHook::new(hook);
        self.into_systems().with(|settings| settings.hooks.push(hook.clone()))
    }
}
