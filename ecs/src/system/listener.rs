//! A listening method together with its parameters: delivers a whole run of events with one call.
#![allow(unsafe_code)]

use super::node::{Delivery, ListenTo};
use super::{Access, ListenerMethod, Param, RunContext};
use crate::event::{Event, EventTypeId, Subscriber};
use crate::world::World;

pub(super) struct Listener<F, P: Param> {
    method: F,
    params: P::State,
    event_type: EventTypeId,
    changes_subscriptions: bool,
}

impl<F, P: Param> Listener<F, P> {
    /// Prepares a method that listens to `E`.
    pub(super) fn new<E: Event>(method: F, world: &mut World, access: &mut Access) -> Self {
        let event_type = world.events.register::<E>();
        let params = P::prepare(world, access);
        Self { method, params, event_type, changes_subscriptions: access.changes_subscriptions }
    }

    pub(super) fn event_type(&self) -> EventTypeId {
        self.event_type
    }
}

/// Pins the marker that a [`ListenerMethod`] was found by.
pub(super) struct Pinned<F, P: Param, M>(pub(super) Listener<F, P>, pub(super) std::marker::PhantomData<fn(M)>);

impl<S, F, M: 'static> ListenTo<S> for Pinned<F, F::Params, M>
where
    F: ListenerMethod<S, M>,
{
    fn missing(&self, world: &World) -> Option<&'static str> {
        F::Params::missing(&self.0.params, world)
    }

    fn deliver(&self, state: &mut S, delivery: &Delivery<'_>, context: &RunContext<'_>) {
        let Listener { method, params, event_type, changes_subscriptions } = &self.0;
        assert_eq!(*event_type, delivery.segment.event_type, "listeners are called with events of their type");
        // SAFETY: the engine gives one id to each event type, and it is this listener's; buffers are rewound only when the
        // last dispatch of a frame is over.
        let events = unsafe { delivery.segment.events::<F::Event>() };
        let mut guard = F::Params::guard(params, context);
        let mut progress = Progress { next: delivery.sequence, subscriber: delivery.subscriber };
        for event in events {
            if *changes_subscriptions {
                context.sequence.set(Some(progress.next));
            }
            progress.next += 1;
            method.call(state, event, F::Params::item(&mut guard));
            if *changes_subscriptions && !delivery.subscriber.is_subscribed() {
                break;
            }
        }
    }
}

/// Tells the subscriber how far a delivery came, whether it ends or the listener panics.
struct Progress<'a> {
    next: u64,
    subscriber: &'a Subscriber,
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        self.subscriber.set_next(self.next);
    }
}
