//! Checks of sounds: the names of further effects, and those that kinds name.

use ecs::prefab::{PrefabError, Prefabs, RonText};

use crate::data::name::AssetName;
use crate::data::sounds::{MAX_MORE_EFFECTS, Sounds};
use crate::data::unknown_name::UnknownName;
use crate::objects::sound_source::SoundSource;

/// Checks the further effects of `sounds.ron`.
pub(super) fn check_effects(source: &RonText, sounds: &Sounds) -> Result<(), PrefabError> {
    let refuse = |problem: String| Err(source.error_at("more_effects", problem));
    let count = sounds.more_effects.len();
    if count > MAX_MORE_EFFECTS {
        return refuse(format!("more_effects has {count} elements, must have at most {MAX_MORE_EFFECTS}"));
    }
    for name in sounds.more_effects.keys() {
        match AssetName::new(name) {
            Ok(shown) if shown.as_str() == name => {}
            Ok(_) => return refuse(format!("the effect {name:?} has a blank at an end: leave it out")),
            Err(problem) => return refuse(format!("the effect {name:?} {problem}")),
        }
        if sounds.effects.by_name().iter().any(|(other, _)| other == name) {
            return refuse(format!("the effect {name:?} is one of `effects` already: give it another name"));
        }
    }
    Ok(())
}

/// Checks that the effects of all kinds exist.
pub(super) fn check_sources(prefabs: &Prefabs, sounds: &Sounds) -> Result<(), PrefabError> {
    for name in prefabs.names() {
        let Some(source) = prefabs.component::<SoundSource>(name) else { continue };
        let effect = source.effect.as_str();
        if sounds.all_effects().all(|(known, _)| known != effect) {
            let known = sounds.all_effects().map(|(known, _)| known);
            return Err(prefabs.error_in(name, "sound", UnknownName::new("effect", effect, known).to_string()));
        }
    }
    Ok(())
}
