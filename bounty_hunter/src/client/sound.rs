//! Sound: effects for what changes between two views, and music that follows the clock.
//!
//! The synthesizer, the music and the mixer are pure; only `speaker` knows the sound card, and only `speaker/alsa.rs`
//! its library. Without a card the game is silent. In a browser the page mixes, and `page_speaker` takes the place of
//! `speaker`.

mod cues;
mod mixer;
mod music;
mod soundtrack;
mod sources;
#[cfg_attr(target_arch = "wasm32", path = "sound/page_speaker.rs")]
mod speaker;
mod synthesizer;

pub(crate) use self::mixer::Volume;
pub use self::soundtrack::soundtrack;
pub(crate) use self::speaker::Sound;

/// Samples per second.
pub(crate) const RATE: u32 = 44_100;
