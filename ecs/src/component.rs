//! Components: a dense pool for each type, the manager of the pools, masks and bundles.

mod bulk;
mod bundle;
mod group;
mod insert_conflicts;
mod manager;
mod mask;
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
pub use self::group::GroupError;
pub(crate) use self::insert_conflicts::{InsertConflict, InsertConflicts};
pub use self::manager::{ComponentInfo, ComponentManager};
pub use self::mask::{ComponentId, ComponentMask};
pub use self::names::{ComponentNameError, MaskNames};
pub use self::pool::PoolRef;
pub(crate) use self::pool::{Column, Pool};
pub use self::pool_mut::PoolMut;
pub(crate) use self::pool_mut::no_such_component;
pub use self::proposal::{GroupProposal, GroupProposals};
pub(crate) use self::proposal::{Iterated, Saving, savings};
pub(crate) use self::refusal::refusal;
pub(crate) use self::sparse_index::{Slot, SparseIndex};
pub(crate) use self::ticks::{TickCopy, Ticks};

/// Data of an entity: any type that is `Send + Sync + 'static`. There is nothing to derive.
///
/// An entity has at most one component of a type. A component without fields is a tag: it takes no value storage.
///
/// A few types are refused when they are used for the first time, because they only get here by mistake: tuples and `()`, `Option`,
/// `Result`, and functions and closures that were not called. A struct around them makes them components.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a component",
    label = "a component owns its data and may cross threads: it is `Send + Sync + 'static`"
)]
pub trait Component: Send + Sync + 'static {}

impl<T: Send + Sync + 'static> Component for T {}
