//! Entity lists in snapshots.

use super::EntityListTable;
use crate::stable_hash::StateHasher;
use crate::store::Store;

impl EntityListTable {
    /// Removes all entity lists.
    pub(crate) fn clear(&mut self) {
        self.copy_from(&Self::default());
    }

    /// Adds all members, by entity list and by entity, to a hash.
    pub(crate) fn hash(&self, hash: &mut StateHasher) {
        let entity_lists = super::EntityLists::new(self);
        for name in entity_lists.names() {
            hash.add(name).number(entity_lists.len(name) as u64);
            entity_lists.members(name).for_each(|entity| _ = hash.add(&entity));
        }
        for entity in self.by_entity.keys() {
            hash.add(&entity);
            entity_lists.of(entity).for_each(|name| _ = hash.add(name));
        }
    }
}

impl Store for EntityListTable {
    type Copy = Self;

    fn is_changed(&self) -> bool {
        self.is_changed
    }

    fn note_copy(&mut self) {
        self.is_changed = false;
    }

    fn copy_to(&self, copy: &mut Self) {
        copy.copy_from(self);
    }

    fn copy_from(&mut self, from: &Self) {
        self.is_changed = true;
        // Fast path: the names are usually the same.
        let has_same_names = self.entity_lists.len() == from.entity_lists.len()
            && self.entity_lists.iter().zip(&from.entity_lists).all(|(own, others)| own.name == others.name);
        if has_same_names {
            for (own, from) in self.entity_lists.iter_mut().zip(&from.entity_lists) {
                (own.first, own.last, own.len) = (from.first, from.last, from.len);
            }
        } else {
            self.by_name.clone_from(&from.by_name);
            self.entity_lists.clone_from(&from.entity_lists);
        }
        self.memberships.clone_from(&from.memberships);
        self.free.clone_from(&from.free);
        self.by_entity.clear();
        from.by_entity.iter().for_each(|(entity, chain)| _ = self.by_entity.insert(entity, *chain));
    }
}
