//! The behaviour of the whole game through its public API, and the house rules, in one binary.
//!
//! `allocations` has an allocator of its own, so it is another binary.

mod ai;
mod balance;
mod bounties;
mod broken_assets;
mod chain;
mod collision_matrix;
mod controls;
mod daily;
mod determinism;
mod determinism_replays;
mod determinism_threads;
mod events;
mod feats;
mod ghost;
mod health;
mod history;
mod house_rules;
mod hunger;
mod kinds;
mod leader;
mod levels;
mod limit_tables;
mod limits;
mod match_clock;
mod match_log;
mod modes;
mod perception;
mod player_counts;
mod power_ups;
mod proved;
mod reactions;
mod reloading;
mod replays;
mod roles;
mod rules;
mod saves;
mod seeded_levels;
mod seeking;
mod sights_and_sounds;
mod snapshots;
mod spells;
mod states;
mod statistics;
mod wrap_around;
