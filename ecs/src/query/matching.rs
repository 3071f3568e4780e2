//! Iterates over the entities that match a mask query.

use super::MaskQuery;
use crate::component::{ComponentId, ComponentManager, ComponentMask};
use crate::entity::{EntityId, Location};

/// The entities that match a [`MaskQuery`]; [`Entities::matching`](crate::Entities::matching) makes it.
///
/// Their order is that of a [`Query`](crate::Query) for the same components, except where equally many entities got two
/// of these later: there a query begins with the component that it names first.
pub struct Matching<'w> {
    query: &'w MaskQuery,
    components: &'w ComponentManager,
    owners: std::slice::Iter<'w, EntityId>,
    /// The required component whose extras `owners` are, if they are extras.
    source: Option<ComponentId>,
    /// The required components whose extras came earlier.
    walked: ComponentMask,
    /// The place of the next kind in the order of kinds.
    next_kind: usize,
}

impl<'w> Matching<'w> {
    pub(crate) fn new(query: &'w MaskQuery, components: &'w ComponentManager) -> Self {
        Self { query, components, owners: [].iter(), source: None, walked: ComponentMask::default(), next_kind: 0 }
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
        if let Some(last) = self.source.take() {
            self.walked.insert(last);
        }
        // Of equally many, the lists themselves decide, and not the ids of components, which differ between engines.
        // The order of equal lists makes no difference.
        let left = self.query.required.iter().filter(|id| !self.walked.contains(*id));
        let keyed = |id| (self.visible_extras(id).len(), self.visible_extras(id), id);
        let Some((_, extras, next)) = left.map(keyed).min() else { return false };
        (self.source, self.owners) = (Some(next), extras.iter());
        true
    }

    fn matches(&self, entity: EntityId) -> bool {
        let Some(location) = self.components.entities.table().location(entity) else { return false };
        // An entity comes among the extras of the first component that its kind lacks.
        if self.source.is_some() && !self.walked.iter().all(|id| self.is_home(id, location.kind)) {
            return false;
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
