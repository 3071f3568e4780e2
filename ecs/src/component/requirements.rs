//! Components that need others: inserting one adds what it needs.

use std::sync::Arc;

use super::hooks::Effects;
use super::manager::PoolEntry;
use super::{Component, ComponentId, ComponentManager};
use crate::entity::{EntityId, Location};
use crate::error::{CommandFailure, SetupError};
use crate::panic::FirstPanic;

/// Inserts a required component into an entity that exists and lacks it.
type InsertRequired = Arc<dyn Fn(&mut ComponentManager, EntityId, Effects<'_>) + Send + Sync>;

/// What a component needs, and what needs it.
#[derive(Default)]
pub(super) struct Needs {
    requires: Vec<Requirement>,
    needed_by: Vec<ComponentId>,
}

/// A component that another one needs.
struct Requirement {
    id: ComponentId,
    insert: InsertRequired,
}

impl PoolEntry {
    fn requires(&self) -> &[Requirement] {
        self.needs.as_ref().map_or(&[], |needs| &needs.requires)
    }

    /// Whether entities that get the component get others, too.
    pub(super) fn has_requirements(&self) -> bool {
        !self.requires().is_empty()
    }
}

impl ComponentManager {
    /// From now on, an entity that gets a `T` gets an `R` too, if it has none. Those that have a `T` get one now.
    ///
    /// # Errors
    /// - [`SetupError::Requirement`] if only the engine changes one of the two, or if `T` needs an `R` already.
    pub(crate) fn require<T: Component, R: Component>(
        &mut self,
        make: impl Fn() -> R + Send + Sync + 'static,
        effects: Effects<'_>,
    ) -> Result<(), SetupError> {
        let (id, required) = (self.register::<T>(), self.register::<R>());
        let (component, needed) = (self.name(id), self.name(required));
        let refuse = |problem| Err(SetupError::Requirement { component, needed, problem });
        if self.is_link(id) || self.is_link(required) {
            return refuse("only the engine changes one of the two");
        }
        if id == required {
            return refuse("they are the same");
        }
        if self.pools[id.index()].requires().iter().any(|known| known.id == required) {
            return refuse("it is declared already");
        }
        let insert: InsertRequired = Arc::new(move |components, entity, effects| {
            let inserted = components.insert(entity, (make(),), effects);
            debug_assert!(inserted.is_ok(), "the entity was just given a component");
        });
        self.pools[id.index()].needs.get_or_insert_default().requires.push(Requirement { id: required, insert });
        self.pools[required.index()].needs.get_or_insert_default().needed_by.push(id);
        self.note_bundles();
        let owners: Vec<EntityId> =
            self.rows(id).map(|rows| rows.iter().map(|row| row.owner).collect()).unwrap_or_default();
        let mut panics = FirstPanic::default();
        owners.into_iter().for_each(|owner| self.add_required(id, owner, effects, &mut panics));
        panics.raise();
        Ok(())
    }

    /// Adds what a component of an entity needs and it lacks, in the order of the declarations; what that needs comes
    /// right after it. All of it, even if one panics when it is made.
    #[cold]
    pub(super) fn add_required(
        &mut self,
        of: ComponentId,
        entity: EntityId,
        effects: Effects<'_>,
        panics: &mut FirstPanic,
    ) {
        for at in 0..self.pools[of.index()].requires().len() {
            let Requirement { id: required, insert } = &self.pools[of.index()].requires()[at];
            let (required, insert) = (*required, Arc::clone(insert));
            let has = self.entities.locate(entity).map(|place| self.pools[required.index()].pool.has(entity, place));
            if has == Ok(false) {
                panics.catch(|| insert(self, entity, effects));
            }
        }
    }

    /// Adds what the components of an entity need and it lacks.
    pub(crate) fn add_needs(&mut self, entity: EntityId, effects: Effects<'_>) {
        let Ok(location) = self.entities.locate(entity) else { return };
        let mask = self.entities.table().mask_at(entity, location);
        let needy: Vec<ComponentId> = mask.iter().filter(|id| self.pools[id.index()].has_requirements()).collect();
        let mut panics = FirstPanic::default();
        needy.into_iter().for_each(|id| self.add_required(id, entity, effects, &mut panics));
        panics.raise();
    }

    /// Whether another component of an entity needs this one.
    ///
    /// # Errors
    /// [`CommandFailure::Needed`] with the first one that does.
    #[inline]
    pub(crate) fn check_not_needed(&self, id: ComponentId, entity: EntityId) -> Result<(), CommandFailure> {
        match &self.pools[id.index()].needs {
            None => Ok(()),
            Some(needs) => self.check_needs(needs, id, entity),
        }
    }

    #[cold]
    fn check_needs(&self, needs: &Needs, id: ComponentId, entity: EntityId) -> Result<(), CommandFailure> {
        let Ok(location) = self.entities.locate(entity) else { return Ok(()) };
        let has = |id: &ComponentId, location: Location| self.pools[id.index()].pool.has(entity, location);
        match needs.needed_by.iter().find(|needing| has(needing, location)).filter(|_| has(&id, location)) {
            Some(needing) => Err(CommandFailure::Needed { entity, component: self.name(id), by: self.name(*needing) }),
            None => Ok(()),
        }
    }
}
