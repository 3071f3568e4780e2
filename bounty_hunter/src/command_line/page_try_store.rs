//! The tries of daily matches in the storage of the page.

use std::path::Path;

use bounty_hunter::browser;
use bounty_hunter::replay::Replay;

/// The storage of the page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TryStore;

/// The name of one try.
#[derive(Debug)]
pub(crate) struct Try(String);

impl TryStore {
    pub(crate) fn open(_: Option<&Path>) -> Option<Self> {
        Some(Self)
    }

    /// Whether a try of this name has begun.
    pub(crate) fn has(self, name: &str) -> bool {
        browser::has(&key(name))
    }

    /// Begins the try of this name; `None` if it has begun before.
    ///
    /// # Errors
    /// A sentence, if the browser stores nothing more.
    pub(crate) fn begin(self, name: String) -> Result<Option<Try>, String> {
        if self.has(&name) {
            return Ok(None);
        }
        browser::write(&key(&name), b"").map(|()| Some(Try(name)))
    }
}

impl Try {
    /// The name of its file.
    pub(crate) fn name(&self) -> String {
        self.0.clone()
    }

    /// Stores the replay; returns the name of its file.
    pub(crate) fn end(self, played: &Replay) -> Result<String, String> {
        browser::write(&key(&self.0), &played.to_bytes())?;
        Ok(self.0)
    }
}

fn key(name: &str) -> String {
    format!("daily/{name}")
}
