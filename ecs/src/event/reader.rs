//! Readers: the application takes events after frames, without a listener and a resource.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::waiting::TakenEvents;
use super::{Event, EventManager};
use crate::panic::FirstPanic;
use crate::type_map::short_name;

/// The most events that a reader holds.
const MOST: usize = 1 << 20;

/// Takes the events of one type after frames: for sounds, a user interface, a log.
/// [`Engine::reader`](crate::Engine::reader) opens it, dropping it closes it.
///
/// At the end of each frame it gets the events of its type that were delivered in the frame, after all listeners, and
/// holds them until they are taken: each once, in the order of delivery, whatever the number of frames in between. It
/// needs no engine at hand, so a part of the program, such as a player of sounds on another thread, can own it.
///
/// It holds at most 1,048,576 events: if more wait, the oldest are dropped, and [`EventReader::missed`] counts them.
///
/// [`Engine::restore`](crate::Engine::restore) takes back the events of frames after the snapshot that were not taken
/// yet, since these frames have not happened any more. If the frames are run again, their events come again: a rollback
/// skips those that it has shown by their frames ([`EventReader::drain_with_frames`]).
///
/// # Example
/// See [`Engine::reader`](crate::Engine::reader).
pub struct EventReader<E> {
    kept: Arc<Mutex<Kept<E>>>,
}

/// The events that wait for the application.
struct Kept<E> {
    /// Each with its frame, in the order of delivery.
    events: VecDeque<(u64, E)>,
    missed: u64,
}

impl<E> EventReader<E> {
    /// Takes the events that wait. Those that are not taken, because the loop ends early, stay for the next call.
    ///
    /// # Example
    /// See [`Engine::reader`](crate::Engine::reader).
    pub fn drain(&mut self) -> impl Iterator<Item = E> {
        self.drain_with_frames().map(|(_, event)| event)
    }

    /// As [`EventReader::drain`], each with the number of the frame in which it was delivered
    /// ([`Time::frame`](crate::Time::frame)).
    pub fn drain_with_frames(&mut self) -> impl Iterator<Item = (u64, E)> {
        // Each is taken under a lock of its own, so that the body of a loop may run a frame.
        (0..self.len()).map_while(|_| lock(&self.kept).events.pop_front())
    }

    /// The number of events that wait.
    #[must_use]
    pub fn len(&self) -> usize {
        lock(&self.kept).events.len()
    }

    /// Whether no event waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of events that were dropped so far, because the reader held too many.
    #[must_use]
    pub fn missed(&self) -> u64 {
        lock(&self.kept).missed
    }
}

fn lock<E>(kept: &Mutex<Kept<E>>) -> MutexGuard<'_, Kept<E>> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The engine's end of an [`EventReader`], with its type erased.
pub(super) trait AnyReader: Send + Sync {
    /// Takes events that were delivered in a frame.
    fn receive(&self, events: TakenEvents, frame: u64, panics: &mut FirstPanic);
    /// Drops the events of the frames after one.
    fn forget_after(&self, frame: u64, panics: &mut FirstPanic);
}

impl<E: Event> AnyReader for Mutex<Kept<E>> {
    fn receive(&self, events: TakenEvents, frame: u64, panics: &mut FirstPanic) {
        lock(self).events.extend(events.into_events::<E>().map(|event| (frame, event)));
        drop_each(panics, || {
            let mut kept = lock(self);
            let event = if kept.events.len() > MOST { kept.events.pop_front() } else { None }?;
            kept.missed += 1;
            if kept.missed == 1 {
                let event = short_name::<E>();
                tracing::warn!(target: "ecs::event", event, "a reader is not drained: the oldest events are dropped");
            }
            Some(event)
        });
    }

    fn forget_after(&self, frame: u64, panics: &mut FirstPanic) {
        drop_each(panics, || lock(self).events.pop_back_if(|(delivered, _)| *delivered > frame));
    }
}

/// Drops what `take` takes, outside of its locks.
fn drop_each<T>(panics: &mut FirstPanic, mut take: impl FnMut() -> Option<T>) {
    while let Some(value) = take() {
        panics.catch(|| drop(value));
    }
}

impl EventManager {
    /// Opens the reader of a type; `None` if there is one.
    pub(crate) fn open_reader<E: Event>(&mut self) -> Option<EventReader<E>> {
        let id = self.register::<E>();
        let reader = &mut self.types[id.index()].reader;
        // One that was dropped is closed when the frame ends.
        if reader.as_ref().is_some_and(|reader| Arc::strong_count(reader) > 1) {
            return None;
        }
        let kept = Arc::new(Mutex::new(Kept { events: VecDeque::new(), missed: 0 }));
        if reader.replace(kept.clone()).is_none() {
            self.readers += 1;
        }
        Some(EventReader { kept })
    }

    /// Closes the readers that were dropped; returns whether there was one.
    pub(super) fn close_readers(&mut self, panics: &mut FirstPanic) -> bool {
        let before = self.readers;
        for event_type in &mut self.types {
            if let Some(reader) = event_type.reader.take_if(|reader| Arc::strong_count(reader) == 1) {
                self.readers -= 1;
                panics.catch(|| drop(reader));
            }
        }
        self.readers < before
    }

    /// Drops what readers hold of the frames after one, since a snapshot was restored.
    pub(crate) fn take_back(&mut self, frame: u64, panics: &mut FirstPanic) {
        let readers = self.types.iter().filter_map(|event_type| event_type.reader.as_ref());
        readers.for_each(|reader| reader.forget_after(frame, panics));
    }
}
