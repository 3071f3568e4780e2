//! What a keymap must be: somebody can play, the menu can be used, and no key means two things.

use std::collections::BTreeMap;

use super::error::AssetError;
use super::source::Source;
use crate::data::config::Keymap;
use crate::data::input::Key;

/// People who can share a keyboard at most.
const MOST_PEOPLE: usize = 4;
/// Options of the longest menu: resume, restart, quit.
const LEAST_MENU_OPTIONS: usize = 3;

/// The keys of one entry.
struct Binding<'a> {
    /// Where it stands, as for [`Source::error`].
    path: String,
    /// What it is called in a message.
    name: String,
    keys: &'a [Key],
}

pub(super) fn check_keymap(source: &Source, keymap: &Keymap) -> Result<(), AssetError> {
    let people = keymap.people.len();
    if !(1..=MOST_PEOPLE).contains(&people) {
        return Err(source.error("people", format!("people has {people} entries, must have 1 to {MOST_PEOPLE}")));
    }
    for (index, person) in keymap.people.iter().enumerate() {
        for (action, keys) in [("forward", &person.forward), ("left", &person.left), ("right", &person.right)] {
            if keys.is_empty() {
                let problem = format!("{action} of person {} has no key, must have at least one", index + 1);
                return Err(source.error(&format!("people.{index}.{action}"), problem));
            }
        }
    }
    let options = keymap.menu_options.len();
    if options < LEAST_MENU_OPTIONS {
        let problem = format!("menu_options has {options} keys, must have at least {LEAST_MENU_OPTIONS}");
        return Err(source.error("menu_options", problem));
    }
    check_no_key_twice(source, &bindings(keymap))
}

fn check_no_key_twice(source: &Source, bindings: &[Binding]) -> Result<(), AssetError> {
    let mut owners: BTreeMap<Key, &Binding> = BTreeMap::new();
    for binding in bindings {
        for (index, key) in binding.keys.iter().enumerate() {
            if let Some(owner) = owners.insert(*key, binding) {
                let problem =
                    format!("key {key:?} is {} as well as {}, must mean one thing only", owner.name, binding.name);
                return Err(source.error(&format!("{}.{index}", binding.path), problem));
            }
        }
    }
    Ok(())
}

/// Every entry of a keymap, in the order of its fields.
fn bindings(keymap: &Keymap) -> Vec<Binding<'_>> {
    // Taken apart field by field: a field that is added later and forgotten here does not compile.
    let Keymap {
        people,
        pause,
        quit,
        restart,
        rewind,
        quick_save,
        quick_load,
        toggle_fullscreen,
        toggle_debug_draw,
        toggle_frame_times,
        menu_options,
        cheat_possess,
        cheat_release,
        cheat_next,
        cheat_previous,
        cheat_kill_collectors,
        cheat_kill_bounties,
        cheat_dump_physics,
    } = keymap;
    let of_people = people.iter().enumerate().flat_map(|(index, person)| {
        let actions = [
            ("forward", &person.forward),
            ("reverse", &person.reverse),
            ("left", &person.left),
            ("right", &person.right),
            ("purge", &person.purge),
            ("strike", &person.strike),
            ("magnet", &person.magnet),
        ];
        actions.map(|(action, keys)| Binding {
            path: format!("people.{index}.{action}"),
            name: format!("{action} of person {}", index + 1),
            keys,
        })
    });
    let of_all = [
        ("pause", pause),
        ("quit", quit),
        ("restart", restart),
        ("rewind", rewind),
        ("quick_save", quick_save),
        ("quick_load", quick_load),
        ("toggle_fullscreen", toggle_fullscreen),
        ("toggle_debug_draw", toggle_debug_draw),
        ("toggle_frame_times", toggle_frame_times),
        ("menu_options", menu_options),
        ("cheat_possess", cheat_possess),
        ("cheat_release", cheat_release),
        ("cheat_next", cheat_next),
        ("cheat_previous", cheat_previous),
        ("cheat_kill_collectors", cheat_kill_collectors),
        ("cheat_kill_bounties", cheat_kill_bounties),
        ("cheat_dump_physics", cheat_dump_physics),
    ];
    of_people.chain(of_all.map(|(name, keys)| Binding { path: name.to_owned(), name: name.to_owned(), keys })).collect()
}
