//! Components: a dense pool for each type, the manager of the pools, masks and bundles.

mod bulk;
mod bundle;
mod group;
mod insert_conflicts;
mod manager;
mod names;
mod owning_groups;
mod pool;
mod pool_mut;
mod proposal;
mod refusal;
mod sparse_index;
mod ticks;

pub(crate) use self::bulk::{DespawnMany, RemoveMany, Scratch};
pub(crate) use self::bundle::{Announce, BundleWriter};
pub use self::bundle::{Bundle, Columns};
pub(crate) use self::group::Group;
pub(crate) use self::insert_conflicts::{InsertConflict, InsertConflicts};
pub use self::manager::{ComponentInfo, ComponentManager};
pub use self::names::{ComponentNameError, MaskNames};
pub use self::pool::PoolRef;
pub(crate) use self::pool::{Column, Pool};
pub use self::pool_mut::PoolMut;
pub(crate) use self::pool_mut::no_such_component;
pub use self::proposal::{GroupProposal, GroupProposals};
pub(crate) use self::proposal::{Iterated, Saving, savings};
pub(crate) use self::refusal::refusal;
pub(crate) use self::sparse_index::{Slot, SparseIndex};
pub(crate) use self::ticks::{TickCopy, Ticks, unmarked};
pub use crate::error::GroupError;
pub use crate::ids::{Component, ComponentId, ComponentMask};
