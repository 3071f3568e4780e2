//! Bundles: tuples of components that are inserted together.

use super::manager::PoolEntry;
use super::{Component, ComponentId, ComponentManager, ComponentMask};
use crate::entity::{EntityId, EntityManager, NoSuchEntity};
use crate::event::{Added, EventBuffer};

/// Where the components of a bundle go.
#[doc(hidden)]
pub struct Unpack<'a> {
    pub(super) entity: EntityId,
    pub(super) is_entity_enabled: bool,
    /// The components of the bundle, in the order of the tuple.
    pub(super) ids: &'a [ComponentId],
    pub(super) pools: &'a mut [PoolEntry],
    pub(super) buffer: &'a EventBuffer,
}

impl<'a> Unpack<'a> {
    /// For an entity that is new, and so enabled.
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
        let entry = &mut self.pools[id.index()];
        let old = entry.pool.typed().insert(self.entity, value, self.is_entity_enabled);
        if let (None, Some(event_type)) = (&old, entry.events.added) {
            self.buffer.push(event_type, Added::<T>::new(self.entity));
        }
        old
    }

    /// Inserts a component of the tuple into an entity that is enabled and has no component of its type.
    #[inline(always)]
    fn put_new<T: Component>(&mut self, id: ComponentId, value: T) {
        self.pools[id.index()].pool.typed().insert_new(self.entity, value);
    }

    /// Announces a component of the tuple to whoever listens.
    fn announce<T: Component>(&mut self, id: ComponentId) {
        if let Some(event_type) = self.pools[id.index()].events.added {
            self.buffer.push(event_type, Added::<T>::new(self.entity));
        }
    }
}

/// Components that are inserted together: a tuple of up to 12, or of none.
///
/// Where a type stands twice in a tuple, the later one stays.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a bundle",
    label = "bundles are tuples of components: a single one is written `(component,)`"
)]
pub trait Bundle: Send + 'static {
    /// What components of the bundle replaced.
    #[doc(hidden)]
    type Replaced;
    #[doc(hidden)]
    fn register(components: &mut ComponentManager) -> Box<[ComponentId]>;
    /// Inserts the components; returns what they replaced, to be dropped when all is as it should be.
    #[doc(hidden)]
    fn unpack(self, into: Unpack<'_>) -> Self::Replaced;
    /// As [`Bundle::unpack`], for a new entity, and announces nothing. No component type may stand twice in the tuple.
    #[doc(hidden)]
    fn unpack_new(self, into: Unpack<'_>);
    /// Puts the components of all bundles at the ends of their columns; returns how many bundles there were. Hands them back
    /// if a component type stands twice in the tuple.
    #[doc(hidden)]
    fn push_all<I: Iterator<Item = Self>>(bundles: I, into: &mut Ends<'_>) -> Result<usize, I>
    where
        Self: Sized;
    /// Inserts each bundle into its entity; those that are gone are passed over, and the first of them is the error. Hands the
    /// bundles back if a component type stands twice in the tuple.
    #[doc(hidden)]
    fn insert_each<I: Iterator<Item = (EntityId, Self)>>(
        bundles: I,
        into: &mut Ends<'_>,
        with: Inserts<'_>,
    ) -> Result<Result<(), NoSuchEntity>, I>
    where
        Self: Sized;
    /// Announces the components of a new entity to whoever listens.
    #[doc(hidden)]
    fn announce(of: Unpack<'_>);
}

/// Columns of equal length: a tuple of up to 12 `Vec`s, one for each component type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` are not columns of components",
    label = "columns are tuples of `Vec`s: a single one is written `(vec,)`"
)]
pub trait Columns: Send + 'static {
    /// What a row is: `(A, B)` for `(Vec<A>, Vec<B>)`.
    type Row: Bundle;
    /// The lengths of the columns.
    #[doc(hidden)]
    fn lengths(&self) -> Vec<usize>;
    /// Moves the columns to the ends of those of the pools; hands them back if a component type stands twice in the tuple.
    #[doc(hidden)]
    fn append(self, into: &mut Ends<'_>) -> Result<(), Self>
    where
        Self: Sized;
    /// Row by row.
    #[doc(hidden)]
    fn rows(self) -> impl Iterator<Item = Self::Row>;
}

/// The pools of a bundle's components, whose columns may be longer than the list of owners: who drops this drops the
/// values without an owner.
#[doc(hidden)]
pub struct Ends<'a> {
    pub(super) ids: &'a [ComponentId],
    pub(super) pools: &'a mut [PoolEntry],
}

/// What is needed to insert bundles into many entities.
#[doc(hidden)]
pub struct Inserts<'a> {
    pub(super) entities: &'a mut EntityManager,
    pub(super) mask: &'a ComponentMask,
    /// Where those are noted that something was inserted into, for the groups.
    pub(super) changed: Option<&'a mut Vec<EntityId>>,
    pub(super) buffer: &'a EventBuffer,
}

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        for id in self.ids {
            self.pools[id.index()].pool.drop_ownerless();
        }
    }
}

impl Ends<'_> {
    /// The pools of the bundle, in the order of the tuple; `None` if one stands there twice.
    fn entries<const N: usize>(&mut self) -> Option<[&mut PoolEntry; N]> {
        let indices: [usize; N] = std::array::from_fn(|at| self.ids[at].index());
        self.pools.get_disjoint_mut(indices).ok()
    }
}

/// Moves values to the end of a column: the memory itself where there are none before.
fn collect_output<T>(values: &mut Vec<T>, more: &mut Vec<T>) {
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

            #[allow(unused_variables)]
            fn register(components: &mut ComponentManager) -> Box<[ComponentId]> {
                Box::new([$(components.register::<$name>()),*])
            }

            #[allow(unused_mut, non_snake_case, clippy::unused_unit)]
            #[inline(always)]
            fn unpack(self, mut into: Unpack<'_>) -> Self::Replaced {
                let (($($value,)*), [$($name),*]) = (self, into.ids());
                ($(into.put($name, $value),)*)
            }

            #[allow(unused_mut, non_snake_case)]
            #[inline(always)]
            fn unpack_new(self, mut into: Unpack<'_>) {
                let (($($value,)*), [$($name),*]) = (self, into.ids());
                $(into.put_new($name, $value);)*
            }

            #[allow(unused_variables)]
            #[inline]
            fn push_all<Each: Iterator<Item = Self>>(bundles: Each, into: &mut Ends<'_>) -> Result<usize, Each> {
                let Some([$($value),*]) = into.entries() else { return Err(bundles) };
                #[allow(non_snake_case)]
                let ($($name,)*) = ($($value.pool.typed::<$name>().values,)*);
                let (least, _) = bundles.size_hint();
                $($name.reserve(least);)*
                let mut count = 0;
                bundles.for_each(|($($value,)*)| {
                    $($name.push($value);)*
                    count += 1;
                });
                Ok(count)
            }

            #[allow(unused_variables)]
            #[inline]
            fn insert_each<Each: Iterator<Item = (EntityId, Self)>>(
                bundles: Each,
                into: &mut Ends<'_>,
                mut with: Inserts<'_>,
            ) -> Result<Result<(), NoSuchEntity>, Each> {
                let Some([$($value),*]) = into.entries() else { return Err(bundles) };
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
                Ok(result)
            }

            #[allow(unused_mut)]
            fn announce(mut of: Unpack<'_>) {
                let [$($value),*] = of.ids();
                $(of.announce::<$name>($value);)*
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

            fn append(self, into: &mut Ends<'_>) -> Result<(), Self> {
                #[allow(non_snake_case)]
                let Some([$($name),*]) = into.entries() else { return Err(self) };
                let ($(mut $value,)*) = self;
                $(collect_output($name.pool.typed().values, &mut $value);)*
                Ok(())
            }

            fn rows(self) -> impl Iterator<Item = Self::Row> {
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
