//! The queue of what waits to be delivered: which part of which lane comes next, and whose it is.

use std::ops::Range;
use std::sync::PoisonError;

use super::{EventManager, EventTypeId, Lane, Segment};

/// What one sender sent at a time: a part of the log of a lane.
#[derive(Clone, Debug)]
pub(crate) struct Batch {
    /// The system whose lane it is; none has the number of the outside.
    pub(crate) lane: usize,
    /// Who sent it: an exclusive system sends by way of the outside.
    pub(crate) sender: usize,
    pub(crate) segments: Range<usize>,
    /// The events during whose delivery it was sent.
    pub(crate) cause: Option<Cause>,
}

/// Events that were being delivered when others were sent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cause {
    /// The place in the queue of the batch that they begin in.
    pub(crate) batch: u32,
    pub(crate) event_type: EventTypeId,
}

/// A place in the queue.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    pub(crate) batch: usize,
    /// Segments of the batch before the place.
    pub(crate) segment: usize,
    /// Number of the event that comes next.
    pub(crate) sequence: u64,
}

/// Segments that are read from a log at once.
const WINDOW: usize = 64;

impl EventManager {
    /// Reads the next segments into `window`: all of one sender, and none of a run without the rest of it, as far as the
    /// queue goes up to the batch `end`. `lanes` finds the lane of a system.
    pub(crate) fn look_ahead<'a>(
        &'a mut self,
        window: &mut Vec<Segment>,
        end: usize,
        lanes: impl Fn(usize) -> Option<&'a Lane>,
    ) {
        window.clear();
        let Self { queue, delivered, outside, .. } = self;
        let outside = outside.get_mut().unwrap_or_else(PoisonError::into_inner);
        let sender = queue[delivered.batch].sender;
        let mut skipped = delivered.segment;
        for batch in queue[delivered.batch..end].iter().take_while(|batch| batch.sender == sender) {
            let segments = batch.segments.start + std::mem::take(&mut skipped)..batch.segments.end;
            let log = lanes(batch.lane).unwrap_or(outside).logged(segments);
            let (first, rest) = log.split_at(log.len().min(WINDOW.saturating_sub(window.len())));
            window.extend_from_slice(first);
            let Some(last) = window.last().map(|last| last.event_type) else { continue };
            let of_run = rest.iter().take_while(|segment| segment.event_type == last).count();
            window.extend_from_slice(&rest[..of_run]);
            if of_run < rest.len() {
                break;
            }
        }
    }

    /// Notes that `segments`, which come next, are on their way.
    #[inline]
    pub(crate) fn pass(&mut self, segments: &[Segment]) {
        let Self { queue, delivered, .. } = self;
        for segment in segments {
            delivered.sequence += segment.len() as u64;
            delivered.segment += 1;
            if delivered.segment == queue[delivered.batch].segments.len() {
                *delivered = Place { batch: delivered.batch + 1, segment: 0, sequence: delivered.sequence };
            }
        }
    }
}
