//! The groups that own a pool, while the typed pool itself is borrowed separately.

use std::cmp::Ordering;

use super::ComponentId;
use super::group::{Group, enabled_position};
use super::manager::{PoolEntry, PoolEvents};
use super::pool::Pool;
use crate::entity::EntityId;

/// The groups that own a pool, with their other pools.
pub(super) enum OwningGroups<'a> {
    None,
    /// Fast path for the most common case: the pool and one other are the only group that owns it.
    Pair {
        group: &'a mut Group,
        other: &'a mut Pool,
    },
    Several {
        groups: &'a mut [Group],
        /// Which of the groups own the pool, smaller ones first.
        owning: &'a [usize],
        others: OtherPools<'a>,
    },
}

/// All pools except one.
pub(super) struct OtherPools<'a> {
    except: ComponentId,
    before: &'a mut [PoolEntry],
    behind: &'a mut [PoolEntry],
}

impl<'a> OtherPools<'a> {
    /// Pool `id`; `None` for the excepted one.
    fn find(&mut self, id: ComponentId) -> Option<&mut Pool> {
        let (at, except) = (id.index(), self.except.index());
        let entry = match at.cmp(&except) {
            Ordering::Less => &mut self.before[at],
            Ordering::Equal => return None,
            Ordering::Greater => &mut self.behind[at - except - 1],
        };
        Some(&mut entry.pool)
    }

    /// As [`OtherPools::find`], for the rest of the borrow.
    fn into_pool(self, id: ComponentId) -> &'a mut Pool {
        let (at, except) = (id.index(), self.except.index());
        let entry = if at < except { &mut self.before[at] } else { &mut self.behind[at - except - 1] };
        &mut entry.pool
    }
}

impl<'a> OwningGroups<'a> {
    /// Pool `id` with its events and the groups that own it.
    #[inline]
    pub(super) fn of(
        id: ComponentId,
        pools: &'a mut [PoolEntry],
        groups: &'a mut [Group],
    ) -> (&'a mut Pool, PoolEvents, Self) {
        let (before, rest) = pools.split_at_mut(id.index());
        let (entry, behind) = rest.split_first_mut().expect("the id of a component type names its pool");
        let PoolEntry { pool, groups: owning, events, .. } = entry;
        let others = OtherPools { except: id, before, behind };
        let owners = if owning.is_empty() { Self::None } else { Self::from_indices(owning, groups, others) };
        (pool, *events, owners)
    }

    fn from_indices(owning: &'a [usize], groups: &'a mut [Group], others: OtherPools<'a>) -> Self {
        match owning {
            [only] if groups[*only].ids.len() == 2 => {
                let group = &mut groups[*only];
                let other = if group.ids[0] == others.except { group.ids[1] } else { group.ids[0] };
                Self::Pair { group, other: others.into_pool(other) }
            }
            _ => Self::Several { groups, owning, others },
        }
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        matches!(self, Self::None)
    }

    /// Adds `entity`, whose enabled component was just inserted at `row` of the pool, to all groups whose components it now has.
    /// `swap` swaps two rows of the pool.
    #[inline]
    pub(super) fn join(&mut self, entity: EntityId, mut row: usize, mut swap: impl FnMut(usize, usize)) {
        match self {
            Self::None => {}
            Self::Pair { group, other } => {
                let Some(others_row) = enabled_position(other, entity) else { return };
                other.swap(others_row, group.len);
                swap(row, group.len);
                group.len += 1;
            }
            Self::Several { groups, owning, others } => {
                for at in *owning {
                    // The next group requires all components of this one, and more.
                    let Some(to) = others.join(&mut groups[*at], entity) else { return };
                    swap(row, to);
                    row = to;
                }
            }
        }
    }

    /// Removes the entity whose component is at `row` of the pool from all groups. `swap` swaps two rows of the pool.
    #[inline]
    pub(super) fn leave(&mut self, mut row: usize, mut swap: impl FnMut(usize, usize)) {
        match self {
            Self::None => {}
            Self::Pair { group, other } => {
                if row < group.len {
                    group.len -= 1;
                    other.swap(row, group.len);
                    swap(row, group.len);
                }
            }
            Self::Several { groups, owning, others } => {
                // Groups with more components first: their members come first in the others.
                for at in owning.iter().rev() {
                    if let Some(to) = others.leave(&mut groups[*at], row) {
                        swap(row, to);
                        row = to;
                    }
                }
            }
        }
    }
}

impl OtherPools<'_> {
    /// Moves the components of `entity` in the other pools to the end of the group, which grows by one. Returns the new row; `None`
    /// if the entity lacks one of them, enabled.
    fn join(&mut self, group: &mut Group, entity: EntityId) -> Option<usize> {
        // All pools are checked before any changes.
        for id in &group.ids {
            if let Some(pool) = self.find(*id) {
                enabled_position(pool, entity)?;
            }
        }
        for id in &group.ids {
            if let Some(pool) = self.find(*id) {
                pool.move_to_row(entity, group.len);
            }
        }
        group.len += 1;
        Some(group.len - 1)
    }

    /// Moves the components in `row` of the other pools behind the end of the group, which shrinks by one. Returns the new row;
    /// `None` if `row` is not a member's.
    fn leave(&mut self, group: &mut Group, row: usize) -> Option<usize> {
        if row >= group.len {
            return None;
        }
        group.len -= 1;
        for id in &group.ids {
            if let Some(pool) = self.find(*id) {
                pool.swap(row, group.len);
            }
        }
        Some(group.len)
    }
}
