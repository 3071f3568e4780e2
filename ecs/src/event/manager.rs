//! The bus: the types of events, who listens, and the queue of what waits to be delivered.

use std::alloc::Layout;
use std::any::TypeId;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::buffer::EventBuffer;
use super::lifecycle::is_lifecycle;
use super::queue::{Batch, Cause, Place};
use super::{Despawned, Disabled, Enabled, Event, Spawned};
use crate::system::{Access, OUTSIDE};
use crate::type_map::{TypeMap, short_name};

/// Names an event type within one engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EventTypeId(u32);

impl EventTypeId {
    pub(crate) const NONE: Self = Self(u32::MAX);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A listening method of a system, or of no system any more once it is unsubscribed.
#[derive(Debug)]
pub(crate) struct Subscriber {
    pub(crate) system_type: TypeId,
    /// Index of the system in its manager and of the method among the system's listeners.
    pub(crate) system: usize,
    pub(crate) listener: usize,
    /// Its method may send events or ask for changes.
    pub(crate) fills_buffers: bool,
    changes_subscriptions: bool,
    is_subscribed: AtomicBool,
    /// Every event with a lower sequence number was delivered to it or is not meant for it.
    next_sequence: AtomicU64,
}

impl Subscriber {
    pub(crate) fn is_subscribed(&self) -> bool {
        self.is_subscribed.load(Ordering::Relaxed)
    }

    /// Takes the events from `next` to `end` for delivery; returns where to begin. `None` if there are none for it.
    pub(crate) fn take(&self, end: u64) -> Option<u64> {
        let begin = self.next_sequence.load(Ordering::Relaxed);
        (self.is_subscribed() && begin < end).then(|| {
            self.next_sequence.store(end, Ordering::Relaxed);
            begin
        })
    }

    /// Whether it is subscribed, and the number of the next event for it.
    pub(crate) fn state(&self) -> (bool, u64) {
        (self.is_subscribed(), self.next_sequence.load(Ordering::Relaxed))
    }

    pub(crate) fn set_state(&self, (is_subscribed, next_sequence): (bool, u64)) {
        self.is_subscribed.store(is_subscribed, Ordering::Relaxed);
        self.next_sequence.store(next_sequence, Ordering::Relaxed);
    }

    /// Lets it hear all events from `sequence` on, as events are numbered anew.
    pub(crate) fn hear_from(&self, sequence: u64) {
        self.next_sequence.fetch_min(sequence, Ordering::Relaxed);
    }

    /// Whether it is to hear of all events from `sequence` on.
    #[inline]
    pub(crate) fn hears_all_from(&self, sequence: u64) -> bool {
        self.is_subscribed() && self.next_sequence.load(Ordering::Relaxed) <= sequence
    }

    /// Stops before the event `next`, in the middle of what was taken: the rest is for whoever subscribes it again.
    pub(crate) fn stop_before(&self, next: u64) {
        self.next_sequence.store(next, Ordering::Relaxed);
    }

    /// Switches the subscription; a new one hears events from `sequence` on, but none that it heard before. Returns whether
    /// it changed.
    pub(crate) fn subscribe(&self, on: bool, sequence: u64) -> bool {
        let changed = self.is_subscribed.swap(on, Ordering::Relaxed) != on;
        if changed && on {
            self.next_sequence.fetch_max(sequence, Ordering::Relaxed);
        }
        changed
    }
}

/// What happened to the events of one type since the engine was created.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventCounters {
    /// Events sent.
    pub sent: u64,
    /// Deliveries: an event that three listeners hear counts three times.
    pub delivered: u64,
    /// Bytes of the events sent.
    pub bytes: u64,
    /// Most events sent in one frame.
    pub peak: u64,
    /// Time spent in listeners; zero unless the engine was built with a clock.
    pub handler_time: Duration,
}

pub(crate) struct EventType {
    pub(crate) name: &'static str,
    pub(crate) type_id: TypeId,
    pub(crate) layout: Layout,
    /// Without the bytes, and without what waits.
    pub(crate) counters: EventCounters,
    /// Events sent up to the last frame.
    sent_before: u64,
    /// A system that was added has a listener for it, subscribed or not.
    is_heard: bool,
    /// Some of those who hear it may switch listeners, so that it matters how far each of them came.
    pub(crate) switches_listeners: bool,
    /// In work order.
    pub(crate) subscribers: Vec<Subscriber>,
    /// There is one subscriber, who neither sends anything, asks for anything nor switches anybody when it hears of it.
    pub(crate) has_one_plain_listener: bool,
    /// Systems that declare to send it, in work order.
    pub(crate) senders: Vec<&'static str>,
    /// The engine sends it by itself, or somebody outside of the systems did.
    pub(crate) comes_from_outside: bool,
}

/// All event types that an engine has met, their listeners, and the queue.
pub struct EventManager {
    pub(crate) types: Vec<EventType>,
    ids: TypeMap<EventTypeId>,
    /// What was sent in this frame, or waits for the next.
    pub(crate) queue: Vec<Batch>,
    /// What stands before this place of the queue was delivered.
    pub(crate) delivered: Place,
    next_sequence: u64,
    /// Every event with a lower sequence number is in the counters.
    pub(super) counted: u64,
    /// What is sent from outside, and by the engine itself. Locked for counting only: otherwise it is reached by `&mut`.
    outside: Mutex<EventBuffer>,
    /// Rises whenever a subscription changes.
    subscription_changes: AtomicU64,
    pub(crate) lifecycle: Lifecycle,
}

/// The lifecycle events that somebody listens to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lifecycle {
    pub(crate) spawned: Option<EventTypeId>,
    pub(crate) despawned: Option<EventTypeId>,
    pub(crate) enabled: Option<EventTypeId>,
    pub(crate) disabled: Option<EventTypeId>,
}

impl Default for EventManager {
    fn default() -> Self {
        Self {
            types: Vec::new(),
            ids: TypeMap::default(),
            queue: Vec::new(),
            delivered: Place::start(0, 0),
            next_sequence: 0,
            counted: 0,
            outside: Mutex::new(EventBuffer::new()),
            subscription_changes: AtomicU64::new(0),
            lifecycle: Lifecycle::default(),
        }
    }
}

impl EventManager {
    /// What happened to the events of type `E` so far; `None` if the engine has not met the type.
    ///
    /// # Complexity
    /// O(1), or O(what waits) while events wait to be delivered.
    #[must_use]
    pub fn counters<E: Event>(&self) -> Option<EventCounters> {
        Some(self.counters_of(self.id_of::<E>()?))
    }

    pub(super) fn counters_of(&self, id: EventTypeId) -> EventCounters {
        let event_type = self.event_type(id);
        // Worked out here, so that delivering counts one thing and not three.
        let sent = event_type.counters.sent + self.uncounted(id);
        EventCounters { sent, bytes: sent * event_type.layout.size() as u64, ..event_type.counters }
    }

    /// The name and the counters of every event type, in the order in which the engine met them.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, EventCounters)> + '_ {
        let ids = (0..self.types.len()).map(|index| EventTypeId(index as u32));
        ids.map(|id| (self.event_type(id).name, self.counters_of(id)))
    }

    /// How many events wait for the next dispatch.
    #[must_use]
    pub fn waiting(&self) -> usize {
        let outside = self.outside.lock().unwrap_or_else(PoisonError::into_inner).count();
        outside + self.queued()
    }

    /// How many events of the queue were not delivered.
    pub(crate) fn queued(&self) -> usize {
        (self.next_sequence - self.delivered.sequence) as usize
    }

    pub(crate) fn id_of<E: Event>(&self) -> Option<EventTypeId> {
        self.ids.get(&TypeId::of::<E>()).copied()
    }

    pub(crate) fn register<E: Event>(&mut self) -> EventTypeId {
        if let Some(id) = self.id_of::<E>() {
            return id;
        }
        let id = EventTypeId(u32::try_from(self.types.len()).expect("fewer than 2^32 event types"));
        self.types.push(EventType {
            name: short_name::<E>(),
            type_id: TypeId::of::<E>(),
            layout: Layout::new::<E>(),
            counters: EventCounters::default(),
            sent_before: 0,
            is_heard: false,
            switches_listeners: false,
            subscribers: Vec::new(),
            has_one_plain_listener: false,
            senders: Vec::new(),
            comes_from_outside: is_lifecycle::<E>(),
        });
        self.ids.insert(TypeId::of::<E>(), id);
        tracing::debug!(target: "ecs::event", event = short_name::<E>(), id = id.0, "new event type");
        id
    }

    pub(crate) fn event_type(&self, id: EventTypeId) -> &EventType {
        &self.types[id.index()]
    }

    pub(crate) fn event_type_mut(&mut self, id: EventTypeId) -> &mut EventType {
        &mut self.types[id.index()]
    }

    /// How many events were moved to the queue so far.
    pub(crate) fn collected(&self) -> u64 {
        self.next_sequence
    }

    /// Says which number the next event gets; listeners may have changed.
    pub(super) fn set_next_sequence(&mut self, next_sequence: u64) {
        self.next_sequence = next_sequence;
        *self.subscription_changes.get_mut() += 1;
    }

    /// The id of an event type by its Rust type.
    pub(crate) fn id_by_type(&self, event: TypeId) -> Option<EventTypeId> {
        self.ids.get(&event).copied()
    }

    pub(crate) fn outside_buffer(&mut self) -> &mut EventBuffer {
        self.outside.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Moves what was sent from outside to the end of the queue; `sender` is the system that had the world meanwhile, if one had.
    pub(crate) fn collect_outside(&mut self, sender: usize, cause: Option<Cause>) {
        let events = self.outside_buffer().collect();
        self.enqueue(Batch { sender, events, cause });
    }

    /// Moves what a function sent to the end of the queue, behind what was sent from outside before.
    pub(crate) fn collect_function(&mut self, buffer: &mut EventBuffer) {
        self.collect_outside(OUTSIDE, None);
        self.collect(buffer, OUTSIDE, None);
    }

    /// Moves what `lane` holds to the end of the queue.
    pub(crate) fn collect(&mut self, buffer: &mut EventBuffer, sender: usize, cause: Option<Cause>) {
        self.enqueue(Batch { sender, events: buffer.collect(), cause });
    }

    pub(super) fn enqueue(&mut self, batch: Batch) {
        if batch.events.left > 0 {
            self.next_sequence += batch.events.left as u64;
            self.queue.push(batch);
        }
    }

    /// Bytes on the heap for the queue.
    pub(crate) fn queue_bytes_held(&self) -> usize {
        self.queue.capacity() * size_of::<Batch>()
    }

    /// Gives back the memory of the queue, if nothing waits in it.
    pub(crate) fn shrink(&mut self) {
        self.queue.shrink_to_fit();
        self.outside_buffer().shrink();
    }

    /// Forgets the queue, so that the buffers can be rewound.
    pub(crate) fn end_frame(&mut self) {
        self.queue.clear();
        self.delivered = Place::start(0, self.next_sequence);
        for EventType { counters, sent_before, .. } in &mut self.types {
            counters.peak = counters.peak.max(counters.sent - *sent_before);
            *sent_before = counters.sent;
        }
    }

    /// Takes over who listens, in work order; who was subscribed stays so, and hears no event twice.
    pub(crate) fn set_subscribers(&mut self, wanted: &mut dyn Iterator<Item = (EventTypeId, Subscriber)>) {
        let before: Vec<Vec<Subscriber>> =
            self.types.iter_mut().map(|event_type| std::mem::take(&mut event_type.subscribers)).collect();
        for (id, subscriber) in wanted {
            let known = before[id.index()]
                .iter()
                .find(|old| old.system_type == subscriber.system_type && old.listener == subscriber.listener);
            if let Some(old) = known {
                subscriber.is_subscribed.store(old.is_subscribed(), Ordering::Relaxed);
                subscriber.next_sequence.store(old.next_sequence.load(Ordering::Relaxed), Ordering::Relaxed);
            }
            let event_type = &mut self.types[id.index()];
            event_type.switches_listeners |= subscriber.changes_subscriptions;
            event_type.subscribers.push(subscriber);
        }
        for event_type in &mut self.types {
            let is_alone = matches!(&*event_type.subscribers, [only] if !only.fills_buffers);
            event_type.has_one_plain_listener = is_alone && !event_type.switches_listeners;
        }
    }

    /// Notes that a system was added that listens to these types: from now on, lifecycle events among them are sent.
    pub(crate) fn note_listeners(&mut self, heard: &[(EventTypeId, bool)]) {
        for (id, _) in heard {
            self.types[id.index()].is_heard = true;
        }
        self.lifecycle = Lifecycle {
            spawned: self.heard::<Spawned>(),
            despawned: self.heard::<Despawned>(),
            enabled: self.heard::<Enabled>(),
            disabled: self.heard::<Disabled>(),
        };
    }

    fn heard<E: Event>(&self) -> Option<EventTypeId> {
        self.id_of::<E>().filter(|id| self.event_type(*id).is_heard)
    }

    /// Every event type that has a listener, by its Rust type.
    pub(crate) fn heard_types(&self) -> TypeMap<EventTypeId> {
        let heard = self.types.iter().enumerate().filter(|(_, event_type)| event_type.is_heard);
        heard.map(|(index, event_type)| (event_type.type_id, EventTypeId(index as u32))).collect()
    }

    /// A new subscriber that hears all that is not delivered yet.
    pub(crate) fn subscriber(
        &self,
        system_type: TypeId,
        system: usize,
        listener: usize,
        access: &Access,
        is_subscribed: bool,
    ) -> Subscriber {
        Subscriber {
            system_type,
            system,
            listener,
            fills_buffers: access.fills_buffers(),
            changes_subscriptions: access.changes_subscriptions,
            is_subscribed: AtomicBool::new(is_subscribed),
            next_sequence: AtomicU64::new(self.delivered.sequence),
        }
    }

    /// Switches all listeners that a system has for an event type. Returns whether there is one and it changed.
    pub(crate) fn subscribe(&self, system_type: TypeId, event: TypeId, on: bool, sequence: Option<u64>) -> bool {
        let Some(id) = self.ids.get(&event) else { return false };
        let sequence = sequence.unwrap_or(self.delivered.sequence);
        let mut changed = false;
        for subscriber in self.event_type(*id).subscribers.iter().filter(|s| s.system_type == system_type) {
            changed |= subscriber.subscribe(on, sequence);
        }
        self.subscription_changes.fetch_add(u64::from(changed), Ordering::Relaxed);
        changed
    }

    pub(crate) fn subscription_changes(&self) -> u64 {
        self.subscription_changes.load(Ordering::Relaxed)
    }
}
