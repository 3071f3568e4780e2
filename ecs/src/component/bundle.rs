//! Bundles: tuples of components that are inserted together.

use std::any::TypeId;
use std::iter;
use std::marker::{PhantomData, PhantomPinned};

use super::hooks::Effects;
use super::manager::PoolEntry;
use super::refusal::{Part, bundle_refusal};
use super::{Component, ComponentId, ComponentManager, ComponentMask};
use crate::entity::{EntityId, Location};
use crate::event::{Added, EventTypeId, Spawned};
use crate::panic::{FirstPanic, to_the_end_in_drop};

/// Writes the components of a bundle into their pools.
#[doc(hidden)]
pub struct BundleWriter<'a> {
    pub(super) entity: EntityId,
    /// Where the entity is. For a new one: its kind has the components of the bundle.
    pub(super) location: Location,
    pub(super) is_entity_enabled: bool,
    /// The components of the bundle, in the order of the tuple.
    pub(super) ids: &'a [ComponentId],
    pub(super) pools: &'a mut [PoolEntry],
}

/// Tells listeners and hooks about the components of a bundle.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct BundleNews<'a> {
    pub(super) entity: EntityId,
    /// The components of the bundle, in the order of the tuple.
    pub(super) ids: &'a [ComponentId],
    pub(super) pools: &'a [PoolEntry],
    pub(super) effects: Effects<'a>,
    /// Whether components that are lost were replaced, and did not just find no entity.
    pub(super) is_replacement: bool,
}

impl BundleNews<'_> {
    /// Says that a component of the tuple was added, unless it replaced one.
    fn announce<T: Component>(self, id: ComponentId, replaced: Option<&T>) {
        if let (None, Some(event_type)) = (replaced, self.pools[id.index()].events.added) {
            self.effects.buffer.push(event_type, Added::<T>::new(self.entity));
        }
    }

    /// Drops a component of the tuple, if there is one, after its hook was called.
    fn discard<T: Component>(self, id: ComponentId, value: Option<T>, panics: &mut FirstPanic) {
        let Some(value) = value else { return };
        let entry = &self.pools[id.index()];
        let leaving = match self.is_replacement {
            true => entry.on_replacement(self.effects),
            false => entry.on_discard(self.effects),
        };
        panics.catch(|| entry.pool.release(value, self.entity, leaving));
    }

    fn ids<const N: usize>(self) -> [ComponentId; N] {
        self.ids.try_into().expect("a bundle is told of with the ids that it registered")
    }
}

impl BundleWriter<'_> {
    #[inline(always)]
    fn ids<const N: usize>(&self) -> [ComponentId; N] {
        self.ids.try_into().expect("a bundle is unpacked with the ids that it registered")
    }

    /// Inserts a component of the tuple; returns what it replaced.
    #[inline(always)]
    fn put<T: Component>(&mut self, id: ComponentId, value: T) -> Option<T> {
        self.pools[id.index()].pool.typed().insert(self.entity, self.location, value, self.is_entity_enabled)
    }

    /// Adds a component of the tuple to the column of the kind.
    #[inline(always)]
    fn put_new<T: Component>(&mut self, id: ComponentId, value: T) {
        self.pools[id.index()].pool.push_home(self.location.kind, value);
    }
}

/// Components that are inserted together: a tuple of up to 12, or of none; a struct that derives it; or [several such
/// bundles](Bundle::and).
///
/// A bundle that has a type twice, or a type that is only there by mistake (see [`Component`]), is refused when it is
/// used for the first time: by a panic, before anything has changed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a bundle",
    label = "a bundle is a tuple of components (a single one is written `(component,)`) or a struct with `#[derive(Bundle)]`"
)]
pub trait Bundle: Send + 'static {
    /// The bundle without structs.
    #[doc(hidden)]
    type Tuples: Tuples;
    /// Takes structs apart. Only here the code of a user runs, which may panic: call it before anything is changed.
    #[doc(hidden)]
    fn into_tuples(self) -> Self::Tuples;
    /// This bundle and another one, as one bundle: for parts that come from several functions, and for more than 12
    /// components.
    ///
    /// # Example
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::component::Bundle;
    /// struct Hull(u32);
    /// struct Engine(f32);
    ///
    /// fn ship() -> impl Bundle {
    ///     (Hull(100), Engine(2.5))
    /// }
    ///
    /// let mut engine = ecs::Engine::new();
    /// let flagship = engine.spawn(ship().and(("flagship",)));
    /// assert!(engine.has::<Hull>(flagship) && engine.has::<&str>(flagship));
    /// ```
    fn and<B: Bundle>(self, other: B) -> Both<Self, B>
    where
        Self: Sized,
    {
        Both(self, other)
    }
}

/// Tuples of components: what a bundle consists of.
#[doc(hidden)]
pub trait Tuples: Bundle<Tuples = Self> {
    /// The components that an insertion replaced; `None` for those that it added.
    type Replaced: Default;
    /// The number of components.
    const COUNT: usize;
    /// Why the bundle is refused.
    fn refusal() -> Option<String> {
        bundle_refusal(&Self::parts())
    }
    /// The types of the components, for the check of the bundle.
    fn parts() -> Vec<Part>;
    fn register(components: &mut ComponentManager) -> Box<[ComponentId]>;
    /// Inserts the components without events; returns the replaced ones, which the caller drops last because a drop may
    /// panic.
    fn unpack(self, into: BundleWriter<'_>) -> Self::Replaced;
    /// As [`Tuples::unpack`], for an entity whose row in the kind of the bundle is new, and the last one so far.
    fn unpack_new(self, into: BundleWriter<'_>);
    /// Appends the components of all bundles to their columns; returns the number of bundles.
    fn push_all(bundles: impl Iterator<Item = Self>, into: OpenColumns<'_>) -> usize
    where
        Self: Sized;
    /// Sends the `Added` events that have listeners, except for components that replaced others.
    fn announce(news: BundleNews<'_>, replaced: &Self::Replaced);
    /// The components as if they were replaced.
    fn into_replaced(self) -> Self::Replaced;
    /// Drops replaced components, after their hooks were called: all of them, even if one panics.
    fn discard(news: BundleNews<'_>, replaced: Self::Replaced, panics: &mut FirstPanic);
}

/// Two bundles as one: made by [`Bundle::and`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Both<A, B>(A, B);

// Never, so that it cannot become one component by mistake.
impl<A, B> Unpin for Both<A, B> where Never<'static, (A, B)>: Unpin {}

/// A type that is not `Unpin`, whatever `T` is.
#[doc(hidden)]
pub struct Never<'a, T = ()>(PhantomPinned, PhantomData<fn(&'a (), T)>);

impl<A: Bundle, B: Bundle> Bundle for Both<A, B> {
    type Tuples = Both<A::Tuples, B::Tuples>;

    #[inline(always)]
    fn into_tuples(self) -> Self::Tuples {
        Both(self.0.into_tuples(), self.1.into_tuples())
    }
}

impl<A: Tuples, B: Tuples> Tuples for Both<A, B> {
    type Replaced = (A::Replaced, B::Replaced);

    const COUNT: usize = A::COUNT + B::COUNT;

    fn parts() -> Vec<Part> {
        A::parts().into_iter().chain(B::parts()).collect()
    }

    fn register(components: &mut ComponentManager) -> Box<[ComponentId]> {
        A::register(components).into_iter().chain(B::register(components)).collect()
    }

    #[inline(always)]
    fn unpack(self, into: BundleWriter<'_>) -> Self::Replaced {
        let (ids, more) = into.ids.split_at(A::COUNT);
        let first = self.0.unpack(BundleWriter { ids, pools: &mut *into.pools, ..into });
        (first, self.1.unpack(BundleWriter { ids: more, ..into }))
    }

    #[inline(always)]
    fn unpack_new(self, into: BundleWriter<'_>) {
        let (ids, more) = into.ids.split_at(A::COUNT);
        self.0.unpack_new(BundleWriter { ids, pools: &mut *into.pools, ..into });
        self.1.unpack_new(BundleWriter { ids: more, ..into });
    }

    fn push_all(bundles: impl Iterator<Item = Self>, into: OpenColumns<'_>) -> usize {
        let ((ids, more), kind) = (into.ids.split_at(A::COUNT), into.kind);
        let mut count = 0;
        bundles.for_each(|Self(first, second)| {
            A::push_all(iter::once(first), OpenColumns { ids, pools: &mut *into.pools, kind });
            B::push_all(iter::once(second), OpenColumns { ids: more, pools: &mut *into.pools, kind });
            count += 1;
        });
        count
    }

    fn announce(news: BundleNews<'_>, (first, second): &Self::Replaced) {
        let (ids, more) = news.ids.split_at(A::COUNT);
        A::announce(BundleNews { ids, ..news }, first);
        B::announce(BundleNews { ids: more, ..news }, second);
    }

    fn into_replaced(self) -> Self::Replaced {
        (self.0.into_replaced(), self.1.into_replaced())
    }

    fn discard(news: BundleNews<'_>, (first, second): Self::Replaced, panics: &mut FirstPanic) {
        let (ids, more) = news.ids.split_at(A::COUNT);
        A::discard(BundleNews { ids, ..news }, first, panics);
        B::discard(BundleNews { ids: more, ..news }, second, panics);
    }
}

/// A struct of components, which is a bundle: implemented by `#[derive(Bundle)]` (feature `derive`).
///
/// Each field is a component; a field with the attribute `#[bundle]` is a bundle itself. A tuple cannot have such a
/// struct as one of its parts: write `ship.and((Name("Argo"),))`.
///
/// # Example
#[cfg_attr(feature = "derive", doc = "```")]
#[cfg_attr(not(feature = "derive"), doc = "```ignore")]
/// # use ecs::prelude::*;
/// # use ecs::component::Bundle;
/// struct Hull(u32);
/// struct Crew(u32);
/// struct Cargo(u32);
///
/// #[derive(Bundle)]
/// struct Ship {
///     hull: Hull,
///     crew: Crew,
/// }
///
/// #[derive(Bundle)]
/// struct Freighter {
///     #[bundle]
///     ship: Ship,
///     cargo: Cargo,
/// }
///
/// let mut engine = Engine::new();
/// let ship = engine.spawn(Freighter { ship: Ship { hull: Hull(90), crew: Crew(4) }, cargo: Cargo(20) });
/// assert!(engine.has::<Crew>(ship) && engine.has::<Cargo>(ship));
/// ```
pub trait StructOfComponents: Send + 'static {
    /// The bundle with the same components.
    type Parts: Bundle;
    /// The components in the order of the fields. If it panics, nothing was changed.
    fn into_parts(self) -> Self::Parts;
}

impl<S: StructOfComponents> Bundle for S {
    type Tuples = <S::Parts as Bundle>::Tuples;

    #[inline(always)]
    fn into_tuples(self) -> Self::Tuples {
        self.into_parts().into_tuples()
    }
}

/// Columns of equal length: a tuple of up to 12 `Vec`s, one for each component type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` are not columns of components",
    label = "columns are tuples of `Vec`s: a single one is written `(vec,)`"
)]
pub trait Columns: Send + 'static {
    /// The type of a row: `(A, B)` for `(Vec<A>, Vec<B>)`.
    type Row: Tuples;
    /// The lengths of the columns.
    #[doc(hidden)]
    fn lengths(&self) -> Vec<usize>;
    /// Appends the columns to those of the pools.
    #[doc(hidden)]
    fn append(self, into: OpenColumns<'_>);
    /// The rows one by one.
    #[doc(hidden)]
    fn into_rows(self) -> impl Iterator<Item = Self::Row>;
}

/// The pools of a bundle's components, while the columns of its kind may be longer than the list of owners. Dropping
/// this drops the values that have no owner yet.
pub(super) struct OpenPools<'a> {
    pub(super) ids: &'a [ComponentId],
    pub(super) pools: &'a mut [PoolEntry],
    pub(super) kind: usize,
    /// The number of owners in the kind.
    pub(super) rows: usize,
}

impl Drop for OpenPools<'_> {
    fn drop(&mut self) {
        let mut ids = self.ids.iter();
        to_the_end_in_drop(&mut || {
            for id in ids.by_ref() {
                self.pools[id.index()].pool.truncate_home(self.kind, self.rows);
            }
        });
    }
}

/// The pools of a bundle, in the order of the tuple.
fn entries<'p, const N: usize>(ids: &[ComponentId], pools: &'p mut [PoolEntry]) -> [&'p mut PoolEntry; N] {
    let indices: [usize; N] = std::array::from_fn(|at| ids[at].index());
    pools.get_disjoint_mut(indices).expect("a bundle that has a type twice is refused")
}

impl OpenPools<'_> {
    pub(super) fn columns(&mut self) -> OpenColumns<'_> {
        OpenColumns { ids: self.ids, pools: self.pools, kind: self.kind }
    }
}

/// The columns of the components of a bundle, to add values.
#[doc(hidden)]
pub struct OpenColumns<'a> {
    ids: &'a [ComponentId],
    pools: &'a mut [PoolEntry],
    kind: usize,
}

impl<'a> OpenColumns<'a> {
    fn entries<const N: usize>(self) -> [&'a mut PoolEntry; N] {
        entries(self.ids, self.pools)
    }
}

/// Where the `Spawned` events of new entities go.
#[derive(Clone, Copy)]
pub(crate) struct Announce<'a> {
    pub(crate) spawned: Option<EventTypeId>,
    pub(crate) effects: Effects<'a>,
}

impl Announce<'_> {
    /// Sends the event of a new entity, which has all its components now.
    #[inline]
    pub(crate) fn spawned(&self, entity: EntityId) {
        if let Some(id) = self.spawned {
            self.effects.buffer.push(id, Spawned { entity });
        }
    }
}

/// The cached description of a bundle type, so that spawning looks nothing up per entity.
pub(super) struct BundleInfo {
    pub(super) bundle_type: TypeId,
    pub(super) ids: Box<[ComponentId]>,
    pub(super) mask: ComponentMask,
    /// Its kind, if there is one, and the version of the kinds when that was looked up.
    pub(super) kind: Option<usize>,
    pub(super) kinds_version: u64,
    /// The components with a size. Values without a size are all equal.
    pub(super) with_values: Box<[ComponentId]>,
    /// Whether `Added` or `Replaced` events of a component have listeners, or a component has a hook.
    pub(super) is_heard: bool,
    /// Whether a component needs others.
    pub(super) has_requirements: bool,
    /// Whether changes of a component are tracked.
    pub(super) is_tracked: bool,
}

impl BundleInfo {
    pub(super) fn new(bundle_type: TypeId, ids: Box<[ComponentId]>, pools: &[PoolEntry]) -> Self {
        let mask: ComponentMask = ids.iter().copied().collect();
        let with_values = ids.iter().copied().filter(|id| pools[id.index()].value_bytes > 0).collect();
        let mut info = Self {
            bundle_type,
            ids,
            mask,
            kind: None,
            kinds_version: 0,
            with_values,
            is_heard: false,
            has_requirements: false,
            is_tracked: false,
        };
        info.note_pools(pools);
        info
    }

    /// Reads from the pools which components have listeners, hooks, requirements and ticks.
    pub(super) fn note_pools(&mut self, pools: &[PoolEntry]) {
        let any = |is: fn(&PoolEntry) -> bool| self.ids.iter().any(|id| is(&pools[id.index()]));
        self.is_heard = any(|entry| entry.is_hooked || entry.events.added.or(entry.events.replaced).is_some());
        self.has_requirements = any(PoolEntry::has_requirements);
        self.is_tracked = any(|entry| entry.pool.ticks().is_some());
    }

    /// Whether entities are spawned with it one by one, and their components inserted one by one.
    pub(super) fn is_one_by_one(&self) -> bool {
        self.kind.is_none() || self.has_requirements
    }

    /// Raises `tick`, and marks the components of an entity that are about to be inserted or replaced; `had` is the set
    /// that the entity has.
    #[cold]
    pub(super) fn mark(&self, pools: &mut [PoolEntry], entity: EntityId, had: &ComponentMask, tick: &mut u64) {
        *tick += 1;
        self.ids.iter().for_each(|id| pools[id.index()].pool.mark_insertion(entity, !had.contains(*id), *tick));
    }

    /// Swaps the values of the last row of the kind with those of another.
    #[cold]
    pub(super) fn swap_last(&self, pools: &mut [PoolEntry], kind: usize, row: usize, last: usize) {
        self.ids.iter().for_each(|id| pools[id.index()].pool.swap_home(kind, row, last));
    }
}

/// Appends values to a column. An empty column takes over the memory instead.
fn append_or_swap<T>(values: &mut Vec<T>, more: &mut Vec<T>) {
    if values.is_empty() && values.capacity() <= more.capacity() {
        std::mem::swap(values, more);
    } else {
        values.append(more);
    }
}

macro_rules! bundle {
    ($($name:ident $value:ident),*) => {
        impl<$($name: Component),*> Bundle for ($($name,)*) {
            type Tuples = Self;

            #[inline(always)]
            fn into_tuples(self) -> Self {
                self
            }
        }

        impl<$($name: Component),*> Tuples for ($($name,)*) {
            type Replaced = ($(Option<$name>,)*);
            const COUNT: usize = 0 $(+ { _ = size_of::<$name>(); 1 })*;

            fn parts() -> Vec<Part> {
                vec![$(Part::of::<$name>()),*]
            }

            #[allow(unused_variables)]
            fn register(components: &mut ComponentManager) -> Box<[ComponentId]> {
                Box::new([$(components.register::<$name>()),*])
            }

            #[allow(unused_mut, non_snake_case, clippy::unused_unit)]
            #[inline(always)]
            fn unpack(self, mut into: BundleWriter<'_>) -> Self::Replaced {
                let (($($value,)*), [$($name),*]) = (self, into.ids());
                ($(into.put($name, $value),)*)
            }

            #[allow(unused_mut, non_snake_case)]
            #[inline(always)]
            fn unpack_new(self, mut into: BundleWriter<'_>) {
                let (($($value,)*), [$($name),*]) = (self, into.ids());
                $(into.put_new($name, $value);)*
            }

            #[allow(unused_variables)]
            #[inline]
            fn push_all(bundles: impl Iterator<Item = Self>, into: OpenColumns<'_>) -> usize {
                let kind = into.kind;
                let [$($value),*] = into.entries();
                #[allow(non_snake_case)]
                let ($($name,)*) = ($($value.pool.home_mut::<$name>(kind),)*);
                let (least, _) = bundles.size_hint();
                $($name.reserve(least);)*
                let mut count = 0;
                bundles.for_each(|($($value,)*)| {
                    $($name.push($value);)*
                    count += 1;
                });
                count
            }

            #[allow(non_snake_case)]
            fn announce(news: BundleNews<'_>, ($($value,)*): &Self::Replaced) {
                let [$($name),*] = news.ids();
                $(news.announce::<$name>($name, $value.as_ref());)*
            }

            #[allow(clippy::unused_unit)]
            fn into_replaced(self) -> Self::Replaced {
                let ($($value,)*) = self;
                ($(Some($value),)*)
            }

            #[allow(non_snake_case, unused_variables)]
            fn discard(news: BundleNews<'_>, ($($value,)*): Self::Replaced, panics: &mut FirstPanic) {
                let [$($name),*] = news.ids();
                $(news.discard::<$name>($name, $value, panics);)*
            }
        }
    };
}

macro_rules! columns {
    ($($name:ident $value:ident),+) => {
        impl<$($name: Component),*> Columns for ($(Vec<$name>,)*) {
            type Row = ($($name,)*);

            fn lengths(&self) -> Vec<usize> {
                let ($($value,)*) = self;
                vec![$($value.len()),*]
            }

            fn append(self, into: OpenColumns<'_>) {
                let kind = into.kind;
                #[allow(non_snake_case)]
                let [$($name),*] = into.entries();
                let ($(mut $value,)*) = self;
                $(append_or_swap($name.pool.home_mut(kind), &mut $value);)*
            }

            fn into_rows(self) -> impl Iterator<Item = Self::Row> {
                let ($($value,)*) = self;
                $(let mut $value = $value.into_iter();)*
                std::iter::from_fn(move || Some(($($value.next()?,)*)))
            }
        }
    };
}

bundle!();

macro_rules! bundles_and_columns {
    ($($name:ident $value:ident),+) => {
        bundle!($($name $value),+);
        columns!($($name $value),+);
    };
}

bundles_and_columns!(A a);
bundles_and_columns!(A a, B b);
bundles_and_columns!(A a, B b, C c);
bundles_and_columns!(A a, B b, C c, D d);
bundles_and_columns!(A a, B b, C c, D d, E e);
bundles_and_columns!(A a, B b, C c, D d, E e, F f);
bundles_and_columns!(A a, B b, C c, D d, E e, F f, G g);
bundles_and_columns!(A a, B b, C c, D d, E e, F f, G g, H h);
bundles_and_columns!(A a, B b, C c, D d, E e, F f, G g, H h, I i);
bundles_and_columns!(A a, B b, C c, D d, E e, F f, G g, H h, I i, J j);
bundles_and_columns!(A a, B b, C c, D d, E e, F f, G g, H h, I i, J j, K k);
bundles_and_columns!(A a, B b, C c, D d, E e, F f, G g, H h, I i, J j, K k, L l);
