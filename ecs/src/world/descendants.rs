//! The entities that a despawn takes along.

use super::World;
use crate::entity::EntityId;
use crate::type_map::FixedMap;

impl World {
    /// Keeps the entities that exist, each once, and adds their descendants, in the order in which a despawn takes them.
    pub(crate) fn with_descendants(&self, entities: &mut Vec<EntityId>) {
        let mut seen = FixedMap::default();
        let mut waiting = std::mem::take(entities);
        waiting.reverse();
        while let Some(entity) = waiting.pop() {
            if !self.contains(entity) || seen.insert(entity, ()).is_some() {
                continue;
            }
            entities.push(entity);
            #[cfg(feature = "prefabs")]
            if let Some(children) = self.get::<crate::prefab::Children>(entity) {
                let first = waiting.len();
                waiting.extend(children.iter().map(|(_, child)| child));
                waiting[first..].reverse();
            }
        }
    }
}
