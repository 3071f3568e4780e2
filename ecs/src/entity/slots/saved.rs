//! The saved form of slots: that of slotmap, with an unused slot 0, and versions instead of generations.

use super::{EntityRecord, EntitySlots, Life, RETIRED};
use crate::component::ComponentMask;

impl EntitySlots {
    /// For each slot, its version and whether its entity is enabled; and the free slots, the next to be used first.
    pub(crate) fn to_parts(&self) -> (Vec<(u32, Option<bool>)>, Vec<u32>) {
        let slots =
            self.records.iter().map(|record| (record.generation, record.is_taken().then(|| record.is_enabled())));
        let slots = std::iter::once((0, None)).chain(slots).collect();
        let next_of = |at: &u32| self.records.get(*at as usize).map(|record| record.state);
        let is_free = |at: &u32| (*at as usize) < self.records.len();
        let free = std::iter::successors(Some(self.next), next_of).take_while(is_free).map(|at| at + 1).collect();
        (slots, free)
    }

    /// The inverse of [`EntitySlots::to_parts`], with empty masks.
    ///
    /// # Errors
    /// A sentence about the first contradiction.
    pub(crate) fn from_parts(
        slots: impl ExactSizeIterator<Item = (u32, Option<bool>)>,
        free: &[u32],
    ) -> Result<Self, String> {
        if slots.len() > Self::MOST {
            return Err("there are too many slots".to_owned());
        }
        let mut records = Vec::with_capacity(slots.len());
        for (at, (generation, enabled)) in slots.enumerate() {
            let is_taken = generation % 2 == 1;
            if at == 0 && is_taken {
                return Err("slot 0 is taken".to_owned());
            }
            if is_taken != enabled.is_some() {
                let found = if is_taken { "free" } else { "taken" };
                return Err(format!("slot {at} of version {generation} is {found}"));
            }
            // `u32::MAX`: free, and in no list yet.
            let life = |enabled| if enabled { Life::Enabled } else { Life::Disabled };
            let state = enabled.map_or(u32::MAX, |enabled| life(enabled) as u32);
            records.push(EntityRecord { mask: ComponentMask::default(), generation, state });
        }
        if records.is_empty() {
            return Err("there is no slot 0".to_owned());
        }
        records.remove(0);
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
        let load = |slots: &[(u32, Option<bool>)], free: &[u32]| {
            EntitySlots::from_parts(slots.iter().copied(), free).map(|slots| slots.len())
        };
        let taken = (1, Some(true));
        let (none, free) = ((0, None), (2, None));
        assert_eq!(load(&[none, taken, free, free], &[3, 2]), Ok(1));
        // Slot 2 is retired.
        assert_eq!(load(&[none, taken, none, free], &[3]), Ok(1));
        for (slots, list, problem) in [
            (&[][..], &[][..], "there is no slot 0"),
            (&[taken], &[], "slot 0 is taken"),
            (&[none, (2, Some(false))], &[], "slot 1 of version 2 is taken"),
            (&[none, (3, None)], &[], "slot 1 of version 3 is free"),
            (&[none, taken], &[1], "slot 1 is not free, or free twice"),
            (&[none, free, free], &[2, 2], "slot 2 is not free, or free twice"),
            (&[none, free], &[0], "slot 0 is not free, or free twice"),
            (&[none, free], &[2], "slot 2 is not free, or free twice"),
            (&[none, none], &[1], "slot 1 is not free, or free twice"),
            (&[none, free, free], &[2], "2 slots are free and 1 are listed"),
        ] {
            assert_eq!(load(slots, list), Err(problem.to_owned()));
        }
    }
}
