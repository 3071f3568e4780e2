//! What a person has in hand, so that hints speak of it.

use super::bindings::Action;
use super::keys;
use super::pad_button::PadButton;
use bounty_hunter_simulation::keymap::Keymap;

/// The kind of device that was used last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Hand {
    /// A keyboard, with or without a mouse.
    #[default]
    Keys,
    Pad,
    /// Fingers on the screen.
    Touch,
}

/// The device in hand, and the keys for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Controls<'a> {
    pub(crate) hand: Hand,
    pub(crate) keymap: &'a Keymap,
}

impl Controls<'_> {
    /// What is written on the key or on the button of the pad for an action. Buttons on the screen have its name.
    pub(crate) fn label(self, action: Action) -> String {
        match self.hand {
            Hand::Keys => keys::first_label(action.keys(self.keymap)),
            Hand::Pad => PadButton::of(action).map_or("-", PadButton::label).to_owned(),
            Hand::Touch => action.name(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bounty_hunter_simulation::assets::Assets;

    #[test]
    fn labels_are_those_of_the_device_in_hand() {
        let keymap = Assets::built_in().keymap;
        let label = |hand, action| Controls { hand, keymap: &keymap }.label(action);
        let of = |action| [Hand::Keys, Hand::Pad, Hand::Touch].map(|hand| label(hand, action));
        assert_eq!(of(Action::Forward(0)), ["W", "A", "Person 1: forward"]);
        assert_eq!(of(Action::Purge(0)), ["Z", "X", "Purge"]);
        assert_eq!(of(Action::Magnet(1))[1..], ["R", "Magnet"]);
        assert_eq!(of(Action::Pause), ["P", "Start", "Pause"]);
        assert_eq!(of(Action::Camera), ["E", "-", "Camera"], "a pad has no button for the camera");
    }
}
