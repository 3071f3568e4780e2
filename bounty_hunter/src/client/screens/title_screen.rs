//! The title screen: the name of the game, the choices and the keys.

use macroquad::math::{Rect, Vec2, vec2};
use macroquad::shapes::{draw_rectangle, draw_triangle};

use super::title::Title;
use super::title_row::Row;
use crate::client::ModeChoice;
use crate::client::drawing::gauges::draw_box;
use crate::client::drawing::text::{self, Align, Style};
use crate::client::drawing::theme::{self, faded, mixed};
use crate::client::input::keys;
use crate::client::settings::Settings;
use crate::client::translation::{tr, tr_with};
use bounty_hunter_simulation::keymap::{Keymap, PersonKeys};
use bounty_hunter_simulation::player::{Seat, name_of};

/// The box of choices and its lines, in units of the screen.
const BOX_WIDTH: f32 = 460.0;
const ROW_HEIGHT: f32 = 24.0;
const BOX_TOP: f32 = 250.0;
/// The height of the sentence over the offer of the tutorial.
const OFFER_HEIGHT: f32 = 46.0;
/// The middle of the names of the modes.
const MODES_MIDDLE: f32 = 209.0;

/// Draws the title.
pub(crate) fn draw(title: &Title, keymap: &Keymap, settings: &Settings, window: Vec2) {
    let unit = unit(window);
    draw_rectangle(0.0, 0.0, window.x, window.y, faded(theme::BACKGROUND, 0.5));
    draw_name(window, unit);
    draw_modes(title, window, unit);
    let area = box_area(title, window);
    draw_box(area, theme::OVERLAY, faded(theme::BORDER, 0.8), 2.0);
    if title.offers_tutorial() {
        let offer = tr("New here? Learn it in two minutes");
        let height = text::shrunk(offer, 14.0 * unit, area.w * 0.9);
        let style = Style::new(height, theme::TEXT).align(Align::Center);
        text::draw(offer, area.center().x, area.y + (10.0 + OFFER_HEIGHT / 2.0) * unit, style);
    }
    for (index, row) in title.rows().iter().enumerate() {
        draw_row(title, *row, row_area(title, window, index), unit);
    }
    let below = area.bottom() + 30.0 * unit;
    draw_keys(title, keymap, settings, vec2(window.x / 2.0, below), unit);
    let (help, color) = match title.problem() {
        Some(problem) => (problem, theme::ALARM),
        None if title.draws_seeds() => (tr("← levels · → another seed · Enter confirms"), theme::FAINT),
        None => (tr("↑ ↓ select · ← → change · Enter confirms"), theme::FAINT),
    };
    let height = text::shrunk(help, 9.0 * unit, window.x * 0.95);
    let style = Style::new(height, color).align(Align::Center);
    text::draw(help, window.x / 2.0, window.y - 18.0 * unit, style);
}

/// The line at a point in pixels, and the direction of the choice: -1 or 1.
pub(crate) fn row_at(title: &Title, window: Vec2, point: Vec2) -> Option<(Row, i32)> {
    let index = (0..title.rows().len()).find(|index| row_area(title, window, *index).contains(point))?;
    // A click to the left of the middle of the choice goes back.
    let middle = row_area(title, window, index).x + row_area(title, window, index).w * 0.73;
    Some((title.rows()[index], if point.x < middle { -1 } else { 1 }))
}

fn draw_name(window: Vec2, unit: f32) {
    let (x, y) = (window.x / 2.0, 118.0 * unit);
    let height = text::shrunk("Bounty Hunter", 62.0 * unit, window.x * 0.9);
    for (weight, share) in [(2.7, 0.10), (1.9, 0.24)] {
        let glow = Style::new(height, mixed(theme::BACKGROUND, theme::ACCENT, share)).align(Align::Center);
        text::draw("Bounty Hunter", x, y, glow.weight(weight));
    }
    let style = Style::new(height, theme::ACCENT).align(Align::Center).weight(1.1);
    text::draw("Bounty Hunter", x, y, style);
    let line = Style::new(10.0 * unit, theme::TEXT).align(Align::Center);
    text::draw(tr("Grab it · Bring it home · Do not crash"), x, y + 65.0 * unit, line);
}

/// The index of the mode whose name is at a point in pixels; none while only the tutorial is offered.
pub(crate) fn mode_at(title: &Title, window: Vec2, point: Vec2) -> Option<usize> {
    if title.offers_tutorial() {
        return None;
    }
    mode_areas(title, window).1.iter().position(|area| area.contains(point))
}

/// The height of the letters of the modes' names, and the area of each name with half of the gaps beside it, pixels.
fn mode_areas(title: &Title, window: Vec2) -> (f32, Vec<Rect>) {
    const LETTERS: f32 = 11.0;
    const GAP: f32 = 26.0;
    let width = |mode: &ModeChoice| text::width(tr(&mode.title), LETTERS) + GAP;
    let all: f32 = title.modes().iter().map(width).sum();
    let unit = unit(window).min(window.x / all);
    let mut left = (window.x - all * unit) / 2.0;
    let areas = title.modes().iter().map(|mode| {
        let area =
            Rect::new(left, (MODES_MIDDLE - LETTERS) * self::unit(window), width(mode) * unit, 2.0 * LETTERS * unit);
        left += area.w;
        area
    });
    (LETTERS * unit, areas.collect())
}

/// Draws the names of all modes, the chosen one bright, and its description.
fn draw_modes(title: &Title, window: Vec2, unit: f32) {
    let (height, areas) = mode_areas(title, window);
    for (mode, area) in title.modes().iter().zip(areas) {
        let is_chosen = mode == title.mode();
        let style = Style::new(height, if is_chosen { theme::ACCENT } else { theme::FAINT }).align(Align::Center);
        let (middle, y) = (area.center().x, MODES_MIDDLE * unit);
        text::draw(tr(&mode.title), middle, y, style.weight(if is_chosen { 1.15 } else { 1.0 }));
    }
    let description = tr(&title.mode().description);
    let height = text::shrunk(description, 9.0 * unit, window.x * 0.94);
    text::draw(description, window.x / 2.0, 231.0 * unit, Style::new(height, theme::TEXT).align(Align::Center));
}

fn draw_row(title: &Title, row: Row, area: Rect, unit: f32) {
    let is_selected = title.selected() == row;
    if is_selected {
        draw_rectangle(area.x, area.y, area.w, area.h, faded(theme::ACCENT, 0.16));
    }
    let color = if is_selected { theme::ACCENT } else { theme::TEXT };
    let (y, height) = (area.center().y, 13.0 * unit);
    let style = Style::new(height, color);
    let left = area.x + 22.0 * unit;
    if !row.has_choice() {
        let label = match title.choice(row) {
            note if note.is_empty() => row.label().to_owned(),
            note => format!("{} · {note}", row.label()),
        };
        let style = Style::new(text::shrunk(&label, height, area.w * 0.96), color);
        text::draw(&label, area.center().x, y, style.align(Align::Center).weight(1.15));
        return;
    }
    text::draw(row.label(), left, y, style);
    let middle = area.x + area.w * 0.73;
    let choice = title.choice(row);
    let choice = text::fitting(&choice, height, area.w * 0.40);
    text::draw(choice, middle, y, style.align(Align::Center));
    for direction in [-1.0, 1.0] {
        let tip = vec2(middle + direction * area.w * 0.24, y);
        let back = tip - vec2(direction * 9.0 * unit, 0.0);
        let side = vec2(0.0, 6.0 * unit);
        draw_triangle(tip, back + side, back - side, faded(color, 0.7));
    }
}

/// Draws the keys of each person, in the chosen mode.
fn draw_keys(title: &Title, keymap: &Keymap, settings: &Settings, top: Vec2, unit: f32) {
    let humans = title.humans();
    if humans == 0 {
        let style = Style::new(10.0 * unit, theme::FAINT).align(Align::Center);
        text::draw(tr("No people: watch the AIs"), top.x, top.y + 4.0 * unit, style);
        return;
    }
    let palette = settings.palette();
    for (index, person) in keymap.people.iter().take(humans as usize).enumerate() {
        let y = top.y + index as f32 * 22.0 * unit;
        let color = palette.color(index as u32);
        let name = settings.people.get(index).map_or("", |person| person.name.as_str());
        let name = if name.is_empty() { name_of(&Seat::Human { person: index as u8 }, 0) } else { name.to_owned() };
        let left = top.x - BOX_WIDTH * 0.5 * unit;
        text::draw(&name, left, y, Style::new(10.0 * unit, color));
        let line = keys_text(person, title.mode().has_spells);
        let room = BOX_WIDTH * unit - text::width(&name, 10.0 * unit) - 12.0 * unit;
        let style = Style::new(text::shrunk(&line, 10.0 * unit, room), theme::TEXT).align(Align::Right);
        text::draw(&line, top.x + BOX_WIDTH * 0.5 * unit, y, style);
    }
}

/// What the keys of a person do.
fn keys_text(person: &PersonKeys, has_spells: bool) -> String {
    let [forward, reverse, left, right] =
        [&person.forward, &person.reverse, &person.left, &person.right].map(|keys| keys::first_label(keys));
    let driving = tr_with(
        "{forward} go · {left} {right} turn · {reverse} back",
        &[("forward", &forward), ("left", &left), ("right", &right), ("reverse", &reverse)],
    );
    let spells = [&person.purge, &person.strike, &person.magnet];
    if !has_spells || spells.iter().all(|keys| keys.is_empty()) {
        return driving;
    }
    let spells = spells.map(|keys| keys::first_label(keys));
    tr_with("{driving} · {spells} spells", &[("driving", &driving), ("spells", &spells.join(" "))])
}

/// Pixels for one unit of a screen that is 720 high and at least 500 wide.
fn unit(window: Vec2) -> f32 {
    (window.y / 720.0).min(window.x / 500.0).max(0.2)
}

fn box_area(title: &Title, window: Vec2) -> Rect {
    let unit = unit(window);
    let height = (head(title) + title.rows().len() as f32 * ROW_HEIGHT + 20.0) * unit;
    let width = BOX_WIDTH * unit;
    Rect::new((window.x - width) / 2.0, BOX_TOP * unit, width, height)
}

/// The height above the lines.
fn head(title: &Title) -> f32 {
    if title.offers_tutorial() { OFFER_HEIGHT } else { 0.0 }
}

fn row_area(title: &Title, window: Vec2, index: usize) -> Rect {
    let (area, unit) = (box_area(title, window), unit(window));
    let top = area.y + (10.0 + head(title) + index as f32 * ROW_HEIGHT) * unit;
    Rect::new(area.x + 10.0 * unit, top, area.w - 20.0 * unit, ROW_HEIGHT * unit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::PlayOptions;
    use crate::client::sample::{daily, options};

    /// The title with all lines, and with the offer of the tutorial.
    fn titles() -> [Title; 3] {
        let all = Title::new(&PlayOptions { daily: Some(daily(2)), ..options() });
        let mut offering = all.clone();
        offering.offer_tutorial(true);
        [all, offering, Title::new(&options())]
    }

    #[test]
    fn every_line_is_found_at_its_place_in_windows_of_all_shapes() {
        for title in titles() {
            for window in [vec2(1280.0, 720.0), vec2(400.0, 900.0), vec2(1920.0, 500.0)] {
                for (index, row) in title.rows().iter().enumerate() {
                    let area = row_area(&title, window, index);
                    let back = vec2(area.x + area.w * 0.55, area.center().y);
                    assert_eq!(row_at(&title, window, back), Some((*row, -1)));
                    assert_eq!(row_at(&title, window, vec2(area.right() - 2.0, area.center().y)), Some((*row, 1)));
                }
                assert_eq!(row_at(&title, window, vec2(1.0, 1.0)), None);
            }
        }
    }

    #[test]
    fn each_mode_is_found_at_its_name_in_windows_of_all_shapes() {
        let title = Title::new(&options());
        for window in [vec2(1280.0, 720.0), vec2(400.0, 900.0), vec2(100.0, 500.0), vec2(1920.0, 500.0)] {
            let (letters, areas) = mode_areas(&title, window);
            assert_eq!(areas.len(), title.modes().len());
            for (index, area) in areas.iter().enumerate() {
                assert!(area.x >= -0.1 && area.right() <= window.x + 0.1, "{area:?} in {window}");
                assert!(text::width(&title.modes()[index].title, letters) < area.w);
                assert!(area.y < MODES_MIDDLE * unit(window) && area.bottom() > area.y + letters);
                assert_eq!(mode_at(&title, window, area.center()), Some(index));
            }
            assert_eq!(mode_at(&title, window, vec2(areas[0].center().x, window.y - 1.0)), None);
        }
    }

    #[test]
    fn choices_fit_into_the_window() {
        for (title, window) in titles().iter().zip([vec2(1280.0, 720.0), vec2(400.0, 900.0), vec2(800.0, 600.0)]) {
            for window in [window, vec2(1920.0, 500.0)] {
                let area = box_area(title, window);
                assert!(area.x >= 0.0 && area.right() <= window.x && area.bottom() <= window.y, "{area:?} in {window}");
                let rows = title.rows().len();
                assert!(row_area(title, window, rows - 1).bottom() <= area.bottom());
            }
        }
    }
}
