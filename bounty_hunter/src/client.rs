//! The window: title screen, match, score and menus. The only folder that names macroquad.
//!
//! The client reads the game through views and changes it only by stepping it with inputs, so nothing that is drawn here,
//! and no frame rate, can change what happens.

use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::archive::replay::Playback;
use crate::data::config::Keymap;
use crate::data::input::Inputs;
use crate::simulation::view::View;
use crate::simulation::{MatchSetup, Simulation, StepReport};
use input::reader::InputReader;
pub use match_history::{MatchDetails, MatchHistory, MatchSummary, MatchTotals, PlayerResult};
use screens::replay_screen::ReplayScreen;
use window::Pace;

mod drawing;
mod hud;
mod input;
mod match_history;
mod picture;
#[cfg(test)]
mod sample;
mod screens;
mod session;
mod window;

/// What the window plays: something that is stepped with inputs and looked at through views.
pub trait Game {
    /// Goes one step further.
    fn step(&mut self, inputs: &Inputs) -> StepReport;

    /// Overwrites `view` with the picture after the last step, reusing its memory.
    fn view_into(&self, view: &mut View);

    /// Goes back by so many steps, or as far as it can; returns whether it went anywhere. What comes next happens anew.
    fn go_back(&mut self, _steps: u32) -> bool {
        false
    }

    /// Steps per second at the speed of play; another number where a match of another mode was loaded.
    fn steps_per_second(&self) -> u32;

    /// Steps that it can go back by; `None` for one that keeps nothing of its past.
    fn steps_back(&self) -> Option<u64> {
        None
    }

    /// Saves the match, if there is anywhere to save it; what came of it is a notice.
    fn save(&mut self) {}

    /// Goes on from where the match was saved; returns whether it does.
    fn load(&mut self) -> bool {
        false
    }

    /// A sentence for whoever runs the game, such as what is wrong with a file that it follows; shown until it is `None`.
    fn notice(&self) -> Option<String> {
        None
    }
}

impl Game for Simulation {
    fn step(&mut self, inputs: &Inputs) -> StepReport {
        Self::step(self, inputs)
    }

    fn view_into(&self, view: &mut View) {
        Self::view_into(self, view);
    }

    fn steps_per_second(&self) -> u32 {
        Self::steps_per_second(self)
    }
}

/// What a match is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchPurpose {
    /// It is played behind the title.
    Title,
    /// It is what the window is there for.
    Match,
}

/// A mode that the title screen offers.
#[derive(Clone, Debug, PartialEq)]
pub struct ModeChoice {
    /// Its name, which the factory is called with.
    pub name: String,
    /// Shown name.
    pub title: String,
    /// What is special about it, in one sentence.
    pub description: String,
    /// Players that it is played with when it is chosen.
    pub players: u32,
    /// Players at most; `None` for as many as the title screen offers.
    pub most_players: Option<u32>,
    /// Name of the AI profile that is chosen with it.
    pub ai: String,
    /// Length of its match, which is chosen with it.
    pub play_seconds: f32,
}

/// What the window is opened with.
#[derive(Clone, Debug)]
pub struct PlayOptions {
    /// Seed of the match.
    pub seed: u64,
    /// The modes to choose from, the one that is chosen at first in front.
    pub modes: Vec<ModeChoice>,
    /// Players in all, at first; the title screen changes it within 2 to 64, or to as many as a mode asks for.
    pub players: u32,
    /// How many of them are people, at first; at most as many as the keymap has people.
    pub humans: u32,
    /// Names of the AI profiles to choose from, the one that is chosen at first in front.
    pub ai_profiles: Vec<String>,
    /// Length of the match at first.
    pub play_seconds: f32,
    /// Lengths to choose from on the title screen.
    pub play_seconds_choices: Vec<f32>,
    /// Starts right into a match that only AIs play.
    pub demo: bool,
    /// Starts right into a match with what the fields above say.
    pub skip_title: bool,
    /// Starts right into a match, plays exactly one step per frame for this many frames, then ends.
    pub frames: Option<u32>,
    /// Where to write a PNG of the last frame; only together with `frames`.
    pub screenshot: Option<PathBuf>,
    /// The keys, for the help on the screen and for the client's own.
    pub keymap: Keymap,
}

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

/// What the window is opened with to show a replay.
#[derive(Clone, Debug)]
pub struct WatchOptions {
    /// Shows exactly one step per frame for this many frames, then ends.
    pub frames: Option<u32>,
    /// Where to write a PNG of the last frame; only together with `frames`.
    pub screenshot: Option<PathBuf>,
}

/// Opens the window, shows a replay in it, and returns when the viewer closes it or the frames are over.
///
/// # Errors
/// - [`ClientError::Options`] for a screenshot without a number of frames.
/// - [`ClientError::NoDisplay`] and [`ClientError::Window`] if no window can be opened.
/// - [`ClientError::Match`] if the replay cannot be sought in.
/// - [`ClientError::Screenshot`] if the picture cannot be written.
pub fn watch(options: WatchOptions, playback: Playback) -> Result<(), ClientError> {
    check_frames(options.frames, options.screenshot.as_deref())?;
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

fn check_frames(frames: Option<u32>, screenshot: Option<&Path>) -> Result<(), ClientError> {
    let refuse = |reason: &str| Err(ClientError::Options(reason.to_owned()));
    match (frames, screenshot) {
        (None, Some(_)) => refuse("a screenshot needs a number of frames after which it is taken"),
        (Some(0), _) => refuse("the number of frames is 0, must be at least 1"),
        _ => screenshot.map_or(Ok(()), window::screenshot::check_path),
    }
}

impl PlayOptions {
    fn check(&self) -> Result<(), ClientError> {
        let refuse = |reason: String| Err(ClientError::Options(reason));
        let humans = if self.demo { 0 } else { self.humans };
        let seats_with_keys = self.keymap.people.len();
        if self.modes.is_empty() {
            return refuse("there is no mode to choose".into());
        }
        if self.players == 0 {
            return refuse("a match needs at least one player".into());
        }
        if humans > self.players {
            return refuse(format!("{humans} people cannot play in a match of {} players", self.players));
        }
        if humans as usize > seats_with_keys {
            return refuse(format!("the keymap has keys for {seats_with_keys} people, not for {humans}"));
        }
        if self.ai_profiles.is_empty() {
            return refuse("there is no AI profile to choose".into());
        }
        if !(self.play_seconds.is_finite() && self.play_seconds > 0.0) {
            return refuse(format!("the match length is {} s, must be positive", self.play_seconds));
        }
        check_frames(self.frames, self.screenshot.as_deref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(change: impl Fn(&mut PlayOptions)) -> String {
        let mut options = sample::options();
        change(&mut options);
        options.check().expect_err("these options must be refused").to_string()
    }

    #[test]
    fn sensible_options_pass() {
        assert!(sample::options().check().is_ok());
        assert!(PlayOptions { demo: true, humans: 99, ..sample::options() }.check().is_ok());
    }

    #[test]
    fn options_that_cannot_work_are_refused_in_one_sentence() {
        assert_eq!(refusal(|o| o.humans = 3), "the keymap has keys for 2 people, not for 3");
        assert_eq!(refusal(|o| o.players = 0), "a match needs at least one player");
        assert_eq!(refusal(|o| (o.players, o.humans) = (1, 2)), "2 people cannot play in a match of 1 players");
        assert_eq!(refusal(|o| o.frames = Some(0)), "the number of frames is 0, must be at least 1");
        assert_eq!(refusal(|o| o.play_seconds = f32::NAN), "the match length is NaN s, must be positive");
        assert_eq!(refusal(|o| o.modes.clear()), "there is no mode to choose");
        assert_eq!(refusal(|o| o.ai_profiles.clear()), "there is no AI profile to choose");
        let without_frames = refusal(|o| o.screenshot = Some("a.png".into()));
        assert_eq!(without_frames, "a screenshot needs a number of frames after which it is taken");
    }
}
