//! The mixer: voices and music become samples of two channels.

use super::RATE;
use super::cues::{Cue, Heard};
use super::music::Music;
use bounty_hunter_simulation::sounds::Sounds;

/// Limit of voices at the same time; more are dropped.
const MAX_VOICES: usize = 48;
/// For so long, one effect masks others of its kind.
const MASKING_SAMPLES: f64 = 0.1 * RATE as f64;

/// The loudness of effects and music, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Volume {
    pub(crate) effects: f32,
    pub(crate) music: f32,
}

/// Samples of the left and the right channel.
pub(crate) type Sample = [i16; 2];

/// Mixes effects and music.
#[derive(Debug)]
pub(crate) struct Mixer {
    pub(crate) volume: Volume,
    /// By the numbers of cues.
    effects: Vec<Vec<f32>>,
    effect_voices: Vec<Voice>,
    pub(super) music: Music,
    music_voices: Vec<Voice>,
}

/// Plays samples once.
#[derive(Clone, Copy, Debug)]
struct Voice {
    /// An index into the samples of its owner.
    sound: usize,
    /// The next sample, and how many samples it goes on by each time.
    next: f64,
    speed: f64,
    left: f32,
    right: f32,
}

impl Mixer {
    /// A silent mixer.
    pub(crate) fn new(sounds: &Sounds, volume: Volume) -> Self {
        let (effects, music) = (Cue::samples(sounds), Music::new(sounds));
        Self { volume, effects, effect_voices: Vec::new(), music, music_voices: Vec::new() }
    }

    /// Starts an effect.
    ///
    /// Many of a kind at once are hardly louder than one, so that a crowd is as loud as a few: the second that begins
    /// within a tenth of a second has half the loudness, the third a third, and so on.
    pub(crate) fn play(&mut self, heard: Heard) {
        if self.effect_voices.len() < MAX_VOICES {
            let (left, right) = heard.loudness_of_sides();
            let (sound, speed) = (heard.cue.number(), f64::from(heard.pitch));
            let masks = |voice: &&Voice| voice.sound == sound && voice.next < MASKING_SAMPLES * voice.speed;
            let share = 1.0 / (1 + self.effect_voices.iter().filter(masks).count()) as f32;
            self.effect_voices.push(Voice { sound, next: 0.0, speed, left: share * left, right: share * right });
        }
    }

    /// Overwrites `samples` with the next ones.
    pub(crate) fn fill(&mut self, samples: &mut [Sample]) {
        for sample in samples {
            let begun = self.music.advance().map(|sound| Voice { sound, next: 0.0, speed: 1.0, left: 1.0, right: 1.0 });
            self.music_voices.extend(begun);
            let effects = next_sample(&mut self.effect_voices, &self.effects);
            let music = next_sample(&mut self.music_voices, &self.music.notes);
            let channel = |at: usize| self.volume.effects * effects[at] + self.volume.music * music[at];
            *sample = [limited(channel(0)), limited(channel(1))];
        }
        let is_sounding = |samples: &[Vec<f32>], voice: &Voice| (voice.next as usize) < samples[voice.sound].len();
        self.effect_voices.retain(|voice| is_sounding(&self.effects, voice));
        self.music_voices.retain(|voice| is_sounding(&self.music.notes, voice));
    }
}

fn next_sample(voices: &mut [Voice], samples: &[Vec<f32>]) -> [f32; 2] {
    let mut sum = [0.0, 0.0];
    for voice in voices {
        let (samples, index) = (&samples[voice.sound], voice.next as usize);
        if let Some(sample) = samples.get(index) {
            let following = samples.get(index + 1).unwrap_or(&0.0);
            let sample = sample + (following - sample) * voice.next.fract() as f32;
            voice.next += voice.speed;
            sum[0] += sample * voice.left;
            sum[1] += sample * voice.right;
        }
    }
    sum
}

/// Full scale at most: loud sums are compressed and never cut off.
fn limited(value: f32) -> i16 {
    (libm::tanhf(value) * 32_000.0) as i16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::sample::player;
    use bounty_hunter_simulation::assets::Assets;
    use bounty_hunter_simulation::simulation::view::{GameState, PlayerView, View};

    const FULL: Volume = Volume { effects: 1.0, music: 1.0 };

    fn mixer(volume: Volume) -> Mixer {
        Mixer::new(&Assets::built_in().sounds, volume)
    }

    fn running(clock_seconds: f32) -> View {
        View { state: GameState::Running, clock_seconds, ..View::empty() }
    }

    fn seconds(mixer: &mut Mixer, seconds: u32) -> Vec<Sample> {
        let mut samples = vec![[0; 2]; (seconds * RATE) as usize];
        mixer.fill(&mut samples);
        samples
    }

    fn peak(samples: &[Sample], channel: usize) -> i32 {
        samples.iter().map(|sample| i32::from(sample[channel]).abs()).max().unwrap_or(0)
    }

    #[test]
    fn effect_is_heard_from_its_side_and_ends() {
        let mut mixer = mixer(FULL);
        mixer.play(Heard { cue: Cue::Crash, loudness: 1.0, side: 0.7, pitch: 1.0 });
        let samples = seconds(&mut mixer, 2);
        assert!(peak(&samples, 1) > 2 * peak(&samples, 0) && peak(&samples, 0) > 500);
        assert_eq!(peak(&samples[RATE as usize..], 1), 0);
        assert!(mixer.effect_voices.is_empty());
    }

    #[test]
    fn effect_of_a_higher_pitch_swings_faster_and_ends_earlier() {
        let swings = |pitch| {
            let mut mixer = mixer(FULL);
            mixer.play(Heard { cue: Cue::LastSecond, loudness: 1.0, side: 0.0, pitch });
            let samples = seconds(&mut mixer, 1);
            let end = samples.iter().rposition(|sample| sample[0] != 0).unwrap_or(0);
            let early = &samples[..1_000];
            (early.windows(2).filter(|pair| (pair[0][0] < 0) != (pair[1][0] < 0)).count(), end)
        };
        let (low, high) = (swings(1.0), swings(2.0));
        assert!(high.0 > 3 * low.0 / 2 && high.1 < 2 * low.1 / 3, "{low:?} {high:?}");
    }

    #[test]
    fn tracks_join_with_the_tension() {
        let loudness = |view: &View| {
            let mut mixer = mixer(FULL);
            mixer.music.follow(view);
            let samples = seconds(&mut mixer, 4);
            samples.iter().map(|sample| f64::from(sample[0]).powi(2)).sum::<f64>()
        };
        let calm = running(60.0);
        let mut tense = View { stash_capacity: 100.0, full_stash_ends_match: true, ..calm.clone() };
        tense.players = vec![PlayerView { stashed: 95.0, ..player(0) }];
        assert!(loudness(&tense) > 1.02 * loudness(&calm));
        let mut title = mixer(FULL);
        title.music.play_title();
        assert!(peak(&seconds(&mut title, 2), 0) > 1_000, "the title has music");
    }

    #[test]
    fn everything_at_once_is_not_cut_off() {
        let mut mixer = mixer(FULL);
        mixer.music.follow(&running(60.0));
        for _ in 0..20 {
            Cue::OF_GAME.into_iter().for_each(|cue| mixer.play(Heard { cue, loudness: 1.0, side: 0.0, pitch: 1.0 }));
        }
        assert!(peak(&seconds(&mut mixer, 1), 0) <= 32_000);
    }

    #[test]
    fn music_runs_with_the_match_and_hurries_at_its_end() {
        let steps = |clock_seconds| {
            let mut mixer = mixer(FULL);
            mixer.music.follow(&running(clock_seconds));
            seconds(&mut mixer, 4);
            mixer.music.step
        };
        assert!((28..=29).contains(&steps(60.0)), "{}", steps(60.0));
        assert!((43..=45).contains(&steps(0.1)), "{}", steps(0.1));

        let mut mixer = mixer(FULL);
        mixer.music.follow(&running(60.0));
        assert!(peak(&seconds(&mut mixer, 1), 0) > 3_000);
        mixer.music.follow(&View { state: GameState::Paused, ..running(60.0) });
        seconds(&mut mixer, 1);
        assert_eq!(peak(&seconds(&mut mixer, 1), 0), 0, "a pause is silent");
        mixer.music.rest();
        seconds(&mut mixer, 1);
        assert_eq!(peak(&seconds(&mut mixer, 1), 0), 0, "a match that goes on in a minimised window is silent");
    }

    #[test]
    fn volumes_are_separate() {
        let mut mixer = mixer(Volume { effects: 0.0, music: 1.0 });
        mixer.play(Heard { cue: Cue::Crash, loudness: 1.0, side: 0.0, pitch: 1.0 });
        assert_eq!(peak(&seconds(&mut mixer, 1), 0), 0);
        mixer.volume = Volume { effects: 1.0, music: 0.0 };
        mixer.music.follow(&running(60.0));
        assert_eq!(peak(&seconds(&mut mixer, 1), 0), 0);
    }
}
