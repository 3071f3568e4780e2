//! Results of matches are not kept, in a build without the database.

use super::Session;

impl Session {
    pub(super) fn add_result(&mut self) {}

    pub(super) fn withdraw_results(&mut self) {}

    pub(super) fn retry_results(&mut self) {}

    pub(in crate::command_line) fn store_results(&mut self) -> Result<(), String> {
        Ok(())
    }
}
