//! Snapshots of an engine's state, and hashes of it that are equal on every platform.

mod difference;
mod resource_changes;
mod restore;
#[cfg(feature = "serde")]
pub(crate) mod saved;
mod state_hash;
mod take;
#[cfg(feature = "inspect")]
mod waiting_events;

use std::any::{Any, TypeId};
use std::sync::Arc;
use std::time::Duration;

use slotmap::SlotMap;

pub use self::difference::{Difference, EngineState, RecordedState};
#[cfg(feature = "derive")]
pub use lockstep_ecs_derive::{Saved, StableHash};

use self::resource_changes::{AskedCopy, SetAsked};
pub(crate) use self::restore::Target;
#[cfg(feature = "serde")]
pub use self::saved::{Converted, Dropped, LoadError, Loaded, SaveError};
pub use self::state_hash::{HashPart, StateHash};
#[cfg(feature = "inspect")]
pub use self::waiting_events::{FrameInputs, WaitingEvents};
use crate::component::{ComponentId, PoolRows};
use crate::entity::EntityTable;
pub use crate::error::{SnapshotError, TypeKind};
use crate::event::{EventNumbers, WaitingRun};
use crate::ids::FunctionKey;
use crate::query::QueryStats;
use crate::resources::Revisions;
pub use crate::stable_hash::{StableHash, StateHasher};
use crate::store::{CopyCache, HeldControls, SharedCopy};
use crate::system::{SystemNode, Timing};
use crate::time::Time;
use crate::types::{AnyEvents, AnySystemType, Rows};
pub use crate::types::{DifferentValues, Saved, TypeRegistry};

/// Everything that decides what an engine does next, between two frames: *take a snapshot, restore it, run n frames*
/// gives the same state as *run n frames*, bit for bit.
///
/// It contains
/// - the entities and the ids assigned next; the kinds and the pools with the order of their rows, and what is
///   disabled;
/// - the entity lists and tags; the global ids with the site and the next serial;
/// - the resources; the states of systems, their timers, priorities and subscriptions, and whether they are enabled;
/// - plain functions: restoring drops those that were added since, and brings back those that have ended;
/// - the events that wait for the next frame;
/// - when components were added and last changed, and when the systems that ask for it last ran;
/// - the frame number and the time.
///
/// It does not contain counters and measurements (events sent, run times, peaks, query statistics), the causal trace,
/// settings of the engine, and resources and systems that are left out by [`TypeRegistry::leave_out_resource`] or
/// [`TypeRegistry::leave_out_system`]. Restoring does not change these. It clears the errors of commands and of
/// systems.
///
/// Plain functions (see [`Engine::every`](crate::Engine::every)) are named by [`TypeRegistry::function`]. Without a
/// name, a function must repeat, capture nothing and still exist when the snapshot is restored.
///
/// [`Engine::snapshot`](crate::Engine::snapshot) takes one; [`Engine::snapshot_into`](crate::Engine::snapshot_into)
/// reuses the memory of an older one. Snapshots share what has not changed between them: the entities, the values and
/// the owners of each pool, and each resource. Mutable access counts as a change. States of systems are copied each
/// time.
///
/// # Example
/// ```
/// # use ecs::{Engine, Query, Setup, System};
/// # use std::time::Duration;
/// # struct Growth;
/// # impl System for Growth {
/// #     fn setup(setup: &mut Setup<Self>) {
/// #         setup.update(Self::grow);
/// #     }
/// # }
/// # impl Growth {
/// #     fn grow(&mut self, mut heights: Query<&mut u32>) {
/// #         heights.iter_mut().for_each(|height| *height += 1);
/// #     }
/// # }
/// let mut engine = Engine::new();
/// engine.add(Growth)?.types_mut().component::<u32>("height")?;
/// let tree = engine.spawn((10_u32,));
/// let planted = engine.snapshot()?;
/// engine.update(Duration::from_secs(1))?;
/// assert_eq!(engine.get(tree), Some(&11_u32));
/// engine.restore(&planted)?;
/// assert_eq!((engine.get(tree), engine.time().frame()), (Some(&10_u32), 0));
/// # Ok::<(), ecs::Error>(())
/// ```
#[derive(Default)]
pub struct Snapshot {
    /// It is complete.
    is_whole: bool,
    /// The snapshot was loaded from a save: the engine may have systems that the save lacks.
    is_from_save: bool,
    /// Resources that restoring does not change.
    stays: Vec<TypeId>,
    entities: Option<SharedCopy>,
    pools: Vec<PoolCopy>,
    resources: Vec<ResourceCopy>,
    entity_lists: Option<SharedCopy>,
    global_ids: Option<SharedCopy>,
    random: Option<SharedCopy>,
    systems: Vec<SystemCopy>,
    functions: SlotMap<FunctionKey, usize>,
    lists: Vec<EventList>,
    /// Waiting runs, by the position of their list in `lists`.
    waiting: Vec<(usize, WaitingRun)>,
    /// What the conditions of sets know of resources.
    sets_asked: Vec<SetAsked>,
    numbers: EventNumbers,
    time: Time,
    /// See [`Executor`](crate::system::Executor). Not in saves and hashes, since no system knows them.
    controls: Option<HeldControls>,
    /// The last tick, and the one before the last frame.
    ticks: (u64, u64),
}

/// A pool in a snapshot. Empty pools of unregistered types have no name.
struct PoolCopy {
    component: TypeId,
    name: Option<Arc<str>>,
    index: Option<SharedCopy>,
    values: Option<SharedCopy>,
    /// Only if changes are tracked.
    ticks: Option<SharedCopy>,
}

impl PoolCopy {
    /// The owners and the values; `place` is the place of the pool in the snapshot.
    fn rows<'a>(&'a self, place: usize, table: &'a EntityTable) -> Rows<'a> {
        let extras = self.index.as_ref()?.downcast_ref()?;
        Some((PoolRows { table, id: ComponentId::at(place), extras }, self.values.as_ref()?))
    }
}

struct ResourceCopy {
    resource: TypeId,
    name: Arc<str>,
    value: Option<SharedCopy>,
    revisions: Revisions,
}

struct SystemCopy {
    system: TypeId,
    /// The key of a plain function; `None` for a system.
    function: Option<FunctionKey>,
    /// The key of this function in the engine that loads it from a save, if it has another one there.
    own_key: Option<FunctionKey>,
    rust_name: &'static str,
    name: Option<Arc<str>>,
    /// How a listening function is copied and recreated.
    own_type: Option<Arc<dyn AnySystemType>>,
    /// `None` if the system has no state or is left out.
    state: Option<Box<dyn Any + Send>>,
    timing: Timing,
    /// It is a function that was added before the first frame.
    is_of_setup: bool,
    /// A command added it.
    is_by_command: bool,
    /// It was added with settings beside those that it declares.
    has_more_settings: bool,
    is_enabled: bool,
    /// For each listener: whether it is subscribed, and the number of its next event. `None` for a listener that did
    /// not exist when the snapshot was saved.
    listeners: Vec<Option<(bool, u64)>>,
    /// Its queries that see changes.
    queries: Vec<QueryCopy>,
    /// What the parameters of its methods and conditions know of resources, in their order.
    asked: Vec<AskedCopy>,
    /// The private state of its methods and conditions, in their order.
    locals: Vec<LocalCopy>,
}

impl SystemCopy {
    /// A copy without state.
    fn of(node: &SystemNode) -> Self {
        Self {
            system: node.system,
            function: node.function,
            own_key: None,
            rust_name: node.name,
            name: None,
            own_type: node.own_type.clone(),
            state: None,
            timing: node.timing(),
            is_of_setup: node.is_of_setup,
            is_by_command: node.is_by_command,
            has_more_settings: node.has_more_settings,
            is_enabled: node.run_state.is_enabled(),
            listeners: Vec::new(),
            queries: Vec::new(),
            asked: Vec::new(),
            locals: Vec::new(),
        }
    }
}

/// A copy of private state.
struct LocalCopy {
    value_type: TypeId,
    #[cfg(feature = "serde")]
    rust_name: &'static str,
    value: Option<Box<dyn Any + Send>>,
}

/// A query that sees changes.
struct QueryCopy {
    last_run: u64,
    /// Knows the components, as positions in [`Snapshot::pools`]. `None` if the snapshot was loaded from a save.
    stats: Option<Arc<QueryStats>>,
}

/// The waiting events of one type.
struct EventList {
    event: TypeId,
    name: Arc<str>,
    events: Box<dyn AnyEvents>,
}

impl Snapshot {
    /// An empty snapshot for [`Engine::snapshot_into`](crate::Engine::snapshot_into).
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the values of all pools, to be moved into an engine.
    #[cfg(feature = "serde")]
    pub(crate) fn take_values(&mut self) -> Vec<Option<SharedCopy>> {
        self.pools.iter_mut().map(|pool| pool.values.take()).collect()
    }

    /// The entities of a snapshot that is whole.
    fn table(&self) -> &EntityTable {
        self.entities.as_ref().and_then(|image| image.downcast_ref()).expect("the snapshot is whole")
    }

    /// The owners and the values of a pool, by its place in the snapshot.
    fn rows(&self, place: usize) -> Rows<'_> {
        self.pools.get(place)?.rows(place, self.table())
    }

    /// The time at which it was taken; for an empty one, the time before the first frame.
    #[must_use]
    pub fn time(&self) -> Time {
        self.time
    }

    /// The frame after which it was taken, from 1; 0 before the first.
    #[must_use]
    pub fn frame(&self) -> u64 {
        self.time().frame()
    }

    /// Sum of the lengths of all frames before it was taken.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.time().elapsed()
    }
}

/// The type registry, and the latest copies of each store.
#[derive(Default)]
pub(crate) struct Snapshots {
    pub(crate) types: TypeRegistry,
    entities: CopyCache,
    pools: Vec<LatestPool>,
    resources: Vec<CopyCache>,
    entity_lists: CopyCache,
    global_ids: CopyCache,
    random: CopyCache,
    /// The component ids of the pools of the snapshot that is being restored.
    ids: Vec<Option<ComponentId>>,
    /// The number of events used of each list.
    taken: Vec<usize>,
    own_parts: state_hash::OwnParts,
    /// The snapshot that was hashed last, kept for its memory.
    hashed: Option<Snapshot>,
}

/// The latest copies of a pool.
#[derive(Default)]
struct LatestPool {
    index: CopyCache,
    values: CopyCache,
    ticks: CopyCache,
}

impl Snapshots {
    /// Frees the memory kept for later snapshots.
    pub(crate) fn shrink(&mut self) {
        self.entities.shrink();
        self.pools.iter_mut().for_each(|LatestPool { index, values, ticks }| {
            index.shrink();
            values.shrink();
            ticks.shrink();
        });
        self.resources.iter_mut().for_each(CopyCache::shrink);
        self.entity_lists.shrink();
        self.global_ids.shrink();
        self.random.shrink();
        self.hashed = None;
    }
}
