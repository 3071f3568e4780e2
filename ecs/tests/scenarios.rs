//! Behaviour of the framework through its public API: a file for each area.

mod bulk;
mod commands;
mod components;
mod drops;
mod engines;
mod entities;
mod errors;
mod event_graph;
mod events;
mod explanations;
mod frame;
mod groups;
mod internal_iteration;
mod lifecycle;
mod log;
mod memory;
mod outside;
mod panics;
mod plugins;
mod queries;
mod resources;
mod run_times;
mod subscriptions;
mod systems;
mod timers;
mod toggling;
