//! Which entities have a component, and where: the half of a sparse set that does not know the values.
//!
//! Invariants, which `query/fetch.rs` rests on:
//! - no owner stands twice, and positions below `active` are the enabled ones, with `active <= owners.len()`;
//! - the slot at `owner.index()` holds the owner's generation and its position in `owners`, and no other slot has a
//!   generation other than 0.

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
        values.swap(self.value, self.gap);
        values.swap_remove(self.gap)
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct SparseIndex {
    sparse: Vec<Slot>,
    owners: Vec<EntityId>,
    active: usize,
    /// Most owners before one was taken out.
    high_water: usize,
}

impl SparseIndex {
    pub(crate) fn len(&self) -> usize {
        self.owners.len()
    }

    pub(crate) fn active(&self) -> usize {
        self.active
    }

    /// Most owners that there were at a time.
    pub(crate) fn high_water(&self) -> usize {
        self.high_water.max(self.owners.len())
    }

    /// Bytes on the heap.
    pub(crate) fn held_bytes(&self) -> usize {
        self.sparse.capacity() * size_of::<Slot>() + self.owners.capacity() * size_of::<EntityId>()
    }

    /// Makes room for `additional` owners, with entities' indices below `indices`.
    pub(crate) fn reserve(&mut self, additional: usize, indices: usize) {
        self.owners.reserve(additional);
        if self.sparse.len() < indices {
            self.grow(indices);
        }
    }

    /// Gives back what is not needed for the owners that there are.
    pub(crate) fn shrink(&mut self) {
        let indices = self.owners.iter().map(|owner| owner.index() + 1).max().unwrap_or(0);
        self.sparse.truncate(indices);
        self.sparse.shrink_to_fit();
        self.owners.shrink_to_fit();
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

    pub(crate) fn set_off(&mut self, entity: EntityId, off: bool) {
        let slot = &mut self.sparse[entity.index()];
        slot.position_and_flag = if off { slot.position_and_flag | OFF } else { slot.position_and_flag & !OFF };
    }

    /// Adds an owner that is not there yet, at the end, as a disabled one.
    fn push(&mut self, entity: EntityId) {
        let index = entity.index();
        if self.sparse.len() <= index {
            self.grow(index + 1);
        }
        let position = self.owners.len();
        assert!(position < OFF as usize, "a pool holds at most 2^31 components");
        self.owners.push(entity);
        self.sparse[index] = Slot { generation: entity.generation(), position_and_flag: position as u32 };
    }

    /// Adds owners that are not there yet, enabled. Nobody may be disabled.
    pub(crate) fn extend(&mut self, entities: &[EntityId]) {
        assert!(self.active == self.owners.len(), "who is added enabled would stand behind the disabled");
        let first = self.owners.len();
        assert!(entities.len() <= OFF as usize - first, "a pool holds at most 2^31 components");
        self.owners.extend_from_slice(entities);
        for (position, entity) in (first as u32..).zip(entities) {
            let index = entity.index();
            if self.sparse.len() <= index {
                self.grow(index + 1);
            }
            self.sparse[index] = Slot { generation: entity.generation(), position_and_flag: position };
        }
        self.active = self.owners.len();
    }

    /// Makes room for entities with an index below `count`; all memory that this takes is put to use at once.
    #[cold]
    fn grow(&mut self, count: usize) {
        self.sparse.reserve(count - self.sparse.len());
        self.sparse.resize(self.sparse.capacity(), Slot::default());
    }

    /// Adds an owner that is not there yet, enabled or disabled; its value is added at the end. Returns which two values change
    /// places then.
    #[inline]
    pub(crate) fn insert(&mut self, entity: EntityId, is_enabled: bool) -> Option<(usize, usize)> {
        let (position, active) = (self.owners.len(), self.active);
        self.push(entity);
        if !is_enabled {
            return None;
        }
        self.set_active(active + 1);
        (position != active).then(|| {
            self.swap(position, active);
            (position, active)
        })
    }

    /// Takes an owner out; returns how its value is taken out. `None` if it is not there.
    #[inline]
    pub(crate) fn remove(&mut self, entity: EntityId) -> Option<Gap> {
        let value = self.position(entity)?;
        self.high_water = self.high_water.max(self.owners.len());
        let mut gap = value;
        if value < self.active {
            self.active -= 1;
            // Where nobody is disabled the last enabled one is the last of all, which fills the gap in any case.
            if self.active + 1 < self.owners.len() {
                gap = self.active;
                self.swap(value, gap);
            }
        }
        self.owners.swap_remove(gap);
        self.sparse[entity.index()] = Slot::default();
        if let Some(moved) = self.owners.get(gap) {
            self.sparse[moved.index()].set_position(gap);
        }
        Some(Gap { value, gap })
    }

    pub(crate) fn swap(&mut self, a: usize, b: usize) {
        self.owners.swap(a, b);
        self.sparse[self.owners[a].index()].set_position(a);
        self.sparse[self.owners[b].index()].set_position(b);
    }

    /// Moves the border between enabled and disabled by one.
    pub(crate) fn set_active(&mut self, active: usize) {
        debug_assert!(active <= self.owners.len(), "{active} of {} components can not be enabled", self.owners.len());
        self.active = active;
    }
}
