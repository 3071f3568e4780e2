//! Entities with generations and masks, and sparse sets that check generations and update masks.

/// The id of an entity; stale after it is despawned.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Id {
    index: u32,
    generation: u32,
}

#[derive(Clone, Copy)]
struct Record {
    generation: u32,
    is_alive: bool,
    mask: u64,
}

/// The living entities and their component masks.
#[derive(Default)]
pub(super) struct Entities {
    records: Vec<Record>,
    free: Vec<u32>,
}

impl Entities {
    #[inline]
    pub(super) fn spawn(&mut self, mask: u64) -> Id {
        if let Some(index) = self.free.pop() {
            let record = &mut self.records[index as usize];
            *record = Record { generation: record.generation + 1, is_alive: true, mask };
            return Id { index, generation: record.generation };
        }
        self.records.push(Record { generation: 1, is_alive: true, mask });
        Id { index: self.records.len() as u32 - 1, generation: 1 }
    }

    /// Spawns many entities without reusing slots.
    pub(super) fn spawn_many(&mut self, count: usize, mask: u64) -> Vec<Id> {
        let first = self.records.len() as u32;
        self.records.resize(self.records.len() + count, Record { generation: 1, is_alive: true, mask });
        (first..first + count as u32).map(|index| Id { index, generation: 1 }).collect()
    }

    /// Returns whether it was alive.
    pub(super) fn despawn(&mut self, id: Id) -> bool {
        let is_alive = self.mask(id).is_some();
        if is_alive {
            self.records[id.index as usize].is_alive = false;
            self.free.push(id.index);
        }
        is_alive
    }

    #[inline]
    pub(super) fn mask(&mut self, id: Id) -> Option<&mut u64> {
        let record = self.records.get_mut(id.index as usize)?;
        (record.is_alive && record.generation == id.generation).then_some(&mut record.mask)
    }
}

/// The row of an entity's value; generation 0 if it has none.
#[derive(Clone, Copy, Default)]
struct Slot {
    generation: u32,
    position: u32,
}

/// The components of one type.
pub(super) struct Set<T> {
    pub(super) values: Vec<T>,
    pub(super) owners: Vec<Id>,
    slots: Vec<Slot>,
}

impl<T> Default for Set<T> {
    fn default() -> Self {
        Self { values: Vec::new(), owners: Vec::new(), slots: Vec::new() }
    }
}

impl<T> Set<T> {
    #[inline]
    fn position(&self, id: Id) -> Option<usize> {
        let slot = self.slots.get(id.index as usize)?;
        (slot.generation == id.generation).then_some(slot.position as usize)
    }

    #[inline]
    pub(super) fn get_mut(&mut self, id: Id) -> Option<&mut T> {
        let position = self.position(id)?;
        self.values.get_mut(position)
    }

    #[inline]
    pub(super) fn insert(&mut self, id: Id, value: T) {
        if let Some(position) = self.position(id) {
            self.values[position] = value;
            return;
        }
        let index = id.index as usize;
        if self.slots.len() <= index {
            self.slots.resize(index + 1, Slot::default());
        }
        self.slots[index] = Slot { generation: id.generation, position: self.values.len() as u32 };
        self.values.push(value);
        self.owners.push(id);
    }

    /// Records the owners of values that were appended. None of them may have had a value before.
    pub(super) fn own_the_rest(&mut self, ids: &[Id]) {
        let slots = ids.iter().zip(self.owners.len() as u32..);
        self.slots.extend(slots.map(|(id, position)| Slot { generation: id.generation, position }));
        self.owners.extend_from_slice(ids);
    }

    #[inline]
    pub(super) fn remove(&mut self, id: Id) -> Option<T> {
        let position = self.position(id)?;
        self.slots[id.index as usize] = Slot::default();
        self.owners.swap_remove(position);
        if let Some(moved) = self.owners.get(position) {
            self.slots[moved.index as usize].position = position as u32;
        }
        Some(self.values.swap_remove(position))
    }

    pub(super) fn clear(&mut self) {
        self.values.clear();
        self.owners.clear();
        self.slots.fill(Slot::default());
    }
}

/// Entities and their components.
#[derive(Default)]
pub(super) struct World<S> {
    pub(super) entities: Entities,
    pub(super) sets: S,
}
