//! Copying, hashing and saving waiting events of a registered type.

use std::any::Any;
use std::ops::Range;

use super::inspected::InspectEvents;
use crate::event::{Event, EventManager, EventTypeId, Waiting, WaitingRun};
use crate::stable_hash::StateHasher;

/// The waiting events of one type in a snapshot.
pub(crate) trait AnyEvents: Any + Send {
    fn clear(&mut self);
    fn len(&self) -> usize;
    /// About how many bytes it holds, without what the events own.
    #[cfg(feature = "inspect")]
    fn held_bytes(&self) -> usize;
}

impl<E: Send + 'static> AnyEvents for Vec<E> {
    fn clear(&mut self) {
        // One by one: two that panic in `drop` at once would end the program.
        while self.pop().is_some() {}
    }

    fn len(&self) -> usize {
        self.len()
    }

    #[cfg(feature = "inspect")]
    fn held_bytes(&self) -> usize {
        self.capacity() * size_of::<E>()
    }
}

fn list<E: Send + 'static>(events: &dyn AnyEvents) -> &Vec<E> {
    let events: &dyn Any = events;
    events.downcast_ref().expect("events are kept by their type")
}

/// How events of a type are copied and hashed.
pub(crate) struct EventKind<E> {
    hash: Box<HashEvent<E>>,
}

type HashEvent<E> = dyn Fn(&E, &mut StateHasher) + Send + Sync;

impl<E> EventKind<E> {
    pub(super) fn new(hash: impl Fn(&E, &mut StateHasher) + Send + Sync + 'static) -> Self {
        Self { hash: Box::new(hash) }
    }
}

/// [`EventKind`] with its type erased.
pub(crate) trait AnyEventType: Any + Send + Sync + InspectEvents {
    fn new_list(&self) -> Box<dyn AnyEvents>;
    /// Appends the events of a waiting run to a list.
    fn copy_out(&self, events: &EventManager, waiting: Waiting<'_>, into: &mut dyn AnyEvents);
    /// Sends some events of a list again.
    fn copy_in(&self, from: &dyn AnyEvents, range: Range<usize>, run: WaitingRun, events: &mut EventManager);
    /// Clones all events of a list, to see whether one panics.
    fn try_clone(&self, from: &dyn AnyEvents);
    /// The id of the type in an engine, registered if needed.
    fn meet(&self, events: &mut EventManager) -> EventTypeId;
    /// Adds some events of a list to a hash.
    fn hash(&self, from: &dyn AnyEvents, range: Range<usize>, hash: &mut StateHasher);
    /// Adds an event to a hash.
    fn hash_value(&self, event: &dyn Any, hash: &mut StateHasher);
}

impl<E: Event + Clone> AnyEventType for EventKind<E> {
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

    fn try_clone(&self, from: &dyn AnyEvents) {
        drop(list::<E>(from).clone());
    }

    fn meet(&self, events: &mut EventManager) -> EventTypeId {
        events.register::<E>()
    }

    fn hash(&self, from: &dyn AnyEvents, range: Range<usize>, hash: &mut StateHasher) {
        list::<E>(from)[range].iter().for_each(|event| (self.hash)(event, hash));
    }

    fn hash_value(&self, event: &dyn Any, hash: &mut StateHasher) {
        (self.hash)(event.downcast_ref().expect("events are kept by their type"), hash);
    }
}
