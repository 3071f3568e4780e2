//! The groups that own a pool, while that pool itself is borrowed by somebody who knows its type.

use std::cmp::Ordering;

use super::ComponentId;
use super::group::{Group, enabled_position};
use super::manager::{PoolEntry, PoolEvents};
use super::pool::Pool;
use crate::entity::EntityId;

/// The groups that own a pool, with their other pools.
pub(super) enum OwningGroups<'a> {
    None,
    /// The pool and one other are a group, and no other group owns the pool: most groups are such, and quick to change.
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

/// All pools but one.
pub(super) struct OtherPools<'a> {
    but: ComponentId,
    before: &'a mut [PoolEntry],
    behind: &'a mut [PoolEntry],
}

impl<'a> OtherPools<'a> {
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

    /// As [`OtherPools::find`], giving up the others.
    fn into_pool(self, id: ComponentId) -> &'a mut Pool {
        let (at, but) = (id.index(), self.but.index());
        let entry = if at < but { &mut self.before[at] } else { &mut self.behind[at - but - 1] };
        &mut entry.pool
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
        let others = OtherPools { but: id, before, behind };
        let owners = if owning.is_empty() { Self::None } else { Self::those(owning, groups, others) };
        (pool, *events, owners)
    }

    fn those(owning: &'a [usize], groups: &'a mut [Group], others: OtherPools<'a>) -> Self {
        match owning {
            [only] if groups[*only].ids.len() == 2 => {
                let group = &mut groups[*only];
                let other = if group.ids[0] == others.but { group.ids[1] } else { group.ids[0] };
                Self::Pair { group, other: others.into_pool(other) }
            }
            _ => Self::Several { groups, owning, others },
        }
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        matches!(self, Self::None)
    }

    /// Lets `entity`, whose enabled component in the pool was just inserted at `row`, into all groups of which it has all
    /// components now. `swap` exchanges two rows of the pool.
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
                    // The next group wants all that this one wants, and more.
                    let Some(to) = others.join(&mut groups[*at], entity) else { return };
                    swap(row, to);
                    row = to;
                }
            }
        }
    }

    /// Takes `entity`, whose component in the pool is at `row`, out of all groups. `swap` exchanges two rows of the pool.
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
                // Larger groups first: their members are the first ones of the smaller.
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
    /// Moves the components of `entity` in the other pools of a group to where its members end, and the end behind them.
    /// Returns which row that is; `None` if it has not all of them enabled.
    fn join(&mut self, group: &mut Group, entity: EntityId) -> Option<usize> {
        // Nothing may be moved before it is certain that all have it.
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

    /// Moves the components in `row` of the other pools of a group to where its members end then. Returns which row that is;
    /// `None` if it is no member's row.
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
