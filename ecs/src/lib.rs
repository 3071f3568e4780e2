//! An event-driven entity component system.
mod commands;
mod component;
mod engine;
mod entity;
mod error;
mod event;
mod query;
mod resources;
mod system;
mod time;
mod type_map;
mod world;

pub use self::commands::{CommandError, CommandFailure, Commands, Spawner};
pub use self::component::{Bundle, Component, ComponentId, ComponentInfo, ComponentManager, ComponentMask, PoolRef};
pub use self::engine::{Engine, EngineBuilder};
pub use self::entity::{EntityId, EntityManager, NoSuchEntity};
pub use self::error::Error;
pub use self::event::{
    Added, Despawned, Disabled, Enabled, Event, EventCounters, EventManager, Removed, Sender, Spawned, Subscriptions,
    Wire, Wiring, WiringFlaw,
};
pub use self::query::{
    IncludeDisabled, Query, QueryData, QueryFilter, QueryIter, QueryIterMut, QueryRef, ReadOnlyData, SingleError, With,
    Without,
};
pub use self::resources::{Res, ResMut, ResourceRef};
pub use self::system::{
    CascadeError, Explanation, Function, ListenerMethod, Param, Place, Priority, Reason, Setup, SetupError, System,
    SystemInfo, SystemManager, SystemMethod, WorkState,
};
pub use self::time::Time;
pub use self::world::World;

/// The code in the README, compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
mod readme {}
