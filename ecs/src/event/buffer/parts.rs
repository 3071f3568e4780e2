//! The events of parallel iterations: each chunk sends into a buffer of its own.

use std::sync::Mutex;

use super::EventBuffer;

/// A buffer for the events of a chunk.
pub(super) type EventPart = Mutex<EventBuffer>;

impl EventBuffer {
    /// At least `count` empty buffers; [`EventBuffer::keep_parts`] takes them back.
    pub(crate) fn take_parts(&self, count: usize) -> Vec<EventPart> {
        let mut parts = self.parts.take();
        parts.resize_with(parts.len().max(count), || EventPart::new(Self::limited(self.limit.get())));
        parts
    }

    /// Keeps the memory of empty parts. Each one gets as much as the largest, since in another frame another chunk may
    /// send most.
    pub(crate) fn keep_parts(&self, mut parts: Vec<EventPart>) {
        let all = |parts: &mut [EventPart], act: &mut dyn FnMut(&mut Self)| {
            parts.iter_mut().for_each(|part| act(part.get_mut().expect("chunks that panicked were cleared")));
        };
        let mut most = 0;
        all(&mut parts, &mut |part| most = most.max(part.chunk_bytes.get()));
        all(&mut parts, &mut |part| {
            part.chunk_bytes.set(most);
            part.make_room();
        });
        self.parts.set(parts);
    }

    pub(super) fn held_bytes_of_parts(&self) -> usize {
        let parts = self.parts.take();
        let own = parts.capacity() * size_of::<EventPart>();
        let held = parts.iter().map(|part| part.lock().map_or(0, |part| part.held_bytes())).sum::<usize>() + own;
        self.parts.set(parts);
        held
    }
}
