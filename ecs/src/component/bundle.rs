//! Bundles: tuples of components that are inserted together.

use super::group::{Group, join_one};
use super::manager::PoolEntry;
use super::{Component, ComponentId, ComponentManager, ComponentMask};
use crate::entity::EntityId;
use crate::event::{Added, Lane};

/// Where a bundle is unpacked.
#[doc(hidden)]
pub struct Unpack<'a> {
    pub(super) entity: EntityId,
    pub(super) is_entity_enabled: bool,
    /// The components of the entity, the whole bundle included.
    pub(super) mask: &'a mut ComponentMask,
    /// The pools of the bundle's components, in the order of the tuple.
    pub(super) ids: std::slice::Iter<'a, ComponentId>,
    pub(super) pools: &'a mut [PoolEntry],
    /// The groups that own one of the pools, smaller ones first.
    pub(super) joins: &'a [usize],
    pub(super) groups: &'a mut [Group],
    pub(super) lane: &'a Lane,
}

impl Unpack<'_> {
    /// Inserts the next component of the tuple.
    #[inline]
    fn put<T: Component>(&mut self, value: T) {
        let entry = self.ids.next().and_then(|id| self.pools.get_mut(id.index()));
        let entry = entry.expect("a bundle is unpacked with the ids that it registered");
        let old = entry.pool.insert::<T>(self.entity, value, self.is_entity_enabled);
        if let (None, Some(event_type)) = (&old, entry.added) {
            self.lane.push(event_type, Added::<T>::new(self.entity));
        }
    }
}

impl Drop for Unpack<'_> {
    /// Here and not behind the last component, because a component that is replaced may panic when it is dropped: what was
    /// not inserted then is no part of the entity.
    #[inline]
    fn drop(&mut self) {
        for id in self.ids.by_ref() {
            if self.pools[id.index()].pool.index().position(self.entity).is_none() {
                self.mask.remove(*id);
            }
        }
        for group in self.joins {
            join_one(&mut self.groups[*group], self.pools, self.entity);
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
    #[doc(hidden)]
    fn register(components: &mut ComponentManager) -> Box<[ComponentId]>;
    #[doc(hidden)]
    fn unpack(self, into: &mut Unpack<'_>);
    /// Puts the components of all bundles at the ends of their columns; returns how many bundles there were. Hands them back
    /// if a component type stands twice in the tuple.
    #[doc(hidden)]
    fn push_all<I: Iterator<Item = Self>>(bundles: I, into: &mut Ends<'_>) -> Result<usize, I>
    where
        Self: Sized;
    /// Announces the components of a new entity to whoever listens.
    #[doc(hidden)]
    fn announce(entity: EntityId, from: &Ends<'_>, lane: &Lane);
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

macro_rules! bundle {
    ($($name:ident $value:ident),*) => {
        impl<$($name: Component),*> Bundle for ($($name,)*) {
            #[allow(unused_variables)]
            fn register(components: &mut ComponentManager) -> Box<[ComponentId]> {
                Box::new([$(components.register::<$name>()),*])
            }

            #[allow(unused_variables)]
            #[inline]
            fn unpack(self, into: &mut Unpack<'_>) {
                let ($($value,)*) = self;
                $(into.put($value);)*
            }

            #[inline]
            fn push_all<Each: Iterator<Item = Self>>(bundles: Each, into: &mut Ends<'_>) -> Result<usize, Each> {
                let Some([$($value),*]) = into.entries() else { return Err(bundles) };
                #[allow(non_snake_case)]
                let ($($name,)*) = ($($value.pool.values_mut::<$name>(),)*);
                let mut count = 0;
                bundles.for_each(|($($value,)*)| {
                    $($name.push($value);)*
                    count += 1;
                });
                Ok(count)
            }

            #[allow(unused_variables, unused_mut)]
            fn announce(entity: EntityId, from: &Ends<'_>, lane: &Lane) {
                let mut entries = from.ids.iter().map(|id| &from.pools[id.index()]);
                $(if let Some(event_type) = entries.next().and_then(|entry| entry.added) {
                    lane.push(event_type, Added::<$name>::new(entity));
                })*
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
                $($name.pool.values_mut().append(&mut $value);)*
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
