//! Entities that consist of others: what a whole knows of its parts and they of it.

use std::sync::Arc;

use crate::component::ComponentId;
use crate::entity::{EntityId, NoSuchEntity};
use crate::snapshot::{StableHash, StateHasher};
use crate::world::World;

/// A component of each entity that was spawned from a prefab: which one.
#[derive(Clone, Debug)]
pub struct FromPrefab {
    pub(super) prefab: Arc<str>,
    /// Components that were given for this entity: reloading leaves them alone.
    pub(super) overridden: Arc<[Arc<str>]>,
}

impl FromPrefab {
    /// The name of the prefab; of a part, that of the prefab of the whole.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.prefab
    }
}

/// A component of each entity that was spawned as a child in a prefab: what it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChildOf {
    pub(super) parent: EntityId,
    pub(super) name: Arc<str>,
}

impl ChildOf {
    /// The entity that this one is a part of.
    #[must_use]
    pub fn parent(&self) -> EntityId {
        self.parent
    }

    /// What the whole calls this part.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// A component of each entity that was spawned from a prefab with children: its parts, in the order of the prefab.
///
/// They are despawned with it. A part can be despawned by itself; its id is stale then, as any other.
#[derive(Debug, PartialEq, Eq)]
pub struct Children(pub(super) Vec<(Arc<str>, EntityId)>);

impl Children {
    /// The part of this name. O(number of parts).
    #[must_use]
    pub fn named(&self, name: &str) -> Option<EntityId> {
        self.iter().find(|(other, _)| *other == name).map(|(_, part)| part)
    }

    /// All parts with their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, EntityId)> {
        self.0.iter().map(|(name, part)| (&**name, *part))
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
        self.iter().for_each(|(name, part)| _ = hash.add(name).add(&part));
    }
}

#[cfg(feature = "serde")]
mod saves;

/// Whether somebody may consist of parts: the id of [`Children`], once there were some.
pub(crate) type PartsId = Option<ComponentId>;

impl World {
    /// Whether an entity has parts at the moment.
    pub(crate) fn has_wholes(&self) -> bool {
        self.parts_id.and_then(|id| self.components.find(id)).is_some_and(|pool| pool.index().len() > 0)
    }

    /// The parts of an entity that is to be despawned.
    #[inline]
    pub(crate) fn take_parts(&mut self, entity: EntityId) -> Option<Children> {
        let id = self.parts_id?;
        let is_whole = self.entities_mut().mask(entity).is_some_and(|mask| mask.contains(id));
        is_whole.then(|| self.get_mut::<Children>(entity).map(|parts| Children(std::mem::take(&mut parts.0))))?
    }

    /// Despawns an entity and then its parts, in their order, each with its own: all of them, even if a component panics
    /// when it is dropped.
    #[cold]
    pub(crate) fn despawn_whole(&mut self, entity: EntityId, parts: Children) -> Result<(), NoSuchEntity> {
        let mut despawn = DespawnParts { world: self, waiting: parts.0 };
        despawn.waiting.reverse();
        let despawned = despawn.world.despawn_one(entity);
        despawn.all();
        despawned
    }
}

/// Despawns parts, and parts of parts, however deep: all of them, even if a component panics when it is dropped.
struct DespawnParts<'a> {
    world: &'a mut World,
    /// The next one last.
    waiting: Vec<(Arc<str>, EntityId)>,
}

impl DespawnParts<'_> {
    fn all(&mut self) {
        while let Some((_, part)) = self.waiting.pop() {
            let own = self.world.take_parts(part);
            self.waiting.extend(own.into_iter().flat_map(|parts| parts.0.into_iter().rev()));
            // A part that is gone was despawned by itself.
            let _ = self.world.despawn_one(part);
        }
    }
}

impl Drop for DespawnParts<'_> {
    fn drop(&mut self) {
        self.all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As deep as no prefab is, but as somebody may say who means harm.
    #[test]
    fn parts_of_parts_are_despawned_however_deep() {
        let mut world = World::new();
        let entities: Vec<EntityId> = (0..200_000).map(|_| world.spawn(())).collect();
        for pair in entities.windows(2) {
            world.put_parts(pair[0], Children(vec![("next".into(), pair[1])]));
        }
        // The last one is whole and part of the first, which is gone by then.
        world.put_parts(entities[199_999], Children(vec![("first".into(), entities[0])]));
        world.despawn(entities[0]).unwrap();
        assert_eq!(world.entities().len(), 0);
    }
}
