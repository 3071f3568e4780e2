//! Changes of many entities at once, with the same result as entity by entity.

use super::bundle::{Announce, BundleNews, OpenColumns, OpenPools};
use super::homes::kind_of;
use super::{Bundle, Columns, ComponentId, ComponentManager, ComponentMask, Tuples};
use crate::entity::{EntityId, Gap, NoSuchEntity};
use crate::panic::to_the_end_in_drop;

/// Reused memory for changes of many entities.
#[derive(Default)]
pub(crate) struct Scratch {
    pub(crate) ids: Vec<EntityId>,
    /// By the number of a kind: the rows that were removed.
    gaps: Vec<Vec<Gap>>,
    /// The kinds that have lost rows, in the order of their first loss.
    kinds: Vec<usize>,
}

impl Scratch {
    pub(crate) fn held_bytes(&self) -> usize {
        let gaps: usize = self.gaps.iter().map(|gaps| gaps.capacity() * size_of::<Gap>()).sum();
        self.ids.capacity() * size_of::<EntityId>()
            + self.kinds.capacity() * size_of::<usize>()
            + self.gaps.capacity() * size_of::<Vec<Gap>>()
            + gaps
    }
}

impl ComponentManager {
    /// Makes room for `additional` entities with the components of the bundle, with indices below `indices`.
    pub(crate) fn reserve<B: Bundle>(&mut self, additional: usize, indices: usize) {
        let mask = self.mask_of::<B>();
        let Self { entities, pools, .. } = self;
        let Some(kind) = kind_of(&mask, entities, pools) else { return };
        entities.reserve_rows(kind, additional);
        mask.iter().for_each(|id| pools[id.index()].pool.reserve(kind, additional, indices));
    }

    pub(crate) fn shrink(&mut self) {
        self.entities.shrink();
        let indices = self.entities.iter().map(|entity| entity.index() + 1).max().unwrap_or(0);
        self.pools.iter_mut().for_each(|entry| entry.pool.shrink(indices));
    }

    /// Spawns an entity for each bundle and appends the ids to `ids`.
    pub(crate) fn spawn_many<B: Bundle>(
        &mut self,
        bundles: impl Iterator<Item = B>,
        announce: Announce<'_>,
        ids: &mut Vec<EntityId>,
    ) {
        let place = self.bundle_place::<B::Tuples>();
        if self.bundles[place].is_one_by_one() {
            self.entities.check_room(bundles.size_hint().0);
            return ids.extend(bundles.map(|bundle| self.spawn(bundle, announce)));
        }
        self.spawn_rows::<B::Tuples>(announce, ids, |columns| {
            B::Tuples::push_all(bundles.map(B::into_tuples), columns)
        });
    }

    /// As [`ComponentManager::spawn_many`], for columns of equal length.
    pub(crate) fn spawn_columns<C: Columns>(
        &mut self,
        columns: C,
        count: usize,
        announce: Announce<'_>,
        ids: &mut Vec<EntityId>,
    ) {
        let place = self.bundle_place::<C::Row>();
        if self.bundles[place].is_one_by_one() {
            self.entities.check_room(count);
            return ids.extend(columns.into_rows().map(|row| self.spawn(row, announce)));
        }
        self.spawn_rows::<C::Row>(announce, ids, |ends| {
            columns.append(ends);
            count
        });
    }

    /// Spawns as many entities of the bundle's kind as `fill` appends values.
    fn spawn_rows<B: Tuples>(
        &mut self,
        announce: Announce<'_>,
        ids: &mut Vec<EntityId>,
        fill: impl FnOnce(OpenColumns<'_>) -> usize,
    ) {
        let place = self.bundle_place::<B>();
        let Self { bundles, pools, entities, tick, .. } = self;
        let info = &bundles[place];
        let Some(kind) = info.kind else { return };
        let mut ends = OpenPools { ids: &info.ids, pools, kind, rows: entities.kinds().get(kind).owners.len() };
        let count = fill(ends.columns());
        let first = ids.len();
        let are_last = entities.spawn_many(count, kind, ids);
        let new = &ids[first..];
        if info.is_tracked {
            new.iter().for_each(|entity| info.mark(ends.pools, *entity, &ComponentMask::default(), tick));
        }
        if !are_last {
            for entity in new {
                let last = ends.rows;
                let row = entities.push_row(*entity, kind);
                if !row.is_last {
                    info.swap_last(ends.pools, kind, row.row, last);
                }
                ends.rows += 1;
            }
        }
        ends.rows = entities.kinds().get(kind).owners.len();
        for id in &info.ids {
            ends.pools[id.index()].pool.note_pushed(count);
        }
        let heard = if announce.spawned.is_some() || info.is_heard { new } else { &[] };
        for entity in heard {
            let news = BundleNews {
                entity: *entity,
                ids: &info.ids,
                pools: ends.pools,
                effects: announce.effects,
                is_replacement: false,
            };
            B::announce(news, &B::Replaced::default());
            announce.spawned(*entity);
        }
    }

    /// Whether these types have no hooks, and their `Removed` events no listeners.
    pub(crate) fn removes_silently(&self, mut ids: impl Iterator<Item = ComponentId>) -> bool {
        ids.all(|id| self.pools[id.index()].events.removed.is_none() && !self.pools[id.index()].is_hooked)
    }
}

/// Despawns many entities and drops their components, pool by pool, without events: all of them, even if a component
/// panics when it is dropped or the iterator of entities panics.
pub(crate) struct DespawnMany<'a> {
    components: &'a mut ComponentManager,
    scratch: &'a mut Scratch,
    /// The pools with extras that are left.
    extras: ComponentMask,
    /// The kind, and the place in its list of components, that comes next.
    next: (usize, usize),
    is_logged: bool,
    count: usize,
}

impl<'a> DespawnMany<'a> {
    pub(crate) fn new(components: &'a mut ComponentManager, scratch: &'a mut Scratch) -> Self {
        scratch.ids.clear();
        scratch.kinds.clear();
        if scratch.gaps.len() < components.entities.kinds().all().len() {
            scratch.gaps.resize_with(components.entities.kinds().all().len(), Vec::new);
        }
        Self { components, scratch, extras: ComponentMask::default(), next: (0, 0), is_logged: false, count: 0 }
    }

    #[inline]
    pub(crate) fn despawn(&mut self, entity: EntityId) -> Result<(), NoSuchEntity> {
        let entities = &mut self.components.entities;
        let (location, gap) = entities.take(entity)?;
        self.count += 1;
        let gaps = &mut self.scratch.gaps[location.kind];
        if gaps.is_empty() {
            self.scratch.kinds.push(location.kind);
        }
        gaps.push(gap);
        if location.has_extras {
            self.extras.insert_all(entities.mask_of_extras(entity));
            self.scratch.ids.push(entity);
        }
        Ok(())
    }

    pub(crate) fn finish(&mut self) {
        if !std::mem::replace(&mut self.is_logged, true) {
            tracing::debug!(target: "ecs::entity", count = self.count, "despawned many");
        }
        let ComponentManager { pools, entities, .. } = &mut *self.components;
        let Scratch { ids, gaps, kinds } = &mut *self.scratch;
        while let Some(kind) = kinds.get(self.next.0) {
            let of_kind = entities.kinds().get(*kind);
            while let Some(id) = of_kind.ids.get(self.next.1) {
                // First, since a drop may panic.
                self.next.1 += 1;
                pools[id.index()].pool.remove_rows(*kind, &gaps[*kind], of_kind.owners.is_empty());
            }
            gaps[*kind].clear();
            self.next = (self.next.0 + 1, 0);
        }
        while let Some(id) = self.extras.pop_first() {
            pools[id.index()].pool.remove_extras(ids);
        }
        ids.clear();
        kinds.clear();
        self.next = (0, 0);
    }
}

impl Drop for DespawnMany<'_> {
    fn drop(&mut self) {
        to_the_end_in_drop(&mut || self.finish());
    }
}
