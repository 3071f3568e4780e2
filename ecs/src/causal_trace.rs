//! The causes of events and changes in the last frames: which event, system or command led to an event, and what
//! commands did to entities.
//!
//! Without tracing, the executor checks for it once in a phase and once in a delivery of a run.

#[cfg(feature = "inspect")]
mod values;
mod why;

use std::any::TypeId;
use std::collections::VecDeque;

#[cfg(feature = "inspect")]
pub use self::values::{ChangeTrace, EventTrace};
pub use self::why::{CauseLink, Why};
use crate::commands::TracedCommand;
use crate::entity::EntityId;
use crate::event::{EventManager, OUTSIDE};

/// The cause of an event or a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CausedBy {
    /// The application.
    Outside,
    /// A system, in one of its phases.
    System(&'static str),
    /// A listener of this system, called with the event of this number.
    Listener(&'static str, u64),
    /// The engine, applying the command with this number.
    Change(u64),
    /// Something before a restored snapshot.
    Unknown,
}

#[derive(Clone, Copy)]
struct TracedEvent {
    frame: u64,
    name: &'static str,
    event_type: TypeId,
    by: CausedBy,
}

/// A command that was applied.
struct TracedChange {
    frame: u64,
    change: &'static str,
    entities: Vec<EntityId>,
    by: CausedBy,
}

/// The causes of the last frames.
#[derive(Default)]
pub(crate) struct CausalTrace {
    /// Number of frames that are kept.
    frames: u64,
    /// Number of frames that the program asked for; an inspector may ask for more.
    #[cfg(feature = "inspect")]
    own_frames: u64,
    frame: u64,
    /// Events in the order of their numbers, without gaps.
    events: VecDeque<TracedEvent>,
    /// Number of the first event in `events`.
    first_event: u64,
    changes: VecDeque<TracedChange>,
    first_change: u64,
    /// `None` unless values are traced.
    #[cfg(feature = "inspect")]
    values: Option<values::EventValues>,
    /// Index of the first batch of the queue that is not traced yet.
    batch: usize,
    /// The cause of each entry in the executor's recorded commands.
    asked: VecDeque<CausedBy>,
    /// For each command that sent lifecycle events: their number, and the command as their cause. They are the next
    /// events from outside.
    announced: VecDeque<(usize, CausedBy)>,
}

impl CausalTrace {
    pub(crate) fn new(frames: usize) -> Self {
        Self {
            frames: frames as u64,
            #[cfg(feature = "inspect")]
            own_frames: frames as u64,
            ..Self::default()
        }
    }

    /// Bytes on the heap.
    pub(crate) fn held_bytes(&self) -> usize {
        let events = self.events.capacity() * size_of::<TracedEvent>();
        let changes = self.changes.capacity() * size_of::<TracedChange>();
        let entities: usize =
            self.changes.iter().map(|change| change.entities.capacity() * size_of::<EntityId>()).sum();
        let asked = self.asked.capacity() * size_of::<CausedBy>();
        events + changes + entities + asked + self.announced.capacity() * size_of::<(usize, CausedBy)>()
    }

    /// Gives back unused memory.
    pub(crate) fn shrink(&mut self) {
        self.events.shrink_to_fit();
        self.changes.shrink_to_fit();
        self.asked.shrink_to_fit();
        self.announced.shrink_to_fit();
    }

    /// Begins a frame and forgets the frames that are too old.
    pub(crate) fn begin_frame(&mut self, frame: u64) {
        self.frame = frame;
        let is_old = |of: u64| of.saturating_add(self.frames) <= frame;
        while self.events.pop_front_if(|event| is_old(event.frame)).is_some() {
            self.first_event += 1;
        }
        #[cfg(feature = "inspect")]
        if let Some(values) = &mut self.values {
            values.forget_before(self.first_event);
        }
        while self.changes.pop_front_if(|change| is_old(change.frame)).is_some() {
            self.first_change += 1;
        }
    }

    /// Forgets everything, since a snapshot was restored.
    pub(crate) fn restart(&mut self, events: &EventManager) {
        self.events.clear();
        self.first_change += self.changes.len() as u64;
        self.changes.clear();
        self.announced.clear();
        self.batch = 0;
        self.first_event = events.numbers().delivered;
        #[cfg(feature = "inspect")]
        if let Some(values) = &mut self.values {
            values.clear();
        }
        self.asked.clear();
    }

    /// Traces the events and commands since the last call. `asked` has the system of each entry of recorded commands,
    /// `name` the name of a system. `heard` is the number of the event that was being delivered, if a listener sent or
    /// recorded them.
    pub(crate) fn note(
        &mut self,
        events: &EventManager,
        asked: impl Iterator<Item = usize>,
        name: impl Fn(usize) -> Option<&'static str>,
        heard: Option<u64>,
    ) {
        let by_system = |system: usize| match (name(system), heard) {
            (None, _) => CausedBy::Outside,
            (Some(name), None) => CausedBy::System(name),
            (Some(name), Some(number)) => CausedBy::Listener(name, number),
        };
        while self.batch < events.queue.len() {
            let sender = events.queue[self.batch].sender;
            for waiting in events.segments_of_batch(self.batch) {
                #[cfg(feature = "inspect")]
                if let Some(values) = &mut self.values {
                    values.push(self.first_event + self.events.len() as u64, waiting.copy(events));
                }
                let known = events.event_type(waiting.run.event_type);
                for _ in 0..waiting.run.count {
                    let by = if sender == OUTSIDE { self.next_from_outside() } else { by_system(sender) };
                    let (frame, name, event_type) = (self.frame, known.name, known.type_id);
                    self.events.push_back(TracedEvent { frame, name, event_type, by });
                }
            }
            self.batch += 1;
        }
        let new = asked.skip(self.asked.len());
        self.asked.extend(new.map(by_system));
    }

    fn next_from_outside(&mut self) -> CausedBy {
        let Some((count, by)) = self.announced.front_mut() else { return CausedBy::Outside };
        let by = *by;
        *count -= 1;
        if *count == 0 {
            self.announced.pop_front();
        }
        by
    }

    /// Starts again at the first batch, since the event queue was cleared.
    pub(crate) fn forget_queue(&mut self) {
        self.batch = 0;
    }

    /// Removes the first entry of recorded commands, all of which were applied.
    pub(crate) fn end_of_entry(&mut self) {
        self.asked.pop_front();
    }

    /// The number of the event that was being delivered when the command that is being applied was recorded.
    pub(crate) fn heard_by_command(&self) -> Option<u64> {
        match self.asked.front() {
            Some(CausedBy::Listener(_, number)) => Some(*number),
            _ => None,
        }
    }

    /// Notes a command that was applied, and how many events the engine sent for it.
    pub(crate) fn note_command(&mut self, command: TracedCommand, announced: usize) {
        let TracedCommand { change, entities } = command;
        let by = self.asked.front().copied().unwrap_or(CausedBy::Unknown);
        if announced > 0 {
            self.announced.push_back((announced, CausedBy::Change(self.first_change + self.changes.len() as u64)));
        }
        self.changes.push_back(TracedChange { frame: self.frame, change, entities, by });
    }
}
