//! Results of matches are not kept, in a build without the database.

use bounty_hunter::replay::Playback;

use super::{Session, Storage};

impl Session {
    /// Goes on with a save; [`Arguments`](crate::command_line::arguments::Arguments) refuses what names one.
    pub(in crate::command_line::play) fn loading(self, _: Option<&str>) -> Result<Self, String> {
        Ok(self)
    }

    /// Takes the storage for the next match.
    pub(in crate::command_line::play) fn into_storage(self) -> Option<Storage> {
        self.storage
    }

    pub(super) fn own_best(&self) -> Option<Playback> {
        None
    }

    pub(super) fn add_result(&mut self) {}

    pub(super) fn withdraw_results(&mut self) {}

    pub(super) fn retry_results(&mut self) {}

    pub(in crate::command_line::play) fn store_results(&mut self) -> Result<(), String> {
        Ok(())
    }
}
