//! [`WaitingEvents`]: the events that wait for a frame, as its inputs.

use std::time::Duration;

use super::restore::forget_events;
use super::{Snapshot, SnapshotError, Snapshots, Target};
use crate::event::{OUTSIDE, WaitingRun};
use crate::panic::FirstPanic;
use crate::store::HeldControls;
use crate::world::World;

/// A copy of the events that wait for the next frame of an engine, such as those that the application has sent since
/// the last one; [`Inspector::waiting_events`](crate::inspect::Inspector::waiting_events) makes it. They are inputs of
/// that frame.
pub struct WaitingEvents(
    /// Only its events are filled in.
    Box<Snapshot>,
);

impl WaitingEvents {
    /// About how many bytes it takes, without what the events own.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        let lists = self.0.lists.iter().map(|list| list.events.held_bytes());
        size_of::<Snapshot>() + self.0.waiting.capacity() * size_of::<(usize, WaitingRun)>() + lists.sum::<usize>()
    }
}

/// What a frame was run with; see [`Inspector::record_frames`](crate::inspect::Inspector::record_frames).
pub struct FrameInputs {
    /// Its length.
    pub delta: Duration,
    /// The events that waited for it, if any; an error if the type of one is not registered.
    pub waiting: Result<Option<WaitingEvents>, SnapshotError>,
}

impl Snapshots {
    /// Copies the events that wait, if there are any.
    pub(crate) fn waiting_events(
        &self,
        world: &mut World,
        controls: &Option<HeldControls>,
    ) -> Result<Option<WaitingEvents>, SnapshotError> {
        if world.events.waiting() == 0 {
            return Ok(None);
        }
        // They come after those that wait already, as at the start of the next frame.
        world.events.collect_outside(OUTSIDE, None);
        let mut waiting = Box::new(Snapshot::new());
        self.take_waiting(&mut waiting, &world.events)?;
        // They may be among what these events tell.
        waiting.controls.clone_from(controls);
        Ok(Some(WaitingEvents(waiting)))
    }

    /// Puts a copy in the place of the events that wait.
    pub(crate) fn set_waiting_events(&mut self, WaitingEvents(waiting): &WaitingEvents, mut target: Target<'_>) {
        let mut panics = FirstPanic::default();
        forget_events(&mut target, waiting.numbers, &mut panics);
        self.send_waiting(waiting, &mut target.world.events);
        target.executor.controls.clone_from(&waiting.controls);
        panics.raise();
    }
}
