//! The components at both ends of a link.

use std::collections::{VecDeque, vec_deque};
use std::fmt;
use std::iter::{self, Chain, Flatten, Once};
use std::marker::PhantomData;
use std::ops::Deref;

use super::Relation;
use super::places::{Holes, Places, find_near_ends, renew};
use crate::entity::EntityId;
use crate::steps;
#[cfg(feature = "serde")]
use crate::type_map::short_name;

/// Component of each entity with links of a [`Relation`] to others: the targets with their data, in the order in which
/// the links were made.
///
/// There is always at least one. Only the engine inserts and writes it; removing it ends all its links.
pub struct Links<R> {
    /// Inline, since most entities have one link.
    pub(crate) first: Link<R>,
    /// The others. In a long list, a link that ended left `None`.
    more: More<R>,
    /// Since a link ended far from both ends.
    long: Option<Box<Long>>,
}

/// What a long list of links has besides.
#[derive(Default)]
struct Long {
    /// The places of the targets in `more`, behind as many as are `gone` at its front.
    places: Places,
    gone: usize,
    /// How many of `more` are `None`.
    ended: usize,
}

/// A target with the data of its link.
pub(crate) type Link<R> = (EntityId, R);

/// All links but the first.
pub(crate) type More<R> = VecDeque<Option<Link<R>>>;

// A component of any relation, also of one that pins itself.
impl<R> Unpin for Links<R> {}

impl<R> Links<R> {
    pub(crate) fn with(first: Link<R>, more: More<R>) -> Self {
        Self { first, more, long: None }
    }

    /// Copies all links but the first, in the memory of `self`.
    pub(super) fn copy_more_from(&mut self, from: &Self)
    where
        R: Clone,
    {
        self.more.clone_from(&from.more);
        if from.long.is_some() {
            self.more.retain(Option::is_some);
        }
        self.long = None;
    }
}

impl<R: Relation> Links<R> {
    /// The first link: of an [exclusive](Relation::EXCLUSIVE) relation, the only one.
    #[must_use]
    pub fn first(&self) -> (EntityId, &R) {
        (self.first.0, &self.first.1)
    }

    /// The targets with the data of their links.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (EntityId, &R)> {
        let mut links = iter::once(&self.first).chain(self.more.iter().flatten());
        (0..self.len()).map(move |_| {
            let (target, relation) = links.next().expect("it counts its links");
            (*target, relation)
        })
    }

    /// The number of links.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "it is never empty")]
    pub fn len(&self) -> usize {
        1 + self.more.len() - self.long.as_ref().map_or(0, |long| long.ended)
    }

    /// The data of the link to `target`, if there is one. O(number of links).
    #[must_use]
    pub fn get(&self, target: EntityId) -> Option<&R> {
        self.iter().find(|(other, _)| *other == target).map(|(_, relation)| relation)
    }

    /// The place and the target of the first link from a place on.
    pub(crate) fn target_from(&self, place: usize) -> Option<(usize, EntityId)> {
        match place.checked_sub(1) {
            None => Some((0, self.first.0)),
            Some(at) => {
                let mut places = at..self.more.len();
                places.find_map(|at| self.more[at].as_ref().map(|link| (at + 1, link.0)))
            }
        }
    }

    pub(crate) fn iter_mut(&mut self) -> IterMut<'_, R> {
        IterMut(iter::once(&mut self.first).chain(self.more.iter_mut().flatten()))
    }

    pub(crate) fn get_mut(&mut self, target: EntityId) -> Option<&mut R> {
        if self.first.0 == target {
            return Some(&mut self.first.1);
        }
        match &self.long {
            Some(long) => self.more[long.places.get(target)? - long.gone].as_mut().map(|link| &mut link.1),
            None => self.more.iter_mut().flatten().find(|(other, _)| *other == target).map(|(_, relation)| relation),
        }
    }

    /// Whether there is memory for a second link.
    pub(crate) fn has_room(&self) -> bool {
        self.more.capacity() > 0
    }

    /// Gives memory to the only link for others.
    pub(crate) fn set_room(&mut self, room: More<R>) {
        self.more = room;
    }

    pub(crate) fn push(&mut self, link: Link<R>) {
        if let Some(long) = &mut self.long {
            long.places.insert(link.0, long.gone + self.more.len());
        }
        self.more.push_back(Some(link));
    }

    /// Takes out all links but the first.
    pub(crate) fn take_more(&mut self) -> More<R> {
        self.long = None;
        std::mem::take(&mut self.more)
    }

    /// Takes out a link, which must not be the only one. O(1) on average.
    pub(crate) fn take(&mut self, target: EntityId) -> Option<R> {
        if self.first.0 == target {
            let before = self.more.len();
            let next = loop {
                if let Some(next) = self.more.pop_front()? {
                    break next;
                }
            };
            if let Some(long) = &mut self.long {
                let gone = before - self.more.len();
                long.gone += gone;
                // All of them but `next`.
                long.ended -= gone - 1;
                long.places.remove(next.0);
            }
            return Some(std::mem::replace(&mut self.first, next).1);
        }
        if self.long.is_none() {
            let is_it = |at: usize| self.more[at].as_ref().is_some_and(|link| link.0 == target);
            if let Some(at) = find_near_ends(self.more.len(), is_it) {
                steps::count(at.min(self.more.len() - at));
                return self.more.remove(at).flatten().map(|link| link.1);
            }
            self.read_places();
        }
        let long = self.long.as_mut()?;
        let link = self.more[long.places.remove(target)? - long.gone].take();
        long.ended += 1;
        steps::count(1);
        if long.ended > self.more.len() - long.ended {
            self.more.retain(Option::is_some);
            self.read_places();
        }
        link.map(|link| link.1)
    }

    /// Reads the places of a list without gaps.
    fn read_places(&mut self) {
        let long = self.long.get_or_insert_default();
        (long.gone, long.ended) = (0, 0);
        renew(&mut long.places, self.more.iter().flatten().map(|link| link.0));
    }
}

/// The targets of an entity with the data of their links for writing; see [`LinksMut`](crate::query::LinksMut).
pub struct IterMut<'q, R>(Chain<Once<&'q mut Link<R>>, OthersMut<'q, R>>);

type OthersMut<'q, R> = Flatten<vec_deque::IterMut<'q, Option<Link<R>>>>;

impl<'q, R> Iterator for IterMut<'q, R> {
    type Item = (EntityId, &'q mut R);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(target, relation)| (*target, relation))
    }
}

/// From a save.
#[cfg(feature = "serde")]
impl<R: Relation> Links<R> {
    pub(crate) fn of(mut links: Vec<(EntityId, R)>) -> Result<Self, String> {
        let targets = links.iter().map(|(target, _)| *target).collect();
        check_each_once(targets)?;
        if R::EXCLUSIVE && links.len() > 1 {
            return Err(format!("it has {} links of {}, which is exclusive", links.len(), short_name::<R>()));
        }
        let first = links.remove(0);
        Ok(Self::with(first, links.into_iter().map(Some).collect()))
    }
}

#[cfg(feature = "serde")]
impl<R> LinkedFrom<R> {
    pub(crate) fn of(sources: Vec<EntityId>) -> Result<Self, String> {
        check_each_once(sources.clone())?;
        Ok(Self::new(sources))
    }
}

/// Checks the entities at the other ends of links.
#[cfg(feature = "serde")]
fn check_each_once(mut entities: Vec<EntityId>) -> Result<(), String> {
    entities.sort_unstable();
    if entities.is_empty() {
        return Err("it has no link".to_owned());
    }
    match entities.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(format!("it has two links with entity {}", pair[0])),
        None => Ok(()),
    }
}

impl<R: Relation + fmt::Debug> fmt::Debug for Links<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<R: Relation + PartialEq> PartialEq for Links<R> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

/// Component of each entity to which links of a [`Relation`] lead: the sources, in the order in which the links were
/// made. It reads like a slice.
///
/// There is always at least one. Only the engine inserts and writes it; removing it ends all these links.
pub struct LinkedFrom<R> {
    /// The sources, behind those that are gone.
    sources: Vec<EntityId>,
    /// How many at the front of `sources` are gone: at most as many as are left, so that the first one goes in O(1).
    gone: usize,
    /// Since a link ended far from both ends; none are `gone` then.
    holes: Option<Box<Holes>>,
    relation: PhantomData<fn(R)>,
}

impl<R> LinkedFrom<R> {
    /// The number of sources. O(1).
    #[must_use]
    pub fn len(&self) -> usize {
        self.sources.len() - self.gone - self.holes.as_ref().map_or(0, |holes| holes.count())
    }

    /// Whether there is no source: never, for one that is read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether there is a link from `source`. O(number of sources).
    #[must_use]
    pub fn contains(&self, source: &EntityId) -> bool {
        match &self.holes {
            Some(holes) => holes.contains(*source),
            None => self.sources[self.gone..].contains(source),
        }
    }

    pub(crate) fn new(sources: Vec<EntityId>) -> Self {
        Self { sources, gone: 0, holes: None, relation: PhantomData }
    }

    pub(crate) fn push(&mut self, source: EntityId) {
        match &mut self.holes {
            Some(holes) => holes.push(&mut self.sources, source),
            None => self.sources.push(source),
        }
    }

    /// Takes out a source. O(1) on average.
    pub(crate) fn remove(&mut self, source: EntityId) {
        if self.holes.is_none() {
            let count = self.len();
            if let Some(at) = find_near_ends(count, |at| self.sources[self.gone + at] == source) {
                return self.remove_at(at, count);
            }
            self.forget_gone();
        }
        let holes = self.holes.get_or_insert_with(|| Box::new(Holes::new(&self.sources)));
        holes.remove(&mut self.sources, source);
    }

    fn remove_at(&mut self, at: usize, count: usize) {
        if at < count / 2 {
            steps::count(at);
            self.sources.copy_within(self.gone..self.gone + at, self.gone + 1);
            self.gone += 1;
        } else {
            steps::count(count - at);
            self.sources.remove(self.gone + at);
        }
        if self.gone > self.len() {
            self.forget_gone();
        }
    }

    /// All sources, of which none is left.
    pub(crate) fn take_all(&mut self) -> Vec<EntityId> {
        self.forget_gone();
        std::mem::take(&mut self.sources)
    }

    /// Sorts the sources; equal ones keep their order.
    #[cfg(feature = "prefabs")]
    pub(crate) fn sort_by_key(&mut self, key: impl Fn(&EntityId) -> usize) {
        self.forget_gone();
        self.sources.sort_by_key(key);
    }

    /// A copy in the memory of `self`.
    pub(super) fn copy_sources_from(&mut self, from: &Self) {
        self.sources.clear();
        self.sources.extend_from_slice(from);
        (self.gone, self.holes) = (0, None);
    }

    /// Makes `sources` the list itself.
    fn forget_gone(&mut self) {
        self.sources.drain(..std::mem::take(&mut self.gone));
        if self.holes.take().is_some() {
            self.sources.retain(|source| *source != EntityId::default());
        }
    }
}

impl<R> Deref for LinkedFrom<R> {
    type Target = [EntityId];

    fn deref(&self) -> &[EntityId] {
        match &self.holes {
            Some(holes) => holes.closed(&self.sources),
            None => &self.sources[self.gone..],
        }
    }
}

impl<'a, R> IntoIterator for &'a LinkedFrom<R> {
    type Item = &'a EntityId;
    type IntoIter = std::slice::Iter<'a, EntityId>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<R> fmt::Debug for LinkedFrom<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<R> PartialEq for LinkedFrom<R> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}
