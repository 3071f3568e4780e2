//! The window: title screen, match, score and menus. Only this folder uses macroquad.
//!
//! The client reads the game through views and changes it only by inputs, so neither drawing nor the frame rate changes
//! the match.

use std::path::Path;

use devices::Devices;
pub use error::ClientError;
pub use game::{Game, MatchPurpose, NetworkRole, Notice};
pub use match_history::MatchHistory;
pub use options::{DailyMatch, DailyTries, DeviceOptions, LevelChoice, ModeChoice, PlayOptions, WatchOptions};
use screens::replay_screen::ReplayScreen;
use settings::SettingsFile;
pub use sound::soundtrack;
use window::Pace;

use bounty_hunter_simulation::replay::Playback;
use bounty_hunter_simulation::simulation::MatchSetup;

mod devices;
mod drawing;
mod error;
mod feat_names;
#[cfg_attr(target_arch = "wasm32", path = "client/no_film.rs")]
mod film;
mod friends;
mod game;
mod hud;
mod input;
#[cfg(test)]
mod literals_for_tests;
mod match_history;
mod options;
mod people;
mod picture;
#[cfg_attr(target_arch = "wasm32", path = "client/page.rs")]
mod platform;
#[cfg(test)]
mod sample;
mod screens;
mod session;
mod settings;
mod sound;
#[cfg_attr(not(feature = "network"), path = "client/no_together.rs")]
pub mod together;
mod translation;
mod unlocks;
mod window;

/// Opens the window and returns when the player closes it or quits, or after the last frame of a demonstration.
///
/// `factory` makes the match, and the matches behind the title, from the name of a mode, and from that of a level if it
/// is not the level of the mode. The results screen shows `match_history`; without it the screen says that this build
/// stores no results. With a `network`, matches are also hosted and joined from the title.
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
    network: together::Network,
) -> Result<(), ClientError>
where
    F: FnMut(MatchPurpose, &str, Option<&str>, &MatchSetup) -> Result<Box<dyn Game>, String> + 'static,
{
    options.check()?;
    let file = devices::settings(&options.devices, options.frames.is_some());
    let settings = file.settings.clone();
    window::run(pace(options.frames, options.screenshot.as_deref()), &settings, move || {
        session::run(options, file, Box::new(factory), match_history, network)
    })
}

/// The name that the settings give the first person; empty without one.
#[must_use]
pub fn first_name(devices: &DeviceOptions) -> String {
    devices::settings(devices, false).settings.names().into_iter().next().unwrap_or_default()
}

/// Opens the window, shows a replay, and returns when the viewer closes it or after the last frame.
///
/// # Errors
/// - [`ClientError::Options`] for a screenshot without a number of frames.
/// - [`ClientError::NoDisplay`] and [`ClientError::Window`] if no window can be opened.
/// - [`ClientError::Match`] if seeking in the replay fails.
/// - [`ClientError::Screenshot`] if the picture cannot be written.
pub fn watch(options: WatchOptions, devices: DeviceOptions, playback: Playback) -> Result<(), ClientError> {
    options::check_frames(options.frames, options.screenshot.as_deref(), &devices)?;
    let file = devices::settings(&devices, options.frames.is_some());
    let settings = file.settings.clone();
    let pace = pace(options.frames, options.screenshot.as_deref());
    window::run(pace, &settings, move || show_replay(options, devices, file, playback))
}

/// Opens the window, draws the highlight of a replay in it, writes it as a GIF file, and returns. The file repeats,
/// with 12 pictures a second, 640 pixels wide or less, and has 3 MB at most.
///
/// # Errors
/// - [`ClientError::NoDisplay`] and [`ClientError::Window`] if no window can be opened.
/// - [`ClientError::Match`] if seeking in the replay fails, or nothing happens in the match.
/// - [`ClientError::Film`] if the file cannot be written.
#[cfg(not(target_arch = "wasm32"))]
pub fn film_highlight(playback: Playback, devices: DeviceOptions, file: &Path) -> Result<(), ClientError> {
    let (settings_file, file) = (devices::settings(&devices, true), file.to_owned());
    let settings = settings_file.settings.clone();
    window::run(Pace::Fast, &settings, move || async move {
        let devices = Devices::open(&devices, settings_file, true);
        film::shoot(playback, &devices, &file).await
    })
}

async fn show_replay(
    options: WatchOptions,
    devices: DeviceOptions,
    file: SettingsFile,
    playback: Playback,
) -> Result<(), ClientError> {
    let mut devices = Devices::open(&devices, file, options.frames.is_some());
    ReplayScreen::new(playback, options)?
        .with_people(devices.people().without_names())
        .run(&mut devices)
        .await
        .map(drop)
}

fn pace(frames: Option<u32>, screenshot: Option<&Path>) -> Pace {
    match (frames, screenshot) {
        (None, _) => Pace::Screen,
        (Some(_), Some(_)) => Pace::Fast,
        (Some(_), None) => Pace::Fastest,
    }
}
