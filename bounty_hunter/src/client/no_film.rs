//! Films, in a browser: there are none.

use std::path::{Path, PathBuf};

use crate::client::ClientError;
use crate::client::drawing::layout::Layout;
use crate::client::people::People;
use bounty_hunter_simulation::replay::Playback;

/// A film, of which there is none.
pub(crate) enum Filming {}

impl Filming {
    pub(crate) fn of(_: Playback, _: &Path, _: Layout, _: People) -> Result<Self, ClientError> {
        Err(ClientError::Match("a browser makes no films".into()))
    }

    pub(crate) fn work(&mut self, _: f64) -> Option<Result<PathBuf, ClientError>> {
        match *self {}
    }
}

pub(crate) fn progress_text(filming: &Filming) -> String {
    match *filming {}
}
