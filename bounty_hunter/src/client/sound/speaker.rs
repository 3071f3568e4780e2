//! The sound of the window: a mixer that the sound card empties.

#[cfg_attr(not(target_os = "linux"), path = "speaker/no_card.rs")]
mod alsa;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use glam::Vec2;

use self::alsa::Card;
use super::cues::Listener;
use super::mixer::{Mixer, Volume};
use bounty_hunter_simulation::simulation::view::View;
use bounty_hunter_simulation::sounds::Sounds;

/// Samples that are mixed at once: 6 ms.
const SAMPLES: usize = 256;

/// The mixer of a window.
#[derive(Debug)]
pub(crate) struct Sound {
    mixer: Arc<Mutex<Mixer>>,
    listener: Listener,
    is_closed: Arc<AtomicBool>,
}

impl Sound {
    /// Opens the sound card. Without one, the mixer is not played.
    pub(crate) fn open(sounds: &Sounds, volume: Volume) -> Self {
        let sound = Self::silent(sounds, volume);
        let (mixer, is_closed) = (Arc::clone(&sound.mixer), Arc::clone(&sound.is_closed));
        let outcome = Card::open().and_then(|card| {
            let thread = thread::Builder::new().name("sound".into());
            thread.spawn(move || feed(&card, &mixer, &is_closed)).map(drop).map_err(|error| error.to_string())
        });
        match outcome {
            Ok(()) => tracing::info!(target: "bounty_hunter::client", "sound"),
            Err(reason) => tracing::info!(target: "bounty_hunter::client", reason, "no sound"),
        }
        sound
    }

    /// Sound without a sound card.
    pub(crate) fn silent(sounds: &Sounds, volume: Volume) -> Self {
        let mixer = Arc::new(Mutex::new(Mixer::new(sounds, volume)));
        Self { mixer, listener: Listener::with(sounds), is_closed: Arc::default() }
    }

    /// Plays the effects between two views, and lets the music follow the clock.
    /// `ear` is where the sounds of kinds are heard.
    pub(crate) fn hear(&mut self, previous: &View, current: &View, ear: Vec2) {
        let mut mixer = locked(&self.mixer);
        for heard in self.listener.listen(previous, current, ear) {
            tracing::trace!(target: "bounty_hunter::client", cue = ?heard.cue, "heard");
            mixer.play(*heard);
        }
        mixer.music.follow(current);
    }

    /// Plays the music of the title.
    pub(crate) fn play_title(&mut self) {
        locked(&self.mixer).music.play_title();
    }

    /// Stops the music, between matches.
    pub(crate) fn rest(&mut self) {
        locked(&self.mixer).music.rest();
    }

    pub(crate) fn set_volume(&mut self, volume: Volume) {
        locked(&self.mixer).volume = volume;
    }
}

impl Drop for Sound {
    fn drop(&mut self) {
        self.is_closed.store(true, Ordering::Relaxed);
    }
}

/// Gives the card what the mixer mixes, until the window is closed or the card is gone.
fn feed(card: &Card, mixer: &Mutex<Mixer>, is_closed: &AtomicBool) {
    let mut samples = [[0; 2]; SAMPLES];
    while !is_closed.load(Ordering::Relaxed) {
        locked(mixer).fill(&mut samples);
        if let Err(reason) = card.write(&samples) {
            tracing::warn!(target: "bounty_hunter::client", reason, "the sound ends");
            return;
        }
    }
}

fn locked(mixer: &Mutex<Mixer>) -> MutexGuard<'_, Mixer> {
    mixer.lock().unwrap_or_else(PoisonError::into_inner)
}
