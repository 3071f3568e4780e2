//! What a snapshot can do with an event type.

use std::any::{Any, TypeId};
use std::ops::Range;

use super::hash::StateHasher;
use crate::event::{EventManager, EventTypeId, Waiting, WaitingRun};

/// Events of one type that waited when a snapshot was taken.
pub(crate) trait AnyEvents: Any + Send {
    fn clear(&mut self);
    fn len(&self) -> usize;
}

impl<E: Send + 'static> AnyEvents for Vec<E> {
    fn clear(&mut self) {
        self.clear();
    }

    fn len(&self) -> usize {
        self.len()
    }
}

fn list<E: Send + 'static>(events: &dyn AnyEvents) -> &Vec<E> {
    let events: &dyn Any = events;
    events.downcast_ref().expect("events are kept by their type")
}

/// How events of a type are copied and hashed. `Removed<T>` is only an event if it is `Copy`, but can be copied always.
pub(crate) struct EventKind<E, H> {
    hash: H,
    event: std::marker::PhantomData<fn(E)>,
}

impl<E, H: Fn(&E, &mut StateHasher)> EventKind<E, H> {
    pub(super) fn new(hash: H) -> Self {
        Self { hash, event: std::marker::PhantomData }
    }
}

/// The same without knowing the type.
pub(crate) trait AnyEventType: Any + Send + Sync {
    fn new_list(&self) -> Box<dyn AnyEvents>;
    /// Adds the events of a run that waits to a list.
    fn copy_out(&self, events: &EventManager, waiting: Waiting<'_>, into: &mut dyn AnyEvents);
    /// Lets some events of a list wait again.
    fn copy_in(&self, from: &dyn AnyEvents, range: Range<usize>, run: WaitingRun, events: &mut EventManager);
    /// The id of the type in an engine; `None` if nobody there has to do with it.
    fn id(&self, events: &EventManager) -> Option<EventTypeId>;
    /// Adds the events of a run that waits to a hash.
    fn hash(&self, events: &EventManager, waiting: Waiting<'_>, hash: &mut StateHasher);
}

impl<E: Clone + Send + 'static, H: Fn(&E, &mut StateHasher) + Send + Sync + 'static> AnyEventType for EventKind<E, H> {
    fn new_list(&self) -> Box<dyn AnyEvents> {
        Box::new(Vec::<E>::new())
    }

    fn copy_out(&self, events: &EventManager, waiting: Waiting<'_>, into: &mut dyn AnyEvents) {
        let into: &mut dyn Any = into;
        let into: &mut Vec<E> = into.downcast_mut().expect("events are kept by their type");
        into.extend_from_slice(waiting.events(events));
    }

    fn copy_in(&self, from: &dyn AnyEvents, range: Range<usize>, run: WaitingRun, events: &mut EventManager) {
        events.send_again(run, &list::<E>(from)[range]);
    }

    fn id(&self, events: &EventManager) -> Option<EventTypeId> {
        events.id_by_type(TypeId::of::<E>())
    }

    fn hash(&self, events: &EventManager, waiting: Waiting<'_>, hash: &mut StateHasher) {
        waiting.events(events).iter().for_each(|event| (self.hash)(event, hash));
    }
}
