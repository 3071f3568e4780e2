//! The menu of a paused or finished match: what it offers and which option is selected.

use crate::simulation::view::GameState;

/// What is offered in a state, in the order of the keymap's `menu_options`; nothing where no menu is open.
pub(crate) fn options(state: GameState) -> &'static [&'static str] {
    match state {
        GameState::Paused => &["Resume", "Restart", "Quit"],
        GameState::GameOver => &["Restart", "Quit"],
        _ => &[],
    }
}

/// The selected option of the menu that is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Menu {
    shown_for: Option<GameState>,
    selected: usize,
}

impl Menu {
    /// Follows the state of the game: a menu that has just opened begins with its first option.
    pub(crate) fn follow(&mut self, state: GameState) {
        if self.shown_for != Some(state) {
            *self = Self { shown_for: Some(state), selected: 0 };
        }
    }

    /// The options of the menu that is open.
    pub(crate) fn options(&self) -> &'static [&'static str] {
        self.shown_for.map_or(&[], options)
    }

    /// The selected option, from 0.
    pub(crate) fn selected(&self) -> usize {
        self.selected
    }

    /// Selects an option; one that is not offered changes nothing.
    pub(crate) fn select(&mut self, option: usize) {
        if option < self.options().len() {
            self.selected = option;
        }
    }

    /// Selects the option above, around to the last.
    pub(crate) fn up(&mut self) {
        let options = self.options().len().max(1);
        self.selected = (self.selected + options - 1) % options;
    }

    /// Selects the option below, around to the first.
    pub(crate) fn down(&mut self) {
        self.selected = (self.selected + 1) % self.options().len().max(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selection_goes_around_in_both_directions() {
        let mut menu = Menu::default();
        menu.follow(GameState::Paused);
        menu.up();
        assert_eq!(menu.options()[menu.selected()], "Quit");
        menu.down();
        assert_eq!(menu.options()[menu.selected()], "Resume");
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
