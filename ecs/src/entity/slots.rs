//! Where entities are kept: slots with generations, under the keys of slotmap.
//!
//! It hands out what `slotmap::SlotMap` would, id by id: the slot that became free last is used first, with the next odd generation,
//! and without free slots a new one is added behind the others. Besides, many slots can be filled at once, and a record takes 24
//! bytes, as the link from a free slot to the next one stands where taken slots have the state of their entity.

#[cfg(feature = "serde")]
mod saved;

use slotmap::KeyData;

use super::EntityId;
use crate::component::ComponentMask;

/// How far the life of an entity has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Life {
    /// The id was handed out; the entity is born when the commands are applied.
    Reserved,
    #[default]
    Enabled,
    Disabled,
}

/// What is kept of each entity.
#[derive(Debug)]
pub(crate) struct EntityRecord {
    /// Empty while the slot is free.
    pub(crate) mask: ComponentMask,
    /// Odd while the slot is taken.
    generation: u32,
    /// The life of the entity as a number, or, while the slot is free, the place of the next free one.
    state: u32,
}

impl EntityRecord {
    fn is_taken(&self) -> bool {
        self.generation % 2 == 1
    }

    #[inline]
    pub(crate) fn is_enabled(&self) -> bool {
        self.state == Life::Enabled as u32
    }

    /// Of an entity that is there.
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
        Self { mask: self.mask.clone(), generation: self.generation, state: self.state }
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
    /// Place of the slot that is used next: a free one, or the one behind the last.
    next: u32,
    len: usize,
}

impl Clone for EntitySlots {
    fn clone(&self) -> Self {
        Self { records: self.records.clone(), next: self.next, len: self.len }
    }

    /// Uses the memory again, that of masks as well.
    fn clone_from(&mut self, source: &Self) {
        self.records.clone_from(&source.records);
        (self.next, self.len) = (source.next, source.len);
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
    /// Indices are 32 bits, and one stays free so that the default id names nobody.
    const MOST: usize = u32::MAX as usize - 2;

    /// How many slots are taken.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// How many slots there is room for.
    pub(crate) fn capacity(&self) -> usize {
        self.records.capacity()
    }

    /// Makes room for so many more.
    pub(crate) fn reserve(&mut self, additional: usize) {
        let new = (self.len + additional).saturating_sub(self.records.len());
        self.records.reserve(new);
    }

    /// Gives back the room for more. Free slots are kept: they tell which ids went stale.
    pub(crate) fn shrink(&mut self) {
        self.records.shrink_to_fit();
    }

    #[inline]
    pub(crate) fn get(&self, entity: EntityId) -> Option<&EntityRecord> {
        // Ids have odd generations, so nobody is found in a free slot.
        self.records.get(place(entity)).filter(|record| record.generation == entity.generation())
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, entity: EntityId) -> Option<&mut EntityRecord> {
        self.records.get_mut(place(entity)).filter(|record| record.generation == entity.generation())
    }

    /// O(1), amortised.
    ///
    /// # Panics
    /// If there are 2^32 slots.
    #[inline(always)]
    pub(crate) fn insert(&mut self, mask: ComponentMask, life: Life) -> EntityId {
        self.len += 1;
        let at = self.next as usize;
        if let Some(free) = self.records.get_mut(at) {
            self.next = free.state;
            free.generation |= 1;
            free.mask = mask;
            free.set_life(life);
            return id(at, free.generation);
        }
        self.check_room(1);
        self.records.push(EntityRecord { mask, generation: 1, state: life as u32 });
        self.next = self.records.len() as u32;
        id(at, 1)
    }

    /// Inserts as many with masks that `word` makes, and adds their ids to `ids`: the same as one by one.
    ///
    /// # Panics
    /// As [`EntitySlots::insert`].
    pub(crate) fn insert_many(&mut self, count: usize, word: u64, life: Life, ids: &mut Vec<EntityId>) {
        let free = (self.records.len() - self.len).min(count);
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
        assert!(new <= Self::MOST - self.records.len(), "there are as many slots for entities as ids have indices");
    }

    /// Frees the slot; returns the mask that was in it. O(1).
    #[inline]
    pub(crate) fn remove(&mut self, entity: EntityId) -> Option<ComponentMask> {
        let next = self.next;
        let record = self.get_mut(entity)?;
        let mask = std::mem::take(&mut record.mask);
        record.generation = record.generation.wrapping_add(1);
        record.state = next;
        self.next = place(entity) as u32;
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

    /// What is taken, in the order of the slots.
    pub(crate) fn iter(&self) -> Iter<'_> {
        Iter(self.records.iter().enumerate())
    }

    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut EntityRecord> {
        self.records.iter_mut().filter(|record| record.is_taken())
    }
}

/// What is taken, in the order of the slots.
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
        /// That one of all ids that were handed out so far.
        Remove(prop::sample::Index),
        Clear,
        Clone,
        /// Into saved form and back, where there is one.
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
        /// Slots are what a slot map is, id by id.
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
                        let (parts, free) = slots.to_parts();
                        let mut loaded = EntitySlots::from_parts(parts.into_iter(), &free).unwrap();
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
    fn generation_that_runs_over_begins_anew() {
        let mut slots = EntitySlots::default();
        let first = slots.insert(mask(1), Life::Enabled);
        slots.records[0].generation = u32::MAX;
        let last = id(0, u32::MAX);
        assert!(slots.remove(last).is_some() && slots.get(last).is_none());
        assert_eq!(slots.insert(mask(2), Life::Reserved), first);
    }

    #[test]
    fn record_is_as_small_as_said() {
        assert_eq!(size_of::<EntityRecord>(), 24);
    }
}
