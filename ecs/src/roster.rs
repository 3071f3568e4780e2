//! Rosters: entities by a name that several of them may have, in the order in which they joined.

mod copies;
#[cfg(feature = "serde")]
mod saves;

use std::collections::BTreeMap;

use slotmap::SecondaryMap;

use crate::entity::{EntityId, without_gaps};
use crate::system::{Access, Param, RunContext};
use crate::world::World;

/// Named lists of entities; a parameter of systems and listeners, and what [`Engine::rosters`](crate::Engine::rosters) shows.
///
/// An entity joins any number of rosters, and leaves them all when it is despawned. A *tag* is a roster with one member:
/// tagging another entity takes the tag from the first. Systems change rosters by [`Commands`](crate::Commands).
///
/// # Example
/// ```
/// let mut engine = ecs::Engine::new();
/// let (anna, berta) = (engine.spawn(()), engine.spawn(()));
/// engine.join("guards", berta)?;
/// engine.join("guards", anna)?;
/// engine.tag("captain", anna)?;
/// engine.tag("captain", berta)?;
/// assert!(engine.rosters().members("guards").eq([berta, anna]), "in the order of joining");
/// assert_eq!(engine.rosters().tagged("captain"), Some(berta));
/// engine.despawn(berta)?;
/// assert!(engine.rosters().members("guards").eq([anna]));
/// # Ok::<(), ecs::NoSuchEntity>(())
/// ```
#[derive(Clone, Copy)]
pub struct Rosters<'w>(&'w RosterTable);

impl<'w> Rosters<'w> {
    pub(crate) fn new(table: &'w RosterTable) -> Self {
        Self(table)
    }

    /// The members in the order of joining, disabled ones included; none if nobody ever joined a roster of this name.
    pub fn members(&self, roster: &str) -> impl Iterator<Item = EntityId> + use<'w> {
        let table = self.0;
        let first = table.find(roster).and_then(|at| table.rosters[at].first);
        std::iter::successors(first, |at| table.memberships[*at].next).map(|at| table.memberships[at].entity)
    }

    /// How many members there are. O(log number of rosters).
    #[must_use]
    pub fn len(&self, roster: &str) -> usize {
        self.0.find(roster).map_or(0, |at| self.0.rosters[at].len)
    }

    /// Whether there are no members. O(log number of rosters).
    #[must_use]
    pub fn is_empty(&self, roster: &str) -> bool {
        self.len(roster) == 0
    }

    /// Whoever has the tag: the first member. O(log number of rosters).
    #[must_use]
    pub fn tagged(&self, tag: &str) -> Option<EntityId> {
        self.members(tag).next()
    }

    /// Whether `entity` is a member. O(log number of rosters + rosters of the entity).
    #[must_use]
    pub fn contains(&self, roster: &str, entity: EntityId) -> bool {
        self.0.find(roster).is_some_and(|at| self.0.membership(at, entity).is_some())
    }

    /// The names of the rosters of `entity`, in the order in which it joined them.
    pub fn of(&self, entity: EntityId) -> impl Iterator<Item = &'w str> + use<'w> {
        let table = self.0;
        table.memberships_of(entity).map(|at| &*table.rosters[table.memberships[at].roster].name)
    }

    /// The names of all rosters with members, sorted.
    pub fn names(&self) -> impl Iterator<Item = &'w str> + use<'w> {
        let table = self.0;
        table.by_name.iter().filter(|(_, at)| table.rosters[**at].len > 0).map(|(name, _)| &**name)
    }
}

impl Param for Rosters<'_> {
    type State = ();
    type Guard<'w> = &'w RosterTable;
    type Item<'g> = Rosters<'g>;

    fn prepare(_: &mut World, _: &mut Access) {}

    fn guard<'w>((): &'w (), context: &'w RunContext<'w>) -> Self::Guard<'w> {
        &context.world.rosters
    }

    fn item<'g>(table: &'g mut Self::Guard<'_>) -> Rosters<'g> {
        Rosters(table)
    }
}

/// All memberships in one list of places, linked by roster and by entity.
#[derive(Clone, Debug, Default)]
pub struct RosterTable {
    by_name: BTreeMap<Box<str>, usize>,
    /// In the order in which the names were first used. An empty roster keeps its place until memory is given back, so that
    /// filling it again allocates nothing.
    rosters: Vec<Roster>,
    memberships: Vec<Membership>,
    /// Places of memberships that ended.
    free: Vec<usize>,
    by_entity: SecondaryMap<EntityId, Chain>,
    /// Something may differ from the last snapshot.
    is_changed: bool,
}

#[derive(Clone, Debug)]
struct Roster {
    name: Box<str>,
    first: Option<usize>,
    last: Option<usize>,
    len: usize,
}

#[derive(Clone, Copy, Debug)]
struct Membership {
    entity: EntityId,
    roster: usize,
    previous: Option<usize>,
    next: Option<usize>,
    /// The membership of the same entity that began after this one.
    next_of_entity: Option<usize>,
}

/// The first and the last membership of an entity.
#[derive(Clone, Copy, Debug)]
struct Chain {
    first: usize,
    last: usize,
}

impl RosterTable {
    fn find(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    fn memberships_of(&self, entity: EntityId) -> impl Iterator<Item = usize> + '_ {
        let first = self.by_entity.get(entity).map(|chain| chain.first);
        std::iter::successors(first, |at| self.memberships[*at].next_of_entity)
    }

    fn membership(&self, roster: usize, entity: EntityId) -> Option<usize> {
        self.memberships_of(entity).find(|at| self.memberships[*at].roster == roster)
    }

    /// Adds an entity that exists to the end; returns whether it was no member.
    pub(crate) fn join(&mut self, name: &str, entity: EntityId) -> bool {
        let roster = self.find(name).unwrap_or_else(|| {
            self.by_name.insert(name.into(), self.rosters.len());
            self.rosters.push(Roster { name: name.into(), first: None, last: None, len: 0 });
            self.rosters.len() - 1
        });
        if self.membership(roster, entity).is_some() {
            return false;
        }
        self.is_changed = true;
        let previous = self.rosters[roster].last;
        let membership = Membership { entity, roster, previous, next: None, next_of_entity: None };
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
            None => self.rosters[roster].first = Some(at),
        }
        self.rosters[roster].last = Some(at);
        self.rosters[roster].len += 1;
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
        let Some(at) = self.find(name).and_then(|roster| self.membership(roster, entity)) else { return false };
        let before = self.memberships_of(entity).find(|before| self.memberships[*before].next_of_entity == Some(at));
        let after = self.memberships[at].next_of_entity;
        match (before, after) {
            (None, None) => drop(self.by_entity.remove(entity)),
            (None, Some(after)) => self.by_entity[entity].first = after,
            (Some(before), None) => {
                self.memberships[before].next_of_entity = None;
                self.by_entity[entity].last = before;
            }
            (Some(before), after) => self.memberships[before].next_of_entity = after,
        }
        self.unlink(at);
        true
    }

    /// Makes an entity that exists the only member.
    pub(crate) fn tag(&mut self, name: &str, entity: EntityId) {
        loop {
            let other = Rosters(self).members(name).find(|member| *member != entity);
            let Some(other) = other else { break };
            self.leave(name, other);
        }
        self.join(name, entity);
    }

    /// The entity is gone.
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

    /// Bytes on the heap. O(number of rosters).
    pub(crate) fn held_bytes(&self) -> usize {
        // Each name is there twice, as the key and in its roster.
        let names: usize = self.rosters.iter().map(|roster| 2 * roster.name.len()).sum();
        names
            + self.by_name.len() * size_of::<(Box<str>, usize)>()
            + self.rosters.capacity() * size_of::<Roster>()
            + self.memberships.capacity() * size_of::<Membership>()
            + self.free.capacity() * size_of::<usize>()
            + self.by_entity.capacity() * size_of::<(u32, Chain)>()
    }

    /// Gives back the memory that is not used, that of rosters without members among it.
    pub(crate) fn shrink(&mut self) {
        self.forget_empty_rosters();
        let Self { rosters, memberships, free, by_entity, .. } = self;
        // Where each membership goes, when those that ended are left out.
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
            let Membership { previous, next, next_of_entity, .. } = membership;
            (*previous, *next, *next_of_entity) = (moved(*previous), moved(*next), moved(*next_of_entity));
        }
        for Roster { first, last, .. } in rosters.iter_mut() {
            (*first, *last) = (moved(*first), moved(*last));
        }
        *by_entity = without_gaps(by_entity);
        for Chain { first, last } in by_entity.values_mut() {
            let place = |at: usize| places[at].expect("whoever has a chain is a member");
            (*first, *last) = (place(*first), place(*last));
        }
        *free = Vec::new();
        memberships.shrink_to_fit();
        rosters.shrink_to_fit();
    }

    /// Forgets the names of rosters without members; the others move up.
    fn forget_empty_rosters(&mut self) {
        let mut kept = 0;
        let places = self.rosters.iter().map(|roster| {
            kept += usize::from(roster.len > 0);
            (roster.len > 0).then(|| kept - 1)
        });
        let places: Vec<Option<usize>> = places.collect();
        self.rosters.retain(|roster| roster.len > 0);
        self.by_name.retain(|_, at| {
            let place = places[*at];
            *at = place.unwrap_or(*at);
            place.is_some()
        });
        for membership in &mut self.memberships {
            // What ended names a roster that may be gone, until it is used again.
            membership.roster = places[membership.roster].unwrap_or(0);
        }
    }

    /// Takes a membership out of its roster.
    fn unlink(&mut self, at: usize) {
        self.is_changed = true;
        let Membership { roster, previous, next, .. } = self.memberships[at];
        match previous {
            Some(previous) => self.memberships[previous].next = next,
            None => self.rosters[roster].first = next,
        }
        match next {
            Some(next) => self.memberships[next].previous = previous,
            None => self.rosters[roster].last = previous,
        }
        self.rosters[roster].len -= 1;
        self.free.push(at);
    }
}
