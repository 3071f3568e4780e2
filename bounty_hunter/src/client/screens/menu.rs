//! The menu of a paused or finished match.

use crate::client::NetworkRole;
use crate::client::translation::tr;
use bounty_hunter_simulation::input::Command;
use bounty_hunter_simulation::simulation::view::GameState;

/// An option of the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MenuChoice {
    Resume,
    Restart,
    PlayAgain,
    Settings,
    WatchReplay,
    FilmHighlight,
    /// Hands out the file of a try of the match of the day.
    Download,
    /// Puts the result of the match of the day on the clipboard.
    CopyResult,
    /// At the end of the tutorial.
    FirstMatch,
    Title,
}

impl MenuChoice {
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Resume => tr("Resume"),
            Self::Restart => tr("Restart"),
            Self::PlayAgain => tr("Play again"),
            Self::Settings => tr("Settings"),
            Self::WatchReplay => tr("Watch the replay"),
            Self::FilmHighlight => tr("Save the highlight as a GIF"),
            Self::Download => tr("Download the replay"),
            Self::CopyResult => tr("Copy the result"),
            Self::FirstMatch => tr("Play your first match"),
            Self::Title => tr("Leave the match"),
        }
    }

    /// What it commands the match; `None` if the window handles it.
    pub(crate) fn command(self) -> Option<Command> {
        match self {
            Self::Resume => Some(Command::Resume),
            Self::Restart | Self::PlayAgain => Some(Command::Restart),
            Self::Title => Some(Command::Quit),
            Self::Settings
            | Self::WatchReplay
            | Self::FilmHighlight
            | Self::Download
            | Self::CopyResult
            | Self::FirstMatch => None,
        }
    }
}

/// The choices in a state; none without a menu.
fn choices(state: GameState, of: MenuOptions) -> &'static [MenuChoice] {
    use MenuChoice::{CopyResult, Download, FilmHighlight, PlayAgain, Restart, Resume, Settings, Title, WatchReplay};
    let MenuOptions { network_role, is_recorded, can_film, can_restart, can_download } = of;
    match (state, network_role) {
        (GameState::Paused, NetworkRole::Alone) if !can_restart => &[Resume, Settings, Title],
        (GameState::GameOver, NetworkRole::Alone) if !can_restart && can_download => {
            &[WatchReplay, CopyResult, Download, Title]
        }
        (GameState::GameOver, NetworkRole::Alone) if !can_restart && can_film => {
            &[WatchReplay, CopyResult, FilmHighlight, Title]
        }
        (GameState::GameOver, NetworkRole::Alone) if !can_restart => &[WatchReplay, CopyResult, Title],
        (GameState::Paused, NetworkRole::Alone) => &[Resume, Restart, Settings, Title],
        (GameState::Paused, NetworkRole::Host) => &[Resume, Restart, Title],
        (GameState::Paused, NetworkRole::Guest) => &[Resume, Title],
        (GameState::GameOver, NetworkRole::Guest) => &[Title],
        (GameState::GameOver, NetworkRole::Alone) if is_recorded && can_film => {
            &[PlayAgain, WatchReplay, FilmHighlight, Title]
        }
        (GameState::GameOver, NetworkRole::Alone) if is_recorded => &[PlayAgain, WatchReplay, Title],
        (GameState::GameOver, _) => &[PlayAgain, Title],
        _ => &[],
    }
}

/// What the menu of a match can offer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MenuOptions {
    pub(crate) network_role: NetworkRole,
    /// Whether the replay of the match can be watched.
    pub(crate) is_recorded: bool,
    /// Whether a film of it can be made as well.
    pub(crate) can_film: bool,
    /// Whether the match can be restarted.
    pub(crate) can_restart: bool,
    /// Whether the replay of the match is handed out as a file.
    pub(crate) can_download: bool,
}

/// The open menu and its selected choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Menu {
    state: Option<GameState>,
    selected: usize,
    options: MenuOptions,
    /// Whether the tutorial is over.
    has_learned: bool,
}

impl Menu {
    /// The menu of a match before its first step.
    pub(crate) fn new(options: MenuOptions) -> Self {
        Self { options, ..Self::default() }
    }

    /// From now on it offers the first match, after a tutorial. Returns whether it did not before.
    pub(crate) fn offer_first_match(&mut self) -> bool {
        (self.state, self.selected) = (None, 0);
        !std::mem::replace(&mut self.has_learned, true)
    }

    /// Its heading over a match that stands still.
    pub(crate) fn heading(&self) -> &'static str {
        if self.has_learned { tr("You know it all") } else { tr("Paused") }
    }

    /// Follows the state of the game. A new menu starts at its first choice.
    pub(crate) fn follow(&mut self, state: GameState) {
        if self.state != Some(state) {
            (self.state, self.selected) = (Some(state), 0);
        }
    }

    pub(crate) fn choices(&self) -> &'static [MenuChoice] {
        match self.state {
            Some(GameState::Paused | GameState::GameOver) if self.has_learned => {
                &[MenuChoice::FirstMatch, MenuChoice::Title]
            }
            state => state.map_or(&[], |state| choices(state, self.options)),
        }
    }

    pub(crate) fn is_open(&self) -> bool {
        !self.choices().is_empty()
    }

    pub(crate) fn selected(&self) -> usize {
        self.selected
    }

    /// The selected choice of an open menu.
    pub(crate) fn chosen(&self) -> Option<MenuChoice> {
        self.choices().get(self.selected).copied()
    }

    /// The choice that closes the menu: back to a paused match, or out of a finished one.
    pub(crate) fn closing(&self) -> Option<MenuChoice> {
        match self.state? {
            GameState::Paused if self.has_learned => Some(MenuChoice::Title),
            GameState::Paused => Some(MenuChoice::Resume),
            GameState::GameOver => Some(MenuChoice::Title),
            _ => None,
        }
    }

    /// Selects a choice, if it exists.
    pub(crate) fn select(&mut self, choice: usize) {
        if choice < self.choices().len() {
            self.selected = choice;
        }
    }

    /// Selects the choice above; wraps around.
    pub(crate) fn up(&mut self) {
        let count = self.choices().len().max(1);
        self.selected = (self.selected + count - 1) % count;
    }

    /// Selects the choice below; wraps around.
    pub(crate) fn down(&mut self) {
        self.selected = (self.selected + 1) % self.choices().len().max(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn menu(state: GameState, is_recorded: bool) -> Menu {
        let mut menu = Menu::new(MenuOptions { is_recorded, can_restart: true, ..MenuOptions::default() });
        menu.follow(state);
        menu
    }

    #[test]
    fn selection_wraps_around_in_both_directions() {
        let mut menu = menu(GameState::Paused, true);
        menu.up();
        assert_eq!(menu.chosen(), Some(MenuChoice::Title));
        menu.down();
        assert_eq!(menu.chosen(), Some(MenuChoice::Resume));
    }

    #[test]
    fn closing_a_pause_goes_on_and_closing_a_result_leaves() {
        assert_eq!(menu(GameState::Paused, true).closing(), Some(MenuChoice::Resume));
        assert_eq!(menu(GameState::GameOver, true).closing(), Some(MenuChoice::Title));
        assert_eq!(menu(GameState::Running, true).closing(), None);
    }

    #[test]
    fn replay_is_offered_only_for_a_recorded_match() {
        assert!(menu(GameState::GameOver, true).choices().contains(&MenuChoice::WatchReplay));
        assert!(!menu(GameState::GameOver, false).choices().contains(&MenuChoice::WatchReplay));
    }

    #[test]
    fn film_is_offered_where_it_can_be_made_and_the_last_choice_leaves() {
        for can_restart in [false, true] {
            let options = MenuOptions { is_recorded: true, can_film: true, can_restart, ..MenuOptions::default() };
            let mut menu = Menu::new(options);
            menu.follow(GameState::GameOver);
            assert!(menu.choices().contains(&MenuChoice::FilmHighlight));
            assert_eq!(menu.choices().last(), Some(&MenuChoice::Title));
            menu.follow(GameState::Paused);
            assert!(!menu.choices().contains(&MenuChoice::FilmHighlight));
            assert!(!self::menu(GameState::GameOver, true).choices().contains(&MenuChoice::FilmHighlight));
        }
        assert_eq!(MenuChoice::FilmHighlight.command(), None, "the match goes nowhere");
    }

    #[test]
    fn match_of_the_day_is_not_begun_anew() {
        let mut menu = Menu::new(MenuOptions { is_recorded: true, ..MenuOptions::default() });
        for state in [GameState::Paused, GameState::GameOver] {
            menu.follow(state);
            let choices = menu.choices();
            assert!(
                !choices.contains(&MenuChoice::Restart) && !choices.contains(&MenuChoice::PlayAgain),
                "{choices:?}"
            );
            assert_eq!(choices.last(), Some(&MenuChoice::Title));
        }
    }

    #[test]
    fn try_of_the_day_is_handed_out_at_its_end_where_the_program_keeps_no_files() {
        let mut menu = Menu::new(MenuOptions { is_recorded: true, can_download: true, ..MenuOptions::default() });
        menu.follow(GameState::Paused);
        assert!(!menu.choices().contains(&MenuChoice::Download));
        menu.follow(GameState::GameOver);
        use MenuChoice::{CopyResult, Download, Title, WatchReplay};
        assert_eq!(menu.choices(), [WatchReplay, CopyResult, Download, Title]);
        assert_eq!([Download.command(), CopyResult.command()], [None, None]);
    }

    #[test]
    fn end_of_the_tutorial_offers_the_first_match() {
        let mut menu = menu(GameState::Running, false);
        assert!(menu.offer_first_match() && !menu.offer_first_match());
        menu.follow(GameState::Running);
        assert!(!menu.is_open());
        for state in [GameState::Paused, GameState::GameOver] {
            menu.follow(state);
            assert_eq!(menu.choices(), [MenuChoice::FirstMatch, MenuChoice::Title]);
            assert_eq!((menu.chosen(), menu.closing()), (Some(MenuChoice::FirstMatch), Some(MenuChoice::Title)));
        }
    }

    #[test]
    fn newly_opened_menu_begins_with_its_first_choice() {
        let mut menu = menu(GameState::Paused, true);
        menu.select(2);
        menu.follow(GameState::Paused);
        assert_eq!(menu.selected(), 2);
        menu.follow(GameState::GameOver);
        assert_eq!(menu.chosen(), Some(MenuChoice::PlayAgain));
    }

    #[test]
    fn no_menu_is_open_while_the_match_runs() {
        let mut menu = menu(GameState::Running, true);
        menu.down();
        menu.up();
        menu.select(1);
        assert_eq!((menu.selected(), menu.is_open()), (0, false));
    }
}
