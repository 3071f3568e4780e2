//! An event-driven entity component system: entities have components, systems work on them frame by frame, and what
//! happens is said by events. The same inputs give the same run, and the engine explains itself.
//!
//! # A first system in five minutes
//!
//! Components are plain structs. A system is a struct whose methods say by their parameters what they touch; nothing is
//! registered and nothing is derived. Events are small `Copy` structs.
//!
//! ```
//! use std::time::Duration;
//! use ecs::{Commands, Engine, EntityId, Query, Sender, Setup, System, Time};
//!
//! struct Position { x_m: f32 }
//! struct Speed { x_mps: f32 }
//!
//! /// Somebody ran past the finish.
//! #[derive(Clone, Copy)]
//! struct Finished { entity: EntityId }
//!
//! /// Moves everybody who has a position and a speed.
//! struct Movement { finish_m: f32 }
//!
//! impl System for Movement {
//!     fn setup(setup: &mut Setup<Self>) {
//!         setup.update(Self::advance);
//!     }
//! }
//!
//! impl Movement {
//!     fn advance(&mut self, time: Time, mut movers: Query<(EntityId, &Speed, &mut Position)>, mut finished: Sender<Finished>) {
//!         for (entity, speed, position) in &mut movers {
//!             position.x_m += speed.x_mps * time.delta_seconds();
//!             if position.x_m >= self.finish_m {
//!                 finished.send(Finished { entity });
//!             }
//!         }
//!     }
//! }
//!
//! /// Takes those who finished out of the race.
//! #[derive(Default)]
//! struct Podium { order: Vec<EntityId> }
//!
//! impl System for Podium {
//!     fn setup(setup: &mut Setup<Self>) {
//!         setup.listen(Self::on_finished);
//!     }
//! }
//!
//! impl Podium {
//!     fn on_finished(&mut self, event: &Finished, mut commands: Commands) {
//!         self.order.push(event.entity);
//!         commands.remove::<Speed>(event.entity);
//!     }
//! }
//!
//! let mut engine = Engine::new();
//! engine.add(Movement { finish_m: 10.0 })?.add(Podium::default())?;
//! let hare = engine.spawn((Position { x_m: 0.0 }, Speed { x_mps: 5.0 }));
//! let tortoise = engine.spawn((Position { x_m: 9.0 }, Speed { x_mps: 0.6 }));
//! for _ in 0..4 {
//!     engine.update(Duration::from_secs(1))?;
//! }
//! assert_eq!(engine.system::<Podium>().unwrap().order, [hare, tortoise]);
//! assert!(!engine.has::<Speed>(hare));
//! # Ok::<(), ecs::Error>(())
//! ```
//!
//! # Faster, and on several threads
//!
//! ```
//! use ecs::{Engine, Query};
//!
//! struct Position([f32; 3]);
//! struct Velocity([f32; 3]);
//!
//! // Systems that do not conflict run side by side, and walks may be divided: the run is the same at any number of threads.
//! let mut engine = Engine::builder().threads(2).entities(10_000).build();
//! // What is walked together is kept side by side in memory.
//! engine.group::<(Position, Velocity)>()?;
//! // Many at once: one pass for each pool.
//! let all = engine.spawn_many((0..10_000).map(|n| (Position([n as f32; 3]), Velocity([1.0; 3]))));
//!
//! engine.run(|mut movers: Query<(&mut Position, &Velocity)>| {
//!     movers.iter_mut().for_each(|(position, velocity)| position.0[0] += velocity.0[0]); // quicker than a `for` loop
//!     movers.par_for_each(|(position, velocity)| position.0[1] += velocity.0[1]); // on all threads in a frame, here on one
//!     let (positions, velocities) = movers.slices_mut()?;
//!     positions.iter_mut().zip(velocities).for_each(|(position, velocity)| position.0[2] += velocity.0[2]);
//!     Ok::<(), ecs::NotGrouped>(())
//! })??;
//!
//! engine.despawn_many(all)?;
//! engine.shrink();
//! println!("{}", engine.memory()); // what every pool, index and arena holds, and the most that it held
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Engine::propose_groups`] says which groups would help, [`Engine::explain`] which systems run side by side and what keeps others
//! apart; `examples/threads.rs` shows it. Listeners and exclusive methods never run beside anybody.
//!
//! [`Param`] lists what a method can ask for, [`Setup`] what a system can say about itself, and `examples/` shows one idea
//! in each file. With the feature `prefabs`, kinds of entities are texts: the module `prefab` tells how they are written.
//! A [`Snapshot`] takes the state of an engine and puts it back, and [`StateHash`] compares two.
//!
//! # One frame
//!
//! [`Engine::update`] carries out eight steps, always in this order:
//!
//! | | step | what happens |
//! |---|---|---|
//! | 1 | dispatch | events sent since the last frame are delivered |
//! | 2 | pre-update | the `pre_update` of every system that is due, in work order |
//! | 3 | update | the `update` of every system that is due, in work order |
//! | 4 | post-update | the `post_update` of every system that is due, in work order |
//! | 5 | dispatch | events are delivered, first in, first out across all types; what listeners send joins the end |
//! | 6 | commands | applied in the order of recording: here entities are born and die, components come and go |
//! | 7 | dispatch | [`Spawned`], [`Despawned`], [`Added`], [`Removed`], [`Enabled`], [`Disabled`] of step 6 are delivered; if listeners recorded commands, steps 6 and 7 repeat |
//! | 8 | reset | systems switched by command are switched; the events are forgotten, their memory is kept |
//!
//! The work order puts dependencies first, then the higher [`Priority`], then who was added earlier.
//! [`Engine::explain`] prints it with the reasons.
//!
//! # What is allowed when
//!
//! | | outside of a frame | in a method of a phase | in a listener | in an exclusive method |
//! |---|---|---|---|---|
//! | read and write components | yes, [`World::query`], [`World::get_mut`] | [`Query`] | [`Query`] | [`World::query`] |
//! | read and write resources | yes | [`Res`], [`ResMut`] | [`Res`], [`ResMut`] | yes |
//! | insert and remove resources | yes | no | no | no |
//! | send events | heard in step 1 | [`Sender`], heard in step 5 | joins the end of the queue | [`World::send`], heard in step 5 |
//! | spawn, despawn, insert, remove, toggle | at once | [`Commands`], [`Spawner`]: in step 6 | in step 6; if recorded in step 7, when step 6 repeats | no |
//! | enable and disable systems, cancel functions | at once | [`Commands`]: from the next frame on | the same | no |
//! | subscribe listeners | for all that waits | [`Subscriptions`], for all that waits | from the next event on | no |
//! | add systems and timed functions, change priorities and timers | yes | no | no | no |
//!
//! # What can be relied on
//!
//! - **An event is delivered once** to every listener of its type: in the frame in which it was sent, or in the next if it
//!   was sent between frames. A disabled system hears nothing.
//! - **A stale id names nobody**, however often its index was used again: every access is `None` or an error.
//! - **Structure changes at one point.** During the phases and dispatches of a frame no id becomes stale and no component
//!   moves.
//! - **The same inputs give the same run**: the order of systems, of events, of commands and of every walk depends on
//!   nothing but what the engine was told. It has no global, reads no clock and no file, and starts no thread unless told to.
//! - **A warm frame allocates nothing**, on any number of threads, as long as it stays below the largest frames so far.
//! - **Nothing is silent.** Cycles, conflicts and missing resources are errors that name who is at fault; a command that
//!   came too late, or inserts what another system inserts, is in [`Engine::command_errors`]; a cascade without an end is an error that names the circle;
//!   [`EventGraph::flaws`] finds events that nobody sends or hears.
//! - **A panic leaves the engine usable**, if the application catches it, and its message names the system (what is no
//!   text stays as it is, and the log names the system). All others of the
//!   phase still run, and all others still hear the events that were being delivered; then the frame ends with the first
//!   panic in work order. So what is left behind is the same at any number of threads. Lost is what the systems had left to
//!   do in the frame, or the one command that was being applied; a timed system that had not begun is due in the next frame. The
//!   events that a listener did not come to, and all that waited behind, come in the next frame. No event is delivered twice,
//!   and no despawned entity leaves components behind. Two values that panic when one call drops both may end the program, as in a `Vec`.
//!
//! # When not to use it
//!
//! - For a few dozen objects that hardly interact, a `Vec` of structs is less to learn.
//! - Where entities change their components all the time and are iterated rarely, nothing is gained over maps.
//! - Components that are not `Send + Sync`, and events that own memory, do not fit: keep the thing in a component or a
//!   resource and let the event carry its entity.
//! - Relations and hierarchies are not built in: store an [`EntityId`] in a component, it goes stale safely.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod causal_trace;
mod commands;
mod component;
mod engine;
mod entity;
mod entity_lists;
mod error;
mod event;
#[cfg(doctest)]
mod must_not_compile;
mod panic;
#[cfg(feature = "prefabs")]
pub mod prefab;
mod query;
mod recording;
mod resources;
mod snapshot;
mod state_machine;
mod system;
#[cfg(feature = "parallel")]
mod thread_pool;
mod time;
mod type_map;
mod world;

pub use self::causal_trace::{CauseLink, Why};
pub use self::commands::{CommandError, CommandFailure, Commands, Spawner};
pub use self::component::{
    Bundle, Columns, Component, ComponentId, ComponentInfo, ComponentManager, ComponentMask, ComponentNameError,
    GroupError, GroupProposal, GroupProposals, MaskNames, PoolMut, PoolRef,
};
pub use self::engine::{BufferMemory, Engine, EngineBuilder, EntityMemory, MemoryReport, UnequalColumns};
pub use self::entity::{EntityComponent, EntityId, EntityInfo, EntityManager, GlobalId, GlobalIdError, NoSuchEntity};
pub use self::entity_lists::EntityLists;
pub use self::error::Error;
pub use self::event::{
    Added, Despawned, Disabled, Enabled, Event, EventCounters, EventGraph, EventGraphFlaw, EventManager, EventRoute,
    Removed, Sender, Spawned, Subscriptions,
};
#[cfg(feature = "hot-reload")]
pub use self::prefab::PrefabFolder;
#[cfg(feature = "prefabs")]
pub use self::prefab::{ChildOf, Children, FromPrefab, Prefab, PrefabError, Prefabs, Reloaded};
pub use self::query::{
    Entities, IncludeDisabled, MaskQuery, MaskQueryNames, Matching, NotGrouped, Query, QueryData, QueryFilter,
    QueryIter, QueryIterMut, QueryRef, ReadOnlyData, SingleError, SliceData, With, Without,
};
pub use self::recording::{Divergence, RecordedFrame, Recording, Replayer};
pub use self::resources::{Res, ResMut, ResourceRef};
#[cfg(feature = "serde")]
pub use self::snapshot::saved::{Converted, Dropped, LoadError, Loaded, SaveError};
pub use self::snapshot::{
    Difference, DifferentValues, HashPart, RecordedState, Snapshot, SnapshotError, StableHash, StateHash, StateHasher,
    TypeKind, TypeRegistry,
};
pub use self::state_machine::{Hook, Hooks, Next, State, StateMachine, TransitionError};
pub use self::system::{
    CascadeError, CatchUp, Conflict, EarlierSystem, EntityFunction, Explanation, FrameTimes, Function, FunctionId,
    ListenerMethod, Param, Place, PlaceInPhase, Priority, Reason, RepeatableFunction, Setup, SetupError, System,
    SystemInfo, SystemManager, SystemMethod, Timing, WorkState,
};
pub use self::time::Time;
pub use self::world::World;

/// Compiles and runs the code in the README as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
