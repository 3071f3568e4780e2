//! Entities in and out of snapshots.

use super::EntityManager;
use crate::component::ComponentId;
use crate::entity::EntityId;
use crate::entity::slots::{EntitySlots, Life};

/// The entities of a snapshot, with the ids that are handed out next and those that were handed out already.
#[derive(Debug, Default)]
pub(crate) struct EntitiesCopy {
    slots: EntitySlots,
    reserved: usize,
}

impl EntitiesCopy {
    /// As [`EntityManager::lives`].
    pub(crate) fn lives(&self) -> impl Iterator<Item = (EntityId, u64)> + '_ {
        lives(&self.slots)
    }
}

#[cfg(feature = "serde")]
impl EntitiesCopy {
    pub(crate) fn of(slots: EntitySlots) -> Self {
        let reserved = slots.iter().filter(|(_, record)| record.life() == Life::Reserved).count();
        Self { slots, reserved }
    }

    pub(crate) fn slots(&self) -> &EntitySlots {
        &self.slots
    }

    /// Whether an entity is enabled; `None` if there is none.
    pub(crate) fn is_enabled(&self, entity: EntityId) -> Option<bool> {
        let record = self.slots.get(entity).filter(|record| record.life() != Life::Reserved)?;
        Some(record.is_enabled())
    }

    /// Frees an id that was handed out for an entity which nobody will bring to life any more.
    pub(crate) fn give_back(&mut self, entity: EntityId) {
        if self.slots.get(entity).is_some_and(|record| record.life() == Life::Reserved) {
            self.slots.remove(entity);
            self.reserved -= 1;
        }
    }

    /// Notes that these have the component whose pool has this place in the snapshot.
    pub(crate) fn note_owners(&mut self, owners: &[EntityId], place: usize) {
        let id = ComponentId::at(place);
        for owner in owners {
            if let Some(record) = self.slots.get_mut(*owner) {
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

    pub(crate) fn copy_out(&self, into: &mut EntitiesCopy) {
        into.slots.clone_from(&self.slots);
        into.reserved = self.reserved;
    }

    /// Takes the entities over; `ids` tells for each component of the copy what it is called here, if that differs.
    pub(crate) fn copy_in(&mut self, from: &EntitiesCopy, ids: Option<&[Option<ComponentId>]>) {
        self.is_unchanged = false;
        self.peak = self.peak();
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
        lives(&self.slots)
    }
}

fn lives(slots: &EntitySlots) -> impl Iterator<Item = (EntityId, u64)> + '_ {
    slots.iter().map(|(entity, record)| {
        let life = match record.life() {
            Life::Reserved => 0,
            Life::Enabled => 1,
            Life::Disabled => 2,
        };
        (entity, life)
    })
}
