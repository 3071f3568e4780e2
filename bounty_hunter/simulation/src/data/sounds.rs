//! The sounds of the window, as parameters of a synthesizer.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::data::limits;

/// The most effects besides those of [`Effects`].
pub const MAX_MORE_EFFECTS: usize = 32;

/// `assets/sounds.ron`: effects and music. It has no influence on a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sounds {
    /// The effects of the game.
    pub effects: Effects,
    /// Further effects by name, for the sounds of kinds.
    #[serde(default)]
    pub more_effects: BTreeMap<String, Vec<Tone>>,
    /// The music.
    pub music: Music,
}

impl Sounds {
    /// All effects by name: those of the game in the order of their fields, then the others.
    pub fn all_effects(&self) -> impl Iterator<Item = (&str, &[Tone])> {
        let more = self.more_effects.iter().map(|(name, tones)| (name.as_str(), tones.as_slice()));
        self.effects.by_name().into_iter().chain(more)
    }
}

/// The name of an effect.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct EffectName(Arc<str>);

impl EffectName {
    /// The name as a text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<String> for EffectName {
    fn from(name: String) -> Self {
        Self(name.into())
    }
}

impl From<EffectName> for String {
    fn from(name: EffectName) -> Self {
        name.0.as_ref().to_owned()
    }
}

impl std::borrow::Borrow<str> for EffectName {
    fn borrow(&self) -> &str {
        &self.0
    }
}

/// The tones of each effect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Effects {
    /// A collector picked up a bounty.
    pub pick_up: Vec<Tone>,
    /// A collector emptied its pocket into a stash.
    pub stash: Vec<Tone>,
    /// A collector died.
    pub crash: Vec<Tone>,
    /// A collector of a person at this screen died.
    pub own_crash: Vec<Tone>,
    /// A collector lost health.
    pub hurt: Vec<Tone>,
    /// A collector became a ghost.
    pub power_up: Vec<Tone>,
    /// A collector laid its mine.
    pub mine_laid: Vec<Tone>,
    /// A mine exploded under a collector.
    pub mine_blast: Vec<Tone>,
    /// A gold rush was announced.
    pub gold_rush: Vec<Tone>,
    /// A collector took the gold of a gold rush.
    pub gold: Vec<Tone>,
    /// A purge was cast.
    pub purge: Vec<Tone>,
    /// A strike was cast.
    pub strike: Vec<Tone>,
    /// A magnet was cast.
    pub magnet: Vec<Tone>,
    /// A person at this screen requested a spell that was refused.
    pub refused: Vec<Tone>,
    /// A second of the countdown has begun.
    pub countdown: Vec<Tone>,
    /// The countdown has ended.
    pub go: Vec<Tone>,
    /// One of the last seconds of the clock has begun.
    pub last_seconds: Vec<Tone>,
    /// Another player leads.
    pub lead_change: Vec<Tone>,
    /// The match has ended.
    pub end: Vec<Tone>,
    /// The match has ended, and a person at this screen has won.
    pub won: Vec<Tone>,
    /// The match has ended, and another player has won.
    pub lost: Vec<Tone>,
}

impl Effects {
    /// The effects by the names of their fields, in their order.
    #[must_use]
    pub fn by_name(&self) -> [(&str, &[Tone]); 21] {
        macro_rules! effects {
            ($($name:ident)+) => { [$((stringify!($name), self.$name.as_slice())),+] };
        }
        effects![pick_up stash crash own_crash hurt power_up mine_laid mine_blast gold_rush gold purge strike magnet refused countdown go last_seconds
            lead_change end won lost]
    }
}

/// A tone with a gliding pitch that swells and fades.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tone {
    /// Its timbre.
    pub wave: Wave,
    /// Its beginning within the effect.
    #[serde(default, deserialize_with = "limits::read::tone_seconds")]
    pub begin_seconds: f32,
    /// Its pitch at the beginning.
    #[serde(deserialize_with = "limits::read::pitch_hertz")]
    pub from_hertz: f32,
    /// Its pitch at the end.
    #[serde(deserialize_with = "limits::read::pitch_hertz")]
    pub to_hertz: f32,
    /// Its length.
    #[serde(deserialize_with = "limits::read::tone_seconds")]
    pub length_seconds: f32,
    /// The time until it is loudest.
    #[serde(default = "Tone::usual_attack_seconds", deserialize_with = "limits::read::tone_seconds")]
    pub attack_seconds: f32,
    /// Its greatest amplitude as a share of full scale.
    #[serde(deserialize_with = "limits::read::share")]
    pub loudness_share: f32,
}

impl Tone {
    fn usual_attack_seconds() -> f32 {
        0.004
    }
}

/// The timbre of a tone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Wave {
    /// Soft, without overtones.
    Sine,
    /// Like a flute.
    Triangle,
    /// Like a clarinet.
    Square,
    /// Like a trumpet.
    Saw,
    /// Random values that change as often as its pitch says.
    Noise,
}

/// Music: tracks whose notes repeat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Music {
    /// The usual speed.
    #[serde(deserialize_with = "limits::read::music_steps_per_second")]
    pub steps_per_second: f32,
    /// The speed at the end of the clock.
    #[serde(deserialize_with = "limits::read::music_steps_per_second")]
    pub hurry_steps_per_second: f32,
    /// The last seconds of the clock, in which the speed rises.
    #[serde(deserialize_with = "limits::read::delay_seconds")]
    pub hurry_seconds: f32,
    /// The tracks.
    pub tracks: Vec<Track>,
}

/// Notes on one tone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Track {
    /// The tone of note 0.
    pub tone: Tone,
    /// The least tension of a match in which it is heard, 0 to 1.
    #[serde(default, deserialize_with = "limits::read::share")]
    pub from_tension_share: f32,
    /// The notes.
    pub notes: Notes,
}

/// Semitones above a tone, one for each step of the music; `None` is a rest. Written as `"0 . 7 -5"`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Notes(pub Vec<Option<i32>>);

impl TryFrom<String> for Notes {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let note = |word: &str| match word {
            "." => Ok(None),
            word => match word.parse() {
                Ok(semitones) if (-48..=48).contains(&semitones) => Ok(Some(semitones)),
                _ => Err(format!("note {word:?} is neither a number from -48 to 48 nor a dot")),
            },
        };
        let notes = text.split_whitespace().map(note).collect::<Result<Vec<_>, _>>()?;
        if notes.is_empty() { Err("there are no notes, must have at least one".to_owned()) } else { Ok(Self(notes)) }
    }
}

impl From<Notes> for String {
    fn from(notes: Notes) -> Self {
        let word = |note: &Option<i32>| note.map_or_else(|| ".".to_owned(), |semitones| semitones.to_string());
        notes.0.iter().map(word).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_numbers_and_dots() {
        let notes = Notes::try_from("0 . 7 -5".to_owned()).expect("these are notes");
        assert_eq!(notes.0, [Some(0), None, Some(7), Some(-5)]);
        assert_eq!(String::from(notes), "0 . 7 -5");
        let refusal = |text: &str| Notes::try_from(text.to_owned()).expect_err("it must be refused");
        assert_eq!(refusal("0 x"), "note \"x\" is neither a number from -48 to 48 nor a dot");
        assert_eq!(refusal("99"), "note \"99\" is neither a number from -48 to 48 nor a dot");
        assert_eq!(refusal(" "), "there are no notes, must have at least one");
    }
}
