//! The bindings of keys that a person can change.
//!
//! A match knows only the keys of the assets, so that its replays and saves stay as they are. The window translates the person's keys
//! into those.

use crate::client::translation::{tr, tr_later, tr_with};
use crate::data::config::Keymap;
use crate::data::input::Key;

/// An action with keys of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Forward(usize),
    Reverse(usize),
    Left(usize),
    Right(usize),
    Purge(usize),
    Strike(usize),
    Magnet(usize),
    Pause,
    Restart,
    Rewind,
    QuickSave,
    QuickLoad,
    Fullscreen,
    Camera,
    Inspector,
}

impl Action {
    /// The actions of this many people, and those of the window.
    pub(crate) fn all(people: usize) -> Vec<Self> {
        let of_person = |person| {
            [
                Self::Forward(person),
                Self::Reverse(person),
                Self::Left(person),
                Self::Right(person),
                Self::Purge(person),
                Self::Strike(person),
                Self::Magnet(person),
            ]
        };
        let of_window = [
            Self::Pause,
            Self::Restart,
            Self::Rewind,
            Self::QuickSave,
            Self::QuickLoad,
            Self::Fullscreen,
            Self::Camera,
            Self::Inspector,
        ];
        (0..people).flat_map(of_person).chain(of_window).collect()
    }

    pub(crate) fn label(self) -> String {
        let of_person = |label, person: usize| tr_with(label, &[("number", &(person + 1))]);
        match self {
            Self::Forward(person) => of_person(tr_later("Person {number}: forward"), person),
            Self::Reverse(person) => of_person(tr_later("Person {number}: back"), person),
            Self::Left(person) => of_person(tr_later("Person {number}: left"), person),
            Self::Right(person) => of_person(tr_later("Person {number}: right"), person),
            Self::Purge(person) => of_person(tr_later("Person {number}: purge"), person),
            Self::Strike(person) => of_person(tr_later("Person {number}: strike"), person),
            Self::Magnet(person) => of_person(tr_later("Person {number}: magnet"), person),
            Self::Pause => tr("Pause").into(),
            Self::Restart => tr("Restart").into(),
            Self::Rewind => tr("Rewind").into(),
            Self::QuickSave => tr("Save").into(),
            Self::QuickLoad => tr("Load").into(),
            Self::Fullscreen => tr("Full screen").into(),
            Self::Camera => tr("Camera").into(),
            Self::Inspector => tr("Studio").into(),
        }
    }

    /// The keys in a keymap; none for a person that it does not have.
    pub(crate) fn keys(self, keymap: &Keymap) -> &[Key] {
        let person = |index: usize| keymap.people.get(index);
        let keys = match self {
            Self::Forward(index) => person(index).map(|person| &person.forward),
            Self::Reverse(index) => person(index).map(|person| &person.reverse),
            Self::Left(index) => person(index).map(|person| &person.left),
            Self::Right(index) => person(index).map(|person| &person.right),
            Self::Purge(index) => person(index).map(|person| &person.purge),
            Self::Strike(index) => person(index).map(|person| &person.strike),
            Self::Magnet(index) => person(index).map(|person| &person.magnet),
            Self::Pause => Some(&keymap.pause),
            Self::Restart => Some(&keymap.restart),
            Self::Rewind => Some(&keymap.rewind),
            Self::QuickSave => Some(&keymap.quick_save),
            Self::QuickLoad => Some(&keymap.quick_load),
            Self::Fullscreen => Some(&keymap.toggle_fullscreen),
            Self::Camera => Some(&keymap.camera),
            Self::Inspector => Some(&keymap.inspector),
        };
        keys.map_or(&[], Vec::as_slice)
    }

    /// Binds the action to these keys only.
    pub(crate) fn bind(self, keymap: &mut Keymap, keys: &[Key]) {
        let set = |bound: Option<&mut Vec<Key>>| {
            if let Some(bound) = bound {
                *bound = keys.to_vec();
            }
        };
        let people = &mut keymap.people;
        match self {
            Self::Forward(index) => set(people.get_mut(index).map(|person| &mut person.forward)),
            Self::Reverse(index) => set(people.get_mut(index).map(|person| &mut person.reverse)),
            Self::Left(index) => set(people.get_mut(index).map(|person| &mut person.left)),
            Self::Right(index) => set(people.get_mut(index).map(|person| &mut person.right)),
            Self::Purge(index) => set(people.get_mut(index).map(|person| &mut person.purge)),
            Self::Strike(index) => set(people.get_mut(index).map(|person| &mut person.strike)),
            Self::Magnet(index) => set(people.get_mut(index).map(|person| &mut person.magnet)),
            Self::Pause => set(Some(&mut keymap.pause)),
            Self::Restart => set(Some(&mut keymap.restart)),
            Self::Rewind => set(Some(&mut keymap.rewind)),
            Self::QuickSave => set(Some(&mut keymap.quick_save)),
            Self::QuickLoad => set(Some(&mut keymap.quick_load)),
            Self::Fullscreen => set(Some(&mut keymap.toggle_fullscreen)),
            Self::Camera => set(Some(&mut keymap.camera)),
            Self::Inspector => set(Some(&mut keymap.inspector)),
        }
    }
}

/// What shares a key with an action: another action, or a key of the menus and cheats.
pub(crate) fn conflict(keymap: &Keymap, action: Action) -> Option<String> {
    let keys = action.keys(keymap);
    let shares = |others: &[Key]| keys.iter().any(|key| others.contains(key));
    let other =
        Action::all(keymap.people.len()).into_iter().find(|other| *other != action && shares(other.keys(keymap)));
    let fixed = || {
        [
            (tr("Quit"), &keymap.quit[..]),
            (tr("the menu"), &keymap.menu_options),
            (tr("debug drawing"), &keymap.toggle_debug_draw),
        ]
        .into_iter()
        .chain([(tr("frame times"), &keymap.toggle_frame_times[..])])
        .chain(cheats(keymap).map(|keys| (tr("a cheat"), &keys[..])))
        .find(|(_, keys)| shares(keys))
        .map(|(name, _)| name.to_owned())
    };
    other.map(Action::label).or_else(fixed)
}

fn cheats(keymap: &Keymap) -> [&Vec<Key>; 7] {
    [
        &keymap.cheat_possess,
        &keymap.cheat_release,
        &keymap.cheat_next,
        &keymap.cheat_previous,
        &keymap.cheat_kill_collectors,
        &keymap.cheat_kill_bounties,
        &keymap.cheat_dump_physics,
    ]
}

/// Translates the person's keys into the keys of the assets.
#[derive(Clone, Debug)]
pub(crate) struct Bindings {
    own: Keymap,
    of_assets: Keymap,
}

impl Bindings {
    /// The bindings of a person; `None` for those of the assets.
    pub(crate) fn new(own: Option<&Keymap>, of_assets: &Keymap) -> Self {
        let mut merged = of_assets.clone();
        if let Some(own) = own {
            for action in Action::all(of_assets.people.len()) {
                let keys = action.keys(own);
                if !keys.is_empty() {
                    action.bind(&mut merged, keys);
                }
            }
        }
        Self { own: merged, of_assets: of_assets.clone() }
    }

    /// The keymap to show, and for the keys of the window.
    pub(crate) fn own(&self) -> &Keymap {
        &self.own
    }

    /// Whether a key stands for an action; of several that share it, it stands for the first.
    pub(crate) fn means(&self, key: Key, action: Action) -> bool {
        let all = Action::all(self.own.people.len());
        all.into_iter().find(|action| action.keys(&self.own).contains(&key)) == Some(action)
    }

    /// The key that the match knows; `None` for a key that has lost its meaning.
    pub(crate) fn translate(&self, key: Key) -> Option<Key> {
        let has = |action: &Action, keymap| action.keys(keymap).contains(&key);
        let actions = Action::all(self.of_assets.people.len());
        match actions.iter().find(|action| has(action, &self.own)) {
            Some(action) if has(action, &self.of_assets) => Some(key),
            Some(action) => action.keys(&self.of_assets).first().copied(),
            None if actions.iter().any(|action| has(action, &self.of_assets)) => None,
            None => Some(key),
        }
    }

    /// The key of an action that the match knows.
    pub(crate) fn key_of(&self, action: Action) -> Option<Key> {
        action.keys(&self.of_assets).first().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assets::Assets;

    fn usual() -> Keymap {
        Assets::built_in().keymap
    }

    #[test]
    fn usual_keys_translate_to_themselves() {
        let bindings = Bindings::new(None, &usual());
        for key in [Key::W, Key::Up, Key::P, Key::Escape, Key::F5, Key::Enter, Key::Digit1] {
            assert_eq!(bindings.translate(key), Some(key));
        }
        assert_eq!(bindings.own(), &usual());
    }

    #[test]
    fn bound_key_takes_the_place_of_the_usual_one() {
        let mut own = usual();
        Action::Forward(0).bind(&mut own, &[Key::Y]);
        // Swapped with the pause.
        Action::Left(0).bind(&mut own, &[Key::P]);
        Action::Pause.bind(&mut own, &[Key::A]);
        let bindings = Bindings::new(Some(&own), &usual());
        assert_eq!(bindings.translate(Key::Y), Some(Key::W));
        assert_eq!(bindings.translate(Key::W), None, "it has no meaning any more");
        assert_eq!((bindings.translate(Key::P), bindings.translate(Key::A)), (Some(Key::A), Some(Key::P)));
        assert_eq!(bindings.key_of(Action::Forward(0)), Some(Key::W));
        assert!(bindings.means(Key::Y, Action::Forward(0)) && !bindings.means(Key::Y, Action::Inspector));
        assert!(bindings.means(Key::E, Action::Camera));
    }

    #[test]
    fn every_conflict_is_shown_at_both_actions() {
        let mut own = usual();
        assert!(Action::all(4).into_iter().all(|action| conflict(&own, action).is_none()));
        Action::Forward(0).bind(&mut own, &[Key::Left]);
        assert_eq!(conflict(&own, Action::Forward(0)).as_deref(), Some("Person 2: left"));
        assert_eq!(conflict(&own, Action::Left(1)).as_deref(), Some("Person 1: forward"));
        Action::Pause.bind(&mut own, &[Key::F9]);
        assert_eq!(conflict(&own, Action::Pause).as_deref(), Some("a cheat"));
        Action::Pause.bind(&mut own, &[Key::E]);
        assert_eq!(conflict(&own, Action::Pause).as_deref(), Some("Camera"));
    }

    #[test]
    fn keymap_for_fewer_people_leaves_the_others_their_usual_keys() {
        let mut own = usual();
        own.people.truncate(1);
        Action::Right(0).bind(&mut own, &[Key::E]);
        let bindings = Bindings::new(Some(&own), &usual());
        assert_eq!(bindings.own().people.len(), 4);
        assert_eq!((bindings.translate(Key::E), bindings.translate(Key::Up)), (Some(Key::D), Some(Key::Up)));
    }
}
