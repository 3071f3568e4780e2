//! Systems: structs whose methods declare their access by their parameters, and the manager that orders and runs them.

#[cfg_attr(not(feature = "inspect"), path = "system/unblamed.rs")]
mod blame;
mod calls;
pub mod condition;
mod executor;
mod explain;
mod function;
mod into_systems;
mod lanes;
mod listener;
mod local;
mod manager;
mod method;
mod named;
mod node;
mod order;
mod param;
mod pending;
mod plan;
mod random;
mod set;
mod setup;
mod states;
mod subscriptions;
mod timer;
mod work;
mod work_state;

pub(crate) use self::blame::FieldWatcher;
#[cfg(feature = "inspect")]
pub use self::blame::{Blame, Field, FieldValue, Suspect, ValueChange, WhyNot, Write, WriteKind, Writer};
#[cfg(feature = "inspect")]
pub(crate) use self::blame::{NoSuchPart, Owner, Readers, Request, Source, StateReaders, SystemKey, steps, walking};
pub use self::executor::ErrorPolicy;
pub(crate) use self::executor::Executor;
pub use self::explain::{EarlierSystem, Explanation, KindInfo, Reason, ScheduledSet, ScheduledSystem, SystemInPhase};
pub(crate) use self::function::{Once, Repeated, Timing, behind_removal, once, repeated};
#[doc(hidden)]
pub use self::into_systems::{Configure, IntoSystems, Systems};
pub use self::listener::ListenerFunction;
pub(crate) use self::listener::{filtered, listener, observer};
pub use self::local::Local;
pub(crate) use self::manager::Origin;
pub use self::manager::{SystemInfo, SystemManager};
pub use self::method::{EntityFunction, Function, ListenerMethod, MethodOutput, RepeatableFunction, SystemMethod};
#[doc(hidden)]
pub use self::method::{ListenerShape, MethodShape};
pub(crate) use self::named::{make_function, make_system};
#[cfg(feature = "serde")]
pub(crate) use self::node::Dependency;
pub(crate) use self::node::{Phase, SystemNode};
pub use self::order::Priority;
#[doc(hidden)]
pub use self::param::DerivedParam;
pub use self::param::Param;
pub(crate) use self::param::RunContext;
pub(crate) use self::pending::{Pending, SystemChange};
pub use self::random::Random;
pub use self::set::SetSetup;
pub(crate) use self::set::Sets;
pub use self::setup::Setup;
pub use self::states::{CurrentState, MAX_PAUSED, NextState};
pub use self::subscriptions::Subscriptions;
pub use self::timer::CatchUp;
#[cfg(feature = "serde")]
pub(crate) use self::timer::MOST_RUNS;
pub(crate) use self::timer::Timer;
pub use self::work_state::WorkState;
pub use crate::error::{SetupError, SystemError};
#[doc(inline)]
pub use crate::event::CascadeError;
pub use crate::ids::FunctionId;
#[doc(inline)]
pub use crate::query::Conflict;
pub use crate::time::FrameTimes;

/// Behaviour with its own state: a struct whose methods run in the phases of a frame and listen to events.
///
/// [`System::setup`] names the methods; their parameters say what each one reads and writes (see [`Param`]). An engine
/// has at most one system of a type. A method may return a `Result`, so that its body can use `?`; the errors are in
/// [`Engine::system_errors`](crate::Engine::system_errors).
///
/// # Example
/// ```
/// use std::time::Duration;
/// use ecs::{Engine, EntityId, Query, Sender, Setup, System, Time};
///
/// struct Lifetime { left_seconds: f32 }
///
/// #[derive(Clone, Copy)]
/// struct Expired { entity: EntityId }
///
/// struct Lifetimes { expired: u32 }
///
/// impl System for Lifetimes {
///     fn setup(setup: &mut Setup<Self>) {
///         setup.update(Self::count_down).listen(Self::on_expired);
///     }
/// }
///
/// impl Lifetimes {
///     fn count_down(&mut self, time: Time, mut lifetimes: Query<(EntityId, &mut Lifetime)>, mut expired: Sender<Expired>) {
///         for (entity, lifetime) in &mut lifetimes {
///             lifetime.left_seconds -= time.delta_seconds();
///             if lifetime.left_seconds <= 0.0 {
///                 expired.send(Expired { entity });
///             }
///         }
///     }
///
///     fn on_expired(&mut self, event: &Expired, mut commands: ecs::Commands) {
///         self.expired += 1;
///         commands.despawn(event.entity);
///     }
/// }
///
/// let mut engine = Engine::new();
/// engine.add(Lifetimes { expired: 0 })?;
/// let mayfly = engine.spawn((Lifetime { left_seconds: 1.0 },));
/// engine.update(Duration::from_secs(2))?;
/// assert!(!engine.contains(mayfly));
/// assert_eq!(engine.system::<Lifetimes>().unwrap().expired, 1);
/// # Ok::<(), ecs::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a system",
    label = "a system is a struct with `impl System`",
    note = "a plain function is added by `engine.add(function)`, named in orders by `after(function)`, and found by `engine.systems().ids_of(function)`"
)]
pub trait System: Send + Sized + 'static {
    /// Declares the methods of the system, its place in the execution order and its timer.
    ///
    /// # Example
    /// See [`System`].
    fn setup(setup: &mut Setup<Self>);
}
