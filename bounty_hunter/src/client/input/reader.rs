//! Window events: keyboard, mouse and window since the last frame, in order.

use std::path::Path;

use macroquad::input::utils::{register_input_subscriber, repeat_all_miniquad_input};
use macroquad::input::{KeyCode, is_quit_requested, prevent_quit};
use macroquad::miniquad::{EventHandler, KeyMods, MouseButton as NativeButton};
use macroquad::window::{screen_dpi_scale, screen_height, screen_width};

use super::gamepads::Gamepads;
use super::keys;
use super::keys::MouseButton;
use super::pad_button::{PadButton, PadEvent};
use bounty_hunter_simulation::keymap::Key;

/// The devices of gamepads on Linux.
const GAMEPADS: &str = "/dev/input";

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum WindowEvent {
    /// A press, without auto-repeat.
    KeyDown(Key),
    /// An auto-repeat.
    KeyRepeated(Key),
    KeyUp(Key),
    /// A character that is typed, also by an auto-repeat; none while Ctrl is held.
    Typed(char),
    /// The keys that paste in most programs, besides their own events.
    Paste,
    /// A press on the gamepad of a person.
    PadDown(usize, PadButton),
    PadUp(usize, PadButton),
    /// Position in pixels.
    PointerMoved(i32, i32),
    ButtonDown(MouseButton),
    ButtonUp(MouseButton),
    /// Notches of the wheel, positive away from the person.
    Wheel(f32),
    /// The window went to the background or was minimized.
    Hidden,
    /// The window came to the front.
    Shown,
    /// New size in pixels.
    Resized(u32, u32),
    CloseRequested,
}

/// Reads each event of macroquad once.
#[derive(Debug)]
pub(crate) struct InputReader {
    subscriber: usize,
    size_px: (u32, u32),
    window_events: Vec<WindowEvent>,
    gamepads: Gamepads,
    pad_events: Vec<PadEvent>,
}

impl InputReader {
    /// Subscribes to events. Closing the window becomes a request.
    pub(crate) fn new() -> Self {
        prevent_quit();
        Self {
            subscriber: register_input_subscriber(),
            size_px: window_size_px(),
            window_events: Vec::new(),
            gamepads: Gamepads::new(Path::new(GAMEPADS)),
            pad_events: Vec::new(),
        }
    }

    /// The events since the last call.
    pub(crate) fn read(&mut self) -> &[WindowEvent] {
        self.window_events.clear();
        repeat_all_miniquad_input(&mut Collector(&mut self.window_events), self.subscriber);
        self.pad_events.clear();
        self.gamepads.read(&mut self.pad_events);
        self.window_events.extend(self.pad_events.iter().map(|event| match event.is_down {
            true => WindowEvent::PadDown(event.person, event.button),
            false => WindowEvent::PadUp(event.person, event.button),
        }));
        let size_px = window_size_px();
        if size_px != self.size_px {
            self.size_px = size_px;
            self.window_events.push(WindowEvent::Resized(size_px.0, size_px.1));
        }
        if is_quit_requested() {
            self.window_events.push(WindowEvent::CloseRequested);
        }
        &self.window_events
    }
}

/// The size of the window in pixels.
pub(crate) fn window_size_px() -> (u32, u32) {
    let scale = screen_dpi_scale();
    ((screen_width() * scale).round() as u32, (screen_height() * scale).round() as u32)
}

struct Collector<'a>(&'a mut Vec<WindowEvent>);

impl EventHandler for Collector<'_> {
    fn update(&mut self) {}

    fn draw(&mut self) {}

    fn key_down_event(&mut self, code: KeyCode, held: KeyMods, is_repeated: bool) {
        let window_event = if is_repeated { WindowEvent::KeyRepeated } else { WindowEvent::KeyDown };
        self.0.extend(keys::from_native(code).map(window_event));
        if code == KeyCode::V && (held.ctrl || held.logo) {
            self.0.push(WindowEvent::Paste);
        }
    }

    fn char_event(&mut self, character: char, held: KeyMods, _: bool) {
        if !character.is_control() && !held.ctrl && !held.logo {
            self.0.push(WindowEvent::Typed(character));
        }
    }

    fn key_up_event(&mut self, code: KeyCode, _: KeyMods) {
        self.0.extend(keys::from_native(code).map(WindowEvent::KeyUp));
    }

    fn mouse_motion_event(&mut self, x: f32, y: f32) {
        self.0.push(WindowEvent::PointerMoved(x as i32, y as i32));
    }

    fn mouse_button_down_event(&mut self, button: NativeButton, x: f32, y: f32) {
        self.mouse_motion_event(x, y);
        self.0.extend(keys::button_from_native(button).map(WindowEvent::ButtonDown));
    }

    /// macroquad reports a pointer that enters the window as the release of an unknown button. This is not a motion: a
    /// window that opens under a resting pointer must not select an option.
    fn mouse_button_up_event(&mut self, button: NativeButton, x: f32, y: f32) {
        if let Some(button) = keys::button_from_native(button) {
            self.mouse_motion_event(x, y);
            self.0.push(WindowEvent::ButtonUp(button));
        }
    }

    fn mouse_wheel_event(&mut self, _: f32, y: f32) {
        if y != 0.0 {
            // The size of a notch differs between platforms.
            self.0.push(WindowEvent::Wheel(y.signum()));
        }
    }

    fn window_minimized_event(&mut self) {
        self.0.push(WindowEvent::Hidden);
    }

    fn window_restored_event(&mut self) {
        self.0.push(WindowEvent::Shown);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_keep_their_order_without_unknown_keys_and_buttons() {
        let mut seen = Vec::new();
        let mut collector = Collector(&mut seen);
        collector.key_down_event(KeyCode::W, KeyMods::default(), false);
        collector.key_down_event(KeyCode::W, KeyMods::default(), true);
        collector.key_down_event(KeyCode::Menu, KeyMods::default(), false);
        collector.window_minimized_event();
        collector.key_up_event(KeyCode::W, KeyMods::default());
        collector.mouse_button_up_event(NativeButton::Unknown, 5.0, 6.0);
        collector.mouse_button_down_event(NativeButton::Right, 3.7, 4.0);
        let expected = [
            WindowEvent::KeyDown(Key::W),
            WindowEvent::KeyRepeated(Key::W),
            WindowEvent::Hidden,
            WindowEvent::KeyUp(Key::W),
            WindowEvent::PointerMoved(3, 4),
            WindowEvent::ButtonDown(MouseButton::Right),
        ];
        assert_eq!(seen, expected);
    }

    #[test]
    fn letters_are_typed_and_pasting_is_no_letter() {
        let mut seen = Vec::new();
        let mut collector = Collector(&mut seen);
        let held = KeyMods { ctrl: true, ..KeyMods::default() };
        collector.char_event('é', KeyMods::default(), false);
        collector.char_event('\r', KeyMods::default(), false);
        collector.char_event('v', held, false);
        collector.key_down_event(KeyCode::V, held, false);
        assert_eq!(seen, [WindowEvent::Typed('é'), WindowEvent::KeyDown(Key::V), WindowEvent::Paste]);
    }
}
