//! The lines of the settings screen, and what keys do to them.

use crate::client::drawing::palette::PaletteKind;
use crate::client::input::bindings::{Action, Bindings, conflict};
use crate::client::input::hand::Hand;
use crate::client::input::keys;
use crate::client::picture::camera_rig::FirstAim;
use crate::client::platform;
use crate::client::settings::{MAX_PEOPLE, Settings, WINDOW_SIZES_PX};
use crate::client::translation::{self, tr, tr_with};
use crate::client::unlocks::{ShipShape, TrailShape, Unlocked};
use bounty_hunter_simulation::keymap::{Key, Keymap};
use bounty_hunter_simulation::name::PlayerName;
use bounty_hunter_simulation::player::{Seat, name_of};

/// A page of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Page {
    General,
    People,
    Keys,
}

/// A line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Row {
    Effects,
    Music,
    Fullscreen,
    WindowSize,
    VerticalSync,
    Palette,
    Language,
    LargerText,
    Camera,
    ScreenShake,
    Light,
    OwnBest,
    Name(usize),
    Color(usize),
    Ship(usize),
    Trail(usize),
    Bind(Action),
    UsualKeys,
    Open(Page),
    Back,
}

impl Row {
    /// Whether the line has a value that is changed by steps, or switched.
    pub(crate) fn has_choice(self) -> bool {
        !matches!(self, Self::Name(_) | Self::Bind(_) | Self::UsualKeys | Self::Open(_) | Self::Back)
    }

    pub(super) fn is_name(self) -> bool {
        matches!(self, Self::Name(_))
    }
}

/// What a key asks for beyond the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// The settings have changed.
    Apply,
    Leave,
}

/// The open page.
#[derive(Clone, Debug)]
pub(crate) struct SettingsPage {
    page: Page,
    selected: usize,
    /// The selected line waits for a key, or takes the letters of a name.
    is_waiting: bool,
    /// The keys of the assets.
    usual: Keymap,
    /// Only fingers were in hand when it was opened: names and keys need a keyboard.
    has_no_keys: bool,
    unlocked: Unlocked,
}

impl SettingsPage {
    pub(crate) fn new(usual: &Keymap, hand: Hand, unlocked: Unlocked) -> Self {
        let has_no_keys = hand == Hand::Touch;
        Self { page: Page::General, selected: 0, is_waiting: false, usual: usual.clone(), has_no_keys, unlocked }
    }

    pub(crate) fn title(&self) -> &'static str {
        match self.page {
            Page::General => tr("Settings"),
            Page::People => tr("Names and ships"),
            Page::Keys => tr("Keys"),
        }
    }

    /// What keys, buttons or fingers do now.
    pub(crate) fn help(&self, hand: Hand) -> &'static str {
        match hand {
            Hand::Touch => return tr("Tap the left or the right side of a line to change it"),
            Hand::Pad if !self.is_waiting => return tr("The cross selects and changes · A opens · B back"),
            _ => {}
        }
        match (self.page, self.is_waiting) {
            (Page::Keys, true) => tr("Press the new key · Esc keeps the old one"),
            (Page::Keys, false) => tr("↑ ↓ select · Enter binds another key · Esc back"),
            (_, true) => tr("Type a name · Enter is done"),
            (Page::People, false) => tr("↑ ↓ select · ← → change · Enter edits the name · Esc back"),
            (Page::General, false) => tr("↑ ↓ select · ← → change · Enter opens · Esc back"),
        }
    }

    pub(crate) fn rows(&self) -> Vec<Row> {
        match self.page {
            Page::General => {
                let all = [
                    Row::Effects,
                    Row::Music,
                    Row::Fullscreen,
                    Row::WindowSize,
                    Row::VerticalSync,
                    Row::Palette,
                    Row::Language,
                    Row::LargerText,
                    Row::Camera,
                    Row::ScreenShake,
                    Row::Light,
                    Row::OwnBest,
                    Row::Open(Page::People),
                    Row::Open(Page::Keys),
                    Row::Back,
                ];
                // A browser decides on the size of the page and when it draws.
                let is_of_browser = |row: &Row| matches!(row, Row::WindowSize | Row::VerticalSync);
                let is_of_keys = |row: &Row| *row == Row::Open(Page::Keys);
                let all = all.into_iter().filter(|row| !(platform::IS_A_PAGE && is_of_browser(row)));
                all.filter(|row| !(self.has_no_keys && is_of_keys(row))).collect()
            }
            Page::People => {
                let of_person = |person| [Row::Name(person), Row::Color(person), Row::Ship(person), Row::Trail(person)];
                let rows = (0..MAX_PEOPLE).flat_map(of_person).filter(|row| !self.has_no_keys || !row.is_name());
                rows.chain([Row::Back]).collect()
            }
            Page::Keys => {
                let actions = Action::all(self.usual.people.len().min(MAX_PEOPLE)).into_iter().map(Row::Bind);
                actions.chain([Row::UsualKeys, Row::Back]).collect()
            }
        }
    }

    pub(crate) fn selected(&self) -> usize {
        self.selected
    }

    /// Selects a line, unless one waits for a key.
    pub(crate) fn select(&mut self, index: usize) {
        if !self.is_waiting && index < self.rows().len() {
            self.selected = index;
        }
    }

    /// A tap or a click on a line, at its left or at its right side: changes it one way or the other, or does what it
    /// says. While a line waits for a key, it ends that.
    pub(crate) fn tap(&mut self, index: Option<usize>, step: i32, settings: &mut Settings) -> Option<Request> {
        if self.is_waiting {
            return self.press(Key::Escape, settings);
        }
        let index = index.filter(|index| *index < self.rows().len())?;
        self.selected = index;
        match self.rows()[index] {
            row if row.has_choice() && step < 0 => self.change(row, step, settings),
            row => self.enter(row, settings),
        }
    }

    pub(crate) fn press(&mut self, key: Key, settings: &mut Settings) -> Option<Request> {
        let rows = self.rows();
        let row = rows[self.selected];
        if self.is_waiting {
            return self.press_waiting(key, row, settings);
        }
        match key {
            Key::Up => self.selected = (self.selected + rows.len() - 1) % rows.len(),
            Key::Down => self.selected = (self.selected + 1) % rows.len(),
            Key::Left => return self.change(row, -1, settings),
            Key::Right => return self.change(row, 1, settings),
            Key::Escape => return self.leave(),
            Key::Enter | Key::Space => return self.enter(row, settings),
            _ => {}
        }
        None
    }

    fn press_waiting(&mut self, key: Key, row: Row, settings: &mut Settings) -> Option<Request> {
        match row {
            Row::Bind(action) => {
                self.is_waiting = false;
                if key == Key::Escape {
                    return None;
                }
                let mut keymap = Bindings::new(settings.keymap.as_ref(), &self.usual).own().clone();
                action.bind(&mut keymap, &[key]);
                settings.keymap = Some(keymap);
            }
            Row::Name(person) => match key {
                Key::Enter | Key::Escape => {
                    self.is_waiting = false;
                    let name = &mut settings.people[person].name;
                    name.truncate(name.trim_end().len());
                }
                Key::Backspace => _ = settings.people[person].name.pop(),
                key => add_letter(&mut settings.people[person].name, key),
            },
            _ => self.is_waiting = false,
        }
        Some(Request::Apply)
    }

    fn enter(&mut self, row: Row, settings: &mut Settings) -> Option<Request> {
        match row {
            Row::Back => self.leave(),
            Row::Open(page) => {
                (self.page, self.selected) = (page, 0);
                None
            }
            Row::Bind(_) | Row::Name(_) => {
                self.is_waiting = true;
                None
            }
            Row::UsualKeys => {
                settings.keymap = None;
                Some(Request::Apply)
            }
            row => self.change(row, 1, settings),
        }
    }

    fn leave(&mut self) -> Option<Request> {
        if self.page == Page::General {
            return Some(Request::Leave);
        }
        let page = std::mem::replace(&mut self.page, Page::General);
        self.selected = self.rows().iter().position(|row| *row == Row::Open(page)).unwrap_or(0);
        None
    }

    fn change(&mut self, row: Row, step: i32, settings: &mut Settings) -> Option<Request> {
        let percent = |value: u32| value.saturating_add_signed(10 * step).min(100);
        match row {
            Row::Effects => settings.effects_percent = percent(settings.effects_percent),
            Row::Music => settings.music_percent = percent(settings.music_percent),
            Row::Fullscreen => settings.is_fullscreen = !settings.is_fullscreen,
            Row::WindowSize => {
                let sizes = &WINDOW_SIZES_PX;
                let now = sizes.iter().position(|size| *size == settings.window_size_px).unwrap_or(1);
                settings.window_size_px = sizes[now.saturating_add_signed(step as isize).min(sizes.len() - 1)];
            }
            Row::VerticalSync => settings.has_vertical_sync = !settings.has_vertical_sync,
            Row::Palette => {
                settings.palette = match settings.palette {
                    PaletteKind::Distinct => PaletteKind::Vivid,
                    PaletteKind::Vivid => PaletteKind::Distinct,
                };
            }
            Row::Language => {
                settings.language = translation::file_after(&settings.language, step);
                translation::choose(&settings.language);
            }
            Row::LargerText => settings.has_larger_text = !settings.has_larger_text,
            Row::Camera => settings.camera = after(&FirstAim::ALL, settings.camera, step),
            Row::ScreenShake => settings.has_screen_shake = !settings.has_screen_shake,
            Row::Light => settings.has_light = !settings.has_light,
            Row::OwnBest => settings.has_own_best = !settings.has_own_best,
            Row::Color(person) => {
                // One place before the first colour is that of the seat.
                let now = settings.people[person].color.map_or(-1, i32::from);
                let next = (now + 1 + step).rem_euclid(17) - 1;
                settings.people[person].color = u8::try_from(next).ok();
            }
            Row::Ship(person) => {
                let ship = &mut settings.people[person].ship;
                *ship = after(&ShipShape::ALL, *ship, step);
            }
            Row::Trail(person) => {
                let trail = &mut settings.people[person].trail;
                *trail = after(&TrailShape::ALL, *trail, step);
            }
            Row::Name(_) | Row::Bind(_) | Row::UsualKeys | Row::Open(_) | Row::Back => return None,
        }
        Some(Request::Apply)
    }

    pub(crate) fn label(&self, row: Row) -> String {
        match row {
            Row::Effects => tr("Sound effects").into(),
            Row::Music => tr("Music").into(),
            Row::Fullscreen => tr("Full screen").into(),
            Row::WindowSize => tr("Window size").into(),
            Row::VerticalSync => tr("Vertical sync").into(),
            Row::Palette => tr("Colours").into(),
            Row::Language => tr("Language").into(),
            Row::LargerText => tr("Larger text in the match").into(),
            Row::Camera => tr("Camera at the start").into(),
            Row::ScreenShake => tr("Screen shake").into(),
            Row::Light => tr("Light and glow").into(),
            Row::OwnBest => tr("Own best match beside you").into(),
            Row::Name(person) => tr_with("Name of person {number}", &[("number", &(person + 1))]),
            Row::Color(person) => tr_with("Colour of person {number}", &[("number", &(person + 1))]),
            Row::Ship(person) => tr_with("Ship of person {number}", &[("number", &(person + 1))]),
            Row::Trail(person) => tr_with("Trail of person {number}", &[("number", &(person + 1))]),
            Row::Bind(action) => action.label(),
            Row::UsualKeys => tr("Usual keys").into(),
            Row::Open(Page::People) => tr("Names and ships").into(),
            Row::Open(Page::Keys) => tr("Keys").into(),
            Row::Open(Page::General) | Row::Back => tr("Back").into(),
        }
    }

    /// The value of a line, and whether it conflicts with another.
    pub(crate) fn value(&self, row: Row, settings: &Settings) -> (String, bool) {
        let on = |is_on: bool| if is_on { tr("on") } else { tr("off") }.to_owned();
        let value = match row {
            Row::Effects => format!("{} %", settings.effects_percent),
            Row::Music => format!("{} %", settings.music_percent),
            Row::Fullscreen => on(settings.is_fullscreen),
            Row::WindowSize => {
                let (width, height) = settings.window_size_px;
                tr_with("{width} x {height} (next start)", &[("width", &width), ("height", &height)])
            }
            Row::VerticalSync => tr_with("{switch} (next start)", &[("switch", &on(settings.has_vertical_sync))]),
            Row::Palette if settings.palette == PaletteKind::Distinct => tr("safe for the colour-blind").into(),
            Row::Palette => tr("vivid").into(),
            Row::Language => translation::name_of(&settings.language).into(),
            Row::LargerText => on(settings.has_larger_text),
            Row::Camera => settings.camera.label().into(),
            Row::ScreenShake => on(settings.has_screen_shake),
            Row::Light => tr_with("{switch} (next start)", &[("switch", &on(settings.has_light))]),
            Row::OwnBest => on(settings.has_own_best),
            Row::Name(person) => match (settings.people[person].name.as_str(), self.is_waiting_at(row)) {
                ("", false) => name_of(&Seat::Human { person: person as u8 }, 0),
                (name, false) => name.into(),
                (name, true) => format!("{name}_"),
            },
            Row::Color(person) => {
                settings.people[person].color.map_or(tr("usual").into(), |color| format!("{}", color + 1))
            }
            Row::Ship(person) => {
                let ship = settings.people[person].ship;
                ship.need().described(ship.label(), &self.unlocked)
            }
            Row::Trail(person) => {
                let trail = settings.people[person].trail;
                trail.need().described(trail.label(), &self.unlocked)
            }
            Row::Bind(_) if self.is_waiting_at(row) => tr("press a key").into(),
            Row::Bind(action) => {
                let bindings = Bindings::new(settings.keymap.as_ref(), &self.usual);
                let key = keys::first_label(action.keys(bindings.own()));
                if let Some(other) = conflict(bindings.own(), action) {
                    return (tr_with("{key} (also {other})", &[("key", &key), ("other", &other)]), true);
                }
                key
            }
            Row::UsualKeys | Row::Open(_) | Row::Back => String::new(),
        };
        (value, false)
    }

    /// Whether what a line shows is still locked, so that the ship looks as usual.
    pub(crate) fn is_locked(&self, row: Row, settings: &Settings) -> bool {
        let need = match row {
            Row::Ship(person) => settings.people[person].ship.need(),
            Row::Trail(person) => settings.people[person].trail.need(),
            _ => return false,
        };
        !self.unlocked.has(need)
    }

    fn is_waiting_at(&self, row: Row) -> bool {
        self.is_waiting && self.rows().get(self.selected) == Some(&row)
    }
}

/// The choice so many places after another, around the end.
fn after<T: Copy + PartialEq>(all: &[T], now: T, step: i32) -> T {
    let place = all.iter().position(|choice| *choice == now).unwrap_or(0) as i32;
    all[(place + step).rem_euclid(all.len() as i32) as usize]
}

/// Adds the letter of a key. Words begin with capital letters, because keys have none.
fn add_letter(name: &mut String, key: Key) {
    let label = match key {
        Key::Space => " ".to_owned(),
        key => keys::label(key),
    };
    let mut letters = label.chars();
    let (Some(letter), None) = (letters.next(), letters.next()) else { return };
    let is_first = name.chars().next_back().is_none_or(|last| last == ' ');
    let fits = name.chars().count() < PlayerName::MAX_CHARACTERS && (letter != ' ' || !is_first);
    if fits && (letter.is_ascii_alphanumeric() || letter == ' ') {
        name.push(if is_first { letter } else { letter.to_ascii_lowercase() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bounty_hunter_simulation::assets::Assets;

    fn page() -> (SettingsPage, Settings) {
        (SettingsPage::new(&Assets::built_in().keymap, Hand::Keys, Unlocked::by(["harvest"])), Settings::default())
    }

    fn go_to(page: &mut SettingsPage, row: Row) {
        let index = page.rows().iter().position(|other| *other == row).expect("the page has the line");
        page.select(index);
    }

    fn open(page: &mut SettingsPage, settings: &mut Settings, which: Page) {
        go_to(page, Row::Open(which));
        assert_eq!(page.press(Key::Enter, settings), None);
    }

    #[test]
    fn volumes_stop_at_their_limits() {
        let (mut page, mut settings) = page();
        (0..9).for_each(|_| assert_eq!(page.press(Key::Right, &mut settings), Some(Request::Apply)));
        assert_eq!(page.value(Row::Effects, &settings).0, "100 %");
        (0..20).for_each(|_| _ = page.press(Key::Left, &mut settings));
        assert_eq!(page.value(Row::Effects, &settings).0, "0 %");
    }

    #[test]
    fn every_line_has_a_label_and_changes_back_and_forth() {
        translation::set_languages(&Assets::built_in().languages);
        for which in [Page::General, Page::People, Page::Keys] {
            let (mut page, mut settings) = page();
            if which != Page::General {
                open(&mut page, &mut settings, which);
            }
            for row in page.rows() {
                assert!(!page.label(row).is_empty());
                go_to(&mut page, row);
                let before = settings.clone();
                if page.press(Key::Right, &mut settings).is_some() {
                    assert_ne!(settings, before, "{row:?}");
                    page.press(Key::Left, &mut settings);
                }
                assert_eq!(settings, before, "{row:?}");
            }
            let leave = page.press(Key::Escape, &mut settings);
            assert_eq!(leave, (which == Page::General).then_some(Request::Leave));
        }
    }

    #[test]
    fn key_is_bound_and_a_conflict_is_shown() {
        let (mut page, mut settings) = page();
        open(&mut page, &mut settings, Page::Keys);
        let forward = Row::Bind(Action::Forward(0));
        go_to(&mut page, forward);
        page.press(Key::Enter, &mut settings);
        assert_eq!(page.value(forward, &settings).0, "press a key");
        assert_eq!(page.press(Key::Digit9, &mut settings), Some(Request::Apply));
        assert_eq!(page.value(forward, &settings), ("9".into(), false));
        page.press(Key::Enter, &mut settings);
        page.press(Key::D, &mut settings);
        assert_eq!(page.value(forward, &settings), ("D (also Person 1: right)".into(), true));
        page.press(Key::Enter, &mut settings);
        assert_eq!(page.press(Key::Escape, &mut settings), None, "the key stays");
        go_to(&mut page, Row::UsualKeys);
        page.press(Key::Enter, &mut settings);
        assert_eq!(page.value(forward, &settings), ("W".into(), false));
    }

    #[test]
    fn locked_ships_say_what_is_asked_and_unlocked_ones_are_used() {
        let (mut page, mut settings) = page();
        open(&mut page, &mut settings, Page::People);
        let row = Row::Ship(0);
        go_to(&mut page, row);
        assert_eq!(page.value(row, &settings), ("Dart".into(), false));
        page.press(Key::Right, &mut settings);
        assert_eq!(page.value(row, &settings).0, "Arrow (locked: Win a match)");
        assert!(page.is_locked(row, &settings));
        assert_eq!(settings.looks(&page.unlocked)[0].ship, ShipShape::Dart, "it is not there yet");
        page.press(Key::Right, &mut settings);
        assert_eq!((page.value(row, &settings).0.as_str(), page.is_locked(row, &settings)), ("Kite", false));
        assert_eq!(settings.looks(&page.unlocked)[0].ship, ShipShape::Kite);
        (0..6).for_each(|_| _ = page.press(Key::Left, &mut settings));
        assert_eq!(settings.people[0].ship, ShipShape::Kite, "around");
    }

    #[test]
    fn name_is_typed_and_its_color_chosen() {
        let (mut page, mut settings) = page();
        open(&mut page, &mut settings, Page::People);
        page.press(Key::Enter, &mut settings);
        for key in
            [Key::Space, Key::A, Key::D, Key::X, Key::Backspace, Key::A, Key::Space, Key::Digit2, Key::F1, Key::Space]
        {
            page.press(key, &mut settings);
        }
        page.press(Key::Enter, &mut settings);
        assert_eq!(settings.people[0].name, "Ada 2");
        page.press(Key::Down, &mut settings);
        page.press(Key::Right, &mut settings);
        assert_eq!(settings.people[0].color, Some(0));
        (0..2).for_each(|_| _ = page.press(Key::Left, &mut settings));
        assert_eq!(settings.people[0].color, Some(15));
    }
}
