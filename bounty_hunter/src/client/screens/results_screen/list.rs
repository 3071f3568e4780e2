//! The list of matches.

use macroquad::math::Vec2;
use macroquad::shapes::draw_rectangle;

use super::browser::{Browser, LIST_ROWS};
use super::sheet::Sheet;
use crate::client::drawing::palette::Palette;
use crate::client::drawing::text::{Align, Style};
use crate::client::drawing::theme::{self, faded};
use crate::client::hud;
use crate::client::hud::standings::ordinal;
use crate::client::picture::bodies;
use crate::client::translation::{tr, tr_later, tr_level, tr_mode, tr_player};
use bounty_hunter_simulation::results::MatchSummary;

const LETTERS: f32 = 10.5;
const HEAD_LETTERS: f32 = 9.0;
/// Heights from the top of the box, and the height of a row.
const HEAD: f32 = 24.0;
const FIRST_ROW: f32 = 44.0;
const ROW_HEIGHT: f32 = 36.0;
/// Width of the badge before the name of the winner.
const BADGE_WIDTH: f32 = 24.0;
const WINNER: usize = 5;
const PLACE: usize = 7;

/// A column between two shares of the width.
struct Column {
    title: &'static str,
    left: f32,
    right: f32,
    align: Align,
}

const fn left(title: &'static str, left: f32, right: f32) -> Column {
    Column { title, left, right, align: Align::Left }
}

const fn right(title: &'static str, left: f32, right: f32) -> Column {
    Column { title, left, right, align: Align::Right }
}

const COLUMNS: [Column; 8] = [
    left(tr_later("Ended (UTC)"), 0.0, 0.18),
    left(tr_later("Mode"), 0.2, 0.32),
    left(tr_later("Level"), 0.335, 0.43),
    right(tr_later("Players"), 0.435, 0.515),
    right(tr_later("Length"), 0.525, 0.595),
    left(tr_later("Winner"), 0.625, 0.805),
    right(tr_later("Your stash"), 0.81, 0.915),
    right(tr_later("Place"), 0.925, 1.0),
];

/// The texts of a line.
fn cells(summary: &MatchSummary) -> [String; COLUMNS.len()] {
    let minutes: String = summary.ended_at.chars().take("2026-11-21 20:15".len()).collect();
    let unless_odd = |field: &str, text: String| if summary.is_odd(field) { "?".to_owned() } else { text };
    let person = summary.best_person.as_ref();
    [
        unless_odd("ended_at", minutes),
        unless_odd("mode", tr_mode(&summary.mode)),
        unless_odd("level", tr_level(&summary.level)),
        unless_odd("players", summary.players.to_string()),
        unless_odd("seconds", hud::clock_text(summary.seconds as f32)),
        unless_odd("winner", summary.winner_name.as_deref().map_or_else(|| tr("Draw").to_owned(), tr_player)),
        person.map_or_else(|| "–".to_owned(), |person| format!("{:.0}", person.stashed)),
        person.map_or_else(|| "–".to_owned(), |person| ordinal(person.place)),
    ]
}

pub(super) fn draw(sheet: &Sheet, browser: &Browser) {
    let (left, right) = sheet.inner();
    for Column { title, left, right, align } in &COLUMNS {
        let (x, room) = place(sheet, *left, *right, *align);
        sheet.write(tr(title), x, sheet.top() + HEAD, room, Style::new(HEAD_LETTERS, theme::FAINT).align(*align));
    }
    sheet.rule(left, right, sheet.top() + FIRST_ROW - 6.0);
    for (row, (_, summary, is_selected)) in browser.shown().enumerate() {
        draw_line(sheet, row, summary, is_selected);
    }
    let (top, bottom) = (row_top(sheet, 0), row_top(sheet, LIST_ROWS));
    sheet.draw_scroll_bar(top, bottom, browser.top(), LIST_ROWS, browser.matches().len());
}

fn draw_line(sheet: &Sheet, row: usize, summary: &MatchSummary, is_selected: bool) {
    let (left, right) = sheet.inner();
    let top = row_top(sheet, row);
    if is_selected {
        let area = sheet.area(left - 12.0, top, right - left + 18.0, ROW_HEIGHT);
        draw_rectangle(area.x, area.y, area.w, area.h, faded(theme::ACCENT, 0.16));
    }
    let y = top + ROW_HEIGHT / 2.0;
    let has_won = summary.best_person.as_ref().is_some_and(|person| person.place == 1);
    for (index, (column, cell)) in COLUMNS.iter().zip(cells(summary)).enumerate() {
        let (mut x, mut room) = place(sheet, column.left, column.right, column.align);
        let mut color = if is_selected { theme::ACCENT } else { theme::TEXT };
        match summary.winner {
            Some(winner) if index == WINNER => {
                bodies::draw_badge(&Palette::default(), winner, sheet.pixels(x + 7.0, y), sheet.length(7.0));
                (x, room) = (x + BADGE_WIDTH, room - BADGE_WIDTH);
            }
            _ if index == PLACE && has_won => color = theme::ACCENT,
            _ => {}
        }
        sheet.write(&cell, x, y, room, Style::new(LETTERS, color).align(column.align));
    }
}

/// The index of the line at a point in pixels.
pub(super) fn line_at(sheet: &Sheet, browser: &Browser, point: Vec2) -> Option<usize> {
    let (left, right) = sheet.inner();
    let mut lines = browser.shown().enumerate();
    let is_there = |row| sheet.area(left, row_top(sheet, row), right - left, ROW_HEIGHT).contains(point);
    lines.find(|(row, _)| is_there(*row)).map(|(_, (index, ..))| index)
}

fn row_top(sheet: &Sheet, row: usize) -> f32 {
    sheet.top() + FIRST_ROW + row as f32 * ROW_HEIGHT
}

/// The anchor of the text of a column, and its width.
fn place(sheet: &Sheet, left: f32, right: f32, align: Align) -> (f32, f32) {
    let (left, right) = (sheet.at_share(left), sheet.at_share(right));
    (if align == Align::Right { right } else { left }, right - left)
}

#[cfg(test)]
mod tests {
    use macroquad::math::vec2;

    use super::*;
    use crate::client::drawing::text;
    use crate::client::sample::{SampleMatches, match_summary};

    #[test]
    fn columns_do_not_overlap_and_hold_usual_texts() {
        let sheet = Sheet::new(vec2(800.0, 600.0));
        assert!(COLUMNS.windows(2).all(|pair| pair[0].right <= pair[1].left));
        let mut summary = match_summary(1);
        (summary.mode, summary.level, summary.players) = ("power-ups".into(), "crossing".into(), 1_000);
        summary.winner_name = Some("Player #999".into());
        for (index, (column, cell)) in COLUMNS.iter().zip(cells(&summary)).enumerate() {
            let (_, room) = place(&sheet, column.left, column.right, column.align);
            let room = if index == WINNER { room - BADGE_WIDTH } else { room };
            assert!(text::width(&cell, LETTERS) <= room, "{cell:?} in {}", column.title);
            assert!(text::width(column.title, HEAD_LETTERS) <= room, "{}", column.title);
        }
    }

    #[test]
    fn line_shows_the_winner_and_the_best_person() {
        let mut summary = match_summary(1);
        let expected = ["2026-11-21 20:15", "classic", "Arena", "4", "1:30", "BountyHunter", "1000", "1st"];
        assert_eq!(cells(&summary), expected);
        (summary.best_person, summary.winner_name) = (None, None);
        assert_eq!(cells(&summary)[5..], ["Draw", "–", "–"]);
    }

    #[test]
    fn every_line_is_found_at_its_place_inside_the_box() {
        let matches = SampleMatches::of(40);
        let mut browser = Browser::new(Some(&matches));
        browser.select(30);
        for window in [vec2(1280.0, 720.0), vec2(800.0, 600.0), vec2(400.0, 900.0)] {
            let sheet = Sheet::new(window);
            assert!(row_top(&sheet, LIST_ROWS) <= sheet.bottom());
            for row in 0..LIST_ROWS {
                let middle = sheet.pixels(sheet.center(), row_top(&sheet, row) + ROW_HEIGHT / 2.0);
                assert_eq!(line_at(&sheet, &browser, middle), Some(browser.top() + row));
            }
            assert_eq!(line_at(&sheet, &browser, vec2(1.0, 1.0)), None);
        }
    }
}
