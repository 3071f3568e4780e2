//! Pools and groups in and out of snapshots.

use std::any::TypeId;

use super::ComponentManager;
use crate::component::{ComponentId, Pool};
use crate::panic::FirstPanic;

impl ComponentManager {
    /// Every pool with the name of its type, in the order of ids.
    pub(crate) fn pools_for_copy(&mut self) -> impl Iterator<Item = (&mut Pool, &'static str)> {
        self.pools.iter_mut().map(|entry| (&mut entry.pool, entry.name))
    }

    /// The pool of a type that was met.
    pub(crate) fn pool_for_copy(&mut self, id: ComponentId) -> &mut Pool {
        &mut self.pools[id.index()].pool
    }

    /// Name, component types and number of members of every group.
    pub(crate) fn groups_for_copy(&self) -> impl Iterator<Item = (&str, &[ComponentId], usize)> {
        self.groups.iter().map(|group| (&*group.name, &*group.ids, group.len))
    }

    /// Whether `component` is one of these types.
    pub(crate) fn owns(&self, ids: &[ComponentId], component: TypeId) -> bool {
        ids.iter().any(|id| self.pools[id.index()].pool.value_type() == component)
    }

    /// Lets no group have members, so that pools can be filled anew.
    pub(crate) fn forget_members(&mut self) {
        self.groups.iter_mut().for_each(|group| group.len = 0);
    }

    /// Says how many members a group has, whose pools were filled accordingly.
    pub(crate) fn set_members(&mut self, group: usize, len: usize) {
        let group = &mut self.groups[group];
        let is_filled = group.ids.iter().all(|id| self.pools[id.index()].pool.index().active() >= len);
        assert!(is_filled, "group {} has no more members than there are components", group.name);
        group.len = len;
    }

    /// Takes all components out and drops them; nobody hears of it.
    pub(crate) fn clear(&mut self, panics: &mut FirstPanic) {
        self.forget_members();
        self.pools.iter_mut().for_each(|entry| entry.pool.clear_each(panics));
    }
}
