//! The devices of the people at the window: keys, mouse, gamepads and sound, with the settings for them.

use super::DeviceOptions;
use super::drawing::light::Light;
use super::input::hand::Hand;
use super::input::reader::InputReader;
use super::people::People;
use super::platform;
use super::settings::SettingsFile;
use super::sound::Sound;
use super::translation;
use super::unlocks::Unlocked;
use bounty_hunter_simulation::keymap::Key;

/// What a screen reads and plays.
#[derive(Debug)]
pub(crate) struct Devices {
    pub(crate) reader: InputReader,
    pub(crate) sound: Sound,
    pub(crate) light: Light,
    pub(crate) file: SettingsFile,
    pub(crate) unlocked: Unlocked,
    usual_camera_keys: Vec<Key>,
}

impl Devices {
    /// Opens all devices. A demonstration is silent.
    pub(crate) fn open(options: &DeviceOptions, file: SettingsFile, is_demonstration: bool) -> Self {
        translation::set_languages(&options.languages);
        translation::set_titles(&options.mode_titles);
        translation::choose(&file.settings.language);
        let volume = file.settings.volume();
        let sound = match is_demonstration {
            true => Sound::silent(&options.sounds, volume),
            false => Sound::open(&options.sounds, volume),
        };
        let hand = if is_demonstration { Hand::default() } else { platform::first_hand() };
        let light = Light::new(file.settings.has_light);
        let unlocked = Unlocked::by(options.feats.iter().map(String::as_str));
        let usual_camera_keys = options.camera_keys.clone();
        Self { reader: InputReader::new(hand), sound, light, file, unlocked, usual_camera_keys }
    }

    /// The people at this screen, as they have chosen to be shown.
    pub(crate) fn people(&self) -> People {
        People { names: self.file.settings.names(), looks: self.file.settings.looks(&self.unlocked) }
    }

    /// The keys of the camera, also where no match is played.
    pub(crate) fn camera_keys(&self) -> Vec<Key> {
        let own = self.file.settings.keymap.as_ref().map(|keymap| &keymap.camera).filter(|keys| !keys.is_empty());
        own.unwrap_or(&self.usual_camera_keys).clone()
    }
}

/// The settings to open the window with. A demonstration has the usual ones, so that it is the same each time.
pub(crate) fn settings(options: &DeviceOptions, is_demonstration: bool) -> SettingsFile {
    let mut file = SettingsFile::open(options.settings.as_deref().filter(|_| !is_demonstration));
    if let Some(size_px) = options.window_size_px.filter(|_| is_demonstration) {
        file.settings.window_size_px = size_px;
    }
    file
}
