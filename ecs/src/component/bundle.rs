//! Bundles: tuples of components that are inserted together.

use super::{Component, ComponentManager};
use crate::entity::{EntityId, EntityRecord};
use crate::event::Lane;

/// Where a bundle is unpacked.
#[doc(hidden)]
pub struct Unpack<'a> {
    pub(crate) entity: EntityId,
    pub(crate) record: &'a mut EntityRecord,
    pub(crate) components: &'a mut ComponentManager,
    pub(crate) lane: &'a Lane,
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
    fn unpack(self, into: &mut Unpack<'_>);
}

macro_rules! bundle {
    ($($name:ident),*) => {
        impl<$($name: Component),*> Bundle for ($($name,)*) {
            #[allow(non_snake_case, unused_variables)]
            fn unpack(self, into: &mut Unpack<'_>) {
                let ($($name,)*) = self;
                $(into.components.insert(into.entity, into.record, $name, into.lane);)*
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
