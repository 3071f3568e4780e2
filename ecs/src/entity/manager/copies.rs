//! Entities in snapshots.

use super::EntityManager;
#[cfg(feature = "serde")]
use crate::entity::EntityId;
use crate::entity::slots::EntitySlots;
use crate::ids::ComponentId;
use crate::store::Store;

#[cfg(feature = "serde")]
impl EntitySlots {
    /// Whether an entity is enabled; `None` if it does not exist.
    pub(crate) fn is_enabled(&self, entity: EntityId) -> Option<bool> {
        self.get(entity).map(|record| record.is_enabled())
    }

    /// Adds the component whose pool is at `place` in the snapshot to the masks of its owners.
    pub(crate) fn note_owners(&mut self, owners: &[EntityId], place: usize) {
        let id = ComponentId::at(place);
        for owner in owners {
            if let Some(record) = self.get_mut(*owner) {
                record.mask.insert(id);
            }
        }
    }
}

impl Store for EntityManager {
    type Copy = EntitySlots;

    fn is_changed(&self) -> bool {
        !self.is_unchanged
    }

    fn note_copy(&mut self) {
        self.is_unchanged = true;
    }

    fn copy_to(&self, copy: &mut EntitySlots) {
        debug_assert!(self.reserved == 0, "no entity waits to be spawned where no command waits");
        copy.clone_from(&self.slots);
    }

    fn copy_from(&mut self, copy: &EntitySlots) {
        self.is_unchanged = false;
        self.peak = self.peak();
        self.slots.clone_from(copy);
        self.reserved = 0;
    }
}

impl EntityManager {
    /// Translates the component ids in all masks from those of another engine; `ids` is by their index there.
    pub(crate) fn translate_masks(&mut self, ids: &[Option<ComponentId>]) {
        self.is_unchanged = false;
        for record in self.slots.values_mut() {
            let mask = record.mask.iter().filter_map(|id| ids.get(id.index()).copied().flatten()).collect();
            record.mask = mask;
        }
    }

    /// Despawns all entities and makes every id stale.
    pub(crate) fn clear(&mut self) {
        self.is_unchanged = false;
        self.slots.clear();
        self.reserved = 0;
    }
}
