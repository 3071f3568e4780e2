//! The table of entities: slots with generations, with keys of slotmap.
//!
//! It hands out the ids that `slotmap::SlotMap` would: the slot that was freed last is used first, with the next odd generation; if
//! none is free, a new slot is added at the end. In addition, many slots can be filled at once, and a record takes 24 bytes, since
//! the link to the next free slot shares its place with the state of the entity.
//!
//! A slot whose last generation ends is retired instead of starting again, so a stale id never names another entity.

#[cfg(feature = "serde")]
mod saved;

#[cfg(feature = "serde")]
pub(crate) use self::saved::SlotParts;

use slotmap::KeyData;

use super::EntityId;
use crate::ids::ComponentMask;

/// The state of an entity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Life {
    /// The id was handed out; the entity exists once the commands are applied.
    Reserved,
    #[default]
    Enabled,
    Disabled,
}

/// A slot and the data of its entity.
#[derive(Debug)]
pub(crate) struct EntityRecord {
    /// Empty while the slot is free.
    pub(crate) mask: ComponentMask,
    /// Odd while the slot is taken, [`RETIRED`] after the last generation.
    generation: u32,
    /// [`Life`] as a number; in a free slot, the place of the next free one.
    state: u32,
}

/// The generation of a slot that has used up all others. It is even, so no id has it.
const RETIRED: u32 = 0;

impl EntityRecord {
    fn is_taken(&self) -> bool {
        self.generation % 2 == 1
    }

    #[inline]
    pub(crate) fn is_enabled(&self) -> bool {
        self.state == Life::Enabled as u32
    }

    /// The slot must be taken.
    #[inline]
    pub(crate) fn life(&self) -> Life {
        match self.state {
            0 => Life::Reserved,
            1 => Life::Enabled,
            _ => Life::Disabled,
        }
    }

    #[inline]
    pub(crate) fn set_life(&mut self, life: Life) {
        self.state = life as u32;
    }
}

impl Clone for EntityRecord {
    fn clone(&self) -> Self {
        Self { mask: self.mask.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &Self) {
        self.mask.clone_from(&source.mask);
        (self.generation, self.state) = (source.generation, source.state);
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

    /// Reuses the memory, including that of masks.
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
    /// Indices have 32 bits; 0 is unused, and one belongs to the default id.
    const MOST: usize = u32::MAX as usize - 2;

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
    pub(crate) fn get(&self, entity: EntityId) -> Option<&EntityRecord> {
        // Ids have odd generations, so a free slot never matches.
        self.records.get(place(entity)).filter(|record| record.generation == entity.generation())
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, entity: EntityId) -> Option<&mut EntityRecord> {
        self.records.get_mut(place(entity)).filter(|record| record.generation == entity.generation())
    }

    /// O(1), amortised.
    ///
    /// # Panics
    /// If no index is unused.
    #[inline(always)]
    pub(crate) fn insert(&mut self, mask: ComponentMask, life: Life) -> EntityId {
        let at = self.next as usize;
        if let Some(free) = self.records.get_mut(at) {
            self.len += 1;
            self.next = free.state;
            free.generation |= 1;
            // The mask of a free slot has no memory, so there is nothing to drop.
            std::mem::forget(std::mem::replace(&mut free.mask, mask));
            free.set_life(life);
            return id(at, free.generation);
        }
        self.check_room(1);
        self.len += 1;
        self.records.push(EntityRecord { mask, generation: 1, state: life as u32 });
        self.next = self.records.len() as u32;
        id(at, 1)
    }

    /// Inserts `count` entities, each with the mask of `word`, and appends their ids to `ids`: the same ids as one by one.
    ///
    /// # Panics
    /// As [`EntitySlots::insert`].
    pub(crate) fn insert_many(&mut self, count: usize, word: u64, life: Life, ids: &mut Vec<EntityId>) {
        let free = self.free().min(count);
        ids.reserve(count);
        ids.extend((0..free).map(|_| self.insert(ComponentMask::of_word(word), life)));
        let (first, new) = (self.records.len(), count - free);
        if new > 0 {
            self.check_room(new);
            let record = |_| EntityRecord { mask: ComponentMask::of_word(word), generation: 1, state: life as u32 };
            self.records.extend((0..new).map(record));
            ids.extend((first..first + new).map(|at| id(at, 1)));
            self.next = self.records.len() as u32;
            self.len += new;
        }
    }

    #[inline]
    fn check_room(&self, new: usize) {
        assert!(new <= Self::MOST - self.records.len(), "no room for {new} more entities: ids have 2^32 indices");
    }

    /// Frees the slot, or retires it after its last generation; returns its mask. O(1).
    #[inline]
    pub(crate) fn remove(&mut self, entity: EntityId) -> Option<ComponentMask> {
        let next = self.next;
        let record = self.get_mut(entity)?;
        let mask = std::mem::take(&mut record.mask);
        record.generation = record.generation.wrapping_add(1);
        record.state = next;
        if record.generation == RETIRED {
            self.retired += 1;
        } else {
            self.next = place(entity) as u32;
        }
        self.len -= 1;
        Some(mask)
    }

    /// Frees all slots, in their order.
    pub(crate) fn clear(&mut self) {
        for at in 0..self.records.len() {
            if self.records[at].is_taken() {
                self.remove(id(at, self.records[at].generation));
            }
        }
    }

    /// The taken slots in the order of their places.
    pub(crate) fn iter(&self) -> Iter<'_> {
        Iter(self.records.iter().enumerate())
    }

    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut EntityRecord> {
        self.records.iter_mut().filter(|record| record.is_taken())
    }
}

/// The taken slots in the order of their places.
#[derive(Clone)]
pub(crate) struct Iter<'a>(std::iter::Enumerate<std::slice::Iter<'a, EntityRecord>>);

impl<'a> Iterator for Iter<'a> {
    type Item = (EntityId, &'a EntityRecord);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (at, record) = self.0.find(|(_, record)| record.is_taken())?;
        Some((id(at, record.generation), record))
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

    fn mask(number: u64) -> ComponentMask {
        ComponentMask::of_word(number)
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
                        let entity = slots.insert(mask(number), Life::Enabled);
                        prop_assert_eq!(entity, model.insert(number));
                        ids.push(entity);
                    }
                    Step::InsertMany(count) => {
                        let first = ids.len();
                        slots.insert_many(count, number, Life::Enabled, &mut ids);
                        let expected: Vec<_> = (0..count).map(|_| model.insert(number)).collect();
                        prop_assert_eq!(&ids[first..], &expected);
                    }
                    Step::Remove(which) => {
                        let entity = *which.get(&ids);
                        prop_assert_eq!(slots.remove(entity), model.remove(entity).map(mask));
                    }
                    Step::Clear => {
                        slots.clear();
                        model.clear();
                    }
                    Step::Clone => {
                        let mut clone = EntitySlots::default();
                        clone.insert(mask(1), Life::Disabled);
                        clone.clone_from(&slots);
                        slots = clone.clone();
                    }
                    #[cfg(not(feature = "serde"))]
                    Step::Save => {}
                    #[cfg(feature = "serde")]
                    Step::Save => {
                        let mut loaded = EntitySlots::from_parts(&slots.to_parts()).unwrap();
                        for (entity, value) in &model {
                            loaded.get_mut(entity).unwrap().mask = mask(*value);
                        }
                        slots = loaded;
                    }
                }
                prop_assert_eq!(slots.len(), model.len());
                let taken: Vec<_> = slots.iter().map(|(entity, record)| (entity, record.mask.clone())).collect();
                let expected: Vec<_> = model.iter().map(|(entity, value)| (entity, mask(*value))).collect();
                prop_assert_eq!(taken, expected);
                for entity in &ids {
                    prop_assert_eq!(slots.get(*entity).map(|record| record.mask.clone()), model.get(*entity).map(|value| mask(*value)));
                }
            }
        }
    }

    #[test]
    fn slot_is_retired_after_its_last_generation() {
        let mut slots = EntitySlots::default();
        let first = slots.insert(mask(1), Life::Enabled);
        let second = slots.insert(mask(2), Life::Enabled);
        slots.remove(second);
        slots.records[0].generation = u32::MAX;
        let last = id(0, u32::MAX);
        assert!(slots.remove(last).is_some() && slots.get(last).is_none());
        let mut copy = EntitySlots::default();
        copy.clone_from(&slots);
        #[cfg(feature = "serde")]
        {
            copy = EntitySlots::from_parts(&copy.to_parts()).unwrap();
        }
        for mut slots in [slots, copy] {
            let mut ids = Vec::new();
            slots.insert_many(3, 3, Life::Enabled, &mut ids);
            assert_eq!(ids, [id(1, 3), id(2, 1), id(3, 1)]);
            slots.clear();
            (0..4).for_each(|_| ids.push(slots.insert(mask(4), Life::Enabled)));
            assert!(ids.iter().all(|id| id.index() != last.index()));
            assert!(slots.get(first).is_none() && slots.get(last).is_none());
            assert_eq!((slots.len(), slots.free()), (4, 0));
        }
    }

    #[test]
    #[should_panic = "no room for 4294967293 more entities"]
    fn room_for_more_entities_than_ids_is_refused() {
        let mut slots = EntitySlots::default();
        slots.insert(mask(1), Life::Enabled);
        slots.reserve(EntitySlots::MOST);
    }

    #[test]
    fn record_takes_24_bytes() {
        assert_eq!(size_of::<EntityRecord>(), 24);
    }
}
