//! The window: title screen, match, score and menus. The only folder that names macroquad.
//!
//! The client reads the game through views and changes it only by stepping it with inputs, so nothing that is drawn here,
//! and no frame rate, can change what happens.

use std::path::Path;

pub use error::ClientError;
pub use game::{Game, MatchPurpose};
use input::reader::InputReader;
pub use match_history::MatchHistory;
pub use options::{ModeChoice, PlayOptions, WatchOptions};
use screens::replay_screen::ReplayScreen;
use window::Pace;

use crate::archive::replay::Playback;
use crate::simulation::MatchSetup;

mod drawing;
mod error;
mod game;
mod hud;
mod input;
mod match_history;
mod options;
mod picture;
#[cfg(test)]
mod sample;
mod screens;
mod session;
mod window;

/// Opens the window and returns when the player closes it, quits, or the frames of a demonstration are over.
///
/// `factory` is called with the name of the mode for the match, and for those that play behind the title. `kept` is where the
/// results screen finds matches; without it the screen says that there are none.
///
/// # Errors
/// - [`ClientError::Options`] for options that contradict each other or the keymap.
/// - [`ClientError::NoDisplay`] and [`ClientError::Window`] if no window can be opened.
/// - [`ClientError::Match`] if `factory` fails.
/// - [`ClientError::Screenshot`] if the picture cannot be written.
pub fn play<F>(
    options: PlayOptions,
    factory: F,
    match_history: Option<Box<dyn MatchHistory>>,
) -> Result<(), ClientError>
where
    F: FnMut(MatchPurpose, &str, &MatchSetup) -> Result<Box<dyn Game>, String> + 'static,
{
    options.check()?;
    window::run(pace(options.frames, options.screenshot.as_deref()), move || {
        session::run(options, Box::new(factory), match_history)
    })
}

/// Opens the window, shows a replay in it, and returns when the viewer closes it or the frames are over.
///
/// # Errors
/// - [`ClientError::Options`] for a screenshot without a number of frames.
/// - [`ClientError::NoDisplay`] and [`ClientError::Window`] if no window can be opened.
/// - [`ClientError::Match`] if the replay cannot be sought in.
/// - [`ClientError::Screenshot`] if the picture cannot be written.
pub fn watch(options: WatchOptions, playback: Playback) -> Result<(), ClientError> {
    options::check_frames(options.frames, options.screenshot.as_deref())?;
    window::run(pace(options.frames, options.screenshot.as_deref()), move || show_replay(options, playback))
}

async fn show_replay(options: WatchOptions, playback: Playback) -> Result<(), ClientError> {
    ReplayScreen::new(playback, options)?.run(&mut InputReader::new()).await.map(drop)
}

fn pace(frames: Option<u32>, screenshot: Option<&Path>) -> Pace {
    match (frames, screenshot) {
        (None, _) => Pace::Screen,
        (Some(_), Some(_)) => Pace::Fast,
        (Some(_), None) => Pace::Fastest,
    }
}
