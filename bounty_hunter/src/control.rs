//! Input from outside and from AIs: keys and intents, the controllers of collectors, the menu and the display.

pub mod cheats;
pub mod display;
pub mod input;
pub mod intent;
pub mod keyboard;
pub mod menu;
pub mod pilot;
pub mod player_control;
pub mod senses;
