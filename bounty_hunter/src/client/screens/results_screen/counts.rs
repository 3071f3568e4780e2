//! The table of event counts, in columns side by side.

use std::collections::BTreeMap;

use super::rows::{Rows, TABLE_ROWS};
use super::sheet::Sheet;
use crate::client::drawing::text::{Align, Style};
use crate::client::drawing::theme;

/// Number of columns.
const COUNT_COLUMNS: usize = 2;
const LETTERS: f32 = 9.0;
/// The gap between two columns, and the width of a number.
const GAP: f32 = 22.0;
const NUMBER_WIDTH: f32 = 60.0;

/// Number of lines of the table.
pub(super) fn lines_of(events: &BTreeMap<String, i64>) -> usize {
    events.len().div_ceil(COUNT_COLUMNS)
}

/// Draws the table between two shares of the width, from line `first`.
pub(super) fn draw(sheet: &Sheet, rows: Rows, events: &BTreeMap<String, i64>, (left, right): (f32, f32), first: usize) {
    let (left, right) = (sheet.at_share(left), sheet.at_share(right));
    let lines = lines_of(events);
    let width = (right - left - GAP * (COUNT_COLUMNS as f32 - 1.0)) / COUNT_COLUMNS as f32;
    let head = Style::new(LETTERS, theme::FAINT);
    sheet.write("Event counts", left, rows.head(), right - left, head);
    for (index, (event, sent)) in events.iter().enumerate() {
        let (column, line) = (index / lines, index % lines);
        if !(first..first + TABLE_ROWS).contains(&line) {
            continue;
        }
        let (x, y) = (left + column as f32 * (width + GAP), rows.middle(line - first));
        sheet.write(&in_words(event), x, y, width - NUMBER_WIDTH, Style::new(LETTERS, theme::TEXT));
        let number = Style::new(LETTERS, theme::ACCENT).align(Align::Right);
        sheet.write(&sent.to_string(), x + width, y, NUMBER_WIDTH - 6.0, number);
    }
    sheet.draw_scroll_bar(rows.top(), rows.bottom(), first, TABLE_ROWS, lines);
}

/// The name of a type in words: `BountyCollected` is "Bounty collected".
fn in_words(name: &str) -> String {
    let mut words = String::with_capacity(name.len() + 4);
    for (index, letter) in name.chars().enumerate() {
        if letter.is_uppercase() && index > 0 {
            words.push(' ');
            words.extend(letter.to_lowercase());
        } else {
            words.push(letter);
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_events_are_shown_as_words() {
        assert_eq!(in_words("BountyCollected"), "Bounty collected");
        assert_eq!(
            (in_words("KeyDown").as_str(), in_words("killed").as_str(), in_words("")),
            ("Key down", "killed", String::new())
        );
    }
}
