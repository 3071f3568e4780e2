//! The saved form of slots: as in slotmap, with an unused slot 0.

use serde::{Deserialize, Serialize};

use super::{EntityRecord, EntitySlots, KIND_BITS, LAST, RETIRED, id};
use crate::entity::EntityId;

/// Slots in the form in which they are saved.
#[derive(Serialize, Deserialize)]
pub(crate) struct SlotParts {
    /// The generation of each slot. It is odd while the slot is taken.
    pub(crate) generations: Vec<u32>,
    /// The taken slots whose entities are disabled, in ascending order.
    pub(crate) disabled: Vec<u32>,
    /// The free slots, the next to be used first.
    pub(crate) free: Vec<u32>,
}

impl EntitySlots {
    /// `is_enabled` tells which entities are.
    pub(crate) fn to_parts(&self, is_enabled: impl Fn(EntityId) -> bool) -> SlotParts {
        let generations = std::iter::once(0).chain(self.records.iter().map(|record| record.generation()));
        let disabled = self.iter().filter(|(entity, _)| !is_enabled(*entity)).map(|(entity, _)| entity.index() as u32);
        let next_of = |at: &u32| self.records.get(*at as usize).map(|record| record.row_and_extras);
        let is_free = |at: &u32| (*at as usize) < self.records.len();
        let free = std::iter::successors(Some(self.next), next_of).take_while(is_free).map(|at| at + 1);
        SlotParts { generations: generations.collect(), disabled: disabled.collect(), free: free.collect() }
    }

    /// The inverse of [`EntitySlots::to_parts`], with the disabled entities. All locations are empty.
    ///
    /// # Errors
    /// A sentence about the first contradiction.
    pub(crate) fn from_parts(
        SlotParts { generations, disabled, free }: &SlotParts,
    ) -> Result<(Self, Vec<EntityId>), String> {
        if generations.len() > Self::MOST {
            return Err("there are too many slots".to_owned());
        }
        let Some((unused, generations)) = generations.split_first() else {
            return Err("there is no slot 0".to_owned());
        };
        if unused % 2 == 1 {
            return Err("slot 0 is taken".to_owned());
        }
        if let Some(at) = generations.iter().position(|generation| *generation > LAST) {
            return Err(format!("slot {} was used too often", at + 1));
        }
        // `u32::MAX`: free, and in no list yet.
        let record = |generation: &u32| EntityRecord {
            generation_and_kind: generation << KIND_BITS,
            row_and_extras: if generation % 2 == 1 { 0 } else { u32::MAX },
        };
        let mut records: Vec<EntityRecord> = generations.iter().map(record).collect();
        let mut disabled_ids = Vec::with_capacity(disabled.len());
        for at in disabled {
            let place = at.wrapping_sub(1) as usize;
            let slot = records.get(place).filter(|slot| slot.is_taken());
            let slot = slot.ok_or_else(|| format!("slot {at} is disabled and not taken"))?;
            disabled_ids.push(id(place, slot.generation()));
        }
        let retired = records.iter().filter(|record| record.generation() == RETIRED).count();
        let count = records.iter().filter(|record| !record.is_taken()).count() - retired;
        let mut next = records.len() as u32;
        for at in free.iter().rev() {
            let place = at.wrapping_sub(1);
            let slot = records.get_mut(place as usize);
            let is_unlisted = |slot: &&mut EntityRecord| {
                slot.row_and_extras == u32::MAX && !slot.is_taken() && slot.generation() != RETIRED
            };
            let slot = slot.filter(is_unlisted);
            slot.ok_or_else(|| format!("slot {at} is not free, or free twice"))?.row_and_extras = next;
            next = place;
        }
        if free.len() != count {
            return Err(format!("{count} slots are free and {} are listed", free.len()));
        }
        let len = records.len() - count - retired;
        Ok((Self { records, next, len, retired }, disabled_ids))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contradicting_parts_are_refused_with_a_sentence() {
        let load = |generations: &[u32], disabled: &[u32], free: &[u32]| {
            let parts = SlotParts { generations: generations.into(), disabled: disabled.into(), free: free.into() };
            EntitySlots::from_parts(&parts).map(|(slots, _)| slots.len())
        };
        assert_eq!(load(&[0, 1, 2, 2], &[], &[3, 2]), Ok(1));
        assert_eq!(load(&[0, 1, 3, 2], &[2], &[3]), Ok(2));
        // Slot 2 is retired.
        assert_eq!(load(&[0, 1, 0, 2], &[], &[3]), Ok(1));
        for (generations, disabled, free, problem) in [
            (&[][..], &[][..], &[][..], "there is no slot 0"),
            (&[1], &[], &[], "slot 0 is taken"),
            (&[0, 2], &[1], &[1], "slot 1 is disabled and not taken"),
            (&[0, 1], &[2], &[], "slot 2 is disabled and not taken"),
            (&[0, 1], &[0], &[], "slot 0 is disabled and not taken"),
            (&[0, 1], &[], &[1], "slot 1 is not free, or free twice"),
            (&[0, 2, 2], &[], &[2, 2], "slot 2 is not free, or free twice"),
            (&[0, 2], &[], &[0], "slot 0 is not free, or free twice"),
            (&[0, 2], &[], &[2], "slot 2 is not free, or free twice"),
            (&[0, 0], &[], &[1], "slot 1 is not free, or free twice"),
            (&[0, 2, 2], &[], &[2], "2 slots are free and 1 are listed"),
        ] {
            assert_eq!(load(generations, disabled, free), Err(problem.to_owned()));
        }
    }
}
