//! The state of an engine, copied and put back: snapshots, and hashes of the same on every platform.

mod component_type;
mod difference;
mod error;
mod event_type;
mod hash;
mod image;
mod recorded_hash;
mod registry;
mod resource_type;
mod restore;
#[cfg(feature = "serde")]
pub(crate) mod saved;
mod state_hash;
mod system_type;
mod take;

use std::any::{Any, TypeId};
use std::sync::Arc;
use std::time::Duration;

use slotmap::SlotMap;

pub use self::difference::{Difference, DifferentValues, RecordedState};
pub use self::error::{SnapshotError, TypeKind};
use self::event_type::AnyEvents;
pub use self::hash::{StableHash, StateHasher};
use self::image::{Image, Latest};
pub use self::registry::TypeRegistry;
pub(crate) use self::restore::Target;
#[cfg(feature = "serde")]
pub use self::saved::{Converted, Dropped, LoadError, Loaded, SaveError};
pub use self::state_hash::{HashPart, StateHash};
use crate::component::ComponentId;
use crate::event::{EventNumbers, WaitingRun};
use crate::system::{FunctionKey, Timing};
use crate::time::Time;

/// All that decides what an engine does next, as it was between two frames: *take a snapshot, put it back, run n frames* is the
/// same as *run n frames*, bit for bit.
///
/// In it are
/// - the entities, with those ids that are handed out next; the pools in the order of their rows, with what is disabled, and
///   the groups;
/// - the entity lists and tags; the global ids, with the site and the serial that is assigned next;
/// - the resources, the states of systems, their timers and priorities, whether they are enabled, and what they are
///   subscribed to;
/// - the plain functions that run by themselves: those that were added since are dropped, and those that are over come back;
/// - the events that wait for the next frame;
/// - the number of the frame and the time.
///
/// Not in it are counters and measurements (events sent, run times, high-water marks, look-ups of queries), the errors of
/// commands, which events caused those that wait, settings of the engine, what is left out by
/// [`TypeRegistry::leave_out_resource`], and memory. Putting a snapshot back leaves all this as it is, but for the errors of
/// commands, which are forgotten.
///
/// Plain functions (see [`Engine::every`](crate::Engine::every)) are given names by [`TypeRegistry::function`]. One that runs again
/// and again, owns nothing and stays needs none; any other is refused without a name.
///
/// [`Engine::snapshot`](crate::Engine::snapshot) takes one, [`Engine::snapshot_into`](crate::Engine::snapshot_into) takes it into
/// the memory of an older one. What did not change since the last snapshot is shared with it and not copied: values and
/// owners of a pool each by themselves, the entities, and every resource. Anything counts as changed that somebody had for
/// writing. States of systems are copied each time.
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
    /// Taking it came to its end.
    is_whole: bool,
    /// It was loaded, so that the engine may have systems that it does not know.
    is_from_save: bool,
    /// Resources that stay as they are when it is put back.
    stays: Vec<TypeId>,
    entities: Option<Image>,
    pools: Vec<PoolCopy>,
    /// The components of each group, by their place in `pools`, and the number of its members.
    groups: Vec<GroupCopy>,
    resources: Vec<ResourceCopy>,
    entity_lists: Option<Image>,
    global_ids: Option<Image>,
    systems: Vec<SystemCopy>,
    functions: SlotMap<FunctionKey, usize>,
    lists: Vec<EventList>,
    /// What waited, with the place of its list instead of an id.
    waiting: Vec<(usize, WaitingRun)>,
    numbers: EventNumbers,
    time: Time,
}

/// A pool in a snapshot; without a name if nothing was in it.
struct PoolCopy {
    component: TypeId,
    name: Option<Arc<str>>,
    index: Option<Image>,
    values: Option<Image>,
}

struct GroupCopy {
    name: String,
    pools: Vec<usize>,
    len: usize,
}

struct ResourceCopy {
    resource: TypeId,
    name: Arc<str>,
    value: Option<Image>,
}

struct SystemCopy {
    system: TypeId,
    /// What it is known by if it is a plain function.
    function: Option<FunctionKey>,
    rust_name: &'static str,
    name: Option<Arc<str>>,
    /// `None` if the system has no state or it is left out.
    state: Option<Box<dyn Any + Send>>,
    /// Priority and dependencies, how it catches up, and its timer.
    timing: Timing,
    is_enabled: bool,
    /// For each listener whether it is subscribed, and the number of the next event for it; `None` for one that was not there
    /// when it was saved.
    listeners: Vec<Option<(bool, u64)>>,
}

/// Events of one type that waited.
struct EventList {
    event: TypeId,
    name: Arc<str>,
    events: Box<dyn AnyEvents>,
}

impl Snapshot {
    /// A snapshot that holds nothing yet, for [`Engine::snapshot_into`](crate::Engine::snapshot_into).
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What time it was; the time of an empty one is that before the first frame.
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

/// What an engine keeps for its snapshots.
#[derive(Default)]
pub(crate) struct Snapshots {
    pub(crate) types: TypeRegistry,
    entities: Latest,
    /// For each pool: owners and values.
    pools: Vec<(Latest, Latest)>,
    resources: Vec<Latest>,
    entity_lists: Latest,
    global_ids: Latest,
    /// What the pools of a snapshot that is being put back are called here.
    ids: Vec<Option<ComponentId>>,
    /// How much of each list of events was taken.
    taken: Vec<usize>,
    own_parts: state_hash::OwnParts,
}

impl Snapshots {
    /// Gives back the memory that is kept for snapshots to come.
    pub(crate) fn shrink(&mut self) {
        self.entities.shrink();
        self.pools.iter_mut().for_each(|(index, values)| {
            index.shrink();
            values.shrink();
        });
        self.resources.iter_mut().for_each(Latest::shrink);
        self.entity_lists.shrink();
        self.global_ids.shrink();
    }
}
