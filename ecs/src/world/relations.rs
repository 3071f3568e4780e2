//! The relations that a world uses.

use std::any::{Any, TypeId};
use std::collections::VecDeque;

use super::World;
use crate::component::{ComponentId, ComponentManager, ComponentMask};
use crate::entity::EntityId;
use crate::panic::FirstPanic;
use crate::relation::{LinkedFrom, Links, More, Parent, Relation};

/// A relation with its type erased.
pub(super) struct Entry {
    relation: TypeId,
    name: &'static str,
    pub(super) links: ComponentId,
    pub(super) linked_from: ComponentId,
    /// Ends the links of an entity in both roles before it is despawned. Sources that go with it are appended to the
    /// list.
    pub(super) leave: fn(&mut World, EntityId, &mut Vec<EntityId>, &mut FirstPanic),
    /// The sources that are despawned with an entity.
    pub(super) dependents: fn(&World, EntityId) -> &[EntityId],
    pub(super) end_links_of_source: fn(&mut World, EntityId, &mut FirstPanic),
    pub(super) end_links_of_target: fn(&mut World, EntityId, &mut FirstPanic),
    /// Unused lists of links: a `Vec<More<R>>`.
    spares: Box<dyn Spares>,
}

/// Unused lists of links of one relation.
trait Spares: Any + Send + Sync {
    fn held_bytes(&self) -> usize;
    fn shrink(&mut self);
}

impl<T: Send + Sync + 'static> Spares for Vec<VecDeque<T>> {
    fn held_bytes(&self) -> usize {
        self.iter().map(|spare| spare.capacity() * size_of::<T>()).sum()
    }

    fn shrink(&mut self) {
        *self = Self::new();
    }
}

/// The relations that were used so far; not state, and with unused memory.
#[derive(Default)]
pub(crate) struct Relations {
    /// Parents first, then in the order of their names: neither first use nor loading a save changes the order of
    /// events.
    pub(super) entries: Vec<Entry>,
    /// The components of all relations.
    pub(super) mask: ComponentMask,
    /// Unused lists of sources.
    spare_sources: Vec<Vec<EntityId>>,
    /// The entities that are still to be despawned, the next one last.
    pub(super) waiting: Vec<EntityId>,
}

impl Relations {
    /// Whether no relation was used so far.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether `id` is a component of a relation.
    pub(crate) fn contains(&self, id: ComponentId) -> bool {
        self.mask.contains(id)
    }

    /// Whether there is any link.
    pub(crate) fn has_links(&self, components: &ComponentManager) -> bool {
        self.entries.iter().any(|entry| components.find(entry.links).is_some_and(|pool| pool.len() > 0))
    }

    fn place<R: Relation>(&self) -> Option<usize> {
        self.entries.iter().position(|entry| entry.relation == TypeId::of::<R>())
    }

    /// Notes that a relation is used.
    pub(super) fn note<R: Relation>(&mut self, components: &mut ComponentManager) {
        if self.place::<R>().is_some() {
            return;
        }
        let (links, linked_from) = (components.register::<Links<R>>(), components.register::<LinkedFrom<R>>());
        self.mask.insert(links);
        self.mask.insert(linked_from);
        self.entries.push(Entry {
            relation: TypeId::of::<R>(),
            name: std::any::type_name::<R>(),
            links,
            linked_from,
            leave: World::leave_links::<R>,
            dependents: World::dependents::<R>,
            end_links_of_source: World::end_links_of_source::<R>,
            end_links_of_target: World::end_links_of_target::<R>,
            spares: Box::<Vec<More<R>>>::default(),
        });
        let order = |entry: &Entry| (entry.relation != TypeId::of::<Parent>(), entry.name, entry.links);
        self.entries.sort_unstable_by_key(order);
    }

    /// An empty list of links, in reused memory if there is some.
    pub(super) fn spare_links<R: Relation>(&mut self) -> More<R> {
        self.spares::<R>().and_then(Vec::pop).unwrap_or_default()
    }

    /// Keeps the memory of an empty list of links.
    pub(super) fn recycle_links<R: Relation>(&mut self, links: More<R>) {
        debug_assert!(links.is_empty(), "links are dropped by the caller, since they may panic");
        if links.capacity() > 0
            && let Some(spares) = self.spares::<R>()
        {
            spares.push(links);
        }
    }

    fn spares<R: Relation>(&mut self) -> Option<&mut Vec<More<R>>> {
        let place = self.place::<R>()?;
        let spares: &mut dyn Any = &mut *self.entries[place].spares;
        spares.downcast_mut()
    }

    pub(super) fn spare_sources(&mut self) -> Vec<EntityId> {
        self.spare_sources.pop().unwrap_or_default()
    }

    pub(super) fn recycle_sources(&mut self, mut sources: Vec<EntityId>) {
        if sources.capacity() > 0 {
            sources.clear();
            self.spare_sources.push(sources);
        }
    }

    /// Bytes on the heap, except those of the components.
    pub(crate) fn held_bytes(&self) -> usize {
        let links = self.entries.iter().map(|entry| entry.spares.held_bytes()).sum::<usize>();
        let sources = self.spare_sources.iter().map(Vec::capacity).sum::<usize>() + self.waiting.capacity();
        links + sources * size_of::<EntityId>()
    }

    pub(crate) fn shrink(&mut self) {
        self.spare_sources = Vec::new();
        self.waiting = Vec::new();
        self.entries.iter_mut().for_each(|entry| entry.spares.shrink());
    }
}
