//! Named lists of entities, in the order of joining.

mod copies;
#[cfg(feature = "serde")]
mod saves;

use std::collections::BTreeMap;

use slotmap::SecondaryMap;

use crate::entity::{EntityId, compacted};
use crate::steps::count;

/// Named lists of entities; a parameter of systems and listeners, and what
/// [`Engine::entity_lists`](crate::Engine::entity_lists) shows.
///
/// An entity joins any number of entity lists, and leaves them all when it is despawned. A *tag* is an entity list with
/// one member: tagging another entity takes the tag from the first. Systems change entity lists by
/// [`Commands`](crate::Commands).
///
/// # Example
/// ```
/// let mut engine = ecs::Engine::new();
/// let (anna, berta) = (engine.spawn(()), engine.spawn(()));
/// engine.join("guards", berta)?;
/// engine.join("guards", anna)?;
/// engine.tag("captain", anna)?;
/// engine.tag("captain", berta)?;
/// assert!(engine.entity_lists().members("guards").eq([berta, anna]), "in the order of joining");
/// assert_eq!(engine.entity_lists().tagged("captain"), Some(berta));
/// engine.despawn(berta)?;
/// assert!(engine.entity_lists().members("guards").eq([anna]));
/// # Ok::<(), ecs::NoSuchEntity>(())
/// ```
#[derive(Clone, Copy)]
pub struct EntityLists<'w>(&'w EntityListTable);

impl<'w> EntityLists<'w> {
    pub(crate) fn new(table: &'w EntityListTable) -> Self {
        Self(table)
    }

    /// The members in the order of joining, disabled ones included; none for an unknown name.
    pub fn members(&self, entity_list: &str) -> impl Iterator<Item = EntityId> + use<'w> {
        let table = self.0;
        let first = table.find(entity_list).and_then(|at| table.entity_lists[at].first);
        std::iter::successors(first, |at| table.memberships[*at].next).map(|at| table.memberships[at].entity)
    }

    /// The number of members. O(log number of entity lists).
    #[must_use]
    pub fn len(&self, entity_list: &str) -> usize {
        self.0.find(entity_list).map_or(0, |at| self.0.entity_lists[at].len)
    }

    /// Whether there are no members. O(log number of entity lists).
    #[must_use]
    pub fn is_empty(&self, entity_list: &str) -> bool {
        self.len(entity_list) == 0
    }

    /// The entity with the tag: the first member. O(log number of entity lists).
    #[must_use]
    pub fn tagged(&self, tag: &str) -> Option<EntityId> {
        self.members(tag).next()
    }

    /// Whether `entity` is a member. O(log number of entity lists + the lesser of the members and the entity lists of
    /// the entity).
    #[must_use]
    pub fn contains(&self, entity_list: &str, entity: EntityId) -> bool {
        self.0.find(entity_list).is_some_and(|at| self.0.membership(at, entity).is_some())
    }

    /// The names of the entity lists of `entity`, in the order in which it joined them.
    pub fn of(&self, entity: EntityId) -> impl Iterator<Item = &'w str> + use<'w> {
        let table = self.0;
        table.memberships_of(entity).map(|at| &*table.entity_lists[table.memberships[at].entity_list].name)
    }

    /// The names of all entity lists with members, sorted.
    pub fn names(&self) -> impl Iterator<Item = &'w str> + use<'w> {
        let table = self.0;
        table.by_name.iter().filter(|(_, at)| table.entity_lists[**at].len > 0).map(|(name, _)| &**name)
    }
}

/// All memberships, linked by entity list and by entity. Links are places in `memberships`.
#[derive(Clone, Debug, Default)]
pub struct EntityListTable {
    by_name: BTreeMap<Box<str>, usize>,
    /// In the order of first use. An empty entity list keeps its place until `shrink`, so that filling it again
    /// allocates nothing.
    entity_lists: Vec<EntityList>,
    memberships: Vec<Membership>,
    /// Places of memberships that ended.
    free: Vec<usize>,
    by_entity: SecondaryMap<EntityId, Chain>,
    /// Dirty flag: anything may differ from the last snapshot.
    is_changed: bool,
}

#[derive(Clone, Debug)]
struct EntityList {
    name: Box<str>,
    first: Option<usize>,
    last: Option<usize>,
    len: usize,
}

#[derive(Clone, Copy, Debug)]
struct Membership {
    entity: EntityId,
    entity_list: usize,
    previous: Option<usize>,
    next: Option<usize>,
    /// The memberships of the same entity that began before and after this one.
    previous_of_entity: Option<usize>,
    next_of_entity: Option<usize>,
}

/// The first and the last membership of an entity.
#[derive(Clone, Copy, Debug)]
struct Chain {
    first: usize,
    last: usize,
}

impl EntityListTable {
    fn find(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    fn memberships_of(&self, entity: EntityId) -> impl Iterator<Item = usize> + '_ {
        let first = self.by_entity.get(entity).map(|chain| chain.first);
        std::iter::successors(first, |at| self.memberships[*at].next_of_entity)
    }

    /// Searches the members of the entity list and the memberships of the entity side by side, until the shorter one
    /// ends.
    fn membership(&self, entity_list: usize, entity: EntityId) -> Option<usize> {
        let members = std::iter::successors(self.entity_lists[entity_list].first, |at| self.memberships[*at].next);
        members.zip(self.memberships_of(entity)).find_map(|(member, own)| {
            count(1);
            let is_member = self.memberships[member].entity == entity;
            let is_own = self.memberships[own].entity_list == entity_list;
            is_member.then_some(member).or(is_own.then_some(own))
        })
    }

    /// Appends an entity that exists; returns whether it was no member.
    pub(crate) fn join(&mut self, name: &str, entity: EntityId) -> bool {
        let entity_list = self.find(name).unwrap_or_else(|| {
            self.by_name.insert(name.into(), self.entity_lists.len());
            self.entity_lists.push(EntityList { name: name.into(), first: None, last: None, len: 0 });
            self.entity_lists.len() - 1
        });
        if self.membership(entity_list, entity).is_some() {
            return false;
        }
        self.is_changed = true;
        let previous = self.entity_lists[entity_list].last;
        let previous_of_entity = self.by_entity.get(entity).map(|chain| chain.last);
        let (next, next_of_entity) = (None, None);
        let membership = Membership { entity, entity_list, previous, next, previous_of_entity, next_of_entity };
        let at = match self.free.pop() {
            Some(at) => {
                self.memberships[at] = membership;
                at
            }
            None => {
                self.memberships.push(membership);
                self.memberships.len() - 1
            }
        };
        match previous {
            Some(previous) => self.memberships[previous].next = Some(at),
            None => self.entity_lists[entity_list].first = Some(at),
        }
        self.entity_lists[entity_list].last = Some(at);
        self.entity_lists[entity_list].len += 1;
        match self.by_entity.get_mut(entity) {
            Some(chain) => {
                self.memberships[chain.last].next_of_entity = Some(at);
                chain.last = at;
            }
            None => drop(self.by_entity.insert(entity, Chain { first: at, last: at })),
        }
        true
    }

    /// Returns whether the entity was a member.
    pub(crate) fn leave(&mut self, name: &str, entity: EntityId) -> bool {
        let Some(at) = self.find(name).and_then(|entity_list| self.membership(entity_list, entity)) else {
            return false;
        };
        let Membership { previous_of_entity: before, next_of_entity: after, .. } = self.memberships[at];
        if (before, after) == (None, None) {
            self.by_entity.remove(entity);
        }
        match before {
            Some(before) => self.memberships[before].next_of_entity = after,
            None => after.into_iter().for_each(|after| self.by_entity[entity].first = after),
        }
        match after {
            Some(after) => self.memberships[after].previous_of_entity = before,
            None => before.into_iter().for_each(|before| self.by_entity[entity].last = before),
        }
        self.unlink(at);
        true
    }

    /// Makes an entity that exists the only member.
    pub(crate) fn tag(&mut self, name: &str, entity: EntityId) {
        loop {
            let other = EntityLists(self).members(name).find(|member| *member != entity);
            let Some(other) = other else { break };
            self.leave(name, other);
        }
        self.join(name, entity);
    }

    /// Forgets a despawned entity.
    #[inline]
    pub(crate) fn forget(&mut self, entity: EntityId) {
        if self.by_entity.is_empty() {
            return;
        }
        let mut next = self.by_entity.remove(entity).map(|chain| chain.first);
        while let Some(at) = next {
            next = self.memberships[at].next_of_entity;
            self.unlink(at);
        }
    }

    /// Bytes on the heap. O(number of entity lists).
    pub(crate) fn held_bytes(&self) -> usize {
        // Each name is stored twice, as the key and in its entity list.
        let names: usize = self.entity_lists.iter().map(|entity_list| 2 * entity_list.name.len()).sum();
        names
            + self.by_name.len() * size_of::<(Box<str>, usize)>()
            + self.entity_lists.capacity() * size_of::<EntityList>()
            + self.memberships.capacity() * size_of::<Membership>()
            + self.free.capacity() * size_of::<usize>()
            + self.by_entity.capacity() * size_of::<(u32, Chain)>()
    }

    /// Releases unused memory and forgets entity lists without members.
    pub(crate) fn shrink(&mut self) {
        self.forget_empty_entity_lists();
        let Self { entity_lists, memberships, free, by_entity, .. } = self;
        // The new place of each membership, without the free ones.
        let mut places = vec![Some(0); memberships.len()];
        free.iter().for_each(|at| places[*at] = None);
        places.iter_mut().flatten().enumerate().for_each(|(new, place)| *place = new);
        let moved = |at: Option<usize>| at.and_then(|at| places[at]);
        let mut at = 0;
        memberships.retain(|_| {
            at += 1;
            places[at - 1].is_some()
        });
        for membership in memberships.iter_mut() {
            let Membership { previous, next, previous_of_entity, next_of_entity, .. } = membership;
            (*previous, *next) = (moved(*previous), moved(*next));
            (*previous_of_entity, *next_of_entity) = (moved(*previous_of_entity), moved(*next_of_entity));
        }
        for EntityList { first, last, .. } in entity_lists.iter_mut() {
            (*first, *last) = (moved(*first), moved(*last));
        }
        *by_entity = compacted(by_entity);
        for Chain { first, last } in by_entity.values_mut() {
            let place = |at: usize| places[at].expect("an entity with a chain is a member");
            (*first, *last) = (place(*first), place(*last));
        }
        *free = Vec::new();
        memberships.shrink_to_fit();
        entity_lists.shrink_to_fit();
    }

    /// Forgets the names of entity lists without members; the others move up.
    fn forget_empty_entity_lists(&mut self) {
        let mut kept = 0;
        let places = self.entity_lists.iter().map(|entity_list| {
            kept += usize::from(entity_list.len > 0);
            (entity_list.len > 0).then(|| kept - 1)
        });
        let places: Vec<Option<usize>> = places.collect();
        self.entity_lists.retain(|entity_list| entity_list.len > 0);
        self.by_name.retain(|_, at| {
            let place = places[*at];
            *at = place.unwrap_or(*at);
            place.is_some()
        });
        for membership in &mut self.memberships {
            // A free membership may refer to an entity list that was removed.
            membership.entity_list = places[membership.entity_list].unwrap_or(0);
        }
    }

    /// Removes a membership from its entity list.
    fn unlink(&mut self, at: usize) {
        self.is_changed = true;
        let Membership { entity_list, previous, next, .. } = self.memberships[at];
        match previous {
            Some(previous) => self.memberships[previous].next = next,
            None => self.entity_lists[entity_list].first = next,
        }
        match next {
            Some(next) => self.memberships[next].previous = previous,
            None => self.entity_lists[entity_list].last = previous,
        }
        self.entity_lists[entity_list].len -= 1;
        self.free.push(at);
    }
}
