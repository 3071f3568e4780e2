//! Entities in and out of snapshots.

use super::EntityManager;
use crate::component::ComponentId;
#[cfg(feature = "serde")]
use crate::entity::EntityId;
use crate::entity::slots::EntitySlots;

#[cfg(feature = "serde")]
impl EntitySlots {
    /// Whether an entity is enabled; `None` if it does not exist.
    pub(crate) fn is_enabled(&self, entity: EntityId) -> Option<bool> {
        self.get(entity).map(|record| record.is_enabled())
    }

    /// Notes that these entities have the component whose pool is at this place of the snapshot.
    pub(crate) fn note_owners(&mut self, owners: &[EntityId], place: usize) {
        let id = ComponentId::at(place);
        for owner in owners {
            if let Some(record) = self.get_mut(*owner) {
                record.mask.insert(id);
            }
        }
    }
}

impl EntityManager {
    /// Whether the entities may differ from those of the last copy.
    pub(crate) fn is_changed(&self) -> bool {
        !self.is_unchanged
    }

    /// Notes that there is a copy of the entities as they are.
    pub(crate) fn note_copy(&mut self) {
        self.is_unchanged = true;
    }

    pub(crate) fn slots(&self) -> &EntitySlots {
        debug_assert!(self.reserved == 0, "no entity waits to be spawned where no command waits");
        &self.slots
    }

    /// Takes the entities over; `ids` tells for each component of the copy what it is called here, if that differs.
    pub(crate) fn copy_in(&mut self, from: &EntitySlots, ids: Option<&[Option<ComponentId>]>) {
        self.is_unchanged = false;
        self.peak = self.peak();
        self.slots.clone_from(from);
        self.reserved = 0;
        let Some(ids) = ids else { return };
        for record in self.slots.values_mut() {
            let mask = record.mask.iter().filter_map(|id| ids.get(id.index()).copied().flatten()).collect();
            record.mask = mask;
        }
    }

    /// Despawns all entities; every id that was handed out goes stale.
    pub(crate) fn clear(&mut self) {
        self.is_unchanged = false;
        self.slots.clear();
        self.reserved = 0;
    }
}
