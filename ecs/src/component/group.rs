//! Owning groups: pools with the same order of their first rows, so that iterating over them together needs no look-up.
//!
//! Invariants, which `query/fetch.rs` relies on:
//! - the first `len` rows of all pools of a group are the same entities in the same order, all of them enabled;
//! - every entity whose components of the group are all enabled is among them;
//! - of two groups that share a pool, one contains the other. The members of the group with more components come first among
//!   those of the other.

use super::manager::PoolEntry;
use super::pool::Pool;
use super::{ComponentId, ComponentMask};
use crate::entity::EntityId;

/// Pools that are kept in the same order.
pub(crate) struct Group {
    pub(crate) name: String,
    pub(crate) ids: Box<[ComponentId]>,
    pub(crate) mask: ComponentMask,
    /// The number of entities that have all components of the group, enabled.
    pub(crate) len: usize,
}

/// Adds `entity` to every group that owns pool `id` and whose components it now has, enabled.
pub(super) fn join(groups: &mut [Group], pools: &mut [PoolEntry], id: ComponentId, entity: EntityId) {
    for at in 0..pools[id.index()].groups.len() {
        let group = &mut groups[pools[id.index()].groups[at]];
        // The next group requires all components of this one, and more.
        if !join_one(group, pools, entity) {
            return;
        }
    }
}

/// Adds `entity` to a group if it has the components. Returns whether it is a member.
pub(super) fn join_one(group: &mut Group, pools: &mut [PoolEntry], entity: EntityId) -> bool {
    let Some((first, others)) = group.ids.split_first() else { return false };
    let Some(row) = enabled_position(&pools[first.index()].pool, entity) else { return false };
    // A member is in the same row of all pools.
    if row < group.len {
        return true;
    }
    if others.iter().any(|id| enabled_position(&pools[id.index()].pool, entity).is_none()) {
        return false;
    }
    pools[first.index()].pool.swap(row, group.len);
    for id in others {
        pools[id.index()].pool.move_to_row(entity, group.len);
    }
    group.len += 1;
    true
}

/// Adds new entities with the components of `mask`, which are the last ones of their pools in the order of `new`.
pub(super) fn join_new(group: &mut Group, pools: &mut [PoolEntry], mask: &ComponentMask, new: &[EntityId]) {
    let len = group.len + new.len();
    let ends_with_new = |id: &ComponentId| {
        let index = pools[id.index()].pool.index();
        index.active() == len && index.len() == len
    };
    // If all owners before them are members, they are in place.
    if group.mask.is_subset(mask) && group.ids.iter().all(ends_with_new) {
        group.len = len;
    } else {
        new.iter().for_each(|entity| _ = join_one(group, pools, *entity));
    }
}

/// The position of the component of `entity`, if it is enabled.
#[inline]
pub(super) fn enabled_position(pool: &Pool, entity: EntityId) -> Option<usize> {
    pool.index().position(entity).filter(|position| *position < pool.index().active())
}

/// Removes `entity` from every group that owns pool `id`, before its component is disabled or removed.
#[inline]
pub(super) fn leave(groups: &mut [Group], pools: &mut [PoolEntry], id: ComponentId, entity: EntityId) {
    // Groups with more components first: their members come first in the others.
    for at in (0..pools[id.index()].groups.len()).rev() {
        leave_one(&mut groups[pools[id.index()].groups[at]], pools, entity);
    }
}

/// Removes `entity` from a group if it is a member: swaps it with the last member.
pub(super) fn leave_one(group: &mut Group, pools: &mut [PoolEntry], entity: EntityId) {
    // A member is in the same row of all pools.
    let row = pools[group.ids[0].index()].pool.index().position(entity);
    let Some(row) = row.filter(|row| *row < group.len) else { return };
    group.len -= 1;
    for id in &group.ids {
        pools[id.index()].pool.swap(row, group.len);
    }
}

/// Moves the members of a new group to the front, behind the members of groups that contain it.
/// O(number of the rarest component × number of pools).
pub(super) fn gather(group: &mut Group, pools: &mut [PoolEntry]) {
    let rarest = group.ids.iter().min_by_key(|id| pools[id.index()].pool.index().active());
    let Some(rarest) = rarest.map(|id| id.index()) else { return };
    for row in group.len..pools[rarest].pool.index().active() {
        let entity = pools[rarest].pool.index().owners()[row];
        join_one(group, pools, entity);
    }
}
