//! The lines of the screen "Play together", and what keys do to them.

use super::address_entry::AddressEntry;
use crate::client::input::pad_button::PadButton;
use crate::client::input::reader::WindowEvent;
use crate::client::translation::{tr, tr_with};
use bounty_hunter_simulation::keymap::Key;

/// The fewest people at one screen who play together.
const LEAST_PEOPLE: u32 = 2;
/// The most hosts that are shown at once.
const MAX_SHOWN: usize = 5;

/// A line that can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Row {
    /// So many people at this screen.
    People(u32),
    /// Hosts the chosen match.
    Host,
    /// Joins a host that was found, by its number.
    Found(u64),
    /// Joins the host at the typed address.
    Address,
    Back,
}

/// A line of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    Gap,
    Heading(&'static str),
    Note(&'static str),
    Row(Row),
}

/// What a key asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    Leave,
    People(u32),
    Host,
    Join(u64),
    JoinTyped(String),
}

/// Where others can be met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Only at this screen.
    Screen,
    /// Also over the network, where hosts must be named.
    Network,
    /// Also over the network, where hosts are found by themselves.
    LocalNetwork,
}

/// The lines and the chosen one.
#[derive(Clone, Debug)]
pub(crate) struct FriendsPage {
    most_people: u32,
    reach: Reach,
    selected: Row,
    /// The number of each host that was found, and its cells.
    hosts: Vec<(u64, [String; 3])>,
    address: AddressEntry,
}

impl FriendsPage {
    pub(crate) fn new(most_people: u32, reach: Reach) -> Self {
        let (hosts, address) = (Vec::new(), AddressEntry::default());
        let mut page = Self { most_people, reach, selected: Row::Back, hosts, address };
        page.selected = page.rows()[0];
        page
    }

    /// Shows the hosts that are there now. The choice stays, unless its host is gone.
    pub(crate) fn set_hosts(&mut self, hosts: Vec<(u64, [String; 3])>) {
        self.hosts = hosts;
        if !self.rows().contains(&self.selected) {
            self.selected = Row::Address;
        }
    }

    pub(crate) fn hosts(&self) -> &[(u64, [String; 3])] {
        &self.hosts
    }

    pub(crate) fn selected(&self) -> Row {
        self.selected
    }

    pub(crate) fn address(&self) -> &str {
        self.address.text()
    }

    /// The lines, from the top. Of many hosts it has those around the chosen one.
    pub(crate) fn lines(&self) -> Vec<Line> {
        let people = (LEAST_PEOPLE..=self.most_people).map(|people| Line::Row(Row::People(people)));
        let mut lines: Vec<Line> = people.collect();
        if !lines.is_empty() {
            lines.insert(0, Line::Heading(tr("At this screen")));
        }
        if self.reach != Reach::Screen {
            lines.push(Line::Heading(tr("Over the network")));
            lines.push(Line::Row(Row::Host));
            lines.push(Line::Heading(tr("Join")));
            lines.extend(self.shown_hosts().map(|(id, _)| Line::Row(Row::Found(*id))));
            if self.hosts.is_empty() {
                lines.push(Line::Note(match self.reach {
                    Reach::LocalNetwork => tr("No host yet: those in this network appear here by themselves"),
                    _ => tr("Hosts cannot be looked for now: type the address"),
                }));
            }
            lines.push(Line::Row(Row::Address));
        }
        lines.push(Line::Gap);
        lines.push(Line::Row(Row::Back));
        lines
    }

    fn shown_hosts(&self) -> impl Iterator<Item = &(u64, [String; 3])> {
        let selected = self.hosts.iter().position(|(id, _)| self.selected == Row::Found(*id)).unwrap_or(0);
        let hidden = self.hosts.len().saturating_sub(MAX_SHOWN);
        self.hosts.iter().skip(selected.saturating_sub(MAX_SHOWN / 2).min(hidden)).take(MAX_SHOWN)
    }

    /// All lines that can be chosen, also hosts that are not shown.
    fn rows(&self) -> Vec<Row> {
        let people = (LEAST_PEOPLE..=self.most_people).map(Row::People);
        let of_network = [Row::Host].into_iter().chain(self.hosts.iter().map(|(id, _)| Row::Found(*id)));
        let of_network = of_network.chain([Row::Address]).filter(|_| self.reach != Reach::Screen);
        people.chain(of_network).chain([Row::Back]).collect()
    }

    pub(crate) fn label(&self, row: Row) -> String {
        match row {
            Row::People(people) => tr_with("{people} people", &[("people", &people)]),
            Row::Host => tr("Host on this network").to_owned(),
            Row::Found(id) => {
                self.hosts.iter().find(|(host, _)| *host == id).map_or_else(String::new, |(_, [name, ..])| name.clone())
            }
            Row::Address => tr("Address").to_owned(),
            Row::Back => tr("Back").to_owned(),
        }
    }

    /// What the keys do now.
    pub(crate) fn help(&self) -> &'static str {
        match self.selected {
            Row::Address => tr("Type or paste (Ctrl+V) an address · Enter joins · gamepad: ← → turn, X adds, Y erases"),
            Row::Found(_) => tr("↑ ↓ select · Enter joins · Esc back"),
            _ => tr("↑ ↓ select · Enter confirms · Esc back"),
        }
    }

    pub(crate) fn select(&mut self, row: Row) {
        if self.rows().contains(&row) {
            self.selected = row;
        }
    }

    /// Takes a key, a letter or a button of a pad. `pasted` returns the text of the clipboard.
    pub(crate) fn take(&mut self, event: WindowEvent, pasted: impl FnOnce() -> Option<String>) -> Option<Request> {
        let has_address = self.reach != Reach::Screen;
        match event {
            WindowEvent::Typed(character) if has_address && self.address.add(character) => {
                self.selected = Row::Address;
            }
            WindowEvent::Paste if has_address => {
                self.address.paste(&pasted().unwrap_or_default());
                self.selected = Row::Address;
            }
            WindowEvent::PadDown(_, PadButton::West) if self.selected == Row::Address => _ = self.address.add('1'),
            WindowEvent::PadDown(_, PadButton::North) if self.selected == Row::Address => self.address.erase(),
            WindowEvent::PadDown(_, button) => return self.press(button.menu_key()?),
            WindowEvent::KeyRepeated(key @ (Key::Up | Key::Down | Key::Left | Key::Right | Key::Backspace))
            | WindowEvent::KeyDown(key) => return self.press(key),
            _ => {}
        }
        None
    }

    fn press(&mut self, key: Key) -> Option<Request> {
        match key {
            Key::Up => self.go(-1),
            Key::Down => self.go(1),
            Key::Left if self.selected == Row::Address => self.address.turn(-1),
            Key::Right if self.selected == Row::Address => self.address.turn(1),
            Key::Backspace if self.selected == Row::Address => self.address.erase(),
            Key::Enter => return self.enter(),
            Key::Escape => return Some(Request::Leave),
            _ => {}
        }
        None
    }

    /// Goes down by so many lines, or up; the first follows the last.
    fn go(&mut self, lines: i32) {
        let rows = self.rows();
        let now = rows.iter().position(|row| *row == self.selected).unwrap_or(0) as i32;
        self.selected = rows[(now + lines).rem_euclid(rows.len() as i32) as usize];
    }

    /// Does what the chosen line says; without an address there is none to join.
    pub(crate) fn enter(&self) -> Option<Request> {
        match self.selected {
            Row::People(people) => Some(Request::People(people)),
            Row::Host => Some(Request::Host),
            Row::Found(id) => Some(Request::Join(id)),
            Row::Address => (!self.address().is_empty()).then(|| Request::JoinTyped(self.address().to_owned())),
            Row::Back => Some(Request::Leave),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> FriendsPage {
        FriendsPage::new(4, Reach::LocalNetwork)
    }

    fn hosts(ids: impl IntoIterator<Item = u64>) -> Vec<(u64, [String; 3])> {
        ids.into_iter()
            .map(|id| (id, [format!("host {id}"), "classic".to_owned(), format!("10.0.0.{id}:7777")]))
            .collect()
    }

    fn press(page: &mut FriendsPage, keys: &[Key]) -> Option<Request> {
        keys.iter().fold(None, |_, key| page.take(WindowEvent::KeyDown(*key), || None))
    }

    fn type_in(page: &mut FriendsPage, text: &str) {
        text.chars().for_each(|character| _ = page.take(WindowEvent::Typed(character), || None));
    }

    #[test]
    fn keys_reach_everything() {
        let mut page = page();
        assert_eq!(press(&mut page, &[Key::Enter]), Some(Request::People(2)));
        assert_eq!(press(&mut page, &[Key::Down, Key::Down, Key::Enter]), Some(Request::People(4)));
        assert_eq!(press(&mut page, &[Key::Down, Key::Enter]), Some(Request::Host));
        page.set_hosts(hosts([7, 8]));
        assert_eq!(press(&mut page, &[Key::Down, Key::Down, Key::Enter]), Some(Request::Join(8)));
        assert_eq!(press(&mut page, &[Key::Down, Key::Enter]), None, "nothing is typed yet");
        assert_eq!(press(&mut page, &[Key::Down, Key::Enter]), Some(Request::Leave));
        assert_eq!(press(&mut page, &[Key::Down, Key::Enter]), Some(Request::People(2)), "the first follows the last");
        assert_eq!(press(&mut page, &[Key::Escape]), Some(Request::Leave));
    }

    #[test]
    fn address_is_typed_whatever_is_chosen_and_joined_by_enter() {
        let mut page = page();
        type_in(&mut page, "10.0.0.21");
        assert_eq!(page.selected(), Row::Address);
        press(&mut page, &[Key::Backspace]);
        assert_eq!(press(&mut page, &[Key::Enter]), Some(Request::JoinTyped("10.0.0.2".to_owned())));
        let pasted = || Some("example.org:7777\n".to_owned());
        assert_eq!(page.take(WindowEvent::Paste, pasted), None);
        assert_eq!(page.address(), "example.org:7777");
        page.take(WindowEvent::Paste, || None);
        assert_eq!(page.address(), "", "nothing can be pasted");
    }

    #[test]
    fn gamepad_chooses_and_writes_an_address() {
        let mut page = page();
        let pad = |page: &mut FriendsPage, buttons: &[PadButton]| {
            buttons.iter().fold(None, |_, button| page.take(WindowEvent::PadDown(0, *button), || None))
        };
        assert_eq!(pad(&mut page, &[PadButton::South]), Some(Request::People(2)));
        page.select(Row::Address);
        let written = [PadButton::West, PadButton::West, PadButton::Right, PadButton::West, PadButton::North];
        assert_eq!(pad(&mut page, &written), None);
        assert_eq!(pad(&mut page, &[PadButton::South]), Some(Request::JoinTyped("12".to_owned())));
        assert_eq!(pad(&mut page, &[PadButton::East]), Some(Request::Leave));
    }

    #[test]
    fn choice_stays_at_its_host_until_that_is_gone() {
        let mut page = page();
        page.set_hosts(hosts([7, 8, 9]));
        page.select(Row::Found(8));
        page.set_hosts(hosts([8, 9, 10]));
        assert_eq!(page.selected(), Row::Found(8));
        page.set_hosts(hosts([9, 10]));
        assert_eq!(page.selected(), Row::Address);
        page.select(Row::Found(8));
        assert_eq!(page.selected(), Row::Address, "it is gone");
    }

    #[test]
    fn of_many_hosts_those_around_the_choice_are_shown() {
        let shown = |page: &FriendsPage| -> Vec<u64> {
            let id = |line: Line| if let Line::Row(Row::Found(id)) = line { Some(id) } else { None };
            page.lines().into_iter().filter_map(id).collect()
        };
        let mut page = page();
        page.set_hosts(hosts(0..16));
        assert_eq!(shown(&page), [0, 1, 2, 3, 4]);
        page.select(Row::Found(8));
        assert_eq!(shown(&page), [6, 7, 8, 9, 10]);
        page.select(Row::Found(15));
        assert_eq!(shown(&page), [11, 12, 13, 14, 15]);
    }

    #[test]
    fn without_a_network_only_this_screen_is_offered() {
        let mut page = FriendsPage::new(2, Reach::Screen);
        let lines = [Line::Heading("At this screen"), Line::Row(Row::People(2)), Line::Gap, Line::Row(Row::Back)];
        assert_eq!(page.lines(), lines);
        type_in(&mut page, "10");
        page.take(WindowEvent::Paste, || panic!("there is no place for it"));
        assert_eq!(page.selected(), Row::People(2));
        assert_eq!(FriendsPage::new(1, Reach::Screen).lines(), [Line::Gap, Line::Row(Row::Back)]);
    }
}
