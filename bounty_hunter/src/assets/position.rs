//! Where in a RON text a field stands, so that a wrong value can be pointed at.
//!
//! The parser yields values without their places. This scanner finds the place again: it knows nesting, strings,
//! characters and comments, and nothing of types. It is only asked about texts that have been parsed without an error.

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    /// From 1.
    pub(super) line: usize,
    /// From 1, in characters.
    pub(super) column: usize,
}

impl Position {
    /// The place that follows `before`, which is all of the text up to there.
    pub(super) fn after(before: &str) -> Self {
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self { line: 1 + before.matches('\n').count(), column: 1 + before[line_start..].chars().count() }
    }

    /// The place of the first sign from here on that is neither white space nor comment, or the end of the text.
    pub(super) fn past_blanks(self, text: &str) -> Self {
        let line_start: usize = text.split_inclusive('\n').take(self.line - 1).map(str::len).sum();
        let line_rest = &text[line_start..];
        let column_start = line_rest.char_indices().nth(self.column - 1).map_or(line_rest.len(), |(at, _)| at);
        let mut scanner = Scanner { rest: &line_rest[column_start..] };
        scanner.skip_blanks();
        Self::after(&text[..text.len() - scanner.rest.len()])
    }
}

/// The place of the field or element that `path` names, or of the innermost part of it that exists.
///
/// A path is made of field names and indexes from 0, separated by dots: `people.1.forward.0`. A field's place is that of
/// its name, an element's that of its value.
pub(super) fn position_of(text: &str, path: &str) -> Position {
    let mut scanner = Scanner { rest: text };
    scanner.skip_attributes();
    let mut found = scanner.rest;
    for step in path.split('.') {
        let place = match step.parse() {
            Ok(index) => scanner.enter_element(index),
            Err(_) => scanner.enter_field(step),
        };
        match place {
            Some(place) => found = place,
            None => break,
        }
    }
    Position::after(&text[..text.len() - found.len()])
}

/// Walks through a text; `rest` is what lies ahead.
struct Scanner<'a> {
    rest: &'a str,
}

impl<'a> Scanner<'a> {
    /// From the start of a struct to just before the value of its field `name`; returns the text from the name on.
    fn enter_field(&mut self, name: &str) -> Option<&'a str> {
        self.open()?;
        while !self.at_end() {
            let place = self.rest;
            let found = self.word();
            self.skip_blanks();
            if self.skip_prefix(":") && found.trim_start_matches("r#") == name {
                self.skip_blanks();
                return Some(place);
            }
            self.skip_entry();
        }
        None
    }

    /// From the start of a list or tuple to just before its element `index`; returns the text from there on.
    fn enter_element(&mut self, index: usize) -> Option<&'a str> {
        self.open()?;
        for _ in 0..index {
            if self.at_end() {
                return None;
            }
            self.skip_entry();
        }
        (!self.at_end()).then_some(self.rest)
    }

    /// Past a struct's name, if it has one, and the opening bracket.
    fn open(&mut self) -> Option<()> {
        self.skip_blanks();
        self.word();
        self.skip_blanks();
        let is_open = ["(", "[", "{"].iter().any(|bracket| self.skip_prefix(bracket));
        self.skip_blanks();
        is_open.then_some(())
    }

    /// Whether no entry is left between these brackets.
    fn at_end(&self) -> bool {
        self.rest.is_empty() || self.rest.starts_with([')', ']', '}'])
    }

    /// Past the rest of an entry and its comma, to the next entry or the closing bracket.
    fn skip_entry(&mut self) {
        let mut depth = 0_usize;
        while let Some(next) = self.rest.chars().next() {
            match next {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' if depth == 0 => return,
                ')' | ']' | '}' => depth -= 1,
                ',' if depth == 0 => {
                    self.skip_prefix(",");
                    self.skip_blanks();
                    return;
                }
                _ => {}
            }
            self.skip_token();
            self.skip_blanks();
        }
    }

    /// Past one string, character, word or other sign.
    fn skip_token(&mut self) {
        let length = raw_string_length(self.rest)
            .or_else(|| quoted_length(self.rest, '"'))
            .or_else(|| quoted_length(self.rest, '\''))
            .or_else(|| Some(word_length(self.rest)).filter(|&length| length > 0))
            .or_else(|| self.rest.chars().next().map(char::len_utf8));
        self.advance(length.unwrap_or(0));
    }

    /// Past the word that starts here, which may be empty.
    fn word(&mut self) -> &'a str {
        let word = &self.rest[..word_length(self.rest)];
        self.advance(word.len());
        word
    }

    /// Past white space and comments.
    fn skip_blanks(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            if self.rest.starts_with("//") {
                self.advance(self.rest.find('\n').unwrap_or(self.rest.len()));
            } else if self.rest.starts_with("/*") {
                self.advance(block_comment_length(self.rest));
            } else {
                return;
            }
        }
    }

    /// Past `#![enable(…)]` at the start of a text.
    fn skip_attributes(&mut self) {
        self.skip_blanks();
        while self.skip_prefix("#!") {
            self.skip_blanks();
            self.advance(self.rest.find(']').map_or(self.rest.len(), |end| end + 1));
            self.skip_blanks();
        }
    }

    fn skip_prefix(&mut self, prefix: &str) -> bool {
        let stripped = self.rest.strip_prefix(prefix);
        self.rest = stripped.unwrap_or(self.rest);
        stripped.is_some()
    }

    fn advance(&mut self, bytes: usize) {
        self.rest = &self.rest[bytes..];
    }
}

/// Bytes of the identifier, raw identifier or number at the start of `text`.
fn word_length(text: &str) -> usize {
    let prefix = if text.starts_with("r#") && !text.starts_with("r#\"") { 2 } else { 0 };
    let rest = &text[prefix..];
    prefix + rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
}

/// Bytes of `"…"` or `'…'` at the start of `text`, escapes included.
fn quoted_length(text: &str, quote: char) -> Option<usize> {
    let inside = text.strip_prefix(quote)?;
    let mut is_escaped = false;
    for (at, character) in inside.char_indices() {
        if character == quote && !is_escaped {
            return Some(at + 2 * quote.len_utf8());
        }
        is_escaped = character == '\\' && !is_escaped;
    }
    Some(text.len())
}

/// Bytes of `r"…"`, `r#"…"#` and so on at the start of `text`, also with the `b` of a byte string in front.
fn raw_string_length(text: &str) -> Option<usize> {
    let after_r = text.strip_prefix('b').unwrap_or(text).strip_prefix('r')?;
    let inside = after_r.trim_start_matches('#');
    let hashes = &after_r[..after_r.len() - inside.len()];
    let inside = inside.strip_prefix('"')?;
    let end = format!("\"{hashes}");
    let closed = inside.find(&end).map_or(inside.len(), |at| at + end.len());
    Some(text.len() - inside.len() + closed)
}

/// Bytes of `/* … */` at the start of `text`, with comments inside comments.
fn block_comment_length(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < text.len() {
        if text[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if text[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The place that `path` must have is marked in `text` by `§`, which is taken out first.
    #[track_caller]
    fn assert_marked(text: &str, path: &str) {
        let marked = text.find('§').expect("the text of a test carries a mark");
        let expected = Position::after(&text[..marked]);
        assert_eq!(position_of(&text.replace('§', ""), path), expected, "{path} in {text}");
    }

    #[test]
    fn a_field_is_found_by_its_name_and_not_by_its_text() {
        assert_marked("(\n  radius_m_old: 1,\n  // radius_m: 2\n  §radius_m: -1,\n)", "radius_m");
        assert_marked("Wall( old: radius_m, §radius_m: -1)", "radius_m");
    }

    #[test]
    fn comments_strings_and_characters_hide_what_is_in_them() {
        assert_marked("(a: \"), x: 1 \\\" (\", /* x: 2 /* ) */ ( */ §x: 3)", "x");
        assert_marked("(a: r#\"x: 1, \") \"#, b: ')', c: '\\'', §x: 3)", "x");
        assert_marked("(a: br##\"\"#)\"##, b: b\"(\", §x: 3)", "x");
        assert_marked("(a: 1 // ) x: 2\n, §x: 3)", "x");
        assert_marked("(a: [], r#b: 1, /* ] */ §r#x: 3)", "x");
    }

    #[test]
    fn a_field_of_the_same_name_further_in_is_passed_over() {
        assert_marked("(a: (x: 1, b: [(x: 2)]), §x: 3)", "x");
        assert_marked("(a: Some((x: 1)), b: {\"x\": (x: 2)}, §x: 3)", "x");
    }

    #[test]
    fn elements_and_fields_nest() {
        assert_marked("(value: (1.5, §-2))", "value.1");
        assert_marked("(people: [(up: [A]), Keys(\n\tup: [B, §C,],)], p: [C])", "people.1.up.1");
        assert_marked("[[1, 2], [3, [4, §(5)]]]", "1.1.1");
    }

    #[test]
    fn extensions_in_front_are_passed_over() {
        assert_marked("#![enable(implicit_some)]\n#![enable(unwrap_newtypes)]\n(§x: 3)", "x");
    }

    #[test]
    fn columns_count_characters() {
        assert_marked("(a: \"äöü\", /* – */ §x: 3)", "x");
    }

    #[test]
    fn blanks_are_passed_over_from_any_place() {
        let text = "ä\n  /* ö */ // ü\n\t§x";
        let expected = Position::after("ä\n  /* ö */ // ü\n\t");
        assert_eq!(Position { line: 2, column: 1 }.past_blanks(&text.replace('§', "")), expected);
        assert_eq!(expected.past_blanks(text), expected);
        assert_eq!(Position { line: 1, column: 2 }.past_blanks("ä \n"), Position { line: 2, column: 1 });
    }

    #[test]
    fn what_does_not_exist_has_the_place_of_what_holds_it() {
        assert_marked("// first\n§(a: 1)", "x");
        assert_marked("(a: 1, §b: [2])", "b.7");
        assert_marked("§", "a");
    }

    #[test]
    fn broken_text_ends_the_search_without_a_panic() {
        let text = "(a: [\"\\\" ), 'x /* /* ü */ (b: r##\"ä\"#, §x: #![)]}";
        for (start, _) in text.char_indices() {
            for (end, _) in text.char_indices().filter(|(end, _)| *end >= start) {
                position_of(&text[start..end], "a.0.x");
                position_of(&text[start..end], "x");
            }
        }
    }
}
