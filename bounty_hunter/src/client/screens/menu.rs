//! The menu of a paused or finished match.

use crate::simulation::view::GameState;

/// The option that the window carries out by itself; the match knows the others.
const SETTINGS: &str = "Settings";

/// The options in a state, in the order of `menu_options` in the keymap; none without a menu.
pub(crate) fn options(state: GameState) -> &'static [&'static str] {
    match state {
        GameState::Paused => &["Resume", "Restart", "Quit", SETTINGS],
        GameState::GameOver => &["Restart", "Quit"],
        _ => &[],
    }
}

/// The open menu and its selected option.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Menu {
    shown_for: Option<GameState>,
    selected: usize,
}

impl Menu {
    /// Follows the state of the game. A new menu starts at its first option.
    pub(crate) fn follow(&mut self, state: GameState) {
        if self.shown_for != Some(state) {
            *self = Self { shown_for: Some(state), selected: 0 };
        }
    }

    pub(crate) fn options(&self) -> &'static [&'static str] {
        self.shown_for.map_or(&[], options)
    }

    pub(crate) fn selected(&self) -> usize {
        self.selected
    }

    /// Whether an option is the one that opens the settings.
    pub(crate) fn opens_settings(&self, option: usize) -> bool {
        self.options().get(option) == Some(&SETTINGS)
    }

    /// Selects an option, if it exists.
    pub(crate) fn select(&mut self, option: usize) {
        if option < self.options().len() {
            self.selected = option;
        }
    }

    /// Selects the option above; wraps around.
    pub(crate) fn up(&mut self) {
        let options = self.options().len().max(1);
        self.selected = (self.selected + options - 1) % options;
    }

    /// Selects the option below; wraps around.
    pub(crate) fn down(&mut self) {
        self.selected = (self.selected + 1) % self.options().len().max(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::menu::menu_of;

    #[test]
    fn selection_wraps_around_in_both_directions() {
        let mut menu = Menu::default();
        menu.follow(GameState::Paused);
        menu.up();
        assert_eq!(menu.options()[menu.selected()], "Settings");
        assert!(menu.opens_settings(menu.selected()));
        menu.down();
        assert_eq!(menu.options()[menu.selected()], "Resume");
        assert!(!menu.opens_settings(menu.selected()));
    }

    #[test]
    fn options_of_the_match_keep_their_places_before_those_of_the_window() {
        for state in [GameState::Paused, GameState::GameOver, GameState::Running] {
            let of_match: Vec<String> = menu_of(state).iter().map(|option| format!("{option:?}")).collect();
            assert!(options(state).iter().zip(&of_match).all(|(shown, known)| shown == known), "{state:?}");
            assert!(options(state)[of_match.len()..].iter().all(|option| *option == SETTINGS), "{state:?}");
        }
    }

    #[test]
    fn newly_opened_menu_begins_with_its_first_option() {
        let mut menu = Menu::default();
        menu.follow(GameState::Paused);
        menu.select(2);
        menu.follow(GameState::Paused);
        assert_eq!(menu.selected(), 2);
        menu.follow(GameState::GameOver);
        assert_eq!((menu.selected(), menu.options()[0]), (0, "Restart"));
    }

    #[test]
    fn no_menu_is_open_while_the_match_runs() {
        let mut menu = Menu::default();
        menu.follow(GameState::Running);
        menu.down();
        menu.up();
        menu.select(1);
        assert_eq!((menu.selected(), menu.options().len()), (0, 0));
    }
}
