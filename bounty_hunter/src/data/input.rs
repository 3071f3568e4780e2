//! The input of a step: keys, buttons, window events, scripted intents and spells.
//!
//! A live game, a replay and a test fill the same [`Inputs`], so the simulation cannot tell them apart.

use serde::{Deserialize, Serialize};

use crate::data::spell::Spell;

/// A physical key, as `assets/keymap.ron` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
#[rustfmt::skip]
pub enum Key {
    A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U, V, W, X, Y, Z,
    Digit0, Digit1, Digit2, Digit3, Digit4, Digit5, Digit6, Digit7, Digit8, Digit9,
    F1, F2, F3, F4, F5, F6, F7, F8, F9, F10, F11, F12,
    Up, Down, Left, Right, Space, Enter, Escape, Tab, Backspace, LeftShift, RightShift, LeftControl, RightControl,
}

/// A button of the mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum MouseButton {
    Left,
    Right,
}

/// One input event.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum InputEvent {
    /// A key was pressed.
    KeyDown(Key),
    /// A held key repeated.
    KeyPressed(Key),
    /// A key was released.
    KeyUp(Key),
    /// A mouse button was pressed at a position in pixels from the top left corner.
    ButtonDown(MouseButton, i32, i32),
    /// A mouse button is held.
    ButtonPressed(MouseButton, i32, i32),
    /// A mouse button was released.
    ButtonUp(MouseButton, i32, i32),
    /// The window has a new size in pixels.
    WindowResized(u32, u32),
    /// The window is no longer shown; the match pauses.
    WindowMinimized,
    /// The window is shown again.
    WindowRestored,
    /// The window was closed, or the program must end.
    QuitRequested,
    /// [`Inputs::intents`] drive this player from now on, instead of its AI, until it is released or the match begins again.
    SeatTaken(u32),
    /// The AI drives this player again.
    SeatReleased(u32),
}

/// The input of one step, in order of occurrence.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Inputs {
    /// Keys, buttons and window events since the last step.
    pub events: Vec<InputEvent>,
    /// Changes by hand in the studio, each in the bytes of its saved form; they come first. Only a program with the feature `studio`
    /// makes them.
    pub edits: Vec<Vec<u8>>,
    /// Intents by player, for seats of [`Seat::Script`](crate::simulation::Seat::Script) and for taken seats; a seat keeps its last
    /// intent.
    pub intents: Vec<(u32, Intent)>,
    /// Spells by player, for any seat; ignored in a match without spells.
    #[serde(default)]
    pub casts: Vec<(u32, Spell)>,
}

impl Inputs {
    /// No input.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// Whether there is no input.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds an event.
    #[must_use]
    pub fn with(mut self, event: InputEvent) -> Self {
        self.events.push(event);
        self
    }

    /// Adds the press of a key.
    #[must_use]
    pub fn key_down(self, key: Key) -> Self {
        self.with(InputEvent::KeyDown(key))
    }

    /// Adds the release of a key.
    #[must_use]
    pub fn key_up(self, key: Key) -> Self {
        self.with(InputEvent::KeyUp(key))
    }

    /// Sets the intent of a scripted seat.
    #[must_use]
    pub fn intent(mut self, player: u32, intent: Intent) -> Self {
        self.intents.push((player, intent));
        self
    }

    /// Requests a spell for a player.
    #[must_use]
    pub fn cast(mut self, player: u32, spell: Spell) -> Self {
        self.casts.push((player, spell));
        self
    }
}

/// What a player wants its collector to do in one step. Keyboard, AI and script all yield one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Intent {
    /// Forward speed as a share of the collector's top speed, −1 (reverse) to 1.
    pub drive: f32,
    /// Turning speed as a share of the collector's top turning speed, −1 (right, clockwise) to 1 (left).
    pub turn: f32,
}

impl Intent {
    /// Neither drives nor turns.
    pub const IDLE: Self = Self { drive: 0.0, turn: 0.0 };

    /// The intent with both shares clamped to −1..=1; NaN becomes 0.
    #[must_use]
    pub fn clamped(self) -> Self {
        let clamp = |share: f32| if share.is_nan() { 0.0 } else { share.clamp(-1.0, 1.0) };
        Self { drive: clamp(self.drive), turn: clamp(self.turn) }
    }
}
