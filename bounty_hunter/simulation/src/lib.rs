//! BountyHunter as a headless library: a [`Simulation`](simulation) that is stepped with inputs and observed through
//! views.
//!
//! Each folder of the source is one part of the game; its modules are named here without the folder.
//!
//! | folder | modules | contents |
//! |---|---|---|
//! | `simulation/` | [`simulation`], [`schedule`], [`view`], [`match_setup`], [`reload`] | running a match: inputs in, views out; all systems in their order |
//! | `gameplay/` | [`match_flow`], [`rules`], [`player`], [`lives`], [`leader`], [`load`], [`near_miss`], [`spell`], [`reactions`], [`statistics`], [`use_powers`], [`mines`], [`gold_rush`] | states, rules and players of a match |
//! | `control/` | [`player_control`], [`ai_controller`], [`learned_controller`], [`senses`], [`spell_requests`], [`cheats`] | control of collectors and of the match |
//! | `objects/` | [`game_object`], [`collector`], [`bounty`], [`stash`], [`prefabs`], … | one module for each feature of objects: components, system, arithmetic |
//! | `data/` | [`config`], [`input`], [`keymap`], [`mode`], [`level`], [`seeded_level`], [`reaction`], [`arena`], [`sounds`] | the numbers and places of a match |
//! | `archive/` | [`replay`], [`history`], [`saved_match`], [`results`], [`balance`], [`daily`], [`feats`] | recording, replaying and rewinding; results of finished matches and statistics over them |
//! | | [`assets`], [`ai`], [`physics`] | the files below `assets/`, the decisions of AIs, the rigid bodies |
//! | | [`events`], [`random`], [`foreign_file`], [`whole_file`] | shared by all parts |

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests may compare with what differs by platform"))]

pub mod ai;
mod archive;
pub mod assets;
mod control;
mod data;
pub mod events;
pub mod foreign_file;
mod gameplay;
mod objects;
pub mod physics;
pub mod random;
pub mod simulation;
pub mod whole_file;

pub use archive::{balance, daily, feats, highlight, history, replay, results, saved_match};
pub use control::{ai_controller, cheats, learned_controller, player_control, seats, senses, spell_requests};
pub use data::{arena, config, input, keymap, language, level, mode, name, reaction, seeded_level, sounds};
pub use gameplay::{
    gold_rush, leader, lives, load, match_flow, mines, near_miss, player, reactions, rules, spell, statistics,
    use_powers,
};
pub use objects::{
    appearance, bounty, capacity, collector, game_object, ghost, gold, gravity, health, hunger, life_cycle, lifetime,
    mine, motion, passes, power_up, powers, prefabs, respawn, role, scale, scene_camera, sound_source, stash, switch,
    team, touch, wall,
};
pub use simulation::{match_setup, reload, schedule, view};
