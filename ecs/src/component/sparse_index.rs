//! The index of a sparse set: which entities have a component as an extra, and at which position. The values are in
//! `pool.rs`.
//!
//! Invariants, which `query/fetch.rs` relies on:
//! - Each owner is listed once, exists, and has the component in its mask, not in its kind. Positions below `active`
//!   are the enabled ones; `active <= owners.len()`.
//! - The slot at `owner.index()` has the owner's position in `owners`. All other slots are [`Slot::EMPTY`], so that an
//!   id that was just handed out owns nothing. Slots know no generations: the caller has checked that an entity exists.
//! - `changes` has risen if `owners` or `active` changed since the last snapshot: only `pool.rs` changes an index, by
//!   [`SparseIndex::for_changes`].

use crate::entity::EntityId;
pub(crate) use crate::entity::Gap;

/// The position of the component of an entity index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    position_and_flag: u32,
}

/// Set in a slot while the component itself is disabled, independent of its entity.
const OFF: u32 = 1 << 31;

impl Slot {
    /// There is no component.
    const EMPTY: Self = Self { position_and_flag: u32::MAX };

    /// The position, if there is one.
    #[inline]
    pub(crate) fn position(self) -> Option<usize> {
        if self == Self::EMPTY {
            return None;
        }
        Some((self.position_and_flag & !OFF) as usize)
    }

    fn set_position(&mut self, position: usize) {
        self.position_and_flag = (self.position_and_flag & OFF) | position as u32;
    }
}

/// The position for the value of an owner.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// The owner has a value at this position.
    Taken(usize),
    /// At the end.
    Last,
    /// At the end, then swapped with the value at this position.
    Behind(usize),
}

// Not `Clone`: the change counter must never go back.
#[derive(Debug, Default)]
pub(crate) struct SparseIndex {
    sparse: Vec<Slot>,
    owners: Vec<EntityId>,
    active: usize,
    /// The number of borrows for changes. While it is unchanged, so are the positions.
    changes: u64,
}

impl SparseIndex {
    pub(crate) fn len(&self) -> usize {
        self.owners.len()
    }

    pub(crate) fn active(&self) -> usize {
        self.active
    }

    /// The change counter. While it is unchanged, so are the positions of all owners.
    pub(crate) fn changes(&self) -> u64 {
        self.changes
    }

    /// Borrows the index for changes. One borrow counts once, however many changes it makes.
    #[inline(always)]
    pub(super) fn for_changes(&mut self) -> &mut Self {
        self.changes += 1;
        self
    }

    /// Bytes on the heap.
    pub(crate) fn held_bytes(&self) -> usize {
        self.sparse.capacity() * size_of::<Slot>() + self.owners.capacity() * size_of::<EntityId>()
    }

    /// Releases memory that the present owners do not need.
    pub(crate) fn shrink(&mut self) {
        let indices = self.owners.iter().map(|owner| owner.index() + 1).max().unwrap_or(0);
        self.sparse.truncate(indices);
        self.sparse.shrink_to_fit();
        self.owners.shrink_to_fit();
    }

    /// Copies the owners of another index.
    pub(crate) fn copy_from(&mut self, from: &Self) {
        self.sparse.clone_from(&from.sparse);
        self.owners.clone_from(&from.owners);
        self.active = from.active;
    }

    /// All owners, the enabled ones first.
    pub(crate) fn owners(&self) -> &[EntityId] {
        &self.owners
    }

    pub(crate) fn sparse(&self) -> &[Slot] {
        &self.sparse
    }

    #[inline]
    pub(crate) fn position(&self, entity: EntityId) -> Option<usize> {
        self.sparse.get(entity.index())?.position()
    }

    /// Whether the component of `entity`, which has one, is itself disabled.
    pub(crate) fn is_off(&self, entity: EntityId) -> bool {
        self.sparse[entity.index()].position_and_flag & OFF != 0
    }

    /// Marks the component of an owner as itself disabled. Its position must be among the disabled already.
    #[cfg(feature = "serde")]
    pub(crate) fn set_off(&mut self, entity: EntityId) {
        self.sparse[entity.index()].position_and_flag |= OFF;
    }

    /// Enables or disables the component of an owner itself; returns its old and new position, whose values the caller
    /// swaps. `None` if there is no such owner.
    #[inline]
    pub(super) fn switch(&mut self, entity: EntityId, on: bool, is_entity_enabled: bool) -> Option<(usize, usize)> {
        let slot = self.sparse.get_mut(entity.index())?;
        let position = slot.position()?;
        slot.position_and_flag = position as u32 | if on { 0 } else { OFF };
        Some((position, self.move_across_boundary(position, on && is_entity_enabled)))
    }

    /// The same after the entity was enabled or disabled. A component that is itself disabled keeps its position.
    pub(super) fn follow_entity(&mut self, entity: EntityId, is_entity_enabled: bool) -> Option<(usize, usize)> {
        let position = self.position(entity)?;
        Some((position, self.move_across_boundary(position, is_entity_enabled && !self.is_off(entity))))
    }

    /// Moves the component at a position across the enabled/disabled boundary; returns its new position.
    #[inline]
    fn move_across_boundary(&mut self, position: usize, is_enabled: bool) -> usize {
        let to = match (is_enabled, position < self.active) {
            (true, false) => {
                self.active += 1;
                self.active - 1
            }
            (false, true) => {
                self.active -= 1;
                self.active
            }
            _ => return position,
        };
        if to != position {
            self.swap(position, to);
        }
        to
    }

    /// Adds a new owner at the end, disabled.
    pub(crate) fn push(&mut self, entity: EntityId) {
        let index = entity.index();
        if self.sparse.len() <= index {
            self.grow(index + 1);
        }
        self.sparse[index] = Slot { position_and_flag: self.owners.len() as u32 };
        self.owners.push(entity);
    }

    /// Makes room for entities with an index below `count`, and uses all memory that the allocator returns.
    #[cold]
    fn grow(&mut self, count: usize) {
        self.reserve_indices(count);
        self.sparse.resize(self.sparse.capacity(), Slot::EMPTY);
    }

    /// Each index has at most one owner, so positions are below 2^31, too.
    fn reserve_indices(&mut self, count: usize) {
        assert!(count <= OFF as usize, "at most 2^31 entities can have components");
        self.sparse.reserve(count - self.sparse.len());
    }

    /// Finds an owner or adds it, enabled or disabled; returns the place of its value.
    pub(crate) fn place(&mut self, entity: EntityId, is_enabled: bool) -> Place {
        match self.position(entity) {
            Some(position) => Place::Taken(position),
            None => self.insert_new(entity, is_enabled),
        }
    }

    /// Fast path: adds a new enabled owner if there is room for its index and no component is disabled. Returns whether
    /// it did; then its value goes to the end.
    #[inline(always)]
    pub(crate) fn add_last(&mut self, entity: EntityId) -> bool {
        let (len, active) = (self.owners.len(), self.active);
        match self.sparse.get_mut(entity.index()) {
            Some(slot) if active == len && *slot == Slot::EMPTY => {
                *slot = Slot { position_and_flag: len as u32 };
                self.owners.push(entity);
                self.active = len + 1;
                true
            }
            _ => false,
        }
    }

    /// Adds a new owner, enabled or disabled; returns the place of its value.
    pub(crate) fn insert_new(&mut self, entity: EntityId, is_enabled: bool) -> Place {
        let (position, active) = (self.owners.len(), self.active);
        self.push(entity);
        if !is_enabled {
            return Place::Last;
        }
        self.set_active(active + 1);
        if position == active {
            return Place::Last;
        }
        self.swap(position, active);
        Place::Behind(active)
    }

    /// Removes an owner; returns how to remove its value. `None` if there is no such owner.
    #[inline(always)]
    pub(crate) fn remove(&mut self, entity: EntityId) -> Option<Gap> {
        let value = self.position(entity)?;
        self.remove_at(entity, value)
    }

    /// As [`SparseIndex::remove`], for an owner whose position is known.
    #[inline(always)]
    pub(super) fn remove_at(&mut self, entity: EntityId, value: usize) -> Option<Gap> {
        debug_assert!(self.position(entity) == Some(value), "{entity} is at {value}");
        *self.sparse.get_mut(entity.index())? = Slot::EMPTY;
        let len = self.owners.len();
        if self.active < len {
            return Some(self.remove_among_disabled(value));
        }
        self.active = len - 1;
        if let Some(last) = self.owners.pop().filter(|_| value != len - 1) {
            self.move_to(last, value);
        }
        Some(Gap { value, gap: value })
    }

    /// Removes the owner at a position, whose slot is already free, if some components are disabled.
    #[cold]
    fn remove_among_disabled(&mut self, value: usize) -> Gap {
        let len = self.owners.len();
        let mut gap = value;
        if value < self.active {
            self.active -= 1;
            gap = self.active;
            if gap != value {
                self.move_to(self.owners[gap], value);
            }
        }
        if let Some(last) = self.owners.pop().filter(|_| gap != len - 1) {
            self.move_to(last, gap);
        }
        Gap { value, gap }
    }

    /// Puts an owner at a position.
    #[inline]
    fn move_to(&mut self, owner: EntityId, position: usize) {
        self.owners[position] = owner;
        self.sparse[owner.index()].set_position(position);
    }

    /// Removes all owners. O(number of owners), or O(number of indices) if that is faster.
    pub(crate) fn clear(&mut self) {
        // Filling is about eight times as fast as visiting single slots.
        if self.sparse.len() / 8 <= self.owners.len() {
            self.sparse.fill(Slot::EMPTY);
        } else {
            self.owners.iter().for_each(|owner| self.sparse[owner.index()] = Slot::EMPTY);
        }
        self.owners.clear();
        self.active = 0;
    }

    /// Swaps two owners.
    #[inline]
    pub(crate) fn swap(&mut self, a: usize, b: usize) {
        let (first, second) = (self.owners[a], self.owners[b]);
        self.move_to(first, b);
        self.move_to(second, a);
    }

    /// Sets the boundary between enabled and disabled.
    pub(crate) fn set_active(&mut self, active: usize) {
        debug_assert!(active <= self.owners.len(), "{active} of {} components cannot be enabled", self.owners.len());
        self.active = active;
    }
}
