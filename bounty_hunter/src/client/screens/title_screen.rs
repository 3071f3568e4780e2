//! The title screen: the name of the game, the choices and the keys.

use macroquad::math::{Rect, Vec2, vec2};
use macroquad::shapes::{draw_rectangle, draw_triangle};

use super::title::Title;
use super::title_row::Row;
use crate::client::ModeChoice;
use crate::client::drawing::gauges::draw_box;
use crate::client::drawing::text::{self, Align, Style};
use crate::client::drawing::theme::{self, faded, mixed};
use crate::client::drawing::touch_lines::TouchLines;
use crate::client::input::bindings::Action;
use crate::client::input::hand::{Controls, Hand};
use crate::client::settings::Settings;
use crate::client::translation::{tr, tr_with};
use bounty_hunter_simulation::player::{Seat, name_of};

/// The box of choices and its lines, in units of the screen.
const BOX_WIDTH: f32 = 460.0;
const ROW_HEIGHT: f32 = 24.0;
const BOX_TOP: f32 = 250.0;
/// The height of the sentence over the offer of the tutorial.
const OFFER_HEIGHT: f32 = 46.0;
/// The middle of the names of the modes.
const MODES_MIDDLE: f32 = 209.0;
/// What fingers leave free below the lines, pixels.
const TOUCH_FOOT_PX: f32 = 34.0;

/// Draws the title.
pub(crate) fn draw(title: &Title, controls: Controls<'_>, settings: &Settings, window: Vec2) {
    let (unit, hand) = (unit(window), controls.hand);
    draw_rectangle(0.0, 0.0, window.x, window.y, faded(theme::BACKGROUND, 0.5));
    let head = Head::new(window, hand);
    draw_name(&head, window);
    if hand != Hand::Touch {
        draw_modes(title, window, unit);
    }
    let description = tr(&title.mode().description);
    let letters = text::shrunk(description, 9.0 * head.unit, window.x * 0.94);
    let style = Style::new(letters, theme::TEXT).align(Align::Center);
    text::draw(description, window.x / 2.0, head.description, style);
    let area = box_area(title, window, hand);
    draw_box(area, theme::OVERLAY, faded(theme::BORDER, 0.8), 2.0);
    if title.offers_tutorial() {
        let offer = tr("New here? Learn it in two minutes");
        let height = text::shrunk(offer, 14.0 * head.unit, area.w * 0.9);
        let style = Style::new(height, theme::TEXT).align(Align::Center);
        let y = if hand == Hand::Touch { area.y - 14.0 } else { area.y + (10.0 + OFFER_HEIGHT / 2.0) * unit };
        text::draw(offer, area.center().x, y, style);
    }
    let letters = if hand == Hand::Touch { touch_lines(title, window).letters_px() } else { 13.0 * unit };
    for (index, row) in title.rows().iter().enumerate() {
        draw_row(title, *row, row_area(title, window, hand, index), letters);
    }
    if hand != Hand::Touch {
        let below = area.bottom() + 30.0 * unit;
        draw_keys(title, controls, settings, vec2(window.x / 2.0, below), unit);
    }
    let (help, color) = match title.problem() {
        Some(problem) => (problem, theme::ALARM),
        None => (help(title, hand), theme::FAINT),
    };
    let unit = head.unit;
    let height = text::shrunk(help, 9.0 * unit, window.x * 0.95);
    let style = Style::new(height, color).align(Align::Center);
    text::draw(help, window.x / 2.0, window.y - 18.0 * unit, style);
}

/// What keys, buttons or fingers do on the title.
fn help(title: &Title, hand: Hand) -> &'static str {
    match hand {
        Hand::Keys if title.draws_seeds() => tr("← levels · → another seed · Enter confirms"),
        Hand::Keys => tr("↑ ↓ select · ← → change · Enter confirms"),
        Hand::Pad => tr("The cross selects and changes · A confirms"),
        Hand::Touch if title.humans() == 0 => tr("No people: watch the AIs"),
        Hand::Touch if title.mode().has_spells => tr("Drag anywhere to drive · buttons cast spells"),
        Hand::Touch => tr("Drag anywhere to drive"),
    }
}

/// The line at a point in pixels, and the direction of the choice: -1 or 1.
pub(crate) fn row_at(title: &Title, window: Vec2, hand: Hand, point: Vec2) -> Option<(Row, i32)> {
    let index = (0..title.rows().len()).find(|index| row_area(title, window, hand, *index).contains(point))?;
    // A click to the left of the middle of the choice goes back.
    let area = row_area(title, window, hand, index);
    let middle = area.x + area.w * 0.73;
    Some((title.rows()[index], if point.x < middle { -1 } else { 1 }))
}

/// Where what stands above the lines is, pixels.
struct Head {
    unit: f32,
    name: f32,
    letters: f32,
    /// What the game is about, where there is room for it.
    motto: Option<f32>,
    description: f32,
    lines: f32,
}

impl Head {
    fn new(window: Vec2, hand: Hand) -> Self {
        let unit = match hand {
            Hand::Touch => (window.y / 430.0).min(window.x / 430.0).max(0.2),
            _ => unit(window),
        };
        let at = |name, letters, motto: Option<f32>, description, lines| Self {
            unit,
            name: name * unit,
            letters: letters * unit,
            motto: motto.map(|motto| motto * unit),
            description: description * unit,
            lines: lines * unit,
        };
        match hand {
            Hand::Touch if window.x >= window.y => at(32.0, 34.0, None, 70.0, 88.0),
            Hand::Touch => at(64.0, 56.0, Some(112.0), 144.0, 172.0),
            _ => at(118.0, 62.0, Some(183.0), 231.0, BOX_TOP),
        }
    }
}

fn draw_name(head: &Head, window: Vec2) {
    let (x, y) = (window.x / 2.0, head.name);
    let height = text::shrunk("Bounty Hunter", head.letters, window.x * 0.9);
    for (weight, share) in [(2.7, 0.10), (1.9, 0.24)] {
        let glow = Style::new(height, mixed(theme::BACKGROUND, theme::ACCENT, share)).align(Align::Center);
        text::draw("Bounty Hunter", x, y, glow.weight(weight));
    }
    let style = Style::new(height, theme::ACCENT).align(Align::Center).weight(1.1);
    text::draw("Bounty Hunter", x, y, style);
    if let Some(motto) = head.motto {
        let line = Style::new(10.0 * head.unit, theme::TEXT).align(Align::Center);
        text::draw(tr("Grab it · Bring it home · Do not crash"), x, motto, line);
    }
}

/// The index of the mode whose name is at a point in pixels; none while only the tutorial is offered, and none for
/// fingers, for which the names would be small.
pub(crate) fn mode_at(title: &Title, window: Vec2, hand: Hand, point: Vec2) -> Option<usize> {
    if title.offers_tutorial() || hand == Hand::Touch {
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

/// Draws the names of all modes, the chosen one bright.
fn draw_modes(title: &Title, window: Vec2, unit: f32) {
    let (height, areas) = mode_areas(title, window);
    for (mode, area) in title.modes().iter().zip(areas) {
        let is_chosen = mode == title.mode();
        let style = Style::new(height, if is_chosen { theme::ACCENT } else { theme::FAINT }).align(Align::Center);
        let (middle, y) = (area.center().x, MODES_MIDDLE * unit);
        text::draw(tr(&mode.title), middle, y, style.weight(if is_chosen { 1.15 } else { 1.0 }));
    }
}

fn draw_row(title: &Title, row: Row, area: Rect, height: f32) {
    let unit = height / 13.0;
    let is_selected = title.selected() == row;
    if is_selected {
        draw_rectangle(area.x, area.y, area.w, area.h, faded(theme::ACCENT, 0.16));
    }
    let color = if is_selected { theme::ACCENT } else { theme::TEXT };
    let y = area.center().y;
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
fn draw_keys(title: &Title, controls: Controls<'_>, settings: &Settings, top: Vec2, unit: f32) {
    let humans = title.humans();
    if humans == 0 {
        let style = Style::new(10.0 * unit, theme::FAINT).align(Align::Center);
        text::draw(tr("No people: watch the AIs"), top.x, top.y + 4.0 * unit, style);
        return;
    }
    let palette = settings.palette();
    for index in 0..controls.keymap.people.len().min(humans as usize) {
        let y = top.y + index as f32 * 22.0 * unit;
        let color = palette.color(index as u32);
        let name = settings.people.get(index).map_or("", |person| person.name.as_str());
        let name = if name.is_empty() { name_of(&Seat::Human { person: index as u8 }, 0) } else { name.to_owned() };
        let left = top.x - BOX_WIDTH * 0.5 * unit;
        text::draw(&name, left, y, Style::new(10.0 * unit, color));
        let line = keys_text(controls, index, title.mode().has_spells);
        let room = BOX_WIDTH * unit - text::width(&name, 10.0 * unit) - 12.0 * unit;
        let style = Style::new(text::shrunk(&line, 10.0 * unit, room), theme::TEXT).align(Align::Right);
        text::draw(&line, top.x + BOX_WIDTH * 0.5 * unit, y, style);
    }
}

/// What the keys, or the buttons of the pad, of a person do.
fn keys_text(controls: Controls<'_>, person: usize, has_spells: bool) -> String {
    let label = |action| controls.label(action);
    let driving = match controls.hand {
        Hand::Pad => tr("the stick drives and turns").to_owned(),
        _ => tr_with(
            "{forward} go · {left} {right} turn · {reverse} back",
            &[
                ("forward", &label(Action::Forward(person))),
                ("left", &label(Action::Left(person))),
                ("right", &label(Action::Right(person))),
                ("reverse", &label(Action::Reverse(person))),
            ],
        ),
    };
    let spells = [Action::Purge(person), Action::Strike(person), Action::Magnet(person)];
    let has_keys = spells.iter().any(|spell| !spell.keys(controls.keymap).is_empty());
    if !has_spells || !has_keys && controls.hand == Hand::Keys {
        return driving;
    }
    let spells = spells.map(label);
    tr_with("{driving} · {spells} spells", &[("driving", &driving), ("spells", &spells.join(" "))])
}

/// Pixels for one unit of a screen that is 720 high and at least 500 wide.
fn unit(window: Vec2) -> f32 {
    (window.y / 720.0).min(window.x / 500.0).max(0.2)
}

/// The lines for fingers, below the head.
fn touch_lines(title: &Title, window: Vec2) -> TouchLines {
    let top = Head::new(window, Hand::Touch).lines + if title.offers_tutorial() { 28.0 } else { 0.0 };
    let room = Rect::new(6.0, top, window.x - 12.0, window.y - top - TOUCH_FOOT_PX);
    TouchLines::new(room, title.rows().len())
}

fn box_area(title: &Title, window: Vec2, hand: Hand) -> Rect {
    if hand == Hand::Touch {
        return touch_lines(title, window).area;
    }
    let unit = unit(window);
    let height = (head(title) + title.rows().len() as f32 * ROW_HEIGHT + 20.0) * unit;
    let width = BOX_WIDTH * unit;
    Rect::new((window.x - width) / 2.0, BOX_TOP * unit, width, height)
}

/// The height above the lines.
fn head(title: &Title) -> f32 {
    if title.offers_tutorial() { OFFER_HEIGHT } else { 0.0 }
}

fn row_area(title: &Title, window: Vec2, hand: Hand, index: usize) -> Rect {
    if hand == Hand::Touch {
        return touch_lines(title, window).line(index);
    }
    let (area, unit) = (box_area(title, window, hand), unit(window));
    let top = area.y + (10.0 + head(title) + index as f32 * ROW_HEIGHT) * unit;
    Rect::new(area.x + 10.0 * unit, top, area.w - 20.0 * unit, ROW_HEIGHT * unit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::PlayOptions;
    use crate::client::sample::{daily, options};
    use bounty_hunter_simulation::assets::Assets;

    /// The title with all lines, and with the offer of the tutorial.
    fn titles() -> [Title; 3] {
        let all = Title::new(&PlayOptions { daily: Some(daily(2)), ..options() });
        let mut offering = all.clone();
        offering.offer_tutorial(true);
        [all, offering, Title::new(&options())]
    }

    /// Windows of all shapes, and those of phones.
    const WINDOWS: [(f32, f32, Hand); 6] = [
        (1280.0, 720.0, Hand::Keys),
        (400.0, 900.0, Hand::Keys),
        (800.0, 600.0, Hand::Pad),
        (1920.0, 500.0, Hand::Keys),
        (390.0, 844.0, Hand::Touch),
        (844.0, 390.0, Hand::Touch),
    ];

    #[test]
    fn every_line_is_found_at_its_place_in_windows_of_all_shapes() {
        for title in titles() {
            for (width, height, hand) in WINDOWS {
                let window = vec2(width, height);
                for (index, row) in title.rows().iter().enumerate() {
                    let area = row_area(&title, window, hand, index);
                    let back = vec2(area.x + area.w * 0.55, area.center().y);
                    assert_eq!(row_at(&title, window, hand, back), Some((*row, -1)));
                    assert_eq!(
                        row_at(&title, window, hand, vec2(area.right() - 2.0, area.center().y)),
                        Some((*row, 1))
                    );
                    assert!(hand != Hand::Touch || area.h >= 38.0, "{area:?} is too low for a thumb");
                }
                assert_eq!(row_at(&title, window, hand, vec2(1.0, 1.0)), None);
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
                assert_eq!(mode_at(&title, window, Hand::Keys, area.center()), Some(index));
                assert_eq!(mode_at(&title, window, Hand::Touch, area.center()), None);
            }
            assert_eq!(mode_at(&title, window, Hand::Keys, vec2(areas[0].center().x, window.y - 1.0)), None);
        }
    }

    #[test]
    fn choices_fit_into_the_window() {
        for title in titles() {
            for (width, height, hand) in WINDOWS {
                let (window, rows) = (vec2(width, height), title.rows().len());
                let area = box_area(&title, window, hand);
                assert!(area.x >= 0.0 && area.right() <= window.x && area.bottom() <= window.y, "{area:?} in {window}");
                assert!(row_area(&title, window, hand, rows - 1).bottom() <= area.bottom());
            }
        }
    }

    #[test]
    fn hints_speak_of_what_is_in_hand() {
        let (title, keymap) = (Title::new(&options()), Assets::built_in().keymap);
        let text = |hand| keys_text(Controls { hand, keymap: &keymap }, 0, true);
        assert!(text(Hand::Keys).starts_with("W go"), "{}", text(Hand::Keys));
        assert_eq!(text(Hand::Pad), "the stick drives and turns · X Y R spells");
        assert!(help(&title, Hand::Keys).contains("Enter") && help(&title, Hand::Pad).contains("A confirms"));
        assert_eq!(help(&title, Hand::Touch), "Drag anywhere to drive");
    }
}
