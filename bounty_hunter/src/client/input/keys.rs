//! The keys of macroquad, the keys of the game, and the labels of keys.

use macroquad::input::KeyCode;
use macroquad::miniquad::MouseButton as NativeButton;

use bounty_hunter_simulation::keymap::Key;

/// A button of the mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MouseButton {
    Left,
    Right,
}

macro_rules! table {
    ($(($key:ident, $code:ident)),* $(,)?) => { [$((Key::$key, KeyCode::$code)),*] };
}

#[rustfmt::skip]
const TABLE: [(Key, KeyCode); 61] = table![
    (A, A), (B, B), (C, C), (D, D), (E, E), (F, F), (G, G), (H, H), (I, I), (J, J), (K, K), (L, L), (M, M), (N, N),
    (O, O), (P, P), (Q, Q), (R, R), (S, S), (T, T), (U, U), (V, V), (W, W), (X, X), (Y, Y), (Z, Z), (Digit0, Key0),
    (Digit1, Key1), (Digit2, Key2), (Digit3, Key3), (Digit4, Key4), (Digit5, Key5), (Digit6, Key6), (Digit7, Key7),
    (Digit8, Key8), (Digit9, Key9), (F1, F1), (F2, F2), (F3, F3), (F4, F4), (F5, F5), (F6, F6), (F7, F7), (F8, F8),
    (F9, F9), (F10, F10), (F11, F11), (F12, F12), (Up, Up), (Down, Down), (Left, Left), (Right, Right),
    (Space, Space), (Enter, Enter), (Escape, Escape), (Tab, Tab), (Backspace, Backspace), (LeftShift, LeftShift),
    (RightShift, RightShift), (LeftControl, LeftControl), (RightControl, RightControl),
];

/// Converts a key; number pad keys become digits.
pub(crate) fn from_native(code: KeyCode) -> Option<Key> {
    let code = match code {
        KeyCode::Kp0 => KeyCode::Key0,
        KeyCode::Kp1 => KeyCode::Key1,
        KeyCode::Kp2 => KeyCode::Key2,
        KeyCode::Kp3 => KeyCode::Key3,
        KeyCode::Kp4 => KeyCode::Key4,
        KeyCode::Kp5 => KeyCode::Key5,
        KeyCode::Kp6 => KeyCode::Key6,
        KeyCode::Kp7 => KeyCode::Key7,
        KeyCode::Kp8 => KeyCode::Key8,
        KeyCode::Kp9 => KeyCode::Key9,
        KeyCode::KpEnter => KeyCode::Enter,
        other => other,
    };
    TABLE.iter().find(|(_, native)| *native == code).map(|(key, _)| *key)
}

pub(crate) fn button_from_native(button: NativeButton) -> Option<MouseButton> {
    match button {
        NativeButton::Left => Some(MouseButton::Left),
        NativeButton::Right => Some(MouseButton::Right),
        NativeButton::Middle | NativeButton::Unknown => None,
    }
}

/// The label of a key.
pub(crate) fn label(key: Key) -> String {
    match key {
        Key::Up => "↑".into(),
        Key::Down => "↓".into(),
        Key::Left => "←".into(),
        Key::Right => "→".into(),
        Key::Escape => "Esc".into(),
        Key::LeftShift => "L-Shift".into(),
        Key::RightShift => "R-Shift".into(),
        Key::LeftControl => "L-Ctrl".into(),
        Key::RightControl => "R-Ctrl".into(),
        other => {
            let name = format!("{other:?}");
            name.strip_prefix("Digit").map_or(name.clone(), str::to_owned)
        }
    }
}

/// The label of the first key, or a dash for none.
pub(crate) fn first_label(keys: &[Key]) -> String {
    keys.first().map_or_else(|| "-".into(), |key| label(*key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_native_key_stands_for_one_key_and_back() {
        for (index, (key, code)) in TABLE.iter().enumerate() {
            assert_eq!(from_native(*code), Some(*key));
            assert!(TABLE[index + 1..].iter().all(|(other, _)| other != key), "{key:?} is in the table twice");
        }
    }

    #[test]
    fn names_of_letters_and_digits_agree_with_the_codes() {
        assert_eq!(from_native(KeyCode::Q), Some(Key::Q));
        assert_eq!(from_native(KeyCode::Key7), Some(Key::Digit7));
        assert_eq!(from_native(KeyCode::Kp3), Some(Key::Digit3));
        assert_eq!(from_native(KeyCode::Menu), None);
    }

    #[test]
    fn labels_are_short() {
        assert!(TABLE.iter().all(|(key, _)| (1..=9).contains(&label(*key).chars().count())));
        assert_eq!(label(Key::Digit3), "3");
        assert_eq!(first_label(&[]), "-");
    }
}
