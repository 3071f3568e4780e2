//! Iterates over the entities that match a mask query.

use super::MaskQuery;
use crate::component::{ComponentId, ComponentManager};
use crate::entity::{EntityId, Location};

/// The entities that match a [`MaskQuery`]; [`Entities::matching`](crate::Entities::matching) makes it.
///
/// Their order is that of a [`Query`](crate::Query) for the same components.
pub struct Matching<'w> {
    query: &'w MaskQuery,
    components: &'w ComponentManager,
    owners: std::slice::Iter<'w, EntityId>,
    /// The list of extras that `owners` is, if it is one.
    source: Option<Source>,
    /// The place of the next kind in the order of kinds.
    next_kind: usize,
}

/// The extras of a required component, as their number and the component: the order in which they are visited.
type Source = (usize, ComponentId);

impl<'w> Matching<'w> {
    pub(crate) fn new(query: &'w MaskQuery, components: &'w ComponentManager) -> Self {
        Self { query, components, owners: [].iter(), source: None, next_kind: 0 }
    }

    fn visible_extras(&self, id: ComponentId) -> &'w [EntityId] {
        let Some(index) = self.components.find(id).map(|pool| pool.index()) else { return &[] };
        &index.owners()[..if self.query.includes_disabled { index.len() } else { index.active() }]
    }

    fn has(&self, id: ComponentId, entity: EntityId, location: Location) -> bool {
        let Some(pool) = self.components.find(id) else { return false };
        if pool.is_home(location.kind) {
            return true;
        }
        let position = if location.has_extras { pool.index().position(entity) } else { None };
        position.is_some_and(|position| position < self.visible_extras(id).len())
    }

    /// Whether the kind has the component.
    fn is_home(&self, id: ComponentId, kind: usize) -> bool {
        self.components.find(id).is_some_and(|pool| pool.is_home(kind))
    }

    fn sources(&self) -> impl Iterator<Item = Source> {
        self.query.required.iter().map(|id| (self.visible_extras(id).len(), id))
    }

    /// Goes on with the next kind or the next list of extras; returns whether there is one.
    fn enter_next(&mut self) -> bool {
        let kinds = self.components.entities.kinds();
        while let Some(kind) = kinds.order().get(self.next_kind) {
            self.next_kind += 1;
            let kind = kinds.get(*kind as usize);
            if self.query.required.is_subset(&kind.mask) && self.query.excluded.is_disjoint(&kind.mask) {
                self.owners = kind.owners[..kind.visible(self.query.includes_disabled)].iter();
                return true;
            }
        }
        let Some(next) = self.sources().filter(|source| self.source.is_none_or(|last| *source > last)).min() else {
            return false;
        };
        self.source = Some(next);
        self.owners = self.visible_extras(next.1).iter();
        true
    }

    fn matches(&self, entity: EntityId) -> bool {
        let Some(location) = self.components.entities.table().location(entity) else { return false };
        if let Some(source) = self.source {
            // An entity comes among the extras of the first component that its kind lacks.
            let mut earlier = self.sources().filter(|other| *other < source);
            if !earlier.all(|(_, id)| self.is_home(id, location.kind)) {
                return false;
            }
        }
        self.query.required.iter().all(|id| self.has(id, entity, location))
            && !self.query.excluded.iter().any(|id| self.has(id, entity, location))
    }
}

impl Iterator for Matching<'_> {
    type Item = EntityId;

    fn next(&mut self) -> Option<EntityId> {
        loop {
            while let Some(entity) = self.owners.next() {
                if self.matches(*entity) {
                    return Some(*entity);
                }
            }
            if !self.enter_next() {
                return None;
            }
        }
    }
}
