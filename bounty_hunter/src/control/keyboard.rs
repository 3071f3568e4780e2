//! The keyboard: which keys are down. It is kept up to date in every state of the game, so that a key that is released
//! during a pause is not held for ever.

use ecs::{Priority, ResMut, Setup, System};
use serde::{Deserialize, Serialize};

use crate::data::input::Key;
use crate::events::{KeyDown, KeyUp, WindowMinimized};

/// Resource: the keys that are down, in the order in which they went down.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldKeys {
    keys: Vec<Key>,
}

impl HeldKeys {
    /// All of them.
    #[must_use]
    pub fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// Whether one of `keys` is down.
    #[must_use]
    pub fn any(&self, keys: &[Key]) -> bool {
        self.latest(keys).is_some()
    }

    /// When the one of `keys` that went down last did so, as a number that rises; `None` if all are up.
    #[must_use]
    pub fn latest(&self, keys: &[Key]) -> Option<usize> {
        self.keys.iter().rposition(|held| keys.contains(held))
    }

    fn release(&mut self, key: Key) {
        self.keys.retain(|held| *held != key);
    }
}

/// Keeps [`HeldKeys`].
#[derive(Debug, Default)]
pub struct Keyboard;

impl System for Keyboard {
    fn setup(setup: &mut Setup<Self>) {
        setup
            .priority(Priority::HIGH)
            .listen(Self::on_key_down)
            .listen(Self::on_key_up)
            .listen(Self::on_window_minimized);
    }
}

impl Keyboard {
    fn on_key_down(&mut self, event: &KeyDown, mut held: ResMut<HeldKeys>) {
        held.release(event.key);
        held.keys.push(event.key);
    }

    fn on_key_up(&mut self, event: &KeyUp, mut held: ResMut<HeldKeys>) {
        held.release(event.key);
    }

    /// Keys that come up while the window is away are not reported.
    fn on_window_minimized(&mut self, _: &WindowMinimized, mut held: ResMut<HeldKeys>) {
        held.keys.clear();
    }
}
