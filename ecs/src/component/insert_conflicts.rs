//! Which system inserted which component into which entity while commands are applied, so that no other one overwrites it.

use super::ComponentId;
use crate::entity::EntityId;

/// Who inserted what in this application of commands.
///
/// A hash table with open addressing by entity and component, which holds as many claims as one application ever made and not as
/// many as there are entities. What stands there of earlier applications counts as free, so that nothing has to be cleared.
#[derive(Default)]
pub(crate) struct InsertConflicts {
    /// The number of the application that is running; none has number 0.
    application: u32,
    /// The system whose command is applied.
    asker: u32,
    /// InsertConflicts of this application.
    len: usize,
    /// None or a power of two, at most half of them taken. A claim stands at the first free place from that of its hash on.
    slots: Vec<Claim>,
}

// Published in BENCHMARKS.md.
const _: () = assert!(size_of::<Claim>() == 20);

#[derive(Clone, Copy, Debug, Default)]
struct Claim {
    entity: EntityId,
    component: u32,
    application: u32,
    system: u32,
}

/// Another system inserted the component into the entity before.
pub(crate) struct InsertConflict {
    pub(crate) entity: EntityId,
    pub(crate) component: ComponentId,
    pub(crate) by: usize,
}

impl InsertConflicts {
    const FEWEST_SLOTS: usize = 64;

    /// Forgets who inserted what: commands are applied anew. O(1).
    pub(crate) fn begin(&mut self) {
        self.len = 0;
        self.application = self.application.checked_add(1).unwrap_or_else(|| {
            // Once in 2^32 times, so that no number is met again.
            self.slots.fill(Claim::default());
            1
        });
    }

    /// Says on whose behalf components are inserted from now on.
    #[inline]
    pub(crate) fn ask_for(&mut self, system: usize) {
        self.asker = system as u32;
    }

    /// Bytes on the heap.
    pub(crate) fn held_bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Claim>()
    }

    /// Gives all memory back, between applications.
    pub(crate) fn shrink(&mut self) {
        self.len = 0;
        self.slots = Vec::new();
    }

    /// Notes that the system inserts components into an entity, all of them or none. O(1) for each, amortised.
    ///
    /// # Errors
    /// The first component that another system has inserted.
    #[inline]
    pub(crate) fn claim(&mut self, entity: EntityId, components: &[ComponentId]) -> Result<(), InsertConflict> {
        debug_assert!(self.application > 0, "an application has begun");
        if (self.len + components.len()) * 2 > self.slots.len() {
            self.grow(components.len());
        }
        for &component in components {
            let found = &self.slots[self.slot(entity, component.0)];
            if found.application == self.application && found.system != self.asker {
                return Err(InsertConflict { entity, component, by: found.system as usize });
            }
        }
        for &component in components {
            let claim = Claim { entity, component: component.0, application: self.application, system: self.asker };
            self.put(claim);
        }
        Ok(())
    }

    fn put(&mut self, claim: Claim) {
        let slot = self.slot(claim.entity, claim.component);
        self.len += usize::from(self.slots[slot].application != self.application);
        self.slots[slot] = claim;
    }

    /// Where the claim of a component stands, or where it would. There must be a free slot.
    #[inline]
    fn slot(&self, entity: EntityId, component: u32) -> usize {
        // Two rounds of multiplication by odd numbers and folding of the upper half: after one, ids that lie at equal distances would
        // crowd.
        let key = entity.bits() ^ u64::from(component).wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
        let mixed = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let hash = (mixed ^ mixed >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 32;
        let last = self.slots.len() - 1;
        let mut slot = hash as usize & last;
        loop {
            let found = &self.slots[slot];
            let is_free = found.application != self.application;
            if is_free || (found.entity == entity && found.component == component) {
                return slot;
            }
            slot = (slot + 1) & last;
        }
    }

    /// Makes room for so many more claims.
    #[cold]
    fn grow(&mut self, additional: usize) {
        let slots = ((self.len + additional) * 2).next_power_of_two().max(Self::FEWEST_SLOTS);
        let former = std::mem::replace(&mut self.slots, vec![Claim::default(); slots]);
        self.len = 0;
        let application = self.application;
        former.into_iter().filter(|claim| claim.application == application).for_each(|claim| self.put(claim));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    const COMPONENT: ComponentId = ComponentId(0);

    fn claim(claims: &mut InsertConflicts, system: usize, entity: EntityId) -> bool {
        claims.ask_for(system);
        claims.claim(entity, &[COMPONENT]).is_ok()
    }

    fn entity(index: u32, version: u32) -> EntityId {
        EntityId::from_bits(u64::from(version * 2 + 1) << 32 | u64::from(index))
    }

    #[test]
    fn claims_of_an_application_end_with_it_also_when_the_numbers_begin_anew() {
        let entity = entity(2, 0);
        let mut claims = InsertConflicts::default();
        claims.begin();
        assert!(claim(&mut claims, 7, entity) && claim(&mut claims, 7, entity) && !claim(&mut claims, 8, entity));
        claims.application = u32::MAX;
        claims.begin();
        assert_eq!(claims.application, 1, "this is the number under which it was claimed before");
        assert!(claim(&mut claims, 8, entity) && !claim(&mut claims, 7, entity));
        claims.begin();
        assert!(claim(&mut claims, 7, entity));
    }

    #[test]
    fn room_goes_by_the_claims_of_an_application_and_is_kept() {
        let mut claims = InsertConflicts::default();
        for application in 0..20 {
            claims.begin();
            // Others in each application, with ever higher indices.
            for index in 0..1_000 {
                assert!(claim(&mut claims, 1, entity(application * 1_000_000 + index, 0)));
            }
            assert_eq!(claims.slots.len(), 2_048);
        }
        claims.shrink();
        assert_eq!(claims.held_bytes(), 0);
        claims.begin();
        assert!(claim(&mut claims, 1, entity(5, 0)));
        assert_eq!(claims.slots.len(), InsertConflicts::FEWEST_SLOTS);
    }

    /// Every second, every third entity and so on, of one generation or of as many as there are entities.
    #[test]
    fn claims_stand_near_their_places_whatever_the_distances_of_ids() {
        const COUNT: u32 = 8_192;
        for distance in 1..=64 {
            for generations in [0, 1] {
                let mut claims = InsertConflicts::default();
                claims.begin();
                let ids: Vec<_> = (0..COUNT).map(|n| entity(n * distance, n * generations)).collect();
                ids.iter().for_each(|id| assert!(claim(&mut claims, 1, *id)));
                assert_eq!(claims.slots.len(), 2 * COUNT as usize);
                // With linear probing and half of the places taken a look-up needs 1.5 looks on average, and most need one.
                let clusters = claims.slots.chunk_by(|a, b| (a.application > 0) == (b.application > 0));
                let longest = clusters.filter(|cluster| cluster[0].application > 0).map(<[Claim]>::len).max();
                assert!(longest < Some(100), "{longest:?} in a row, distance {distance}, generations {generations}");
            }
        }
    }

    proptest! {
        /// Bundles of some components for entities that come and go, by several systems: all or none are claimed, as in a map.
        #[test]
        fn claims_are_those_of_a_map(
            applications in prop::collection::vec(
                prop::collection::vec((0_usize..3, 0_u32..40, 0_u32..2, prop::sample::subsequence(vec![0_u32, 1, 2, 70], 0..4)), 0..200),
                1..6,
            ),
        ) {
            let mut claims = InsertConflicts::default();
            for application in applications {
                let mut expected: HashMap<(EntityId, ComponentId), usize> = HashMap::new();
                claims.begin();
                for (system, index, version, components) in application {
                    let entity = entity(index, version);
                    let components: Vec<_> = components.into_iter().map(ComponentId).collect();
                    let taken = components.iter().find_map(|&component| {
                        let by = *expected.get(&(entity, component))?;
                        (by != system).then_some((component, by))
                    });
                    claims.ask_for(system);
                    let refused = claims.claim(entity, &components).err();
                    prop_assert!(refused.as_ref().is_none_or(|refused| refused.entity == entity));
                    prop_assert_eq!(refused.map(|refused| (refused.component, refused.by)), taken);
                    if taken.is_none() {
                        expected.extend(components.into_iter().map(|component| ((entity, component), system)));
                    }
                }
                prop_assert_eq!(claims.len, expected.len());
            }
        }
    }
}
