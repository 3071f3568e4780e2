//! The components that connect parent and child entities, and the recursive despawn.

use std::sync::Arc;

use crate::entity::{EntityId, NoSuchEntity};
use crate::snapshot::{StableHash, StateHasher};
use crate::world::World;

/// Component of each entity spawned from a prefab: its prefab.
#[derive(Clone, Debug)]
pub struct FromPrefab {
    pub(super) prefab: Arc<str>,
    /// Overridden components, which reloading does not change.
    pub(super) overridden: Arc<[Arc<str>]>,
}

impl FromPrefab {
    /// The name of the prefab; for a child, the prefab of its root parent.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.prefab
    }
}

/// Component of each child in a prefab: its parent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChildOf {
    pub(super) parent: EntityId,
    pub(super) name: Arc<str>,
}

impl ChildOf {
    /// The parent.
    #[must_use]
    pub fn parent(&self) -> EntityId {
        self.parent
    }

    /// The name of this child in its parent.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// Component of each entity spawned from a prefab with children: the children, in the order of the prefab.
///
/// They are despawned with it. If a child is despawned alone, its id here becomes stale.
#[derive(Debug, PartialEq, Eq)]
pub struct Children(pub(super) Vec<(Arc<str>, EntityId)>);

impl Children {
    /// The child of this name. O(number of children).
    #[must_use]
    pub fn named(&self, name: &str) -> Option<EntityId> {
        self.iter().find(|(other, _)| *other == name).map(|(_, child)| child)
    }

    /// All children with their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, EntityId)> {
        self.0.iter().map(|(name, child)| (&**name, *child))
    }
}

impl Clone for Children {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    /// Keeps the memory of the list.
    fn clone_from(&mut self, source: &Self) {
        self.0.clone_from(&source.0);
    }
}

impl StableHash for FromPrefab {
    fn stable_hash(&self, hash: &mut StateHasher) {
        hash.add(&*self.prefab).number(self.overridden.len() as u64);
        self.overridden.iter().for_each(|name| _ = hash.add(&**name));
    }
}

impl StableHash for ChildOf {
    fn stable_hash(&self, hash: &mut StateHasher) {
        hash.add(&self.parent).add(&*self.name);
    }
}

impl StableHash for Children {
    fn stable_hash(&self, hash: &mut StateHasher) {
        hash.number(self.0.len() as u64);
        self.iter().for_each(|(name, child)| _ = hash.add(name).add(&child));
    }
}

#[cfg(feature = "serde")]
mod saves;

impl World {
    /// Whether any entity has children.
    pub(crate) fn has_parents(&self) -> bool {
        self.children_id.and_then(|id| self.components.find(id)).is_some_and(|pool| pool.index().len() > 0)
    }

    /// Takes the children of an entity that is being despawned.
    #[inline]
    pub(crate) fn take_children(&mut self, entity: EntityId) -> Option<Children> {
        let id = self.children_id?;
        let is_parent = self.entities_mut().mask(entity).is_some_and(|mask| mask.contains(id));
        is_parent.then(|| self.get_mut::<Children>(entity).map(|children| Children(std::mem::take(&mut children.0))))?
    }

    /// Despawns an entity and then its descendants, in order: all of them, even if the drop of a component panics.
    #[cold]
    pub(crate) fn despawn_parent(&mut self, entity: EntityId, children: Children) -> Result<(), NoSuchEntity> {
        let mut despawn = DespawnChildren { world: self, waiting: children.0 };
        despawn.waiting.reverse();
        let despawned = despawn.world.despawn_one(entity);
        despawn.all();
        despawned
    }
}

/// Despawns descendants of any depth: all of them, even if the drop of a component panics.
struct DespawnChildren<'a> {
    world: &'a mut World,
    /// The next one last.
    waiting: Vec<(Arc<str>, EntityId)>,
}

impl DespawnChildren<'_> {
    fn all(&mut self) {
        while let Some((_, child)) = self.waiting.pop() {
            let own = self.world.take_children(child);
            self.waiting.extend(own.into_iter().flat_map(|children| children.0.into_iter().rev()));
            // The child may have been despawned alone.
            let _ = self.world.despawn_one(child);
        }
    }
}

impl Drop for DespawnChildren<'_> {
    fn drop(&mut self) {
        self.all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Deeper than any prefab, as in a forged save.
    #[test]
    fn descendants_of_any_depth_are_despawned() {
        let mut world = World::new();
        let entities: Vec<EntityId> = (0..200_000).map(|_| world.spawn(())).collect();
        for pair in entities.windows(2) {
            world.put_children(pair[0], Children(vec![("next".into(), pair[1])]));
        }
        // A cycle: the last one has the first as child, which is gone by then.
        world.put_children(entities[199_999], Children(vec![("first".into(), entities[0])]));
        world.despawn(entities[0]).unwrap();
        assert_eq!(world.entities().len(), 0);
    }
}
