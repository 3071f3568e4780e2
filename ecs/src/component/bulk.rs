//! Changes of many entities at once, one pass per pool, with the same result as entity by entity.

use super::bundle::{Announce, BundleWriter, Inserts, OpenPools};
use super::group::Group;
use super::sparse_index::NewIds;
use super::{Bundle, Columns, ComponentId, ComponentManager, ComponentMask, group};
use crate::entity::{EntityId, EntityManager, NoSuchEntity};
use crate::event::EventBuffer;

/// Reused memory for changes of many entities.
#[derive(Default)]
pub(crate) struct Scratch {
    pub(crate) ids: Vec<EntityId>,
    runs: Vec<Run>,
    larger_groups_first: Vec<usize>,
}

/// Consecutive ids of entities with the same components: from the end of the previous run to `end`.
struct Run {
    mask: ComponentMask,
    end: usize,
}

impl Scratch {
    pub(crate) fn held_bytes(&self) -> usize {
        self.ids.capacity() * size_of::<EntityId>()
            + self.runs.capacity() * size_of::<Run>()
            + self.larger_groups_first.capacity() * size_of::<usize>()
    }

    /// The entities that had component `id`, a slice for each run.
    fn having(&self, id: ComponentId) -> impl Iterator<Item = &[EntityId]> {
        let starts = std::iter::once(0).chain(self.runs.iter().map(|run| run.end));
        let runs = starts.zip(&self.runs).filter(move |(_, run)| run.mask.contains(id));
        runs.map(|(start, run)| &self.ids[start..run.end])
    }
}

impl ComponentManager {
    /// Makes room for `additional` components of each type of the bundle, of entities with indices below `indices`.
    pub(crate) fn reserve<B: Bundle>(&mut self, additional: usize, indices: usize) {
        for id in B::register(self) {
            self.pools[id.index()].pool.reserve(additional, indices);
        }
    }

    pub(crate) fn shrink(&mut self) {
        self.pools.iter_mut().for_each(|entry| entry.pool.shrink());
    }

    /// Spawns an entity for each bundle and appends the ids to `ids`.
    pub(crate) fn spawn_many<B: Bundle>(
        &mut self,
        bundles: impl Iterator<Item = B>,
        entities: &mut EntityManager,
        announce: Announce<'_>,
        ids: &mut Vec<EntityId>,
    ) {
        self.spawn_rows::<B>(entities, announce, ids, |ends| B::push_all(bundles, ends));
    }

    /// As [`ComponentManager::spawn_many`], for columns of equal length.
    pub(crate) fn spawn_columns<C: Columns>(
        &mut self,
        columns: C,
        count: usize,
        entities: &mut EntityManager,
        announce: Announce<'_>,
        ids: &mut Vec<EntityId>,
    ) {
        self.spawn_rows::<C::Row>(entities, announce, ids, |ends| {
            columns.append(ends);
            count
        });
    }

    /// Spawns as many entities as `fill` appends values.
    fn spawn_rows<B: Bundle>(
        &mut self,
        entities: &mut EntityManager,
        announce: Announce<'_>,
        ids: &mut Vec<EntityId>,
        fill: impl FnOnce(&mut OpenPools<'_>) -> usize,
    ) {
        let (info, pools, groups, tick) = self.bundle_parts::<B>();
        let mut ends = OpenPools { ids: &info.ids, pools };
        let count = fill(&mut ends);
        let first = ids.len();
        entities.spawn_many(count, &info.mask, ids);
        let new = &ids[first..];
        let new_ids = NewIds::new(new);
        if info.is_tracked {
            new.iter().for_each(|entity| info.mark(ends.pools, *entity, tick));
        }
        for id in &info.ids {
            ends.pools[id.index()].pool.extend(new_ids);
        }
        for at in &info.joins {
            group::join_new(&mut groups[*at], ends.pools, &info.mask, new);
        }
        let heard = if announce.spawned.is_some() || info.is_heard { new } else { &[] };
        for entity in heard {
            B::announce(BundleWriter::new(*entity, &info.ids, ends.pools, announce.buffer), &B::Replaced::default());
            announce.spawned(*entity);
        }
    }

    /// Whether `Removed` events of these types have no listeners.
    pub(crate) fn removes_silently(&self, mut ids: impl Iterator<Item = ComponentId>) -> bool {
        ids.all(|id| self.pools[id.index()].events.removed.is_none())
    }

    /// Inserts bundles into entities and replaces existing components. Skips entities that are gone; the first of them is the
    /// error. Changes must not be tracked.
    pub(crate) fn insert_many<B: Bundle>(
        &mut self,
        bundles: impl Iterator<Item = (EntityId, B)>,
        entities: &mut EntityManager,
        buffer: &EventBuffer,
        scratch: &mut Scratch,
    ) -> Result<(), NoSuchEntity> {
        let (info, pools, groups, _) = self.bundle_parts::<B>();
        debug_assert!(!info.is_tracked, "bundles with ticks are inserted one by one");
        scratch.ids.clear();
        let mut joining = Joining {
            ends: OpenPools { ids: &info.ids, pools },
            joins: &info.joins,
            groups,
            changed: &mut scratch.ids,
        };
        let changed = (!info.joins.is_empty()).then_some(&mut *joining.changed);
        B::insert_each(bundles, &mut joining.ends, Inserts { entities, mask: &info.mask, changed, buffer })
    }
}

/// Adds entities to groups when dropped, even if a bundle panicked.
struct Joining<'a> {
    ends: OpenPools<'a>,
    joins: &'a [usize],
    groups: &'a mut [Group],
    changed: &'a mut Vec<EntityId>,
}

impl Drop for Joining<'_> {
    fn drop(&mut self) {
        for entity in self.changed.drain(..) {
            for at in self.joins {
                group::join_one(&mut self.groups[*at], self.ends.pools, entity);
            }
        }
    }
}

/// Removes a component from many entities and drops it, without events.
pub(crate) struct RemoveMany<'a> {
    pub(crate) id: ComponentId,
    pub(crate) components: &'a mut ComponentManager,
    pub(crate) scratch: &'a mut Scratch,
}

impl RemoveMany<'_> {
    /// Adds an entity whose mask no longer has the component.
    #[inline]
    pub(crate) fn note(&mut self, entity: EntityId) {
        self.scratch.ids.push(entity);
    }

    pub(crate) fn finish(&mut self) {
        let ComponentManager { pools, groups, .. } = &mut *self.components;
        // Emptied first: if dropping a component panics, `drop` of this guard must not process the ids a second time.
        let mut ids = std::mem::take(&mut self.scratch.ids);
        if ids.is_empty() {
            // No change: a snapshot keeps its shared copy.
            self.scratch.ids = ids;
            return;
        }
        if !pools[self.id.index()].groups.is_empty() {
            ids.iter().for_each(|entity| group::leave(groups, pools, self.id, *entity));
        }
        let pool = &mut pools[self.id.index()].pool;
        if ids.len() == pool.index().len() {
            pool.clear()
        } else {
            pool.remove_all(&mut std::iter::once(&*ids))
        }
        ids.clear();
        self.scratch.ids = ids;
    }
}

impl Drop for RemoveMany<'_> {
    /// Removes the components that were added so far even if the iterator of entities panicked.
    fn drop(&mut self) {
        self.finish();
    }
}

/// Despawns many entities and drops their components, pool by pool, without events: all of them, even if a component panics when
/// it is dropped or the iterator of entities panics.
pub(crate) struct DespawnMany<'a> {
    entities: &'a mut EntityManager,
    components: &'a mut ComponentManager,
    scratch: &'a mut Scratch,
    /// The pools that are left.
    pools: ComponentMask,
    are_in_groups: bool,
}

impl<'a> DespawnMany<'a> {
    pub(crate) fn new(
        entities: &'a mut EntityManager,
        components: &'a mut ComponentManager,
        scratch: &'a mut Scratch,
    ) -> Self {
        scratch.ids.clear();
        Self { entities, components, scratch, pools: ComponentMask::default(), are_in_groups: true }
    }

    #[inline]
    pub(crate) fn despawn(&mut self, entity: EntityId) -> Result<(), NoSuchEntity> {
        let mask = self.entities.take(entity)?;
        let Scratch { ids, runs, .. } = &mut *self.scratch;
        ids.push(entity);
        match runs.last_mut() {
            Some(run) if run.mask == mask => {
                run.end = ids.len();
                self.entities.recycle(mask);
            }
            _ => {
                self.pools.insert_all(&mask);
                runs.push(Run { mask, end: ids.len() });
            }
        }
        Ok(())
    }

    pub(crate) fn finish(&mut self) {
        if std::mem::take(&mut self.are_in_groups) {
            tracing::trace!(target: "ecs::entity", count = self.scratch.ids.len(), "despawned many");
            self.leave_groups();
        }
        while let Some(id) = self.pools.pop_first() {
            let is_emptied = self.loses_all(id);
            let pool = &mut self.components.pools[id.index()].pool;
            if is_emptied {
                pool.clear();
            } else {
                pool.remove_all(&mut self.scratch.having(id).fuse());
            }
        }
        self.scratch.ids.clear();
        self.scratch.runs.drain(..).for_each(|run| self.entities.recycle(run.mask));
    }

    /// Whether every component of this type is removed.
    fn loses_all(&self, id: ComponentId) -> bool {
        let going: usize = self.scratch.having(id).map(<[EntityId]>::len).sum();
        going == self.components.pools[id.index()].pool.index().len()
    }

    fn leave_groups(&mut self) {
        let mut order = std::mem::take(&mut self.scratch.larger_groups_first);
        order.clear();
        let groups = &self.components.groups;
        order.extend((0..groups.len()).filter(|&at| !groups[at].mask.is_disjoint(&self.pools)));
        order.sort_by_key(|&at| std::cmp::Reverse(groups[at].ids.len()));
        for at in &order {
            let is_emptied = self.components.groups[*at].ids.iter().all(|id| self.loses_all(*id));
            let ComponentManager { pools, groups, .. } = &mut *self.components;
            let group = &mut groups[*at];
            if is_emptied {
                group.len = 0;
            } else {
                self.scratch.ids.iter().for_each(|entity| group::leave_one(group, pools, *entity));
            }
        }
        self.scratch.larger_groups_first = order;
    }
}

impl Drop for DespawnMany<'_> {
    fn drop(&mut self) {
        self.finish();
    }
}
