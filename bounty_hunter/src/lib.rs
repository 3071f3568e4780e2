//! BountyHunter as a headless library: a [`Simulation`](simulation) that is stepped with inputs and looked at through views.

pub mod ai;
pub mod arena;
pub mod assets;
pub mod config;
pub mod input;
pub mod intent;
pub mod random;
pub mod simulation;
pub mod view;
