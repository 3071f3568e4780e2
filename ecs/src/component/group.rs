//! Owning groups: pools that are kept in the same order at the front, so that walking them together needs no look-up.
//!
//! Invariants, which `query/fetch.rs` rests on:
//! - the first `len` rows of all pools of a group are the same entities in the same order, all of them enabled;
//! - every entity whose components of the group are all enabled is among them;
//! - of two groups that share a pool, one contains the other. The larger set has the stricter members, which are the
//!   first of the members of the smaller one.

use std::cmp::Ordering;
use std::fmt;

use super::manager::{PoolEntry, PoolEvents};
use super::pool::Pool;
use super::{ComponentId, ComponentMask};
use crate::entity::EntityId;

/// The most pools of a group: they are named by a bundle.
pub(super) const MOST_POOLS: usize = 12;

/// Pools that are kept in the same order.
pub(crate) struct Group {
    pub(crate) name: String,
    pub(crate) ids: Box<[ComponentId]>,
    pub(crate) mask: ComponentMask,
    /// How many entities have all components of the group, enabled.
    pub(crate) len: usize,
}

/// Why pools can not be grouped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GroupError {
    /// Two groups share a pool and neither contains the other, so the pool can not have the order of both.
    Conflict {
        /// The group that was asked for.
        group: String,
        /// The one that was declared before.
        declared: String,
        /// Name of a component that both want to own.
        component: &'static str,
    },
    /// Fewer than two component types: a pool by itself is in one order already.
    TooSmall {
        /// The group that was asked for.
        group: String,
    },
}

impl fmt::Display for GroupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Conflict { group, declared, component } => write!(
                f,
                "group {group} can not own {component}: group {declared} does, and neither contains the other; give one of \
                 them up, or leave {component} out of it, which its queries then look up"
            ),
            Self::TooSmall { group } => {
                write!(f, "group {group} does not name two different components: a single pool needs no group")
            }
        }
    }
}

impl std::error::Error for GroupError {}

/// Lets `entity` into every group that owns the pool `id` and of which it now has all components, enabled.
pub(super) fn join(groups: &mut [Group], pools: &mut [PoolEntry], id: ComponentId, entity: EntityId) {
    for at in 0..pools[id.index()].groups.len() {
        let group = &mut groups[pools[id.index()].groups[at]];
        // The next group wants all that this one wants, and more.
        if !join_one(group, pools, entity) {
            return;
        }
    }
}

/// Lets `entity` into a group if it has all that it takes. Returns whether it is in the group.
pub(super) fn join_one(group: &mut Group, pools: &mut [PoolEntry], entity: EntityId) -> bool {
    let mut rows = [0; MOST_POOLS];
    for (row, id) in rows.iter_mut().zip(&group.ids) {
        let Some(position) = enabled_position(&pools[id.index()].pool, entity) else { return false };
        *row = position;
    }
    // A member is in the same row of all pools.
    if rows[0] < group.len {
        return true;
    }
    for (row, id) in rows.into_iter().zip(&group.ids) {
        pools[id.index()].pool.swap(row, group.len);
    }
    group.len += 1;
    true
}

fn enabled_position(pool: &Pool, entity: EntityId) -> Option<usize> {
    pool.index().position(entity).filter(|position| *position < pool.index().active())
}

/// Takes `entity` out of every group that owns the pool `id`: its component is about to be disabled or removed.
#[inline]
pub(super) fn leave(groups: &mut [Group], pools: &mut [PoolEntry], id: ComponentId, entity: EntityId) {
    // Larger groups first: their members are the first ones of the smaller.
    for at in (0..pools[id.index()].groups.len()).rev() {
        leave_one(&mut groups[pools[id.index()].groups[at]], pools, entity);
    }
}

/// Takes `entity` out of a group if it is in it, behind the others: it changes places with the last member.
pub(super) fn leave_one(group: &mut Group, pools: &mut [PoolEntry], entity: EntityId) {
    // A member is in the same row of all pools.
    let row = pools[group.ids[0].index()].pool.index().position(entity);
    let Some(row) = row.filter(|row| *row < group.len) else { return };
    group.len -= 1;
    for id in &group.ids {
        pools[id.index()].pool.swap(row, group.len);
    }
}

/// Brings the entities that belong to a new group to its front, behind those of the larger groups that contain it.
/// O(number of the rarest component × number of pools).
pub(super) fn gather(group: &mut Group, pools: &mut [PoolEntry]) {
    let rarest = group.ids.iter().min_by_key(|id| pools[id.index()].pool.index().active());
    let Some(rarest) = rarest.map(|id| id.index()) else { return };
    for row in group.len..pools[rarest].pool.index().active() {
        let entity = pools[rarest].pool.index().owners()[row];
        join_one(group, pools, entity);
    }
}

/// The groups that own a pool, while that pool itself is borrowed by somebody who knows its type.
pub(super) struct OwningGroups<'a> {
    groups: &'a mut [Group],
    /// Which of the groups own the pool, smaller ones first.
    owning: &'a [usize],
    others: OtherPools<'a>,
}

/// All pools but one.
struct OtherPools<'a> {
    but: ComponentId,
    before: &'a mut [PoolEntry],
    behind: &'a mut [PoolEntry],
}

impl OtherPools<'_> {
    /// The pool `id`; `None` if that is the one that is not here.
    fn find(&mut self, id: ComponentId) -> Option<&mut Pool> {
        let (at, but) = (id.index(), self.but.index());
        let entry = match at.cmp(&but) {
            Ordering::Less => &mut self.before[at],
            Ordering::Equal => return None,
            Ordering::Greater => &mut self.behind[at - but - 1],
        };
        Some(&mut entry.pool)
    }
}

impl<'a> OwningGroups<'a> {
    /// The groups that own the pool `id`, and what its entry holds besides.
    #[inline]
    pub(super) fn of(
        id: ComponentId,
        pools: &'a mut [PoolEntry],
        groups: &'a mut [Group],
    ) -> (&'a mut Pool, PoolEvents, Self) {
        let (before, rest) = pools.split_at_mut(id.index());
        let (entry, behind) = rest.split_first_mut().expect("the id of a component type names its pool");
        let PoolEntry { pool, groups: owning, events, .. } = entry;
        (pool, *events, Self { groups, owning, others: OtherPools { but: id, before, behind } })
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.owning.is_empty()
    }

    /// Lets `entity`, whose enabled component in the pool was just inserted at `row`, into all groups of which it has all
    /// components now. `swap` exchanges two rows of the pool.
    #[inline]
    pub(super) fn join(&mut self, entity: EntityId, mut row: usize, mut swap: impl FnMut(usize, usize)) {
        for at in 0..self.owning.len() {
            // The next group wants all that this one wants, and more.
            let Some(to) = self.join_others(self.owning[at], entity) else { return };
            swap(row, to);
            row = to;
        }
    }

    /// Takes `entity`, whose component in the pool is at `row`, out of all groups. `swap` exchanges two rows of the pool.
    #[inline]
    pub(super) fn leave(&mut self, mut row: usize, mut swap: impl FnMut(usize, usize)) {
        // Larger groups first: their members are the first ones of the smaller.
        for at in (0..self.owning.len()).rev() {
            if let Some(to) = self.leave_others(self.owning[at], row) {
                swap(row, to);
                row = to;
            }
        }
    }

    /// Moves the components of `entity` in the other pools of a group to where its members end, and the end behind them.
    /// Returns which row that is; `None` if it has not all of them enabled.
    fn join_others(&mut self, at: usize, entity: EntityId) -> Option<usize> {
        let Self { groups, others, .. } = self;
        let group = &mut groups[at];
        let mut rows = [0; MOST_POOLS];
        for (row, id) in rows.iter_mut().zip(&group.ids) {
            if let Some(pool) = others.find(*id) {
                *row = enabled_position(pool, entity)?;
            }
        }
        for (row, id) in rows.into_iter().zip(&group.ids) {
            if let Some(pool) = others.find(*id) {
                pool.swap(row, group.len);
            }
        }
        group.len += 1;
        Some(group.len - 1)
    }

    /// Moves the components in `row` of the other pools of a group to where its members end then. Returns which row that is;
    /// `None` if it is no member's row.
    fn leave_others(&mut self, at: usize, row: usize) -> Option<usize> {
        let Self { groups, others, .. } = self;
        let group = &mut groups[at];
        if row >= group.len {
            return None;
        }
        group.len -= 1;
        for id in &group.ids {
            if let Some(pool) = others.find(*id) {
                pool.swap(row, group.len);
            }
        }
        Some(group.len)
    }
}
