//! The bindings of keys that a person can change.
//!
//! A match knows no keys: the window turns keys into actions here, and actions into inputs in `queue`.

use crate::client::translation::{tr, tr_later, tr_with};
use bounty_hunter_simulation::input::Cheat;
use bounty_hunter_simulation::keymap::{Key, Keymap};
use bounty_hunter_simulation::spell::Spell;

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
    /// The keys of these and the following actions stay those of the assets.
    Quit,
    Menu,
    DebugDraw,
    FrameTimes,
    Cheat(Cheat),
}

/// The actions whose keys a person cannot change.
const FIXED: [Action; 11] = [
    Action::Quit,
    Action::Menu,
    Action::DebugDraw,
    Action::FrameTimes,
    Action::Cheat(Cheat::Possess),
    Action::Cheat(Cheat::Release),
    Action::Cheat(Cheat::Next),
    Action::Cheat(Cheat::Previous),
    Action::Cheat(Cheat::KillCollectors),
    Action::Cheat(Cheat::KillBounties),
    Action::Cheat(Cheat::LogPhysics),
];

impl Action {
    /// The actions of this many people, and those of the window, that can be bound.
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
            Self::Quit => tr("Quit").into(),
            Self::Menu => tr("the menu").into(),
            Self::DebugDraw => tr("debug drawing").into(),
            Self::FrameTimes => tr("frame times").into(),
            Self::Cheat(_) => tr("a cheat").into(),
        }
    }

    /// The cast of a spell by a person.
    pub(crate) fn casting(spell: Spell, person: usize) -> Self {
        match spell {
            Spell::Purge => Self::Purge(person),
            Spell::Strike => Self::Strike(person),
            Spell::Magnet => Self::Magnet(person),
        }
    }

    /// Its name on a button of the screen.
    pub(crate) fn name(self) -> String {
        match self {
            Self::Purge(_) => tr(Spell::Purge.name()).into(),
            Self::Strike(_) => tr(Spell::Strike.name()).into(),
            Self::Magnet(_) => tr(Spell::Magnet.name()).into(),
            other => other.label(),
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
            Self::Quit => Some(&keymap.quit),
            Self::Menu => Some(&keymap.menu_options),
            Self::DebugDraw => Some(&keymap.toggle_debug_draw),
            Self::FrameTimes => Some(&keymap.toggle_frame_times),
            Self::Cheat(Cheat::Possess) => Some(&keymap.cheat_possess),
            Self::Cheat(Cheat::Release) => Some(&keymap.cheat_release),
            Self::Cheat(Cheat::Next) => Some(&keymap.cheat_next),
            Self::Cheat(Cheat::Previous) => Some(&keymap.cheat_previous),
            Self::Cheat(Cheat::KillCollectors) => Some(&keymap.cheat_kill_collectors),
            Self::Cheat(Cheat::KillBounties) => Some(&keymap.cheat_kill_bounties),
            Self::Cheat(Cheat::LogPhysics) => Some(&keymap.cheat_dump_physics),
        };
        keys.map_or(&[], Vec::as_slice)
    }

    /// Binds the action to these keys only, if it can be bound.
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
            Self::Quit | Self::Menu | Self::DebugDraw | Self::FrameTimes | Self::Cheat(_) => {}
        }
    }
}

/// What shares a key with an action: another action, or a key of the menus and cheats.
pub(crate) fn conflict(keymap: &Keymap, action: Action) -> Option<String> {
    let keys = action.keys(keymap);
    let shares = |other: &Action| *other != action && keys.iter().any(|key| other.keys(keymap).contains(key));
    Action::all(keymap.people.len()).into_iter().chain(FIXED).find(shares).map(Action::label)
}

/// The keys of the people at this window.
#[derive(Clone, Debug)]
pub(crate) struct Bindings {
    own: Keymap,
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
        Self { own: merged }
    }

    /// The keymap to show, and for the keys of the window.
    pub(crate) fn own(&self) -> &Keymap {
        &self.own
    }

    /// What a key stands for; of several actions that share it, it stands for the first.
    pub(crate) fn action(&self, key: Key) -> Option<Action> {
        let mut all = Action::all(self.own.people.len()).into_iter().chain(FIXED);
        all.find(|action| action.keys(&self.own).contains(&key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bounty_hunter_simulation::assets::Assets;

    fn usual() -> Keymap {
        Assets::built_in().keymap
    }

    #[test]
    fn usual_keys_are_those_of_the_assets() {
        let bindings = Bindings::new(None, &usual());
        for action in Action::all(4).into_iter().chain(FIXED) {
            assert!(action.keys(&usual()).iter().all(|key| bindings.action(*key) == Some(action)), "{action:?}");
        }
        assert_eq!((bindings.own(), bindings.action(Key::Enter)), (&usual(), None));
    }

    #[test]
    fn bound_key_takes_the_place_of_the_usual_one() {
        let mut own = usual();
        Action::Forward(0).bind(&mut own, &[Key::Y]);
        // Swapped with the pause.
        Action::Left(0).bind(&mut own, &[Key::P]);
        Action::Pause.bind(&mut own, &[Key::A]);
        let bindings = Bindings::new(Some(&own), &usual());
        assert_eq!(bindings.action(Key::Y), Some(Action::Forward(0)), "and no longer the studio");
        assert_eq!(bindings.action(Key::W), None, "it has no meaning any more");
        assert_eq!(bindings.action(Key::P), Some(Action::Left(0)));
        assert_eq!(bindings.action(Key::A), Some(Action::Pause));
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
        assert_eq!(bindings.action(Key::E), Some(Action::Right(0)));
        assert_eq!(bindings.action(Key::Up), Some(Action::Forward(1)));
    }
}
