//! Global ids in and out of snapshots.

use super::GlobalIds;
use crate::snapshot::StateHasher;

impl GlobalIds {
    /// Whether anything may differ from the last copy.
    pub(crate) fn is_changed(&mut self) -> &mut bool {
        &mut self.is_changed
    }

    /// Takes over all ids, the site and the serial that is assigned next, in memory that is there already.
    pub(crate) fn copy_from(&mut self, from: &Self) {
        self.is_changed = true;
        (self.site, self.next) = (from.site, from.next);
        self.by_entity.clear();
        from.by_entity.iter().for_each(|(entity, global_id)| _ = self.by_entity.insert(entity, *global_id));
        self.by_global_id.copy_from(&from.by_global_id);
    }

    /// Lets nobody have an id; none is assigned twice for that.
    pub(crate) fn clear(&mut self) {
        let (site, next) = (self.site, self.next);
        self.copy_from(&Self { site, next, ..Self::default() });
    }

    #[cfg(feature = "serde")]
    pub(crate) fn new(site: u32, next: u32) -> Self {
        Self { site, next, ..Self::default() }
    }

    /// The site, the serial that is assigned next, and all ids by site and serial.
    #[cfg(feature = "serde")]
    pub(crate) fn save(&self) -> (u32, u32, Vec<(crate::EntityId, u32, u32)>) {
        let ids = self.by_entity.iter().map(|(entity, id)| (entity, id.site, id.serial));
        (self.site, self.next, ids.collect())
    }

    /// Adds all ids, and what is assigned next, to a hash.
    pub(crate) fn hash(&self, hash: &mut StateHasher) {
        hash.add(&self.site).add(&self.next);
        self.by_entity.iter().for_each(|(entity, global_id)| _ = hash.add(&entity).number(global_id.bits()));
    }
}
