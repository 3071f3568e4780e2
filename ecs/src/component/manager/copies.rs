//! Pools and groups in snapshots.

use std::any::TypeId;

use super::ComponentManager;
use crate::component::{ComponentId, Pool};
use crate::panic::FirstPanic;

impl ComponentManager {
    /// All pools with the names of their types, by id.
    pub(crate) fn pools_for_copy(&mut self) -> impl Iterator<Item = (&mut Pool, &'static str)> {
        self.pools.iter_mut().map(|entry| (&mut entry.pool, entry.name))
    }

    /// The pool of a registered type.
    pub(crate) fn pool_for_copy(&mut self, id: ComponentId) -> &mut Pool {
        &mut self.pools[id.index()].pool
    }

    /// From now on, all components of a type count as added and changed at the present tick.
    pub(crate) fn reset_ticks(&mut self, id: ComponentId) {
        let tick = self.raise_tick();
        self.pools[id.index()].pool.track(tick);
    }

    /// The name, component types and number of members of each group.
    pub(crate) fn groups_for_copy(&self) -> impl Iterator<Item = (&str, &[ComponentId], usize)> {
        self.groups.iter().map(|group| (&*group.name, &*group.ids, group.len))
    }

    /// Whether `component` is one of these types.
    pub(crate) fn owns(&self, ids: &[ComponentId], component: TypeId) -> bool {
        ids.iter().any(|id| self.pools[id.index()].pool.value_type() == component)
    }

    /// Empties all groups, before the pools are refilled.
    pub(crate) fn forget_members(&mut self) {
        self.groups.iter_mut().for_each(|group| group.len = 0);
    }

    /// Sets the number of members of a group, whose pools are in order already.
    pub(crate) fn set_members(&mut self, group: usize, len: usize) {
        let group = &mut self.groups[group];
        let is_filled = group.ids.iter().all(|id| self.pools[id.index()].pool.index().active() >= len);
        assert!(is_filled, "group {} has no more members than there are components", group.name);
        group.len = len;
    }

    /// Drops all components, without events.
    pub(crate) fn clear(&mut self, panics: &mut FirstPanic) {
        self.forget_members();
        self.pools.iter_mut().for_each(|entry| entry.pool.clear_each(panics));
    }
}
