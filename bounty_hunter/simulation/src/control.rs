//! Control of collectors and of the match: people, AIs, scripts and cheats.

pub mod ai_controller;
pub mod cheats;
pub mod learned_controller;
pub mod player_control;
pub mod seats;
pub mod senses;
pub mod spell_requests;
