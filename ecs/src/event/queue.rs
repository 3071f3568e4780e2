//! The queue of events that wait for delivery: how events enter it, and which ones come next.

use std::sync::PoisonError;

use super::OUTSIDE;
use super::buffer::{Cursor, EventBuffer, Segment};
use super::{EventManager, EventType, EventTypeId};

/// The events that one sender sent at a time.
#[derive(Clone, Debug)]
pub(crate) struct Batch {
    /// The system that sent them, or [`OUTSIDE`].
    pub(crate) sender: usize,
    pub(crate) events: Cursor,
    /// The events that were being delivered when these were sent.
    pub(crate) cause: Option<Cause>,
}

/// Events that were being delivered when others were sent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cause {
    /// Index of the batch in which they begin.
    pub(crate) batch: usize,
    pub(crate) event_type: EventTypeId,
}

/// A place in the queue.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QueuePosition {
    pub(crate) batch: usize,
    /// The rest of the batch; at its end if nothing of the batch was read.
    rest: Cursor,
    /// Number of the event that comes next.
    pub(crate) sequence: u64,
}

impl QueuePosition {
    /// The beginning of a batch.
    pub(super) fn start(batch: usize, sequence: u64) -> Self {
        Self { batch, rest: Cursor::END, sequence }
    }
}

/// Consecutive events of one type from one sender. A run may have several segments, since the sender's buffer may have
/// needed several chunks: the order of delivery must not depend on sizes of memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub(crate) start: QueuePosition,
    /// The first segment, and the place behind it.
    pub(crate) first: (Segment, QueuePosition),
    pub(crate) event_type: EventTypeId,
    pub(crate) end_sequence: u64,
}

impl Run {
    /// It as the cause of events that are sent while it is delivered.
    pub(crate) fn cause(&self) -> Cause {
        Cause { batch: self.start.batch, event_type: self.event_type }
    }
}

impl EventManager {
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

    /// How many events were moved to the queue so far.
    pub(crate) fn collected(&self) -> u64 {
        self.next_sequence
    }

    pub(crate) fn outside_buffer(&mut self) -> &mut EventBuffer {
        self.outside.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Moves the events of `buffer` to the end of the queue.
    pub(crate) fn collect(&mut self, buffer: &mut EventBuffer, sender: usize, cause: Option<Cause>) {
        self.enqueue(Batch { sender, events: buffer.collect(), cause });
    }

    /// Moves the events from outside to the end of the queue; `sender` is the exclusive system that sent them, or
    /// [`OUTSIDE`].
    pub(crate) fn collect_outside(&mut self, sender: usize, cause: Option<Cause>) {
        let events = self.outside_buffer().collect();
        self.enqueue(Batch { sender, events, cause });
    }

    /// Moves the events of a function to the end of the queue, behind those that were sent from outside before.
    pub(crate) fn collect_function(&mut self, buffer: &mut EventBuffer) {
        self.collect_outside(OUTSIDE, None);
        self.collect(buffer, OUTSIDE, None);
    }

    pub(crate) fn enqueue(&mut self, batch: Batch) {
        if batch.events.left > 0 {
            self.next_sequence += batch.events.left as u64;
            self.queue.push(batch);
        }
    }

    /// Reads the segment at `place` and moves the place behind it. There must be one.
    #[inline]
    pub(crate) fn next_segment(&self, place: &mut QueuePosition) -> Segment {
        let mut events = if place.rest.left > 0 { place.rest } else { self.queue[place.batch].events };
        let segment = events.next(|event_type| self.types[event_type.index()].layout);
        place.batch += usize::from(events.left == 0);
        place.sequence += segment.len() as u64;
        place.rest = events;
        segment
    }

    /// Takes the next run, which ends before the batch `end`, for delivery. There must be one.
    pub(crate) fn next_run(&mut self, end: usize) -> Run {
        self.next_run_if(end, |_| true).expect("every type is wanted")
    }

    /// As [`EventManager::next_run`], if the type of the run is wanted.
    pub(crate) fn next_run_if(&mut self, end: usize, is_wanted: impl FnOnce(&EventType) -> bool) -> Option<Run> {
        let start = self.delivered;
        let mut place = start;
        let segment = self.next_segment(&mut place);
        let (event_type, first) = (segment.event_type, (segment, place));
        if !is_wanted(self.event_type(event_type)) {
            return None;
        }
        let sender = self.queue[start.batch].sender;
        while place.batch < end && self.continues(place, event_type, sender) {
            self.next_segment(&mut place);
        }
        self.note_delivered(event_type, place);
        Some(Run { start, first, event_type, end_sequence: place.sequence })
    }

    /// Takes the next segment if its only listener is plain. The queue must not be empty.
    ///
    /// Such a listener sends nothing, so a run in several parts is as good as a whole one.
    #[inline]
    pub(crate) fn take_plain(&mut self) -> Option<Segment> {
        let QueuePosition { batch, rest, sequence } = self.delivered;
        let mut rest = if rest.left > 0 { rest } else { self.queue[batch].events };
        let segment = rest.next(|event_type| self.types[event_type.index()].layout);
        let event_type = &mut self.types[segment.event_type.index()];
        let [only] = &*event_type.subscribers else { return None };
        if !only.is_plain() || !only.is_subscribed() || only.next() > sequence || self.counted != sequence {
            return None;
        }
        let count = segment.len() as u64;
        event_type.counters.sent += count;
        self.counted = sequence + count;
        self.delivered = QueuePosition { batch: batch + usize::from(rest.left == 0), rest, sequence: self.counted };
        Some(segment)
    }

    /// Whether the events at `place`, in the queue, belong to a run of a type and a sender.
    pub(crate) fn continues(&self, place: QueuePosition, event_type: EventTypeId, sender: usize) -> bool {
        if place.rest.left > 0 {
            return place.rest.next_type() == event_type;
        }
        let batch = &self.queue[place.batch];
        batch.sender == sender && batch.events.next_type() == event_type
    }

    /// Counts the events of a type up to the place `behind` as sent, and lets delivery go on there. Events that are
    /// delivered again, to listeners that did not receive them, are counted already.
    #[inline]
    fn note_delivered(&mut self, event_type: EventTypeId, behind: QueuePosition) {
        self.delivered = behind;
        let new = behind.sequence.saturating_sub(self.counted);
        self.counted += new;
        self.types[event_type.index()].counters.sent += new;
    }

    /// Drops all events of the queue that were not delivered.
    pub(crate) fn drop_queued(&mut self) {
        if self.readers > 0 {
            self.undelivered.push(self.delivered.sequence..self.next_sequence);
        }
        while self.delivered.batch < self.queue.len() {
            self.next_run(self.queue.len());
        }
    }

    /// How many events of a type are in the queue and were not counted as sent.
    pub(super) fn uncounted(&self, event_type: EventTypeId) -> u64 {
        let (mut place, mut count) = (self.delivered, 0);
        while place.batch < self.queue.len() {
            let new_from = place.sequence.max(self.counted);
            if self.next_segment(&mut place).event_type == event_type {
                count += place.sequence.saturating_sub(new_from);
            }
        }
        count
    }

    /// The type of the event that is delivered next. There must be one.
    pub(crate) fn next_type(&self) -> EventTypeId {
        self.next_segment(&mut { self.delivered }).event_type
    }

    /// Bytes on the heap for the queue.
    pub(crate) fn queue_bytes_held(&self) -> usize {
        self.queue.capacity() * size_of::<Batch>()
    }

    /// Gives back unused memory.
    pub(crate) fn shrink(&mut self) {
        self.queue.shrink_to_fit();
        self.outside_buffer().shrink();
    }

    /// Forgets the queue, so that the buffers can be rewound.
    pub(crate) fn end_frame(&mut self) {
        self.queue.clear();
        self.undelivered.clear();
        self.delivered = QueuePosition::start(0, self.next_sequence);
        for event_type in &mut self.types {
            let counters = &mut event_type.counters;
            let sent = counters.sent - event_type.sent_before;
            counters.peak = counters.peak.max(sent);
            if sent > 0 {
                tracing::trace!(target: "ecs::counters", event = event_type.name, sent);
            }
            event_type.sent_before = counters.sent;
        }
    }
}
