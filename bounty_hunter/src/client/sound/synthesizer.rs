//! The synthesizer: tones become samples.

use std::f32::consts::TAU;

use super::RATE;
use bounty_hunter_simulation::sounds::{Tone, Wave};

/// A fade at the end of each tone, which would click without it.
const RELEASE_SECONDS: f32 = 0.005;

/// The sum of some tones, whose pitch is multiplied by `pitch`. Equal for equal tones.
pub(super) fn render(tones: &[Tone], pitch: f32) -> Vec<f32> {
    let end_seconds = tones.iter().map(|tone| tone.begin_seconds + tone.length_seconds).fold(0.0, f32::max);
    let mut samples = vec![0.0; (end_seconds * RATE as f32) as usize];
    for tone in tones {
        let first = (tone.begin_seconds * RATE as f32) as usize;
        add(tone, pitch, &mut samples[first..]);
    }
    samples
}

fn add(tone: &Tone, pitch: f32, samples: &mut [f32]) {
    let length = (tone.length_seconds * RATE as f32) as usize;
    // Turns of the wave since the beginning, and the value and the state of the noise.
    let (mut phase, mut noise, mut state) = (0.0_f32, 0.0, 1_u32);
    for (index, sample) in samples.iter_mut().take(length).enumerate() {
        let seconds = index as f32 / RATE as f32;
        let share = index as f32 / length as f32;
        // Equal intervals in equal times.
        let hertz = pitch * tone.from_hertz * libm::powf(tone.to_hertz / tone.from_hertz, share);
        let turns = phase.fract();
        let value = match tone.wave {
            Wave::Sine => libm::sinf(turns * TAU),
            Wave::Triangle => 1.0 - 4.0 * (turns - 0.5).abs(),
            Wave::Square => 1.0_f32.copysign(0.5 - turns),
            Wave::Saw => 2.0 * turns - 1.0,
            Wave::Noise => noise,
        };
        phase += hertz / RATE as f32;
        if phase >= 1.0 {
            phase = phase.fract();
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            noise = (state >> 8) as f32 / (1 << 23) as f32 - 1.0;
        }
        let swell = (seconds / tone.attack_seconds.max(1e-4)).min(1.0);
        let fade = (1.0 - share) * (1.0 - share);
        let release = ((tone.length_seconds - seconds) / RELEASE_SECONDS).clamp(0.0, 1.0);
        *sample += value * tone.loudness_share * swell * fade * release;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tone(wave: Wave, hertz: f32) -> Tone {
        Tone {
            wave,
            begin_seconds: 0.1,
            from_hertz: hertz,
            to_hertz: hertz,
            length_seconds: 0.5,
            attack_seconds: 0.004,
            loudness_share: 0.5,
        }
    }

    fn rises(samples: &[f32]) -> usize {
        samples.windows(2).filter(|pair| pair[0] < 0.0 && pair[1] >= 0.0).count()
    }

    #[test]
    fn tone_has_its_pitch_its_place_and_its_loudness() {
        for wave in [Wave::Sine, Wave::Triangle, Wave::Square, Wave::Saw] {
            let samples = render(&[tone(wave, 440.0)], 1.0);
            assert_eq!(samples.len(), (0.6 * RATE as f32) as usize);
            assert!(samples[..RATE as usize / 10 - 1].iter().all(|sample| *sample == 0.0), "{wave:?} begins too early");
            assert!((215..=221).contains(&rises(&samples)), "{wave:?} has {} periods", rises(&samples));
            let peak = samples.iter().fold(0.0_f32, |peak, sample| peak.max(sample.abs()));
            assert!((0.3..=0.5).contains(&peak), "{wave:?} has the peak {peak}");
        }
        let octave = render(&[tone(Wave::Sine, 440.0)], 2.0);
        assert!((432..=441).contains(&rises(&octave)), "{}", rises(&octave));
    }

    #[test]
    fn tone_begins_and_ends_without_a_click() {
        for wave in [Wave::Sine, Wave::Triangle, Wave::Square, Wave::Saw, Wave::Noise] {
            let samples = render(&[tone(wave, 300.0)], 1.0);
            let first = RATE as usize / 10;
            assert!(samples[first].abs() < 0.02 && samples[samples.len() - 1].abs() < 0.01, "{wave:?}");
        }
    }

    #[test]
    fn tones_add_up_and_none_are_silence() {
        let (low, high) = (tone(Wave::Sine, 200.0), tone(Wave::Sine, 500.0));
        let both = render(&[low.clone(), high.clone()], 1.0);
        let (low, high) = (render(&[low], 1.0), render(&[high], 1.0));
        assert!(both.iter().zip(low.iter().zip(&high)).all(|(both, (low, high))| (both - low - high).abs() < 1e-6));
        assert!(render(&[], 1.0).is_empty());
    }
}
