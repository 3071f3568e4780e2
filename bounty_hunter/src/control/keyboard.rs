//! The held keys. Updated in every state of the game, so that a key released during a pause does not stay held.

use ecs::{Priority, ResMut, Setup, System};
use serde::{Deserialize, Serialize};

use crate::data::input::Key;
use crate::events::{KeyDown, KeyUp, WindowMinimized};

/// Resource: the held keys, in the order of their presses.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldKeys {
    keys: Vec<Key>,
}

impl HeldKeys {
    /// All held keys.
    #[must_use]
    pub fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// Whether any of `keys` is held.
    #[must_use]
    pub fn any(&self, keys: &[Key]) -> bool {
        self.latest(keys).is_some()
    }

    /// The rank of the key in `keys` that was pressed last, rising with time; `None` if none is held.
    #[must_use]
    pub fn latest(&self, keys: &[Key]) -> Option<usize> {
        self.keys.iter().rposition(|held| keys.contains(held))
    }

    /// A key goes down.
    pub(crate) fn press(&mut self, key: Key) {
        self.release(key);
        self.keys.push(key);
    }

    /// A key comes up.
    pub(crate) fn release(&mut self, key: Key) {
        self.keys.retain(|held| *held != key);
    }

    /// All keys come up.
    pub(crate) fn release_all(&mut self) {
        self.keys.clear();
    }
}

/// Updates [`HeldKeys`].
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
        held.press(event.key);
    }

    fn on_key_up(&mut self, event: &KeyUp, mut held: ResMut<HeldKeys>) {
        held.release(event.key);
    }

    /// Releases in a minimized window are not reported.
    fn on_window_minimized(&mut self, _: &WindowMinimized, mut held: ResMut<HeldKeys>) {
        held.release_all();
    }
}
