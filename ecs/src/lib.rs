//! A deterministic, event-driven entity component system: systems work on components in each frame and talk to each
//! other by events. The same inputs give the same run, bit for bit, at any number of threads, and the engine can
//! explain every order and cause.
//!
//! # A first system in five minutes
//!
//! Components and events are plain structs. A system is a function; its parameters declare what it accesses, and a
//! function whose first parameter is an event listens to it. Nothing is registered or derived, except names for
//! snapshots.
//!
//! ```
//! use std::time::Duration;
//! use ecs::prelude::*;
//!
//! struct Position { x_m: f32 }
//! struct Speed { x_mps: f32 }
//!
//! /// A runner passed the finish.
//! #[derive(Clone, Copy)]
//! struct Finished { entity: EntityId }
//!
//! /// The runners in the order in which they finished: a resource.
//! #[derive(Default)]
//! struct Podium(Vec<EntityId>);
//!
//! /// Moves every entity that has a position and a speed.
//! fn run(time: Time, mut runners: Query<(EntityId, &Speed, &mut Position)>, mut finished: Sender<Finished>) {
//!     for (entity, speed, position) in &mut runners {
//!         position.x_m += speed.x_mps * time.delta_seconds();
//!         if position.x_m >= 10.0 {
//!             finished.send(Finished { entity });
//!         }
//!     }
//! }
//!
//! /// Stops each runner at the finish.
//! fn stop(finished: &Finished, mut podium: ResMut<Podium>, mut commands: Commands) {
//!     podium.0.push(finished.entity);
//!     commands.remove::<Speed>(finished.entity);
//! }
//!
//! let mut engine = Engine::new();
//! engine.insert_resource(Podium::default());
//! engine.add((run, stop))?;
//! let hare = engine.spawn((Position { x_m: 0.0 }, Speed { x_mps: 5.0 }));
//! let tortoise = engine.spawn((Position { x_m: 9.0 }, Speed { x_mps: 0.6 }));
//! for _ in 0..4 {
//!     engine.update(Duration::from_secs(1))?;
//! }
//! assert_eq!(engine.resource::<Podium>().unwrap().0, [hare, tortoise]);
//! assert!(!engine.has::<Speed>(hare));
//! # Ok::<(), ecs::Error>(())
//! ```
//!
//! [`Engine::add`] takes one function or a tuple, and [`Configure`] has what may be said of each: its order, timer,
//! conditions, states and sets, as in `fly.after(steer).run_if(is_day)`. State that belongs to several functions is a
//! resource, or a struct with `impl` [`System`], whose methods are its functions.
//!
//! # Faster, and on several threads
//!
//! ```
//! use ecs::prelude::*;
//!
//! struct Position([f32; 3]);
//! struct Velocity([f32; 3]);
//!
//! // Systems that do not conflict run in parallel, and a query can split its work.
//! let mut engine = Engine::builder().threads(2).entities(10_000).build();
//! // Bulk changes take one pass over each pool.
//! let all = engine.spawn_many((0..10_000).map(|n| (Position([n as f32; 3]), Velocity([1.0; 3]))));
//!
//! engine.run(|mut movers: Query<(&mut Position, &Velocity)>| {
//!     for (position, velocity) in &mut movers {
//!         position.0[0] += velocity.0[0];
//!     }
//!     movers.par_for_each(|(position, velocity)| position.0[1] += velocity.0[1]); // on all threads during a frame
//!     for (positions, velocities) in movers.slices_mut() { // entities that were made alike lie side by side
//!         positions.iter_mut().zip(velocities).for_each(|(position, velocity)| position.0[2] += velocity.0[2]);
//!     }
//! })?;
//!
//! engine.despawn_many(all)?;
//! engine.shrink();
//! println!("{}", engine.memory()); // bytes of each pool, index and arena, and their peaks
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Engine::explain`] tells which systems run in parallel and what keeps others apart; `examples/threads.rs` shows it.
//! Listeners and exclusive methods never run in parallel with anything.
//!
//! [`Param`] lists what a function can ask for, [`Configure`] and [`Setup`] what can be declared, and a [`Plugin`]
//! bundles systems with their resources and settings. [`hierarchy`] has parents and children, [`relation`] typed links
//! between entities. The module `prefab` (feature `prefabs`) reads entities from text. A [`Snapshot`] copies and
//! restores the state of an engine, and a [`StateHash`] compares two states. `examples/` has one idea in each file; the
//! guide in `docs/guide` has a page for each topic, and pages for users of `bevy_ecs`, `hecs` or `EnTT`. The package
//! `lockstep_ecs_studio` shows a running engine in a browser; the feature `inspect` is its base.
//!
//! # One frame
//!
//! [`Engine::update`] runs eight steps, always in this order:
//!
//! | | step | what happens |
//! |---|---|---|
//! | 1 | dispatch | events that were sent since the last frame are delivered |
//! | 2 | pre-update | the functions `in_pre_update` and the `pre_update` methods of all due systems |
//! | 3 | update | all other due functions, and the `update` methods |
//! | 4 | post-update | the functions `in_post_update` and the `post_update` methods |
//! | 5 | dispatch | events are delivered, first in, first out across all types; events from listeners are appended |
//! | 6 | commands | applied in the order of recording: entities and components come and go here only; [`Despawning`](event::Despawning) is delivered right before a despawn |
//! | 7 | dispatch | [`Spawned`], [`Despawned`], [`Added`], [`Removed`], [`Replaced`], [`Enabled`], [`Disabled`], [`Related`](event::Related), [`Unrelated`](event::Unrelated) of step 6 are delivered; while listeners record commands, steps 6 and 7 repeat |
//! | 8 | reset | systems are enabled and disabled by command; the event arenas are rewound and keep their memory |
//!
//! Before step 1, [state machines](Engine::add_state_machine) make their transitions. After step 1, the
//! [conditions](Configure::run_if) of systems and [sets](Configure::in_set) are checked, once for the whole frame.
//!
//! [`Engine::advance`] runs frames of one length at any frame rate, and then what runs once a frame of the window: its
//! [presentation](Engine::presentation). A [`StepLoop`] does so with the keys of a window, and records and replays
//! them.
//!
//! Systems run in *execution order*: dependencies first, then higher [`Priority`], then the order in which they were
//! added. [`Engine::explain`] prints it with the reasons.
//!
//! # What is allowed when
//!
//! | | between frames | in a function of a phase | in a listener | in an exclusive method |
//! |---|---|---|---|---|
//! | read and write components | [`World::query`], [`World::get_mut`] | [`Query`] | [`Query`] | [`World::query`] |
//! | read and write resources | yes | [`Res`], [`ResMut`] | [`Res`], [`ResMut`] | yes |
//! | insert and remove resources | yes | no | no | no |
//! | send events | [`World::send`]: delivered in step 1 | [`Sender`]: delivered in step 5 | appended to the queue | [`World::send`]: delivered in step 5 |
//! | spawn, despawn, insert, remove, enable, disable, set parents, relate | at once | [`Commands`], [`Spawner`]: in step 6 | in step 6; from step 7, when step 6 repeats | no |
//! | enable, disable and remove systems; add, enable, disable and cancel functions and listeners | at once | [`Commands`]: from the next frame on | the same | no |
//! | subscribe listeners | for all waiting events | [`Subscriptions`]: for all waiting events | from the next event on | no |
//! | request a transition of a state machine | [`NextState`](system::NextState): made when the next frame begins | the same | the same | the same |
//! | draw random numbers | [`Engine::run`] | [`Random`] | [`Random`] | no |
//! | take events for the application | a reader of [`Engine::reader`] | a system of the presentation may own one | no | no |
//! | run a function once | [`Engine::run`] | [`Commands::run`]: in step 6 | the same | no |
//! | add systems, change priorities and timers, configure sets | yes | no | no | no |
//!
//! # Guarantees
//!
//! - **An event is delivered once** to each listener of its type: in the frame in which it was sent, or in the next if
//!   it was sent between frames. A disabled system receives no events.
//! - **A stale id finds nothing**, however often its index was used again: each access is `None` or an error.
//! - **Structure changes at one point.** During the phases and dispatches of a frame no id becomes stale and no
//!   component moves.
//! - **The same inputs give the same run.** The order of systems, events, commands and queries depends only on the
//!   inputs. The library has no globals, reads no clock, reads files only with the feature `hot-reload`, and starts
//!   threads only if asked to.
//! - **A warm frame allocates nothing**, at any number of threads, as long as it is not larger than earlier frames.
//! - **Nothing is silent.** Cycles, conflicts and missing resources are errors that name the systems and types at
//!   fault. [`Engine::command_errors`] lists failed commands and insert conflicts, [`Engine::system_errors`] failed
//!   methods and functions. An endless cascade of events is an error that names its cycle.
//!   [`EventGraph::issues`](event::EventGraph::issues) finds events without senders or listeners.
//! - **A panic leaves the engine usable** if the application catches it. Its message names the system. The other
//!   systems of the phase still run, and the listeners that do not wait for the one that panicked still receive what
//!   waits, up to 16,384 events; then the frame ends with the first panic in work order. What a listener did not
//!   receive is delivered to it in the next frame; none is delivered twice. A command that panics is lost. A timed
//!   system that had not begun is due in the next frame. The result is the same at any number of threads. If two
//!   values panic in `drop` during one call, the program may abort, as with a `Vec`.
//!
//! # When not to use it
//!
//! - For a few dozen objects that hardly interact, a `Vec` of structs is simpler.
//! - If entities gain and lose components all the time and are rarely iterated, a map is as good.
//! - Component types and systems are known when the program is compiled, and so are queries for values (a
//!   [`MaskQuery`](query::MaskQuery) finds entities at run time); there is no reflection and no scripting.
//! - Children keep their order, so removing one costs O(siblings); a root with 100,000 children that go one by one is
//!   slow.
//! - Components, resources and events must be `Send + Sync`.
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod causal_trace;
mod commands;
pub mod component;
pub mod engine;
pub mod entity;
mod entity_lists;
mod error;
pub mod event;
pub mod hierarchy;
mod ids;
#[cfg(feature = "inspect")]
pub mod inspect;
mod limits;
#[cfg(doctest)]
mod must_not_compile;
#[cfg(any(feature = "prefabs", feature = "inspect"))]
#[cfg_attr(not(feature = "prefabs"), allow(unreachable_pub, reason = "`prefab` passes it on"))]
mod near_name;
mod panic;
#[cfg(feature = "prefabs")]
pub mod prefab;
pub mod query;
pub mod random;
pub mod recording;
pub mod relation;
mod resources;
mod sentence;
pub mod snapshot;
mod stable_hash;
pub mod state_machine;
pub mod step_loop;
mod steps;
mod store;
pub mod system;
#[cfg(any(feature = "prefabs", feature = "serde"))]
mod text_form;
mod thread_pool;
mod time;
mod type_map;
mod types;
mod world;

pub use self::commands::{Commands, Spawner};
pub use self::component::{Bundle, Component, ComponentManager};
pub use self::engine::{Engine, EngineBuilder, Plugin};
pub use self::entity::{EntityId, EntityManager, NoSuchEntity};
pub use self::entity_lists::EntityLists;
pub use self::error::{CommandError, CommandFailure, Error};
pub use self::event::{Added, Despawned, Disabled, Enabled, Event, EventManager, Removed, Replaced, Sender, Spawned};
pub use self::query::{Changed, Entities, IncludeDisabled, Query, QueryRef, With, Without};
pub use self::resources::{Res, ResMut, ResourceRef};
pub use self::snapshot::{Snapshot, StateHash};
pub use self::step_loop::{Input, StepLoop};
pub use self::system::{
    Configure, IntoSystems, Local, Param, Priority, Random, Setup, Subscriptions, System, SystemManager,
};
pub use self::time::{StepClock, Time};
pub use self::world::World;
#[cfg(feature = "derive")]
pub use lockstep_ecs_derive::Param;

/// What most systems need: `use ecs::prelude::*;`.
pub mod prelude {
    pub use crate::hierarchy::{ChildOf, Children, Hierarchy};
    pub use crate::query::{Has, Mut, Or, Ref};
    pub use crate::system::condition::{Condition, in_state, not};
    pub use crate::system::{CurrentState, NextState};
    pub use crate::{
        Added, Bundle, Changed, Commands, Component, Configure, Despawned, Disabled, Enabled, Engine, Entities,
        EntityId, Event, IncludeDisabled, Input, IntoSystems, Local, Plugin, Priority, Query, Random, Removed,
        Replaced, Res, ResMut, Sender, Setup, Spawned, Spawner, StepClock, StepLoop, System, Time, With, Without,
        World,
    };
}

/// Compiles and runs the code in the README as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
