//! Window events: keyboard, mouse and window since the last frame, in order.

use std::path::Path;

use macroquad::input::utils::{register_input_subscriber, repeat_all_miniquad_input};
use macroquad::input::{KeyCode, is_quit_requested, prevent_quit};
use macroquad::math::{Vec2, vec2};
use macroquad::miniquad::{EventHandler, KeyMods, MouseButton as NativeButton, TouchPhase};
use macroquad::window::{screen_dpi_scale, screen_height, screen_width};

use super::gamepads::Gamepads;
use super::hand::Hand;
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
    /// A finger touches the screen, at a place in pixels.
    FingerDown(u64, Vec2),
    FingerMoved(u64, Vec2),
    FingerUp(u64),
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

impl WindowEvent {
    /// The event of a pointer for that of a finger; others stay.
    pub(crate) fn of_pointer(self) -> Self {
        match self {
            Self::FingerDown(..) => Self::ButtonDown(MouseButton::Left),
            Self::FingerMoved(_, place) => Self::PointerMoved(place.x as i32, place.y as i32),
            Self::FingerUp(_) => Self::ButtonUp(MouseButton::Left),
            other => other,
        }
    }

    /// The device that a person uses for it; `None` if it may have come by itself.
    fn hand(&self) -> Option<Hand> {
        match self {
            Self::KeyDown(_) | Self::ButtonDown(_) | Self::Wheel(_) => Some(Hand::Keys),
            Self::PadDown(..) => Some(Hand::Pad),
            Self::FingerDown(..) => Some(Hand::Touch),
            _ => None,
        }
    }
}

/// Reads each event of macroquad once.
#[derive(Debug)]
pub(crate) struct InputReader {
    subscriber: usize,
    size_px: (u32, u32),
    window_events: Vec<WindowEvent>,
    gamepads: Gamepads,
    pad_events: Vec<PadEvent>,
    hand: Hand,
}

impl InputReader {
    /// Subscribes to events. Closing the window becomes a request. `hand` is what a person has before the first event.
    pub(crate) fn new(hand: Hand) -> Self {
        prevent_quit();
        Self {
            subscriber: register_input_subscriber(),
            size_px: window_size_px(),
            window_events: Vec::new(),
            gamepads: Gamepads::new(Path::new(GAMEPADS)),
            pad_events: Vec::new(),
            hand,
        }
    }

    /// The device that was used last.
    pub(crate) fn hand(&self) -> Hand {
        self.hand
    }

    /// The events since the last call, where a finger is a pointer.
    pub(crate) fn read(&mut self) -> &[WindowEvent] {
        self.read_with_fingers();
        self.window_events.iter_mut().for_each(|event| *event = event.of_pointer());
        &self.window_events
    }

    /// The events since the last call, with those of fingers.
    pub(crate) fn read_with_fingers(&mut self) -> &[WindowEvent] {
        self.window_events.clear();
        let mut collector = Collector { events: &mut self.window_events, px_per_point: screen_dpi_scale() };
        repeat_all_miniquad_input(&mut collector, self.subscriber);
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
        self.hand = self.window_events.iter().filter_map(WindowEvent::hand).next_back().unwrap_or(self.hand);
        &self.window_events
    }
}

/// The size of the window in pixels.
pub(crate) fn window_size_px() -> (u32, u32) {
    let scale = screen_dpi_scale();
    ((screen_width() * scale).round() as u32, (screen_height() * scale).round() as u32)
}

struct Collector<'a> {
    events: &'a mut Vec<WindowEvent>,
    /// Pixels of the screen for one of the window's.
    px_per_point: f32,
}

impl EventHandler for Collector<'_> {
    fn update(&mut self) {}

    fn draw(&mut self) {}

    fn key_down_event(&mut self, code: KeyCode, held: KeyMods, is_repeated: bool) {
        let window_event = if is_repeated { WindowEvent::KeyRepeated } else { WindowEvent::KeyDown };
        self.events.extend(keys::from_native(code).map(window_event));
        if code == KeyCode::V && (held.ctrl || held.logo) {
            self.events.push(WindowEvent::Paste);
        }
    }

    fn char_event(&mut self, character: char, held: KeyMods, _: bool) {
        if !character.is_control() && !held.ctrl && !held.logo {
            self.events.push(WindowEvent::Typed(character));
        }
    }

    fn key_up_event(&mut self, code: KeyCode, _: KeyMods) {
        self.events.extend(keys::from_native(code).map(WindowEvent::KeyUp));
    }

    fn mouse_motion_event(&mut self, x: f32, y: f32) {
        self.events.push(WindowEvent::PointerMoved(x as i32, y as i32));
    }

    fn mouse_button_down_event(&mut self, button: NativeButton, x: f32, y: f32) {
        self.mouse_motion_event(x, y);
        self.events.extend(keys::button_from_native(button).map(WindowEvent::ButtonDown));
    }

    /// macroquad reports a pointer that enters the window as the release of an unknown button. This is not a motion: a
    /// window that opens under a resting pointer must not select an option.
    fn mouse_button_up_event(&mut self, button: NativeButton, x: f32, y: f32) {
        if let Some(button) = keys::button_from_native(button) {
            self.mouse_motion_event(x, y);
            self.events.push(WindowEvent::ButtonUp(button));
        }
    }

    /// macroquad reports the mouse that a finger stands for before the finger.
    fn touch_event(&mut self, phase: TouchPhase, finger: u64, x: f32, y: f32) {
        let emulated = match phase {
            TouchPhase::Started | TouchPhase::Ended => 2,
            TouchPhase::Moved => 1,
            TouchPhase::Cancelled => 0,
        };
        self.events.truncate(self.events.len().saturating_sub(emulated));
        let place = vec2(x, y) / self.px_per_point;
        self.events.push(match phase {
            TouchPhase::Started => WindowEvent::FingerDown(finger, place),
            TouchPhase::Moved => WindowEvent::FingerMoved(finger, place),
            TouchPhase::Ended | TouchPhase::Cancelled => WindowEvent::FingerUp(finger),
        });
    }

    fn mouse_wheel_event(&mut self, _: f32, y: f32) {
        if y != 0.0 {
            // The size of a notch differs between platforms.
            self.events.push(WindowEvent::Wheel(y.signum()));
        }
    }

    fn window_minimized_event(&mut self) {
        self.events.push(WindowEvent::Hidden);
    }

    fn window_restored_event(&mut self) {
        self.events.push(WindowEvent::Shown);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_keep_their_order_without_unknown_keys_and_buttons() {
        let mut seen = Vec::new();
        let mut collector = Collector { events: &mut seen, px_per_point: 1.0 };
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
        let mut collector = Collector { events: &mut seen, px_per_point: 1.0 };
        let held = KeyMods { ctrl: true, ..KeyMods::default() };
        collector.char_event('é', KeyMods::default(), false);
        collector.char_event('\r', KeyMods::default(), false);
        collector.char_event('v', held, false);
        collector.key_down_event(KeyCode::V, held, false);
        assert_eq!(seen, [WindowEvent::Typed('é'), WindowEvent::KeyDown(Key::V), WindowEvent::Paste]);
    }

    /// A finger as macroquad reports it: the mouse that it stands for, then the finger.
    fn touch(collector: &mut Collector<'_>, phase: TouchPhase, x: f32, y: f32) {
        match phase {
            TouchPhase::Started => collector.mouse_button_down_event(NativeButton::Left, x, y),
            TouchPhase::Moved => collector.mouse_motion_event(x, y),
            TouchPhase::Ended => collector.mouse_button_up_event(NativeButton::Left, x, y),
            TouchPhase::Cancelled => {}
        }
        collector.touch_event(phase, 3, x, y);
    }

    #[test]
    fn finger_is_one_event_each_time_and_presses_once_where_it_is_a_pointer() {
        let mut seen = Vec::new();
        let mut collector = Collector { events: &mut seen, px_per_point: 2.0 };
        collector.key_down_event(KeyCode::W, KeyMods::default(), false);
        for phase in [TouchPhase::Started, TouchPhase::Moved, TouchPhase::Ended, TouchPhase::Cancelled] {
            touch(&mut collector, phase, 40.0, 60.0);
        }
        let place = vec2(20.0, 30.0);
        let finger = [WindowEvent::FingerDown(3, place), WindowEvent::FingerMoved(3, place), WindowEvent::FingerUp(3)];
        assert_eq!(seen[0], WindowEvent::KeyDown(Key::W));
        assert_eq!(seen[1..4], finger);
        assert_eq!(seen[4..], [WindowEvent::FingerUp(3)]);
        let pointer = [
            WindowEvent::ButtonDown(MouseButton::Left),
            WindowEvent::PointerMoved(20, 30),
            WindowEvent::ButtonUp(MouseButton::Left),
        ];
        assert_eq!(finger.map(WindowEvent::of_pointer), pointer);
    }

    #[test]
    fn device_in_hand_is_the_one_that_was_pressed_last() {
        let pressed = [
            WindowEvent::KeyDown(Key::W),
            WindowEvent::PadDown(0, PadButton::South),
            WindowEvent::FingerDown(0, vec2(1.0, 1.0)),
            WindowEvent::Wheel(1.0),
        ];
        let hands = [Hand::Keys, Hand::Pad, Hand::Touch, Hand::Keys].map(Some);
        assert_eq!(pressed.map(|event| event.hand()), hands);
        assert_eq!(WindowEvent::PointerMoved(1, 1).hand(), None, "a mouse may be pushed by chance");
    }
}
