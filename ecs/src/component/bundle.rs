//! Bundles: tuples of components that are inserted together.

use std::any::TypeId;

use super::manager::PoolEntry;
use super::refusal::{Part, bundle_refusal};
use super::{Component, ComponentId, ComponentManager, ComponentMask};
use crate::entity::{EntityId, EntityManager, Location, NoSuchEntity};
use crate::event::{Added, EventBuffer, EventTypeId, Spawned};

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
    pub(super) buffer: &'a EventBuffer,
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

    /// Sends the `Added` event of a component of the tuple if it replaced none and has listeners.
    fn announce<T: Component>(&mut self, id: ComponentId, replaced: Option<&T>) {
        if let (None, Some(event_type)) = (replaced, self.pools[id.index()].events.added) {
            self.buffer.push(event_type, Added::<T>::new(self.entity));
        }
    }
}

/// Components that are inserted together: a tuple of up to 12, or of none.
///
/// A bundle that has a type twice, or a type that is only there by mistake (see [`Component`]), is refused when it is
/// used for the first time: by a panic, before anything has changed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a bundle",
    label = "bundles are tuples of components: a single one is written `(component,)`"
)]
pub trait Bundle: Send + 'static {
    /// The replaced components.
    #[doc(hidden)]
    type Replaced: Default;
    /// Why the bundle is refused.
    #[doc(hidden)]
    fn refusal() -> Option<String>;
    #[doc(hidden)]
    fn register(components: &mut ComponentManager) -> Box<[ComponentId]>;
    /// Inserts the components without events; returns the replaced ones, which the caller drops last because a drop may
    /// panic.
    #[doc(hidden)]
    fn unpack(self, into: BundleWriter<'_>) -> Self::Replaced;
    /// As [`Bundle::unpack`], for an entity whose row in the kind of the bundle is new, and the last one so far.
    #[doc(hidden)]
    fn unpack_new(self, into: BundleWriter<'_>);
    /// Appends the components of all bundles to their columns; returns the number of bundles.
    #[doc(hidden)]
    fn push_all(bundles: impl Iterator<Item = Self>, into: &mut OpenPools<'_>) -> usize
    where
        Self: Sized;
    /// Inserts each bundle into its entity. Skips entities that are gone; the first of them is the error.
    #[doc(hidden)]
    fn insert_each(bundles: impl Iterator<Item = (EntityId, Self)>, into: Inserts<'_>) -> Result<(), NoSuchEntity>
    where
        Self: Sized;
    /// Sends the `Added` events that have listeners, except for components that replaced others.
    #[doc(hidden)]
    fn announce(of: BundleWriter<'_>, replaced: &Self::Replaced);
}

/// Columns of equal length: a tuple of up to 12 `Vec`s, one for each component type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` are not columns of components",
    label = "columns are tuples of `Vec`s: a single one is written `(vec,)`"
)]
pub trait Columns: Send + 'static {
    /// The type of a row: `(A, B)` for `(Vec<A>, Vec<B>)`.
    type Row: Bundle;
    /// The lengths of the columns.
    #[doc(hidden)]
    fn lengths(&self) -> Vec<usize>;
    /// Appends the columns to those of the pools.
    #[doc(hidden)]
    fn append(self, into: &mut OpenPools<'_>);
    /// The rows one by one.
    #[doc(hidden)]
    fn into_rows(self) -> impl Iterator<Item = Self::Row>;
}

/// The pools of a bundle's components, while the columns of its kind may be longer than the list of owners. Dropping
/// this drops the values that have no owner yet.
#[doc(hidden)]
pub struct OpenPools<'a> {
    pub(super) ids: &'a [ComponentId],
    pub(super) pools: &'a mut [PoolEntry],
    pub(super) kind: usize,
    /// The number of owners in the kind.
    pub(super) rows: usize,
}

/// The context of inserting bundles into many entities.
#[doc(hidden)]
pub struct Inserts<'a> {
    pub(super) ids: &'a [ComponentId],
    /// The kind of the bundle, if there is one.
    pub(super) kind: Option<usize>,
    pub(super) pools: &'a mut [PoolEntry],
    pub(super) entities: &'a mut EntityManager,
    pub(super) mask: &'a ComponentMask,
    pub(super) buffer: &'a EventBuffer,
}

impl Drop for OpenPools<'_> {
    fn drop(&mut self) {
        for id in self.ids {
            self.pools[id.index()].pool.truncate_home(self.kind, self.rows);
        }
    }
}

/// The pools of a bundle, in the order of the tuple.
fn entries<'p, const N: usize>(ids: &[ComponentId], pools: &'p mut [PoolEntry]) -> [&'p mut PoolEntry; N] {
    let indices: [usize; N] = std::array::from_fn(|at| ids[at].index());
    pools.get_disjoint_mut(indices).expect("a bundle that has a type twice is refused")
}

impl OpenPools<'_> {
    fn entries<const N: usize>(&mut self) -> [&mut PoolEntry; N] {
        entries(self.ids, self.pools)
    }
}

/// Where the `Spawned` events of new entities go.
#[derive(Clone, Copy)]
pub(crate) struct Announce<'a> {
    pub(crate) spawned: Option<EventTypeId>,
    pub(crate) buffer: &'a EventBuffer,
}

impl Announce<'_> {
    /// Sends the event of a new entity, which has all its components now.
    #[inline]
    pub(crate) fn spawned(&self, entity: EntityId) {
        if let Some(id) = self.spawned {
            self.buffer.push(id, Spawned { entity });
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
    /// Whether `Added` events of a component have listeners.
    pub(super) is_heard: bool,
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
            is_tracked: false,
        };
        info.note_pools(pools);
        info
    }

    /// Reads from the pools which events have listeners, and whether changes are tracked.
    pub(super) fn note_pools(&mut self, pools: &[PoolEntry]) {
        let any = |is: fn(&PoolEntry) -> bool| self.ids.iter().any(|id| is(&pools[id.index()]));
        self.is_heard = any(|entry| entry.events.added.is_some());
        self.is_tracked = any(|entry| entry.pool.ticks().is_some());
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
            type Replaced = ($(Option<$name>,)*);

            fn refusal() -> Option<String> {
                bundle_refusal(&[$(Part::of::<$name>()),*])
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
            fn push_all(bundles: impl Iterator<Item = Self>, into: &mut OpenPools<'_>) -> usize {
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

            #[allow(unused_variables)]
            #[inline]
            fn insert_each(
                bundles: impl Iterator<Item = (EntityId, Self)>,
                into: Inserts<'_>,
            ) -> Result<(), NoSuchEntity> {
                let Inserts { ids, kind, pools, entities, mask, buffer } = into;
                let [$($value),*] = entries(ids, pools);
                #[allow(non_snake_case)]
                let ($(mut $name,)*) = ($(($value.pool.typed::<$name>(), $value.events.added),)*);
                let mut result = Ok(());
                bundles.for_each(|(entity, ($($value,)*))| {
                    let location = match entities.locate(entity) {
                        Ok(location) => location,
                        Err(error) => return result = result.and(Err(error)),
                    };
                    let is_enabled = entities.table().is_enabled_at(location);
                    let row = entities.place_bare(entity, location, kind, mask);
                    if row.is_none() && !mask.is_subset(entities.table().mask_at(entity, location)) {
                        entities.add_extras(entity, location, mask);
                    }
                    $(let $value = match row {
                        Some((kind, row)) => $name.0.push_row(kind, row, $value),
                        None => $name.0.insert(entity, location, $value, is_enabled),
                    };)*
                    $(if let (None, Some(event_type)) = (&$value, $name.1) {
                        buffer.push(event_type, Added::<$name>::new(entity));
                    })*
                });
                result
            }

            #[allow(unused_mut, non_snake_case)]
            fn announce(mut of: BundleWriter<'_>, ($($value,)*): &Self::Replaced) {
                let [$($name),*] = of.ids();
                $(of.announce::<$name>($name, $value.as_ref());)*
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

            fn append(self, into: &mut OpenPools<'_>) {
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
