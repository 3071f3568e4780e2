//! Moves entities between kinds, with their values.

use super::hooks::Effects;
use super::manager::{PoolEntry, log_change};
use super::{ComponentId, ComponentManager, ComponentMask};
use crate::entity::{EntityId, EntityManager, Gap, Location, Moved, NoSuchEntity, are_changes_logged};
use crate::event::{Despawned, EventTypeId};
use crate::panic::{FirstPanic, to_the_end_in_drop};

/// The kind with a set of components, which is made if there is none. `None` if all numbers of kinds are in use.
pub(super) fn kind_of(mask: &ComponentMask, entities: &mut EntityManager, pools: &mut [PoolEntry]) -> Option<usize> {
    if let Some(kind) = entities.kinds().find(mask) {
        return Some(kind);
    }
    let made = entities.kinds_mut().make(mask.clone())?;
    tracing::debug!(target: "ecs::entity", kind = made.kind, components = mask.len(), "new kind");
    made.before.iter().for_each(|id| pools[id.index()].pool.set_home(made.kind, false));
    let ids = &entities.kinds().get(made.kind).ids;
    ids.iter().for_each(|id| pools[id.index()].pool.set_home(made.kind, true));
    Some(made.kind)
}

impl ComponentManager {
    /// Moves an entity to a kind, with the values that lie in its row except that of `except`, which the caller takes.
    /// Values that the new kind does not have become extras, and extras that it has get their places in the row.
    /// `masks[0]` is the set of the entity from now on.
    fn move_row(&mut self, entity: EntityId, from: Location, to: usize, except: Option<ComponentId>) -> Moved {
        let Self { entities, pools, masks, .. } = self;
        let is_enabled = entities.table().is_enabled_at(from);
        let moved = entities.move_to(entity, from, to, &masks[0]);
        let (old, new) = (entities.kinds().get(from.kind), entities.kinds().get(to));
        for id in old.ids.iter().filter(|id| Some(**id) != except) {
            let pool = &mut pools[id.index()].pool;
            if new.mask.contains(*id) {
                pool.follow_row(moved);
            } else {
                pool.home_to_extra(from.kind, moved.gap, entity, is_enabled);
            }
        }
        if from.has_extras {
            let extras = new.ids.iter().filter(|id| !old.mask.contains(**id));
            extras.for_each(|id| pools[id.index()].pool.extra_to_home(entity, to, moved.new));
        }
        moved
    }

    /// Moves an entity to the kind without a component of its kind. If the component `stays`, it becomes an extra;
    /// otherwise the caller takes it.
    pub(super) fn leave_home(&mut self, id: ComponentId, entity: EntityId, from: Location, stays: bool) -> Moved {
        let Self { entities, pools, masks: [mask, home], .. } = self;
        mask.clone_from(entities.table().mask_at(entity, from));
        if !stays {
            mask.remove(id);
        }
        home.clone_from(&entities.kinds().get(from.kind).mask);
        home.remove(id);
        // Without a number for another kind, all other components become extras.
        let to = kind_of(home, entities, pools).unwrap_or(0);
        self.move_row(entity, from, to, (!stays).then_some(id))
    }

    /// Moves an entity to the kind of all its components, so that it has no extras: what was said of it in one breath
    /// is a whole. Components that are disabled themselves stay extras.
    pub(crate) fn make_whole(&mut self, entity: EntityId) {
        let Ok(location) = self.entities.locate(entity) else { return };
        if !location.has_extras {
            return;
        }
        let Self { entities, pools, masks: [mask, home], .. } = self;
        mask.clone_from(entities.table().mask_at(entity, location));
        home.clone_from(mask);
        for id in mask.iter() {
            let pool = &pools[id.index()].pool;
            if !pool.is_home(location.kind) && pool.index().is_off(entity) {
                home.remove(id);
            }
        }
        // Without a number for another kind, it stays where it is.
        let Some(to) = kind_of(home, entities, pools).filter(|kind| *kind != location.kind) else { return };
        self.move_row(entity, location, to, None);
    }

    /// Removes all components of an entity that was despawned, and sends its event: all of them, even if one panics
    /// when it is dropped.
    #[inline]
    pub(crate) fn remove_all(
        &mut self,
        entity: EntityId,
        location: Location,
        gap: Gap,
        despawned: Option<EventTypeId>,
        effects: Effects<'_>,
    ) {
        let Self { entities, pools, .. } = self;
        RemoveAll { entity, location, gap, entities, pools, despawned, effects, next: 0 }.finish();
    }

    /// Moves the components of an entity across the enabled/disabled boundaries; returns whether anything changed.
    ///
    /// # Errors
    /// [`NoSuchEntity`] if it does not exist.
    pub(crate) fn set_enabled(&mut self, entity: EntityId, enabled: bool) -> Result<bool, NoSuchEntity> {
        let Some((location, to)) = self.entities.set_enabled(entity, enabled)? else { return Ok(false) };
        let seen = *self.frame_tick();
        let Self { entities, pools, tick, .. } = self;
        let of_kind = entities.kinds().get(location.kind);
        for id in &of_kind.ids {
            let pool = &mut pools[id.index()].pool;
            pool.swap_home(location.kind, location.row, to);
            if pool.ticks().is_some() {
                *tick += 1;
                pool.note_switch(entity, enabled, *tick, seen);
            }
        }
        if location.has_extras {
            let extras = entities.mask_of_extras(entity).iter().filter(|id| !of_kind.mask.contains(*id));
            for id in extras {
                let pool = &mut pools[id.index()].pool;
                let changed = pool.follow_entity(entity, enabled);
                if let (Some(is_enabled), Some(_)) = (changed, pool.ticks()) {
                    *tick += 1;
                    pool.note_switch(entity, is_enabled, *tick, seen);
                }
            }
        }
        Ok(true)
    }

    /// Brings the rows of all entities into another order. Nothing is sent, and nothing counts as changed.
    #[cfg(feature = "inspect")]
    pub(crate) fn shuffle_rows(&mut self, random: &mut crate::random::RandomStream) {
        let Self { entities, pools, .. } = self;
        let mut all: Vec<EntityId> = entities.iter().collect();
        random.shuffle(&mut all);
        for entity in all {
            // The row is exchanged with that at the boundary, and stays there on the way back.
            let Some(is_enabled) = entities.is_enabled(entity) else { continue };
            for enabled in [!is_enabled, is_enabled] {
                let Ok(Some((location, to))) = entities.set_enabled(entity, enabled) else { continue };
                let of_kind = entities.kinds().get(location.kind);
                for id in &of_kind.ids {
                    pools[id.index()].pool.swap_home(location.kind, location.row, to);
                }
                if location.has_extras {
                    let extras = entities.mask_of_extras(entity).iter().filter(|id| !of_kind.mask.contains(*id));
                    for id in extras {
                        pools[id.index()].pool.follow_entity(entity, enabled);
                    }
                }
            }
        }
    }

    /// Enables or disables a component itself. It counts as enabled if its entity is enabled, too. Returns whether
    /// there is one.
    ///
    /// One that is disabled becomes an extra, so that queries need no look-up in the rows of kinds.
    ///
    /// # Errors
    /// [`NoSuchEntity`] if the entity does not exist.
    pub(crate) fn switch(&mut self, id: Option<ComponentId>, entity: EntityId, on: bool) -> Result<bool, NoSuchEntity> {
        let location = self.entities.locate(entity)?;
        let Some(id) = id.filter(|id| self.entities.table().mask_at(entity, location).contains(*id)) else {
            return Ok(false);
        };
        if self.pools[id.index()].pool.is_home(location.kind) {
            if on {
                return Ok(true);
            }
            self.leave_home(id, entity, location, true);
        }
        let (is_entity_enabled, seen) = (self.entities.table().is_enabled(entity) == Some(true), *self.frame_tick());
        let Self { pools, tick, .. } = self;
        let pool = &mut pools[id.index()].pool;
        let changed = pool.switch(entity, on, is_entity_enabled);
        if let (Some(is_enabled), Some(_)) = (changed, pool.ticks()) {
            *tick += 1;
            pool.note_switch(entity, is_enabled, *tick, seen);
        }
        if changed.is_some() && are_changes_logged() {
            log_change(if on { "enabled" } else { "disabled" }, entity, self.name(id));
        }
        Ok(true)
    }
}

/// Removes all components of a despawned entity and sends its event, even if a component panics when it is dropped.
struct RemoveAll<'a> {
    entity: EntityId,
    location: Location,
    gap: Gap,
    entities: &'a EntityManager,
    pools: &'a mut [PoolEntry],
    despawned: Option<EventTypeId>,
    effects: Effects<'a>,
    /// The place of the next component in the list of the kind; with extras, the next component.
    next: usize,
}

impl RemoveAll<'_> {
    #[inline(always)]
    fn finish(mut self) {
        self.all();
        self.announce();
        // Nothing is left for the destructor, which has its price.
        std::mem::forget(self);
    }

    #[inline(always)]
    fn announce(&mut self) {
        if let Some(id) = self.despawned {
            self.effects.buffer.push(id, Despawned { entity: self.entity });
        }
    }

    #[inline(always)]
    fn all(&mut self) {
        if self.location.has_extras {
            return self.all_with_extras();
        }
        let of_kind = self.entities.kinds().get(self.location.kind);
        while let Some(id) = of_kind.ids.get(self.next) {
            // First, since a drop may panic.
            self.next += 1;
            let entry = &mut self.pools[id.index()];
            let leaving = entry.on_removal(self.effects);
            entry.pool.remove_home(self.location.kind, self.gap, self.entity, leaving);
        }
    }

    fn all_with_extras(&mut self) {
        let mask = self.entities.mask_of_extras(self.entity);
        while let Some(id) = mask.iter().find(|id| id.index() >= self.next) {
            self.next = id.index() + 1;
            let entry = &mut self.pools[id.index()];
            let leaving = entry.on_removal(self.effects);
            if entry.pool.is_home(self.location.kind) {
                entry.pool.remove_home(self.location.kind, self.gap, self.entity, leaving);
            } else {
                entry.pool.remove_extra(self.entity, leaving);
            }
        }
    }
}

/// After a panic of a component or a hook: the others go as well. A panic of these ends here, since the first one goes
/// on.
impl Drop for RemoveAll<'_> {
    #[cold]
    fn drop(&mut self) {
        to_the_end_in_drop(&mut || self.all());
        self.announce();
    }
}

/// Drops all components, even if some panic.
impl Drop for ComponentManager {
    fn drop(&mut self) {
        let mut panics = FirstPanic::default();
        self.pools.iter_mut().for_each(|entry| entry.pool.clear(&mut panics));
        panics.raise_unless_panicking();
    }
}
