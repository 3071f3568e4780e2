//! Components: a pool for each type, the manager of the pools, masks and bundles.

mod bulk;
mod bundle;
mod homes;
mod hooks;
mod insert_conflicts;
mod manager;
mod names;
mod pool;
mod pool_mut;
mod refusal;
mod requirements;
mod sparse_index;
mod stable_names;
mod ticks;

pub(crate) use self::bulk::{DespawnMany, Scratch};
pub(crate) use self::bundle::{Announce, BundleNews, BundleWriter, Tuples};
pub use self::bundle::{Both, Bundle, Columns, Never, StructOfComponents};
pub(crate) use self::hooks::Effects;
pub use self::hooks::Removal;
pub(crate) use self::insert_conflicts::{InsertConflict, InsertConflicts};
pub use self::manager::{ComponentInfo, ComponentManager};
pub use self::names::{ComponentNameError, MaskNames};
pub use self::pool::PoolRef;
pub use self::pool::Values;
pub(crate) use self::pool::{Column, Pool, PoolRows, RowPlace};
pub use self::pool_mut::PoolMut;
pub(crate) use self::pool_mut::no_such_component;
pub(crate) use self::refusal::refusal;
pub(crate) use self::sparse_index::Slot;
#[cfg(feature = "serde")]
pub(crate) use self::sparse_index::SparseIndex;
pub(crate) use self::stable_names::StableNames;
pub(crate) use self::ticks::{TickCopy, Ticks, unmarked};
pub use crate::ids::{Component, ComponentId, ComponentMask};
#[cfg(feature = "derive")]
pub use lockstep_ecs_derive::Bundle;
