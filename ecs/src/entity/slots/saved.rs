//! The saved form of slots: as in slotmap, with an unused slot 0.

use serde::{Deserialize, Serialize};

use super::{EntityRecord, EntitySlots, Life, RETIRED};
use crate::ids::ComponentMask;

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
    pub(crate) fn to_parts(&self) -> SlotParts {
        let generations = std::iter::once(0).chain(self.records.iter().map(|record| record.generation));
        let is_disabled = |record: &EntityRecord| record.is_taken() && !record.is_enabled();
        let disabled = (1..).zip(&self.records).filter(|(_, record)| is_disabled(record)).map(|(at, _)| at);
        let next_of = |at: &u32| self.records.get(*at as usize).map(|record| record.state);
        let is_free = |at: &u32| (*at as usize) < self.records.len();
        let free = std::iter::successors(Some(self.next), next_of).take_while(is_free).map(|at| at + 1);
        SlotParts { generations: generations.collect(), disabled: disabled.collect(), free: free.collect() }
    }

    /// The inverse of [`EntitySlots::to_parts`], with empty masks.
    ///
    /// # Errors
    /// A sentence about the first contradiction.
    pub(crate) fn from_parts(SlotParts { generations, disabled, free }: &SlotParts) -> Result<Self, String> {
        if generations.len() > Self::MOST {
            return Err("there are too many slots".to_owned());
        }
        let Some((unused, generations)) = generations.split_first() else {
            return Err("there is no slot 0".to_owned());
        };
        if unused % 2 == 1 {
            return Err("slot 0 is taken".to_owned());
        }
        // `u32::MAX`: free, and in no list yet.
        let state = |generation: u32| if generation % 2 == 1 { Life::Enabled as u32 } else { u32::MAX };
        let record = |generation: &u32| EntityRecord {
            mask: ComponentMask::default(),
            generation: *generation,
            state: state(*generation),
        };
        let mut records: Vec<EntityRecord> = generations.iter().map(record).collect();
        for at in disabled {
            let slot = records.get_mut(at.wrapping_sub(1) as usize).filter(|slot| slot.is_taken());
            slot.ok_or_else(|| format!("slot {at} is disabled and not taken"))?.set_life(Life::Disabled);
        }
        let retired = records.iter().filter(|record| record.generation == RETIRED).count();
        let count = records.iter().filter(|record| !record.is_taken()).count() - retired;
        let mut next = records.len() as u32;
        for at in free.iter().rev() {
            let place = at.wrapping_sub(1);
            let slot = records.get_mut(place as usize);
            let slot = slot.filter(|slot| slot.state == u32::MAX && !slot.is_taken() && slot.generation != RETIRED);
            slot.ok_or_else(|| format!("slot {at} is not free, or free twice"))?.state = next;
            next = place;
        }
        if free.len() != count {
            return Err(format!("{count} slots are free and {} are listed", free.len()));
        }
        let len = records.len() - count - retired;
        Ok(Self { records, next, len, retired })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contradicting_parts_are_refused_with_a_sentence() {
        let load = |generations: &[u32], disabled: &[u32], free: &[u32]| {
            let parts = SlotParts { generations: generations.into(), disabled: disabled.into(), free: free.into() };
            EntitySlots::from_parts(&parts).map(|slots| slots.len())
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
