//! Control of collectors and of the program: keys, AIs, scripts, cheats, the menu and the display.

pub mod ai_controller;
pub mod cheats;
pub mod display;
pub mod keyboard;
pub mod learned_controller;
pub mod menu;
pub mod player_control;
pub mod seats;
pub mod senses;
pub mod spell_requests;
