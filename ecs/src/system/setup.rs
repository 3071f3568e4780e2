//! The declarations of a system when it is added.

mod declared;
mod filtered;

use std::any::TypeId;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use self::declared::Declared;
use super::condition::{Condition, RunIf};
use super::function::Settings;
use super::node::{Dependency, Phase, SystemNode};
use super::states::{StateMethod, TransitionHook};
use super::timer::{CatchUp, Timer};
use super::work::{FIRST_LISTENER, Listener, Method, MethodList, OtherMethods};
use super::{
    IntoSystems, ListenerMethod, ListenerShape, MethodOutput, MethodShape, Param, Priority, SetupError, System,
    SystemMethod, Timing,
};
use crate::error::SnapshotError;
use crate::query::Access;
use crate::state_machine::{self, Hook};
use crate::type_map::short_name;
use crate::types::{AnySystemType, TypeRegistry};
use crate::world::World;

/// Takes the declarations of a system: its methods, its place in the execution order and its timer; see
/// [`System::setup`].
pub struct Setup<'w, S> {
    declared: Declared<'w>,
    methods: OtherMethods<S>,
}

impl<S: System> Setup<'_, S> {
    /// Runs `method` before all updates, in every frame in which the system is due.
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// #[derive(Default)]
    /// struct Log(Vec<&'static str>);
    ///
    /// impl System for Log {
    ///     fn setup(setup: &mut Setup<Self>) {
    ///         setup.post_update(|log: &mut Self| log.0.push("post"));
    ///         setup.update(|log: &mut Self| log.0.push("update"));
    ///         setup.pre_update(|log: &mut Self| log.0.push("pre"));
    ///     }
    /// }
    ///
    /// # let mut engine = Engine::new();
    /// # engine.add(Log::default())?;
    /// # engine.update(Duration::ZERO)?;
    /// assert_eq!(engine.system::<Log>().unwrap().0, ["pre", "update", "post"]);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn pre_update<M: 'static>(&mut self, method: impl MethodShape<S, M> + SystemMethod<S, M>) -> &mut Self {
        self.run_in(Phase::PreUpdate, method)
    }

    /// Runs `method` in every frame in which the system is due.
    ///
    /// # Example
    /// See [`Setup::pre_update`].
    pub fn update<M: 'static>(&mut self, method: impl MethodShape<S, M> + SystemMethod<S, M>) -> &mut Self {
        self.run_in(Phase::Update, method)
    }

    /// Runs `method` after all updates, in every frame in which the system is due.
    ///
    /// # Example
    /// See [`Setup::pre_update`].
    pub fn post_update<M: 'static>(&mut self, method: impl MethodShape<S, M> + SystemMethod<S, M>) -> &mut Self {
        self.run_in(Phase::PostUpdate, method)
    }

    /// Runs `method` with the whole world in the update phase, after the other methods of the system in that phase. No
    /// other system runs meanwhile.
    ///
    /// A [`World`] reads and writes values and sends events. It has no methods that change the structure: another
    /// method of the system or a listener asks for [`Commands`](crate::Commands), or the exclusive method sends an
    /// event to one that does.
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// struct Census(usize);
    ///
    /// impl System for Census {
    ///     fn setup(setup: &mut Setup<Self>) {
    ///         setup.update_exclusive(|census, world| census.0 = world.entities().len());
    ///     }
    /// }
    ///
    /// # let mut engine = Engine::new();
    /// # engine.add(Census(0))?;
    /// engine.spawn_many([("a",), ("b",)]);
    /// # engine.update(Duration::ZERO)?;
    /// assert_eq!(engine.system::<Census>().unwrap().0, 2);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn update_exclusive<R: MethodOutput>(
        &mut self,
        method: impl Fn(&mut S, &mut World) -> R + Send + 'static,
    ) -> &mut Self {
        self.methods.exclusive.push(Box::new(move |state, world, commands| {
            if let Some(error) = method(state, world).into_error() {
                commands.fail(Phase::Update.name().to_owned(), error);
            }
        }));
        self.declared.accesses.push((Some(Phase::Update), Access::exclusive()));
        self
    }

    /// Calls `listener` with every event of the type in its first parameter.
    ///
    /// Listeners of an event are called in execution order. A disabled system receives no events. Timers do not affect
    /// listeners.
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// #[derive(Clone, Copy)]
    /// struct Pressed(char);
    ///
    /// struct Typist(String);
    ///
    /// impl System for Typist {
    ///     fn setup(setup: &mut Setup<Self>) {
    ///         setup.listen(|typist: &mut Self, pressed: &Pressed| typist.0.push(pressed.0));
    ///     }
    /// }
    ///
    /// # let mut engine = Engine::new();
    /// # engine.add(Typist(String::new()))?;
    /// ['e', 'c', 's'].map(|key| engine.send(Pressed(key)));
    /// # engine.update(Duration::ZERO)?;
    /// assert_eq!(engine.system::<Typist>().unwrap().0, "ecs");
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn listen<M: 'static>(&mut self, listener: impl ListenerShape<S, M> + ListenerMethod<S, M>) -> &mut Self {
        self.add_method(listener, true)
    }

    /// As [`Setup::listen`], but the listener receives nothing until it is subscribed by
    /// [`Subscriptions`](crate::Subscriptions).
    ///
    /// # Example
    /// See [`Engine::subscribe`](crate::Engine::subscribe).
    pub fn listen_later<M: 'static>(&mut self, listener: impl ListenerShape<S, M> + ListenerMethod<S, M>) -> &mut Self {
        self.add_method(listener, false)
    }

    /// Calls `method` when the state machine enters `state`; as [`Setup::on_transition`] with [`Hook::Entered`].
    ///
    /// # Example
    /// See [`Setup::on_transition`].
    pub fn on_enter<State: state_machine::State + Send + Sync, M: 'static>(
        &mut self,
        state: State,
        method: impl SystemMethod<S, M>,
    ) -> &mut Self {
        self.on_transition(Hook::Entered(state), method)
    }

    /// Calls `method` when the state machine leaves `state`; as [`Setup::on_transition`] with [`Hook::Left`].
    ///
    /// # Example
    /// See [`Setup::on_transition`].
    pub fn on_exit<State: state_machine::State + Send + Sync, M: 'static>(
        &mut self,
        state: State,
        method: impl SystemMethod<S, M>,
    ) -> &mut Self {
        self.on_transition(Hook::Left(state), method)
    }

    /// Calls `method` when a state machine of the engine leaves, pauses, enters or resumes a state.
    ///
    /// Transitions are made when a frame begins, before step 1. The methods of all systems are called in execution
    /// order; then their commands are applied, and step 1 delivers their events. [`Time::delta`](crate::Time::delta) is
    /// zero. A disabled system is not called; conditions and timers do not matter. See
    /// [`Engine::add_state_machine`](crate::Engine::add_state_machine).
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// use ecs::state_machine::{Hook, State, StateMachine};
    /// use ecs::system::NextState;
    ///
    /// #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    /// enum Door { Closed, Open }
    ///
    /// impl State for Door {
    ///     const TRANSITIONS: &'static [(Self, Self)] = &[(Door::Closed, Door::Open)];
    /// }
    ///
    /// struct Hinge(Vec<&'static str>);
    ///
    /// impl System for Hinge {
    ///     fn setup(setup: &mut Setup<Self>) {
    ///         setup.on_exit(Door::Closed, |hinge: &mut Self| hinge.0.push("click"));
    ///         setup.on_enter(Door::Open, |hinge: &mut Self| hinge.0.push("creak"));
    ///         setup.on_transition(Hook::Paused(Door::Open), |hinge: &mut Self| hinge.0.push("never"));
    ///     }
    /// }
    ///
    /// let mut engine = Engine::new();
    /// engine.add_state_machine(StateMachine::new(Door::Closed))?.add(Hinge(Vec::new()))?;
    /// engine.resource_mut::<NextState<Door>>().unwrap().change(Door::Open);
    /// engine.update(Duration::ZERO)?;
    /// assert_eq!(engine.system::<Hinge>().unwrap().0, ["click", "creak"]);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn on_transition<State: state_machine::State + Send + Sync, M: 'static, F: SystemMethod<S, M>>(
        &mut self,
        hook: Hook<State>,
        method: F,
    ) -> &mut Self {
        self.call_at(TransitionHook::new(hook), method)
    }

    /// Runs before systems of a lower priority that are ready at the same time.
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// # #[derive(Clone, Copy)]
    /// # struct Note(&'static str);
    /// # struct Log(Vec<&'static str>);
    /// # impl System for Log {
    /// #     fn setup(setup: &mut Setup<Self>) {
    /// #         setup.listen(|log: &mut Self, note: &Note| log.0.push(note.0));
    /// #     }
    /// # }
    /// # struct First;
    /// # struct Second;
    /// impl System for First {
    ///     fn setup(setup: &mut Setup<Self>) {
    ///         setup.update(|_: &mut Self, mut notes: Sender<Note>| notes.send(Note("first"))).priority(Priority::HIGH);
    ///     }
    /// }
    /// # impl System for Second {
    /// #     fn setup(setup: &mut Setup<Self>) {
    /// #         setup.update(|_: &mut Self, mut notes: Sender<Note>| notes.send(Note("second")));
    /// #     }
    /// # }
    ///
    /// # let mut engine = Engine::new();
    /// # engine.add(Log(Vec::new()))?;
    /// engine.add(Second)?.add(First)?;
    /// # engine.update(Duration::ZERO)?;
    /// assert_eq!(engine.system::<Log>().unwrap().0, ["first", "second"]);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn priority(&mut self, priority: Priority) -> &mut Self {
        self.declared.timing.priority = priority;
        self
    }

    /// Only the thread that calls [`Engine::update`](crate::Engine::update) runs the system.
    ///
    /// # Example
    /// See [`Configure::pinned`](super::Configure::pinned).
    pub fn pinned(&mut self) -> &mut Self {
        self.declared.timing.is_pinned = true;
        self
    }

    /// Runs after `others`, whatever the priorities: functions by their names, as in `setup.after(steer)`.
    ///
    /// # Example
    /// See [`Configure::after`](super::Configure::after).
    pub fn after<M>(&mut self, others: impl IntoSystems<M>) -> &mut Self {
        self.declared.timing.after.extend(others.into_systems().labels());
        self
    }

    /// Runs before `others`, whatever the priorities: functions by their names.
    ///
    /// # Example
    /// See [`Configure::after`](super::Configure::after).
    pub fn before<M>(&mut self, others: impl IntoSystems<M>) -> &mut Self {
        self.declared.timing.before.extend(others.into_systems().labels());
        self
    }

    /// Runs after `Other`, which is a system or a [set](Setup::in_set), whatever the priorities.
    ///
    /// # Example
    /// See [`Engine::explain`](crate::Engine::explain).
    pub fn after_type<Other: 'static>(&mut self) -> &mut Self {
        self.declared.timing.after.push(Dependency::of::<Other>());
        self
    }

    /// Runs before `Other`, which is a system or a [set](Setup::in_set), whatever the priorities.
    ///
    /// # Example
    /// See [`Engine::explain`](crate::Engine::explain).
    pub fn before_type<Other: 'static>(&mut self) -> &mut Self {
        self.declared.timing.before.push(Dependency::of::<Other>());
        self
    }

    /// Joins the set `Set`, which is any type, usually a unit struct. A set needs no registration;
    /// [`Engine::configure_set`](crate::Engine::configure_set) gives it an order and conditions. A system can be in
    /// several sets.
    ///
    /// # Example
    /// ```
    /// use ecs::prelude::*;
    ///
    /// struct Physics;
    /// struct Gravity;
    /// struct Paused(bool);
    ///
    /// impl System for Gravity {
    ///     fn setup(setup: &mut Setup<Self>) {
    ///         setup.in_set::<Physics>().update(|_: &mut Self, mut falls: ResMut<u32>| *falls += 1);
    ///     }
    /// }
    ///
    /// let mut engine = Engine::new();
    /// engine.insert_resource(0_u32);
    /// engine.insert_resource(Paused(true));
    /// engine.add(Gravity)?.configure_set::<Physics>(|set| set.run_if(|paused: Res<Paused>| !paused.0))?;
    /// engine.update(std::time::Duration::ZERO)?;
    /// assert_eq!(*engine.resource::<u32>().unwrap(), 0);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn in_set<Set: 'static>(&mut self) -> &mut Self {
        self.declared.timing.sets.push(Dependency::of::<Set>());
        self
    }

    /// Runs the system only in frames in which `condition` holds; of several conditions, all must hold.
    ///
    /// Conditions are checked once in each frame, after step 1 and before all phases, so the answer is the same for all
    /// phases of the system. They are checked in order, those of outer sets first, up to the first one that does not
    /// hold. While a condition does not hold, the timer of the system stands still. Listeners are called at any time:
    /// disable a system to stop them, too.
    ///
    /// A condition such as [`resource_changed`](crate::system::condition::resource_changed) that holds in vain, since a
    /// later one does not or a panic ends the frame, asks again in the next frame. Two that are joined by
    /// [`and`](crate::system::condition::Condition::and) are one.
    ///
    /// A resource that the system's phases need may be missing while it does not run.
    ///
    /// # Example
    /// ```
    /// use ecs::prelude::*;
    ///
    /// struct Day(bool);
    ///
    /// fn is_day(day: Res<Day>) -> bool {
    ///     day.0
    /// }
    ///
    /// struct Growth;
    ///
    /// impl System for Growth {
    ///     fn setup(setup: &mut Setup<Self>) {
    ///         setup.run_if(is_day).update(|_: &mut Self, mut height: ResMut<u32>| *height += 1);
    ///     }
    /// }
    ///
    /// let mut engine = Engine::new();
    /// engine.insert_resource(0_u32);
    /// engine.insert_resource(Day(true));
    /// engine.add(Growth)?.update(std::time::Duration::ZERO)?;
    /// engine.resource_mut::<Day>().unwrap().0 = false;
    /// engine.update(std::time::Duration::ZERO)?;
    /// assert_eq!(*engine.resource::<u32>().unwrap(), 1);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn run_if<M: 'static>(&mut self, condition: impl Condition<M>) -> &mut Self {
        self.declared.timing.conditions.push(RunIf::new(condition));
        self
    }

    /// Runs once in every `interval` instead of in every frame; an interval of zero is every frame.
    ///
    /// The rest of a frame counts for the next interval, so nothing drifts. A frame that spans several intervals runs
    /// the system once, with the sum as [`Time::delta`](crate::Time::delta), unless [`Setup::catch_up`] says otherwise.
    /// The timer stands still while the system is disabled or a [condition](Setup::run_if) does not hold.
    ///
    /// # Example
    /// See [`Engine::run_every`](crate::Engine::run_every).
    pub fn every(&mut self, interval: Duration) -> &mut Self {
        self.declared.timing.timer = Timer::every(interval);
        self
    }

    /// Runs once, in the first frame that ends at least `delay` after the system was added. Listeners are called at any
    /// time.
    ///
    /// The timer stands still while the system is disabled or a [condition](Setup::run_if) does not hold. So with a
    /// delay of zero the system runs once, in the first frame in which its conditions hold.
    ///
    /// # Example
    /// ```
    /// # use std::time::Duration;
    /// # use ecs::prelude::*;
    /// struct Alarm(Vec<u64>);
    ///
    /// impl System for Alarm {
    ///     fn setup(setup: &mut Setup<Self>) {
    ///         setup.once_after(Duration::from_millis(25)).update(|alarm: &mut Self, time: Time| alarm.0.push(time.frame()));
    ///     }
    /// }
    ///
    /// # let mut engine = Engine::new();
    /// # engine.add(Alarm(Vec::new()))?;
    /// (0..10).try_for_each(|_| engine.update(Duration::from_millis(10)))?;
    /// assert_eq!(engine.system::<Alarm>().unwrap().0, [3]);
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn once_after(&mut self, delay: Duration) -> &mut Self {
        self.declared.timing.timer = Timer::once_after(delay);
        self
    }

    /// What the system does in a frame that spans several of its intervals; [`CatchUp::Sum`] by default.
    ///
    /// A system that is due three times runs each of its phases three times in a row, at its place in the execution
    /// order. Its listeners receive each event once, as always.
    ///
    /// # Example
    /// See [`Configure::catch_up`](super::Configure::catch_up).
    pub fn catch_up(&mut self, catch_up: CatchUp) -> &mut Self {
        self.declared.timing.catch_up = catch_up;
        self
    }

    /// Adds the system disabled.
    ///
    /// # Example
    /// See [`Engine::enable_system`](crate::Engine::enable_system).
    pub fn disabled(&mut self) -> &mut Self {
        self.declared.is_enabled = false;
        self
    }

    /// Gives stable names to the types of the system: its state, components, events and resources. Snapshots, saves and
    /// hashes identify types by these names. Naming a type twice with the same name is allowed; any other error is the
    /// error of [`Engine::add`](crate::Engine::add).
    ///
    /// # Example
    /// ```
    /// use ecs::{Engine, Query, Setup, System};
    ///
    /// /// How long an entity has rested, frames.
    /// #[derive(Clone)]
    /// struct Rest(u32);
    ///
    /// struct Rests;
    ///
    /// impl System for Rests {
    ///     fn setup(setup: &mut Setup<Self>) {
    ///         setup.update(Self::count).types(|types| types.component_by("rest", |rest: &Rest, hash| _ = hash.add(&rest.0)));
    ///     }
    /// }
    ///
    /// impl Rests {
    ///     fn count(&mut self, mut all: Query<&mut Rest>) {
    ///         all.iter_mut().for_each(|rest| rest.0 += 1);
    ///     }
    /// }
    ///
    /// let mut engine = Engine::new();
    /// engine.add(Rests)?;
    /// engine.spawn((Rest(7),));
    /// assert!(engine.snapshot().is_ok());
    /// # Ok::<(), ecs::Error>(())
    /// ```
    pub fn types(
        &mut self,
        name: impl FnOnce(&mut TypeRegistry) -> Result<&mut TypeRegistry, SnapshotError>,
    ) -> &mut Self {
        if let Some(types) = &mut self.declared.types
            && let Err(error) = name(types)
        {
            self.declared.refused.get_or_insert(error);
        }
        self
    }

    /// The node of a system with this state.
    pub(super) fn of<'w>(
        state: S,
        settings: Settings,
        world: &'w mut World,
        types: &'w mut TypeRegistry,
    ) -> Result<SystemNode, SetupError> {
        let mut setup = Setup::new(Timing::every(Duration::ZERO), world);
        setup.declared.types = Some(types);
        S::setup(&mut setup);
        let has_more_settings = !settings.are_none();
        setup.declared.set_over(settings, short_name::<S>())?;
        let node = setup.into_node(state, Dependency::of::<S>())?;
        Ok(SystemNode { has_more_settings, ..node })
    }

    /// The node of a system that was in an engine before, so that its types have their names. If the timing is not
    /// `whole`, the system declares its place in the order, its sets and its conditions.
    pub(super) fn again(state: S, timing: Timing, is_whole: bool, world: &mut World) -> Result<SystemNode, SetupError> {
        let mut setup = Setup::new(Timing::every(Duration::ZERO), world);
        S::setup(&mut setup);
        let Timing { timer, catch_up, priority, .. } = timing;
        setup.declared.timing = match is_whole {
            true => timing,
            false => Timing { timer, catch_up, priority, ..setup.declared.timing },
        };
        setup.into_node(state, Dependency::of::<S>())
    }
}

impl<'w, S: Send + 'static> Setup<'w, S> {
    fn new(timing: Timing, world: &'w mut World) -> Self {
        let methods = OtherMethods { methods: vec![None, None, None], exclusive: Vec::new() };
        Self { declared: Declared::new(timing, world), methods }
    }

    /// The node of a plain function: `state` is the function itself, and `method` calls it.
    pub(super) fn of_function<M: 'static>(
        state: S,
        label: Dependency,
        method: impl SystemMethod<S, M>,
        timing: Timing,
        world: &'w mut World,
    ) -> Result<SystemNode, SetupError> {
        let mut setup = Self::new(timing, world);
        match setup.declared.timing.hook.take() {
            Some(hook) => setup.call_at(hook, method),
            None => setup.run_in(setup.declared.timing.phase, method),
        };
        setup.into_node_of_function(state, label)
    }

    /// The node of a system that does nothing.
    pub(super) fn of_nothing(state: S, label: Dependency, timing: Timing, world: &'w mut World) -> SystemNode {
        Self::new(timing, world).into_node(state, label).expect("nothing contradicts nothing")
    }

    /// The node of a listening function with `state`.
    pub(super) fn of_listener<M: 'static>(
        state: S,
        label: Dependency,
        listener: impl ListenerMethod<S, M>,
        timing: Timing,
        own_type: Arc<dyn AnySystemType>,
        world: &'w mut World,
    ) -> Result<SystemNode, SetupError> {
        let mut setup = Self::new(timing, world);
        setup.add_method(listener, true);
        Ok(SystemNode { own_type: Some(own_type), ..setup.into_node_of_function(state, label)? })
    }

    /// As [`Setup::into_node`], for a system of which the method is not named in the program.
    fn into_node_of_function(mut self, state: S, label: Dependency) -> Result<SystemNode, SetupError> {
        self.declared.name_methods(label.name);
        self.into_node(state, label)
    }

    fn call_at<M: 'static, F: SystemMethod<S, M>>(&mut self, hook: TransitionHook, method: F) -> &mut Self {
        let (call, access) = self.prepare::<M, F>(method, "a transition");
        self.declared.state_methods.push(StateMethod { hook, access });
        self.methods.methods.push(Some(Box::new(call)));
        self
    }

    fn run_in<M: 'static, F: SystemMethod<S, M>>(&mut self, phase: Phase, method: F) -> &mut Self {
        let (method, access) = self.prepare::<M, F>(method, phase.name());
        let methods = &mut self.methods.methods[phase as usize];
        *methods = Some(match methods.take() {
            None => Box::new(method),
            Some(earlier) => Box::new(MethodList(vec![earlier, Box::new(method)])),
        });
        self.declared.accesses.push((Some(phase), access));
        self
    }

    /// The method with its parameters. Errors tell its `place`.
    fn prepare<M, F: SystemMethod<S, M>>(
        &mut self,
        method: F,
        place: &'static str,
    ) -> (Method<F, F::Params, M>, Access) {
        let mut access = Access::of(short_name::<F>());
        access.can_fail = F::Output::CAN_FAIL;
        let params = F::Params::prepare(self.declared.world, &mut access);
        (Method { method, params, place, marker: PhantomData }, access)
    }

    fn add_method<M: 'static, F: ListenerMethod<S, M>>(&mut self, method: F, is_subscribed: bool) -> &mut Self {
        self.add_listener(method, short_name::<F>(), is_subscribed)
    }

    /// Adds a listener with the name of the function that it calls.
    fn add_listener<M: 'static, F: ListenerMethod<S, M>>(
        &mut self,
        method: F,
        name: &'static str,
        is_subscribed: bool,
    ) -> &mut Self {
        let mut access = Access::of(name);
        access.can_fail = F::Output::CAN_FAIL;
        let event_type = self.declared.world.events.register::<F::Event>();
        let params = F::Params::prepare(self.declared.world, &mut access);
        debug_assert_eq!(F::Params::HAS_QUERY, !access.queries.is_empty(), "each call of a query gets a tick");
        let listener: Listener<F, F::Params, M> = Listener { method, params, event_type, marker: PhantomData };
        // Listeners come before the methods that transitions call.
        let number = FIRST_LISTENER + self.declared.listens.len();
        self.methods.methods.insert(number, Some(Box::new(listener)));
        self.declared.listens.push((event_type, is_subscribed));
        self.declared.accesses.push((None, access));
        self
    }

    fn into_node(self, state: S, label: Dependency) -> Result<SystemNode, SetupError> {
        let Self { declared, methods } = self;
        // Not by `map`: this is compiled for each system.
        let phases = &methods.methods;
        let shared = [phases[0].is_some(), phases[1].is_some(), phases[2].is_some()];
        let is_exclusive = !methods.exclusive.is_empty();
        declared.into_node(label, TypeId::of::<S>(), shared, is_exclusive, methods.into_work(state))
    }
}
