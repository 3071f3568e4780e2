//! What kinds sound like. It has no influence on a match.

use serde::{Deserialize, Serialize};

use crate::data::limits;
use crate::data::sounds::EffectName;

/// Component: the sound of an object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SoundSource {
    /// The effect of `assets/sounds.ron` that is heard.
    pub effect: EffectName,
    /// When it is heard.
    #[serde(default)]
    pub when: Occasion,
    /// How loud it is where the object is, as a share of the effect.
    #[serde(default = "whole_share", deserialize_with = "limits::read::share")]
    pub loudness_share: f32,
    /// From so far away it is not heard any more, metres.
    #[serde(deserialize_with = "limits::read::length_m")]
    pub reach_m: f32,
}

fn whole_share() -> f32 {
    1.0
}

/// When a sound is heard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Occasion {
    /// All the time: the effect begins again when it is over.
    #[default]
    Always,
    /// Something begins to touch the object.
    Touched,
    /// A reaction opens or closes it.
    Switched,
    /// It comes to life or is put back.
    Appeared,
    /// It dies or is taken away.
    Vanished,
}
