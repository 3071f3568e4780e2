//! Sounds that are made in code. On Linux `aplay` plays them, which desktops have: to link a library of the system, its
//! development files would have to be installed. Where it is missing, programs are silent.

/// Samples in a second.
const RATE: u32 = 22_050;

/// A tone that fades; `frequency` gives the hertz at each second.
pub fn tone(seconds: f32, frequency: impl Fn(f32) -> f32) -> Vec<u8> {
    let mut phase = 0.0;
    wav(seconds, |time| {
        phase = (phase + frequency(time) / RATE as f32).fract();
        if phase < 0.5 { 0.3 } else { -0.3 }
    })
}

/// A noise that fades: the brighter, the closer `brightness` is to 1.
#[must_use]
pub fn noise(seconds: f32, brightness: f32) -> Vec<u8> {
    let (mut state, mut now) = (1_u32, 0.0);
    wav(seconds, |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        now += ((state >> 16) as f32 / 32_768.0 - 1.0 - now) * brightness;
        now
    })
}

/// A file in the form WAV, with one channel of 16 bits.
fn wav(seconds: f32, mut sample: impl FnMut(f32) -> f32) -> Vec<u8> {
    let count = (seconds * RATE as f32) as u32;
    let mut file = Vec::from(*b"RIFF");
    file.extend((36 + 2 * count).to_le_bytes());
    file.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0");
    file.extend(RATE.to_le_bytes());
    file.extend((2 * RATE).to_le_bytes());
    file.extend(b"\x02\0\x10\0data");
    file.extend((2 * count).to_le_bytes());
    for at in 0..count {
        let fading = 1.0 - at as f32 / count as f32;
        file.extend(((sample(at as f32 / RATE as f32) * fading * 32_767.0) as i16).to_le_bytes());
    }
    file
}

/// Sounds by their numbers.
#[cfg(target_os = "linux")]
pub struct Sounds(Vec<std::sync::Arc<[u8]>>);

#[cfg(target_os = "linux")]
impl Sounds {
    /// Sounds from WAV files.
    pub async fn new<const N: usize>(files: [Vec<u8>; N]) -> Self {
        Self(files.map(Into::into).into())
    }

    /// Plays a sound, beside those that play already.
    pub fn play(&self, number: usize) {
        use std::io::Write;
        use std::process::{Command, Stdio};

        let Some(file) = self.0.get(number).cloned() else { return };
        std::thread::spawn(move || {
            let mut player = Command::new("aplay");
            player.arg("--quiet").stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
            let Ok(mut player) = player.spawn() else { return };
            // A player without a sound card ends before it has read.
            _ = player.stdin.take().map(|mut input| input.write_all(&file));
            _ = player.wait();
        });
    }
}

/// Sounds by their numbers.
#[cfg(not(target_os = "linux"))]
pub struct Sounds(Vec<macroquad::audio::Sound>);

#[cfg(not(target_os = "linux"))]
impl Sounds {
    /// Sounds from WAV files. Those that cannot be loaded are left out, with all behind them.
    pub async fn new<const N: usize>(files: [Vec<u8>; N]) -> Self {
        let mut sounds = Vec::new();
        for file in files {
            let Ok(sound) = macroquad::audio::load_sound_from_bytes(&file).await else { break };
            sounds.push(sound);
        }
        Self(sounds)
    }

    /// Plays a sound, beside those that play already.
    pub fn play(&self, number: usize) {
        self.0.get(number).into_iter().for_each(macroquad::audio::play_sound_once);
    }
}
