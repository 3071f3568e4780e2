//! Checks of languages: the lengths of the texts, and the values in them.

use std::collections::BTreeSet;

use ecs::prefab::{PrefabError, RonText};

use crate::data::language::{Language, values_in};
use crate::data::name;

const MAX_LETTERS_OF_A_NAME: usize = 20;
const MAX_LETTERS_OF_A_TEXT: usize = 200;

pub(super) fn check_language(source: &RonText, language: &Language) -> Result<(), PrefabError> {
    let check_length = |field: &str, what: &str, text: &str, most: usize| {
        let letters = text.trim().chars().count();
        let problem = match (1..=most).contains(&letters) {
            true => name::problem_in(text),
            false => Some(format!("has {letters} letters, must have 1 to {most}")),
        };
        problem.map_or(Ok(()), |problem| Err(source.error_at(field, format!("{what} {problem}"))))
    };
    check_length("name", "name", &language.name, MAX_LETTERS_OF_A_NAME)?;
    if let Some(problem) = name::problem_in(&format!("1{}5", language.decimal_sign)) {
        return Err(source.error_at("decimal_sign", format!("decimal_sign {problem}")));
    }
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
