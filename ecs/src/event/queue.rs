//! The queue of what waits to be delivered: which part of which buffer comes next, and whose it is.

use super::buffer::Cursor;
use super::{EventManager, EventTypeId, Segment};

/// What one sender sent at a time.
#[derive(Clone, Debug)]
pub(crate) struct Batch {
    /// A system, also if it sent by way of the outside, or the outside.
    pub(crate) sender: usize,
    /// All of its events.
    pub(super) events: Cursor,
    /// The events during whose delivery it was sent.
    pub(crate) cause: Option<Cause>,
}

/// Events that were being delivered when others were sent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cause {
    /// The place in the queue of the batch that they begin in.
    pub(crate) batch: usize,
    pub(crate) event_type: EventTypeId,
}

/// A place in the queue.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) batch: usize,
    /// What is left of the batch; at its end where nothing of the batch was read.
    rest: Cursor,
    /// Number of the event that comes next.
    pub(crate) sequence: u64,
}

impl Place {
    /// The beginning of a batch.
    pub(super) fn start(batch: usize, sequence: u64) -> Self {
        Self { batch, rest: Cursor::END, sequence }
    }
}

/// Consecutive events of one type from one sender. Where a buffer needed several chunks they are several segments, but one run
/// all the same: what listeners see must not depend on sizes of memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub(crate) start: Place,
    /// The first segment, which most of the time is all.
    pub(crate) segment: Segment,
    pub(crate) end_sequence: u64,
}

impl Run {
    #[inline]
    pub(crate) fn event_type(&self) -> EventTypeId {
        self.segment.event_type
    }

    #[inline]
    pub(crate) fn as_cause(&self) -> Cause {
        Cause { batch: self.start.batch, event_type: self.event_type() }
    }
}

impl EventManager {
    /// Reads the next run, which goes no further than the batch `end`, and notes that it is on its way. There must be one.
    #[inline]
    pub(crate) fn next_run(&mut self, end: usize) -> Run {
        let start = self.delivered;
        let mut place = start;
        let segment = self.next_segment(&mut place);
        let sender = self.queue[start.batch].sender;
        while place.batch < end && self.continues(place, segment.event_type, sender) {
            self.next_segment(&mut place);
        }
        self.delivered = place;
        self.count(segment.event_type, place.sequence);
        Run { start, segment, end_sequence: place.sequence }
    }

    /// Reads the next run, if it is a segment with events of another type behind it in its batch, and which place comes next.
    /// Notes nothing, so that it stays the next one.
    #[inline]
    pub(crate) fn next_run_within_batch(&self) -> Option<(Segment, Place)> {
        let mut place = self.delivered;
        if place.rest.left == 0 {
            return None;
        }
        let segment = place.rest.next(|event_type| self.types[event_type.index()].layout);
        place.sequence += segment.len() as u64;
        let is_whole = place.rest.left > 0 && place.rest.next_type() != segment.event_type;
        is_whole.then_some((segment, place))
    }

    /// Notes that a segment was sent and has been delivered to one listener; `behind` is the place that comes next.
    #[inline]
    pub(crate) fn note_delivered(&mut self, segment: Segment, behind: Place) {
        self.delivered = behind;
        self.count(segment.event_type, behind.sequence);
        self.types[segment.event_type.index()].counters.delivered += segment.len() as u64;
    }

    /// Counts events of a type up to a number as sent. Those that are delivered a second time, to whoever did not hear them, were
    /// counted before.
    #[inline]
    fn count(&mut self, event_type: EventTypeId, end_sequence: u64) {
        let new = end_sequence.saturating_sub(self.counted);
        self.counted += new;
        self.types[event_type.index()].counters.sent += new;
    }

    /// Whether what comes at `place`, in the queue, belongs to a run of a type and a sender.
    #[inline]
    fn continues(&self, place: Place, event_type: EventTypeId, sender: usize) -> bool {
        if place.rest.left > 0 {
            return place.rest.next_type() == event_type;
        }
        let batch = &self.queue[place.batch];
        batch.sender == sender && batch.events.next_type() == event_type
    }

    #[inline]
    pub(super) fn next_segment(&self, place: &mut Place) -> Segment {
        let mut events = if place.rest.left > 0 { place.rest } else { self.queue[place.batch].events };
        let segment = events.next(|event_type| self.types[event_type.index()].layout);
        place.batch += usize::from(events.left == 0);
        place.sequence += segment.len() as u64;
        place.rest = events;
        segment
    }

    /// The segments of a run behind the first one.
    pub(crate) fn other_segments(&self, run: Run) -> impl Iterator<Item = Segment> + '_ {
        let mut place = run.start;
        self.next_segment(&mut place);
        std::iter::from_fn(move || (place.sequence < run.end_sequence).then(|| self.next_segment(&mut place)))
    }

    /// The types of the events of a batch, and how many there are of each at a time.
    pub(crate) fn types_of_batch(&self, batch: usize) -> impl Iterator<Item = (EventTypeId, usize)> + '_ {
        let mut place = Place::start(batch, 0);
        std::iter::from_fn(move || {
            (place.batch == batch).then(|| {
                let segment = self.next_segment(&mut place);
                (segment.event_type, segment.len())
            })
        })
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

    /// The type of what is delivered next. There must be something.
    pub(crate) fn next_type(&self) -> EventTypeId {
        self.next_segment(&mut { self.delivered }).event_type
    }

    /// Lets nobody hear what waits.
    pub(crate) fn drop_queued(&mut self) {
        let mut place = self.delivered;
        while place.batch < self.queue.len() {
            let segment = self.next_segment(&mut place);
            self.count(segment.event_type, place.sequence);
        }
        self.delivered = place;
    }
}
