//! Iterates over the entities that match a mask query.

use super::MaskQuery;
use crate::component::{ComponentId, ComponentManager};
use crate::entity::{EntityId, EntityManager, Records};

/// The entities that match a [`MaskQuery`]; [`Entities::matching`](crate::Entities::matching) makes it.
///
/// Their order is that of the shortest required pool; of equally short ones, the pool with the lowest component id. Without a
/// required component it is the order of their indices. O(number of the rarest component × number of components in the query).
pub struct Matching<'w> {
    candidates: Candidates<'w>,
    query: &'w MaskQuery,
    components: &'w ComponentManager,
}

enum Candidates<'w> {
    Owners(std::slice::Iter<'w, EntityId>),
    All(Records<'w>),
}

impl<'w> Matching<'w> {
    pub(crate) fn new(query: &'w MaskQuery, entities: &'w EntityManager, components: &'w ComponentManager) -> Self {
        let candidates = if query.required.is_empty() {
            Candidates::All(entities.records())
        } else {
            Candidates::Owners(owners(query, components).iter())
        };
        Self { candidates, query, components }
    }

    fn has(&self, id: ComponentId, entity: EntityId) -> bool {
        let Some(index) = self.components.find(id).map(|pool| pool.index()) else { return false };
        let visible = if self.query.includes_disabled { index.len() } else { index.active() };
        index.position(entity).is_some_and(|position| position < visible)
    }

    fn matches(&self, entity: EntityId) -> bool {
        self.query.required.iter().all(|id| self.has(id, entity))
            && !self.query.excluded.iter().any(|id| self.has(id, entity))
    }
}

/// The candidates: the members of a group, if there is one, or the owners of the rarest component.
fn owners<'w>(query: &MaskQuery, components: &'w ComponentManager) -> &'w [EntityId] {
    let visible = |id: ComponentId| {
        let index = components.find(id)?.index();
        Some(&index.owners()[..if query.includes_disabled { index.len() } else { index.active() }])
    };
    let group = components.group_within(&query.required).filter(|_| !query.includes_disabled);
    if let Some(members) = group.and_then(|group| visible(*group.ids.first()?)?.get(..group.len)) {
        return members;
    }
    query
        .required
        .iter()
        .map(|id| visible(id).unwrap_or_default())
        .min_by_key(|owners| owners.len())
        .unwrap_or_default()
}

impl Iterator for Matching<'_> {
    type Item = EntityId;

    fn next(&mut self) -> Option<EntityId> {
        loop {
            let entity = match &mut self.candidates {
                Candidates::Owners(owners) => *owners.next()?,
                Candidates::All(records) => {
                    let (entity, record) = records.next()?;
                    if !record.is_enabled() && !self.query.includes_disabled {
                        continue;
                    }
                    entity
                }
            };
            if self.matches(entity) {
                return Some(entity);
            }
        }
    }
}
