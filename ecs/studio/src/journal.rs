//! [`Journal`]: the events and commands of the last frames, and the chains of their causes.

use std::collections::VecDeque;

use ecs::EntityId;
use ecs::inspect::{CausedBy, ChangeTrace, EventTrace, Inspector};
use serde_json::{Value, json};

use crate::values::{limited, name_of};

/// Limit of frames. As long as the history of snapshots.
const MOST_FRAMES: u64 = 7_200;
/// Limits of entries.
const MOST_EVENTS: usize = 200_000;
const MOST_CHANGES: usize = 100_000;

/// An event with its value.
pub(crate) struct EventRecord {
    pub(crate) trace: EventTrace,
    /// `Null` if its type is not registered for saving.
    pub(crate) value: Value,
}

#[derive(Default)]
pub(crate) struct Journal {
    events: VecDeque<EventRecord>,
    changes: VecDeque<ChangeTrace>,
}

impl Journal {
    /// Adds what was traced since the last call; returns the new events.
    pub(crate) fn take(&mut self, inspector: &Inspector<'_>) -> impl Iterator<Item = &EventRecord> {
        let next_event = self.events.back().map_or(0, |event| event.trace.number + 1);
        let next_change = self.changes.back().map_or(0, |change| change.number + 1);
        let before = self.events.len();
        self.events.extend(inspector.traced_events(next_event).map(|trace| {
            let value = limited(|to| inspector.event(trace.number, to)).unwrap_or_default();
            EventRecord { trace, value }
        }));
        let added = self.events.len() - before;
        self.changes.extend(inspector.traced_changes(next_change));
        let latest = self.events.back().map(|event| event.trace.frame).max(self.changes.back().map(|last| last.frame));
        let oldest = latest.unwrap_or(0).saturating_sub(MOST_FRAMES);
        while self.events.len() > MOST_EVENTS.max(added)
            || self.events.front().is_some_and(|event| event.trace.frame < oldest)
        {
            self.events.pop_front();
        }
        while self.changes.len() > MOST_CHANGES || self.changes.front().is_some_and(|change| change.frame < oldest) {
            self.changes.pop_front();
        }
        self.events.iter().skip(self.events.len() - added)
    }

    /// Forgets what happened after a frame.
    pub(crate) fn forget_after(&mut self, frame: u64) {
        while self.events.pop_back_if(|event| event.trace.frame > frame).is_some() {}
        while self.changes.pop_back_if(|change| change.frame > frame).is_some() {}
    }

    /// The latest events up to a frame for which `is_wanted` returns true, the latest first.
    pub(crate) fn events_until<'j>(
        &'j self,
        frame: u64,
        is_wanted: impl Fn(&EventRecord) -> bool + 'j,
    ) -> impl Iterator<Item = &'j EventRecord> {
        self.events.iter().rev().filter(move |event| event.trace.frame <= frame && is_wanted(event))
    }

    /// The commands that changed an entity up to a frame, the latest first.
    pub(crate) fn changes_of(&self, entity: EntityId, frame: u64) -> impl Iterator<Item = &ChangeTrace> {
        self.changes.iter().rev().filter(move |change| change.frame <= frame && change.entities.contains(&entity))
    }

    fn event(&self, number: u64) -> Option<&EventRecord> {
        let first = self.events.front()?.trace.number;
        self.events.get(usize::try_from(number.checked_sub(first)?).ok()?)
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

    /// A cause has a smaller number than its effect, so the chain is finite.
    fn chain(&self, last: Value, mut cause: CausedBy) -> Vec<Value> {
        let mut chain = vec![last];
        loop {
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
