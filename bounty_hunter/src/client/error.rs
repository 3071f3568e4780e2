//! Why the window cannot be opened or ends early.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;

/// Why there is no window, or no longer.
#[derive(Debug)]
pub enum ClientError {
    /// There is nowhere to show a window.
    NoDisplay,
    /// The window could not be opened; says why.
    Window(String),
    /// The options make no sense; says which.
    Options(String),
    /// A match could not be set up; says why.
    Match(String),
    /// The screenshot could not be written.
    Screenshot {
        /// Where it should have gone.
        path: PathBuf,
        /// Why it could not.
        reason: String,
    },
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDisplay => {
                f.write_str("there is no display to open a window on (neither DISPLAY nor WAYLAND_DISPLAY is set)")
            }
            Self::Window(reason) => write!(f, "the window could not be opened: {reason}"),
            Self::Options(reason) => f.write_str(reason),
            Self::Match(reason) => write!(f, "the match could not be set up: {reason}"),
            Self::Screenshot { path, reason } => {
                write!(f, "the screenshot {} could not be written: {reason}", path.display())
            }
        }
    }
}

impl Error for ClientError {}
