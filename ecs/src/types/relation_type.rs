//! Relations in snapshots: the components at both ends of their links, and the events.

use std::any::TypeId;

use super::TypeRegistry;
use super::component_type::ComponentType;
use super::different_values::FindPool;
use super::saved::check_links;
use crate::error::SnapshotError;
use crate::relation::{LinkedFrom, Links, Related, Relation, Unrelated, copy_all};
use crate::stable_hash::StableHash;
use crate::world::World;

pub(crate) struct RelationType {
    pub(super) relation: TypeId,
    note: fn(&mut World),
    /// Whether the links in a loaded snapshot have two ends.
    pub(crate) check: fn(&FindPool<'_>) -> Result<(), String>,
}

/// Relations.
impl TypeRegistry {
    /// Registers a relation: the components of its links, and its events.
    ///
    /// # Errors
    /// As [`TypeRegistry::component`].
    pub fn relation<R: Relation + Clone + StableHash>(&mut self, name: &str) -> Result<&mut Self, SnapshotError> {
        self.add_relation::<R>([name, &format!("ecs linked from {name}")])
    }

    /// Registers a relation with the names of both components.
    pub(super) fn add_relation<R: Relation + Clone + StableHash>(
        &mut self,
        [links, linked_from]: [&str; 2],
    ) -> Result<&mut Self, SnapshotError> {
        self.add_component(links, ComponentType::with_copy(copy_all, Links::<R>::stable_hash))?;
        self.add_component(linked_from, ComponentType::with_copy(copy_all, LinkedFrom::<R>::stable_hash))?;
        self.event::<Related<R>>(&format!("ecs related {links}"))?;
        self.event::<Unrelated<R>>(&format!("ecs unrelated {links}"))?;
        let relation = TypeId::of::<R>();
        if self.relations.iter().all(|known| known.relation != relation) {
            self.relations.push(RelationType { relation, note: World::note_relation::<R>, check: check_links::<R> });
        }
        Ok(self)
    }

    /// Tells a world which relations its links belong to, after they were restored.
    pub(crate) fn note_relations(&self, world: &mut World) {
        self.relations.iter().for_each(|relation| (relation.note)(world));
    }
}
