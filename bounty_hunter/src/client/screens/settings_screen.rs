//! The settings screen: drawing and input.

use macroquad::input::mouse_position;
use macroquad::math::{Rect, Vec2, vec2};
use macroquad::shapes::{draw_circle, draw_rectangle, draw_triangle};
use macroquad::window::{clear_background, next_frame, screen_height, screen_width, set_fullscreen};

use super::replay_screen::Leaving;
use super::settings::{Request, Row, SettingsPage};
use crate::client::devices::Devices;
use crate::client::drawing::gauges::draw_box;
use crate::client::drawing::text::{self, Align, Style};
use crate::client::drawing::theme::{self, faded};
use crate::client::drawing::touch_lines::TouchLines;
use crate::client::input::hand::Hand;
use crate::client::input::keys::MouseButton;
use crate::client::input::reader::WindowEvent;
use crate::client::picture::own_ship;
use crate::client::settings::Settings;
use crate::client::translation::tr_with;
use bounty_hunter_simulation::keymap::{Key, Keymap};

/// The box and its lines, in units of the screen.
const BOX_WIDTH: f32 = 620.0;
const BOX_TOP: f32 = 120.0;
const ROW_HEIGHT: f32 = 38.0;
/// Limit of lines; a longer page scrolls.
const MAX_ROWS: usize = 13;
/// What fingers have above and below the lines, pixels.
const TOUCH_TOP_PX: f32 = 52.0;
const TOUCH_FOOT_PX: f32 = 44.0;

/// Shows the settings until the player leaves, and stores them then.
pub(crate) async fn run(devices: &mut Devices, usual_keys: &Keymap) -> Leaving {
    tracing::info!(target: "bounty_hunter::client", "settings");
    let mut page = SettingsPage::new(usual_keys, devices.reader.hand(), devices.unlocked.clone());
    let mut notice = devices.file.problem().map(|problem| tr_with("not used: {problem}", &[("problem", &problem)]));
    loop {
        let (window, hand) = (vec2(screen_width(), screen_height()), devices.reader.hand());
        let mut leaving = None;
        for window_event in devices.reader.read() {
            let settings = &mut devices.file.settings;
            let was_fullscreen = settings.is_fullscreen;
            match take_input(&mut page, *window_event, settings, window, hand) {
                Some(Taken::Closed) => leaving = Some(Leaving::Closed),
                Some(Taken::Request(Request::Leave)) => leaving = Some(Leaving::Back),
                Some(Taken::Request(Request::Apply)) => {
                    devices.sound.set_volume(settings.volume());
                    if settings.is_fullscreen != was_fullscreen {
                        set_fullscreen(settings.is_fullscreen);
                    }
                }
                None => {}
            }
        }
        if let Some(leaving) = leaving {
            match devices.file.store() {
                Ok(()) => tracing::info!(target: "bounty_hunter::client", "settings stored"),
                // It is shown once, and the settings hold until the end of the program.
                Err(problem) if notice.as_ref() != Some(&problem) && leaving == Leaving::Back => {
                    tracing::warn!(target: "bounty_hunter::client", "{problem}");
                    notice = Some(problem);
                    next_frame().await;
                    continue;
                }
                Err(_) => {}
            }
            return leaving;
        }
        draw(&page, &devices.file.settings, notice.as_deref(), window, hand);
        next_frame().await;
    }
}

enum Taken {
    Closed,
    Request(Request),
}

fn take_input(
    page: &mut SettingsPage,
    event: WindowEvent,
    settings: &mut Settings,
    window: Vec2,
    hand: Hand,
) -> Option<Taken> {
    let request = match event {
        WindowEvent::CloseRequested => return Some(Taken::Closed),
        WindowEvent::KeyDown(key) => page.press(key, settings),
        WindowEvent::KeyRepeated(key @ (Key::Left | Key::Right | Key::Up | Key::Down)) => page.press(key, settings),
        WindowEvent::PadDown(_, button) => page.press(button.menu_key()?, settings),
        WindowEvent::PointerMoved(..) => {
            if let Some((index, _)) = row_at(page, window, hand, mouse_position().into()) {
                page.select(index);
            }
            None
        }
        WindowEvent::ButtonDown(MouseButton::Left) => {
            let (index, step) = row_at(page, window, hand, mouse_position().into()).unzip();
            page.tap(index, step.unwrap_or_default(), settings)
        }
        _ => None,
    };
    request.map(Taken::Request)
}

/// The most lines that are shown at once. Fingers do not scroll: they have all lines, in columns.
fn most_rows(hand: Hand) -> usize {
    if hand == Hand::Touch { usize::MAX } else { MAX_ROWS }
}

/// The first line of the page that is shown.
fn first_shown(page: &SettingsPage, hand: Hand) -> usize {
    let most = most_rows(hand);
    let hidden = page.rows().len().saturating_sub(most);
    (page.selected().saturating_sub(most / 2)).min(hidden)
}

fn draw(page: &SettingsPage, settings: &Settings, notice: Option<&str>, window: Vec2, hand: Hand) {
    clear_background(theme::BACKGROUND);
    let is_touched = hand == Hand::Touch;
    let unit = if is_touched { 1.0 } else { unit(window) };
    let (letters, y) = if is_touched { (22.0, TOUCH_TOP_PX / 2.0) } else { (30.0 * unit, 66.0 * unit) };
    let title = Style::new(letters, theme::ACCENT).align(Align::Center).weight(1.1);
    text::draw(page.title(), window.x / 2.0, y, title);
    let (rows, first) = (page.rows(), first_shown(page, hand));
    let area = box_area(window, hand, rows.len());
    draw_box(area, theme::OVERLAY, faded(theme::BORDER, 0.8), 2.0);
    for (index, row) in rows.iter().enumerate().skip(first).take(most_rows(hand)) {
        let area = row_area(window, hand, rows.len(), index - first);
        let letters = if is_touched { touch_lines(window, rows.len()).letters_px() } else { 12.0 * unit };
        draw_row(page, *row, index == page.selected(), settings, area, letters);
        if is_touched && row.has_choice() {
            draw_tips(area, letters);
        }
    }
    if rows.len() > most_rows(hand) {
        let share = |lines: usize| lines as f32 / rows.len() as f32;
        let (top, height) = (area.y + area.h * share(first), area.h * share(MAX_ROWS));
        draw_rectangle(area.right() - 6.0 * unit, top, 4.0 * unit, height, faded(theme::FAINT, 0.7));
    }
    let help = page.help(hand);
    let style = Style::new(text::shrunk(help, 10.0 * unit, window.x * 0.95), theme::FAINT).align(Align::Center);
    text::draw(help, window.x / 2.0, window.y - if is_touched { 30.0 } else { 40.0 * unit }, style);
    if let Some(notice) = notice {
        let height = text::shrunk(notice, 10.0 * unit, window.x * 0.95).max(7.0 * unit);
        let notice = text::fitting(notice, height, window.x * 0.95);
        text::draw(
            notice,
            window.x / 2.0,
            window.y - 16.0 * unit,
            Style::new(height, theme::ALARM).align(Align::Center),
        );
    }
}

/// Draws the tips of arrows at both sides of a line, which fingers tap.
fn draw_tips(area: Rect, letters: f32) {
    for (tip, back) in [(area.x + 3.0, 7.0), (area.right() - 3.0, -7.0)] {
        let (tip, back) = (vec2(tip, area.center().y), vec2(tip + back, area.center().y));
        let side = vec2(0.0, 0.4 * letters);
        draw_triangle(tip, back + side, back - side, faded(theme::FAINT, 0.9));
    }
}

fn draw_row(page: &SettingsPage, row: Row, is_selected: bool, settings: &Settings, area: Rect, height: f32) {
    let unit = height / 12.0;
    if is_selected {
        draw_rectangle(area.x, area.y, area.w, area.h, faded(theme::ACCENT, 0.16));
    }
    let color = if is_selected { theme::ACCENT } else { theme::TEXT };
    let y = area.center().y;
    let (value, is_conflict) = page.value(row, settings);
    text::draw(&page.label(row), area.x + 16.0 * unit, y, Style::new(height, color));
    let value_color = match row {
        _ if is_conflict => theme::ALARM,
        row if page.is_locked(row, settings) => theme::FAINT,
        _ => color,
    };
    let right = area.right() - 16.0 * unit;
    let room = area.w * 0.62;
    let height = text::shrunk(&value, height, room).max(0.75 * height);
    let value = text::fitting(&value, height, room);
    text::draw(value, right, y, Style::new(height, value_color).align(Align::Right));
    let (left, palette) = (right - text::width(value, height) - 22.0 * unit, settings.palette());
    match row {
        Row::Color(person) => draw_circle(left, y, 9.0 * unit, palette.color(person as u32)),
        Row::Ship(person) => {
            own_ship::draw_sign(
                settings.people[person].ship,
                vec2(left - 6.0 * unit, y),
                8.0 * unit,
                palette.color(person as u32),
            );
        }
        _ => {}
    }
}

/// The line at a point in pixels, and the side of it: -1 or 1.
fn row_at(page: &SettingsPage, window: Vec2, hand: Hand, point: Vec2) -> Option<(usize, i32)> {
    let (count, first) = (page.rows().len(), first_shown(page, hand));
    let area = |place: usize| row_area(window, hand, count, place);
    let place = (0..count.min(most_rows(hand))).find(|place| area(*place).contains(point))?;
    Some((first + place, if point.x < area(place).center().x { -1 } else { 1 }))
}

/// Pixels for one unit of a screen that is 720 high and at least 660 wide.
fn unit(window: Vec2) -> f32 {
    (window.y / 720.0).min(window.x / 660.0).max(0.2)
}

/// The lines for fingers, between the title and the help.
fn touch_lines(window: Vec2, rows: usize) -> TouchLines {
    let room = Rect::new(6.0, TOUCH_TOP_PX, window.x - 12.0, window.y - TOUCH_TOP_PX - TOUCH_FOOT_PX);
    TouchLines::new(room, rows)
}

fn box_area(window: Vec2, hand: Hand, rows: usize) -> Rect {
    if hand == Hand::Touch {
        return touch_lines(window, rows).area;
    }
    let unit = unit(window);
    let (width, height) = (BOX_WIDTH * unit, (rows.min(MAX_ROWS) as f32 * ROW_HEIGHT + 20.0) * unit);
    Rect::new((window.x - width) / 2.0, BOX_TOP * unit, width, height)
}

fn row_area(window: Vec2, hand: Hand, rows: usize, place: usize) -> Rect {
    if hand == Hand::Touch {
        return touch_lines(window, rows).line(place);
    }
    let (area, unit) = (box_area(window, hand, rows), unit(window));
    let top = area.y + (10.0 + place as f32 * ROW_HEIGHT) * unit;
    Rect::new(area.x + 10.0 * unit, top, area.w - 20.0 * unit, ROW_HEIGHT * unit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::screens::settings::Page;
    use crate::client::unlocks::Unlocked;
    use bounty_hunter_simulation::assets::Assets;

    const WINDOWS: [(f32, f32); 4] = [(1280.0, 720.0), (3840.0, 2160.0), (400.0, 900.0), (1920.0, 500.0)];

    #[test]
    fn longest_page_fits_into_windows_of_all_shapes() {
        for window in WINDOWS.map(|(x, y)| vec2(x, y)) {
            let area = box_area(window, Hand::Keys, 50);
            assert!(area.x >= 0.0 && area.right() <= window.x, "{area:?} in {window}");
            assert!(area.bottom() <= window.y - 50.0 * unit(window), "{area:?} in {window}");
        }
    }

    #[test]
    fn line_is_found_under_the_pointer_also_on_a_page_that_scrolls() {
        let mut page = SettingsPage::new(&Assets::built_in().keymap, Hand::Keys, Unlocked::default());
        let mut settings = Settings::default();
        let keys = page.rows().len() - 2;
        page.select(keys);
        page.press(Key::Enter, &mut settings);
        let last = page.rows().len() - 1;
        page.select(last);
        let window = vec2(1280.0, 720.0);
        let lowest = row_area(window, Hand::Keys, last + 1, MAX_ROWS - 1).center() + vec2(1.0, 0.0);
        assert_eq!(row_at(&page, window, Hand::Keys, lowest), Some((last, 1)));
        assert_eq!(row_at(&page, window, Hand::Keys, vec2(1.0, 1.0)), None);
    }

    #[test]
    fn fingers_change_a_line_at_its_sides_and_find_no_line_that_waits_for_a_key() {
        let mut settings = Settings::default();
        for window in [vec2(390.0, 844.0), vec2(844.0, 390.0)] {
            let mut page = SettingsPage::new(&Assets::built_in().keymap, Hand::Touch, Unlocked::default());
            let rows = page.rows();
            assert!(!rows.contains(&Row::Open(Page::Keys)));
            for place in 0..rows.len() {
                let area = row_area(window, Hand::Touch, rows.len(), place);
                assert!(area.h >= 38.0 && area.bottom() <= window.y - TOUCH_FOOT_PX + 1.0, "{area:?} in {window}");
                let at = |x: f32| row_at(&page, window, Hand::Touch, vec2(x, area.center().y));
                assert_eq!((at(area.x + 2.0), at(area.right() - 2.0)), (Some((place, -1)), Some((place, 1))));
            }
            let music = rows.iter().position(|row| *row == Row::Music);
            let before = settings.music_percent;
            assert_eq!(page.tap(music, -1, &mut settings), Some(Request::Apply));
            assert_eq!(settings.music_percent, before - 10);
            page.tap(music, 1, &mut settings);
            assert_eq!(settings.music_percent, before);
            page.tap(rows.iter().position(|row| *row == Row::Open(Page::People)), -1, &mut settings);
            let is_for_fingers = |row: &Row| !row.is_name();
            assert!(page.rows().iter().all(is_for_fingers));
        }
    }

    #[test]
    fn click_ends_the_wait_for_a_key() {
        let (mut page, mut settings) =
            (SettingsPage::new(&Assets::built_in().keymap, Hand::Keys, Unlocked::default()), Settings::default());
        let people = page.rows().iter().position(|row| *row == Row::Open(Page::People));
        page.tap(people, 1, &mut settings);
        let before = page.help(Hand::Keys);
        page.tap(Some(0), 1, &mut settings);
        assert_eq!(page.help(Hand::Keys), "Type a name · Enter is done");
        page.tap(None, 0, &mut settings);
        assert_eq!(page.help(Hand::Keys), before);
    }
}
