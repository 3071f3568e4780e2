//! The components at both ends of a link.

use std::collections::{VecDeque, vec_deque};
use std::fmt;
use std::iter::{Chain, Once};
use std::marker::PhantomData;
use std::ops::Deref;

use super::Relation;
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
    pub(crate) first: (EntityId, R),
    pub(crate) more: VecDeque<(EntityId, R)>,
}

// A component of any relation, also of one that pins itself.
impl<R> Unpin for Links<R> {}

impl<R: Relation> Links<R> {
    /// The first link: of an [exclusive](Relation::EXCLUSIVE) relation, the only one.
    #[must_use]
    pub fn first(&self) -> (EntityId, &R) {
        (self.first.0, &self.first.1)
    }

    /// The targets with the data of their links.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (EntityId, &R)> {
        (0..self.len()).map(|at| {
            let (target, relation) = self.at(at);
            (*target, relation)
        })
    }

    /// The number of links.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "it is never empty")]
    pub fn len(&self) -> usize {
        1 + self.more.len()
    }

    /// The data of the link to `target`, if there is one. O(number of links).
    #[must_use]
    pub fn get(&self, target: EntityId) -> Option<&R> {
        self.iter().find(|(other, _)| *other == target).map(|(_, relation)| relation)
    }

    fn at(&self, at: usize) -> &(EntityId, R) {
        if at == 0 { &self.first } else { &self.more[at - 1] }
    }

    /// The target of a link by its place.
    pub(crate) fn target(&self, at: usize) -> Option<EntityId> {
        (at < self.len()).then(|| self.at(at).0)
    }

    pub(crate) fn iter_mut(&mut self) -> IterMut<'_, R> {
        IterMut(std::iter::once(&mut self.first).chain(&mut self.more))
    }

    pub(crate) fn get_mut(&mut self, target: EntityId) -> Option<&mut R> {
        self.iter_mut().find(|(other, _)| *other == target).map(|(_, relation)| relation)
    }

    /// Takes out a link, which must not be the only one. O(links between it and the nearer end).
    pub(crate) fn take(&mut self, target: EntityId) -> Option<R> {
        let at = find_from_both_ends(self.len(), |at| self.at(at).0 == target)?;
        let link = match at.checked_sub(1) {
            None => std::mem::replace(&mut self.first, self.more.pop_front()?),
            Some(at) => {
                steps::count(at.min(self.more.len() - at));
                self.more.remove(at)?
            }
        };
        Some(link.1)
    }
}

/// The place of an element, looked for from both ends at once: what comes and goes in order, or in reverse, is found
/// soon.
fn find_from_both_ends(count: usize, is_it: impl Fn(usize) -> bool) -> Option<usize> {
    let pairs = (0..count.div_ceil(2)).inspect(|_| steps::count(1));
    pairs.flat_map(|at| [at, count - 1 - at]).find(|at| is_it(*at))
}

/// The targets of an entity with the data of their links for writing; see [`LinksMut`](crate::query::LinksMut).
pub struct IterMut<'q, R>(Chain<Once<&'q mut Link<R>>, vec_deque::IterMut<'q, Link<R>>>);

/// A target with the data of its link.
type Link<R> = (EntityId, R);

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
        Ok(Self { first, more: links.into() })
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
    relation: PhantomData<fn(R)>,
}

impl<R> LinkedFrom<R> {
    pub(crate) fn new(sources: Vec<EntityId>) -> Self {
        Self { sources, gone: 0, relation: PhantomData }
    }

    pub(crate) fn push(&mut self, source: EntityId) {
        self.sources.push(source);
    }

    /// Takes out a source. O(sources between it and the nearer end).
    pub(crate) fn remove(&mut self, source: EntityId) {
        let Some(at) = find_from_both_ends(self.len(), |at| self[at] == source) else { return };
        if at < self.len() / 2 {
            steps::count(at);
            self.sources.copy_within(self.gone..self.gone + at, self.gone + 1);
            self.gone += 1;
        } else {
            steps::count(self.len() - at);
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
        self.sources[self.gone..].sort_by_key(key);
    }

    /// A copy in the memory of `self`.
    pub(super) fn copy_sources_from(&mut self, from: &Self) {
        self.sources.clear();
        self.sources.extend_from_slice(from);
        self.gone = 0;
    }

    fn forget_gone(&mut self) {
        self.sources.drain(..std::mem::take(&mut self.gone));
    }
}

impl<R> Deref for LinkedFrom<R> {
    type Target = [EntityId];

    fn deref(&self) -> &[EntityId] {
        &self.sources[self.gone..]
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
