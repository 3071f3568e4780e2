//! [`Cells`]: reads a row that any program may have written. A value that cannot be is replaced and told, so that one
//! odd row hides no other.

use std::fmt::Display;
use std::ops::RangeInclusive;

use bounty_hunter::name;
use bounty_hunter::simulation::MAX_PLAYERS;
use rusqlite::Row;
use rusqlite::types::ValueRef;

/// The most characters of a text.
const MAX_CHARACTERS: usize = 100;
/// The seconds since 1970 of the dates with four digits.
const DATES: RangeInclusive<i64> = 0..=253_402_300_799;

/// The limits of what a program can have stored.
pub(super) const PLAYERS: RangeInclusive<i64> = 0..=MAX_PLAYERS as i64;
pub(super) const TICKS: RangeInclusive<i64> = 0..=10_000_000_000;
pub(super) const SECONDS: RangeInclusive<f64> = 0.0..=10_000_000.0;
pub(super) const POINTS: RangeInclusive<f64> = 0.0..=1e12;

/// The values of a row, and what is odd about them: sentences that begin with the name of the column.
pub(super) struct Cells<'r> {
    row: &'r Row<'r>,
    pub(super) odd: Vec<String>,
}

impl<'r> Cells<'r> {
    pub(super) fn of(row: &'r Row<'r>) -> Self {
        Self { row, odd: Vec::new() }
    }

    /// The value in a column, by its index; a column that the query does not have is NULL.
    fn value(&self, index: usize) -> ValueRef<'r> {
        self.row.get_ref(index).unwrap_or(ValueRef::Null)
    }

    fn note(&mut self, column: &str, problem: impl Display) {
        self.odd.push(format!("{column} {problem}"));
    }

    /// A text in one line that can be shown.
    pub(super) fn text(&mut self, index: usize, column: &str) -> String {
        let ValueRef::Text(bytes) = self.value(index) else {
            self.note(column, "is no text");
            return String::new();
        };
        let text = String::from_utf8_lossy(bytes);
        let (problem, characters) = (name::problem_in(&text), text.chars().count());
        if std::str::from_utf8(bytes).is_err() {
            self.note(column, "is not UTF-8");
        } else if let Some(problem) = problem {
            self.note(column, problem);
        } else if characters > MAX_CHARACTERS {
            self.note(column, format_args!("has {characters} characters, at most {MAX_CHARACTERS} are usual"));
        } else {
            return text.into_owned();
        }
        name::Name::<MAX_CHARACTERS>::cleaned(&text).into()
    }

    /// A whole number within limits, otherwise 0.
    pub(super) fn whole(&mut self, index: usize, column: &str, limits: RangeInclusive<i64>) -> i64 {
        match self.value(index) {
            ValueRef::Integer(number) if limits.contains(&number) => return number,
            ValueRef::Integer(number) => {
                self.note(column, format_args!("is {number}, {} to {} are possible", limits.start(), limits.end()));
            }
            other => self.note(column, format_args!("is no whole number but {}", other.data_type())),
        }
        0
    }

    /// A small whole number within limits, otherwise 0.
    pub(super) fn count(&mut self, index: usize, column: &str, limits: RangeInclusive<i64>) -> u32 {
        u32::try_from(self.whole(index, column, limits)).unwrap_or_default()
    }

    /// As [`count`](Self::count); `None` for NULL, and for what cannot be.
    pub(super) fn perhaps_count(&mut self, index: usize, column: &str, limits: RangeInclusive<i64>) -> Option<u32> {
        let before = self.odd.len();
        let is_there = self.value(index) != ValueRef::Null;
        is_there.then(|| self.count(index, column, limits)).filter(|_| self.odd.len() == before)
    }

    /// A number within limits, otherwise 0.
    pub(super) fn number(&mut self, index: usize, column: &str, limits: RangeInclusive<f64>) -> f64 {
        let number = match self.value(index) {
            ValueRef::Real(number) => number,
            ValueRef::Integer(number) => number as f64,
            other => {
                self.note(column, format_args!("is no number but {}", other.data_type()));
                return 0.0;
            }
        };
        if limits.contains(&number) {
            return number;
        }
        self.note(column, format_args!("is {number:e}, {} to {} are possible", limits.start(), limits.end()));
        0.0
    }

    /// As [`number`](Self::number); `None` for NULL, and for what cannot be.
    pub(super) fn perhaps_number(&mut self, index: usize, column: &str, limits: RangeInclusive<f64>) -> Option<f64> {
        let before = self.odd.len();
        let is_there = self.value(index) != ValueRef::Null;
        is_there.then(|| self.number(index, column, limits)).filter(|_| self.odd.len() == before)
    }

    /// A date and a time of day: the text of `SQLite` for seconds since 1970, which stand in the column before it.
    pub(super) fn date(&mut self, index: usize, column: &str) -> String {
        let before = self.odd.len();
        self.whole(index - 1, column, DATES);
        if self.odd.len() > before { String::new() } else { self.text(index, column) }
    }
}
