//! Query data that writes the data of links, but not their targets: both ends of a link must agree.
//!
//! Soundness: every method does what `&mut Links<R>` does in `query_data.rs`; only the item is wrapped.
#![allow(unsafe_code)]

use std::ops::Deref;

use atomic_refcell::AtomicRefMut;

use super::fetch::{ExtrasSource, PoolFetch, View};
use super::needs::Needs;
use super::query_data::QueryData;
use crate::component::{ComponentId, ComponentManager, ComponentMask, Values};
use crate::entity::{EntityId, Location};
use crate::relation::{Links, Relation};

/// The links of an entity, whose data can be written. `Query<LinksMut<R>>` yields it, where `Query<&Links<R>>` yields
/// them for reading.
///
/// It is access to the component [`Links<R>`] for writing: it conflicts with other queries, counts as a change of the
/// component, and is split by [`Query::par_for_each`](super::Query::par_for_each), as `&mut Links<R>` would. The
/// targets cannot be written, since both ends of a link must agree. New data of a link is not announced.
///
/// # Example
/// ```
/// use ecs::prelude::*;
/// use ecs::query::LinksMut;
/// use ecs::relation::Relation;
///
/// struct Likes(f32);
/// impl Relation for Likes {}
///
/// /// All that people feel for each other fades.
/// fn fade(mut people: Query<LinksMut<Likes>>) {
///     for links in &mut people {
///         for (_, likes) in links {
///             likes.0 *= 0.5;
///         }
///     }
/// }
///
/// let mut engine = Engine::new();
/// let (anna, berta) = (engine.spawn(()), engine.spawn(()));
/// engine.relate(anna, berta, Likes(8.0))?;
/// engine.run(fade)?;
/// assert_eq!(engine.relation::<Likes>(anna, berta).unwrap().0, 4.0);
/// # Ok::<(), ecs::Error>(())
/// ```
pub struct LinksMut<'q, R>(&'q mut Links<R>);

impl<R: Relation> LinksMut<'_, R> {
    /// The first link: of an [exclusive](Relation::EXCLUSIVE) relation, the only one.
    pub fn first_mut(&mut self) -> (EntityId, &mut R) {
        (self.0.first.0, &mut self.0.first.1)
    }

    /// The data of the link to `target`, if there is one. O(number of links).
    pub fn get_mut(&mut self, target: EntityId) -> Option<&mut R> {
        self.0.get_mut(target)
    }

    /// The targets with the data of their links.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (EntityId, &mut R)> {
        self.0.iter_mut()
    }
}

impl<R> Deref for LinksMut<'_, R> {
    type Target = Links<R>;

    fn deref(&self) -> &Links<R> {
        self.0
    }
}

impl<'q, R: Relation> IntoIterator for LinksMut<'q, R> {
    type Item = (EntityId, &'q mut R);
    type IntoIter = crate::relation::IterMut<'q, R>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter_mut()
    }
}

impl<'t, R: Relation> QueryData for LinksMut<'t, R> {
    type Item<'q> = LinksMut<'q, R>;
    type ReadOnly = &'t Links<R>;
    type State = Option<ComponentId>;
    type Guard<'w> = Option<AtomicRefMut<'w, Values<Links<R>>>>;
    type Fetch = PoolFetch<Links<R>>;
    const HAS_LEAD: bool = true;

    fn state(needs: &mut Needs<'_>) -> Self::State {
        needs.write_links::<R>()
    }

    unsafe fn guard<'w>(
        state: Self::State,
        components: &'w ComponentManager,
        others: &ComponentMask,
    ) -> Self::Guard<'w> {
        // SAFETY: the caller's promise.
        unsafe { <&mut Links<R>>::guard(state, components, others) }
    }

    unsafe fn fetch(state: Self::State, components: &ComponentManager, view: View) -> Self::Fetch {
        // SAFETY: the caller's promise.
        unsafe { <&mut Links<R>>::fetch(state, components, view) }
    }

    #[inline]
    unsafe fn is_home(fetch: &Self::Fetch, kind: usize) -> bool {
        // SAFETY: the caller's promise.
        unsafe { <&mut Links<R>>::is_home(fetch, kind) }
    }

    #[inline]
    fn sources(fetch: &Self::Fetch, visit: &mut impl FnMut(ExtrasSource)) {
        <&mut Links<R>>::sources(fetch, visit);
    }

    #[inline]
    unsafe fn enter(fetch: &mut Self::Fetch, kind: usize) {
        // SAFETY: the caller's promise.
        unsafe { <&mut Links<R>>::enter(fetch, kind) }
    }

    #[inline]
    fn marks(fetch: &Self::Fetch) -> bool {
        <&mut Links<R>>::marks(fetch)
    }

    #[inline]
    unsafe fn mark(fetch: &Self::Fetch, entity: EntityId, location: Location) {
        // SAFETY: the caller's promise.
        unsafe { <&mut Links<R>>::mark(fetch, entity, location) }
    }

    #[inline]
    unsafe fn has(fetch: &Self::Fetch, entity: EntityId, location: Location) -> bool {
        // SAFETY: the caller's promise.
        unsafe { <&mut Links<R>>::has(fetch, entity, location) }
    }

    #[inline]
    unsafe fn item<'q>(fetch: &Self::Fetch, entity: EntityId, location: Location) -> Option<Self::Item<'q>> {
        // SAFETY: the caller's promise.
        unsafe { <&mut Links<R>>::item(fetch, entity, location).map(LinksMut) }
    }

    #[inline(always)]
    unsafe fn at_row<'q>(fetch: &Self::Fetch, row: usize, entity: EntityId) -> Self::Item<'q> {
        // SAFETY: the caller's promise.
        LinksMut(unsafe { <&mut Links<R>>::at_row(fetch, row, entity) })
    }
}
