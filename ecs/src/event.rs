//! Events: values on a linear arena, delivered once to every listener of their type, and then dropped.

mod buffer;
mod bus;
mod cascade;
mod event_graph;
mod lifecycle;
mod manager;
mod queue;
mod reader;
mod subscriptions;
mod waiting;

pub use self::buffer::Sender;
pub(crate) use self::buffer::{Cursor, EventBuffer, Segment};
pub use self::bus::{EventBus, FrameArena, Outbox};
pub use self::cascade::CascadeError;
pub(crate) use self::cascade::cascade;
pub use self::event_graph::{EventGraph, EventGraphIssue, EventRoute};
pub use self::lifecycle::{
    Added, Despawned, Despawning, Disabled, Enabled, EntityEvent, Related, Removed, Replaced, Spawned, Unrelated,
};
pub use self::manager::{EventCounters, EventManager};
pub(crate) use self::manager::{EventType, Lifecycle};
pub(crate) use self::queue::{Batch, Cause, QueuePosition, Run};
pub use self::reader::EventReader;
pub(crate) use self::subscriptions::{IN_LINE, Subscriber, SubscriberNeeds};
#[cfg(feature = "inspect")]
pub(crate) use self::waiting::{CopiedEvents, CopyEvents};
pub(crate) use self::waiting::{EventNumbers, Waiting, WaitingRun};

/// A message that says what happened: any type that is `Send + Sync + 'static`, as a component is, and `Unpin`, as
/// almost all types are. `Res`, `ResMut` and
/// `Local` are not, so a function that takes `&Res<T>` is refused instead of becoming a listener.
///
/// It may own data, such as a `String` or a `Vec`: each event is dropped once, at the end of the frame in which it is
/// delivered. For types that need no drop, the arena of the events is rewound in one step.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an event",
    label = "an event is any type that is `Send + Sync + Unpin + 'static`, and no parameter of systems"
)]
pub trait Event: Send + Sync + Unpin + 'static {}

#[diagnostic::do_not_recommend]
impl<E: Send + Sync + Unpin + 'static> Event for E {}

/// Identifies an event type within one engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EventTypeId(u32);

impl EventTypeId {
    pub(crate) const NONE: Self = Self(u32::MAX);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The sender index of events that no system sent.
pub(crate) const OUTSIDE: usize = usize::MAX;
