//! Entities: ids with generations, and their manager.

mod global_id;
mod info;
mod kinds;
mod manager;
mod slots;

use std::fmt;

use slotmap::{Key, KeyData, SecondaryMap};

pub(crate) use self::global_id::GlobalIds;
pub use self::global_id::{GlobalId, GlobalIdError};
pub use self::info::{EntityComponent, EntityInfo};
pub(crate) use self::kinds::{Gap, NewRow};
pub use self::manager::{EntityManager, NoSuchEntity};
pub(crate) use self::manager::{EntityTable, Moved, are_changes_logged};
pub(crate) use self::slots::Location;
#[cfg(feature = "serde")]
pub(crate) use self::slots::SlotParts;
use crate::stable_hash::{StableHash, StateHasher};

slotmap::new_key_type! {
    /// Identifies an entity: an index and the generation of that index, in 64 bits.
    ///
    /// An id of an entity that is gone is *stale*: every access with it yields `None` or [`NoSuchEntity`], even if
    /// another entity has its index. It prints as `3v7`: index 3, generation 7. [`EntityId::default`] is always stale.
    ///
    /// # Example
    /// ```
    /// let mut engine = ecs::Engine::new();
    /// let first = engine.spawn((1_u32,));
    /// engine.despawn(first)?;
    /// let second = engine.spawn((2_u32,));
    /// assert_ne!(first, second, "the index is used again, the generation differs");
    /// assert_eq!(engine.get::<u32>(first), None);
    /// # Ok::<(), ecs::NoSuchEntity>(())
    /// ```
    pub struct EntityId;
}

impl EntityId {
    /// The id as 64 bits, for storage outside (a physics body, a file). [`EntityId::from_bits`] is the inverse.
    ///
    /// # Example
    /// ```
    /// let mut engine = ecs::Engine::new();
    /// let wall = engine.spawn(());
    /// let bits: u64 = wall.bits();
    /// assert_eq!(ecs::EntityId::from_bits(bits), wall);
    /// assert!(!engine.contains(ecs::EntityId::from_bits(u64::MAX)), "other bits find nothing");
    /// ```
    #[must_use]
    pub fn bits(self) -> u64 {
        self.data().as_ffi()
    }

    /// Restores an id from its [`EntityId::bits`]. Other bits give a stale id.
    ///
    /// # Example
    /// See [`EntityId::bits`].
    #[must_use]
    pub fn from_bits(bits: u64) -> Self {
        let id = Self::from(KeyData::from_ffi(bits));
        if id.bits() == bits { id } else { Self::default() }
    }

    /// The index of the entity in tables. Two existing entities never share it.
    #[inline]
    pub(crate) fn index(self) -> usize {
        // slotmap keeps the index in the low half but does not promise it, so users check bounds, and a test below
        // notices a change.
        (self.data().as_ffi() & 0xFFFF_FFFF) as usize
    }

    /// Generation of the index; never zero for an id that was handed out.
    #[inline]
    pub(crate) fn generation(self) -> u32 {
        (self.data().as_ffi() >> 32) as u32
    }
}

impl StableHash for EntityId {
    #[inline]
    fn stable_hash(&self, hash: &mut StateHasher) {
        hash.number(self.bits());
    }
}

impl fmt::Display for EntityId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.data())
    }
}

/// A copy of the map with no more memory than its highest index needs. O(capacity).
pub(crate) fn compacted<V: Copy>(map: &SecondaryMap<EntityId, V>) -> SecondaryMap<EntityId, V> {
    let indices = map.keys().map(EntityId::index).max().unwrap_or(0);
    let mut smaller = SecondaryMap::with_capacity(indices);
    smaller.extend(map.iter().map(|(entity, value)| (entity, *value)));
    smaller
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_and_generation_are_where_slotmap_keeps_them() {
        let mut slots = slotmap::SlotMap::<EntityId, ()>::with_key();
        let ids: Vec<_> = (0..5).map(|_| slots.insert(())).collect();
        let indices: Vec<_> = ids.iter().map(|id| id.index()).collect();
        assert_eq!(indices, [1, 2, 3, 4, 5]);
        slots.remove(ids[2]);
        let again = slots.insert(());
        assert_eq!((again.index(), again.generation()), (3, 3));
        assert_eq!(again.to_string(), "3v3");
        assert_eq!(EntityId::from_bits(again.bits()), again);
    }

    #[test]
    fn default_id_is_stale() {
        assert!(!EntityManager::default().contains(EntityId::default()));
    }
}
