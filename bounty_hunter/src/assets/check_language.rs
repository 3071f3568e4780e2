//! Checks of languages: the lengths of the texts, and the values in them.

use std::collections::BTreeSet;

use ecs::prefab::{PrefabError, RonText};

use crate::data::language::{Language, values_in};

const MAX_LETTERS_OF_A_NAME: usize = 20;
const MAX_LETTERS_OF_A_TEXT: usize = 200;

pub(super) fn check_language(source: &RonText, language: &Language) -> Result<(), PrefabError> {
    let check_length = |field: &str, what: &str, text: &str, most: usize| {
        let letters = text.chars().count();
        let problem = || format!("{what} has {letters} letters, must have 1 to {most}");
        if (1..=most).contains(&letters) { Ok(()) } else { Err(source.error_at(field, problem())) }
    };
    check_length("name", "name", &language.name, MAX_LETTERS_OF_A_NAME)?;
    for (english, text) in &language.texts {
        check_length("texts", &format!("the translation of {english:?}"), text, MAX_LETTERS_OF_A_TEXT)?;
        let [wanted, found] = [english, text].map(|text| values_in(text).collect::<BTreeSet<_>>());
        if wanted != found {
            let list = |names: BTreeSet<&str>| {
                names.into_iter().map(|name| format!("{{{name}}}")).collect::<Vec<_>>().join(", ")
            };
            let problem = format!(
                "{text:?} has the values [{}], must have those of {english:?}: [{}]",
                list(found),
                list(wanted)
            );
            return Err(source.error_at("texts", problem));
        }
    }
    Ok(())
}
