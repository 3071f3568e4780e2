//! The devices of the person at the window: keys, mouse and sound.

use super::DeviceOptions;
use super::input::reader::InputReader;
use super::sound::{Sound, Volume};

/// The usual loudness.
const VOLUME: Volume = Volume { effects: 0.8, music: 0.5 };

/// What a screen reads and plays.
#[derive(Debug)]
pub(crate) struct Devices {
    pub(crate) reader: InputReader,
    pub(crate) sound: Sound,
}

impl Devices {
    /// Opens all devices. A demonstration is silent.
    pub(crate) fn open(options: &DeviceOptions, is_demonstration: bool) -> Self {
        let sound = match is_demonstration {
            true => Sound::silent(&options.sounds, VOLUME),
            false => Sound::open(&options.sounds, VOLUME),
        };
        Self { reader: InputReader::new(), sound }
    }
}
