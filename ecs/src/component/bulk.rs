//! Components of many entities at once: one pass for each pool, with the same result as one entity after the other.

use super::bundle::Ends;
use super::{Bundle, Columns, ComponentId, ComponentManager, ComponentMask, group};
use crate::entity::{EntityId, EntityManager, NoSuchEntity};
use crate::event::{EventTypeId, Lane, Spawned};

/// Memory that changes of many entities are worked out in, kept from one to the next.
#[derive(Default)]
pub(crate) struct Scratch {
    pub(crate) ids: Vec<EntityId>,
    despawned: Vec<(EntityId, ComponentMask)>,
    positions: Vec<usize>,
    larger_groups_first: Vec<usize>,
}

/// Where new entities are announced.
#[derive(Clone, Copy)]
pub(crate) struct Announce<'a> {
    pub(crate) spawned: Option<EventTypeId>,
    pub(crate) lane: &'a Lane,
}

impl ComponentManager {
    /// Spawns an entity for each bundle; their ids are added to `ids`. Hands the bundles back if a component type stands
    /// twice in the tuple.
    pub(crate) fn spawn_many<B: Bundle, I: Iterator<Item = B>>(
        &mut self,
        bundles: I,
        entities: &mut EntityManager,
        announce: Announce<'_>,
        ids: &mut Vec<EntityId>,
    ) -> Result<(), I> {
        self.spawn_rows::<B, _>(entities, announce, ids, |ends| B::push_all(bundles, ends))
    }

    /// As [`ComponentManager::spawn_many`], for columns, which are of equal length.
    pub(crate) fn spawn_columns<C: Columns>(
        &mut self,
        columns: C,
        count: usize,
        entities: &mut EntityManager,
        announce: Announce<'_>,
        ids: &mut Vec<EntityId>,
    ) -> Result<(), C> {
        self.spawn_rows::<C::Row, _>(entities, announce, ids, |ends| columns.append(ends).map(|()| count))
    }

    /// Spawns as many entities as `fill` puts values at the ends of the columns.
    fn spawn_rows<B: Bundle, R>(
        &mut self,
        entities: &mut EntityManager,
        announce: Announce<'_>,
        ids: &mut Vec<EntityId>,
        fill: impl FnOnce(&mut Ends<'_>) -> Result<usize, R>,
    ) -> Result<(), R> {
        let (info, pools, groups) = self.bundle_parts::<B>();
        let mut ends = Ends { ids: &info.ids, pools };
        let count = fill(&mut ends)?;
        let first = ids.len();
        entities.spawn_many(count, &info.mask, ids);
        let new = &ids[first..];
        for id in &info.ids {
            ends.pools[id.index()].pool.extend(new);
        }
        for at in &info.joins {
            new.iter().for_each(|entity| _ = group::join_one(&mut groups[*at], ends.pools, *entity));
        }
        let is_heard = announce.spawned.is_some() || info.ids.iter().any(|id| ends.pools[id.index()].added.is_some());
        for entity in new.iter().filter(|_| is_heard) {
            B::announce(*entity, &ends, announce.lane);
            if let Some(event_type) = announce.spawned {
                announce.lane.push(event_type, Spawned { entity: *entity });
            }
        }
        Ok(())
    }

    /// Whether nobody hears when components of these types are removed.
    pub(crate) fn removes_silently(&self, mut ids: impl Iterator<Item = ComponentId>) -> bool {
        ids.all(|id| self.pools[id.index()].removed.is_none())
    }

    /// Takes one component of many entities out and drops it; nobody hears of it.
    pub(crate) fn remove_many(&mut self, id: ComponentId, scratch: &mut Scratch) {
        let Self { pools, groups, .. } = self;
        for entity in &scratch.ids {
            group::leave(groups, pools, id, *entity);
        }
        pools[id.index()].pool.remove_all(scratch.ids.iter().copied(), &mut scratch.positions);
    }
}

/// Takes the components of despawned entities out of one pool after the other: all of them, even if one panics when it is
/// dropped.
pub(crate) struct TakeOutMany<'a> {
    components: &'a mut ComponentManager,
    scratch: &'a mut Scratch,
    /// The pools that are left.
    pools: ComponentMask,
}

impl TakeOutMany<'_> {
    /// Despawns entities; those that are gone are passed over. Returns the first of those.
    pub(crate) fn despawn(
        ids: impl Iterator<Item = EntityId>,
        entities: &mut EntityManager,
        components: &mut ComponentManager,
        scratch: &mut Scratch,
    ) -> Result<(), NoSuchEntity> {
        let mut result = Ok(());
        let mut pools = ComponentMask::default();
        for entity in ids {
            match entities.despawn(entity) {
                Ok(mask) => {
                    pools.insert_all(&mask);
                    scratch.despawned.push((entity, mask));
                }
                Err(error) => result = result.and(Err(error)),
            }
        }
        Self::leave_groups(components, &pools, scratch);
        TakeOutMany { components, scratch, pools }.all();
        scratch.despawned.drain(..).for_each(|(_, mask)| entities.recycle(mask));
        result
    }

    fn leave_groups(components: &mut ComponentManager, concerned: &ComponentMask, scratch: &mut Scratch) {
        let ComponentManager { pools, groups, .. } = components;
        let order = &mut scratch.larger_groups_first;
        order.clear();
        order.extend((0..groups.len()).filter(|&at| !groups[at].mask.is_disjoint(concerned)));
        order.sort_by_key(|&at| std::cmp::Reverse(groups[at].ids.len()));
        if !order.is_empty() {
            for (entity, _) in &scratch.despawned {
                group::leave_all(groups, order, pools, *entity);
            }
        }
    }

    fn all(&mut self) {
        while let Some(id) = self.pools.first() {
            self.pools.remove(id);
            let Scratch { despawned, positions, .. } = &mut *self.scratch;
            let having = despawned.iter().filter(|(_, mask)| mask.contains(id)).map(|(entity, _)| *entity);
            self.components.pools[id.index()].pool.remove_all(having, positions);
        }
    }
}

impl Drop for TakeOutMany<'_> {
    fn drop(&mut self) {
        self.all();
    }
}
