//! The sound of a match as a WAV file, without a sound card.

use glam::Vec2;

use super::RATE;
use super::cues::Listener;
use super::mixer::{Mixer, Volume};
use crate::client::Game;
use bounty_hunter_simulation::input::Inputs;
use bounty_hunter_simulation::simulation::view::{GameState, View};
use bounty_hunter_simulation::sounds::Sounds;

/// Plays `game` for at most `steps` steps without inputs, and returns its sound as the bytes of a WAV file: 16 bits,
/// two channels.
///
/// The same match has the same sound, bit for bit. Effects and music have the loudness of the shares `effects` and
/// `music`.
///
/// # Panics
/// If the file would exceed 4 GB, which is six hours.
pub fn soundtrack(game: &mut dyn Game, sounds: &Sounds, steps: u64, effects: f32, music: f32) -> Vec<u8> {
    let mut mixer = Mixer::new(sounds, Volume { effects, music });
    let mut listener = Listener::with(sounds);
    let (mut previous, mut current) = (View::empty(), View::empty());
    game.view_into(&mut current);
    let mut samples = Vec::new();
    let steps_per_second = u64::from(game.steps_per_second().max(1));
    for step in 1..=steps {
        std::mem::swap(&mut previous, &mut current);
        let is_over = game.step(&Inputs::none()).state == GameState::Terminated;
        game.view_into(&mut current);
        listener.listen(&previous, &current, Vec2::ZERO).iter().for_each(|heard| mixer.play(*heard));
        mixer.music.follow(&current);
        let begin = samples.len();
        samples.resize((step * u64::from(RATE) / steps_per_second) as usize, [0; 2]);
        mixer.fill(&mut samples[begin..]);
        if is_over {
            break;
        }
    }
    wav(&samples)
}

/// A WAV file with these samples.
fn wav(samples: &[[i16; 2]]) -> Vec<u8> {
    const CHANNELS: u16 = 2;
    const BYTES_PER_SAMPLE: u16 = 2 * CHANNELS;
    let length = u32::try_from(samples.len() * usize::from(BYTES_PER_SAMPLE)).expect("a match takes no six hours");
    let mut file = Vec::with_capacity(44 + length as usize);
    file.extend(b"RIFF");
    file.extend((36 + length).to_le_bytes());
    file.extend(b"WAVEfmt ");
    file.extend(16_u32.to_le_bytes());
    file.extend(1_u16.to_le_bytes());
    file.extend(CHANNELS.to_le_bytes());
    file.extend(RATE.to_le_bytes());
    file.extend((RATE * u32::from(BYTES_PER_SAMPLE)).to_le_bytes());
    file.extend(BYTES_PER_SAMPLE.to_le_bytes());
    file.extend(16_u16.to_le_bytes());
    file.extend(b"data");
    file.extend(length.to_le_bytes());
    file.extend(samples.iter().flatten().flat_map(|sample| sample.to_le_bytes()));
    file
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use bounty_hunter_simulation::assets::Assets;
    use bounty_hunter_simulation::simulation::{MatchSetup, Simulation};

    /// A short match of AIs.
    fn game() -> Simulation {
        let mut assets = Assets::built_in();
        assets.game.countdown_seconds = 2.0;
        let setup = MatchSetup { play_seconds: Some(6.0), ..MatchSetup::of_ais(11, 3, "normal") };
        Simulation::new(&assets, &setup).expect("the match can be set up")
    }

    /// The loudest sample of each step, read from a file.
    fn heard_in_a_file(name: &str, effects: f32, music: f32) -> Vec<i32> {
        let path = std::env::temp_dir().join(format!("bounty_hunter_{name}_{}.wav", std::process::id()));
        fs::write(&path, soundtrack(&mut game(), &Assets::built_in().sounds, 600, effects, music)).unwrap();
        let file = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        assert_eq!((&file[..4], &file[8..16], file.len()), (&b"RIFF"[..], &b"WAVEfmt "[..], 44 + 600 * 735 * 4));
        let sample = |bytes: &[u8]| i32::from(i16::from_le_bytes([bytes[0], bytes[1]])).abs();
        file[44..].chunks(735 * 4).map(|step| step.chunks(2).map(sample).max().unwrap_or(0)).collect()
    }

    /// For each step whether a cue begins, and whether nothing has for two seconds.
    fn expected() -> Vec<(bool, bool)> {
        let (mut game, mut listener) = (game(), Listener::default());
        let (mut previous, mut current) = (View::empty(), game.view());
        let mut quiet_steps = 1_000;
        let mut step = || {
            std::mem::swap(&mut previous, &mut current);
            game.step(&Inputs::none());
            game.view_into(&mut current);
            let begins = !listener.listen(&previous, &current, Vec2::ZERO).is_empty();
            quiet_steps = if begins { 0 } else { quiet_steps + 1 };
            (begins, quiet_steps > 120)
        };
        (0..600).map(|_| step()).collect()
    }

    #[test]
    fn match_is_heard_in_a_file() {
        let peaks = heard_in_a_file("effects", 1.0, 0.0);
        let expected = expected();
        assert!(expected.iter().filter(|(begins, _)| *begins).count() > 5, "a match has sounds");
        let mut is_silent_somewhere = false;
        for (step, (begins, is_quiet)) in expected.into_iter().enumerate().take(595) {
            // Within five steps, because a sound swells.
            let loudest = peaks[step..step + 5].iter().max();
            assert!(!begins || loudest > Some(&800), "step {step} is {loudest:?} loud");
            assert!(!is_quiet || peaks[step] == 0, "step {step} is {} loud", peaks[step]);
            is_silent_somewhere |= is_quiet;
        }
        assert!(is_silent_somewhere);
    }

    #[test]
    fn music_is_heard_only_while_the_match_runs() {
        let peaks = heard_in_a_file("music", 0.0, 1.0);
        let (mut game, mut running) = (game(), Vec::new());
        (0..600).for_each(|_| running.push(game.step(&Inputs::none()).state == GameState::Running));
        let begin = running.iter().position(|is_running| *is_running).unwrap();
        assert!(peaks[..begin].iter().all(|peak| *peak == 0), "the countdown has no music");
        assert!(peaks[begin..begin + 300].chunks(20).all(|steps| steps.iter().max() > Some(&1_000)), "{peaks:?}");
        assert_eq!(peaks[599], 0, "a match that is over has none");
    }

    #[test]
    fn same_match_has_the_same_sound_which_is_never_cut_off() {
        let render = || soundtrack(&mut game(), &Assets::built_in().sounds, 300, 1.0, 1.0);
        assert_eq!(render(), render());
        assert!(heard_in_a_file("both", 1.0, 1.0).iter().all(|peak| *peak <= 32_000));
    }

    /// By EBU R 128, in loudness units below full scale.
    fn loudness_lufs(wav: &[u8]) -> f64 {
        let samples: Vec<i16> =
            wav[44..].chunks_exact(2).map(|bytes| i16::from_le_bytes([bytes[0], bytes[1]])).collect();
        let mut meter = ebur128::EbuR128::new(2, RATE, ebur128::Mode::I).unwrap();
        meter.add_frames_i16(&samples).unwrap();
        meter.loudness_global().unwrap()
    }

    #[test]
    fn modes_are_about_equally_loud_and_a_crowd_is_not_much_louder() {
        let lufs = |mode: &str, seconds: u64| {
            let assets = Assets::built_in().in_mode(mode).unwrap();
            let setup = MatchSetup::of_ais(5, assets.game.players as usize, "normal");
            let mut game = Simulation::new(&assets, &setup).unwrap();
            loudness_lufs(&soundtrack(&mut game, &assets.sounds, seconds * 60, 0.7, 0.5))
        };
        let all =
            ["classic", "power-ups", "gold-rush", "spells", "survival", "brawl"].map(|mode| (mode, lufs(mode, 25)));
        let of_classic = all[0].1;
        for (mode, lufs) in all {
            assert!((lufs - of_classic).abs() < 2.0, "{mode} has {lufs:.1} LUFS, classic {of_classic:.1}");
        }
        let of_crowd = lufs("sandbox", 6);
        assert!(of_crowd < of_classic + 6.0, "a crowd has {of_crowd:.1} LUFS, classic {of_classic:.1}");
    }
}
