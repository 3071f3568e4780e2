//! BountyHunter as a headless library: a [`Simulation`](simulation) that is stepped with inputs and looked at through views.

pub mod assets;
#[cfg(feature = "client")]
pub mod client;
pub mod config;
pub mod input;
pub mod intent;
pub mod physics;
pub mod simulation;
pub mod view;
