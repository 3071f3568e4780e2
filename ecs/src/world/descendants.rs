//! The entities that are despawned together.

use super::World;
use crate::entity::EntityId;
use crate::type_map::FixedMap;

/// The entities that one command despawns. It is reused to avoid allocations.
#[derive(Default)]
pub(crate) struct DespawnSet {
    /// The entities that the command names, and then all that are despawned.
    pub(crate) entities: Vec<EntityId>,
    /// Entities that were not looked at, the next one last.
    waiting: Vec<EntityId>,
    seen: FixedMap<EntityId, ()>,
}

impl World {
    /// Keeps the entities that exist, each once, and adds those that are despawned with them, in the order in which a
    /// despawn takes them.
    pub(crate) fn add_descendants(&self, to_despawn: &mut DespawnSet) {
        let DespawnSet { entities, waiting, seen } = to_despawn;
        seen.clear();
        waiting.extend(entities.drain(..).rev());
        while let Some(entity) = waiting.pop() {
            if !self.contains(entity) || seen.insert(entity, ()).is_some() {
                continue;
            }
            entities.push(entity);
            let first = waiting.len();
            for relation in &self.relations.entries {
                waiting.extend((relation.dependents)(self, entity));
            }
            waiting[first..].reverse();
        }
    }
}
