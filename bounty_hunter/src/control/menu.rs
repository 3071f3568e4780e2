//! The menu: keys that control the game instead of a collector.

use ecs::{Priority, Res, Sender, Setup, System};

use crate::data::config::Keymap;
use crate::data::input::Key;
use crate::events::{KeyDown, PauseGame, QuitGame, RestartGame, ResumeGame, ToggleDebugDraw, ToggleFullscreen};
use crate::gameplay::match_flow::GameFlow;
use crate::simulation::view::GameState;

/// An option of the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MenuOption {
    /// Resumes the match.
    Resume,
    /// Restarts the match.
    Restart,
    /// Ends the program.
    Quit,
}

/// The menu options of a state, in order; empty without a menu.
#[must_use]
pub fn menu_of(state: GameState) -> &'static [MenuOption] {
    match state {
        GameState::Paused => &[MenuOption::Resume, MenuOption::Restart, MenuOption::Quit],
        GameState::GameOver => &[MenuOption::Restart, MenuOption::Quit],
        _ => &[],
    }
}

/// Converts keys to requests.
#[derive(Debug, Default)]
pub struct Menu;

impl System for Menu {
    fn setup(setup: &mut Setup<Self>) {
        setup.priority(Priority::HIGH).listen(Self::on_key_down);
    }
}

impl Menu {
    #[allow(clippy::too_many_arguments)]
    fn on_key_down(
        &mut self,
        event: &KeyDown,
        keymap: Res<Keymap>,
        flow: Res<GameFlow>,
        mut pause: Sender<PauseGame>,
        mut resume: Sender<ResumeGame>,
        mut restart: Sender<RestartGame>,
        mut quit: Sender<QuitGame>,
        mut fullscreen: Sender<ToggleFullscreen>,
        mut debug_draw: Sender<ToggleDebugDraw>,
    ) {
        let state = flow.state();
        let is = |keys: &[Key]| keys.contains(&event.key);
        let chosen = keymap.menu_options.iter().position(|key| *key == event.key);
        let is_match = matches!(state, GameState::Started | GameState::Running);
        match chosen.and_then(|option| menu_of(state).get(option)) {
            Some(MenuOption::Resume) => resume.send(ResumeGame),
            Some(MenuOption::Restart) => restart.send(RestartGame),
            Some(MenuOption::Quit) => quit.send(QuitGame),
            None if is(&keymap.toggle_fullscreen) => fullscreen.send(ToggleFullscreen),
            None if is(&keymap.toggle_debug_draw) => debug_draw.send(ToggleDebugDraw),
            None if is(&keymap.restart) => restart.send(RestartGame),
            None if is_match && (is(&keymap.pause) || is(&keymap.quit)) => pause.send(PauseGame),
            None if is(&keymap.pause) => resume.send(ResumeGame),
            None if is(&keymap.quit) => quit.send(QuitGame),
            None => {}
        }
    }
}
