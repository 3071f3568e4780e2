//! [`find`]: mistakes that come from other formats, keyboards and word processors, each with a sentence of its own.
//!
//! What is looked for is never valid RON, so that the first near miss of a refused text is a reason for the refusal.

use std::ops::Range;

/// The first near miss of a text that is not valid RON, and its sentence; `None` if the parser's own message says it
/// best.
pub(super) fn find(text: &str) -> Option<(usize, String)> {
    let mut scanner = Scanner { text, at: 0, open: Vec::new(), tokens: Vec::new() };
    loop {
        match scanner.next() {
            Ok(Some(token)) => scanner.tokens.push(token),
            Ok(None) => return None,
            Err(found) => return found,
        }
        if let Err(found) = scanner.check_last() {
            return found;
        }
    }
}

/// Whether a comma stands between two digits, as in a list without blanks or in a number with a decimal comma.
pub(super) fn has_comma_in_number(line: &str) -> bool {
    line.as_bytes().windows(3).any(|three| three[1] == b',' && three[0].is_ascii_digit() && three[2].is_ascii_digit())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Name,
    Number,
    Text,
    Open,
    Close,
    Comma,
    Colon,
    /// Anything else.
    Other,
}

#[derive(Clone, Debug)]
struct Token {
    kind: Kind,
    range: Range<usize>,
}

/// The end of the search: a near miss, or a mistake that is none.
type Stop = Option<(usize, String)>;

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    /// The open brackets.
    open: Vec<usize>,
    tokens: Vec<Token>,
}

impl Scanner<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn text_of(&self, token: &Token) -> &str {
        &self.text[token.range.clone()]
    }

    /// The next token.
    fn next(&mut self) -> Result<Option<Token>, Stop> {
        self.skip_blanks();
        let start = self.at;
        let Some(first) = self.rest().chars().next() else { return Ok(None) };
        let kind = match first {
            '(' | '[' | '{' => Kind::Open,
            ')' | ']' | '}' => Kind::Close,
            ',' => Kind::Comma,
            ':' => Kind::Colon,
            '"' => return self.string(start).map(Some),
            '\'' => return self.character(start).map(Some),
            'r' | 'b' if is_text_with_prefix(self.rest()) => return self.string(start).map(Some),
            _ if first.is_alphabetic() || first == '_' => {
                let is_inside = |c: char| c.is_alphanumeric() || c == '_';
                self.at += self.rest().find(|c| !is_inside(c)).unwrap_or(self.rest().len());
                return Ok(Some(Token { kind: Kind::Name, range: start..self.at }));
            }
            _ if starts_number(self.rest()) => return self.number(start).map(Some),
            '-' if self.rest().starts_with("-- ") => {
                return Err(Some((start, "a comment begins with `//`, not with `--`".to_owned())));
            }
            '+' | '-' if !self.rest()[1..].starts_with(char::is_alphabetic) => {
                return Err(Some((
                    start,
                    format!("behind this `{first}` there is no number: write both without a blank"),
                )));
            }
            // A mark on the last letter of a name.
            _ if !first.is_ascii()
                && self.tokens.last().is_some_and(|token| token.range.end == start && token.kind == Kind::Name) =>
            {
                Kind::Other
            }
            '#' if self.tokens.last().is_some_and(|token| token.kind == Kind::Colon) => {
                return Err(Some((start, "a text is in double quotes, `\"`".to_owned())));
            }
            other => match about_character(other) {
                Some(sentence) => return Err(Some((start, sentence))),
                None => Kind::Other,
            },
        };
        self.at += first.len_utf8();
        Ok(Some(Token { kind, range: start..self.at }))
    }

    fn skip_blanks(&mut self) {
        loop {
            let blanks = self.rest().find(|c| !is_blank(c)).unwrap_or(self.rest().len());
            self.at += blanks;
            if self.rest().starts_with("//") {
                self.at += self.rest().find('\n').unwrap_or(self.rest().len());
            } else if self.rest().starts_with("/*") {
                self.at += self.rest().find("*/").map_or(self.rest().len(), |end| end + 2);
            } else if self.rest().starts_with("#!") {
                self.at += self.rest().find(']').map_or(self.rest().len(), |end| end + 1);
            } else if blanks == 0 {
                return;
            }
        }
    }

    /// A text in quotes, with its prefix if it is raw.
    fn string(&mut self, start: usize) -> Result<Token, Stop> {
        let prefix = self.rest().find('"').unwrap_or(0);
        let hashes = self.rest()[..prefix].matches('#').count();
        let is_raw = self.rest()[..prefix].contains('r');
        self.at += prefix + 1;
        let end = format!("\"{}", "#".repeat(hashes));
        while let Some(next) = self.rest().find(['"', '\\']) {
            self.at += next;
            if self.rest().starts_with(&end) {
                self.at += end.len();
                return Ok(Token { kind: Kind::Text, range: start..self.at });
            }
            let is_escape = !is_raw && self.rest().starts_with('\\');
            self.at += 1;
            self.at += self.rest().chars().next().filter(|_| is_escape).map_or(0, char::len_utf8);
        }
        Err(Some((start, "the text that begins here has no closing quote".to_owned())))
    }

    /// A single character in quotes.
    fn character(&mut self, start: usize) -> Result<Token, Stop> {
        // The longest is an escape of six digits.
        let mut characters = self.rest().char_indices().skip(1).take_while(|(_, c)| *c != '\n').take(12);
        let end = match characters.next() {
            Some((_, '\\')) => characters.skip(1).find(|(_, c)| *c == '\''),
            _ => characters.next().filter(|(_, c)| *c == '\''),
        };
        match end {
            Some((end, _)) => {
                self.at += end + 1;
                Ok(Token { kind: Kind::Text, range: start..self.at })
            }
            None => Err(Some((start, "a text is in double quotes, `\"`, not in `'`".to_owned()))),
        }
    }

    /// A number, which has no unit.
    fn number(&mut self, start: usize) -> Result<Token, Stop> {
        let text = self.rest();
        let length = number_length(text);
        let behind = &text[length..];
        if behind.strip_prefix(['\'', '’']).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
            return Err(Some((start, "digits of a number are grouped by `_`, or not at all".to_owned())));
        }
        if has_no_digits_of_exponent(behind) {
            return Err(Some((start, format!("`{}` has no digits behind its `e`", &text[..length + 1]))));
        }
        if text[..length].contains('.') && behind.strip_prefix('.').is_some_and(|rest| rest.starts_with(is_digit)) {
            let sentence = "a number has one point, before its decimals: its digits are grouped by `_`, or not at all";
            return Err(Some((start, sentence.to_owned())));
        }
        let unit_end = behind.find(|c: char| !c.is_alphanumeric() && !"_%°".contains(c)).unwrap_or(behind.len());
        let unit = &behind[..unit_end];
        if !unit.is_empty() && !is_type_of_number(unit) && text[..length].ends_with(|c: char| c.is_ascii_digit()) {
            return Err(Some((start, with_unit(&text[..length], unit))));
        }
        self.at += length + unit_end;
        Ok(Token { kind: Kind::Number, range: start..self.at })
    }

    /// Checks the last token with those before it.
    fn check_last(&mut self) -> Result<(), Stop> {
        let Some((token, before)) = self.tokens.split_last() else { return Ok(()) };
        let start = token.range.start;
        let kinds = |count: usize| before.get(before.len().wrapping_sub(count)).map(|token| token.kind);
        let found = |sentence: String| Err(Some((start, sentence)));
        match (kinds(1), token.kind) {
            (_, Kind::Other) if self.text_of(token) == "%" && kinds(1) == Some(Kind::Number) => {
                let number = &before[before.len() - 1];
                return Err(Some((number.range.start, with_unit(self.text_of(number), "%"))));
            }
            (_, Kind::Close) => {
                // A closing bracket without an open one is at the end of a value.
                let open = self.open.pop().ok_or(None)?;
                let closes = match &self.text[open..=open] {
                    "(" => ")",
                    "[" => "]",
                    _ => "}",
                };
                if self.text_of(token) != closes {
                    let line = 1 + self.text[..open].matches('\n').count();
                    let (close, open) = (self.text_of(token), &self.text[open..=open]);
                    return found(format!(
                        "`{close}` does not close the `{open}` of line {line}: `{closes}` is missing"
                    ));
                }
                return Ok(());
            }
            (Some(Kind::Comma | Kind::Open), Kind::Comma) => {
                return found("there is no value before this comma".to_owned());
            }
            (Some(Kind::Text), Kind::Colon)
                if self.open.last().is_some_and(|open| self.text[*open..].starts_with('(')) =>
            {
                let place = before[before.len() - 1].range.start;
                return Err(Some((place, "the name of a field is not in quotes".to_owned())));
            }
            (Some(Kind::Colon), Kind::Colon) => {
                return found("`::` has no place here: write only the last name".to_owned());
            }
            (Some(Kind::Comma), Kind::Number) if !self.is_before_colon() => {
                // In a struct or a map, a name or a key follows a comma.
                if let [.., colon, whole, _] = before
                    && (colon.kind, whole.kind) == (Kind::Colon, Kind::Number)
                    && self.text_of(token).starts_with(is_digit)
                    && !self.text[whole.range.end..start].contains('\n')
                {
                    let (whole_part, decimals) = (self.text_of(whole).replace('.', ""), self.text_of(token));
                    let (number, place) = (&self.text[whole.range.start..token.range.end], whole.range.start);
                    let sentence = match decimals.contains('.') {
                        true => format!("`{number}` has a comma among its digits: write `{whole_part}{decimals}`"),
                        false => format!("`{number}` has a decimal comma: write `{whole_part}.{decimals}`"),
                    };
                    return Err(Some((place, sentence)));
                }
            }
            (Some(last @ (Kind::Name | Kind::Number | Kind::Text | Kind::Close)), kind) if starts_value(kind) => {
                let value = &before[before.len() - 1];
                let is_in_key_position = matches!(kinds(2), Some(Kind::Open | Kind::Comma)) && !self.open.is_empty();
                return Err(match (last, kind) {
                    (Kind::Name, Kind::Open) if self.text_of(token) == "(" => {
                        self.open.push(start);
                        return Ok(());
                    }
                    (Kind::Name, Kind::Number | Kind::Text) | (Kind::Name, Kind::Open) if is_in_key_position => {
                        let name = self.text_of(value);
                        Some((start, format!("between `{name}` and its value a `:` is missing")))
                    }
                    (Kind::Name, Kind::Name) if kinds(2) == Some(Kind::Colon) && !self.is_before_colon() => {
                        Some((value.range.start, "a text of several words is in double quotes, `\"`".to_owned()))
                    }
                    (Kind::Number, Kind::Name)
                        if !self.is_before_colon() && !self.text[value.range.end..start].contains('\n') =>
                    {
                        Some((value.range.start, with_unit(self.text_of(value), self.text_of(token))))
                    }
                    (Kind::Text, _)
                        if self.text_of(value).contains('\n') && !is_text_with_prefix(self.text_of(value)) =>
                    {
                        Some((
                            value.range.start,
                            "the text that begins here has no closing quote in its line".to_owned(),
                        ))
                    }
                    _ => None,
                });
            }
            _ => {}
        }
        if token.kind == Kind::Open {
            self.open.push(start);
        }
        Ok(())
    }

    /// Whether a colon follows, so that the last token is the name of a field.
    fn is_before_colon(&self) -> bool {
        self.rest().trim_start().starts_with(':')
    }
}

fn starts_value(kind: Kind) -> bool {
    matches!(kind, Kind::Name | Kind::Number | Kind::Text | Kind::Open)
}

fn with_unit(number: &str, unit: &str) -> String {
    format!("`{number}` is followed by `{unit}`: write the number alone, the name of the field tells the unit")
}

/// A raw text, or a text of bytes.
fn is_text_with_prefix(text: &str) -> bool {
    let rest = text.strip_prefix('b').unwrap_or(text);
    let quote = rest.strip_prefix('r').map_or(rest, |raw| raw.trim_start_matches('#'));
    quote.len() < text.len() && quote.starts_with('"')
}

fn starts_number(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    digits.strip_prefix('.').unwrap_or(digits).starts_with(|c: char| c.is_ascii_digit())
}

/// The length of a number without what belongs to its type or its unit.
fn number_length(text: &str) -> usize {
    let sign = usize::from(text.starts_with(['+', '-']));
    let digits = &text[sign..];
    for (prefix, radix) in [("0x", 16), ("0b", 2), ("0o", 8)] {
        if let Some(rest) = digits.strip_prefix(prefix) {
            let length = rest.find(|c: char| !c.is_digit(radix) && c != '_').unwrap_or(rest.len());
            return sign + prefix.len() + length;
        }
    }
    let is_inside = |c: char| c.is_ascii_digit() || c == '_';
    let run = |from: usize| from + digits[from..].find(|c| !is_inside(c)).unwrap_or(digits.len() - from);
    let mut end = run(0);
    // Two points are those of a range.
    if digits[end..].starts_with('.') && !digits[end..].starts_with("..") {
        end = run(end + 1);
    }
    if digits[end..].starts_with(['e', 'E']) {
        let sign_length = usize::from(digits[end + 1..].starts_with(['+', '-']));
        let exponent = run(end + 1 + sign_length);
        if exponent > end + 1 + sign_length {
            end = exponent;
        }
    }
    sign + end
}

/// Whether a number is followed by an `e` without digits, which is no unit either.
fn has_no_digits_of_exponent(behind: &str) -> bool {
    behind
        .strip_prefix(['e', 'E'])
        .is_some_and(|rest| !rest.trim_start_matches(['+', '-']).starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}

fn is_digit(character: char) -> bool {
    character.is_ascii_digit()
}

/// Rust's names of the types of numbers, which may stand behind a number.
fn is_type_of_number(unit: &str) -> bool {
    let unit = unit.trim_start_matches('_');
    unit.strip_prefix(['i', 'u', 'f']).is_some_and(|bits| ["8", "16", "32", "64", "128"].contains(&bits))
}

/// The sentence about a character that RON does not know outside of texts.
fn about_character(character: char) -> Option<String> {
    let instead = |meant: &str| Some(format!("`{character}` has no meaning here: write `{meant}`"));
    match character {
        ';' => Some("values are separated by `,`, not by `;`".to_owned()),
        '=' => Some("a name and its value are separated by `:`, not by `=`".to_owned()),
        '#' => Some("a comment begins with `//`, not with `#`".to_owned()),
        '“' | '”' | '„' | '‟' | '«' | '»' | '‘' | '’' | '‚' | '‹' | '›' | '`' | '´' | '＂' => {
            Some(format!("a text is in straight double quotes, `\"`, not in `{character}`"))
        }
        '−' | '–' | '—' | '‐' | '‑' | '－' => instead("-"),
        '，' | '、' | '،' => instead(","),
        '：' => instead(":"),
        '（' => instead("("),
        '）' => instead(")"),
        '．' | '·' | '٫' => instead("."),
        '/' => Some("`/` has no meaning here: a comment begins with `//`, and numbers are not computed".to_owned()),
        _ if character.is_control()
            || (character.is_whitespace() && !character.is_ascii())
            || is_invisible(character) =>
        {
            let code = u32::from(character);
            Some(format!("the invisible character U+{code:04X} has no meaning here: delete it, or write a blank"))
        }
        _ if character.is_numeric() => Some(format!("`{character}` is no digit here: write the digits `0` to `9`")),
        _ if !character.is_ascii() || "~$&*^|<>?@\\".contains(character) => {
            Some(format!("`{character}` has no meaning here: delete it, or write a text in double quotes, `\"`"))
        }
        _ => None,
    }
}

/// The blanks of RON.
fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t'..='\r' | '\u{85}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}')
}

/// Characters that take no room: joiners, marks of direction and of byte order.
fn is_invisible(character: char) -> bool {
    matches!(character, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_near_miss_has_its_sentence_and_its_place() {
        for (text, at, part) in [
            ("(radius_m: 1,5)", 11, "`1,5` has a decimal comma: write `1.5`"),
            ("(a: -1.000,25, b: 2)", 4, "write `-1000.25`"),
            ("{ \"a\": 0,5 }", 7, "write `0.5`"),
            ("(a: 1, 5)", 4, "`1, 5` has a decimal comma: write `1.5`"),
            ("(a: 1 ,5, b: 2)", 4, "write `1.5`"),
            ("(a: 1,500.5)", 4, "`1,500.5` has a comma among its digits: write `1500.5`"),
            ("(a: 1.5.0)", 4, "has one point"),
            ("(a: 1.000.000)", 4, "has one point"),
            ("(a: 1e)", 4, "`1e` has no digits behind its `e`"),
            ("(a: -1.5E+, b: 2)", 4, "`-1.5E` has no digits behind its `e`"),
            ("(a: - 5)", 4, "behind this `-` there is no number"),
            ("(a: --5)", 4, "behind this `-` there is no number"),
            ("(a: 5, -- five\n)", 7, "begins with `//`, not with `--`"),
            ("(a: 1/2)", 5, "numbers are not computed"),
            ("(a: 5, / five\n)", 7, "begins with `//`"),
            ("(a: １５)", 4, "`１` is no digit here: write the digits `0` to `9`"),
            ("(a: ½)", 4, "`½` is no digit here"),
            ("(a: 1·5)", 5, "write `.`"),
            ("(a: $5)", 4, "`$` has no meaning here"),
            ("(a: 5€)", 5, "`€` has no meaning here"),
            ("<<<<<<< HEAD\n(a: 5)", 0, "`<` has no meaning here"),
            ("(a: 1; b: 2)", 5, "separated by `,`, not by `;`"),
            ("(a = 1)", 3, "separated by `:`, not by `=`"),
            ("(a: 5s)", 4, "`5` is followed by `s`"),
            ("(a: 5 s)", 4, "`5` is followed by `s`"),
            ("(a: 2.5m, b: 1)", 4, "`2.5` is followed by `m`"),
            ("(a: 1'000)", 4, "grouped by `_`"),
            ("(a: 1’000.5)", 4, "grouped by `_`"),
            ("(color: #ff0000)", 8, "in double quotes"),
            ("(\"a\": 1)", 1, "is not in quotes"),
            ("(b: {\"c\": (\"a\": 1)})", 11, "is not in quotes"),
            ("(a: 50%)", 4, "`50` is followed by `%`"),
            ("(a: 50 %)", 4, "`50` is followed by `%`"),
            ("(a: 90°)", 4, "`90` is followed by `°`"),
            ("(a: “b”)", 4, "straight double quotes"),
            ("(a: „b“)", 4, "straight double quotes"),
            ("(a: 'bc')", 4, "double quotes"),
            ("(a: −5)", 4, "write `-`"),
            ("(a:\u{a0}5)", 3, "the invisible character U+00A0"),
            ("(a: 5\u{200b})", 5, "the invisible character U+200B"),
            ("(a: 1\u{feff})", 5, "the invisible character U+FEFF"),
            ("# note\n(a: 1)", 0, "begins with `//`"),
            ("(a: [1, 2)", 9, "`)` does not close the `[` of line 1: `]` is missing"),
            ("(a: 1,, b: 2)", 6, "no value before this comma"),
            ("(, a: 1)", 1, "no value before this comma"),
            ("(a: Kind::Wall)", 9, "write only the last name"),
            ("(a 1)", 3, "between `a` and its value a `:` is missing"),
            ("(a: 1, bc \"x\")", 10, "between `bc` and its value a `:` is missing"),
            ("(a: the arena)", 4, "in double quotes"),
            ("(a: \"b)", 4, "has no closing quote"),
            ("(a: \"b,\n c: \"d\")", 4, "no closing quote in its line"),
        ] {
            let found = find(text);
            assert!(
                found.as_ref().is_some_and(|(place, sentence)| *place == at && sentence.contains(part)),
                "{text}: {found:?}"
            );
        }
    }

    #[test]
    fn every_part_of_a_text_is_searched_to_its_end() {
        let text = "#![a]#![b](a: ..5, b: 1..2, c: '\\u{41}', d: r##\"#\"##, e: 0x, f: -.5e+, g: 'ab', h: /* /* */ \u{301}“ \u{e9}=)";
        for (start, _) in text.char_indices() {
            for (end, _) in text.char_indices().filter(|(end, _)| *end >= start) {
                _ = find(&text[start..end]);
            }
        }
        // Neither deep nor slow.
        for part in ["#![a]", "'a',", "'", "(", "[1,", "r#", "\"a\",", "1 ", "/*", "+", "."] {
            _ = find(&part.repeat(100_000));
        }
    }

    #[test]
    fn valid_texts_and_mistakes_of_another_kind_have_none() {
        for text in [
            "(a: 1, b: -2.5e-3, c: [1,5], d: (1,5), e: 1..5, f: 0x1F, g: 1_000u32, h: .5, i: +1., j: 1.5f32)",
            "(a: Some(Wall(x: 1)), b: {\"1,5\": 2}, c: 'x', d: '\\'', e: '\\u{41}', f: \"; = “ 5s # \\\" \")",
            "#![enable(implicit_some)]\n// 5s; “a” = b\n(a: r#\"x \" = ; \"#, b: b\"xy\", c: inf, d: -inf /* = */)",
            "(a: \"two\nlines\", b: true)",
            "(a: 1 b: 2)",
            "(a: 1,-5)",
            "(a: 1,\n 5)",
            "(a: -inf, b: 1e5, c: 1.e-5, e\u{301}: 2)",
            "{1:1,5:2}",
            "{ \"a\": () \"b\": () }",
            "(a: 1) )",
            "{}\n!",
            "",
            "(a: ",
        ] {
            assert_eq!(find(text), None, "{text}");
        }
    }
}
