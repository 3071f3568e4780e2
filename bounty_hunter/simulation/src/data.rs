//! The numbers, places and inputs that a match is played with. No module here depends on a system.

pub mod arena;
pub mod config;
pub(crate) mod grid;
pub mod input;
pub mod keymap;
pub mod language;
pub mod level;
pub(crate) mod limits;
pub mod mode;
pub mod name;
pub mod reaction;
pub mod seeded_level;
pub mod sounds;
pub(crate) mod spell;
pub(crate) mod unknown_name;
