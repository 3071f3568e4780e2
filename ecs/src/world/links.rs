//! Making and ending links. The two ends of each link are changed together, here only.

use std::any::TypeId;
use std::collections::VecDeque;

use super::World;
use crate::component::{Component, ComponentId};
use crate::entity::{EntityId, NoSuchEntity};
use crate::error::CommandFailure;
use crate::event::{Event, Related, Unrelated};
use crate::panic::{FirstPanic, drop_each};
use crate::relation::Parent;
use crate::relation::{Cleanup, LinkedFrom, Links, Relation};
use crate::type_map::short_name;

impl World {
    /// Links two entities; returns the data that the new link replaces, which the caller drops last. A cycle of parents
    /// is refused.
    pub(crate) fn relate<R: Relation>(
        &mut self,
        source: EntityId,
        target: EntityId,
        relation: R,
    ) -> Result<Option<R>, CommandFailure> {
        self.check_exists(source)?;
        self.check_exists(target)?;
        if TypeId::of::<R>() == TypeId::of::<Parent>() {
            self.check_no_cycle(source, target)?;
        }
        Ok(self.link(source, target, relation))
    }

    /// As [`World::relate`], for entities that exist and make no cycle.
    pub(crate) fn link<R: Relation>(&mut self, source: EntityId, target: EntityId, relation: R) -> Option<R> {
        let Some(links) = self.link_mut::<Links<R>>(source) else {
            self.add_link(source, target, relation);
            self.add_source::<R>(target, source);
            return None;
        };
        let count = links.len();
        // Each link is found from both ends: the search takes the one with fewer links.
        let sources = self.get::<LinkedFrom<R>>(target);
        let may_be_known = sources.is_some_and(|sources| sources.len() >= count || sources.contains(&source));
        let links = self.link_mut::<Links<R>>(source).expect("it was just found");
        if may_be_known && let Some(known) = links.get_mut(target) {
            return Some(std::mem::replace(known, relation));
        }
        if R::EXCLUSIVE {
            let (before, old) = std::mem::replace(&mut links.first, (target, relation));
            self.forget_source::<R>(before, source);
            self.tell(Unrelated::<R>::new(source, before));
            self.tell(Related::<R>::new(source, target));
            self.add_source::<R>(target, source);
            return Some(old);
        }
        self.add_link(source, target, relation);
        self.add_source::<R>(target, source);
        None
    }

    /// Ends the link between two entities.
    pub(crate) fn unrelate<R: Relation>(&mut self, source: EntityId, target: EntityId) -> Result<(), CommandFailure> {
        self.check_exists(source)?;
        self.check_exists(target)?;
        let mut panics = FirstPanic::default();
        if !self.end_link::<R>(source, target, &mut panics) {
            return Err(CommandFailure::NotRelated { source, target, relation: short_name::<R>() });
        }
        self.forget_source::<R>(target, source);
        panics.raise();
        Ok(())
    }

    /// The id of the component [`Links`].
    pub(crate) fn links_id<R: Relation>(&mut self) -> ComponentId {
        self.relations.note::<R>(&mut self.components);
        self.components.register::<Links<R>>()
    }

    /// Notes that a relation is used, if the components of its links are.
    pub(crate) fn note_relation<R: Relation>(&mut self) {
        if let (Some(_), Some(_)) = (self.components.id_of::<Links<R>>(), self.components.id_of::<LinkedFrom<R>>()) {
            self.relations.note::<R>(&mut self.components);
        }
    }

    /// The first half of a new link: that of the source.
    pub(crate) fn add_link<R: Relation>(&mut self, source: EntityId, target: EntityId, relation: R) {
        self.relations.note::<R>(&mut self.components);
        match self.link_mut::<Links<R>>(source) {
            None => self.put_link(source, Links::with((target, relation), VecDeque::new())),
            Some(links) if links.has_room() => links.push((target, relation)),
            Some(_) => {
                let room = self.relations.spare_links();
                let links = self.link_mut::<Links<R>>(source).expect("it was just found");
                links.set_room(room);
                links.push((target, relation));
            }
        }
        self.tell(Related::<R>::new(source, target));
    }

    /// The second half of a new link: that of the target.
    pub(crate) fn add_source<R: Relation>(&mut self, target: EntityId, source: EntityId) {
        self.relations.note::<R>(&mut self.components);
        match self.link_mut::<LinkedFrom<R>>(target) {
            Some(linked_from) => linked_from.push(source),
            None => {
                let mut sources = self.relations.spare_sources();
                sources.push(source);
                self.put_link(target, LinkedFrom::<R>::new(sources));
            }
        }
    }

    /// Puts these sources of a target first, in this order; the others keep theirs. O(sources · first ones).
    #[cfg(feature = "prefabs")]
    pub(crate) fn put_sources_first<R: Relation>(&mut self, target: EntityId, first: &[EntityId]) {
        if let Some(linked_from) = self.link_mut::<LinkedFrom<R>>(target) {
            let place = |source: &EntityId| first.iter().position(|other| other == source).unwrap_or(first.len());
            linked_from.sort_by_key(place);
        }
    }

    /// Despawns an entity with links, and then the sources that go with it, depth first, in order: all of them, even if
    /// the drop of a component panics.
    #[cold]
    pub(crate) fn despawn_linked(&mut self, entity: EntityId) -> Result<(), NoSuchEntity> {
        let mut waiting = std::mem::take(&mut self.relations.waiting);
        let mut panics = FirstPanic::default();
        waiting.push(entity);
        while let Some(next) = waiting.pop() {
            let first = waiting.len();
            for at in 0..self.relations.entries.len() {
                let leave = self.relations.entries[at].leave;
                leave(self, next, &mut waiting, &mut panics);
            }
            waiting[first..].reverse();
            // One of several targets of a source may have taken it along already.
            panics.catch(|| self.despawn_one(next));
        }
        self.relations.waiting = waiting;
        panics.raise();
        Ok(())
    }

    /// Whether an entity has links.
    #[inline]
    pub(crate) fn is_linked(&self, entity: EntityId) -> bool {
        let relations = &self.relations;
        !relations.is_empty() && self.entities().mask(entity).is_some_and(|mask| !mask.is_disjoint(&relations.mask))
    }

    /// If `id` is one of the two components of a relation: ends the links of an entity that has it.
    #[cold]
    pub(crate) fn end_links(&mut self, id: ComponentId, entity: EntityId) {
        let entries = &self.relations.entries;
        let end = entries.iter().find_map(|entry| match id {
            id if id == entry.links => Some(entry.end_links_of_source),
            id if id == entry.linked_from => Some(entry.end_links_of_target),
            _ => None,
        });
        let mut panics = FirstPanic::default();
        if let Some(end) = end {
            end(self, entity, &mut panics);
        }
        panics.raise();
    }

    /// Ends the links of an entity that is despawned next, and appends the sources that go with it. Its own components
    /// stay.
    pub(super) fn leave_links<R: Relation>(
        &mut self,
        entity: EntityId,
        to_despawn: &mut Vec<EntityId>,
        panics: &mut FirstPanic,
    ) {
        self.leave_targets::<R>(entity);
        self.drop_more_links::<R>(entity, panics);
        match R::ON_TARGET_DESPAWN {
            Cleanup::Remove => self.leave_sources::<R>(entity, panics),
            Cleanup::DespawnSource => {
                if let Some(linked_from) = self.link_mut::<LinkedFrom<R>>(entity) {
                    let sources = linked_from.take_all();
                    to_despawn.extend(&sources);
                    self.relations.recycle_sources(sources);
                }
            }
        }
    }

    /// The sources that are despawned with an entity.
    pub(super) fn dependents<R: Relation>(&self, entity: EntityId) -> &[EntityId] {
        match R::ON_TARGET_DESPAWN {
            Cleanup::Remove => &[],
            Cleanup::DespawnSource => self.get::<LinkedFrom<R>>(entity).map_or(&[], |linked_from| linked_from),
        }
    }

    /// Ends all links of a source.
    pub(super) fn end_links_of_source<R: Relation>(&mut self, source: EntityId, panics: &mut FirstPanic) {
        self.leave_targets::<R>(source);
        self.drop_links::<R>(source, panics);
    }

    /// Ends all links to a target.
    pub(super) fn end_links_of_target<R: Relation>(&mut self, target: EntityId, panics: &mut FirstPanic) {
        self.leave_sources::<R>(target, panics);
        let removed = self.remove_one::<LinkedFrom<R>>(target);
        debug_assert!(removed.is_ok(), "the caller found the component");
    }

    /// Makes the targets of a source forget it.
    fn leave_targets<R: Relation>(&mut self, source: EntityId) {
        let mut next = 0;
        while let Some((at, target)) = self.get::<Links<R>>(source).and_then(|links| links.target_from(next)) {
            self.forget_source::<R>(target, source);
            self.tell(Unrelated::<R>::new(source, target));
            next = at + 1;
        }
    }

    /// Ends the links of all sources of a target, whose list is empty afterwards.
    fn leave_sources<R: Relation>(&mut self, target: EntityId, panics: &mut FirstPanic) {
        let Some(linked_from) = self.link_mut::<LinkedFrom<R>>(target) else { return };
        let sources = linked_from.take_all();
        for source in &sources {
            self.end_link::<R>(*source, target, panics);
        }
        self.relations.recycle_sources(sources);
    }

    /// Ends the half of a link that its source has; returns whether there was one.
    fn end_link<R: Relation>(&mut self, source: EntityId, target: EntityId, panics: &mut FirstPanic) -> bool {
        let Some(links) = self.link_mut::<Links<R>>(source) else { return false };
        if links.len() > 1 {
            let Some(relation) = links.take(target) else { return false };
            panics.catch(|| drop(relation));
        } else if links.first.0 == target {
            self.drop_links::<R>(source, panics);
        } else {
            return false;
        }
        self.tell(Unrelated::<R>::new(source, target));
        true
    }

    /// Removes the component of a source, whose targets forget it elsewhere.
    fn drop_links<R: Relation>(&mut self, source: EntityId, panics: &mut FirstPanic) {
        self.drop_more_links::<R>(source, panics);
        panics.catch(|| {
            let removed = self.remove_one::<Links<R>>(source);
            debug_assert!(removed.is_ok(), "the caller found the component");
        });
    }

    /// Drops all links but the first, and keeps their memory.
    fn drop_more_links<R: Relation>(&mut self, source: EntityId, panics: &mut FirstPanic) {
        if let Some(links) = self.link_mut::<Links<R>>(source) {
            let mut more = links.take_more();
            panics.catch(|| drop_each(more.drain(..)));
            self.relations.recycle_links(more);
        }
    }

    /// Ends the half of a link that its target has; nothing happens if the target is gone.
    fn forget_source<R: Relation>(&mut self, target: EntityId, source: EntityId) {
        let Some(linked_from) = self.link_mut::<LinkedFrom<R>>(target) else { return };
        linked_from.remove(source);
        if linked_from.is_empty() {
            let sources = linked_from.take_all();
            self.relations.recycle_sources(sources);
            let removed = self.remove_one::<LinkedFrom<R>>(target);
            debug_assert!(removed.is_ok(), "the component was just found");
        }
    }

    fn link_mut<T: Component>(&mut self, entity: EntityId) -> Option<&mut T> {
        self.components.link_mut(entity)
    }

    /// Inserts a component that users cannot insert.
    fn put_link<T: Component>(&mut self, entity: EntityId, component: T) {
        let inserted = self.pool_mut::<T>().insert(entity, component);
        debug_assert!(inserted.is_ok(), "the caller found the entity");
    }

    /// Sends an event if it has listeners.
    fn tell<E: Event>(&mut self, event: E) {
        if let Some(event_type) = self.components.heard::<E>() {
            self.events.outside_buffer().push(event_type, event);
        }
    }
}
