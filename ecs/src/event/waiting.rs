//! Copies the events that wait for delivery to snapshots and back, and moves those that were delivered to readers.
//!
//! # Invariant
//! Events in the queue lie in buffers that were not rewound since: buffers are rewound only after the queue is cleared,
//! and a [`Waiting`] borrows the queue. After [`EventManager::hand_over`] the queue is cleared before anything else
//! reads it.
#![allow(unsafe_code)]

use std::any::TypeId;
use std::marker::PhantomData;

use super::buffer::Segment;
use super::manager::EventManager;
use super::queue::{Batch, QueuePosition, Run};
use super::subscriptions::Subscriber;
use super::{EntityEvent, Event, EventTypeId, OUTSIDE};
use crate::entity::EntityId;
use crate::panic::FirstPanic;
#[cfg(feature = "inspect")]
use crate::panic::{catch, discard};

/// Events of one type from one sender that wait side by side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WaitingRun {
    pub(crate) event_type: EventTypeId,
    pub(crate) count: usize,
    pub(crate) sender: usize,
}

/// A [`WaitingRun`] with its events.
#[derive(Clone, Copy)]
pub(crate) struct Waiting<'a> {
    pub(crate) run: WaitingRun,
    segment: Segment,
    queue: PhantomData<&'a EventManager>,
}

/// Every event has a number, in the order of sending.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct EventNumbers {
    /// The number of the first event that waits.
    pub(crate) delivered: u64,
    /// The number of the first event that is not counted as sent.
    pub(crate) counted: u64,
}

impl<'a> Waiting<'a> {
    /// The events.
    ///
    /// # Panics
    /// If they are of another type.
    pub(crate) fn events<E: 'static>(self, manager: &'a EventManager) -> &'a [E] {
        assert!(
            manager.event_type(self.run.event_type).type_id == TypeId::of::<E>(),
            "events are copied by their type"
        );
        // SAFETY: the type was just compared, and the buffer was not rewound, by the invariant above.
        unsafe { self.segment.events() }
    }

    /// A copy of the events: a `Vec` of their type; `None` if the type is not registered for snapshots, or if its
    /// `Clone` panics.
    #[cfg(feature = "inspect")]
    pub(crate) fn copy(self, manager: &'a EventManager) -> Option<CopiedEvents> {
        let copy = manager.event_type(self.run.event_type).copy?;
        catch(|| copy(manager, self)).map_err(discard).ok()
    }
}

/// Copies the events of a segment to a `Vec<E>`.
#[cfg(feature = "inspect")]
pub(crate) type CopyEvents = fn(&EventManager, Waiting<'_>) -> CopiedEvents;

/// A `Vec<E>`.
#[cfg(feature = "inspect")]
pub(crate) type CopiedEvents = Box<dyn std::any::Any + Send>;

/// Events that their buffer does not own any more. Those that are not moved on are leaked.
pub(super) struct TakenEvents {
    segment: Segment,
    event: TypeId,
}

impl TakenEvents {
    /// Moves the events on.
    ///
    /// # Panics
    /// If they are of another type.
    pub(super) fn into_events<E: Event>(self) -> impl Iterator<Item = E> {
        assert!(self.event == TypeId::of::<E>(), "events are taken by their type");
        // SAFETY: the type was just compared. Only `hand_over` makes one, of a segment that the buffer does not own any
        // more, before the buffer is rewound; and this takes it.
        unsafe { self.segment.take_events() }
    }
}

/// Appends the entities that the first event of a segment concerns.
pub(crate) type EntitiesOf = fn(&EventManager, Waiting<'_>, &mut Vec<EntityId>);

impl EventManager {
    /// Prepares observers of events of type `E`.
    pub(crate) fn observe<E: EntityEvent>(&mut self) {
        let id = self.register::<E>();
        let entities_of: EntitiesOf = |manager, waiting, all| all.extend(waiting.events::<E>(manager)[0].entities());
        self.event_type_mut(id).entities_of = Some(entities_of);
    }

    /// Appends the entities that the first event of a segment of the queue concerns, if its type was observed.
    pub(crate) fn entities_of(&self, segment: Segment, all: &mut Vec<EntityId>) {
        let run = WaitingRun { event_type: segment.event_type, count: segment.len(), sender: OUTSIDE };
        if let Some(entities_of) = self.event_type(segment.event_type).entities_of {
            entities_of(self, Waiting { run, segment, queue: PhantomData }, all);
        }
    }

    /// The events of a batch, in the order of sending.
    pub(crate) fn segments_of_batch(&self, batch: usize) -> impl Iterator<Item = Waiting<'_>> {
        let mut place = QueuePosition::start(batch, 0);
        std::iter::from_fn(move || (place.batch == batch).then(|| self.next_waiting(&mut place)))
    }

    /// Reads the segment at `place` and moves the place behind it. There must be one.
    fn next_waiting(&self, place: &mut QueuePosition) -> Waiting<'_> {
        let sender = self.queue[place.batch].sender;
        let segment = self.next_segment(place);
        let run = WaitingRun { event_type: segment.event_type, count: segment.len(), sender };
        Waiting { run, segment, queue: PhantomData }
    }

    /// The events that wait, in the order of sending.
    pub(crate) fn waiting_segments(&self) -> impl Iterator<Item = Waiting<'_>> + Clone {
        let mut place = self.delivered;
        std::iter::from_fn(move || (place.batch < self.queue.len()).then(|| self.next_waiting(&mut place)))
    }

    /// The events of a run that was taken from the queue and is still in it.
    pub(super) fn segments_of(&self, run: Run) -> impl Iterator<Item = Waiting<'_>> {
        let mut place = run.start;
        std::iter::from_fn(move || (place.sequence < run.end_sequence).then(|| self.next_waiting(&mut place)))
    }

    /// The numbers at which delivery and counting are.
    pub(crate) fn numbers(&self) -> EventNumbers {
        EventNumbers { delivered: self.delivered.sequence, counted: self.counted }
    }

    /// Every listener, with its event type.
    pub(crate) fn subscribers(&self) -> impl Iterator<Item = &Subscriber> {
        self.types.iter().flat_map(|event_type| &event_type.subscribers)
    }

    /// Forgets the events that wait. The buffers must be rewound next.
    pub(crate) fn forget(&mut self, numbers: EventNumbers) {
        self.queue.clear();
        self.undelivered.clear();
        self.delivered = QueuePosition::start(0, numbers.delivered);
        self.counted = numbers.counted;
        self.next_sequence = numbers.delivered;
    }

    /// Moves the events of the queue that were delivered to the readers of their types. Closes the readers that were
    /// dropped; returns whether there was one. The queue must be cleared next.
    pub(crate) fn hand_over(&mut self, frame: u64, panics: &mut FirstPanic) -> bool {
        if self.readers == 0 {
            return false;
        }
        #[cfg(feature = "inspect")]
        if self.are_readers_left_out {
            return false;
        }
        let Self { types, queue, delivered, undelivered, next_sequence, .. } = self;
        let mut sequence = *next_sequence - queue.iter().map(|batch| batch.events.left as u64).sum::<u64>();
        for Batch { events, .. } in queue {
            while events.left > 0 && sequence < delivered.sequence {
                let event_type = &types[events.next_type().index()];
                let is_delivered = !undelivered.iter().any(|dropped| dropped.contains(&sequence));
                let reader = event_type.reader.as_ref().filter(|_| is_delivered);
                let segment = match reader {
                    Some(_) => events.take_next(|_| event_type.layout),
                    None => events.next(|_| event_type.layout),
                };
                sequence += segment.len() as u64;
                if let Some(reader) = reader {
                    reader.receive(TakenEvents { segment, event: event_type.type_id }, frame, panics);
                }
            }
        }
        self.close_readers(panics)
    }

    /// Puts events back into the queue that were copied from it as `run`.
    pub(crate) fn send_again<E: Clone + Send + 'static>(&mut self, run: WaitingRun, events: &[E]) {
        let buffer = self.outside_buffer();
        events.iter().for_each(|event| buffer.push(run.event_type, event.clone()));
        let events = buffer.collect();
        self.enqueue(Batch { sender: run.sender, events, cause: None });
    }
}
