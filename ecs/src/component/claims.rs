//! Which system inserted which component into which entity while commands are applied, so that no other one overwrites it.

use super::ComponentId;
use crate::entity::EntityId;

/// Who inserted what in this application of commands.
///
/// There is a table for each component type that was inserted by command, by the index of the entity. What stands there of
/// earlier applications and earlier entities counts as nothing, so that nothing has to be cleared.
#[derive(Default)]
pub(crate) struct Claims {
    /// The number of the application that is running; none has number 0.
    application: u32,
    /// The system whose command is applied.
    asker: u32,
    tables: Vec<Vec<Claim>>,
}

#[derive(Clone, Copy, Default)]
struct Claim {
    entity: EntityId,
    application: u32,
    system: u32,
}

/// Another system inserted the component into the entity before.
pub(crate) struct Claimed {
    pub(crate) entity: EntityId,
    pub(crate) component: ComponentId,
    pub(crate) by: usize,
}

impl Claims {
    /// Forgets who inserted what: commands are applied anew. O(1).
    pub(crate) fn begin(&mut self) {
        self.application = self.application.checked_add(1).unwrap_or_else(|| {
            // Once in 2^32 times, so that no number is met again.
            self.tables.iter_mut().for_each(|table| table.fill(Claim::default()));
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
        let tables: usize = self.tables.iter().map(|table| table.capacity() * size_of::<Claim>()).sum();
        self.tables.capacity() * size_of::<Vec<Claim>>() + tables
    }

    /// Gives all memory back.
    pub(crate) fn shrink(&mut self) {
        self.tables = Vec::new();
    }

    /// Notes that the system inserts components into an entity, all of them or none. Indices of entities are below `indices`.
    ///
    /// # Errors
    /// The first component that another system has inserted.
    #[inline]
    pub(crate) fn claim(
        &mut self,
        entity: EntityId,
        components: &[ComponentId],
        indices: usize,
    ) -> Result<(), Claimed> {
        let claim = Claim { entity, application: self.application, system: self.asker };
        for &component in components {
            let found = self.tables.get(component.index()).and_then(|table| table.get(entity.index()));
            match found {
                None => self.grow(component, indices),
                Some(found) => {
                    let is_current = found.application == claim.application && found.entity == entity;
                    if is_current && found.system != claim.system {
                        return Err(Claimed { entity, component, by: found.system as usize });
                    }
                }
            }
        }
        for component in components {
            self.tables[component.index()][entity.index()] = claim;
        }
        Ok(())
    }

    /// Makes room for a component of entities with indices below `indices`.
    #[cold]
    fn grow(&mut self, component: ComponentId, indices: usize) {
        let table = component.index();
        if self.tables.len() <= table {
            self.tables.resize_with(table + 1, Vec::new);
        }
        self.tables[table].resize(indices, Claim::default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMPONENT: ComponentId = ComponentId(0);

    fn claim(claims: &mut Claims, system: usize, entity: EntityId) -> bool {
        claims.ask_for(system);
        claims.claim(entity, &[COMPONENT], 4).is_ok()
    }

    #[test]
    fn claims_of_an_application_end_with_it_also_when_the_numbers_begin_anew() {
        let entity = EntityId::from_bits(1 << 32 | 2);
        let mut claims = Claims::default();
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
    fn claims_are_about_an_entity_and_not_its_index() {
        let (gone, newcomer) = (EntityId::from_bits(1 << 32 | 2), EntityId::from_bits(3 << 32 | 2));
        let mut claims = Claims::default();
        claims.begin();
        assert!(claim(&mut claims, 7, gone) && claim(&mut claims, 8, newcomer));
    }
}
