//! A session without storage, in a build without saves.

use super::Session;

impl Session {
    pub(super) fn add_result(&mut self) {}

    pub(super) fn withdraw_results(&mut self) {}

    pub(super) fn retry_results(&mut self) {}

    pub(in crate::command_line) fn store_results(&mut self) -> Result<(), String> {
        Ok(())
    }

    pub(super) fn save(&mut self) {
        self.tell("not saved: this program was built without saves");
    }

    pub(super) fn load(&mut self) -> bool {
        self.tell("not loaded: this program was built without saves");
        false
    }
}
