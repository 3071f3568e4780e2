//! The entities that exist, their components and whether they are enabled.

mod copies;

use std::fmt;

use tracing::level_filters::LevelFilter;

use super::EntityId;
use super::slots::{self, EntityRecord, EntitySlots, Life};
use crate::ids::ComponentMask;

/// The entity was despawned, or never existed in this engine.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct NoSuchEntity {
    /// The stale id.
    pub entity: EntityId,
}

impl fmt::Display for NoSuchEntity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "entity {} does not exist: it was despawned, or belongs to another engine", self.entity)
    }
}

crate::sentence::impl_error!(NoSuchEntity);

/// Logs what happened to an entity.
#[inline(always)]
fn log(what: &'static str, entity: EntityId) {
    if LevelFilter::current() >= LevelFilter::TRACE {
        log_enabled(what, entity);
    }
}

#[cold]
fn log_enabled(what: &'static str, entity: EntityId) {
    tracing::trace!(target: "ecs::entity", %entity, "{what}");
}

/// Which entities exist, which components each one has, and which are disabled.
///
/// Spawning and despawning are O(1). The index of a despawned entity is used again with a higher generation.
#[derive(Clone, Debug, Default)]
pub struct EntityManager {
    slots: EntitySlots,
    reserved: usize,
    /// Empty masks with memory of their own, for reuse.
    spare_masks: Vec<ComponentMask>,
    /// Most entities at the time of a despawn.
    peak: usize,
    /// Whether nothing differs from the last snapshot.
    is_unchanged: bool,
}

impl EntityManager {
    /// The number of entities, disabled ones included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len() - self.reserved
    }

    /// Whether no entity exists.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether `entity` exists. O(1).
    #[must_use]
    pub fn contains(&self, entity: EntityId) -> bool {
        self.get(entity).is_some()
    }

    /// Whether `entity` is enabled; `None` if it does not exist. O(1).
    #[must_use]
    pub fn is_enabled(&self, entity: EntityId) -> Option<bool> {
        self.get(entity).map(EntityRecord::is_enabled)
    }

    /// The set of components that `entity` has, disabled ones included; `None` if it does not exist. O(1).
    #[must_use]
    pub fn mask(&self, entity: EntityId) -> Option<&ComponentMask> {
        self.get(entity).map(|record| &record.mask)
    }

    /// All entities in the order of their indices, disabled ones included. O(highest number of entities so far).
    pub fn iter(&self) -> impl Iterator<Item = EntityId> + '_ {
        self.records().map(|(entity, _)| entity)
    }

    /// Most entities at any time, ids that a `Spawner` reserved included.
    #[must_use]
    pub fn peak(&self) -> usize {
        self.peak.max(self.slots.len())
    }

    /// Bytes on the heap for the entities, spare capacity included.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        let masks = self.records().map(|(_, record)| record.mask.held_bytes()).sum::<usize>();
        self.slots.capacity() * size_of::<EntityRecord>() + masks
    }

    /// The number of entities that fit into the memory.
    pub(crate) fn capacity(&self) -> usize {
        self.slots.capacity()
    }

    pub(crate) fn records(&self) -> Records<'_> {
        Records(self.slots.iter())
    }

    pub(crate) fn get(&self, entity: EntityId) -> Option<&EntityRecord> {
        self.slots.get(entity).filter(|record| record.life() != Life::Reserved)
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, entity: EntityId) -> Result<&mut EntityRecord, NoSuchEntity> {
        self.is_unchanged = false;
        self.slots.get_mut(entity).filter(|record| record.life() != Life::Reserved).ok_or(NoSuchEntity { entity })
    }

    pub(crate) fn reserve_capacity(&mut self, additional: usize) {
        self.slots.reserve(additional);
    }

    pub(crate) fn shrink(&mut self) {
        self.slots.shrink();
        self.spare_masks = Vec::new();
    }

    /// Spawns an entity with this set of components.
    #[inline(always)]
    pub(crate) fn spawn(&mut self, mask: &ComponentMask) -> EntityId {
        self.is_unchanged = false;
        let mask = self.own_mask(mask);
        let entity = self.slots.insert(mask, Life::Enabled);
        log("spawned", entity);
        entity
    }

    /// Spawns many entities with the same set of components and appends their ids to `ids`.
    pub(crate) fn spawn_many(&mut self, count: usize, mask: &ComponentMask, ids: &mut Vec<EntityId>) {
        self.is_unchanged = false;
        match mask.without_memory().filter(|_| self.spare_masks.is_empty()) {
            Some(word) => self.slots.insert_many(count, word, Life::Enabled, ids),
            None => {
                self.slots.reserve(count);
                ids.extend((0..count).map(|_| {
                    let mask = self.own_mask(mask);
                    self.slots.insert(mask, Life::Enabled)
                }));
            }
        }
        tracing::trace!(target: "ecs::entity", count, "spawned many");
    }

    /// A mask for a new entity, in reused memory if there is some.
    #[inline(always)]
    fn own_mask(&mut self, mask: &ComponentMask) -> ComponentMask {
        let mut own = if self.spare_masks.is_empty() { ComponentMask::default() } else { self.spare_mask() };
        own.insert_all(mask);
        own
    }

    #[cold]
    fn spare_mask(&mut self) -> ComponentMask {
        self.spare_masks.pop().unwrap_or_default()
    }

    /// Hands out the id of an entity that exists only after [`EntityManager::bring_to_life`].
    pub(crate) fn reserve(&mut self) -> EntityId {
        self.is_unchanged = false;
        self.reserved += 1;
        let mask = self.spare_masks.pop().unwrap_or_default();
        self.slots.insert(mask, Life::Reserved)
    }

    pub(crate) fn bring_to_life(&mut self, entity: EntityId) {
        self.is_unchanged = false;
        if let Some(record) = self.slots.get_mut(entity).filter(|record| record.life() == Life::Reserved) {
            record.set_life(Life::Enabled);
            self.reserved -= 1;
            log("spawned", entity);
        }
    }

    /// Gives back an id that was reserved: the entity never exists.
    pub(crate) fn release(&mut self, entity: EntityId) {
        self.bring_to_life(entity);
        if let Ok(mask) = self.take(entity) {
            self.recycle(mask);
        }
    }

    #[inline]
    pub(crate) fn despawn(&mut self, entity: EntityId) -> Result<ComponentMask, NoSuchEntity> {
        let mask = self.take(entity)?;
        log("despawned", entity);
        Ok(mask)
    }

    /// As [`EntityManager::despawn`], without a log entry.
    #[inline(always)]
    pub(crate) fn take(&mut self, entity: EntityId) -> Result<ComponentMask, NoSuchEntity> {
        self.is_unchanged = false;
        self.peak = self.peak.max(self.slots.len());
        // If no id is reserved, every taken slot is an entity.
        if self.reserved > 0 {
            self.get_mut(entity)?;
        }
        self.slots.remove(entity).ok_or(NoSuchEntity { entity })
    }

    /// Keeps the memory of a despawned entity's mask, so that steady spawning and despawning allocates nothing.
    #[inline]
    pub(crate) fn recycle(&mut self, mut mask: ComponentMask) {
        if mask.has_memory() {
            mask.clear();
            self.spare_masks.push(mask);
        }
    }

    /// Sets the flag; returns whether it changed.
    pub(crate) fn set_enabled(&mut self, entity: EntityId, enabled: bool) -> Result<bool, NoSuchEntity> {
        let record = self.get_mut(entity)?;
        let life = if enabled { Life::Enabled } else { Life::Disabled };
        let changed = record.life() != life;
        record.set_life(life);
        Ok(changed)
    }
}

/// The entities that exist, with their records.
#[derive(Clone)]
pub(crate) struct Records<'a>(slots::Iter<'a>);

impl<'a> Iterator for Records<'a> {
    type Item = (EntityId, &'a EntityRecord);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.find(|(_, record)| record.life() != Life::Reserved)
    }
}
