//! Why the window cannot be opened or ends early.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;

/// Why the window cannot open, or closes early.
#[derive(Debug)]
pub enum ClientError {
    /// There is no display.
    NoDisplay,
    /// The window cannot be opened, with the reason.
    Window(String),
    /// The options contradict each other, with the reason.
    Options(String),
    /// A match cannot be set up, with the reason.
    Match(String),
    /// The screenshot cannot be written.
    Screenshot {
        /// File of the screenshot.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// A film cannot be written.
    Film {
        /// File of the film.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDisplay => f.write_str("there is no display for the window: set DISPLAY or WAYLAND_DISPLAY"),
            Self::Window(reason) => write!(f, "the window cannot be opened: {reason}"),
            Self::Options(reason) => f.write_str(reason),
            Self::Match(reason) => write!(f, "the match cannot be set up: {reason}"),
            Self::Screenshot { path, reason } => {
                write!(f, "the screenshot {} cannot be written: {reason}", path.display())
            }
            Self::Film { path, reason } => write!(f, "the film {} cannot be written: {reason}", path.display()),
        }
    }
}

impl Error for ClientError {}
