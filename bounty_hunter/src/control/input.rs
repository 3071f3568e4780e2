//! All that enters the simulation from outside in one step: keys, buttons, the window and scripted intents.
//!
//! A live game, a replay and a test fill the same [`Inputs`], so the simulation cannot tell them apart.

use serde::{Deserialize, Serialize};

use crate::control::intent::Intent;
use crate::gameplay::spell::Spell;

/// A key by its position on a keyboard, in the names that `assets/keymap.ron` uses.
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

/// One thing that the outside world did since the last step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum InputEvent {
    /// A key went down.
    KeyDown(Key),
    /// A key that is held reported itself again.
    KeyPressed(Key),
    /// A key came up.
    KeyUp(Key),
    /// A mouse button went down, at a position in pixels from the top left corner.
    ButtonDown(MouseButton, i32, i32),
    /// A mouse button is held.
    ButtonPressed(MouseButton, i32, i32),
    /// A mouse button came up.
    ButtonUp(MouseButton, i32, i32),
    /// The window has a new size in pixels.
    WindowResized(u32, u32),
    /// The window is no longer shown; the match pauses.
    WindowMinimized,
    /// The window is shown again.
    WindowRestored,
    /// The window was closed, or the program wants to end.
    QuitRequested,
}

/// What enters the simulation in one step, in the order in which it happened.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Inputs {
    /// Keys, buttons and window events since the last step.
    pub events: Vec<InputEvent>,
    /// Intents by player index for seats of [`Seat::Script`](crate::simulation::Seat::Script), which keep their last one.
    pub intents: Vec<(u32, Intent)>,
    /// Spells by player index, whoever plays there; of no account in a match without spells.
    #[serde(default)]
    pub casts: Vec<(u32, Spell)>,
}

impl Inputs {
    /// Nothing happened.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// Whether nothing happened.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds one event; returns itself so that calls can be chained.
    #[must_use]
    pub fn with(mut self, event: InputEvent) -> Self {
        self.events.push(event);
        self
    }

    /// Adds a key going down.
    #[must_use]
    pub fn key_down(self, key: Key) -> Self {
        self.with(InputEvent::KeyDown(key))
    }

    /// Adds a key coming up.
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

    /// Lets a player ask for a spell.
    #[must_use]
    pub fn cast(mut self, player: u32, spell: Spell) -> Self {
        self.casts.push((player, spell));
        self
    }
}
