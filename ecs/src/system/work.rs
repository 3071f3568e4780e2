//! The state and the methods of a system, behind an interface that does not name its type.
//!
//! The unsafe code relies on the invariants of `event/buffer.rs`.
#![allow(unsafe_code)]

use std::alloc::Layout;
use std::any::Any;
use std::cell::Cell;
use std::marker::PhantomData;

use super::node::Phase;
use super::{ListenerMethod, MethodOutput, Param, RunContext, SystemMethod};
use crate::commands::CommandBuffer;
use crate::event::{EventTypeId, Segment, Subscriber};
use crate::type_map::short_name;
use crate::world::World;

/// Events on their way to one listener.
pub(crate) struct Delivery<'a> {
    /// They are of one type, in the order of sending.
    pub(crate) pieces: &'a [Piece],
    /// For listeners that change subscriptions: the number of the event that is being delivered.
    pub(crate) sequence: Cell<u64>,
    /// Records the next event of the listener, also if it panics.
    pub(crate) subscriber: &'a Subscriber,
}

/// What one listener gets of a run of events.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub(crate) segment: Segment,
    /// Number of the first event.
    pub(crate) sequence: u64,
    /// The tick before that of the first event, for a listener with a query.
    pub(crate) tick: u64,
    /// The run among those that are delivered together.
    pub(crate) run: u32,
    /// The listener among those of the event type.
    pub(crate) index: u32,
}

impl Piece {
    /// The number behind that of the last event.
    pub(crate) fn end(&self) -> u64 {
        self.sequence + self.segment.len() as u64
    }

    /// Its events from the number `next` on, if there are any; `layout` is that of their type.
    pub(crate) fn behind(mut self, next: u64, layout: Layout) -> Option<Self> {
        let received = next.saturating_sub(self.sequence).min(self.segment.len() as u64);
        self.segment.take(received as usize, layout);
        self.sequence += received;
        self.tick += received;
        (self.segment.len() > 0).then_some(self)
    }
}

/// The methods of a system are numbered: those of the phases, then the listeners, then those that transitions call.
pub(crate) const FIRST_LISTENER: usize = Phase::ALL.len();

/// A system of any type. Its code is compiled for each method that can be the first one of its system, so it is short:
/// the rest is [`AnySystem`], which is compiled once for each system.
pub(crate) trait AnySystemMethods: Send {
    /// Runs a method, if there is one of this number. A listener gets the events of the context.
    fn run(&mut self, method: usize, context: &RunContext<'_>);
    /// The number of the first method and the name of a resource that it needs and that is missing.
    fn first_missing(&self, world: &World) -> (usize, Option<&'static str>);
    fn system(&self) -> &dyn AnySystem;
    fn system_mut(&mut self) -> &mut dyn AnySystem;
    fn into_state(self: Box<Self>) -> Box<dyn Any>;
}

impl dyn AnySystemMethods {
    /// Name of a resource that a method needs and that is missing.
    pub(crate) fn missing(&self, world: &World) -> Option<&'static str> {
        self.missing_from(0, world)
    }

    /// As `missing`, for its listeners and state methods alone.
    pub(crate) fn missing_outside_phases(&self, world: &World) -> Option<&'static str> {
        self.missing_from(FIRST_LISTENER, world)
    }

    fn missing_from(&self, method: usize, world: &World) -> Option<&'static str> {
        let (number, missing) = self.first_missing(world);
        missing.filter(|_| number >= method).or_else(|| self.system().missing_from(method, world))
    }
}

/// The state of a system and its methods except the first one.
pub(crate) trait AnySystem: Send {
    fn state(&self) -> &dyn Any;
    fn state_mut(&mut self) -> &mut dyn Any;
    /// Name of a resource that one of these methods from this number on needs and that is missing.
    fn missing_from(&self, method: usize, world: &World) -> Option<&'static str>;
    /// Runs the methods that take the whole world; `commands` collects their errors.
    fn run_exclusive(&mut self, world: &mut World, commands: &mut CommandBuffer);
}

/// A system with state `S`. Its first method has a static type, so that calling the system calls that method directly;
/// most systems have no other.
struct SystemMethods<S, M> {
    first: M,
    /// The number of the first method.
    number: usize,
    system: WithState<S>,
}

/// The state of a system, and what [`SystemMethods`] does not call directly.
struct WithState<S> {
    state: S,
    rest: OtherMethods<S>,
}

/// The other methods of a system with state `S`.
pub(super) struct OtherMethods<S> {
    /// By number.
    pub(super) methods: Vec<Option<Box<dyn FirstMethod<S>>>>,
    /// The methods of the update phase that take the whole world.
    pub(super) exclusive: Vec<Box<ExclusiveMethod<S>>>,
}

impl<S: Send + 'static> OtherMethods<S> {
    /// The system with these methods.
    pub(super) fn into_work(mut self, state: S) -> Box<dyn AnySystemMethods> {
        for number in 0..self.methods.len() {
            if let Some(method) = self.methods[number].take() {
                return method.with_rest(number, state, self);
            }
        }
        FirstMethod::with_rest(Box::new(MethodList(Vec::new())), 0, state, self)
    }
}

impl<S: Send + 'static, M: RunIn<S> + 'static> AnySystemMethods for SystemMethods<S, M> {
    #[inline]
    fn run(&mut self, method: usize, context: &RunContext<'_>) {
        if method == self.number {
            self.first.run(&mut self.system.state, context);
        } else {
            self.system.run(method, context);
        }
    }

    fn first_missing(&self, world: &World) -> (usize, Option<&'static str>) {
        (self.number, self.first.missing(world))
    }

    fn system(&self) -> &dyn AnySystem {
        &self.system
    }

    fn system_mut(&mut self) -> &mut dyn AnySystem {
        &mut self.system
    }

    fn into_state(self: Box<Self>) -> Box<dyn Any> {
        Box::new(self.system.state)
    }
}

impl<S> WithState<S> {
    fn run(&mut self, method: usize, context: &RunContext<'_>) {
        if let Some(method) = &self.rest.methods[method] {
            method.run(&mut self.state, context);
        }
    }
}

impl<S: Send + 'static> AnySystem for WithState<S> {
    fn state(&self) -> &dyn Any {
        &self.state
    }

    fn state_mut(&mut self) -> &mut dyn Any {
        &mut self.state
    }

    fn missing_from(&self, method: usize, world: &World) -> Option<&'static str> {
        // A loop, not an iterator: this is compiled for each system.
        for method in &self.rest.methods[method..] {
            if let Some(method) = method
                && let Some(missing) = method.missing(world)
            {
                return Some(missing);
            }
        }
        None
    }

    fn run_exclusive(&mut self, world: &mut World, commands: &mut CommandBuffer) {
        for method in &self.rest.exclusive {
            method(&mut self.state, world, commands);
        }
    }
}

/// A method of a system with state `S`.
pub(crate) trait RunIn<S>: Send {
    fn missing(&self, world: &World) -> Option<&'static str>;
    fn run(&self, state: &mut S, context: &RunContext<'_>);
}

/// A method that can become the first one of its system.
pub(super) trait FirstMethod<S>: RunIn<S> {
    fn with_rest(self: Box<Self>, number: usize, state: S, rest: OtherMethods<S>) -> Box<dyn AnySystemMethods>;
}

impl<S: Send + 'static, M: RunIn<S> + 'static> FirstMethod<S> for M {
    fn with_rest(self: Box<Self>, number: usize, state: S, rest: OtherMethods<S>) -> Box<dyn AnySystemMethods> {
        Box::new(SystemMethods { first: *self, number, system: WithState { state, rest } })
    }
}

/// A method that takes the whole world; the commands collect its error.
pub(super) type ExclusiveMethod<S> = dyn Fn(&mut S, &mut World, &mut CommandBuffer) + Send;

/// A method together with its parameters. `M` is the marker by which its [`SystemMethod`] was found.
pub(super) struct Method<F, P: Param, M> {
    pub(super) method: F,
    pub(super) params: P::State,
    /// When it runs, as errors tell it: the name of its phase, or "a transition".
    pub(super) place: &'static str,
    pub(super) marker: PhantomData<fn(M)>,
}

impl<S, F, M: 'static> RunIn<S> for Method<F, F::Params, M>
where
    F: SystemMethod<S, M>,
{
    fn missing(&self, world: &World) -> Option<&'static str> {
        F::Params::missing(&self.params, world)
    }

    fn run(&self, state: &mut S, context: &RunContext<'_>) {
        if F::Params::HAS_QUERY {
            context.begin_call();
        }
        let mut guard = F::Params::guard(&self.params, context);
        if let Some(error) = self.method.call(state, F::Params::item(&mut guard)).into_error() {
            context.commands.borrow_mut().fail(self.place.to_owned(), error);
        }
    }
}

/// MethodList methods of one phase, or the first method of a system without methods. Most phases have one method, which
/// is called without a list.
pub(super) struct MethodList<S>(pub(super) Vec<Box<dyn RunIn<S>>>);

impl<S> RunIn<S> for MethodList<S> {
    fn missing(&self, world: &World) -> Option<&'static str> {
        for method in &self.0 {
            if let Some(missing) = method.missing(world) {
                return Some(missing);
            }
        }
        None
    }

    fn run(&self, state: &mut S, context: &RunContext<'_>) {
        for method in &self.0 {
            method.run(state, context);
        }
    }
}

/// A listening method together with its parameters. `M` is the marker by which its [`ListenerMethod`] was found.
pub(super) struct Listener<F, P: Param, M> {
    pub(super) method: F,
    pub(super) params: P::State,
    /// The id of the event type of the method.
    pub(super) event_type: EventTypeId,
    pub(super) marker: PhantomData<fn(M)>,
}

impl<S, F, M: 'static> RunIn<S> for Listener<F, F::Params, M>
where
    F: ListenerMethod<S, M>,
{
    fn missing(&self, world: &World) -> Option<&'static str> {
        F::Params::missing(&self.params, world)
    }

    fn run(&self, state: &mut S, context: &RunContext<'_>) {
        let Some(Delivery { pieces, sequence, subscriber }) = &context.delivery else { return };
        let mut guard = F::Params::guard(&self.params, context);
        let mut progress = Progress { next: subscriber.next(), subscriber };
        for piece in *pieces {
            assert_eq!(self.event_type, piece.segment.event_type, "listeners are called with events of their type");
            // SAFETY: the engine gives one id to each event type, and this is the id of the listener's type; buffers
            // are rewound only after the last dispatch of a frame.
            let events = unsafe { piece.segment.events::<F::Event>() };
            progress.next = piece.sequence;
            if F::Params::HAS_QUERY {
                context.tick.set(piece.tick);
            }
            for event in events {
                if F::Params::CHANGES_SUBSCRIPTIONS {
                    sequence.set(progress.next);
                }
                progress.next += 1;
                if F::Params::HAS_QUERY {
                    context.begin_call();
                }
                if let Some(error) = self.method.call(state, event, F::Params::item(&mut guard)).into_error() {
                    context.commands.borrow_mut().fail(format!("its listener for {}", short_name::<F::Event>()), error);
                }
                if F::Params::CHANGES_SUBSCRIPTIONS && !subscriber.is_subscribed() {
                    return;
                }
            }
        }
    }
}

/// Records the next event of the subscriber when a delivery ends or the listener panics.
struct Progress<'a> {
    next: u64,
    subscriber: &'a Subscriber,
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        self.subscriber.set_next(self.next);
    }
}
