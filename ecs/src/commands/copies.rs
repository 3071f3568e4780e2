//! Commands that wait for the next frame, in and out of snapshots.

use super::queue::{BundleQueue, Queue};
use super::{Command, CommandBuffer, ComponentChange};
use crate::component::Bundle;
use crate::panic::FirstPanic;
use crate::snapshot::{StateHasher, TypeRegistry};

impl CommandBuffer {
    /// Takes over the commands of another lane.
    ///
    /// # Errors
    /// The name of a component type in one of the bundles that is not registered; the lane is half filled then.
    pub(crate) fn copy_from(&mut self, source: &Self, types: &TypeRegistry) -> Result<(), &'static str> {
        self.order.clear();
        self.order.extend(source.order.iter().copied());
        self.noted = source.noted;
        self.named.waiting.clone_from(&source.named.waiting);
        self.names.clone_from(&source.names);
        #[cfg(feature = "prefabs")]
        self.prefabs.waiting.clone_from(&source.prefabs.waiting);
        for (at, (bundle_type, queue)) in source.queues.iter().enumerate() {
            // Commands name queues by their number, which is the same in both lanes.
            match self.queues[at..].iter().position(|(known, _)| known == bundle_type) {
                Some(offset) => self.queues.swap(at, at + offset),
                None => self.queues.insert(at, (*bundle_type, queue.new_queue())),
            }
            self.queues[at].1.copy_from(&**queue, types)?;
        }
        self.queues[source.queues.len()..].iter_mut().for_each(|(_, queue)| queue.clear());
        Ok(())
    }

    /// The name of a component type in a bundle that is not registered, so that the lane could not be copied.
    pub(crate) fn missing(&self, types: &TypeRegistry) -> Option<&'static str> {
        self.queues.iter().find_map(|(_, queue)| queue.missing(types))
    }

    /// Forgets all commands.
    pub(crate) fn clear(&mut self, panics: &mut FirstPanic) {
        self.order.clear();
        self.noted = 0;
        self.named.waiting.clear();
        self.names.clear();
        #[cfg(feature = "prefabs")]
        self.prefabs.waiting.clear();
        self.queues.iter_mut().for_each(|(_, queue)| _ = panics.catch(|| queue.clear()));
    }

    /// Adds the commands to a hash.
    pub(crate) fn hash(&self, types: &TypeRegistry, hash: &mut StateHasher) {
        hash.number(self.order.len() as u64);
        for command in &self.order {
            match command {
                // What they carry is hashed below.
                Command::Spawn { .. } => hash.number(1),
                Command::SpawnMany { count, .. } => hash.number(2).number(*count as u64),
                Command::SpawnReserved { entity, .. } => hash.number(3).add(entity),
                Command::Despawn { entity } => hash.number(4).add(entity),
                Command::DespawnMany { count } => hash.number(5).number(*count as u64),
                Command::Insert { entity, .. } => hash.number(6).add(entity),
                Command::SetEnabled { entity, enabled } => hash.number(7).add(entity).add(enabled),
                Command::Component(ComponentChange { entity, component, change, .. }) => {
                    let name = types.components.of(*component).map(|known| &*known.name);
                    hash.number(8).add(entity).add(*change).add(&name)
                }
                Command::EntityList { entity, change, name_bytes, .. } => {
                    hash.number(10).add(entity).add(*change).number(*name_bytes as u64)
                }
                Command::Switch(switch) => switch.hash(hash.number(9)),
                Command::InsertMany { count, .. } => hash.number(11).number(*count as u64),
                Command::RemoveMany { count, removal } => {
                    let name = types.components.of(removal.component).map(|known| &*known.name);
                    hash.number(12).number(*count as u64).add(&name)
                }
            };
        }
        hash.number(self.named.waiting.len() as u64);
        self.named.waiting.iter().for_each(|entity| _ = hash.add(entity));
        hash.number(self.names.len() as u64);
        self.names.iter().for_each(|byte| _ = hash.add(byte));
        #[cfg(feature = "prefabs")]
        self.prefabs.waiting.iter().for_each(|order| _ = hash.printed(order));
        // Which queue was needed first does not count.
        let queues = self.queues.iter().filter(|(_, queue)| !queue.is_empty()).map(|(_, queue)| {
            let mut hash = StateHasher::default();
            queue.hash(types, &mut hash);
            hash.finish()
        });
        hash.number(queues.fold(0, u64::wrapping_add));
    }

    /// Whether no command waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.order.is_empty()
    }
}

impl<B: Bundle> Queue<B> {
    pub(super) fn hash_bundles(&self, types: &TypeRegistry, hash: &mut StateHasher) {
        self.waiting.iter().for_each(|bundle| bundle.hash_by(types, hash));
    }

    pub(super) fn copy_bundles(&mut self, source: &dyn BundleQueue, types: &TypeRegistry) -> Result<(), &'static str> {
        let source = source.as_any().downcast_ref::<Self>().expect("queues are matched by the type of their bundles");
        self.waiting.clear();
        for bundle in &source.waiting {
            self.waiting.push_back(bundle.clone_by(types)?);
        }
        Ok(())
    }
}
