//! Bundles: tuples of components that are inserted together.

use std::any::TypeId;

use super::group::{self, Group};
use super::manager::PoolEntry;
use super::refusal::{Part, bundle_refusal};
use super::{Component, ComponentId, ComponentManager, ComponentMask};
use crate::entity::{EntityId, EntityManager, NoSuchEntity};
use crate::event::{Added, EventBuffer, EventTypeId, Spawned};

/// Writes the components of a bundle into their pools.
#[doc(hidden)]
pub struct BundleWriter<'a> {
    pub(super) entity: EntityId,
    pub(super) is_entity_enabled: bool,
    /// The components of the bundle, in the order of the tuple.
    pub(super) ids: &'a [ComponentId],
    pub(super) pools: &'a mut [PoolEntry],
    pub(super) buffer: &'a EventBuffer,
}

impl<'a> BundleWriter<'a> {
    /// For a new entity, which is enabled.
    #[inline(always)]
    pub(super) fn new(
        entity: EntityId,
        ids: &'a [ComponentId],
        pools: &'a mut [PoolEntry],
        buffer: &'a EventBuffer,
    ) -> Self {
        Self { entity, is_entity_enabled: true, ids, pools, buffer }
    }

    #[inline(always)]
    fn ids<const N: usize>(&self) -> [ComponentId; N] {
        self.ids.try_into().expect("a bundle is unpacked with the ids that it registered")
    }

    /// Inserts a component of the tuple; returns what it replaced.
    #[inline(always)]
    fn put<T: Component>(&mut self, id: ComponentId, value: T) -> Option<T> {
        self.pools[id.index()].pool.typed().insert(self.entity, value, self.is_entity_enabled)
    }

    /// Inserts a component of the tuple into an entity that is enabled and has no component of its type.
    #[inline(always)]
    fn put_new<T: Component>(&mut self, id: ComponentId, value: T) {
        self.pools[id.index()].pool.typed().insert_new(self.entity, value);
    }

    /// The position of a component of the tuple.
    #[inline(always)]
    fn position(&self, id: ComponentId) -> Option<usize> {
        self.pools[id.index()].pool.index().position(self.entity)
    }

    /// Removes the component of the tuple at its position and returns it.
    #[inline(always)]
    fn take<T: Component>(&mut self, id: ComponentId, position: Option<usize>) -> Option<T> {
        self.pools[id.index()].pool.typed().remove_at(self.entity, position?)
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
/// A bundle that has a type twice, or a type that is only there by mistake (see [`Component`]), is refused when it is used for the
/// first time: by a panic, before anything has changed.
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
    /// Inserts the components without events; returns the replaced ones, which the caller drops last because a drop may panic.
    #[doc(hidden)]
    fn unpack(self, into: BundleWriter<'_>) -> Self::Replaced;
    /// As [`Bundle::unpack`], for a new entity.
    #[doc(hidden)]
    fn unpack_new(self, into: BundleWriter<'_>);
    /// Removes the components of the entity and then drops them: all of them, even if one panics.
    #[doc(hidden)]
    fn remove(from: BundleWriter<'_>);
    /// Appends the components of all bundles to their columns; returns the number of bundles.
    #[doc(hidden)]
    fn push_all(bundles: impl Iterator<Item = Self>, into: &mut OpenPools<'_>) -> usize
    where
        Self: Sized;
    /// Inserts each bundle into its entity. Skips entities that are gone; the first of them is the error.
    #[doc(hidden)]
    fn insert_each(
        bundles: impl Iterator<Item = (EntityId, Self)>,
        into: &mut OpenPools<'_>,
        with: Inserts<'_>,
    ) -> Result<(), NoSuchEntity>
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
}

/// The pools of a bundle's components, while their columns may be longer than their lists of owners. Dropping this drops the
/// values that have no owner yet.
#[doc(hidden)]
pub struct OpenPools<'a> {
    pub(super) ids: &'a [ComponentId],
    pub(super) pools: &'a mut [PoolEntry],
}

/// The context of inserting bundles into many entities.
#[doc(hidden)]
pub struct Inserts<'a> {
    pub(super) entities: &'a mut EntityManager,
    pub(super) mask: &'a ComponentMask,
    /// Collects the entities that were inserted into, if groups may change.
    pub(super) changed: Option<&'a mut Vec<EntityId>>,
    pub(super) buffer: &'a EventBuffer,
}

impl Drop for OpenPools<'_> {
    fn drop(&mut self) {
        for id in self.ids {
            self.pools[id.index()].pool.drop_ownerless();
        }
    }
}

impl OpenPools<'_> {
    /// The pools of the bundle, in the order of the tuple.
    fn entries<const N: usize>(&mut self) -> [&mut PoolEntry; N] {
        let indices: [usize; N] = std::array::from_fn(|at| self.ids[at].index());
        self.pools.get_disjoint_mut(indices).expect("a bundle that has a type twice is refused")
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
    /// The groups that own a pool of the bundle, smaller ones first.
    pub(super) joins: Box<[usize]>,
    /// The components with a size. Values without a size are all equal.
    pub(super) with_values: Box<[ComponentId]>,
    /// Whether `Added` events of a component have listeners.
    pub(super) is_heard: bool,
    /// Whether changes of a component are tracked.
    pub(super) is_tracked: bool,
    /// Whether insertion needs nothing but the pools and a word of the mask: no groups, listeners or ticks.
    pub(super) is_plain: bool,
    /// [`Bundle::remove`], if removal needs nothing but the pools: no groups or listeners.
    pub(super) remove: Option<fn(BundleWriter<'_>)>,
    remove_from_pools: fn(BundleWriter<'_>),
}

impl BundleInfo {
    /// `remove` is [`Bundle::remove`].
    pub(super) fn new(
        bundle_type: TypeId,
        ids: Box<[ComponentId]>,
        remove: fn(BundleWriter<'_>),
        groups: &[Group],
        pools: &[PoolEntry],
    ) -> Self {
        let mask: ComponentMask = ids.iter().copied().collect();
        let mut joins: Vec<_> = (0..groups.len()).filter(|&at| !groups[at].mask.is_disjoint(&mask)).collect();
        joins.sort_by_key(|&at| groups[at].ids.len());
        let with_values = ids.iter().copied().filter(|id| pools[id.index()].value_bytes > 0).collect();
        let mut info = Self {
            bundle_type,
            ids,
            mask,
            joins: joins.into(),
            with_values,
            is_heard: false,
            is_tracked: false,
            is_plain: false,
            remove: None,
            remove_from_pools: remove,
        };
        info.note_pools(pools);
        info
    }

    /// Reads from the pools which events have listeners, and whether changes are tracked.
    pub(super) fn note_pools(&mut self, pools: &[PoolEntry]) {
        let any = |is: fn(&PoolEntry) -> bool| self.ids.iter().any(|id| is(&pools[id.index()]));
        self.is_heard = any(|entry| entry.events.added.is_some());
        self.is_tracked = any(|entry| entry.pool.ticks().is_some());
        let is_free = self.joins.is_empty();
        self.is_plain = is_free && !self.is_heard && !self.is_tracked && !self.mask.has_memory();
        self.remove = (is_free && !any(|entry| entry.events.removed.is_some())).then_some(self.remove_from_pools);
    }

    /// Raises `tick`, and marks the components of an entity that are about to be inserted or replaced.
    #[cold]
    pub(super) fn mark(&self, pools: &mut [PoolEntry], entity: EntityId, tick: &mut u64) {
        *tick += 1;
        self.ids.iter().for_each(|id| pools[id.index()].pool.mark_insertion(entity, *tick));
    }

    /// Adds an entity to the groups whose components it now has.
    #[inline]
    pub(super) fn join(&self, groups: &mut [Group], pools: &mut [PoolEntry], entity: EntityId) {
        for at in &self.joins {
            group::join_one(&mut groups[*at], pools, entity);
        }
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

            #[allow(unused_mut, non_snake_case)]
            fn remove(mut from: BundleWriter<'_>) {
                let [$($name),*] = from.ids();
                // All positions are read before anything is written, so that the processor fetches them at the same time.
                $(let $value = from.position($name);)*
                let _ = ($(from.take::<$name>($name, $value),)*);
            }

            #[allow(unused_variables)]
            #[inline]
            fn push_all(bundles: impl Iterator<Item = Self>, into: &mut OpenPools<'_>) -> usize {
                let [$($value),*] = into.entries();
                #[allow(non_snake_case)]
                let ($($name,)*) = ($($value.pool.typed::<$name>().values,)*);
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
                into: &mut OpenPools<'_>,
                mut with: Inserts<'_>,
            ) -> Result<(), NoSuchEntity> {
                let [$($value),*] = into.entries();
                #[allow(non_snake_case)]
                let ($(mut $name,)*) = ($(($value.pool.typed::<$name>(), $value.events.added),)*);
                let mut result = Ok(());
                bundles.for_each(|(entity, ($($value,)*))| {
                    let record = match with.entities.get_mut(entity) {
                        Ok(record) => record,
                        Err(error) => return result = result.and(Err(error)),
                    };
                    let is_enabled = record.is_enabled();
                    $(let $value = $name.0.insert(entity, $value, is_enabled);)*
                    record.mask.insert_all(with.mask);
                    if let Some(changed) = &mut with.changed {
                        changed.push(entity);
                    }
                    $(if let (None, Some(event_type)) = (&$value, $name.1) {
                        with.buffer.push(event_type, Added::<$name>::new(entity));
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
                #[allow(non_snake_case)]
                let [$($name),*] = into.entries();
                let ($(mut $value,)*) = self;
                $(append_or_swap($name.pool.typed().values, &mut $value);)*
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
