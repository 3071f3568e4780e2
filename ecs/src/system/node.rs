//! A system as its manager keeps it: state, methods, place in the order, and buffers for what it sends and asks for.

use std::any::{Any, TypeId};
use std::cell::RefCell;

use super::timer::RunState;
use super::{Access, FunctionKey, Param, Priority, RunContext, SystemInfo, SystemMethod, Timing};
use crate::commands::CommandBuffer;
use crate::event::{EventBuffer, EventTypeId, Segment, Subscriber};
use crate::time::RunTimes;
use crate::world::World;

/// The parts of a frame in which systems run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Phase {
    PreUpdate,
    Update,
    PostUpdate,
}

impl Phase {
    pub(crate) const ALL: [Self; 3] = [Self::PreUpdate, Self::Update, Self::PostUpdate];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::PreUpdate => "pre-update",
            Self::Update => "update",
            Self::PostUpdate => "post-update",
        }
    }
}

/// A segment of events on its way to one listener.
pub(crate) struct Delivery<'a> {
    pub(crate) segment: Segment,
    /// Number of the first event.
    pub(crate) sequence: u64,
    /// Notes how far the listener came, also if it panics.
    pub(crate) subscriber: &'a Subscriber,
}

/// A listener of a system with state `S`.
pub(super) trait ListenTo<S>: Send {
    fn missing(&self, world: &World) -> Option<&'static str>;
    fn deliver(&self, state: &mut S, delivery: &Delivery<'_>, context: &RunContext<'_>);
}

/// A method of a phase of a system with state `S`.
pub(crate) trait RunIn<S>: Send {
    fn missing(&self, world: &World) -> Option<&'static str>;
    fn run(&self, state: &mut S, context: &RunContext<'_>);
}

/// A method that can become the first of its system. That one's type is known to the system, so calling the system calls it
/// with no second look at which method it is; most systems have no other.
pub(super) trait FirstMethod<S>: RunIn<S> {
    fn with_rest(self: Box<Self>, phase: Phase, state: S, rest: Rest<S>) -> Box<dyn AnyWork>;
}

impl<S: Send + 'static, M: RunIn<S> + 'static> FirstMethod<S> for M {
    fn with_rest(self: Box<Self>, phase: Phase, state: S, rest: Rest<S>) -> Box<dyn AnyWork> {
        Box::new(Work { state, first: *self, phase, rest })
    }
}

/// A method together with its parameters.
pub(super) struct Method<F, P: Param, M> {
    pub(super) method: F,
    pub(super) params: P::State,
    pub(super) marker: std::marker::PhantomData<fn(M)>,
}

impl<S, F, M: 'static> RunIn<S> for Method<F, F::Params, M>
where
    F: SystemMethod<S, M>,
{
    fn missing(&self, world: &World) -> Option<&'static str> {
        F::Params::missing(&self.params, world)
    }

    fn run(&self, state: &mut S, context: &RunContext<'_>) {
        let mut guard = F::Params::guard(&self.params, context);
        self.method.call(state, F::Params::item(&mut guard));
    }
}

/// A method that gets the whole world.
pub(super) type ExclusiveMethod<S> = dyn Fn(&mut S, &mut World) + Send;

/// Two methods of the same phase, one after the other: most systems have one, for which a list would cost more than the call.
pub(super) struct Both<S>(pub(super) Box<dyn RunIn<S>>, pub(super) Box<dyn RunIn<S>>);

impl<S> RunIn<S> for Both<S> {
    fn missing(&self, world: &World) -> Option<&'static str> {
        self.0.missing(world).or_else(|| self.1.missing(world))
    }

    fn run(&self, state: &mut S, context: &RunContext<'_>) {
        self.0.run(state, context);
        self.1.run(state, context);
    }
}

/// No method: the first one of a system that only listens.
impl<S> RunIn<S> for () {
    fn missing(&self, _: &World) -> Option<&'static str> {
        None
    }

    fn run(&self, _: &mut S, _: &RunContext<'_>) {}
}

/// State and methods of a system of type `S`, whose first method is an `M`.
struct Work<S, M> {
    state: S,
    first: M,
    /// The phase of the first method.
    phase: Phase,
    rest: Rest<S>,
}

/// The other methods of a system of type `S`.
pub(super) struct Rest<S> {
    /// The methods of each phase that share the world with others.
    pub(super) phases: [Option<Box<dyn FirstMethod<S>>>; 3],
    /// The methods of the update phase that take the whole world.
    pub(super) exclusive: Vec<Box<ExclusiveMethod<S>>>,
    pub(super) listeners: Vec<Box<dyn ListenTo<S>>>,
}

impl<S: Send + 'static> Rest<S> {
    /// A system with these methods, the first of which is that of the earliest phase.
    pub(super) fn into_work(mut self, state: S) -> Box<dyn AnyWork> {
        let first = Phase::ALL.into_iter().find_map(|phase| Some((phase, self.phases[phase as usize].take()?)));
        let (phase, method) = first.unwrap_or((Phase::Update, Box::new(())));
        method.with_rest(phase, state, self)
    }
}

/// What can be done with a system without knowing its type.
pub(crate) trait AnyWork: Send {
    fn state(&self) -> &dyn Any;
    fn state_mut(&mut self) -> &mut dyn Any;
    fn missing(&self, world: &World) -> Option<&'static str>;
    fn run(&mut self, phase: Phase, context: &RunContext<'_>);
    fn run_exclusive(&mut self, world: &mut World);
    fn deliver(&mut self, listener: usize, delivery: &Delivery<'_>, context: &RunContext<'_>);
}

impl<S: Send + 'static, M: RunIn<S> + 'static> AnyWork for Work<S, M> {
    fn state(&self) -> &dyn Any {
        &self.state
    }

    fn state_mut(&mut self) -> &mut dyn Any {
        &mut self.state
    }

    fn missing(&self, world: &World) -> Option<&'static str> {
        let Rest { phases, listeners, .. } = &self.rest;
        let methods = || phases.iter().flatten().find_map(|method| method.missing(world));
        let listeners = || listeners.iter().find_map(|listener| listener.missing(world));
        self.first.missing(world).or_else(methods).or_else(listeners)
    }

    fn run(&mut self, phase: Phase, context: &RunContext<'_>) {
        if phase == self.phase {
            self.first.run(&mut self.state, context);
        } else if let Some(method) = &self.rest.phases[phase as usize] {
            method.run(&mut self.state, context);
        }
    }

    fn run_exclusive(&mut self, world: &mut World) {
        for method in &self.rest.exclusive {
            method(&mut self.state, world);
        }
    }

    fn deliver(&mut self, listener: usize, delivery: &Delivery<'_>, context: &RunContext<'_>) {
        self.rest.listeners[listener].deliver(&mut self.state, delivery, context);
    }
}

/// A system that this one must run after or before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dependency {
    pub(crate) system: TypeId,
    pub(crate) name: &'static str,
}

/// What one phase of a system consists of.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PhaseMethods {
    pub(crate) shared: bool,
    pub(crate) exclusive: bool,
    /// The shared methods may send events or ask for changes.
    pub(crate) fills_buffers: bool,
}

impl PhaseMethods {
    pub(crate) fn are_there(self) -> bool {
        self.shared || self.exclusive
    }
}

/// A system in the work order of a phase, with a copy of what it has to do there: a frame reads it side by side, and each node
/// but once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PhaseEntry {
    pub(crate) system: usize,
    pub(crate) methods: PhaseMethods,
}

pub(crate) struct SystemNode {
    pub(crate) name: &'static str,
    pub(crate) system: TypeId,
    /// What it is known by if it is a plain function.
    pub(crate) function: Option<FunctionKey>,
    pub(crate) priority: Priority,
    pub(crate) after: Vec<Dependency>,
    pub(crate) before: Vec<Dependency>,
    pub(crate) turn: RunState,
    pub(crate) times: RunTimes,
    pub(crate) methods: [PhaseMethods; 3],
    /// One entry for each method with its phase, or without one for a listener.
    pub(crate) accesses: Vec<(Option<Phase>, Access)>,
    /// What the methods of each phase touch together. Boxed, since most of a node would be what a frame does not look at.
    pub(crate) phase_access: Box<[Access; 3]>,
    /// Event type and first state of each listener.
    pub(crate) listens: Vec<(EventTypeId, bool)>,
    pub(crate) work: Box<dyn AnyWork>,
    pub(crate) buffer: EventBuffer,
    pub(crate) commands: RefCell<CommandBuffer>,
}

impl SystemNode {
    /// What can be told of it.
    pub(crate) fn info(&self) -> SystemInfo {
        SystemInfo {
            name: self.name,
            priority: self.priority,
            is_enabled: self.turn.is_enabled(),
            runs: self.times.runs,
            run_time: self.times.running,
            listen_time: self.times.listening,
        }
    }

    /// When it runs, and its place in the work order.
    pub(crate) fn timing(&self) -> Timing {
        Timing {
            timer: self.turn.timer(),
            catch_up: self.turn.catch_up(),
            priority: self.priority,
            after: self.after.clone(),
            before: self.before.clone(),
        }
    }

    /// Whether it is a function that will never run again.
    pub(crate) fn has_ended(&self) -> bool {
        self.function.is_some() && self.turn.timer().is_over()
    }
}
