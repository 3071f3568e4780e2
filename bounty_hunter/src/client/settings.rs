//! The settings of the window, kept in a file between runs. They have no influence on a match.

use std::path::{Path, PathBuf};

use ecs::prefab::RonText;
use serde::{Deserialize, Serialize};

use crate::client::drawing::layout::{Layout, TextSize};
use crate::client::drawing::palette::{Palette, PaletteKind};
use crate::client::input::hand::Hand;
use crate::client::picture::camera_rig::FirstAim;
use crate::client::platform;
use crate::client::sound::Volume;
use crate::client::unlocks::{Look, ShipShape, TrailShape, Unlocked};
use bounty_hunter_simulation::foreign_file::FileKind;
use bounty_hunter_simulation::keymap::Keymap;
use bounty_hunter_simulation::name::PlayerName;

/// The sizes of the window to choose from, pixels.
pub(crate) const WINDOW_SIZES_PX: [(u32, u32); 5] = [(960, 540), (1280, 720), (1600, 900), (1920, 1080), (3840, 2160)];
/// Refuses a window that shows nothing, or that no screen has.
pub(crate) fn check_window_size((width, height): (u32, u32)) -> Result<(), String> {
    match (200..=16_384).contains(&width) && (150..=16_384).contains(&height) {
        true => Ok(()),
        false => Err(format!("window_size_px is ({width}, {height}), must be from (200, 150) to (16384, 16384)")),
    }
}

/// The people that can have a name and a colour.
pub(crate) const MAX_PEOPLE: usize = bounty_hunter_simulation::player::MAX_PEOPLE as usize;

/// What a player prefers. A file may leave out any field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Settings {
    /// Loudness of effects, 0 to 100.
    pub(crate) effects_percent: u32,
    /// Loudness of the music, 0 to 100.
    pub(crate) music_percent: u32,
    /// The window opens in full screen.
    pub(crate) is_fullscreen: bool,
    /// The size that the window opens with.
    pub(crate) window_size_px: (u32, u32),
    /// Frames wait for the screen; otherwise they are drawn as fast as possible.
    pub(crate) has_vertical_sync: bool,
    pub(crate) palette: PaletteKind,
    /// The file of the language; English if it is empty or unknown.
    pub(crate) language: String,
    /// The text beside and over the arena is a quarter larger.
    pub(crate) has_larger_text: bool,
    /// What the camera looks at when a match begins.
    pub(crate) camera: FirstAim,
    /// Crashes shake the picture.
    pub(crate) has_screen_shake: bool,
    /// The ground moves and things glow; on slow machines not even then.
    pub(crate) has_light: bool,
    /// The best recorded match of the own is seen beside the present one.
    pub(crate) has_own_best: bool,
    /// The tutorial has been offered.
    pub(crate) knows_tutorial: bool,
    /// What was chosen on the title screen; `None` before the first choice.
    pub(crate) choices: Option<Choices>,
    /// Names and colours, by person.
    pub(crate) people: Vec<Person>,
    /// The keys; `None` for those of the assets.
    pub(crate) keymap: Option<Keymap>,
}

/// How a person appears. The match itself knows only seats.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Person {
    /// The name; the usual one if it is empty.
    pub(crate) name: String,
    /// The number of a colour in the palette; `None` for the one of the seat.
    pub(crate) color: Option<u8>,
    /// The chosen ship and its trail, as far as they are unlocked.
    pub(crate) ship: ShipShape,
    pub(crate) trail: TrailShape,
}

/// The choices on the title screen. Those that do not exist are passed over, such as a mode of other assets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Choices {
    /// The file of the mode.
    pub(crate) mode: String,
    /// The file of the level, or the name of one from a seed; empty for the level of the mode.
    #[serde(default)]
    pub(crate) level: String,
    /// The number of seats, those of people and of AIs together.
    pub(crate) players: u32,
    /// The people among them.
    pub(crate) humans: u32,
    /// The file of the AI; empty for a mixture.
    pub(crate) ai: String,
    /// The length of the match.
    pub(crate) play_seconds: f32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            effects_percent: 80,
            music_percent: 50,
            is_fullscreen: false,
            window_size_px: (1280, 720),
            has_vertical_sync: true,
            palette: PaletteKind::Distinct,
            language: String::new(),
            has_larger_text: false,
            camera: FirstAim::default(),
            has_screen_shake: true,
            has_light: true,
            has_own_best: true,
            knows_tutorial: false,
            choices: None,
            people: vec![Person::default(); MAX_PEOPLE],
            keymap: None,
        }
    }
}

impl Settings {
    pub(crate) fn volume(&self) -> Volume {
        Volume { effects: self.effects_percent as f32 / 100.0, music: self.music_percent as f32 / 100.0 }
    }

    /// The colours of the players.
    pub(crate) fn palette(&self) -> Palette {
        let chosen: Vec<Option<u8>> = self.people.iter().map(|person| person.color).collect();
        Palette::new(self.palette, &chosen)
    }

    /// How the ships of people look, by person.
    pub(crate) fn looks(&self, unlocked: &Unlocked) -> Vec<Look> {
        self.people.iter().map(|person| unlocked.look(person.ship, person.trail)).collect()
    }

    /// The names of people; an empty one is the usual one.
    pub(crate) fn names(&self) -> Vec<String> {
        let name = |person: &Person| match person.name.trim() {
            "" => String::new(),
            name => PlayerName::cleaned(name).into(),
        };
        self.people.iter().map(name).collect()
    }

    /// The layout of a window of this size in pixels, for people with this in hand.
    pub(crate) fn layout(&self, width: f32, height: f32, hand: Hand) -> Layout {
        let text = if self.has_larger_text { TextSize::Larger } else { TextSize::Usual };
        Layout::new(width, height, text, self.palette(), hand)
    }

    /// Replaces values that cannot be by the usual ones; returns each of their fields, and what is wrong.
    fn replace_odd(&mut self) -> Vec<(String, String)> {
        let (mut odd, usual) = (Vec::new(), Self::default());
        let of_effects = ("effects_percent", &mut self.effects_percent, usual.effects_percent);
        for (field, percent, usual) in [of_effects, ("music_percent", &mut self.music_percent, usual.music_percent)] {
            if *percent > 100 {
                odd.push((field.to_owned(), format!("{field} is {percent}, must be at most 100")));
                *percent = usual;
            }
        }
        if let Err(problem) = check_window_size(self.window_size_px) {
            odd.push(("window_size_px".to_owned(), problem));
            self.window_size_px = usual.window_size_px;
        }
        for (index, person) in self.people.iter_mut().enumerate() {
            let number = index + 1;
            if let Some(color) = person.color.take_if(|color| *color > 15) {
                let problem = format!("the color of person {number} is {color}, must be 0 to 15");
                odd.push((format!("people.{index}.color"), problem));
            }
            if let Some(problem) = PlayerName::new(&person.name).err().filter(|_| !person.name.is_empty()) {
                odd.push((format!("people.{index}.name"), format!("the name of person {number} {problem}")));
                person.name.clear();
            }
        }
        odd
    }
}

/// The settings with their file.
#[derive(Debug)]
pub(crate) struct SettingsFile {
    pub(crate) settings: Settings,
    /// `None` without a place for them.
    path: Option<PathBuf>,
    /// Why the file could not be read, or its first odd value. Such a file is not overwritten.
    problem: Option<String>,
}

impl SettingsFile {
    /// Reads a file. Without one, or with one that cannot be read, the settings are the usual ones; an odd value is
    /// replaced by the usual one.
    pub(crate) fn open(path: Option<&Path>) -> Self {
        let (mut settings, problem) = match path.map_or(Ok(None), read) {
            Ok(Some((settings, odd))) => (settings, odd),
            Ok(None) => (Settings::default(), None),
            Err(problem) => (Settings::default(), Some(problem)),
        };
        if let Some(problem) = &problem {
            tracing::warn!(target: "bounty_hunter::client", "settings are not used: {problem}");
        }
        settings.people.resize(MAX_PEOPLE, Person::default());
        Self { settings, path: path.map(Path::to_owned), problem }
    }

    /// Writes the settings, completely or not at all. Returns the sentence to show.
    pub(crate) fn store(&self) -> Result<(), String> {
        let Some(path) = &self.path else { return Err("not stored: this platform has no place for settings".into()) };
        if let Some(problem) = &self.problem {
            return Err(format!("not stored, mend or delete this file first: {problem}"));
        }
        let pretty = ron::ser::PrettyConfig::new();
        let text = ron::ser::to_string_pretty(&self.settings, pretty).expect("settings are texts and numbers");
        platform::write(path, &(text + "\n"))
            .map_err(|error| format!("not stored: {} cannot be written: {error}", path.display()))
    }

    pub(crate) fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }
}

/// The settings in a file, and the first odd value that was replaced.
fn read(path: &Path) -> Result<Option<(Settings, Option<String>)>, String> {
    let read = platform::read(path).and_then(|bytes| {
        FileKind::Settings.check(bytes.as_ref().map_or(0, |bytes| bytes.len() as u64))?;
        Ok(bytes)
    });
    let Some(bytes) = read.map_err(|problem| format!("{}: {problem}", path.display()))? else { return Ok(None) };
    let text = RonText::from_utf8(path.display().to_string(), &bytes).map_err(|error| error.to_string())?;
    let mut settings: Settings = text.read().map_err(|error| error.to_string())?;
    let odd = settings.replace_odd();
    let first = odd.into_iter().next().map(|(field, problem)| text.error_at(&field, problem).to_string());
    Ok(Some((settings, first)))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A folder that is gone when the test ends.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            Self(std::env::temp_dir().join(format!("bounty_hunter_settings_{name}_{}", std::process::id())))
        }

        fn file(&self) -> PathBuf {
            self.0.join("deep/settings.ron")
        }

        fn with(self, text: &str) -> Self {
            fs::create_dir_all(self.0.join("deep")).unwrap();
            fs::write(self.file(), text).unwrap();
            self
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn settings_are_kept_between_runs() {
        let folder = Folder::new("kept");
        let mut file = SettingsFile::open(Some(&folder.file()));
        assert_eq!((&file.settings, file.problem()), (&Settings::default(), None), "there is no file yet");
        file.settings.music_percent = 10;
        let (ship, trail) = (ShipShape::Star, TrailShape::Wave);
        file.settings.people[1] = Person { name: "Ada \"A\"".into(), color: Some(3), ship, trail };
        file.settings.keymap = Some(crate::client::sample::keymap(2));
        let (mode, level, ai) = ("spells".into(), "seed:7".into(), "hard".into());
        file.settings.choices = Some(Choices { mode, level, players: 8, humans: 2, ai, play_seconds: 45.0 });
        file.store().unwrap();
        assert_eq!(SettingsFile::open(Some(&folder.file())).settings, file.settings);
    }

    #[test]
    fn file_may_hold_a_few_fields() {
        let folder = Folder::new("few").with("(effects_percent: 0)");
        let settings = SettingsFile::open(Some(&folder.file())).settings;
        assert_eq!(settings, Settings { effects_percent: 0, ..Settings::default() });
    }

    #[test]
    fn bad_file_is_a_sentence_and_stays_as_it_is() {
        for (name, text, reason) in [
            ("letter", "Dear Diary", "settings.ron:1:"),
            ("field", "(\n  loudness: 3,\n)", "loudness"),
            ("value", "(\n  music_percent: 300,\n)", "settings.ron:2:3: music_percent is 300, must be at most 100"),
            ("color", "(people: [(color: Some(99))])", "the color of person 1 is 99, must be 0 to 15"),
            (
                "long",
                "(people: [(),\n(name: \"seventeen letters\")])",
                "settings.ron:2:2: the name of person 2 has 17 characters",
            ),
            (
                "hidden",
                "(people: [(name: \"a\u{200b}b\")])",
                "settings.ron:1:12: the name of person 1 has the character U+200B",
            ),
            ("utf16", "\u{0}(\u{0})", "settings.ron:1:1: has zero bytes, as UTF-16 text has, must be UTF-8"),
            ("comma", "(\r\n  music_percent: 1,5,\r\n)", "settings.ron:2:18: `1,5` has a decimal comma: write `1.5`"),
            (
                "huge",
                &"/".repeat(2 << 20),
                "settings.ron: has more than 1048576 bytes, the most of the settings: delete it",
            ),
        ] {
            let folder = Folder::new(name).with(text);
            let mut file = SettingsFile::open(Some(&folder.file()));
            let problem = file.problem().expect("it is refused").to_owned();
            assert!(problem.contains(reason) && problem.lines().count() == 1, "{problem}");
            assert_eq!(file.settings, Settings::default());
            file.settings.music_percent = 1;
            let refusal = file.store().unwrap_err();
            assert!(refusal.starts_with("not stored, mend or delete this file first: "), "{refusal}");
            assert_eq!(fs::read_to_string(folder.file()).unwrap(), text);
        }
    }

    #[test]
    fn odd_values_discard_no_others() {
        let text = "(effects_percent: 101, music_percent: 7, language: \"de\", window_size_px: (1, 1), \
            people: [(name: \"seventeen letters\", color: Some(3)), (name: \"Ada\", color: Some(16))])";
        let folder = Folder::new("odd").with(text);
        let file = SettingsFile::open(Some(&folder.file()));
        assert!(
            file.problem().is_some_and(|problem| problem.contains("effects_percent is 101")),
            "the first one is told"
        );
        let usual = Settings::default();
        let Settings { effects_percent, music_percent, language, window_size_px, people, .. } = &file.settings;
        assert_eq!((*effects_percent, *music_percent, &**language), (usual.effects_percent, 7, "de"));
        assert_eq!((*window_size_px, people.len()), (usual.window_size_px, MAX_PEOPLE));
        assert_eq!(people[0], Person { color: Some(3), ..Person::default() });
        assert_eq!(people[1], Person { name: "Ada".into(), ..Person::default() });
        assert_eq!(fs::read_to_string(folder.file()).unwrap(), text);
    }

    #[test]
    fn file_of_another_editor_is_read() {
        let folder = Folder::new("editor").with("\u{feff}(\r\n  // Loud.\r  music_percent: 7,\r\n)\r\n");
        let file = SettingsFile::open(Some(&folder.file()));
        assert_eq!((file.settings.music_percent, file.problem()), (7, None));
    }

    #[test]
    fn settings_without_a_place_are_not_stored() {
        assert!(SettingsFile::open(None).store().unwrap_err().contains("no place"));
    }
}
