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
}

macro_rules! bundle {
    ($($name:ident),*) => {
        impl<$($name: Component),*> Bundle for ($($name,)*) {
            #[allow(unused_variables)]
            fn register(components: &mut ComponentManager) -> Box<[ComponentId]> {
                Box::new([$(components.register::<$name>()),*])
            }

            #[allow(non_snake_case, unused_variables)]
            #[inline]
            fn unpack(self, into: &mut Unpack<'_>) {
                let ($($name,)*) = self;
                $(into.put($name);)*
            }
        }
    };
}

bundle!();
bundle!(A);
bundle!(A, B);
bundle!(A, B, C);
bundle!(A, B, C, D);
bundle!(A, B, C, D, E);
bundle!(A, B, C, D, E, F);
bundle!(A, B, C, D, E, F, G);
bundle!(A, B, C, D, E, F, G, H);
bundle!(A, B, C, D, E, F, G, H, I);
bundle!(A, B, C, D, E, F, G, H, I, J);
bundle!(A, B, C, D, E, F, G, H, I, J, K);
bundle!(A, B, C, D, E, F, G, H, I, J, K, L);
