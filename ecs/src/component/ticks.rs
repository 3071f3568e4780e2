//! When each component of a tracked pool was added and last changed.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::entity::EntityId;

/// Ticks of the components of one pool, by entity index, so no tick moves when components do.
///
/// There is room for each owner in the pool. The ticks of entities without a component mean nothing. They are atomic,
/// because an iteration on several threads marks different entities at the same time.
#[derive(Default)]
pub(crate) struct Ticks {
    added: Vec<AtomicU64>,
    changed: Vec<AtomicU64>,
    /// They may differ from the last snapshot, even if the pool was not borrowed for changes since.
    is_reset: bool,
}

/// Marks a tick of a disabled component: nothing has happened since the component was disabled. What is written
/// meanwhile has no mark, at no cost for those that write; see [`Ticks::show`].
const HIDDEN: u64 = 1 << 63;

/// A tick without its mark.
pub(crate) fn unmarked(tick: u64) -> u64 {
    tick & !HIDDEN
}

/// A copy of [`Ticks`] in a snapshot.
#[derive(Default)]
pub(crate) struct TickCopy {
    added: Vec<u64>,
    changed: Vec<u64>,
}

impl TickCopy {
    /// For entities with indices below `indices`.
    #[cfg(feature = "serde")]
    pub(crate) fn with_room(indices: usize) -> Self {
        Self { added: vec![0; indices], changed: vec![0; indices] }
    }

    #[cfg(feature = "serde")]
    pub(crate) fn set(&mut self, owner: EntityId, (added, changed): (u64, u64)) {
        (self.added[owner.index()], self.changed[owner.index()]) = (added, changed);
    }

    /// When the component of an owner was added and last changed, with marks.
    pub(crate) fn of(&self, owner: EntityId) -> (u64, u64) {
        (self.added[owner.index()], self.changed[owner.index()])
    }
}

impl Ticks {
    /// The tick at which the component of an owner was added.
    #[inline]
    pub(crate) fn added(&self, owner: EntityId) -> u64 {
        unmarked(self.added[owner.index()].load(Ordering::Relaxed))
    }

    /// The tick at which the component of an owner last changed.
    #[inline]
    pub(crate) fn last_changed(&self, owner: EntityId) -> u64 {
        unmarked(self.changed(owner).load(Ordering::Relaxed))
    }

    /// Where the tick is written at which the component of an owner changes.
    #[inline]
    pub(crate) fn changed(&self, owner: EntityId) -> &AtomicU64 {
        &self.changed[owner.index()]
    }

    /// Marks the component of an owner as changed.
    #[inline]
    pub(crate) fn mark(&self, owner: EntityId, tick: u64) {
        self.changed(owner).store(tick, Ordering::Relaxed);
    }

    /// Marks a component that is inserted or replaced.
    pub(super) fn insert(&mut self, owner: EntityId, is_new: bool, tick: u64) {
        let index = owner.index();
        self.make_room(index + 1);
        *self.changed[index].get_mut() = tick;
        if is_new {
            *self.added[index].get_mut() = tick;
        }
    }

    /// The component of an owner was disabled. What happened after the tick `seen` counts as not seen by all systems.
    pub(super) fn hide(&mut self, owner: EntityId, seen: u64) {
        for ticks in [&mut self.added, &mut self.changed] {
            let tick = ticks[owner.index()].get_mut();
            if *tick <= seen {
                *tick |= HIDDEN;
            }
        }
        self.is_reset = true;
    }

    /// The component of an owner was enabled: what happened while no query saw it counts as happening `now`.
    pub(super) fn show(&mut self, owner: EntityId, now: u64) {
        for ticks in [&mut self.added, &mut self.changed] {
            let tick = ticks[owner.index()].get_mut();
            *tick = if *tick & HIDDEN == 0 { now } else { unmarked(*tick) };
        }
        self.is_reset = true;
    }

    /// Makes room for entities with indices below `indices`, and uses all memory that the allocator returns.
    pub(super) fn make_room(&mut self, indices: usize) {
        for ticks in [&mut self.added, &mut self.changed] {
            if ticks.len() < indices {
                ticks.reserve(indices - ticks.len());
                ticks.resize_with(ticks.capacity(), AtomicU64::default);
            }
        }
    }

    /// Marks every entity as added and changed, with indices below `indices`.
    pub(super) fn reset(&mut self, indices: usize, tick: u64) {
        self.make_room(indices);
        self.added.iter_mut().chain(&mut self.changed).for_each(|at| *at.get_mut() = tick);
        self.is_reset = true;
    }

    pub(super) fn held_bytes(&self) -> usize {
        (self.added.capacity() + self.changed.capacity()) * size_of::<AtomicU64>()
    }

    /// Releases the memory of entities with indices from `indices` on.
    pub(super) fn shrink(&mut self, indices: usize) {
        for ticks in [&mut self.added, &mut self.changed] {
            ticks.truncate(indices);
            ticks.shrink_to_fit();
        }
    }

    pub(super) fn is_reset(&self) -> bool {
        self.is_reset
    }

    pub(super) fn note_copy(&mut self) {
        self.is_reset = false;
    }

    pub(super) fn copy_to(&mut self, copy: &mut TickCopy) {
        let Self { added, changed, .. } = self;
        for (from, to) in [(added, &mut copy.added), (changed, &mut copy.changed)] {
            to.clear();
            to.extend(from.iter_mut().map(|tick| *tick.get_mut()));
        }
    }

    pub(super) fn copy_from(&mut self, copy: &TickCopy) {
        self.make_room(copy.added.len().max(copy.changed.len()));
        for (to, from) in [(&mut self.added, &copy.added), (&mut self.changed, &copy.changed)] {
            to.iter_mut().zip(from).for_each(|(to, from)| *to.get_mut() = *from);
        }
    }
}
