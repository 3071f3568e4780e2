//! The table of entities: a record of 8 bytes for each slot, with keys of slotmap.
//!
//! It hands out the ids that `slotmap::SlotMap` would: the slot that was freed last is used first, with the next odd
//! generation; if none is free, a new slot is added at the end. In addition, many slots can be filled at once.
//!
//! A record has the generation in 20 bits. A slot whose last generation ends, after 2^19 entities, is retired instead
//! of starting again, so a stale id never names another entity.

#[cfg(feature = "serde")]
mod saved;

#[cfg(feature = "serde")]
pub(crate) use self::saved::SlotParts;

use slotmap::KeyData;

use super::EntityId;

/// Where the components of an entity lie: the row of its kind, and whether it has components beside those.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    pub(crate) kind: usize,
    pub(crate) row: usize,
    /// Whether it has components in sparse sets, or has had some since it was spawned.
    pub(crate) has_extras: bool,
}

impl Location {
    pub(crate) const NONE: Self = Self { kind: 0, row: 0, has_extras: false };
}

/// A slot: 20 bits of generation, 12 of kind, 31 of row, and one that says whether the entity has had extras. In a free
/// slot the last 32 bits are the place of the next free one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EntityRecord {
    generation_and_kind: u32,
    row_and_extras: u32,
}

const KIND_BITS: u32 = 12;
/// The kind of an entity whose id was handed out, and which exists once the commands are applied.
const RESERVED: u32 = (1 << KIND_BITS) - 1;
/// The most kinds.
pub(super) const MOST_KINDS: usize = RESERVED as usize;
/// The last generation of a slot.
const LAST: u32 = (1 << (32 - KIND_BITS)) - 1;
/// The generation of a slot that has used up all others. It is even, so no id has it.
const RETIRED: u32 = 0;

impl EntityRecord {
    fn new(generation: u32, location: Location) -> Self {
        let mut record = Self { generation_and_kind: generation << KIND_BITS, row_and_extras: 0 };
        record.set_location(location);
        record
    }

    /// Odd while the slot is taken, [`RETIRED`] after the last generation.
    #[inline]
    fn generation(self) -> u32 {
        self.generation_and_kind >> KIND_BITS
    }

    #[inline]
    fn is_taken(self) -> bool {
        self.generation() % 2 == 1
    }

    #[inline]
    pub(crate) fn is_reserved(self) -> bool {
        self.generation_and_kind & RESERVED == RESERVED
    }

    #[inline]
    pub(crate) fn location(self) -> Location {
        Location {
            kind: (self.generation_and_kind & RESERVED) as usize,
            row: (self.row_and_extras >> 1) as usize,
            has_extras: self.row_and_extras & 1 == 1,
        }
    }

    #[inline]
    pub(crate) fn set_location(&mut self, Location { kind, row, has_extras }: Location) {
        self.generation_and_kind = self.generation_and_kind & !RESERVED | kind as u32;
        self.row_and_extras = (row as u32) << 1 | u32::from(has_extras);
    }

    #[inline]
    pub(crate) fn set_row(&mut self, row: usize) {
        self.row_and_extras = (row as u32) << 1 | self.row_and_extras & 1;
    }
}

/// Records by id. Places count from 0, the indices of ids from 1.
#[derive(Debug, Default)]
pub(crate) struct EntitySlots {
    records: Vec<EntityRecord>,
    /// The place of the next slot to use: a free one, or one behind the last.
    next: u32,
    len: usize,
    retired: usize,
}

impl Clone for EntitySlots {
    fn clone(&self) -> Self {
        Self { records: self.records.clone(), ..*self }
    }

    /// Reuses the memory.
    fn clone_from(&mut self, source: &Self) {
        self.records.clone_from(&source.records);
        (self.next, self.len, self.retired) = (source.next, source.len, source.retired);
    }
}

#[inline]
fn id(place: usize, generation: u32) -> EntityId {
    KeyData::from_ffi(u64::from(generation) << 32 | (place as u64 + 1)).into()
}

#[inline]
fn place(entity: EntityId) -> usize {
    entity.index().wrapping_sub(1)
}

impl EntitySlots {
    /// Rows have 31 bits, and index 0 is unused.
    const MOST: usize = (1 << 31) - 2;

    /// Number of taken slots.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn capacity(&self) -> usize {
        self.records.capacity()
    }

    fn free(&self) -> usize {
        self.records.len() - self.len - self.retired
    }

    /// Makes room for `additional` entities.
    ///
    /// # Panics
    /// If fewer than `additional` indices are unused.
    pub(crate) fn reserve(&mut self, additional: usize) {
        let new = additional.saturating_sub(self.free());
        self.check_room(new);
        self.records.reserve(new);
    }

    /// Releases unused memory. Free slots stay: their generations tell which ids are stale.
    pub(crate) fn shrink(&mut self) {
        self.records.shrink_to_fit();
    }

    #[inline]
    pub(crate) fn get(&self, entity: EntityId) -> Option<EntityRecord> {
        // Ids have odd generations, so a free slot never matches.
        let record = *self.records.get(place(entity))?;
        if record.generation() != entity.generation() {
            return None;
        }
        Some(record)
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, entity: EntityId) -> Option<&mut EntityRecord> {
        self.records.get_mut(place(entity)).filter(|record| record.generation() == entity.generation())
    }

    /// Sets the row of an entity that exists.
    #[inline]
    pub(super) fn set_row(&mut self, entity: EntityId, row: usize) {
        self.records[place(entity)].set_row(row);
    }

    /// The id that [`EntitySlots::insert`] would hand out if `cursor` were the place of the next slot, and the place
    /// after that.
    pub(super) fn peek(&self, cursor: u32) -> (EntityId, u32) {
        let at = cursor as usize;
        match self.records.get(at) {
            Some(free) => (id(at, free.generation() | 1), free.row_and_extras),
            None => (id(at, 1), cursor + 1),
        }
    }

    /// The place of the next slot to use.
    pub(super) fn next(&self) -> u32 {
        self.next
    }

    /// O(1), amortised.
    ///
    /// # Panics
    /// If no index is unused.
    #[inline(always)]
    pub(crate) fn insert(&mut self, location: Location) -> EntityId {
        let at = self.next as usize;
        if let Some(free) = self.records.get_mut(at) {
            self.len += 1;
            self.next = free.row_and_extras;
            let generation = free.generation() | 1;
            *free = EntityRecord::new(generation, location);
            return id(at, generation);
        }
        self.check_room(1);
        self.len += 1;
        self.records.push(EntityRecord::new(1, location));
        self.next = self.records.len() as u32;
        id(at, 1)
    }

    /// Inserts an entity that exists later.
    pub(super) fn insert_reserved(&mut self) -> EntityId {
        self.insert(Location { kind: MOST_KINDS, ..Location::NONE })
    }

    /// Inserts `count` entities in the rows of a kind from `first` on, and appends their ids to `ids`: the same ids as
    /// one by one.
    ///
    /// # Panics
    /// As [`EntitySlots::insert`].
    pub(crate) fn insert_many(&mut self, count: usize, kind: usize, first: usize, ids: &mut Vec<EntityId>) {
        let free = self.free().min(count);
        self.check_room(count - free);
        let location = |row| Location { kind, row, has_extras: false };
        ids.reserve(count);
        ids.extend((first..first + free).map(|row| self.insert(location(row))));
        let (place, new) = (self.records.len(), count - free);
        if new > 0 {
            self.records.extend((first + free..first + count).map(|row| EntityRecord::new(1, location(row))));
            ids.extend((place..place + new).map(|at| id(at, 1)));
            self.next = self.records.len() as u32;
            self.len += new;
        }
    }

    #[inline]
    fn check_room(&self, new: usize) {
        assert!(new <= Self::MOST - self.records.len(), "no room for {new} more entities: rows have 31 bits");
    }

    /// Frees the slot, or retires it after its last generation; returns where its components are. O(1).
    #[inline]
    pub(crate) fn remove(&mut self, entity: EntityId) -> Option<Location> {
        let next = self.next;
        let record = self.get_mut(entity)?;
        let location = record.location();
        let generation = if record.generation() == LAST { RETIRED } else { record.generation() + 1 };
        *record = EntityRecord { generation_and_kind: generation << KIND_BITS, row_and_extras: next };
        if generation == RETIRED {
            self.retired += 1;
        } else {
            self.next = place(entity) as u32;
        }
        self.len -= 1;
        Some(location)
    }

    /// Frees all slots, in their order.
    pub(crate) fn clear(&mut self) {
        for at in 0..self.records.len() {
            if self.records[at].is_taken() {
                self.remove(id(at, self.records[at].generation()));
            }
        }
    }

    /// The taken slots in the order of their places.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (EntityId, EntityRecord)> + Clone + '_ {
        let taken = self.records.iter().enumerate().filter(|(_, record)| record.is_taken());
        taken.map(|(at, record)| (id(at, record.generation()), *record))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use slotmap::SlotMap;

    use super::*;

    #[derive(Clone, Debug)]
    enum Step {
        Insert,
        InsertMany(usize),
        /// One of all ids that were handed out so far.
        Remove(prop::sample::Index),
        Clear,
        Clone,
        /// To the saved form and back, if the feature is on.
        Save,
    }

    fn any_step() -> impl Strategy<Value = Step> {
        prop_oneof![
            8 => Just(Step::Insert),
            3 => (0_usize..12).prop_map(Step::InsertMany),
            12 => any::<prop::sample::Index>().prop_map(Step::Remove),
            1 => Just(Step::Clear),
            1 => Just(Step::Clone),
            1 => Just(Step::Save),
        ]
    }

    fn row(row: u64) -> Location {
        Location { kind: 3, row: row as usize, has_extras: row % 2 == 1 }
    }

    proptest! {
        #[test]
        fn slots_hand_out_the_ids_of_a_slot_map(steps in prop::collection::vec(any_step(), 0..120)) {
            let mut slots = EntitySlots::default();
            let mut model: SlotMap<EntityId, u64> = SlotMap::with_key();
            let mut ids: Vec<EntityId> = vec![EntityId::default()];
            for (number, step) in steps.into_iter().enumerate() {
                let number = number as u64;
                match step {
                    Step::Insert => {
                        let entity = slots.insert(row(number));
                        prop_assert_eq!(entity, model.insert(number));
                        ids.push(entity);
                    }
                    Step::InsertMany(count) => {
                        let first = ids.len();
                        slots.insert_many(count, 3, number as usize * 2, &mut ids);
                        let expected: Vec<_> = (0..count as u64).map(|at| model.insert(number * 2 + at)).collect();
                        for (at, entity) in ids[first..].iter().enumerate() {
                            slots.get_mut(*entity).unwrap().set_location(row(number * 2 + at as u64));
                        }
                        prop_assert_eq!(&ids[first..], &expected);
                    }
                    Step::Remove(which) => {
                        let entity = *which.get(&ids);
                        prop_assert_eq!(slots.remove(entity), model.remove(entity).map(row));
                    }
                    Step::Clear => {
                        slots.clear();
                        model.clear();
                    }
                    Step::Clone => {
                        let mut clone = EntitySlots::default();
                        clone.insert(row(1));
                        clone.clone_from(&slots);
                        slots = clone.clone();
                    }
                    #[cfg(not(feature = "serde"))]
                    Step::Save => {}
                    #[cfg(feature = "serde")]
                    Step::Save => {
                        let mut loaded = EntitySlots::from_parts(&slots.to_parts(|_| true)).unwrap().0;
                        for (entity, value) in &model {
                            loaded.get_mut(entity).unwrap().set_location(row(*value));
                        }
                        slots = loaded;
                    }
                }
                prop_assert_eq!(slots.len(), model.len());
                let taken: Vec<_> = slots.iter().map(|(entity, record)| (entity, record.location())).collect();
                let expected: Vec<_> = model.iter().map(|(entity, value)| (entity, row(*value))).collect();
                prop_assert_eq!(taken, expected);
                for entity in &ids {
                    prop_assert_eq!(slots.get(*entity).map(|record| record.location()), model.get(*entity).map(|value| row(*value)));
                }
            }
        }
    }

    #[test]
    fn slot_is_retired_after_its_last_generation() {
        let mut slots = EntitySlots::default();
        let first = slots.insert(row(1));
        let second = slots.insert(row(2));
        slots.remove(second);
        slots.records[0].generation_and_kind |= LAST << KIND_BITS;
        let last = id(0, LAST);
        assert!(slots.remove(last).is_some() && slots.get(last).is_none());
        let mut copy = EntitySlots::default();
        copy.clone_from(&slots);
        #[cfg(feature = "serde")]
        {
            copy = EntitySlots::from_parts(&copy.to_parts(|_| true)).unwrap().0;
        }
        for mut slots in [slots, copy] {
            let mut ids = Vec::new();
            slots.insert_many(3, 3, 0, &mut ids);
            assert_eq!(ids, [id(1, 3), id(2, 1), id(3, 1)]);
            slots.clear();
            (0..4).for_each(|_| ids.push(slots.insert(row(4))));
            assert!(ids.iter().all(|id| id.index() != last.index()));
            assert!(slots.get(first).is_none() && slots.get(last).is_none());
            assert_eq!((slots.len(), slots.free()), (4, 0));
        }
    }

    #[test]
    #[should_panic = "no room for 2147483646 more entities"]
    fn room_for_more_entities_than_ids_is_refused() {
        let mut slots = EntitySlots::default();
        slots.insert(row(1));
        slots.reserve(EntitySlots::MOST);
    }

    #[test]
    fn record_takes_8_bytes() {
        assert_eq!(size_of::<EntityRecord>(), 8);
    }
}
