//! The screen "Play together": people at this screen, a match hosted on this network, and hosts to join.

mod address_entry;
mod page;

use macroquad::input::mouse_position;
use macroquad::math::{Rect, Vec2, vec2};
use macroquad::miniquad;
use macroquad::shapes::draw_rectangle;
use macroquad::time::get_frame_time;
use macroquad::window::{clear_background, next_frame, screen_height, screen_width};

use self::page::{FriendsPage, Line, Reach, Request, Row};
use crate::client::devices::Devices;
use crate::client::drawing::gauges::draw_box;
use crate::client::drawing::text::{self, Align, Style};
use crate::client::drawing::theme::{self, faded};
use crate::client::input::keys::MouseButton;
use crate::client::input::reader::WindowEvent;
use crate::client::screens::replay_screen::Leaving;
use crate::client::screens::title::Title;
use crate::client::settings::Settings;
use crate::client::together::{Lobby, Network, Search};
use crate::client::translation::{tr, tr_level, tr_with};
use crate::client::window::clock::{due_steps, step_clock};
use bounty_hunter_simulation::keymap::Key;
use bounty_hunter_simulation::player::{Seat, name_of};

/// The box and its lines, in units of the screen.
const BOX_WIDTH: f32 = 660.0;
const BOX_TOP: f32 = 104.0;
const ROW_HEIGHT: f32 = 34.0;
/// The shares of the width at which the match of a host and its address begin.
const MATCH_LEFT: f32 = 0.27;
const ADDRESS_LEFT: f32 = 0.70;

/// What a person has chosen.
pub(crate) enum Chosen {
    Nothing(Leaving),
    /// So many people at this screen.
    People(u32),
    /// A lobby, as its host or as a guest.
    Lobby(Lobby),
}

/// Shows the screen until something is chosen. A match that is hosted is the one chosen on the title.
pub(crate) async fn run(title: &Title, network: &mut Network, devices: &mut Devices) -> Chosen {
    tracing::info!(target: "bounty_hunter::client", "friends");
    let mut search = Search::open(network, &own_name(&devices.file.settings));
    let reach = match &search {
        None => Reach::Screen,
        Some(search) if search.finds_hosts() => Reach::LocalNetwork,
        Some(_) => Reach::Network,
    };
    let mut page = FriendsPage::new(title.most_humans(), reach);
    let offered = offer(title);
    let mut clock = step_clock(60);
    loop {
        devices.sound.play_title();
        let window = vec2(screen_width(), screen_height());
        for window_event in devices.reader.read() {
            if *window_event == WindowEvent::CloseRequested {
                return Chosen::Nothing(Leaving::Closed);
            }
            if let Some(chosen) = take(*window_event, &mut page, &mut search, title, window) {
                return chosen;
            }
        }
        if let Some(search) = &mut search {
            for _ in 0..due_steps(&mut clock, f64::from(get_frame_time())) {
                if let Some(lobby) = search.step() {
                    return Chosen::Lobby(lobby);
                }
            }
            let (hosts, before) = (search.hosts(), page.hosts().len());
            if hosts.len() != before {
                tracing::info!(target: "bounty_hunter::client", hosts = hosts.len(), "hosts found");
            }
            page.set_hosts(hosts);
        }
        let (asked, problem) = search.as_ref().map_or((None, None), |search| (search.asked(), search.problem()));
        draw(&page, &offered, asked, problem, window);
        next_frame().await;
    }
}

/// The name to show to others.
fn own_name(settings: &Settings) -> String {
    let own = settings.names().into_iter().next().filter(|name| !name.is_empty());
    own.unwrap_or_else(|| name_of(&Seat::Human { person: 0 }, 0))
}

/// The match that would be hosted, in words.
fn offer(title: &Title) -> String {
    let level = title.level().unwrap_or_else(|| title.mode().level.clone());
    let players = (title.setup(0).seats.len() as u32).min(Search::MOST_PLAYERS);
    let (mode, level) = (tr(&title.mode().title), tr_level(&level));
    tr_with("{mode} in {level} · {players} players", &[("mode", &mode), ("level", &level), ("players", &players)])
}

/// Applies an event. While a host is asked, it can only be given up.
fn take(
    event: WindowEvent,
    page: &mut FriendsPage,
    search: &mut Option<Search>,
    title: &Title,
    window: Vec2,
) -> Option<Chosen> {
    if let Some(search) = search.as_mut().filter(|search| search.asked().is_some()) {
        let key = match event {
            WindowEvent::PadDown(_, button) => button.menu_key(),
            WindowEvent::KeyDown(key) => Some(key),
            _ => None,
        };
        if key == Some(Key::Escape) {
            search.give_up();
        }
        return None;
    }
    let is_input = !matches!(event, WindowEvent::PointerMoved(..) | WindowEvent::KeyUp(_) | WindowEvent::PadUp(..));
    if let Some(search) = search.as_mut().filter(|_| is_input) {
        search.forget_problem();
    }
    let request = match event {
        WindowEvent::PointerMoved(..) => {
            if let Some(row) = row_at(page, window, mouse_position().into()) {
                page.select(row);
            }
            None
        }
        WindowEvent::ButtonDown(MouseButton::Left) => {
            page.select(row_at(page, window, mouse_position().into())?);
            page.enter()
        }
        event => page.take(event, miniquad::window::clipboard_get),
    };
    match (request?, search) {
        (Request::Leave, _) => return Some(Chosen::Nothing(Leaving::Back)),
        (Request::People(people), _) => return Some(Chosen::People(people)),
        (_, None) => {}
        (Request::Host, Some(search)) => {
            // The program draws another seed for each match over a network.
            let setup = title.setup(0);
            return search.host(&title.mode().name, title.level().as_deref(), &setup).map(Chosen::Lobby);
        }
        (Request::Join(id), Some(search)) => search.join_found(id),
        (Request::JoinTyped(text), Some(search)) => search.join_typed(&text),
    }
    None
}

fn draw(page: &FriendsPage, offered: &str, asked: Option<&str>, problem: Option<&str>, window: Vec2) {
    clear_background(theme::BACKGROUND);
    let (unit, center) = (unit(window), window.x / 2.0);
    let title = Style::new(30.0 * unit, theme::ACCENT).align(Align::Center).weight(1.1);
    text::draw(tr("Play together"), center, 58.0 * unit, title);
    let lines = page.lines();
    let area = box_area(window, lines.len());
    draw_box(area, theme::OVERLAY, faded(theme::BORDER, 0.8), 2.0);
    for (index, line) in lines.iter().enumerate() {
        let area = line_area(window, lines.len(), index);
        let y = area.center().y;
        match line {
            Line::Gap => {}
            Line::Heading(heading) => {
                text::draw(heading, area.x + 4.0 * unit, y + 4.0 * unit, Style::new(10.0 * unit, theme::FAINT));
            }
            Line::Note(note) => {
                let height = text::shrunk(note, 11.0 * unit, area.w - 32.0 * unit);
                text::draw(note, area.x + 16.0 * unit, y, Style::new(height, theme::FAINT));
            }
            Line::Row(row) => draw_row(page, *row, offered, area, unit),
        }
    }
    let said = match (asked, problem) {
        (Some(place), _) => Some((tr_with("Asking {place}… Esc stops", &[("place", &place)]), theme::TEXT)),
        (None, Some(problem)) => Some((problem.to_owned(), theme::ALARM)),
        (None, None) => None,
    };
    if let Some((sentence, color)) = said {
        let style = Style::new(12.0 * unit, color).align(Align::Center);
        for (row, words) in (0_u8..2).zip(text::wrapped(&sentence, style.height, window.x - 40.0 * unit)) {
            text::draw(words, center, area.bottom() + (26.0 + 20.0 * f32::from(row)) * unit, style);
        }
    }
    let height = text::shrunk(page.help(), 10.0 * unit, window.x * 0.95);
    text::draw(page.help(), center, window.y - 18.0 * unit, Style::new(height, theme::FAINT).align(Align::Center));
}

fn draw_row(page: &FriendsPage, row: Row, offered: &str, area: Rect, unit: f32) {
    let is_selected = page.selected() == row;
    if is_selected {
        draw_rectangle(area.x, area.y, area.w, area.h, faded(theme::ACCENT, 0.16));
    }
    let color = if is_selected { theme::ACCENT } else { theme::TEXT };
    let (y, style) = (area.center().y, Style::new(12.0 * unit, color));
    let write = |words: &str, left: f32, right: f32, align: Align| {
        let [left, right] = [left, right].map(|share| area.x + 16.0 * unit + share * (area.w - 32.0 * unit));
        let height = text::shrunk(words, style.height, right - left).max(8.0 * unit);
        let words = text::fitting(words, height, right - left);
        text::draw(words, if align == Align::Right { right } else { left }, y, Style { height, ..style }.align(align));
    };
    let label = page.label(row);
    match row {
        Row::Found(id) => {
            write(&label, 0.0, MATCH_LEFT - 0.02, Align::Left);
            if let Some((_, [_, offered, address])) = page.hosts().iter().find(|(host, _)| *host == id) {
                write(offered, MATCH_LEFT, ADDRESS_LEFT - 0.02, Align::Left);
                write(address, ADDRESS_LEFT, 1.0, Align::Right);
            }
        }
        Row::Host => {
            write(&label, 0.0, 0.38, Align::Left);
            write(offered, 0.4, 1.0, Align::Right);
        }
        Row::Address => {
            write(&label, 0.0, MATCH_LEFT - 0.02, Align::Left);
            let typed = match (page.address(), is_selected) {
                ("", false) => tr("type it, such as 192.168.1.5").to_owned(),
                (address, false) => address.to_owned(),
                (address, true) => format!("{address}_"),
            };
            write(&typed, MATCH_LEFT, 1.0, Align::Left);
        }
        Row::People(_) | Row::Back => write(&label, 0.0, 1.0, Align::Left),
    }
}

/// The line at a point in pixels that can be chosen.
fn row_at(page: &FriendsPage, window: Vec2, point: Vec2) -> Option<Row> {
    let lines = page.lines();
    let index = (0..lines.len()).find(|index| line_area(window, lines.len(), *index).contains(point))?;
    match lines[index] {
        Line::Row(row) => Some(row),
        Line::Gap | Line::Heading(_) | Line::Note(_) => None,
    }
}

/// Pixels for one unit of a screen that is 720 high and at least 690 wide.
fn unit(window: Vec2) -> f32 {
    (window.y / 720.0).min(window.x / 690.0).max(0.2)
}

fn box_area(window: Vec2, lines: usize) -> Rect {
    let unit = unit(window);
    let (width, height) = (BOX_WIDTH * unit, (lines as f32 * ROW_HEIGHT + 20.0) * unit);
    Rect::new((window.x - width) / 2.0, BOX_TOP * unit, width, height)
}

fn line_area(window: Vec2, lines: usize, index: usize) -> Rect {
    let (area, unit) = (box_area(window, lines), unit(window));
    let top = area.y + (10.0 + index as f32 * ROW_HEIGHT) * unit;
    Rect::new(area.x + 10.0 * unit, top, area.w - 20.0 * unit, ROW_HEIGHT * unit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::PlayOptions;
    use crate::client::sample::{keymap, options};

    const WINDOWS: [(f32, f32); 5] =
        [(1280.0, 720.0), (800.0, 600.0), (720.0, 1280.0), (400.0, 900.0), (1920.0, 500.0)];

    /// The page with as many lines as there can be.
    fn full_page() -> FriendsPage {
        let mut page = FriendsPage::new(4, Reach::LocalNetwork);
        page.set_hosts((0..16).map(|id| (id, [format!("host {id}"), String::new(), String::new()])).collect());
        page
    }

    #[test]
    fn longest_page_fits_into_windows_of_all_shapes() {
        let lines = full_page().lines().len();
        for window in WINDOWS.map(|(x, y)| vec2(x, y)) {
            let area = box_area(window, lines);
            assert!(area.x >= 0.0 && area.right() <= window.x, "{area:?} in {window}");
            // A sentence of two lines and the keys are below it.
            assert!(area.bottom() <= window.y - 76.0 * unit(window), "{area:?} in {window}");
        }
    }

    #[test]
    fn every_line_is_found_under_the_pointer() {
        let page = full_page();
        for window in WINDOWS.map(|(x, y)| vec2(x, y)) {
            for (index, line) in page.lines().into_iter().enumerate() {
                let middle = line_area(window, page.lines().len(), index).center();
                let expected = if let Line::Row(row) = line { Some(row) } else { None };
                assert_eq!(row_at(&page, window, middle), expected);
            }
            assert_eq!(row_at(&page, window, vec2(1.0, 1.0)), None);
        }
    }

    #[test]
    fn without_a_network_people_at_this_screen_are_chosen() {
        let title = Title::new(&PlayOptions { keymap: keymap(4), ..options() });
        let mut page = FriendsPage::new(title.most_humans(), Reach::Screen);
        let mut press = |key| {
            let event = WindowEvent::KeyDown(key);
            take(event, &mut page, &mut None, &title, vec2(1280.0, 720.0))
        };
        assert!(press(Key::Down).is_none());
        assert!(matches!(press(Key::Enter), Some(Chosen::People(3))));
        assert!(matches!(press(Key::Escape), Some(Chosen::Nothing(Leaving::Back))));
    }

    #[test]
    fn offer_names_the_match_that_is_chosen_on_the_title() {
        assert_eq!(offer(&Title::new(&options())).split(" · ").next(), Some("CALM in Meadow"));
    }
}
