//! EntityLists in and out of snapshots.

use super::EntityListTable;
use crate::snapshot::StateHasher;

impl EntityListTable {
    /// Whether anything may differ from the last copy.
    pub(crate) fn is_changed(&mut self) -> &mut bool {
        &mut self.is_changed
    }

    /// Takes over all entity lists and members, in memory that is there already.
    pub(crate) fn copy_from(&mut self, from: &Self) {
        self.is_changed = true;
        // EntityLists are hardly ever forgotten, so most of the time all names are the same.
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

    /// Lets nobody be a member of anything.
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
