//! The options that the window is opened with.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use ecs::prefab::may_be_meant;

use super::error::ClientError;
use super::settings::check_window_size;
use super::window::screenshot;
use bounty_hunter_simulation::keymap::{Key, Keymap};
use bounty_hunter_simulation::language::Language;
use bounty_hunter_simulation::simulation::MatchSetup;
use bounty_hunter_simulation::sounds::Sounds;

/// A level that the title screen offers.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelChoice {
    /// The name of its file.
    pub name: String,
    /// Limit of players; `None` for the limit of the title screen.
    pub most_players: Option<u32>,
}

/// A mode that the title screen offers.
#[derive(Clone, Debug, PartialEq)]
pub struct ModeChoice {
    /// Name for the factory.
    pub name: String,
    /// Shown name.
    pub title: String,
    /// Description in one sentence.
    pub description: String,
    /// Default number of players.
    pub players: u32,
    /// The file of its level.
    pub level: String,
    /// Limit of players in its level; `None` for the limit of the title screen.
    pub most_players: Option<u32>,
    /// The other levels that fit the mode.
    pub levels: Vec<LevelChoice>,
    /// Default AI profile.
    pub ai: String,
    /// Default length of the match.
    pub play_seconds: f32,
    /// Whether spells can be cast.
    pub has_spells: bool,
}

/// The match of the day, which is the same for everybody.
#[derive(Clone, Debug)]
pub struct DailyMatch {
    /// The day, as shown.
    pub day: String,
    /// Name of its mode, for the factory.
    pub mode: String,
    /// Its seed, seats and length.
    pub setup: MatchSetup,
    /// The tries of the day.
    pub tries: Rc<dyn DailyTries>,
}

/// The tries of a day.
pub trait DailyTries: Debug {
    /// How many more times the match can be begun today.
    fn left(&self) -> u32;

    /// The match of today, if another day has begun. Asked in each frame of the title.
    fn of_another_day(&self) -> Option<DailyMatch>;
}

/// The options of the devices.
#[derive(Clone, Debug)]
pub struct DeviceOptions {
    /// Effects and music.
    pub sounds: Sounds,
    /// The languages beside English, by the names of their files.
    pub languages: BTreeMap<String, Language>,
    /// The titles of all modes, by the names of their files.
    pub mode_titles: BTreeMap<String, String>,
    /// The keys of the camera, where the settings have none.
    pub camera_keys: Vec<Key>,
    /// The names of the feats that people have achieved before, which unlock ships and trails.
    pub feats: Vec<String>,
    /// The file of the settings; `None` on a platform without a place for them.
    pub settings: Option<PathBuf>,
    /// The width and the height of a window that closes by itself, which has no other settings of its user.
    pub window_size_px: Option<(u32, u32)>,
}

/// The options of a match in the window.
#[derive(Clone, Debug)]
pub struct PlayOptions {
    /// Seed of the match.
    pub seed: u64,
    /// The modes of the title screen, the default first.
    pub modes: Vec<ModeChoice>,
    /// Default number of players, people and AIs. The title screen offers 2 to 64, or the number of a mode.
    pub players: u32,
    /// Default number of people; at most the number of people in the keymap.
    pub humans: u32,
    /// The AI profiles of the title screen, the weakest first.
    pub ai_profiles: Vec<String>,
    /// The default AI profile, one of them.
    pub ai: String,
    /// Default length of the match.
    pub play_seconds: f32,
    /// Further lengths on the title screen.
    pub play_seconds_choices: Vec<f32>,
    /// The title begins with the choices of the last time, which are kept in the settings.
    pub keeps_choices: bool,
    /// Skips the title and plays a match of AIs only.
    pub demo: bool,
    /// Skips the title and plays a match with the defaults.
    pub skip_title: bool,
    /// The match of the day; `None` if there is none to play.
    pub daily: Option<DailyMatch>,
    /// Skips the title and begins the match of the day.
    pub begins_daily: bool,
    /// Skips the title, draws this many frames with one step each, and closes the window.
    pub frames: Option<u32>,
    /// PNG file for the last frame; needs `frames`.
    pub screenshot: Option<PathBuf>,
    /// The keys of the window, and the keys to show.
    pub keymap: Keymap,
    /// The devices.
    pub devices: DeviceOptions,
}

/// The options of a replay in the window.
#[derive(Clone, Debug)]
pub struct WatchOptions {
    /// Draws this many frames with one step each, and closes the window.
    pub frames: Option<u32>,
    /// PNG file for the last frame; needs `frames`.
    pub screenshot: Option<PathBuf>,
}

/// Checks what a window has that closes by itself.
pub(super) fn check_frames(
    frames: Option<u32>,
    screenshot: Option<&Path>,
    devices: &DeviceOptions,
) -> Result<(), ClientError> {
    devices.window_size_px.map_or(Ok(()), check_window_size).map_err(ClientError::Options)?;
    let refuse = |reason: &str| Err(ClientError::Options(reason.to_owned()));
    match (frames, screenshot) {
        (None, Some(_)) => refuse("a screenshot needs a number of frames after which it is taken"),
        (Some(0), _) => refuse("the number of frames is 0, must be at least 1"),
        _ => screenshot.map_or(Ok(()), screenshot::check_path),
    }
}

impl PlayOptions {
    pub(super) fn check(&self) -> Result<(), ClientError> {
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
        if !self.ai_profiles.contains(&self.ai) {
            let meant = may_be_meant(&self.ai, self.ai_profiles.iter().map(String::as_str));
            return refuse(format!("the AI profile {:?} is none of those to choose{meant}", self.ai));
        }
        if !(self.play_seconds.is_finite() && self.play_seconds > 0.0) {
            return refuse(format!("the match length is {} s, must be positive", self.play_seconds));
        }
        check_frames(self.frames, self.screenshot.as_deref(), &self.devices)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::sample;

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
    fn contradicting_options_are_refused_in_one_sentence() {
        assert_eq!(refusal(|o| o.humans = 3), "the keymap has keys for 2 people, not for 3");
        assert_eq!(refusal(|o| o.players = 0), "a match needs at least one player");
        assert_eq!(refusal(|o| (o.players, o.humans) = (1, 2)), "2 people cannot play in a match of 1 players");
        assert_eq!(refusal(|o| o.frames = Some(0)), "the number of frames is 0, must be at least 1");
        assert_eq!(refusal(|o| o.play_seconds = f32::NAN), "the match length is NaN s, must be positive");
        assert_eq!(refusal(|o| o.modes.clear()), "there is no mode to choose");
        assert_eq!(refusal(|o| o.ai_profiles.clear()), "there is no AI profile to choose");
        assert_eq!(refusal(|o| o.ai.clear()), "the AI profile \"\" is none of those to choose");
        let too_low = refusal(|o| o.devices.window_size_px = Some((800, 100)));
        assert_eq!(too_low, "window_size_px is (800, 100), must be from (200, 150) to (16384, 16384)");
        let without_frames = refusal(|o| o.screenshot = Some("a.png".into()));
        assert_eq!(without_frames, "a screenshot needs a number of frames after which it is taken");
    }
}
