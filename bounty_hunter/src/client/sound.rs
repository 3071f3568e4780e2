//! Sound: effects for what changes between two views, and music that follows the clock.
//!
//! The synthesizer and the mixer are pure; only `speaker` knows the sound card, and only `alsa` its library. Without a card the game
//! is silent.

mod alsa;
mod cues;
mod mixer;
mod soundtrack;
mod speaker;
mod synthesizer;

pub(crate) use self::mixer::Volume;
pub use self::soundtrack::soundtrack;
pub(crate) use self::speaker::Sound;

/// Samples per second.
pub(crate) const RATE: u32 = 44_100;
