//! BountyHunter as a headless library: a [`Simulation`](simulation) that is stepped with inputs and observed through views.
//!
//! Each folder of the source is one part of the game; its modules are named here without the folder.
//!
//! | folder | modules | what they hold |
//! |---|---|---|
//! | `simulation/` | [`simulation`], [`schedule`], [`view`], [`reload`], [`event_log`] | running a match: inputs in, views out; all systems in their order |
//! | `gameplay/` | [`match_setup`], [`match_flow`], [`rules`], [`player`], [`lives`], [`leader`], [`spell`] | how a match is played |
//! | `control/` | [`input`], [`intent`], [`keyboard`], [`player_control`], [`ai_controller`], [`senses`], [`menu`], [`display`], [`cheats`] | what drives collectors and the program |
//! | `objects/` | [`game_object`], [`collector`], [`bounty`], [`stash`], [`prefabs`], … | one module for each feature of objects: components, system, arithmetic |
//! | `data/` | [`config`], [`mode`], [`level`], [`arena`] | the numbers and places of a match |
//! | `archive/` | [`replay`], [`history`] | recording, replaying and rewinding |
//! | | [`assets`], [`ai`], [`physics`] | the files below `assets/`, the decisions of AIs, the rigid bodies |
//! | | [`events`], [`random`] | what all parts share |
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod ai;
mod archive;
pub mod assets;
#[cfg(feature = "client")]
pub mod client;
mod control;
mod data;
pub mod events;
mod gameplay;
mod objects;
pub mod physics;
pub mod random;
pub mod simulation;

pub use archive::{history, replay};
pub use control::{ai_controller, cheats, display, input, intent, keyboard, menu, player_control, senses};
pub use data::{arena, config, level, mode};
pub use gameplay::{leader, lives, match_flow, match_setup, player, rules, spell};
pub use objects::{
    appearance, body, bounty, capacity, collector, game_object, ghost, health, lifetime, motion, power_up, prefabs,
    respawn, role, shape, stash, touch, wall,
};
pub use simulation::{event_log, reload, schedule, view};

/// The code in the guide, compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../GUIDE.md")]
mod guide {}
