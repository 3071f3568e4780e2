//! Subscriptions: which listeners receive events.

use std::any::TypeId;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::EventManager;
use crate::ids::FunctionKey;

/// A listening method of a system, in the list of its event type. What delivery touches comes first.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Subscriber {
    /// Index of the system in its manager.
    pub(crate) system: usize,
    /// Index of the method among the listeners of the system.
    pub(crate) listener: usize,
    /// Every event with a lower number was delivered to it or is not meant for it.
    next_sequence: AtomicU64,
    is_subscribed: AtomicBool,
    /// Where it waits for its turn among all listeners; [`IN_LINE`] if it waits for each of them.
    pub(crate) lane: u32,
    /// The method has a query, which needs ticks.
    pub(crate) has_query: bool,
    /// The method may send events or record commands.
    pub(crate) fills_buffers: bool,
    /// Its conditions are checked for each event.
    pub(crate) is_conditional: bool,
    pub(crate) system_type: TypeId,
    /// The key of a listening function. Several may have one type.
    pub(super) function: Option<FunctionKey>,
}

/// The lane of listeners that receive an event when all before it were delivered, and before any behind it is.
pub(crate) const IN_LINE: u32 = u32::MAX;

/// What a listening method does beside reading events.
#[derive(Clone, Copy)]
pub(crate) struct SubscriberNeeds {
    /// It may send events, record commands or return an error.
    pub(crate) fills_buffers: bool,
    pub(crate) has_query: bool,
    pub(crate) is_conditional: bool,
    pub(crate) lane: u32,
}

impl Subscriber {
    /// A new subscriber, which receives nothing before its first [`Subscriber::set_state`].
    pub(crate) fn new(
        (system_type, function): (TypeId, Option<FunctionKey>),
        system: usize,
        listener: usize,
        needs: SubscriberNeeds,
        is_subscribed: bool,
    ) -> Self {
        Self {
            system_type,
            function,
            system,
            listener,
            fills_buffers: needs.fills_buffers,
            lane: needs.lane,
            is_conditional: needs.is_conditional,
            has_query: needs.has_query,
            is_subscribed: AtomicBool::new(is_subscribed),
            next_sequence: AtomicU64::new(u64::MAX),
        }
    }

    #[inline]
    pub(crate) fn is_subscribed(&self) -> bool {
        self.is_subscribed.load(Ordering::Relaxed)
    }

    /// Whether it is in a lane, sends no events and records no commands.
    #[inline]
    pub(super) fn is_plain(&self) -> bool {
        !self.fills_buffers && self.lane != IN_LINE
    }

    /// The number of the next event for it.
    #[inline]
    pub(crate) fn next(&self) -> u64 {
        self.next_sequence.load(Ordering::Relaxed)
    }

    #[inline]
    pub(crate) fn set_next(&self, sequence: u64) {
        self.next_sequence.store(sequence, Ordering::Relaxed);
    }

    /// What tells it from all others, also when systems are added and removed.
    pub(super) fn key(&self) -> (TypeId, Option<FunctionKey>, usize) {
        (self.system_type, self.function, self.listener)
    }

    /// Whether it is a method of this function, or of a system.
    #[cfg(feature = "inspect")]
    pub(crate) fn is_of(&self, function: Option<FunctionKey>) -> bool {
        self.function == function
    }

    /// Whether it is subscribed, and the number of the next event for it.
    pub(crate) fn state(&self) -> (bool, u64) {
        (self.is_subscribed(), self.next())
    }

    pub(crate) fn set_state(&self, (is_subscribed, next): (bool, u64)) {
        self.is_subscribed.store(is_subscribed, Ordering::Relaxed);
        self.set_next(next);
    }

    /// Delivers all events from `sequence` on to it, since a restored snapshot has set the event numbers back.
    pub(crate) fn resume_at(&self, sequence: u64) {
        self.next_sequence.fetch_min(sequence, Ordering::Relaxed);
    }

    /// Subscribes or unsubscribes; a new subscriber receives events from `sequence` on, but none twice. Returns whether
    /// it changed.
    fn subscribe(&self, on: bool, sequence: u64) -> bool {
        let changed = self.is_subscribed.swap(on, Ordering::Relaxed) != on;
        if changed && on {
            self.next_sequence.fetch_max(sequence, Ordering::Relaxed);
        }
        changed
    }
}

impl EventManager {
    /// Subscribes or unsubscribes all listeners of a system for an event type. New subscribers receive events from
    /// `sequence` on, or all that wait. Returns whether anything changed.
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
