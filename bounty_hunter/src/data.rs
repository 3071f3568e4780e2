//! The numbers and places that a match is played with: configuration, modes, levels and the arena.

pub mod arena;
pub mod config;
pub mod level;
pub(crate) mod limits;
pub mod mode;
