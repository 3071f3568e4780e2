//! Global ids in snapshots.

use super::GlobalIds;
use crate::stable_hash::StateHasher;
use crate::store::Store;

impl GlobalIds {
    /// Removes all ids. Later ones still differ from them.
    pub(crate) fn clear(&mut self) {
        let (site, next) = (self.site, self.next);
        self.copy_from(&Self { site, next, ..Self::default() });
    }

    #[cfg(feature = "serde")]
    pub(crate) fn new(site: u32, next: u32) -> Self {
        Self { site, next, ..Self::default() }
    }

    /// The site, the next serial, and all ids by site and serial.
    #[cfg(feature = "serde")]
    pub(crate) fn save(&self) -> (u32, u32, Vec<(crate::EntityId, u32, u32)>) {
        let ids = self.by_entity.iter().map(|(entity, id)| (entity, id.site, id.serial));
        (self.site, self.next, ids.collect())
    }

    /// Adds all ids, the site and the next serial to a hash.
    pub(crate) fn hash(&self, hash: &mut StateHasher) {
        hash.add(&self.site).add(&self.next);
        self.by_entity.iter().for_each(|(entity, global_id)| _ = hash.add(&entity).number(global_id.bits()));
    }
}

impl Store for GlobalIds {
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
        (self.site, self.next) = (from.site, from.next);
        self.by_entity.clear();
        from.by_entity.iter().for_each(|(entity, global_id)| _ = self.by_entity.insert(entity, *global_id));
        self.by_global_id.clone_from(&from.by_global_id);
    }
}
