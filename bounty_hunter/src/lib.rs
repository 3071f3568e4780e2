//! BountyHunter as a headless library: a [`Simulation`](simulation) that is stepped with inputs and looked at through views.
//!
//! | read this | for |
//! |---|---|
//! | [`simulation`], [`input`], [`view`] | running a match: what goes in, what comes out |
//! | [`replay`] | recording a match, and playing it again |
//! | [`schedule`], [`events`], [`prefabs`] | what exists: systems in their order, events, kinds of entity |
//! | [`rules`], [`match_flow`], [`lives`] | how the game is played |
//! | [`mode`], [`level`] | which rules it is played by, and where |
//! | [`shape`], [`body`], [`look`], [`capacity`] | what objects of several kinds have in common, and prefabs name |
//! | [`collector`], [`bounty`], [`stash`], … | one feature each: components, system, arithmetic |
//! | [`physics`], [`ai`] | the bodies, and the minds |

pub mod ai;
pub mod arena;
pub mod assets;
pub mod body;
pub mod bounty;
pub mod capacity;
pub mod cheats;
pub mod chronicle;
#[cfg(feature = "client")]
pub mod client;
pub mod collector;
pub mod config;
pub mod control;
pub mod display;
pub mod events;
pub mod game_object;
pub mod ghost;
pub mod health;
pub mod history;
pub mod input;
pub mod intent;
pub mod keyboard;
pub mod leader;
pub mod level;
pub mod lifetime;
mod limits;
pub mod lives;
pub mod look;
pub mod match_flow;
pub mod match_setup;
pub mod menu;
pub mod mode;
pub mod motion;
pub mod physics;
pub mod pilot;
pub mod player;
pub mod power_up;
pub mod prefabs;
pub mod random;
pub mod reload;
pub mod replay;
pub mod respawn;
pub mod role;
pub mod rules;
pub mod schedule;
pub mod senses;
pub mod shape;
pub mod simulation;
pub mod spell;
pub mod stash;
pub mod touch;
pub mod view;
pub mod wall;

/// The code in the guide, compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../GUIDE.md")]
mod guide {}
