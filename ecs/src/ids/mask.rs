//! Sets of any number of component types.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{BitAnd, BitOr, Sub};

/// Identifies a component type within one engine. Ids count from 0 in the order of registration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ComponentId(pub(crate) u32);

impl ComponentId {
    pub(crate) fn at(index: usize) -> Self {
        Self(u32::try_from(index).expect("fewer than 2^32 component types"))
    }

    /// The id as an index from 0.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of component types. The first 64 types need no allocation.
///
/// [`EntityManager::mask`](crate::EntityManager::mask) is the set of an entity,
/// [`World::mask_of`](crate::World::mask_of) the set of some types,
/// [`ComponentManager::mask_by_names`](crate::ComponentManager::mask_by_names) the set of some names; ids can be
/// collected into a set. A [`MaskQuery`](crate::query::MaskQuery) finds the entities that have one set and nothing of
/// another. `|` is the union, `&` the intersection, `-` the difference. A set is valid only in the engine that it comes
/// from.
///
/// # Example
/// ```
/// let mut engine = ecs::Engine::new();
/// let cart = engine.spawn((1.5_f32, "cart"));
/// let wheel = engine.spawn((1.5_f32,));
/// let of = |entity| engine.entities().mask(entity).unwrap().clone();
/// let (cart, wheel) = (of(cart), of(wheel));
/// assert!(wheel.is_subset(&cart) && !cart.is_subset(&wheel));
/// assert_eq!((&cart - &wheel).names(engine.components()).to_string(), "{&str}");
/// ```
#[derive(Default)]
pub struct ComponentMask {
    first: u64,
    // Boxed twice to keep a mask at 16 bytes: each entity has one, and few need more words.
    #[allow(clippy::box_collection)]
    rest: Option<Box<Vec<u64>>>,
}

impl ComponentMask {
    fn words(&self) -> impl Iterator<Item = u64> + '_ {
        std::iter::once(self.first).chain(self.rest.iter().flat_map(|rest| rest.iter().copied()))
    }

    #[inline]
    fn word(&self, index: usize) -> u64 {
        match index {
            0 => self.first,
            _ => self.rest.as_ref().and_then(|rest| rest.get(index - 1)).copied().unwrap_or(0),
        }
    }

    #[inline]
    fn word_mut(&mut self, index: usize) -> &mut u64 {
        if index == 0 { &mut self.first } else { self.word_of_rest(index) }
    }

    #[cold]
    fn word_of_rest(&mut self, index: usize) -> &mut u64 {
        let rest = self.rest.get_or_insert_default();
        if rest.len() < index {
            rest.resize(index, 0);
        }
        &mut rest[index - 1]
    }

    /// Whether the set holds `id`. O(1).
    #[must_use]
    #[inline]
    pub fn contains(&self, id: ComponentId) -> bool {
        self.word(id.index() / 64) >> (id.index() % 64) & 1 == 1
    }

    /// Adds `id`; returns whether it was not in the set before. O(1).
    #[inline]
    pub fn insert(&mut self, id: ComponentId) -> bool {
        let word = self.word_mut(id.index() / 64);
        let bit = 1 << (id.index() % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Adds every type of `other`.
    #[inline]
    pub fn insert_all(&mut self, other: &Self) {
        self.first |= other.first;
        if other.rest.is_some() {
            self.insert_rest(other);
        }
    }

    #[cold]
    fn insert_rest(&mut self, other: &Self) {
        for (index, word) in other.words().enumerate().skip(1) {
            *self.word_mut(index) |= word;
        }
    }

    /// Removes every type of `other`.
    pub fn remove_all(&mut self, other: &Self) {
        self.change(|index, word| word & !other.word(index));
    }

    /// Removes every type that is not in `other`.
    pub fn retain_all(&mut self, other: &Self) {
        self.change(|index, word| word & other.word(index));
    }

    fn change(&mut self, change: impl Fn(usize, u64) -> u64) {
        self.first = change(0, self.first);
        for (at, word) in self.rest.iter_mut().flat_map(|rest| rest.iter_mut()).enumerate() {
            *word = change(at + 1, *word);
        }
    }

    /// Removes `id`; returns whether it was in the set. O(1).
    #[inline]
    pub fn remove(&mut self, id: ComponentId) -> bool {
        if id.index() >= 64 {
            return self.remove_from_rest(id);
        }
        let bit = 1 << id.index();
        let was_there = self.first & bit != 0;
        self.first &= !bit;
        was_there
    }

    #[cold]
    fn remove_from_rest(&mut self, id: ComponentId) -> bool {
        let was_there = self.contains(id);
        if was_there {
            *self.word_mut(id.index() / 64) &= !(1 << (id.index() % 64));
        }
        was_there
    }

    /// Bytes on the heap.
    pub(crate) fn held_bytes(&self) -> usize {
        self.rest.as_ref().map_or(0, |rest| size_of::<Vec<u64>>() + rest.capacity() * size_of::<u64>())
    }

    /// Removes all types and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.first = 0;
        if let Some(rest) = &mut self.rest {
            rest.fill(0);
        }
    }

    /// Removes the lowest type.
    #[inline]
    pub(crate) fn pop_first(&mut self) -> Option<ComponentId> {
        if self.first == 0 {
            return self.pop_of_rest();
        }
        let bit = self.first.trailing_zeros();
        self.first &= self.first - 1;
        Some(ComponentId(bit))
    }

    fn pop_of_rest(&mut self) -> Option<ComponentId> {
        let words = self.rest.as_mut()?;
        let (at, word) = words.iter_mut().enumerate().find(|(_, word)| **word != 0)?;
        let bit = word.trailing_zeros();
        *word &= *word - 1;
        Some(ComponentId((at as u32 + 1) * 64 + bit))
    }

    /// The number of types.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.first == 0 && self.rest.as_ref().is_none_or(|rest| rest.iter().all(|word| *word == 0))
    }

    /// Whether every type of this set is in `other`.
    #[must_use]
    #[inline]
    pub fn is_subset(&self, other: &Self) -> bool {
        // Fast path: few sets have more than one word.
        self.first & !other.first == 0
            && (self.rest.is_none() || self.all_words(|index, word| word & !other.word(index) == 0))
    }

    #[cold]
    fn all_words(&self, holds: impl Fn(usize, u64) -> bool) -> bool {
        self.words().enumerate().all(|(index, word)| holds(index, word))
    }

    /// Whether no type is in both sets.
    #[must_use]
    pub fn is_disjoint(&self, other: &Self) -> bool {
        self.words().enumerate().all(|(index, word)| word & other.word(index) == 0)
    }

    /// The types of the set in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = ComponentId> + '_ {
        self.words().enumerate().flat_map(|(index, word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                (left != 0).then(|| {
                    let bit = left.trailing_zeros();
                    left &= left - 1;
                    ComponentId(index as u32 * 64 + bit)
                })
            })
        })
    }
}

impl Clone for ComponentMask {
    fn clone(&self) -> Self {
        Self { first: self.first, rest: self.rest.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        self.first = source.first;
        // Memory is reused: snapshots may copy masks in every frame.
        match (&mut self.rest, &source.rest) {
            (Some(rest), Some(from)) => (**rest).clone_from(from),
            (Some(rest), None) => rest.fill(0),
            (None, from) => self.rest.clone_from(from),
        }
    }
}

impl PartialEq for ComponentMask {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.first == other.first
            && ((self.rest.is_none() && other.rest.is_none()) || (self.is_subset(other) && other.is_subset(self)))
    }
}

impl Eq for ComponentMask {}

impl Hash for ComponentMask {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Equal sets may differ in words of zeros at the end.
        self.words().enumerate().filter(|(_, word)| *word != 0).for_each(|(at, word)| {
            state.write_u64(word);
            state.write_u64(at as u64);
        });
    }
}

impl fmt::Debug for ComponentMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(ComponentId::index)).finish()
    }
}

impl FromIterator<ComponentId> for ComponentMask {
    fn from_iter<I: IntoIterator<Item = ComponentId>>(ids: I) -> Self {
        let mut mask = Self::default();
        mask.extend(ids);
        mask
    }
}

impl Extend<ComponentId> for ComponentMask {
    fn extend<I: IntoIterator<Item = ComponentId>>(&mut self, ids: I) {
        for id in ids {
            self.insert(id);
        }
    }
}

impl BitOr for &ComponentMask {
    type Output = ComponentMask;

    fn bitor(self, other: &ComponentMask) -> ComponentMask {
        let mut joined = self.clone();
        joined.insert_all(other);
        joined
    }
}

impl BitAnd for &ComponentMask {
    type Output = ComponentMask;

    fn bitand(self, other: &ComponentMask) -> ComponentMask {
        let mut common = self.clone();
        common.retain_all(other);
        common
    }
}

impl Sub for &ComponentMask {
    type Output = ComponentMask;

    fn sub(self, other: &ComponentMask) -> ComponentMask {
        let mut left = self.clone();
        left.remove_all(other);
        left
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn mask_behaves_like_a_set(operations in prop::collection::vec((any::<bool>(), 0_u32..400), 0..200), other in prop::collection::btree_set(0_u32..400, 0..40)) {
            let mut mask = ComponentMask::default();
            let mut model = BTreeSet::new();
            for (insert, id) in operations {
                let changed = if insert { mask.insert(ComponentId(id)) } else { mask.remove(ComponentId(id)) };
                let expected = if insert { model.insert(id) } else { model.remove(&id) };
                prop_assert_eq!(changed, expected);
            }
            prop_assert_eq!(mask.iter().map(|id| id.0).collect::<Vec<_>>(), model.iter().copied().collect::<Vec<_>>());
            prop_assert_eq!(mask.len(), model.len());
            prop_assert_eq!(mask.is_empty(), model.is_empty());
            let joined: BTreeSet<u32> = model.union(&other).copied().collect();
            let other_mask: ComponentMask = other.iter().map(|&id| ComponentId(id)).collect();
            prop_assert_eq!(mask.is_subset(&other_mask), model.is_subset(&other));
            prop_assert_eq!(mask.is_disjoint(&other_mask), model.is_disjoint(&other));
            prop_assert_eq!(mask == other_mask, model == other);
            let ids = |mask: ComponentMask| mask.iter().map(|id| id.0).collect::<BTreeSet<_>>();
            prop_assert_eq!(ids(&mask | &other_mask), &model | &other);
            prop_assert_eq!(ids(&mask & &other_mask), &model & &other);
            prop_assert_eq!(ids(&mask - &other_mask), &model - &other);
            mask.insert_all(&other_mask);
            prop_assert_eq!(mask.iter().map(|id| id.0).collect::<BTreeSet<_>>(), joined.clone());
            let popped: Vec<u32> = std::iter::from_fn(|| mask.pop_first()).map(|id| id.0).collect();
            prop_assert_eq!(popped, joined.into_iter().collect::<Vec<_>>());
            prop_assert!(mask.is_empty());
        }
    }

    #[test]
    fn mask_takes_two_words() {
        assert_eq!(size_of::<ComponentMask>(), 16);
    }
}
