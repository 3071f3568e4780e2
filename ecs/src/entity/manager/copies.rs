//! Entities in and out of snapshots.

use slotmap::SlotMap;

use super::{EntityManager, EntityRecord, Life};
use crate::component::ComponentId;
use crate::entity::EntityId;

/// The entities of a snapshot, with the ids that are handed out next and those that were handed out already.
#[derive(Debug, Default)]
pub(crate) struct EntitiesCopy {
    // The clone of a slot map keeps its list of free slots, in order.
    slots: SlotMap<EntityId, EntityRecord>,
    reserved: usize,
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

    pub(crate) fn copy_out(&self, into: &mut EntitiesCopy) {
        into.slots.clone_from(&self.slots);
        into.reserved = self.reserved;
    }

    /// Takes the entities over; `ids` tells for each component of the copy what it is called here, if that differs.
    pub(crate) fn copy_in(&mut self, from: &EntitiesCopy, ids: Option<&[Option<ComponentId>]>) {
        self.is_unchanged = false;
        self.high_water = self.high_water();
        self.slots.clone_from(&from.slots);
        self.reserved = from.reserved;
        let Some(ids) = ids else { return };
        for record in self.slots.values_mut() {
            let mask = record.mask.iter().filter_map(|id| ids.get(id.index()).copied().flatten()).collect();
            record.mask = mask;
        }
    }

    /// Lets nobody exist; every id that was handed out goes stale.
    pub(crate) fn clear(&mut self) {
        self.is_unchanged = false;
        self.slots.clear();
        self.reserved = 0;
    }

    /// Every id that was handed out, with a number for its life: 0 for one whose entity is to be born.
    pub(crate) fn lives(&self) -> impl Iterator<Item = (EntityId, u64)> + '_ {
        self.slots.iter().map(|(entity, record)| {
            let life = match record.life {
                Life::Reserved => 0,
                Life::Enabled => 1,
                Life::Disabled => 2,
            };
            (entity, life)
        })
    }
}
