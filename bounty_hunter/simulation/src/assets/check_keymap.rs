//! Checks of the keymap: every person can play, the menu can be used, and no key means two things.

use std::collections::BTreeMap;

use ecs::prefab::{PrefabError, RonText};
use serde_json::Value;

use crate::data::keymap::Keymap;
use crate::gameplay::player::MAX_PEOPLE;

/// The options of the longest menu: resume, restart, quit.
const MIN_MENU_OPTIONS: usize = 3;

pub(super) fn check_keymap(source: &RonText, keymap: &Keymap) -> Result<(), PrefabError> {
    let people = keymap.people.len();
    if !(1..=usize::from(MAX_PEOPLE)).contains(&people) {
        return Err(source.error_at("people", format!("people has {people} entries, must have 1 to {MAX_PEOPLE}")));
    }
    for (index, person) in keymap.people.iter().enumerate() {
        for (action, keys) in [("forward", &person.forward), ("left", &person.left), ("right", &person.right)] {
            if keys.is_empty() {
                let problem = format!("{action} of person {} has no key, must have at least one", index + 1);
                return Err(source.error_at(&format!("people.{index}.{action}"), problem));
            }
        }
    }
    let options = keymap.menu_options.len();
    if options < MIN_MENU_OPTIONS {
        let problem = format!("menu_options has {options} keys, must have at least {MIN_MENU_OPTIONS}");
        return Err(source.error_at("menu_options", problem));
    }
    check_no_key_twice(source, keymap)
}

/// Checks that each key is bound once; people's keys come first.
fn check_no_key_twice(source: &RonText, keymap: &Keymap) -> Result<(), PrefabError> {
    let keymap = serde_json::to_value(keymap).expect("keys are written as their names");
    let mut owners: BTreeMap<String, String> = BTreeMap::new();
    let mut check = |actions: &Value, path: &str, of: &str| {
        for (action, keys) in actions.as_object().into_iter().flatten() {
            let keys = keys.as_array().into_iter().flatten().filter_map(Value::as_str);
            for (index, key) in keys.enumerate() {
                let name = format!("{action}{of}");
                if let Some(owner) = owners.insert(key.to_owned(), name.clone()) {
                    let problem = format!("key {key} is {owner} as well as {name}, must mean one thing only");
                    return Err(source.error_at(&format!("{path}{action}.{index}"), problem));
                }
            }
        }
        Ok(())
    };
    for (index, person) in keymap["people"].as_array().into_iter().flatten().enumerate() {
        check(person, &format!("people.{index}."), &format!(" of person {}", index + 1))?;
    }
    check(&keymap, "", "")
}
