//! An event bus without entities, systems and frames, and its arena alone.

use super::waiting::Waiting;
use super::{CascadeError, Event, EventBuffer, EventCounters, EventManager, EventTypeId, OUTSIDE, cascade};
use crate::panic::FirstPanic;

/// A stand-alone event bus, for programs that want events without an [`Engine`](crate::Engine).
///
/// [`EventBus::send`] stores events in a linear arena. [`EventBus::dispatch`] delivers them, first in, first out across
/// all types, and each event once to each listener of its type, then drops them. Events that listeners send join the
/// end. Consecutive
/// events of one type are delivered to one listener after the other, in the order in which the listeners were added.
///
/// Listeners get a state `S`, which the caller of `dispatch` owns. A warm bus allocates nothing.
///
/// # Example
/// ```
/// use ecs::event::{EventBus, Outbox};
///
/// #[derive(Clone, Copy)]
/// struct Received { bytes: u32 }
/// #[derive(Clone, Copy)]
/// struct Overflow;
///
/// #[derive(Default)]
/// struct Meter { bytes: u32, overflows: u32 }
///
/// let mut bus = EventBus::<Meter>::new();
/// bus.listen(|meter: &mut Meter, received: &Received, outbox: &mut Outbox| {
///     meter.bytes += received.bytes;
///     if meter.bytes > 100 {
///         meter.bytes = 0;
///         outbox.send(Overflow);
///     }
/// });
/// bus.listen(|meter: &mut Meter, _: &Overflow, _: &mut Outbox| meter.overflows += 1);
///
/// let mut meter = Meter::default();
/// for _ in 0..5 {
///     bus.send(Received { bytes: 60 });
/// }
/// assert_eq!(bus.dispatch(&mut meter)?, 7, "five events and two overflows");
/// assert_eq!((meter.bytes, meter.overflows), (60, 2));
/// # Ok::<(), ecs::system::CascadeError>(())
/// ```
pub struct EventBus<S = ()> {
    events: EventManager,
    sent: EventBuffer,
    /// In the order in which they were added.
    listeners: Vec<BusListener<S>>,
    rounds: usize,
}

/// The most events that listeners may send in one dispatch, as in an engine.
const MOST_CAUSED: u64 = 1 << 24;

struct BusListener<S> {
    event_type: EventTypeId,
    call: Box<Call<S>>,
}

type Call<S> = dyn FnMut(&mut S, Waiting<'_>, &EventManager, &mut Outbox<'_>) + Send;

/// Sends events from a listener of an [`EventBus`].
pub struct Outbox<'b> {
    events: &'b EventManager,
    sent: &'b EventBuffer,
}

impl Outbox<'_> {
    /// Sends an event; it joins the end of the queue. An event of a type that the bus does not know has no listener.
    pub fn send<E: Event>(&mut self, event: E) {
        if let Some(event_type) = self.events.id_of::<E>() {
            self.sent.push(event_type, event);
        }
    }
}

impl<S> Default for EventBus<S> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S> EventBus<S> {
    /// A bus without listeners, which dispatches at most 64 rounds at a time.
    #[must_use]
    pub fn new() -> Self {
        Self::with_rounds(64)
    }

    /// A bus that dispatches at most `rounds` rounds at a time: a round delivers the events that waited when it began.
    #[must_use]
    pub fn with_rounds(rounds: usize) -> Self {
        Self { events: EventManager::default(), sent: EventBuffer::new(), listeners: Vec::new(), rounds }
    }

    /// Calls `listener` with each event of type `E` from now on.
    pub fn listen<E: Event>(
        &mut self,
        mut listener: impl FnMut(&mut S, &E, &mut Outbox<'_>) + Send + 'static,
    ) -> &mut Self {
        let event_type = self.events.register::<E>();
        let call = move |state: &mut S, waiting: Waiting<'_>, events: &EventManager, outbox: &mut Outbox<'_>| {
            waiting.events::<E>(events).iter().for_each(|event| listener(state, event, outbox));
        };
        self.listeners.push(BusListener { event_type, call: Box::new(call) });
        self
    }

    /// Sends an event; the next dispatch delivers it.
    pub fn send<E: Event>(&mut self, event: E) {
        let event_type = self.events.register::<E>();
        self.sent.push(event_type, event);
    }

    /// Number of events that wait for the next dispatch.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.events.queued() + self.sent.count()
    }

    /// How many events of type `E` were sent and delivered; `None` if the bus does not know the type.
    #[must_use]
    pub fn counters<E: Event>(&self) -> Option<EventCounters> {
        self.events.counters::<E>()
    }

    /// Delivers events until none waits; returns the number of deliveries.
    ///
    /// # Errors
    /// - If listeners kept sending events for all rounds, or sent more than 16,777,216: the error names the cycle. The
    ///   remaining events are dropped.
    ///
    /// # Panics
    /// If a listener panics. The run of events that it was receiving has ended; the events behind it wait. If events
    /// panic in `drop`, with the first panic, after all were delivered and dropped.
    pub fn dispatch(&mut self, state: &mut S) -> Result<u64, CascadeError> {
        let Self { events, sent, listeners, rounds } = self;
        events.collect(sent, OUTSIDE, None);
        let before = events.collected();
        let (mut spent, mut round_end, mut deliveries) = (0, events.delivered.batch, 0);
        let mut result = Ok(());
        while events.delivered.batch < events.queue.len() {
            if events.delivered.batch == round_end {
                let caused = events.collected() - before;
                if spent == *rounds || caused > MOST_CAUSED {
                    result = Err(cascade(spent, caused, events));
                    break;
                }
                spent += 1;
                round_end = events.queue.len();
            }
            let run = events.next_run(round_end);
            let mut delivered = 0;
            for listener in listeners.iter_mut().filter(|listener| listener.event_type == run.event_type) {
                for waiting in events.segments_of(run) {
                    delivered += waiting.run.count as u64;
                    (listener.call)(state, waiting, events, &mut Outbox { events, sent });
                }
            }
            events.event_type_mut(run.event_type).counters.delivered += delivered;
            deliveries += delivered;
            events.collect(sent, OUTSIDE, Some(run.cause()));
        }
        // The queue must not be readable once the buffer is rewound.
        events.end_frame();
        let mut panics = FirstPanic::default();
        sent.rewind(&mut panics);
        panics.raise();
        result.map(|()| deliveries)
    }
}

/// A linear arena for values of any types, as the events of an engine lie in one: storing a value is one write, and
/// [`FrameArena::clear`] drops what needs it, frees everything in one step and keeps the memory.
///
/// # Example
/// ```
/// use ecs::event::FrameArena;
///
/// let mut arena = FrameArena::new();
/// for frame in 0..3_u32 {
///     arena.store(frame);
///     arena.store("a line of text");
///     arena.store(frame + 10);
///     assert_eq!(arena.iter::<u32>().collect::<Vec<_>>(), [&frame, &(frame + 10)]);
///     assert_eq!((arena.iter::<&str>().count(), arena.len()), (1, 3));
///     arena.clear();
/// }
/// assert!(arena.is_empty());
/// ```
pub struct FrameArena {
    types: EventManager,
    values: EventBuffer,
}

impl Default for FrameArena {
    fn default() -> Self {
        Self::new()
    }
}

impl FrameArena {
    /// An empty arena.
    #[must_use]
    pub fn new() -> Self {
        Self::with_capacity(0)
    }

    /// An empty arena that has room for `bytes`.
    #[must_use]
    pub fn with_capacity(bytes: usize) -> Self {
        Self { types: EventManager::default(), values: EventBuffer::with_capacity(bytes) }
    }

    /// Stores a value. O(1).
    pub fn store<T: Event>(&mut self, value: T) {
        let value_type = self.types.register::<T>();
        self.values.push(value_type, value);
    }

    /// The values of type `T`, in the order of storing. O(number of runs of values of one type).
    pub fn iter<T: Event>(&mut self) -> impl Iterator<Item = &T> {
        self.types.collect(&mut self.values, OUTSIDE, None);
        let types = &self.types;
        let value_type = types.id_of::<T>();
        let segments = types.waiting_segments().filter(move |segment| Some(segment.run.event_type) == value_type);
        segments.flat_map(move |segment| segment.events::<T>(types))
    }

    /// Number of values.
    #[must_use]
    pub fn len(&self) -> usize {
        self.types.queued() + self.values.count()
    }

    /// Whether there are no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Drops all values and keeps the memory.
    ///
    /// # Panics
    /// If values panic in `drop`: with the first panic, after all have been dropped.
    pub fn clear(&mut self) {
        // The queue must not be readable once the buffer is rewound.
        self.types.collect(&mut self.values, OUTSIDE, None);
        self.types.drop_queued();
        self.types.end_frame();
        let mut panics = FirstPanic::default();
        self.values.rewind(&mut panics);
        panics.raise();
    }
}
