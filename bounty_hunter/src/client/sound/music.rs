//! The music: which notes begin at which sample.

use super::RATE;
use super::synthesizer::render;
use crate::client::drawing::gauges::share;
use bounty_hunter_simulation::simulation::view::{GameState, View};
use bounty_hunter_simulation::sounds::{Sounds, Track};

/// Plays the tracks while a match runs.
#[derive(Debug)]
pub(super) struct Music {
    steps_per_second: f32,
    hurry_steps_per_second: f32,
    hurry_seconds: f32,
    /// For each track the least tension, and for each of its steps the index of its note in `notes`.
    tracks: Vec<(f32, Vec<Option<usize>>)>,
    /// The samples of each note.
    pub(super) notes: Vec<Vec<f32>>,
    /// How tense the match is, 0 to 1.
    tension: f32,
    /// The steps per second now; `None` while there is no music.
    speed: Option<f32>,
    pub(super) step: usize,
    /// The share of the present step that is left.
    left_share: f32,
}

impl Music {
    pub(super) fn new(sounds: &Sounds) -> Self {
        let music = &sounds.music;
        let mut notes = Vec::new();
        let tracks = music.tracks.iter().map(|track| (track.from_tension_share, rendered(track, &mut notes))).collect();
        Self {
            steps_per_second: music.steps_per_second,
            hurry_steps_per_second: music.hurry_steps_per_second,
            hurry_seconds: music.hurry_seconds,
            tracks,
            notes,
            tension: 0.0,
            speed: None,
            step: 0,
            left_share: 0.0,
        }
    }

    /// Follows the clock of a match: the music runs while the match does.
    pub(super) fn follow(&mut self, view: &View) {
        let is_heard = view.state == GameState::Running && view.countdown_seconds <= 0.0;
        if !is_heard {
            self.speed = None;
            // The next match begins with the first note, and a resumed one goes on.
            if view.state != GameState::Paused {
                (self.step, self.left_share) = (0, 0.0);
            }
            return;
        }
        let hurry = 1.0 - (view.clock_seconds / self.hurry_seconds.max(0.01)).min(1.0);
        self.speed = Some(self.steps_per_second + (self.hurry_steps_per_second - self.steps_per_second) * hurry);
        self.tension = tension(view).max(hurry);
    }

    /// Plays what is heard without any tension.
    pub(super) fn play_title(&mut self) {
        (self.speed, self.tension) = (Some(self.steps_per_second), 0.0);
    }

    /// Stops.
    pub(super) fn rest(&mut self) {
        self.speed = None;
    }

    /// Goes on by one sample, and returns the notes that begin with it.
    pub(super) fn advance(&mut self) -> impl Iterator<Item = usize> {
        let begins = self.speed.is_some() && self.left_share <= 0.0;
        let step = self.step;
        if begins {
            self.step += 1;
            self.left_share += 1.0;
        }
        self.left_share -= self.speed.unwrap_or(0.0) / RATE as f32;
        let tracks = if begins { self.tracks.as_slice() } else { &[] };
        let tension = self.tension;
        let heard = tracks.iter().filter(move |(from_tension_share, _)| *from_tension_share <= tension);
        heard.filter_map(move |(_, notes)| notes[step % notes.len()])
    }
}

/// How tense a running match is, 0 to 1: by the fullest stash, if a full one ends the match, and by the fullest pocket
/// of the people at this screen.
fn tension(view: &View) -> f32 {
    let most = |values: &mut dyn Iterator<Item = f32>| values.fold(0.0, f32::max);
    let stashed = most(&mut view.players.iter().map(|player| player.score()));
    let carried = most(&mut view.players.iter().filter(|player| player.is_here()).map(|player| player.pocket));
    let stashed = if view.full_stash_ends_match { share(stashed, view.stash_capacity) } else { 0.0 };
    stashed.max(0.8 * share(carried, view.pocket_capacity))
}

/// Adds the samples of each pitch of a track to `notes`, and returns its steps.
fn rendered(track: &Track, notes: &mut Vec<Vec<f32>>) -> Vec<Option<usize>> {
    let mut pitches: Vec<(i32, usize)> = Vec::new();
    let mut index_of = |semitones: i32| {
        if let Some((_, index)) = pitches.iter().find(|(pitch, _)| *pitch == semitones) {
            return *index;
        }
        notes.push(render(std::slice::from_ref(&track.tone), libm::exp2f(semitones as f32 / 12.0)));
        pitches.push((semitones, notes.len() - 1));
        notes.len() - 1
    };
    track.notes.0.iter().map(|note| note.map(&mut index_of)).collect()
}
