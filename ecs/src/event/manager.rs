//! The event types of an engine, with their listeners and counters.

use std::alloc::Layout;
use std::any::TypeId;
use std::ops::Range;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::buffer::EventBuffer;
use super::lifecycle::is_lifecycle;
use super::queue::{Batch, QueuePosition};
use super::reader::AnyReader;
use super::subscriptions::{IN_LINE, Subscriber};
use super::waiting::EntitiesOf;
use super::{Despawned, Despawning, Disabled, Enabled, Event, EventTypeId, Spawned};
use crate::entity::EntityId;
use crate::type_map::{FixedMap, TypeMap, short_name};

/// What happened to the events of one type since the engine was created.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct EventCounters {
    /// Events sent.
    pub sent: u64,
    /// Deliveries: an event with three listeners counts three times.
    pub delivered: u64,
    /// Bytes of the events sent.
    pub bytes: u64,
    /// Most events sent in one frame.
    pub peak: u64,
    /// Time spent in listeners; zero unless the engine was built with a clock.
    pub handler_time: Duration,
}

/// What delivering its events touches comes first, in one line of memory.
#[repr(C, align(64))]
pub(crate) struct EventType {
    /// In execution order; those that observe an entity come last.
    pub(crate) subscribers: Vec<Subscriber>,
    pub(crate) layout: Layout,
    /// Without `bytes`, and without events that wait.
    pub(crate) counters: EventCounters,
    pub(crate) name: &'static str,
    pub(crate) type_id: TypeId,
    /// Events sent up to the last frame.
    pub(super) sent_before: u64,
    /// A system has a listener for it, subscribed or not, or the application a reader.
    pub(crate) is_heard: bool,
    /// One of its listeners is not in a lane, so its events wait for all others, and all others for them.
    pub(crate) is_in_line: bool,
    /// The places of the subscribers that observe an entity, those of one entity in a row.
    pub(super) observers: Vec<(EntityId, usize)>,
    /// Where those of each entity begin.
    pub(super) first_observers: FixedMap<EntityId, usize>,
    /// Returns the entities of an event, if the type was observed.
    pub(super) entities_of: Option<EntitiesOf>,
    /// Systems that declare to send it, in execution order.
    pub(crate) senders: Vec<&'static str>,
    /// The engine sends it, or it was sent or declared from outside of the systems.
    pub(crate) comes_from_outside: bool,
    /// The engine itself sends it.
    pub(crate) is_lifecycle: bool,
    /// It was told that nobody sends it, and that a query was meant.
    pub(crate) is_warned_of: bool,
    /// Takes the events after frames.
    pub(super) reader: Option<Arc<dyn AnyReader>>,
    /// How traced events are copied, once that is known.
    #[cfg(feature = "inspect")]
    pub(crate) copy: Option<super::waiting::CopyEvents>,
}

impl EventType {
    /// The number of subscribers to the events of all entities.
    pub(crate) fn listeners(&self) -> usize {
        self.subscribers.len() - self.observers.len()
    }

    /// The place of the `n`th subscriber to the events of one entity: the listeners to the events of all entities come
    /// first, then its observers.
    pub(crate) fn nth_for(&self, entity: EntityId, n: usize) -> Option<usize> {
        match n.checked_sub(self.listeners()) {
            Some(n) => self.observer(entity, self.first_observer(entity)? + n),
            None => Some(n),
        }
    }

    /// The first observer of an entity. The others follow it as [`EventType::observer`] gives them.
    pub(crate) fn first_observer(&self, entity: EntityId) -> Option<usize> {
        self.first_observers.get(&entity).copied()
    }

    /// The place of the subscriber that is the `n`th observer, if it observes this entity.
    pub(crate) fn observer(&self, entity: EntityId, n: usize) -> Option<usize> {
        let (observed, place) = *self.observers.get(n)?;
        (observed == entity).then_some(place)
    }
}

/// All event types that an engine knows, their listeners, and the queue.
pub struct EventManager {
    pub(crate) types: Vec<EventType>,
    pub(super) ids: TypeMap<EventTypeId>,
    /// The events of this frame, and those that wait for the next one.
    pub(crate) queue: Vec<Batch>,
    /// The events before this place of the queue were delivered.
    pub(crate) delivered: QueuePosition,
    /// The number of the next event that is moved to the queue.
    pub(super) next_sequence: u64,
    /// Every event with a lower number is counted as sent.
    pub(super) counted: u64,
    /// Events from outside and from the engine. Locked only for counting; all other access is by `&mut`.
    pub(super) outside: Mutex<EventBuffer>,
    /// Rises each time a subscription changes.
    pub(super) subscription_changes: AtomicU64,
    pub(crate) lifecycle: Lifecycle,
    /// The number of types with readers.
    pub(super) readers: usize,
    /// They get nothing of the frames that run.
    #[cfg(feature = "inspect")]
    pub(crate) are_readers_left_out: bool,
    /// The numbers of the events of this frame that were dropped instead of delivered; noted for readers only.
    pub(super) undelivered: Vec<Range<u64>>,
}

/// The lifecycle events that have listeners.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lifecycle {
    pub(crate) spawned: Option<EventTypeId>,
    pub(crate) despawned: Option<EventTypeId>,
    pub(crate) despawning: Option<EventTypeId>,
    pub(crate) enabled: Option<EventTypeId>,
    pub(crate) disabled: Option<EventTypeId>,
}

impl Default for EventManager {
    fn default() -> Self {
        Self {
            types: Vec::new(),
            ids: TypeMap::default(),
            queue: Vec::new(),
            delivered: QueuePosition::start(0, 0),
            next_sequence: 0,
            counted: 0,
            outside: Mutex::new(EventBuffer::new()),
            subscription_changes: AtomicU64::new(0),
            lifecycle: Lifecycle::default(),
            readers: 0,
            #[cfg(feature = "inspect")]
            are_readers_left_out: false,
            undelivered: Vec::new(),
        }
    }
}

impl EventManager {
    /// The counters of event type `E`; `None` if the engine does not know the type.
    ///
    /// # Complexity
    /// O(1), plus O(n) for n events that wait to be delivered.
    #[must_use]
    pub fn counters<E: Event>(&self) -> Option<EventCounters> {
        Some(self.counters_of(self.id_of::<E>()?))
    }

    /// How many events of a type were sent; 0 for a type that the engine does not know.
    #[cfg(feature = "inspect")]
    pub(crate) fn sent(&self, event: TypeId) -> u64 {
        self.ids.get(&event).map_or(0, |id| self.counters_of(*id).sent)
    }

    pub(super) fn counters_of(&self, id: EventTypeId) -> EventCounters {
        let event_type = self.event_type(id);
        // Computed here, so that delivery updates one counter instead of three.
        let sent = event_type.counters.sent + self.uncounted(id);
        EventCounters { sent, bytes: sent * event_type.layout.size() as u64, ..event_type.counters }
    }

    /// The name and the counters of every event type, in the order of registration.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, EventCounters)> + '_ {
        let ids = (0..self.types.len()).map(|index| EventTypeId(index as u32));
        ids.map(|id| (self.event_type(id).name, self.counters_of(id)))
    }

    pub(crate) fn id_of<E: Event>(&self) -> Option<EventTypeId> {
        self.ids.get(&TypeId::of::<E>()).copied()
    }

    pub(crate) fn register<E: Event>(&mut self) -> EventTypeId {
        match self.id_of::<E>() {
            Some(id) => id,
            None => self.register_new(TypeId::of::<E>(), short_name::<E>(), Layout::new::<E>(), is_lifecycle::<E>()),
        }
    }

    /// Registers a new type. Compiled once for all types.
    fn register_new(&mut self, type_id: TypeId, name: &'static str, layout: Layout, is_lifecycle: bool) -> EventTypeId {
        let id = EventTypeId(u32::try_from(self.types.len()).expect("fewer than 2^32 event types"));
        self.types.push(EventType {
            name,
            type_id,
            layout,
            counters: EventCounters::default(),
            sent_before: 0,
            is_heard: false,
            is_in_line: false,
            subscribers: Vec::new(),
            observers: Vec::new(),
            first_observers: FixedMap::default(),
            entities_of: None,
            senders: Vec::new(),
            comes_from_outside: is_lifecycle,
            is_lifecycle,
            is_warned_of: false,
            reader: None,
            #[cfg(feature = "inspect")]
            copy: None,
        });
        self.ids.insert(type_id, id);
        tracing::debug!(target: "ecs::event", event = name, id = id.0, "new event type");
        id
    }

    pub(crate) fn event_type(&self, id: EventTypeId) -> &EventType {
        &self.types[id.index()]
    }

    pub(crate) fn event_type_mut(&mut self, id: EventTypeId) -> &mut EventType {
        &mut self.types[id.index()]
    }

    /// Removes the listeners that a system has for a type; the listeners must be set next.
    pub(crate) fn forget_subscriptions(&mut self, id: EventTypeId, system: TypeId) {
        self.event_type_mut(id).subscribers.retain(|subscriber| subscriber.system_type != system);
    }

    /// Replaces the listeners, which come in execution order, each with the entity that it observes. A listener that
    /// was there before keeps its subscription, and receives no event twice; a new one receives all events that wait.
    ///
    /// # Complexity
    /// O(n log n) for n listeners.
    pub(crate) fn set_subscribers(
        &mut self,
        wanted: impl Iterator<Item = (EventTypeId, Option<EntityId>, Subscriber)> + Clone,
    ) {
        let old = self.types.iter_mut().flat_map(|event_type| event_type.subscribers.drain(..));
        let before: FixedMap<_, _> = old.map(|old| (old.key(), old.state())).collect();
        for EventType { observers, first_observers, .. } in &mut self.types {
            observers.clear();
            first_observers.clear();
        }
        let observers = wanted.clone().filter(|(_, observed, _)| observed.is_some());
        for (id, observed, new) in wanted.filter(|(_, observed, _)| observed.is_none()).chain(observers) {
            let old = before.get(&new.key()).copied();
            new.set_state(old.unwrap_or((new.is_subscribed(), self.delivered.sequence)));
            let EventType { subscribers, observers, .. } = &mut self.types[id.index()];
            observers.extend(observed.map(|entity| (entity, subscribers.len())));
            subscribers.push(new);
        }
        for EventType { observers, first_observers, subscribers, is_in_line, .. } in &mut self.types {
            *is_in_line = subscribers.iter().any(|subscriber| subscriber.lane == IN_LINE);
            observers.sort_unstable();
            for (place, (entity, _)) in observers.iter().enumerate() {
                first_observers.entry(*entity).or_insert(place);
            }
        }
    }

    /// Notes that a type has listeners or a reader; returns whether it had none.
    pub(crate) fn note_listener(&mut self, id: EventTypeId) -> bool {
        let had = std::mem::replace(&mut self.types[id.index()].is_heard, true);
        self.note_lifecycle();
        !had
    }

    /// Notes the types with listeners; those with readers count, too. From now on, lifecycle events among them are
    /// sent, and no others.
    pub(crate) fn note_listeners(&mut self, heard: impl Iterator<Item = EventTypeId>) {
        self.types.iter_mut().for_each(|event_type| event_type.is_heard = event_type.reader.is_some());
        for id in heard {
            self.types[id.index()].is_heard = true;
        }
        self.note_lifecycle();
    }

    fn note_lifecycle(&mut self) {
        self.lifecycle = Lifecycle {
            spawned: self.heard::<Spawned>(),
            despawned: self.heard::<Despawned>(),
            despawning: self.heard::<Despawning>(),
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
}
