//! Saving and loading are refused, in a build without saves.

use bounty_hunter::client::Notice;

use super::Session;

impl Session {
    pub(super) fn save(&mut self) {
        self.tell(Notice::problem("not saved: this program was built without saves", &[]));
    }

    pub(super) fn load(&mut self) -> bool {
        self.tell(Notice::problem("not loaded: this program was built without saves", &[]));
        false
    }
}
