//! The title, a match with its tutorial, a replay, the results and the settings.

pub(crate) mod highlight_film;
pub(crate) mod last_moments;
pub(crate) mod level_row;
pub(crate) mod match_screen;
pub(crate) mod menu;
pub(crate) mod menu_screen;
pub(crate) mod own_best;
pub(crate) mod replay_player;
pub(crate) mod replay_screen;
pub(crate) mod results_screen;
pub(crate) mod settings;
pub(crate) mod settings_screen;
pub(crate) mod title;
pub(crate) mod title_row;
pub(crate) mod title_screen;
pub(crate) mod tutorial;
