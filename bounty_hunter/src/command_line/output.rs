//! Text and JSON for a terminal.

use std::fmt::Display;
use std::io::{self, Write};

use serde::Serialize;

use super::Failure;

/// Escapes the characters of `text` that a terminal obeys instead of showing: control characters, and those that change
/// the direction of writing.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                escaped.extend(character.escape_unicode());
            }
            _ if character.is_control() => escaped.extend(character.escape_debug()),
            _ => escaped.push(character),
        }
    }
    escaped
}

/// Writes one line, escaped because it may contain names from files and arguments.
pub(super) fn write_line(out: &mut impl Write, line: impl Display) -> Result<(), Failure> {
    Ok(writeln!(out, "{}", escaped(&line.to_string()))?)
}

/// Writes one line of JSON.
pub(super) fn write_json(out: &mut impl Write, value: &impl Serialize) -> Result<(), Failure> {
    serde_json::to_writer(&mut *out, value).map_err(io::Error::from)?;
    Ok(writeln!(out)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_characters_that_a_terminal_obeys_are_escaped() {
        assert_eq!(escaped("\x1b[31mred\n|\r\x07\u{9b}2J"), r"\u{1b}[31mred\n|\r\u{7}\u{9b}2J");
        assert_eq!(escaped("a\u{202e}b\u{2067}c"), r"a\u{202e}b\u{2067}c");
        let harmless = "C:\\saves\\\"Zoë\" → 東京 e\u{301}";
        assert_eq!(escaped(harmless), harmless);
    }
}
