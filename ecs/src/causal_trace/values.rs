//! The values of traced events, and the trace as an inspector reads it.

use std::any::TypeId;
use std::collections::VecDeque;

use super::{CausalTrace, CauseLink, CausedBy};
use crate::entity::EntityId;
use crate::event::CopiedEvents;
use crate::panic::FirstPanic;

/// Copies of the events of the traced frames, in the order of their numbers.
#[derive(Default)]
pub(super) struct EventValues {
    /// The number of the first event of each run, and its events.
    runs: VecDeque<(u64, Option<CopiedEvents>)>,
}

/// Drops copies of events; a panic of their `Drop` is logged only.
fn forget(copies: impl Iterator<Item = (u64, Option<CopiedEvents>)>) {
    let mut panics = FirstPanic::default();
    copies.for_each(|copy| _ = panics.catch(|| drop(copy)));
    panics.log();
}

impl EventValues {
    pub(super) fn push(&mut self, first: u64, events: Option<CopiedEvents>) {
        self.runs.push_back((first, events));
    }

    /// Drops the runs that end before an event.
    pub(super) fn forget_before(&mut self, event: u64) {
        let behind = self.runs.partition_point(|(first, _)| *first <= event);
        forget(self.runs.drain(..behind.saturating_sub(1)));
    }

    pub(super) fn clear(&mut self) {
        forget(self.runs.drain(..));
    }

    /// The run with an event, and the place of the event in it.
    fn find(&self, event: u64) -> Option<(&CopiedEvents, usize)> {
        let behind = self.runs.partition_point(|(first, _)| *first <= event);
        let (first, events) = self.runs.get(behind.checked_sub(1)?)?;
        Some((events.as_ref()?, (event - first) as usize))
    }
}

/// An event in the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventTrace {
    /// Events are numbered in the order of sending.
    pub number: u64,
    /// The frame in which it was sent.
    pub frame: u64,
    /// Name of the event type.
    pub event: &'static str,
    /// What sent it, and why.
    pub cause: CausedBy,
}

/// A command in the trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeTrace {
    /// Commands are numbered in the order in which they were applied.
    pub number: u64,
    /// The frame in which it was applied.
    pub frame: u64,
    /// "spawn", "despawn", "insert" and so on.
    pub change: &'static str,
    /// The entities that it changed.
    pub entities: Vec<EntityId>,
    /// What recorded it, and why.
    pub cause: CausedBy,
}

impl CausalTrace {
    /// Traces at least `frames` frames, with the values of their events. With 0, only the setting of the program
    /// applies. Returns whether anything is traced.
    pub(crate) fn inspect(&mut self, frames: usize) -> bool {
        self.values = (frames > 0).then(EventValues::default);
        self.frames = self.own_frames.max(frames as u64);
        self.frames > 0
    }

    /// The traced events of all frames after `frame`, in the order of sending.
    pub(crate) fn events_after(&self, frame: u64) -> impl Iterator<Item = EventTrace> + '_ {
        let skipped = self.events.partition_point(|event| event.frame <= frame);
        self.events.iter().enumerate().skip(skipped).map(|(at, event)| EventTrace {
            number: self.first_event + at as u64,
            frame: event.frame,
            event: event.name,
            cause: event.by,
        })
    }

    /// The traced commands of the frames after one, in the order in which they were applied.
    pub(crate) fn changes_after(&self, frame: u64) -> impl Iterator<Item = ChangeTrace> + '_ {
        let skipped = self.changes.partition_point(|change| change.frame <= frame);
        self.changes.iter().enumerate().skip(skipped).map(|(at, change)| ChangeTrace {
            number: self.first_change + at as u64,
            frame: change.frame,
            change: change.change,
            entities: change.entities.clone(),
            cause: change.by,
        })
    }

    /// The number of frames that an inspector asked for.
    pub(crate) fn inspected_frames(&self) -> usize {
        if self.has_values() { self.frames as usize } else { 0 }
    }

    /// The number and the name of the last command that was applied.
    pub(crate) fn last_change(&self) -> Option<(u64, &'static str)> {
        let last = self.changes.back()?;
        Some((self.first_change + self.changes.len() as u64 - 1, last.change))
    }

    /// The number of the event that was being delivered when the last command that was applied was recorded.
    pub(crate) fn heard_by_last_change(&self) -> Option<u64> {
        match self.changes.back()?.by {
            CausedBy::Listener(_, number) => Some(number),
            _ => None,
        }
    }

    /// What led to the command that is being applied.
    pub(crate) fn causes_of_command(&self) -> Vec<CauseLink> {
        self.asked.front().map_or_else(Vec::new, |by| self.causes(*by))
    }

    /// The name of the type of a traced event.
    pub(crate) fn event_name(&self, number: u64) -> Option<&'static str> {
        Some(self.events.get(number.checked_sub(self.first_event)? as usize)?.name)
    }

    /// Whether the values of events are traced.
    pub(crate) fn has_values(&self) -> bool {
        self.values.is_some()
    }

    /// The type of a traced event; and the copied run that contains it, if it was copied, with its index in that run.
    pub(crate) fn value(&self, number: u64) -> Option<(TypeId, Option<(&CopiedEvents, usize)>)> {
        let event = self.events.get(number.checked_sub(self.first_event)? as usize)?;
        Some((event.event_type, self.values.as_ref()?.find(number)))
    }
}
