//! Pools in snapshots.

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
        let indices = self.entities.iter().map(|entity| entity.index() + 1).max().unwrap_or(0);
        self.pools[id.index()].pool.track(indices, tick);
    }

    /// Tells the pools which kinds there are, and makes room for the ticks of all entities, after a snapshot was
    /// restored.
    pub(crate) fn note_kinds(&mut self) {
        let Self { entities, pools, .. } = self;
        pools.iter_mut().for_each(|entry| entry.pool.forget_homes());
        for (kind, of_kind) in entities.kinds().all().iter().enumerate() {
            of_kind.ids.iter().for_each(|id| pools[id.index()].pool.set_home(kind, true));
        }
        pools.iter_mut().for_each(|entry| entry.pool.count_again());
    }

    /// Drops all components, without events.
    pub(crate) fn clear(&mut self, panics: &mut FirstPanic) {
        self.pools.iter_mut().for_each(|entry| entry.pool.clear(panics));
    }
}
