//! The title, a match, a replay and the results.

pub(crate) mod match_screen;
pub(crate) mod menu;
pub(crate) mod menu_screen;
pub(crate) mod replay_player;
pub(crate) mod replay_screen;
pub(crate) mod results_screen;
pub(crate) mod title;
pub(crate) mod title_screen;
