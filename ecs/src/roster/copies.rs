//! Rosters in and out of snapshots.

use super::RosterTable;
use crate::snapshot::StateHasher;

impl RosterTable {
    /// Whether anything may differ from the last copy.
    pub(crate) fn is_changed(&mut self) -> &mut bool {
        &mut self.is_changed
    }

    /// Takes over all rosters and members, in memory that is there already.
    pub(crate) fn copy_from(&mut self, from: &Self) {
        self.is_changed = true;
        // Rosters are hardly ever forgotten, so most of the time all names are the same.
        let has_same_names = self.rosters.len() == from.rosters.len()
            && self.rosters.iter().zip(&from.rosters).all(|(own, others)| own.name == others.name);
        if has_same_names {
            for (own, from) in self.rosters.iter_mut().zip(&from.rosters) {
                (own.first, own.last, own.len) = (from.first, from.last, from.len);
            }
        } else {
            self.by_name.clone_from(&from.by_name);
            self.rosters.clone_from(&from.rosters);
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

    /// Adds all members, by roster and by entity, to a hash.
    pub(crate) fn hash(&self, hash: &mut StateHasher) {
        let rosters = super::Rosters::new(self);
        for name in rosters.names() {
            hash.add(name).number(rosters.len(name) as u64);
            rosters.members(name).for_each(|entity| _ = hash.add(&entity));
        }
        for entity in self.by_entity.keys() {
            hash.add(&entity);
            rosters.of(entity).for_each(|name| _ = hash.add(name));
        }
    }
}
