//! Conflicts between systems that insert the same component into the same entity in one frame.

use super::ComponentId;
use crate::entity::EntityId;
use crate::type_map::{FixedMap, map_bytes_held};

/// Which system inserted which component into which entity, in one application of commands.
///
/// Its memory grows with the components that one application inserts, not with the entities that exist.
#[derive(Default)]
pub(crate) struct InsertConflicts {
    inserted_by: FixedMap<(EntityId, ComponentId), u32>,
    /// The system whose command is applied.
    system: u32,
}

// Published in BENCHMARKS.md: with the map's byte of control, 17 bytes for each.
const _: () = assert!(size_of::<((EntityId, ComponentId), u32)>() == 16);

/// Another system has inserted the component into the entity.
pub(crate) struct InsertConflict {
    pub(crate) entity: EntityId,
    pub(crate) component: ComponentId,
    pub(crate) by: usize,
}

impl InsertConflicts {
    /// Begins an application of commands: forgets the insertions of the last one and keeps the memory.
    pub(crate) fn begin(&mut self) {
        self.inserted_by.clear();
    }

    /// Sets the system that inserts from now on.
    #[inline]
    pub(crate) fn ask_for(&mut self, system: usize) {
        self.system = system as u32;
    }

    /// Bytes on the heap.
    pub(crate) fn held_bytes(&self) -> usize {
        map_bytes_held(&self.inserted_by)
    }

    /// Gives all memory back, between applications.
    pub(crate) fn shrink(&mut self) {
        self.inserted_by = FixedMap::default();
    }

    /// Records that the system inserts components into an entity, all of them or none. O(1) for each, amortised.
    ///
    /// # Errors
    /// The first component that another system has inserted.
    #[inline]
    pub(crate) fn record_insert(&mut self, entity: EntityId, components: &[ComponentId]) -> Result<(), InsertConflict> {
        for &component in components {
            match self.inserted_by.get(&(entity, component)) {
                Some(&by) if by != self.system => {
                    return Err(InsertConflict { entity, component, by: by as usize });
                }
                _ => {}
            }
        }
        self.inserted_by.extend(components.iter().map(|&component| ((entity, component), self.system)));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    const COMPONENT: ComponentId = ComponentId(0);

    fn record_insert(conflicts: &mut InsertConflicts, system: usize, entity: EntityId) -> bool {
        conflicts.ask_for(system);
        conflicts.record_insert(entity, &[COMPONENT]).is_ok()
    }

    fn entity(index: u32, version: u32) -> EntityId {
        EntityId::from_bits(u64::from(version * 2 + 1) << 32 | u64::from(index))
    }

    #[test]
    fn records_end_with_their_application_and_memory_is_kept() {
        let mut conflicts = InsertConflicts::default();
        let mut held = Vec::new();
        for application in 0..20 {
            conflicts.begin();
            // Other entities in each application, with ever higher indices, and one that is always the same.
            for index in 0..1_000 {
                assert!(record_insert(&mut conflicts, 1, entity(application * 1_000_000 + index, 0)));
            }
            let system = application as usize;
            assert!(
                record_insert(&mut conflicts, system, entity(7, 1))
                    && !record_insert(&mut conflicts, system + 1, entity(7, 1))
            );
            held.push(conflicts.held_bytes());
        }
        assert!(held[0] > 0 && held.iter().all(|bytes| *bytes == held[0]), "{held:?}");
        conflicts.shrink();
        assert_eq!(conflicts.held_bytes(), 0);
    }

    proptest! {
        /// Bundles of some components for entities that come and go, by several systems: all or none are inserted, as
        /// in a map.
        #[test]
        fn records_are_those_of_a_map(
            applications in prop::collection::vec(
                prop::collection::vec((0_usize..3, 0_u32..40, 0_u32..2, prop::sample::subsequence(vec![0_u32, 1, 2, 70], 0..4)), 0..200),
                1..6,
            ),
        ) {
            let mut conflicts = InsertConflicts::default();
            for application in applications {
                let mut expected: HashMap<(EntityId, ComponentId), usize> = HashMap::new();
                conflicts.begin();
                for (system, index, version, components) in application {
                    let entity = entity(index, version);
                    let components: Vec<_> = components.into_iter().map(ComponentId).collect();
                    let taken = components.iter().find_map(|&component| {
                        let by = *expected.get(&(entity, component))?;
                        (by != system).then_some((component, by))
                    });
                    conflicts.ask_for(system);
                    let refused = conflicts.record_insert(entity, &components).err();
                    prop_assert!(refused.as_ref().is_none_or(|refused| refused.entity == entity));
                    prop_assert_eq!(refused.map(|refused| (refused.component, refused.by)), taken);
                    if taken.is_none() {
                        expected.extend(components.into_iter().map(|component| ((entity, component), system)));
                    }
                }
                prop_assert_eq!(conflicts.inserted_by.len(), expected.len());
            }
        }
    }
}
