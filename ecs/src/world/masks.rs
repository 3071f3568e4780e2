//! Sets of components, and the entities that match them.

use super::World;
use crate::component::{Bundle, ComponentMask};
use crate::entity::{EntityId, EntityInfo};
use crate::query::{Entities, MaskQuery, QueryData, QueryFilter};

impl World {
    /// The set of the component types of `B`, a tuple of up to 12.
    pub fn mask_of<B: Bundle>(&mut self) -> ComponentMask {
        self.components.mask_of::<B>()
    }

    /// What a query needs that is written in types: which components entities must have and must not have.
    pub fn mask_query<D: QueryData, F: QueryFilter>(&mut self) -> MaskQuery {
        MaskQuery::of::<D, F>(self)
    }

    /// The entities that match `query`, in the order of every query: see [`Matching`](crate::Matching).
    #[must_use]
    pub fn matching(&self, query: &MaskQuery) -> Vec<EntityId> {
        Entities::new(self.entities(), self).matching(query).collect()
    }

    /// What `entity` is made of, by name; `None` if it does not exist.
    #[must_use]
    pub fn inspect(&self, entity: EntityId) -> Option<EntityInfo> {
        EntityInfo::of(entity, self.entities(), &self.components)
    }
}
