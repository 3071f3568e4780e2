//! What a query can ask for: components for reading or writing, optional ones, and the entity's id.
//!
//! The trait is unsafe inside: an item may be asked for once per entity and walk, which `stretch.rs`, `iter.rs`,
//! `split.rs` and `many.rs` see to.
#![allow(unsafe_code)]

mod combined;

use atomic_refcell::{AtomicRef, AtomicRefMut};

use super::fetch::{LeadPool, PoolFetch, View, find};
use crate::component::{Component, ComponentId, ComponentManager, ComponentMask, SparseIndex};
use crate::entity::EntityId;
use crate::system::Access;

/// What a query yields for each entity: `&T`, `&mut T`, `Option<&T>`, `Option<&mut T>`, [`EntityId`], or a tuple of up to
/// eight of these.
#[diagnostic::on_unimplemented(
    message = "a query can not ask for `{Self}`",
    label = "ask for `&T`, `&mut T`, `Option<&T>`, `Option<&mut T>`, `EntityId` or a tuple of up to 8 of these"
)]
pub trait QueryData: Sized {
    /// What is yielded for writing.
    type Item<'q>;
    /// What is yielded for reading: as [`QueryData::Item`] with `&` for `&mut`.
    type Read<'q>;
    #[doc(hidden)]
    type State: Copy + Send + Sync + 'static;
    #[doc(hidden)]
    type Guard<'w>;
    #[doc(hidden)]
    type Fetch: Copy;
    /// Whether at least one component is required, so that its owners can be walked.
    #[doc(hidden)]
    const HAS_LEAD: bool;

    #[doc(hidden)]
    fn prepare(components: &mut ComponentManager, access: &mut Access) -> Self::State;
    #[doc(hidden)]
    fn find_state(components: &ComponentManager) -> Self::State;
    /// Adds the components that are required.
    #[doc(hidden)]
    fn require(state: Self::State, required: &mut ComponentMask);
    /// # Safety
    /// Nobody looks at the world through a shared engine for `'w` if the query writes (see `world/peek.rs`).
    #[doc(hidden)]
    unsafe fn guard<'w>(state: Self::State, components: &'w ComponentManager) -> Self::Guard<'w>;
    #[doc(hidden)]
    fn fetch(guard: &mut Self::Guard<'_>, view: View<'_>) -> Self::Fetch;
    /// Unguarded: the caller has exclusive access, or reads while nothing is written.
    ///
    /// # Safety
    /// As long as the fetch is used, the world is borrowed exclusively, or the query only reads and no system runs. No two parts of the
    /// query write to the same pool or write to one that another reads: [`QueryData::prepare`] noted no conflict when the state was made.
    #[doc(hidden)]
    unsafe fn fetch_alone(state: Self::State, components: &ComponentManager, view: View<'_>) -> Self::Fetch;
    #[doc(hidden)]
    fn lead(fetch: &Self::Fetch) -> Option<LeadPool>;
    #[doc(hidden)]
    fn follow(fetch: &mut Self::Fetch, lead: LeadPool);
    /// Whether every row of the driver has an item, and nothing must be looked up for it.
    #[doc(hidden)]
    fn is_packed(fetch: &Self::Fetch) -> bool;
    /// Whether [`QueryData::align`] can be asked.
    #[doc(hidden)]
    const CAN_ALIGN: bool;
    /// Prepares the fetch for some rows of the driver from `row` on, as many as are returned, at most `left`: each has an item,
    /// and nothing must be looked up for it. Where it `is_known` that this holds for all of them, only the first is looked up.
    ///
    /// # Safety
    /// The fetch's borrows last, the driver has `row + left` rows, and `left` is not zero.
    #[doc(hidden)]
    unsafe fn align(fetch: &mut Self::Fetch, lead: LeadPool, row: usize, left: usize, is_known: bool) -> usize;
    /// The sum of how often each index changed: while it stays, so does what can be aligned.
    #[doc(hidden)]
    fn changes(fetch: &Self::Fetch) -> u64;
    /// # Safety
    /// The fetch's borrows last for `'q`, `row` is the driver's row of `entity`, and no other item of this entity is alive.
    #[doc(hidden)]
    unsafe fn item<'q>(fetch: &Self::Fetch, row: usize, entity: EntityId) -> Option<Self::Item<'q>>;
    /// # Safety
    /// As [`QueryData::item`], but items for reading may be alive.
    #[doc(hidden)]
    unsafe fn read<'q>(fetch: &Self::Fetch, row: usize, entity: EntityId) -> Option<Self::Read<'q>>;
    /// # Safety
    /// As [`QueryData::item`], and [`QueryData::is_packed`] holds or the row was aligned.
    #[doc(hidden)]
    unsafe fn item_at<'q>(fetch: &Self::Fetch, row: usize, entity: EntityId) -> Self::Item<'q>;
    /// # Safety
    /// As [`QueryData::read`], and [`QueryData::is_packed`] holds or the row was aligned.
    #[doc(hidden)]
    unsafe fn read_at<'q>(fetch: &Self::Fetch, row: usize, entity: EntityId) -> Self::Read<'q>;
    /// Whether walks that write are faster by [`QueryData::visit_four`]. Values of one or two numbers are not: of those, compilers
    /// take several at once in any loop.
    #[doc(hidden)]
    const IN_FOURS: bool = false;
    /// Calls `visit` with each of four items in their order, with what it returned for the one before; the first with `start`.
    ///
    /// References that are arguments of a function lead to different places as long as it runs. That lets a compiler read the second
    /// entity before it has written the first, and so add up twelve numbers of four entities by three instructions.
    #[doc(hidden)]
    #[inline]
    fn visit_four<'q, A>(items: [Self::Item<'q>; 4], start: A, visit: &mut impl FnMut(A, Self::Item<'q>) -> A) -> A {
        let [first, second, third, fourth] = items;
        four(first, second, third, fourth, start, visit)
    }
}

/// See [`QueryData::visit_four`].
#[inline]
fn four<I, A>(first: I, second: I, third: I, fourth: I, start: A, visit: &mut impl FnMut(A, I) -> A) -> A {
    let result = visit(start, first);
    let result = visit(result, second);
    let result = visit(result, third);
    visit(result, fourth)
}

/// A query that writes nothing.
///
/// # Safety
/// Its guard borrows pools for reading only, and its items write to none. Whoever has a shared engine may read the same
/// components at the same time.
pub unsafe trait ReadOnlyData: QueryData {}

/// The shorter of two lists; the first where they are equal.
pub(super) fn shorter(a: Option<LeadPool>, b: Option<LeadPool>) -> Option<LeadPool> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if b.len < a.len { b } else { a }),
        (a, b) => a.or(b),
    }
}

#[doc(hidden)]
pub struct ReadGuard<'w, T>(Option<(ComponentId, &'w SparseIndex, AtomicRef<'w, Vec<T>>)>);

#[doc(hidden)]
pub struct WriteGuard<'w, T>(Option<(ComponentId, &'w SparseIndex, AtomicRefMut<'w, Vec<T>>)>);

impl<T: Component> QueryData for &T {
    type Item<'q> = &'q T;
    type Read<'q> = &'q T;
    type State = Option<ComponentId>;
    type Guard<'w> = ReadGuard<'w, T>;
    type Fetch = PoolFetch<T>;
    const HAS_LEAD: bool = true;

    fn prepare(components: &mut ComponentManager, access: &mut Access) -> Self::State {
        let id = components.register::<T>();
        access.read_component(id, components.name(id));
        Some(id)
    }

    fn find_state(components: &ComponentManager) -> Self::State {
        components.id_of::<T>()
    }

    fn require(state: Self::State, required: &mut ComponentMask) {
        state.map(|id| required.insert(id));
    }

    unsafe fn guard<'w>(state: Self::State, components: &'w ComponentManager) -> Self::Guard<'w> {
        let pool = find::<T>(state, components);
        ReadGuard(pool.map(|(id, index, column)| (id, index, column.read())))
    }

    fn fetch(guard: &mut Self::Guard<'_>, view: View<'_>) -> Self::Fetch {
        PoolFetch::shared(guard.0.as_ref().map(|(id, index, values)| (*id, *index, values.as_slice())), view)
    }

    unsafe fn fetch_alone(state: Self::State, components: &ComponentManager, view: View<'_>) -> Self::Fetch {
        // SAFETY: nobody writes to the values, by the caller's promise.
        let pool =
            find::<T>(state, components).map(|(id, index, column)| unsafe { (id, index, &*column.values_ptr()) });
        PoolFetch::shared(pool.map(|(id, index, values)| (id, index, values.as_slice())), view)
    }

    fn lead(fetch: &Self::Fetch) -> Option<LeadPool> {
        Some(fetch.lead())
    }

    #[inline]
    fn follow(fetch: &mut Self::Fetch, lead: LeadPool) {
        fetch.follow(lead);
    }

    fn is_packed(fetch: &Self::Fetch) -> bool {
        fetch.is_packed()
    }

    const CAN_ALIGN: bool = true;

    #[inline]
    unsafe fn align(fetch: &mut Self::Fetch, lead: LeadPool, row: usize, left: usize, is_known: bool) -> usize {
        // SAFETY: the caller's promise.
        unsafe { fetch.align(lead, row, left, is_known) }
    }

    fn changes(fetch: &Self::Fetch) -> u64 {
        fetch.changes()
    }

    #[inline]
    unsafe fn item<'q>(fetch: &Self::Fetch, row: usize, entity: EntityId) -> Option<&'q T> {
        // SAFETY: the caller's promise.
        unsafe { Self::read(fetch, row, entity) }
    }

    #[inline]
    unsafe fn read<'q>(fetch: &Self::Fetch, row: usize, entity: EntityId) -> Option<&'q T> {
        // SAFETY: the position was just located, the borrow is the caller's promise.
        unsafe { Some(fetch.value(fetch.locate(row, entity)?)) }
    }

    #[inline]
    unsafe fn item_at<'q>(fetch: &Self::Fetch, row: usize, _: EntityId) -> &'q T {
        // SAFETY: packed or aligned.
        unsafe { fetch.value(fetch.position(row)) }
    }

    #[inline]
    unsafe fn read_at<'q>(fetch: &Self::Fetch, row: usize, _: EntityId) -> &'q T {
        // SAFETY: as above.
        unsafe { fetch.value(fetch.position(row)) }
    }
}

// SAFETY: the guard is one for reading, and the items are shared references.
unsafe impl<T: Component> ReadOnlyData for &T {}

impl<T: Component> QueryData for &mut T {
    type Item<'q> = &'q mut T;
    type Read<'q> = &'q T;
    type State = Option<ComponentId>;
    type Guard<'w> = WriteGuard<'w, T>;
    type Fetch = PoolFetch<T>;
    const HAS_LEAD: bool = true;

    fn prepare(components: &mut ComponentManager, access: &mut Access) -> Self::State {
        let id = components.register::<T>();
        access.write_component(id, components.name(id));
        Some(id)
    }

    fn find_state(components: &ComponentManager) -> Self::State {
        components.id_of::<T>()
    }

    fn require(state: Self::State, required: &mut ComponentMask) {
        state.map(|id| required.insert(id));
    }

    unsafe fn guard<'w>(state: Self::State, components: &'w ComponentManager) -> Self::Guard<'w> {
        let pool = find::<T>(state, components);
        WriteGuard(pool.map(|(id, index, column)| (id, index, column.write())))
    }

    fn fetch(guard: &mut Self::Guard<'_>, view: View<'_>) -> Self::Fetch {
        PoolFetch::exclusive(guard.0.as_mut().map(|(id, index, values)| (*id, *index, values.as_mut_slice())), view)
    }

    unsafe fn fetch_alone(state: Self::State, components: &ComponentManager, view: View<'_>) -> Self::Fetch {
        let pool = find::<T>(state, components).map(|(id, index, column)| {
            // SAFETY: nobody has the values, by the caller's promise.
            (id, index, unsafe { &mut *column.values_to_write_ptr() }.as_mut_slice())
        });
        PoolFetch::exclusive(pool, view)
    }

    fn lead(fetch: &Self::Fetch) -> Option<LeadPool> {
        Some(fetch.lead())
    }

    #[inline]
    fn follow(fetch: &mut Self::Fetch, lead: LeadPool) {
        fetch.follow(lead);
    }

    fn is_packed(fetch: &Self::Fetch) -> bool {
        fetch.is_packed()
    }

    const CAN_ALIGN: bool = true;

    #[inline]
    unsafe fn align(fetch: &mut Self::Fetch, lead: LeadPool, row: usize, left: usize, is_known: bool) -> usize {
        // SAFETY: the caller's promise.
        unsafe { fetch.align(lead, row, left, is_known) }
    }

    fn changes(fetch: &Self::Fetch) -> u64 {
        fetch.changes()
    }

    #[inline]
    unsafe fn item<'q>(fetch: &Self::Fetch, row: usize, entity: EntityId) -> Option<&'q mut T> {
        // SAFETY: the position was just located, borrow and exclusiveness are the caller's promise.
        unsafe { Some(fetch.value_mut(fetch.locate(row, entity)?)) }
    }

    #[inline]
    unsafe fn read<'q>(fetch: &Self::Fetch, row: usize, entity: EntityId) -> Option<&'q T> {
        // SAFETY: as above, for reading.
        unsafe { Some(fetch.value(fetch.locate(row, entity)?)) }
    }

    #[inline]
    unsafe fn item_at<'q>(fetch: &Self::Fetch, row: usize, _: EntityId) -> &'q mut T {
        // SAFETY: packed or aligned; exclusiveness is the caller's promise.
        unsafe { fetch.value_mut(fetch.position(row)) }
    }

    #[inline]
    unsafe fn read_at<'q>(fetch: &Self::Fetch, row: usize, _: EntityId) -> &'q T {
        // SAFETY: packed or aligned.
        unsafe { fetch.value(fetch.position(row)) }
    }

    // What is done with large values, texts or lists is no sum, and gains nothing from having its code four times.
    const IN_FOURS: bool = size_of::<T>() > 2 * align_of::<T>() && size_of::<T>() < 64 && !std::mem::needs_drop::<T>();
}
