//! What the component manager keeps of each type of bundle, so that nothing is looked up for each entity.

use super::group::{self, Group};
use super::manager::PoolEntry;
use super::{ComponentId, ComponentMask};
use crate::entity::EntityId;

/// The components that a type of bundle consists of.
pub(super) struct BundleInfo {
    pub(super) ids: Box<[ComponentId]>,
    pub(super) mask: ComponentMask,
    /// The groups that own a pool of the bundle, smaller ones first.
    pub(super) joins: Box<[usize]>,
    /// Those that have values, which are not all the same.
    pub(super) with_values: Box<[ComponentId]>,
    /// A component type stands twice in the tuple.
    pub(super) has_twins: bool,
    /// Somebody listens to the adding of one of the components.
    pub(super) is_heard: bool,
}

impl BundleInfo {
    pub(super) fn new(ids: Box<[ComponentId]>, groups: &[Group], pools: &[PoolEntry]) -> Self {
        let mask: ComponentMask = ids.iter().copied().collect();
        let mut joins: Vec<_> = (0..groups.len()).filter(|&at| !groups[at].mask.is_disjoint(&mask)).collect();
        joins.sort_by_key(|&at| groups[at].ids.len());
        let has_twins = mask.len() < ids.len();
        let with_values = ids.iter().copied().filter(|id| pools[id.index()].value_bytes > 0).collect();
        let mut info = Self { ids, mask, joins: joins.into(), with_values, has_twins, is_heard: false };
        info.note_listeners(pools);
        info
    }

    /// Notes whether somebody listens, which the pools know.
    pub(super) fn note_listeners(&mut self, pools: &[PoolEntry]) {
        self.is_heard = self.ids.iter().any(|id| pools[id.index()].events.added.is_some());
    }

    /// Lets an entity into the groups of which it has all components now.
    #[inline]
    pub(super) fn join(&self, groups: &mut [Group], pools: &mut [PoolEntry], entity: EntityId) {
        for at in &self.joins {
            group::join_one(&mut groups[*at], pools, entity);
        }
    }
}
