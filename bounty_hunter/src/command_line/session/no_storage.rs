//! Saving and loading are refused, in a build without saves.

use super::Session;

impl Session {
    pub(super) fn save(&mut self) {
        self.tell("not saved: this program was built without saves");
    }

    pub(super) fn load(&mut self) -> bool {
        self.tell("not loaded: this program was built without saves");
        false
    }
}
