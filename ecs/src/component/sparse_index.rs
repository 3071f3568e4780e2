//! Which entities have a component, and where: the half of a sparse set that does not know the values.
//!
//! Invariants, which `query/fetch.rs` rests on:
//! - no owner stands twice, each exists and its mask names the component (so an id that was just handed out owns nothing, which
//!   `add_enabled` and `extend` rest on), and positions below `active` are the enabled ones, with `active <= owners.len()`;
//! - the slot at `owner.index()` holds the owner's generation and its position in `owners`, and no other slot has a
//!   generation other than 0;
//! - `changes` has risen since any earlier borrow of the world if `owners` or `active` changed: `pool.rs` alone changes an
//!   index, by [`SparseIndex::for_changes`].

use crate::entity::EntityId;

/// Where the component of an entity index lies. Generation 0 means that there is none.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Slot {
    generation: u32,
    position_and_flag: u32,
}

/// Set in a slot while the component was disabled by itself, whatever its entity is.
const OFF: u32 = 1 << 31;

impl Slot {
    /// Position of the component of `entity`, if this is its slot.
    #[inline]
    pub(crate) fn position_of(self, entity: EntityId) -> Option<usize> {
        (self.generation == entity.generation()).then_some((self.position_and_flag & !OFF) as usize)
    }

    fn set_position(&mut self, position: usize) {
        self.position_and_flag = (self.position_and_flag & OFF) | position as u32;
    }
}

/// Where the value of an owner goes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// The owner was there already; its value has this position.
    Taken(usize),
    /// At the end.
    Last,
    /// At the end, where it changes places with the one at this position.
    Behind(usize),
}

/// How the value of an owner that was taken out is taken out: it changes places with the one at the gap, which the last one
/// then fills.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gap {
    value: usize,
    gap: usize,
}

impl Gap {
    /// Takes the value out.
    #[inline]
    pub(crate) fn take_from<T>(self, values: &mut Vec<T>) -> T {
        if self.value != self.gap {
            values.swap(self.value, self.gap);
        }
        values.swap_remove(self.gap)
    }
}

/// Ids of entities that were just spawned.
#[derive(Clone, Copy)]
pub(crate) struct NewIds<'a> {
    pub(crate) ids: &'a [EntityId],
    /// The indices are below this.
    indices: usize,
    /// The first index, if the indices are consecutive.
    first_of_range: Option<usize>,
}

impl<'a> NewIds<'a> {
    pub(crate) fn new(ids: &'a [EntityId]) -> Self {
        let start = ids.first().map_or(0, |id| id.index());
        // Without a way out in between: that is quicker.
        let is_range = ids.iter().zip(start..).fold(true, |so_far, (id, index)| so_far & (id.index() == index));
        let indices = match is_range {
            true => start + ids.len(),
            false => ids.iter().map(|id| id.index() + 1).max().unwrap_or(0),
        };
        Self { ids, indices, first_of_range: is_range.then_some(start) }
    }
}

// Not `Clone`: an index that goes back to an earlier state must not count its changes from there again.
#[derive(Debug, Default)]
pub(crate) struct SparseIndex {
    sparse: Vec<Slot>,
    owners: Vec<EntityId>,
    active: usize,
    /// Most owners before one was taken out.
    peak: usize,
    /// How often it was borrowed for changes: whoever has seen this number knows who stands where.
    changes: u64,
}

impl SparseIndex {
    pub(crate) fn len(&self) -> usize {
        self.owners.len()
    }

    pub(crate) fn active(&self) -> usize {
        self.active
    }

    /// Most owners that there were at a time.
    pub(crate) fn peak(&self) -> usize {
        self.peak.max(self.owners.len())
    }

    /// How often it was borrowed for changes; as long as this stays, everybody stands where they stood.
    pub(crate) fn changes(&self) -> u64 {
        self.changes
    }

    /// Borrows the index to change it. Counted here and not with each change, of which there may be many.
    #[inline(always)]
    pub(super) fn for_changes(&mut self) -> &mut Self {
        self.changes += 1;
        self
    }

    /// Bytes on the heap.
    pub(crate) fn held_bytes(&self) -> usize {
        self.sparse.capacity() * size_of::<Slot>() + self.owners.capacity() * size_of::<EntityId>()
    }

    /// Makes room for `additional` owners, with entities' indices below `indices`.
    pub(crate) fn reserve(&mut self, additional: usize, indices: usize) {
        self.owners.reserve(additional);
        self.grow_to(indices);
    }

    /// Gives back what is not needed for the owners that there are.
    pub(crate) fn shrink(&mut self) {
        let indices = self.owners.iter().map(|owner| owner.index() + 1).max().unwrap_or(0);
        self.sparse.truncate(indices);
        self.sparse.shrink_to_fit();
        self.owners.shrink_to_fit();
    }

    /// Takes over the owners of another index; what was known of the largest number of owners stays known.
    pub(crate) fn copy_from(&mut self, from: &Self) {
        self.peak = self.peak().max(from.owners.len());
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
        self.sparse.get(entity.index())?.position_of(entity)
    }

    /// Whether the component at a position that `entity` owns is switched off by itself.
    pub(crate) fn is_off(&self, entity: EntityId) -> bool {
        self.sparse[entity.index()].position_and_flag & OFF != 0
    }

    /// Switches the component of an owner off that is disabled already, as when a saved index is read.
    #[cfg(feature = "serde")]
    pub(crate) fn set_off(&mut self, entity: EntityId) {
        self.sparse[entity.index()].position_and_flag |= OFF;
    }

    /// Switches the component of an owner itself, and lets it change places with whoever stands where it belongs then; returns
    /// both positions. `None` if it is not there.
    #[inline]
    pub(super) fn switch(&mut self, entity: EntityId, on: bool, is_entity_enabled: bool) -> Option<(usize, usize)> {
        let slot = self.sparse.get_mut(entity.index())?;
        let position = slot.position_of(entity)?;
        slot.position_and_flag = position as u32 | if on { 0 } else { OFF };
        Some((position, self.settle(position, on && is_entity_enabled)))
    }

    /// The same after the entity of an owner was enabled or disabled: an owner that is switched off stays where it is.
    pub(super) fn follow_entity(&mut self, entity: EntityId, is_entity_enabled: bool) -> Option<(usize, usize)> {
        let position = self.position(entity)?;
        Some((position, self.settle(position, is_entity_enabled && !self.is_off(entity))))
    }

    /// Moves the border between enabled and disabled over who stands at a position; returns where it stands then.
    #[inline]
    fn settle(&mut self, position: usize, is_enabled: bool) -> usize {
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

    /// Adds an owner that is not there yet, at the end, as a disabled one.
    pub(crate) fn push(&mut self, entity: EntityId) {
        let index = entity.index();
        if self.sparse.len() <= index {
            self.grow(index + 1);
        }
        self.sparse[index] = Slot { generation: entity.generation(), position_and_flag: self.owners.len() as u32 };
        self.owners.push(entity);
    }

    /// Adds owners that are not there yet, enabled. Nobody may be disabled.
    pub(crate) fn extend(&mut self, new: NewIds<'_>) {
        assert!(self.active == self.owners.len(), "who is added enabled would stand behind the disabled");
        let first = self.owners.len() as u32;
        self.owners.extend_from_slice(new.ids);
        self.active = self.owners.len();
        let slot =
            |(position_and_flag, entity): (u32, &EntityId)| Slot { generation: entity.generation(), position_and_flag };
        let slots = (first..).zip(new.ids);
        match new.first_of_range {
            // Memory that is new is written to once.
            Some(start) if self.sparse.len() <= start => {
                self.reserve_indices(new.indices);
                self.sparse.resize(start, Slot::default());
                self.sparse.extend(slots.map(slot));
            }
            Some(start) => {
                self.grow_to(new.indices);
                self.sparse[start..new.indices].iter_mut().zip(slots).for_each(|(old, new)| *old = slot(new));
            }
            None => {
                self.grow_to(new.indices);
                slots.for_each(|new| self.sparse[new.1.index()] = slot(new));
            }
        }
    }

    fn grow_to(&mut self, count: usize) {
        if self.sparse.len() < count {
            self.grow(count);
        }
    }

    /// Makes room for entities with an index below `count`; all memory that this takes is put to use at once.
    #[cold]
    fn grow(&mut self, count: usize) {
        self.reserve_indices(count);
        self.sparse.resize(self.sparse.capacity(), Slot::default());
    }

    /// As no index stands twice, positions are below 2^31, too.
    fn reserve_indices(&mut self, count: usize) {
        assert!(count <= OFF as usize, "at most 2^31 entities can have components");
        self.sparse.reserve(count - self.sparse.len());
    }

    /// Looks an owner up and adds it if it is not there, enabled or disabled; returns where its value goes.
    pub(crate) fn place(&mut self, entity: EntityId, is_enabled: bool) -> Place {
        match self.position(entity) {
            Some(position) => Place::Taken(position),
            None => self.insert_new(entity, is_enabled),
        }
    }

    /// Adds an enabled owner that is not there yet if there is nothing to it: there is room for its index, and nobody is
    /// disabled. Returns whether it did; then its value goes to the end.
    #[inline(always)]
    pub(crate) fn add_last(&mut self, entity: EntityId) -> bool {
        let (len, active) = (self.owners.len(), self.active);
        match self.sparse.get_mut(entity.index()) {
            Some(slot) if active == len && slot.generation != entity.generation() => {
                *slot = Slot { generation: entity.generation(), position_and_flag: len as u32 };
                self.owners.push(entity);
                self.active = len + 1;
                true
            }
            _ => false,
        }
    }

    /// Adds an enabled owner that is not there yet. Its value goes to the end, and changes places with the one at what is returned.
    #[inline(always)]
    pub(super) fn add_enabled(&mut self, entity: EntityId) -> Option<usize> {
        debug_assert!(self.position(entity).is_none(), "{entity} is there already");
        let len = self.owners.len();
        let Some(slot) = self.sparse.get_mut(entity.index()).filter(|_| self.active == len) else {
            return self.add_enabled_among_disabled(entity);
        };
        *slot = Slot { generation: entity.generation(), position_and_flag: len as u32 };
        self.owners.push(entity);
        self.active = len + 1;
        None
    }

    #[cold]
    fn add_enabled_among_disabled(&mut self, entity: EntityId) -> Option<usize> {
        match self.insert_new(entity, true) {
            Place::Behind(at) => Some(at),
            Place::Last | Place::Taken(_) => None,
        }
    }

    /// Adds an owner that is not there yet, enabled or disabled; returns where its value goes.
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

    /// Takes an owner out; returns how its value is taken out. `None` if it is not there.
    #[inline(always)]
    pub(crate) fn remove(&mut self, entity: EntityId) -> Option<Gap> {
        let slot = self.sparse.get_mut(entity.index())?;
        let value = slot.position_of(entity)?;
        *slot = Slot::default();
        let len = self.owners.len();
        self.peak = self.peak.max(len);
        if self.active < len {
            return Some(self.remove_among_disabled(value));
        }
        self.active = len - 1;
        if let Some(last) = self.owners.pop().filter(|_| value != len - 1) {
            self.move_to(last, value);
        }
        Some(Gap { value, gap: value })
    }

    /// Takes out who stands at a position and has no slot any more, where somebody is disabled.
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

    /// Notes that an owner stands at another position now.
    #[inline]
    fn move_to(&mut self, owner: EntityId, position: usize) {
        self.owners[position] = owner;
        self.sparse[owner.index()].set_position(position);
    }

    /// Takes all owners out. O(number of owners, or of indices if that is quicker).
    pub(crate) fn clear(&mut self) {
        self.peak = self.peak();
        // Filling is some eight times as quick as looking for the slots.
        if self.sparse.len() / 8 <= self.owners.len() {
            self.sparse.fill(Slot::default());
        } else {
            self.owners.iter().for_each(|owner| self.sparse[owner.index()] = Slot::default());
        }
        self.owners.clear();
        self.active = 0;
    }

    /// Exchanges two owners.
    #[inline]
    pub(crate) fn swap(&mut self, a: usize, b: usize) {
        let (first, second) = (self.owners[a], self.owners[b]);
        self.move_to(first, b);
        self.move_to(second, a);
    }

    /// Moves the border between enabled and disabled by one.
    pub(crate) fn set_active(&mut self, active: usize) {
        debug_assert!(active <= self.owners.len(), "{active} of {} components can not be enabled", self.owners.len());
        self.active = active;
    }
}
