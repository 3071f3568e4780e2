//! The person at this window: keys become what is sent, or what concerns this window only.

use super::net_input::NetInput;
use crate::control::keyboard::HeldKeys;
use crate::control::menu::{MenuOption, menu_of};
use crate::control::player_control::intent_of;
use crate::data::config::Keymap;
use crate::data::input::{InputEvent, Inputs, Key};
use crate::data::spell::Spell;
use crate::simulation::view::GameState;

/// What a person wants that concerns no other peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalRequest {
    /// Leave the match.
    Leave,
    /// Switch between a window and full screen.
    ToggleFullscreen,
}

/// Converts the inputs of a window, by the keys of the first person, to those of a peer.
///
/// A match over a network knows no keys, only what they mean: so each person may have own ones.
pub struct LocalPlayer {
    keymap: Keymap,
    held: HeldKeys,
}

impl LocalPlayer {
    /// A person with the keys of the first person of the keymap.
    #[must_use]
    pub fn new(keymap: Keymap) -> Self {
        Self { keymap, held: HeldKeys::default() }
    }

    /// The input of a step in a state of the match, and what else is wanted.
    pub fn input(&mut self, inputs: &Inputs, state: GameState) -> (NetInput, Vec<LocalRequest>) {
        let (mut requests, mut pressed) = (Vec::new(), Vec::new());
        for event in &inputs.events {
            match *event {
                InputEvent::KeyDown(key) => {
                    self.held.press(key);
                    pressed.push(key);
                }
                InputEvent::KeyUp(key) => self.held.release(key),
                // Releases in a minimized window are not reported.
                InputEvent::WindowMinimized => self.held.release_all(),
                InputEvent::QuitRequested => requests.push(LocalRequest::Leave),
                _ => {}
            }
        }
        let person = self.keymap.people.first();
        let mut input = person.map_or(NetInput::default(), |keys| NetInput::driving(intent_of(keys, &self.held)));
        for key in pressed {
            input = self.press(key, state, input, &mut requests);
            for spell in Spell::ALL {
                if person.is_some_and(|person| spell.keys(person).contains(&key)) {
                    input = input.casting(spell);
                }
            }
        }
        (input, requests)
    }

    /// A key that concerns the match as a whole.
    fn press(&self, key: Key, state: GameState, input: NetInput, requests: &mut Vec<LocalRequest>) -> NetInput {
        let keymap = &self.keymap;
        let option = keymap.menu_options.iter().position(|of_option| *of_option == key);
        let is_menu = matches!(state, GameState::Paused | GameState::GameOver);
        match option.and_then(|option| menu_of(state).get(option)) {
            Some(MenuOption::Resume) => return input.pausing(),
            Some(MenuOption::Restart) => return input.restarting(),
            Some(MenuOption::Quit) => requests.push(LocalRequest::Leave),
            None if keymap.toggle_fullscreen.contains(&key) => requests.push(LocalRequest::ToggleFullscreen),
            None if keymap.restart.contains(&key) => return input.restarting(),
            None if keymap.quit.contains(&key) && is_menu => requests.push(LocalRequest::Leave),
            None if keymap.pause.contains(&key) || keymap.quit.contains(&key) => return input.pausing(),
            None => {}
        }
        input
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assets::Assets;

    fn press(state: GameState, key: Key) -> (NetInput, Vec<LocalRequest>) {
        LocalPlayer::new(Assets::built_in().keymap).input(&Inputs::none().key_down(key), state)
    }

    #[test]
    fn held_keys_drive_until_they_come_up() {
        let mut local_player = LocalPlayer::new(Assets::built_in().keymap);
        let (input, _) = local_player.input(&Inputs::none().key_down(Key::W).key_down(Key::A), GameState::Running);
        assert_eq!((input.intent().drive, input.intent().turn), (1.0, 1.0));
        let (input, _) = local_player.input(&Inputs::none().key_up(Key::A), GameState::Running);
        assert_eq!((input.intent().drive, input.intent().turn), (1.0, 0.0));
        let (input, _) = local_player.input(&Inputs::none().with(InputEvent::WindowMinimized), GameState::Running);
        assert_eq!(input, NetInput::default());
    }

    #[test]
    fn keys_of_the_menu_are_requests_or_leave_the_match() {
        assert_eq!(press(GameState::Running, Key::P), (NetInput::default().pausing(), vec![]));
        assert_eq!(press(GameState::Running, Key::Escape), (NetInput::default().pausing(), vec![]));
        assert_eq!(press(GameState::Paused, Key::Digit1), (NetInput::default().pausing(), vec![]));
        assert_eq!(press(GameState::Paused, Key::Digit2), (NetInput::default().restarting(), vec![]));
        assert_eq!(press(GameState::GameOver, Key::Digit1), (NetInput::default().restarting(), vec![]));
        assert_eq!(press(GameState::Paused, Key::Digit3), (NetInput::default(), vec![LocalRequest::Leave]));
        assert_eq!(press(GameState::Paused, Key::Escape), (NetInput::default(), vec![LocalRequest::Leave]));
        assert_eq!(press(GameState::Running, Key::F1), (NetInput::default(), vec![LocalRequest::ToggleFullscreen]));
    }
}
