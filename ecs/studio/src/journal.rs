//! [`Journal`]: the events and commands of the last frames, and the chains of their causes.

use std::collections::VecDeque;

use ecs::EntityId;
use ecs::inspect::{CausedBy, ChangeTrace, EventTrace, Inspector};
use serde_json::{Value, json};

use crate::values::{limited_to, name_of};

/// Limit of frames.
const MAX_FRAMES: u64 = 7_200;
/// Limits of entries, and of the bytes of all values as text.
const MAX_EVENTS: usize = 200_000;
const MAX_CHANGES: usize = 100_000;
const MAX_BYTES: usize = 1 << 26;
/// Limit of the bytes of one value.
const MAX_VALUE_BYTES: usize = 1 << 12;
/// Of a command for more entities, these are kept.
const MAX_ENTITIES: usize = 64;

/// Limit of the links of a chain; the oldest are left out.
const MAX_LINKS: usize = 100;

/// An event with its value.
pub(crate) struct EventRecord {
    pub(crate) trace: EventTrace,
    /// `Null` if its type is not registered for saving, or if it is too large.
    pub(crate) value: Value,
    /// The bytes of the value as text.
    bytes: usize,
}

#[derive(Default)]
pub(crate) struct Journal {
    events: VecDeque<EventRecord>,
    changes: VecDeque<ChangeTrace>,
    /// The frames after this one are on record, up to `frame`.
    begin: u64,
    /// The frame that was taken last.
    frame: u64,
    /// The bytes of all values.
    bytes: usize,
}

impl Journal {
    /// Begins after a frame.
    pub(crate) fn begin(frame: u64) -> Self {
        Self { begin: frame, frame, ..Self::default() }
    }

    /// Begins later than it was: the frames up to this one are not on record.
    pub(crate) fn begin_later(&mut self, frame: u64) {
        self.begin = frame;
    }

    /// The first frame that is on record.
    pub(crate) fn known_from(&self) -> u64 {
        self.begin + 1
    }

    pub(crate) fn covers(&self, frame: u64) -> bool {
        self.begin < frame && frame <= self.frame
    }

    /// Adds what was traced in the frames since the last call, and returns the new events; `frame` is the present one.
    pub(crate) fn take(&mut self, inspector: &Inspector<'_>, frame: u64) -> impl Iterator<Item = &EventRecord> {
        let (after, before) = (self.frame, self.events.len());
        for trace in inspector.traced_events(after) {
            let value = limited_to(MAX_VALUE_BYTES, |to| inspector.event(trace.number, to)).unwrap_or_default();
            let bytes = value.to_string().len();
            self.bytes += bytes;
            self.events.push_back(EventRecord { trace, value, bytes });
        }
        let added = self.events.len() - before;
        for mut change in inspector.traced_changes(after) {
            change.entities.truncate(MAX_ENTITIES);
            self.changes.push_back(change);
        }
        self.frame = frame;
        let oldest = frame.saturating_sub(MAX_FRAMES);
        let is_over = |events: usize, bytes: usize| events > MAX_EVENTS || bytes > MAX_BYTES;
        while self.events.len() > added
            && (is_over(self.events.len(), self.bytes) || self.events[0].trace.frame < oldest)
        {
            if let Some(event) = self.events.pop_front() {
                self.bytes -= event.bytes;
                self.begin = self.begin.max(event.trace.frame);
            }
        }
        while self.changes.len() > MAX_CHANGES || self.changes.front().is_some_and(|change| change.frame < oldest) {
            self.begin = self.begin.max(self.changes.pop_front().map_or(0, |change| change.frame));
        }
        self.events.iter().skip(self.events.len() - added)
    }

    /// Forgets what happened after a frame.
    pub(crate) fn forget_after(&mut self, frame: u64) {
        while let Some(event) = self.events.pop_back_if(|event| event.trace.frame > frame) {
            self.bytes -= event.bytes;
        }
        (self.begin, self.frame) = (self.begin.min(frame), self.frame.min(frame));
        while self.changes.pop_back_if(|change| change.frame > frame).is_some() {}
    }

    /// The events up to a frame, the latest first.
    pub(crate) fn events_until(&self, frame: u64) -> impl Iterator<Item = &EventRecord> {
        self.events.iter().rev().skip_while(move |event| event.trace.frame > frame)
    }

    /// The commands that changed an entity up to a frame, the latest first.
    pub(crate) fn changes_of(&self, entity: EntityId, frame: u64) -> impl Iterator<Item = &ChangeTrace> {
        self.changes.iter().rev().filter(move |change| change.frame <= frame && change.entities.contains(&entity))
    }

    fn event(&self, number: u64) -> Option<&EventRecord> {
        let place = self.events.partition_point(|event| event.trace.number < number);
        self.events.get(place).filter(|event| event.trace.number == number)
    }

    fn change(&self, number: u64) -> Option<&ChangeTrace> {
        let place = self.changes.partition_point(|change| change.number < number);
        self.changes.get(place).filter(|change| change.number == number)
    }

    /// The chain of causes that ends with an event, the oldest first.
    pub(crate) fn why_event(&self, number: u64) -> Option<Vec<Value>> {
        let event = self.event(number)?;
        Some(self.chain(event_link(event), event.trace.cause))
    }

    /// The chain of causes that ends with a command.
    pub(crate) fn why_change(&self, number: u64) -> Option<Vec<Value>> {
        let change = self.change(number)?;
        Some(self.chain(change_link(change), change.cause))
    }

    fn chain(&self, last: Value, mut cause: CausedBy) -> Vec<Value> {
        let mut chain = vec![last];
        while chain.len() < MAX_LINKS {
            let found = match cause {
                CausedBy::Listener(_, number) => self.event(number).map(|event| (event_link(event), event.trace.cause)),
                CausedBy::Change(number) => self.change(number).map(|change| (change_link(change), change.cause)),
                CausedBy::Outside | CausedBy::System(_) | CausedBy::Unknown => None,
            };
            let Some((link, by)) = found else { break };
            chain.push(link);
            cause = by;
        }
        chain.reverse();
        chain
    }
}

/// An event as JSON.
pub(crate) fn event_link(event: &EventRecord) -> Value {
    let EventTrace { number, frame, event: name, cause } = event.trace;
    json!({ "event": number, "frame": frame, "name": name, "value": event.value, "by": by(cause) })
}

/// A command as JSON.
pub(crate) fn change_link(change: &ChangeTrace) -> Value {
    let entities: Vec<_> = change.entities.iter().map(|entity| name_of(*entity)).collect();
    json!({
        "change": change.number, "frame": change.frame, "name": change.change, "entities": entities,
        "by": by(change.cause),
    })
}

/// A cause as JSON: the system, and the number of the event or command behind it.
fn by(cause: CausedBy) -> Value {
    match cause {
        CausedBy::Outside => json!({ "kind": "outside" }),
        CausedBy::System(system) => json!({ "kind": "system", "system": system }),
        CausedBy::Listener(system, event) => json!({ "kind": "listener", "system": system, "event": event }),
        CausedBy::Change(change) => json!({ "kind": "engine", "change": change }),
        CausedBy::Unknown => json!({ "kind": "unknown" }),
    }
}
