//! The entities that exist, their components and whether they are enabled.

mod copies;

use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};

use tracing::level_filters::LevelFilter;

use super::EntityId;
use super::kinds::{Gap, Kinds, NewRow};
use super::slots::{EntityRecord, EntitySlots, Location};
use crate::ids::{ComponentId, ComponentMask};
use crate::limits::break_off;

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

/// Whether anything logs single changes. One load, so that the change of an entity costs no more without a log.
#[inline(always)]
pub(crate) fn are_changes_logged() -> bool {
    LevelFilter::current() >= LevelFilter::DEBUG
}

/// Logs what happened to an entity.
#[inline(always)]
fn log(what: &'static str, entity: EntityId) {
    if are_changes_logged() {
        log_enabled(what, entity);
    }
}

#[cold]
fn log_enabled(what: &'static str, entity: EntityId) {
    tracing::debug!(target: "ecs::entity", %entity, "{what}");
}

/// Which entities exist, and where their components lie. A snapshot holds a copy of it.
#[derive(Debug, Default)]
pub(crate) struct EntityTable {
    slots: EntitySlots,
    kinds: Kinds,
    /// By the index of their slots: all components of the entities that have extras. Empty for others.
    masks: Vec<ComponentMask>,
}

impl Clone for EntityTable {
    fn clone(&self) -> Self {
        Self { slots: self.slots.clone(), kinds: self.kinds.clone(), masks: self.masks.clone() }
    }

    /// Reuses the memory, including that of masks.
    fn clone_from(&mut self, source: &Self) {
        self.slots.clone_from(&source.slots);
        self.kinds.clone_from(&source.kinds);
        self.masks.clone_from(&source.masks);
    }
}

/// A row that moved from one kind to another: what its values follow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moved {
    pub(crate) from: usize,
    pub(crate) gap: Gap,
    pub(crate) to: usize,
    pub(crate) new: NewRow,
}

impl EntityTable {
    #[inline]
    pub(crate) fn kinds(&self) -> &Kinds {
        &self.kinds
    }

    /// Where the components of an entity lie; `None` if it does not exist.
    #[inline]
    pub(crate) fn location(&self, entity: EntityId) -> Option<Location> {
        let record = self.slots.get(entity)?;
        if record.is_reserved() {
            return None;
        }
        Some(record.location())
    }

    /// Whether the entity at a location is enabled.
    #[inline]
    pub(crate) fn is_enabled_at(&self, location: Location) -> bool {
        location.row < self.kinds.get(location.kind).enabled
    }

    /// Whether an entity is enabled; `None` if it does not exist.
    pub(crate) fn is_enabled(&self, entity: EntityId) -> Option<bool> {
        Some(self.is_enabled_at(self.location(entity)?))
    }

    /// The components of an entity at its location, disabled ones included.
    #[inline]
    pub(crate) fn mask_at(&self, entity: EntityId, location: Location) -> &ComponentMask {
        if location.has_extras { &self.masks[entity.index()] } else { &self.kinds.get(location.kind).mask }
    }

    /// The entities in the order of their indices.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (EntityId, Location)> + Clone + '_ {
        self.slots
            .iter()
            .filter(|(_, record)| !record.is_reserved())
            .map(|(entity, record)| (entity, record.location()))
    }

    /// Removes an entity from its row, and its id from existence.
    #[inline]
    fn remove(&mut self, entity: EntityId) -> Option<(Location, Gap)> {
        let location = self.slots.remove(entity)?;
        Some((location, self.kinds.remove(location.kind, location.row, &mut self.slots)))
    }

    /// The set of an entity, which has extras from now on.
    #[inline(always)]
    fn mask_with_extras(&mut self, entity: EntityId, location: Location) -> &mut ComponentMask {
        if !location.has_extras {
            self.begin_extras(entity, location);
        }
        &mut self.masks[entity.index()]
    }

    #[inline(never)]
    fn begin_extras(&mut self, entity: EntityId, location: Location) {
        let index = entity.index();
        if self.masks.len() <= index {
            self.make_room_for_masks(index + 1);
        }
        self.masks[index].clone_from(&self.kinds.get(location.kind).mask);
        if let Some(record) = self.slots.get_mut(entity) {
            record.set_location(Location { has_extras: true, ..location });
        }
    }

    #[cold]
    fn make_room_for_masks(&mut self, count: usize) {
        self.masks.reserve(count - self.masks.len());
        self.masks.resize_with(self.masks.capacity(), ComponentMask::default);
    }

    /// Moves an entity to another kind, enabled or disabled as it is; `mask` is its set from now on.
    fn move_to(&mut self, entity: EntityId, from: Location, to: usize, mask: &ComponentMask) -> Moved {
        let is_enabled = self.is_enabled_at(from);
        let has_extras = *mask != self.kinds.get(to).mask;
        if has_extras {
            if self.masks.len() <= entity.index() {
                self.make_room_for_masks(entity.index() + 1);
            }
            self.masks[entity.index()].clone_from(mask);
        }
        let gap = self.kinds.remove(from.kind, from.row, &mut self.slots);
        let new = self.kinds.push(to, entity, is_enabled, &mut self.slots);
        if let Some(record) = self.slots.get_mut(entity) {
            record.set_location(Location { kind: to, row: new.row, has_extras });
        }
        Moved { from: from.kind, gap, to, new }
    }
}

/// Which entities exist, which components each one has, and which are disabled.
///
/// Spawning and despawning are O(1). The index of a despawned entity is used again with a higher generation, 2^19
/// times.
#[derive(Debug)]
pub struct EntityManager {
    table: EntityTable,
    /// The number of ids that were handed out since the table last changed, and the place of the next one.
    reserved: AtomicU32,
    cursor: AtomicU32,
    /// Ids in the table of entities that do not exist yet.
    waiting: usize,
    /// Most entities at the time of a despawn.
    peak: usize,
    /// Whether nothing differs from the last snapshot.
    is_unchanged: bool,
    /// Most entities at the same time.
    most: usize,
    /// The names of all component types, for the message of that limit.
    component_names: Vec<&'static str>,
    /// Whether commands are being applied, so that the engine catches what reaches that limit.
    pub(crate) is_caught: bool,
}

impl Default for EntityManager {
    fn default() -> Self {
        Self {
            table: EntityTable::default(),
            reserved: AtomicU32::default(),
            cursor: AtomicU32::default(),
            waiting: 0,
            peak: 0,
            is_unchanged: false,
            most: usize::MAX,
            component_names: Vec::new(),
            is_caught: false,
        }
    }
}

impl EntityManager {
    /// The number of entities, disabled ones included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.table.slots.len() - self.waiting
    }

    /// Whether no entity exists.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether `entity` exists. O(1).
    #[must_use]
    pub fn contains(&self, entity: EntityId) -> bool {
        self.table.location(entity).is_some()
    }

    /// Whether `entity` is enabled; `None` if it does not exist. O(1).
    #[must_use]
    pub fn is_enabled(&self, entity: EntityId) -> Option<bool> {
        self.table.is_enabled(entity)
    }

    /// The set of components that `entity` has, disabled ones included; `None` if it does not exist. O(1).
    #[must_use]
    pub fn mask(&self, entity: EntityId) -> Option<&ComponentMask> {
        Some(self.table.mask_at(entity, self.table.location(entity)?))
    }

    /// All entities in the order of their indices, disabled ones included. O(highest number of entities so far).
    pub fn iter(&self) -> impl Iterator<Item = EntityId> + '_ {
        self.table.iter().map(|(entity, _)| entity)
    }

    /// Most entities at any time, ids that a `Spawner` reserved included.
    #[must_use]
    pub fn peak(&self) -> usize {
        self.peak.max(self.table.slots.len() + self.reserved.load(Ordering::Relaxed) as usize)
    }

    /// Bytes on the heap for the entities, spare capacity included.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        let masks = self.table.masks.iter().map(ComponentMask::held_bytes).sum::<usize>();
        self.table.slots.capacity() * size_of::<EntityRecord>()
            + self.table.masks.capacity() * size_of::<ComponentMask>()
            + masks
            + self.table.kinds.held_bytes()
    }

    #[inline]
    pub(crate) fn table(&self) -> &EntityTable {
        &self.table
    }

    #[inline]
    pub(crate) fn kinds(&self) -> &Kinds {
        &self.table.kinds
    }

    /// The kinds, to add some.
    pub(crate) fn kinds_mut(&mut self) -> &mut Kinds {
        self.is_unchanged = false;
        &mut self.table.kinds
    }

    /// The number of entities that fit into the memory.
    pub(crate) fn capacity(&self) -> usize {
        self.table.slots.capacity()
    }

    /// Where the components of an entity lie.
    ///
    /// # Errors
    /// [`NoSuchEntity`] if it does not exist.
    #[inline]
    pub(crate) fn locate(&self, entity: EntityId) -> Result<Location, NoSuchEntity> {
        self.table.location(entity).ok_or(NoSuchEntity { entity })
    }

    pub(crate) fn reserve_capacity(&mut self, additional: usize) {
        self.settle();
        self.table.slots.reserve(additional);
    }

    /// Makes room for `additional` entities of a kind.
    pub(crate) fn reserve_rows(&mut self, kind: usize, additional: usize) {
        self.table.kinds.reserve(kind, additional);
    }

    pub(crate) fn shrink(&mut self) {
        self.table.slots.shrink();
        self.table.kinds.shrink();
        let used = |(entity, location): (EntityId, Location)| location.has_extras.then(|| entity.index() + 1);
        let len = self.table.iter().filter_map(used).max().unwrap_or(0);
        self.table.masks.truncate(len);
        self.table.masks.shrink_to_fit();
    }

    /// Sets the most entities at the same time.
    pub(crate) fn set_most(&mut self, most: usize) {
        self.most = most;
    }

    /// Notes the name of the next component type.
    pub(crate) fn note_component(&mut self, name: &'static str) {
        self.component_names.push(name);
    }

    /// # Panics
    /// If there would be more than the most entities with `reserved` ids that are not in the table, and `new` ones.
    #[inline(always)]
    fn check_limit(&self, reserved: usize, new: usize, is_caught: bool) {
        if (self.table.slots.len() + reserved).saturating_add(new) > self.most {
            self.reach_limit(is_caught);
        }
    }

    /// Whether there is room for `new` entities.
    pub(crate) fn has_room(&self, new: usize) -> bool {
        self.table.slots.len().saturating_add(new) <= self.most
    }

    /// # Panics
    /// If there is no room for `new` entities.
    pub(crate) fn check_room(&self, new: usize) {
        self.check_limit(self.reserved.load(Ordering::Relaxed) as usize, new, self.is_caught);
    }

    #[cold]
    fn reach_limit(&self, is_caught: bool) -> ! {
        let mut kinds: Vec<_> = self.table.kinds.all().iter().filter(|kind| !kind.owners.is_empty()).collect();
        kinds.sort_by(|one, other| other.owners.len().cmp(&one.owners.len()).then_with(|| one.ids.cmp(&other.ids)));
        let largest = kinds.into_iter().take(3).map(|kind| {
            let names: Vec<_> = kind.ids.iter().map(|id| self.component_names[id.index()]).collect();
            format!("{} of ({})", kind.owners.len(), names.join(", "))
        });
        let handed_out = self.reserved.load(Ordering::Relaxed) as usize + self.waiting;
        let handed_out = (handed_out > 0).then(|| format!("{handed_out} of ids that were handed out"));
        let filled_by: Vec<_> = largest.chain(handed_out).collect();
        let filled_by = if filled_by.is_empty() { "and none exists".to_owned() } else { filled_by.join(", ") };
        break_off(format_args!("{} entities", self.most), filled_by, is_caught)
    }

    /// Enters the ids that were handed out into the table, before it changes.
    #[inline(always)]
    fn settle(&mut self) {
        self.is_unchanged = false;
        if *self.reserved.get_mut() > 0 {
            self.enter_reserved();
        }
    }

    #[cold]
    fn enter_reserved(&mut self) {
        for _ in 0..std::mem::take(self.reserved.get_mut()) {
            self.table.slots.insert_reserved();
            self.waiting += 1;
        }
    }

    /// Spawns an entity of a kind.
    #[inline(always)]
    pub(crate) fn spawn(&mut self, kind: usize) -> (EntityId, NewRow) {
        self.settle();
        self.check_limit(0, 1, self.is_caught);
        let EntityTable { slots, kinds, .. } = &mut self.table;
        let row = kinds.get(kind).enabled;
        let entity = slots.insert(Location { kind, row, has_extras: false });
        let new = kinds.push(kind, entity, true, slots);
        log("spawned", entity);
        (entity, new)
    }

    /// Spawns many entities of a kind and appends their ids to `ids`. Returns whether their rows are the last ones: if
    /// not, the caller adds each by [`EntityManager::push_row`].
    pub(crate) fn spawn_many(&mut self, count: usize, kind: usize, ids: &mut Vec<EntityId>) -> bool {
        self.settle();
        self.check_limit(0, count, self.is_caught);
        let EntityTable { slots, kinds, .. } = &mut self.table;
        let of_kind = kinds.get(kind);
        let (first, new) = (of_kind.owners.len(), ids.len());
        let are_all_enabled = of_kind.enabled == first;
        slots.insert_many(count, kind, first, ids);
        if are_all_enabled {
            kinds.push_many(kind, &ids[new..]);
        }
        tracing::debug!(target: "ecs::entity", count, "spawned many");
        are_all_enabled
    }

    /// Adds one of the entities that [`EntityManager::spawn_many`] spawned to its kind, which has disabled rows.
    pub(crate) fn push_row(&mut self, entity: EntityId, kind: usize) -> NewRow {
        let EntityTable { slots, kinds, .. } = &mut self.table;
        let new = kinds.push(kind, entity, true, slots);
        slots.set_row(entity, new.row);
        new
    }

    /// Hands out the id of an entity that exists only after [`EntityManager::bring_to_life`]. The table does not change
    /// meanwhile, so others may read it.
    pub(crate) fn reserve(&self) -> EntityId {
        let count = self.reserved.load(Ordering::Relaxed);
        self.check_limit(count as usize, 1, true);
        let cursor = if count == 0 { self.table.slots.next() } else { self.cursor.load(Ordering::Relaxed) };
        let (entity, cursor) = self.table.slots.peek(cursor);
        self.cursor.store(cursor, Ordering::Relaxed);
        self.reserved.store(count + 1, Ordering::Relaxed);
        entity
    }

    /// Lets an entity exist whose id was handed out, without components.
    pub(crate) fn bring_to_life(&mut self, entity: EntityId) {
        self.settle();
        let EntityTable { slots, kinds, .. } = &mut self.table;
        if slots.get(entity).is_some_and(|record| record.is_reserved()) {
            let new = kinds.push(0, entity, true, slots);
            if let Some(record) = slots.get_mut(entity) {
                record.set_location(Location { row: new.row, ..Location::NONE });
            }
            self.waiting -= 1;
            log("spawned", entity);
        }
    }

    /// Gives back an id that was reserved: the entity never exists.
    pub(crate) fn release(&mut self, entity: EntityId) {
        self.bring_to_life(entity);
        let released = self.take(entity);
        debug_assert!(released.is_ok(), "it was just brought to life");
    }

    /// Despawns an entity. The caller removes its values.
    #[inline]
    pub(crate) fn despawn(&mut self, entity: EntityId) -> Result<(Location, Gap), NoSuchEntity> {
        let taken = self.take(entity)?;
        log("despawned", entity);
        Ok(taken)
    }

    /// As [`EntityManager::despawn`], without a log entry.
    #[inline(always)]
    pub(crate) fn take(&mut self, entity: EntityId) -> Result<(Location, Gap), NoSuchEntity> {
        self.settle();
        self.peak = self.peak.max(self.table.slots.len());
        // If no id is reserved, every taken slot is an entity.
        if self.waiting > 0 {
            self.locate(entity)?;
        }
        self.table.remove(entity).ok_or(NoSuchEntity { entity })
    }

    /// Takes the set of a despawned entity that had extras: its extras are what the kind does not have.
    pub(crate) fn mask_of_extras(&self, entity: EntityId) -> &ComponentMask {
        &self.table.masks[entity.index()]
    }

    /// Notes that an entity has these components, some of them as extras.
    #[inline]
    pub(crate) fn add_extras(&mut self, entity: EntityId, location: Location, mask: &ComponentMask) {
        self.is_unchanged = false;
        self.table.mask_with_extras(entity, location).insert_all(mask);
    }

    /// Notes that an entity has a component as an extra.
    #[inline]
    pub(crate) fn add_extra(&mut self, entity: EntityId, location: Location, id: ComponentId) {
        self.is_unchanged = false;
        self.table.mask_with_extras(entity, location).insert(id);
    }

    /// Notes that an entity no longer has a component that was an extra.
    #[inline]
    pub(crate) fn remove_extra(&mut self, entity: EntityId, id: ComponentId) {
        self.is_unchanged = false;
        self.table.masks[entity.index()].remove(id);
    }

    /// Moves an entity to another kind; `mask` is its set from now on.
    pub(crate) fn move_to(&mut self, entity: EntityId, from: Location, to: usize, mask: &ComponentMask) -> Moved {
        self.settle();
        self.table.move_to(entity, from, to, mask)
    }

    /// Whether an entity has no components at all.
    #[inline]
    pub(crate) fn is_bare(&self, entity: EntityId, location: Location) -> bool {
        location.kind == 0 && (!location.has_extras || self.table.masks[entity.index()].is_empty())
    }

    /// Moves an entity without any components to a kind, if there is one and it has some; `mask` is the set of the
    /// kind.
    pub(crate) fn place_bare(
        &mut self,
        entity: EntityId,
        location: Location,
        kind: Option<usize>,
        mask: &ComponentMask,
    ) -> Option<(usize, NewRow)> {
        let kind = kind.filter(|kind| *kind > 0 && self.is_bare(entity, location))?;
        Some((kind, self.move_to(entity, location, kind, mask).new))
    }

    /// Enables or disables an entity; returns its kind and the two rows whose values are swapped, or `None` if nothing
    /// changed.
    pub(crate) fn set_enabled(
        &mut self,
        entity: EntityId,
        enabled: bool,
    ) -> Result<Option<(Location, usize)>, NoSuchEntity> {
        let location = self.locate(entity)?;
        if self.table.is_enabled_at(location) == enabled {
            return Ok(None);
        }
        self.settle();
        let EntityTable { slots, kinds, .. } = &mut self.table;
        let (_, to) = kinds.switch(location.kind, location.row, enabled, slots);
        log(if enabled { "enabled" } else { "disabled" }, entity);
        Ok(Some((location, to)))
    }
}
