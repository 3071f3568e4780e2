//! The types that an engine knows by stable names, and how their values are copied, hashed and saved.
#![cfg_attr(not(feature = "serde"), allow(dead_code, unused_imports, reason = "nothing is saved"))]

mod component_type;
mod different_values;
mod duplicate;
mod event_type;
#[cfg_attr(not(feature = "inspect"), path = "types/uninspected.rs")]
mod inspected;
#[cfg(feature = "inspect")]
mod leaves;
mod local_state;
mod registry;
mod relation_type;
mod resource_type;
#[cfg_attr(not(feature = "serde"), path = "types/unsaved.rs")]
mod saved;
mod system_type;

#[cfg(feature = "inspect")]
pub(crate) use self::component_type::AnyComponentType;
pub use self::different_values::DifferentValues;
pub(crate) use self::different_values::Rows;
#[cfg(feature = "inspect")]
pub(crate) use self::different_values::different_field;
pub(crate) use self::event_type::AnyEvents;
pub(crate) use self::local_state::{AnyLocalState, LocalState};
#[cfg(feature = "serde")]
pub(crate) use self::registry::Entry;
pub use self::registry::{Saved, TypeRegistry};
#[cfg(feature = "inspect")]
pub(crate) use self::resource_type::AnyResourceType;
#[cfg(feature = "serde")]
pub(crate) use self::saved::{Blob, DEPTH, DEPTH_OF_PARTS, Form, PoolToSave, SavedValues, into_bytes};
pub(crate) use self::system_type::{AnySystemType, Recipe, SystemType};
#[cfg(feature = "inspect")]
pub(crate) use self::{
    inspected::{ComponentOperations, ReadError, Show, ShowComponent, ShowEvent, ShowResource, ShowState},
    leaves::{Leaf, Walker, in_path},
    saved::Codec,
};
