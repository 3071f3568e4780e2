//! The commands of parallel iterations: each chunk records into a buffer of its own.

use std::any::TypeId;
use std::cell::RefCell;
use std::sync::Mutex;

use super::queue::{BundleQueue, QueueCapacity};
use super::{Command, CommandBuffer};

/// A buffer for the commands of a chunk.
pub(super) type CommandPart = Mutex<RefCell<CommandBuffer>>;

impl CommandBuffer {
    /// At least `count` empty buffers; [`CommandBuffer::keep_parts`] takes them back.
    pub(crate) fn take_parts(&mut self, count: usize) -> Vec<CommandPart> {
        let mut parts = std::mem::take(&mut self.parts);
        parts.resize_with(parts.len().max(count), || CommandPart::new(RefCell::new(Self::limited(self.most))));
        parts
    }

    /// Moves all commands of `part` behind those of this buffer.
    pub(crate) fn append(&mut self, part: &mut Self) {
        let mut order = std::mem::take(&mut part.order);
        for mut command in order.drain(..) {
            if let Some(index) = command.queue_mut() {
                let (bundle_type, queue) = &part.queues[*index];
                *index = self.queue_like(*bundle_type, &**queue);
            }
            self.order.push_back(command);
        }
        part.order = order;
        for (bundle_type, queue) in &mut part.queues {
            if let Some(index) = self.queues.iter().position(|(of, _)| of == bundle_type) {
                queue.move_to(&mut *self.queues[index].1);
            }
        }
        self.named.waiting.append(&mut part.named.waiting);
        self.names.append(&mut part.names);
        self.calls.append(&mut part.calls);
        self.texts.append(&mut part.texts);
    }

    /// Keeps the memory of empty parts. Each one gets as much as the largest, since in another frame another chunk may
    /// record most.
    pub(crate) fn keep_parts(&mut self, mut parts: Vec<CommandPart>) {
        let all = |parts: &mut [CommandPart], act: &mut dyn FnMut(&mut Self)| {
            parts.iter_mut().for_each(|part| act(part.get_mut().expect("chunks that panicked were cleared").get_mut()));
        };
        let [mut order, mut names] = [0, 0];
        let mut named = QueueCapacity::default();
        all(&mut parts, &mut |part| {
            order = order.max(part.order.capacity());
            names = names.max(part.names.capacity());
            named = named.max(part.named.room());
        });
        all(&mut parts, &mut |part| {
            part.order.reserve(order);
            part.names.reserve(names);
            part.named.make_room(named);
        });
        for (bundle_type, queue) in &self.queues {
            let mut room = None;
            all(&mut parts, &mut |part| {
                let of_type = part.queues.iter().find(|(of, _)| of == bundle_type);
                room = room.max(of_type.map(|(_, queue)| queue.room()));
            });
            if let Some(room) = room {
                all(&mut parts, &mut |part| {
                    let index = part.queue_like(*bundle_type, &**queue);
                    part.queues[index].1.make_room(room);
                });
            }
        }
        self.parts = parts;
    }

    /// Bytes on the heap.
    pub(super) fn held_bytes_of_parts(&self) -> usize {
        let own = self.parts.capacity() * size_of::<CommandPart>();
        self.parts.iter().map(|part| part.lock().map_or(0, |part| part.borrow().held_bytes())).sum::<usize>() + own
    }

    /// The number of the queue for the bundles of another queue.
    fn queue_like(&mut self, bundle_type: TypeId, queue: &dyn BundleQueue) -> usize {
        self.queues.iter().position(|(of, _)| *of == bundle_type).unwrap_or_else(|| {
            self.queues.push((bundle_type, queue.empty()));
            self.queues.len() - 1
        })
    }
}

impl Command {
    /// The number of the queue that it takes a bundle from.
    fn queue_mut(&mut self) -> Option<&mut usize> {
        match self {
            Self::Spawn { index }
            | Self::SpawnMany { index, .. }
            | Self::SpawnReserved { index, .. }
            | Self::SpawnChild { index, .. }
            | Self::Insert { index, .. }
            | Self::InsertMany { index, .. }
            | Self::Relate { index, .. } => Some(index),
            Self::Despawn { .. }
            | Self::DespawnMany { .. }
            | Self::RemoveMany { .. }
            | Self::SetEnabled { .. }
            | Self::Component { .. }
            | Self::Move { .. }
            | Self::EntityList { .. }
            | Self::Pair { .. }
            | Self::Switch(_)
            | Self::Call
            | Self::Fail => None,
        }
    }
}
