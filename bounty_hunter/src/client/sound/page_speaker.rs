//! The sound of the window in a browser: the page has the samples of all effects and notes, is told when they begin,
//! and mixes them.

use glam::Vec2;

use super::RATE;
use super::cues::{Cue, Listener};
use super::mixer::Volume;
use super::music::Music;
use crate::browser;
use bounty_hunter_simulation::simulation::view::View;
use bounty_hunter_simulation::sounds::Sounds;

/// Notes are given to the page this long before they begin, so that a slow frame does not delay them.
const AHEAD_SECONDS: f64 = 0.15;

/// The sounds that the page plays.
#[derive(Debug)]
pub(crate) struct Sound {
    listener: Listener,
    music: Music,
    volume: Volume,
    /// The page has the samples: first the effects, then the notes.
    is_open: bool,
    /// All notes before this time of the page are given.
    given_until_seconds: f64,
    /// The page has so many effects before the notes.
    effects: usize,
}

impl Sound {
    /// Gives the page the samples. It plays them from the first key or touch on, because browsers refuse before.
    pub(crate) fn open(sounds: &Sounds, volume: Volume) -> Self {
        let sound = Self { is_open: true, ..Self::silent(sounds, volume) };
        for samples in Cue::samples(sounds).iter().chain(&sound.music.notes) {
            browser::add_sound(RATE, samples);
        }
        sound
    }

    /// Sound that is not played.
    pub(crate) fn silent(sounds: &Sounds, volume: Volume) -> Self {
        let (listener, music) = (Listener::with(sounds), Music::new(sounds));
        let effects = sounds.all_effects().count();
        Self { listener, music, volume, is_open: false, given_until_seconds: 0.0, effects }
    }

    /// Plays the effects between two views, and lets the music follow the clock.
    /// `ear` is where the sounds of kinds are heard.
    pub(crate) fn hear(&mut self, previous: &View, current: &View, ear: Vec2) {
        let heard = self.listener.listen(previous, current, ear);
        self.music.follow(current);
        let Some(now_seconds) = browser::sound_seconds().filter(|_| self.is_open) else { return };
        for heard in heard {
            let (left, right) = heard.loudness_of_sides();
            let effects = self.volume.effects;
            browser::start_sound(heard.cue.number(), left * effects, right * effects, heard.pitch, now_seconds);
        }
        self.give_notes(now_seconds);
    }

    /// Plays the music of the title.
    pub(crate) fn play_title(&mut self) {
        self.music.play_title();
        if let Some(now_seconds) = browser::sound_seconds().filter(|_| self.is_open) {
            self.give_notes(now_seconds);
        }
    }

    /// Gives the page the notes of the next moment.
    fn give_notes(&mut self, now_seconds: f64) {
        let first_note = self.effects;
        self.given_until_seconds = self.given_until_seconds.max(now_seconds);
        while self.given_until_seconds < now_seconds + AHEAD_SECONDS {
            for note in self.music.advance() {
                let music = self.volume.music;
                browser::start_sound(first_note + note, music, music, 1.0, self.given_until_seconds);
            }
            self.given_until_seconds += 1.0 / f64::from(RATE);
        }
    }

    /// Stops the music, between matches.
    pub(crate) fn rest(&mut self) {
        self.music.rest();
    }

    pub(crate) fn set_volume(&mut self, volume: Volume) {
        self.volume = volume;
    }
}
