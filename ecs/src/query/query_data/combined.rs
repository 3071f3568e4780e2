//! What a query can ask for besides components: the entity's id, what may be missing, and several things at once.
#![allow(unsafe_code)]

use super::{QueryData, ReadOnlyData, shorter};
use crate::component::{ComponentManager, ComponentMask};
use crate::entity::EntityId;
use crate::query::fetch::{LeadPool, View};
use crate::system::Access;

impl QueryData for EntityId {
    type Item<'q> = EntityId;
    type Read<'q> = EntityId;
    type State = ();
    type Guard<'w> = ();
    type Fetch = ();
    const HAS_LEAD: bool = false;

    fn prepare(_: &mut ComponentManager, _: &mut Access) {}

    fn find_state(_: &ComponentManager) {}

    fn require((): (), _: &mut ComponentMask) {}

    unsafe fn guard((): (), _: &ComponentManager) {}

    fn fetch((): &mut (), _: View<'_>) {}

    unsafe fn fetch_alone((): (), _: &ComponentManager, _: View<'_>) {}

    fn lead((): &()) -> Option<LeadPool> {
        None
    }

    #[inline]
    fn follow((): &mut (), _: LeadPool) {}

    fn is_packed((): &()) -> bool {
        true
    }

    const CAN_ALIGN: bool = true;

    #[inline]
    unsafe fn align((): &mut (), _: LeadPool, _: usize, left: usize, _: bool) -> usize {
        left
    }

    fn changes((): &()) -> u64 {
        0
    }

    #[inline]
    unsafe fn item<'q>((): &(), _: usize, entity: EntityId) -> Option<Self::Item<'q>> {
        Some(entity)
    }

    #[inline]
    unsafe fn read<'q>((): &(), _: usize, entity: EntityId) -> Option<Self::Read<'q>> {
        Some(entity)
    }

    #[inline]
    unsafe fn item_at<'q>((): &(), _: usize, entity: EntityId) -> Self::Item<'q> {
        entity
    }

    #[inline]
    unsafe fn read_at<'q>((): &(), _: usize, entity: EntityId) -> Self::Read<'q> {
        entity
    }
}

// SAFETY: an id is a copy, nothing is borrowed.
unsafe impl ReadOnlyData for EntityId {}

impl<D: QueryData> QueryData for Option<D> {
    type Item<'q> = Option<D::Item<'q>>;
    type Read<'q> = Option<D::Read<'q>>;
    type State = D::State;
    type Guard<'w> = D::Guard<'w>;
    type Fetch = D::Fetch;
    const HAS_LEAD: bool = false;

    fn prepare(components: &mut ComponentManager, access: &mut Access) -> Self::State {
        D::prepare(components, access)
    }

    fn find_state(components: &ComponentManager) -> Self::State {
        D::find_state(components)
    }

    fn require(_: Self::State, _: &mut ComponentMask) {}

    unsafe fn guard<'w>(state: Self::State, components: &'w ComponentManager) -> Self::Guard<'w> {
        // SAFETY: the caller's promise.
        unsafe { D::guard(state, components) }
    }

    fn fetch(guard: &mut Self::Guard<'_>, view: View<'_>) -> Self::Fetch {
        D::fetch(guard, view)
    }

    unsafe fn fetch_alone(state: Self::State, components: &ComponentManager, view: View<'_>) -> Self::Fetch {
        // SAFETY: the caller's promise.
        unsafe { D::fetch_alone(state, components, view) }
    }

    fn lead(_: &Self::Fetch) -> Option<LeadPool> {
        None
    }

    #[inline]
    fn follow(fetch: &mut Self::Fetch, lead: LeadPool) {
        D::follow(fetch, lead);
    }

    fn is_packed(_: &Self::Fetch) -> bool {
        false
    }

    // Rows with and without would have to be told apart one by one.
    const CAN_ALIGN: bool = false;

    unsafe fn align(_: &mut Self::Fetch, _: LeadPool, _: usize, _: usize, _: bool) -> usize {
        0
    }

    fn changes(fetch: &Self::Fetch) -> u64 {
        D::changes(fetch)
    }

    #[inline]
    unsafe fn item<'q>(fetch: &Self::Fetch, row: usize, entity: EntityId) -> Option<Self::Item<'q>> {
        // SAFETY: the caller's promise.
        Some(unsafe { D::item(fetch, row, entity) })
    }

    #[inline]
    unsafe fn read<'q>(fetch: &Self::Fetch, row: usize, entity: EntityId) -> Option<Self::Read<'q>> {
        // SAFETY: the caller's promise.
        Some(unsafe { D::read(fetch, row, entity) })
    }

    #[inline]
    unsafe fn item_at<'q>(fetch: &Self::Fetch, row: usize, entity: EntityId) -> Self::Item<'q> {
        // SAFETY: the caller's promise.
        unsafe { D::item(fetch, row, entity) }
    }

    #[inline]
    unsafe fn read_at<'q>(fetch: &Self::Fetch, row: usize, entity: EntityId) -> Self::Read<'q> {
        // SAFETY: the caller's promise.
        unsafe { D::read(fetch, row, entity) }
    }
}

// SAFETY: it does what `D` does, which only reads.
unsafe impl<D: ReadOnlyData> ReadOnlyData for Option<D> {}

macro_rules! query_tuple {
    ($($name:ident $first:ident $second:ident $third:ident $fourth:ident),+) => {
        #[allow(non_snake_case)]
        impl<$($name: QueryData),+> QueryData for ($($name,)+) {
            type Item<'q> = ($($name::Item<'q>,)+);
            type Read<'q> = ($($name::Read<'q>,)+);
            type State = ($($name::State,)+);
            type Guard<'w> = ($($name::Guard<'w>,)+);
            type Fetch = ($($name::Fetch,)+);
            const HAS_LEAD: bool = $($name::HAS_LEAD)||+;

            fn prepare(components: &mut ComponentManager, access: &mut Access) -> Self::State {
                ($($name::prepare(components, access),)+)
            }

            fn find_state(components: &ComponentManager) -> Self::State {
                ($($name::find_state(components),)+)
            }

            fn require(($($name,)+): Self::State, required: &mut ComponentMask) {
                $($name::require($name, required);)+
            }

            unsafe fn guard<'w>(($($name,)+): Self::State, components: &'w ComponentManager) -> Self::Guard<'w> {
                // SAFETY: the caller's promise.
                unsafe { ($($name::guard($name, components),)+) }
            }

            fn fetch(($($name,)+): &mut Self::Guard<'_>, view: View<'_>) -> Self::Fetch {
                ($($name::fetch($name, view),)+)
            }

            unsafe fn fetch_alone(($($name,)+): Self::State, components: &ComponentManager, view: View<'_>) -> Self::Fetch {
                // SAFETY: the caller's promise.
                unsafe { ($($name::fetch_alone($name, components, view),)+) }
            }

            fn lead(($($name,)+): &Self::Fetch) -> Option<LeadPool> {
                let mut shortest = None;
                $(shortest = shorter(shortest, $name::lead($name));)+
                shortest
            }

            #[inline]
            fn follow(($($name,)+): &mut Self::Fetch, lead: LeadPool) {
                $($name::follow($name, lead);)+
            }

            fn is_packed(($($name,)+): &Self::Fetch) -> bool {
                $($name::is_packed($name))&&+
            }

            const CAN_ALIGN: bool = $($name::CAN_ALIGN)&&+;

            #[inline]
            unsafe fn align(
                ($($name,)+): &mut Self::Fetch,
                lead: LeadPool,
                row: usize,
                left: usize,
                is_known: bool,
            ) -> usize {
                $(
                    // SAFETY: the caller's promise, for as many rows or fewer.
                    let left = unsafe { $name::align($name, lead, row, left, is_known) };
                    if left == 0 {
                        return 0;
                    }
                )+
                left
            }

            fn changes(($($name,)+): &Self::Fetch) -> u64 {
                0 $(+ $name::changes($name))+
            }

            #[inline]
            unsafe fn item<'q>(($($name,)+): &Self::Fetch, row: usize, entity: EntityId) -> Option<Self::Item<'q>> {
                // SAFETY: the caller's promise; no two parts write to the same pool, or there would be no query.
                unsafe { Some(($($name::item($name, row, entity)?,)+)) }
            }

            #[inline]
            unsafe fn read<'q>(($($name,)+): &Self::Fetch, row: usize, entity: EntityId) -> Option<Self::Read<'q>> {
                // SAFETY: the caller's promise.
                unsafe { Some(($($name::read($name, row, entity)?,)+)) }
            }

            #[inline]
            unsafe fn item_at<'q>(($($name,)+): &Self::Fetch, row: usize, entity: EntityId) -> Self::Item<'q> {
                // SAFETY: as for `item`.
                unsafe { ($($name::item_at($name, row, entity),)+) }
            }

            #[inline]
            unsafe fn read_at<'q>(($($name,)+): &Self::Fetch, row: usize, entity: EntityId) -> Self::Read<'q> {
                // SAFETY: the caller's promise.
                unsafe { ($($name::read_at($name, row, entity),)+) }
            }

            const IN_FOURS: bool = $($name::IN_FOURS)||+;

            #[inline]
            fn visit_four<'q, Y>(
                items: [Self::Item<'q>; 4],
                start: Y,
                visit: &mut impl FnMut(Y, Self::Item<'q>) -> Y,
            ) -> Y {
                // Each part is an argument of its own: of those in a tuple, compilers know nothing.
                #[inline]
                #[allow(clippy::too_many_arguments)]
                fn apart<$($name),+, Y>(
                    $($first: $name, $second: $name, $third: $name, $fourth: $name),+,
                    start: Y,
                    visit: &mut impl FnMut(Y, ($($name,)+)) -> Y,
                ) -> Y {
                    let result = visit(start, ($($first,)+));
                    let result = visit(result, ($($second,)+));
                    let result = visit(result, ($($third,)+));
                    visit(result, ($($fourth,)+))
                }
                let [($($first,)+), ($($second,)+), ($($third,)+), ($($fourth,)+)] = items;
                apart($($first, $second, $third, $fourth),+, start, visit)
            }
        }

        // SAFETY: it does what its parts do, which only read.
        unsafe impl<$($name: ReadOnlyData),+> ReadOnlyData for ($($name,)+) {}
    };
}

query_tuple!(A a1 a2 a3 a4);
query_tuple!(A a1 a2 a3 a4, B b1 b2 b3 b4);
query_tuple!(A a1 a2 a3 a4, B b1 b2 b3 b4, C c1 c2 c3 c4);
query_tuple!(A a1 a2 a3 a4, B b1 b2 b3 b4, C c1 c2 c3 c4, D d1 d2 d3 d4);
query_tuple!(A a1 a2 a3 a4, B b1 b2 b3 b4, C c1 c2 c3 c4, D d1 d2 d3 d4, E e1 e2 e3 e4);
query_tuple!(A a1 a2 a3 a4, B b1 b2 b3 b4, C c1 c2 c3 c4, D d1 d2 d3 d4, E e1 e2 e3 e4, F f1 f2 f3 f4);
query_tuple!(A a1 a2 a3 a4, B b1 b2 b3 b4, C c1 c2 c3 c4, D d1 d2 d3 d4, E e1 e2 e3 e4, F f1 f2 f3 f4, G g1 g2 g3 g4);
query_tuple!(A a1 a2 a3 a4, B b1 b2 b3 b4, C c1 c2 c3 c4, D d1 d2 d3 d4, E e1 e2 e3 e4, F f1 f2 f3 f4, G g1 g2 g3 g4, H h1 h2 h3 h4);
