//! The keys of people at a keyboard, as `assets/keymap.ron` names them. Only a window reads them: a match knows what
//! they mean, not the keys.

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

/// `assets/keymap.ron`: the key bindings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Keymap {
    /// Keys of each person at the keyboard.
    pub people: Vec<PersonKeys>,
    /// Pauses and resumes.
    pub pause: Vec<Key>,
    /// Opens the menu, and closes it.
    pub quit: Vec<Key>,
    /// Restarts the match from the menu.
    pub restart: Vec<Key>,
    /// Rewinds the match while held, where rewinding is on.
    pub rewind: Vec<Key>,
    /// Saves the match.
    pub quick_save: Vec<Key>,
    /// Loads the last quick save.
    pub quick_load: Vec<Key>,
    /// Toggles full screen.
    pub toggle_fullscreen: Vec<Key>,
    /// Toggles debug drawing.
    pub toggle_debug_draw: Vec<Key>,
    /// Toggles the frame-time overlay.
    pub toggle_frame_times: Vec<Key>,
    /// Lets the camera look at something else.
    pub camera: Vec<Key>,
    /// Opens the inspector, if the match has one.
    pub inspector: Vec<Key>,
    /// Keys of the menu options of a paused or finished match, in order.
    pub menu_options: Vec<Key>,
    /// Cheat: take over the first AI's collector.
    pub cheat_possess: Vec<Key>,
    /// Cheat: give it back.
    pub cheat_release: Vec<Key>,
    /// Cheat: take over the next AI's collector.
    pub cheat_next: Vec<Key>,
    /// Cheat: take over the previous AI's collector.
    pub cheat_previous: Vec<Key>,
    /// Cheat: kill all collectors.
    pub cheat_kill_collectors: Vec<Key>,
    /// Cheat: kill all bounties.
    pub cheat_kill_bounties: Vec<Key>,
    /// Cheat: log all rigid bodies.
    pub cheat_dump_physics: Vec<Key>,
}

/// The keys of one person, for driving and casting spells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PersonKeys {
    /// Full speed ahead while held.
    pub forward: Vec<Key>,
    /// Reverse at half speed while held.
    pub reverse: Vec<Key>,
    /// Turns left while held.
    pub left: Vec<Key>,
    /// Turns right while held.
    pub right: Vec<Key>,
    /// Casts a purge.
    #[serde(default)]
    pub purge: Vec<Key>,
    /// Casts a strike.
    #[serde(default)]
    pub strike: Vec<Key>,
    /// Casts a magnet.
    #[serde(default)]
    pub magnet: Vec<Key>,
}

impl PersonKeys {
    /// The keys that cast a spell.
    #[must_use]
    pub fn casting(&self, spell: Spell) -> &[Key] {
        match spell {
            Spell::Purge => &self.purge,
            Spell::Strike => &self.strike,
            Spell::Magnet => &self.magnet,
        }
    }
}
