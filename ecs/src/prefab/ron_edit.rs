//! Changes of a [`RonText`] that keep its comments, its order and its layout.

use std::ops::Range;

use super::ron_text::{RonText, Span};
use crate::error::PrefabError;

/// A field, an element or an entry of a value in a [`RonText`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RonPart {
    /// The last step of its path: the name of a field or a key, or an index from 0.
    pub step: String,
    /// Its value as text.
    pub text: String,
    /// The comment in the lines above it, without `//`.
    pub comment: String,
    /// Line and column where it begins, from 1 and in characters, as errors name them.
    pub line_and_column: (usize, usize),
    /// The parts of its value.
    pub parts: Vec<RonPart>,
}

/// Limits of what [`RonText::parts`] lists.
const MAX_PARTS: usize = 20_000;
const DEEPEST_PART: usize = 32;

/// Changes of single values.
///
/// A path is made of names of fields, keys of maps and indices from 0, such as `people.1.keys.0`; `Some(…)` is a tuple
/// of one. The new text is not checked beyond its syntax: read it to see whether its values are valid.
impl RonText {
    /// The text with `value` at `path`. A field or key that is missing is added to its struct or map.
    ///
    /// # Errors
    /// - `value` is not one value in RON.
    /// - `path` leads nowhere.
    ///
    /// # Example
    /// ```
    /// use ecs::prefab::RonText;
    ///
    /// let level = RonText::new("level.ron", "(\n    // Metres.\n    size: 75.0,\n)");
    /// let level = level.with("size", "80.0")?.with("walls", "[]")?.with_element("walls", "(1, 2)")?;
    /// assert_eq!(level.text(), "(\n    // Metres.\n    size: 80.0,\n    walls: [\n        (1, 2),\n    ],\n)");
    /// # Ok::<(), ecs::prefab::PrefabError>(())
    /// ```
    pub fn with(&self, path: &str, value: &str) -> Result<Self, PrefabError> {
        let value = one_value(value)?;
        if let Some((_, old)) = self.locate(path) {
            return Ok(self.spliced([(old.range(), &*value)]));
        }
        let (parent, field) = path.rsplit_once('.').unwrap_or(("", path));
        match self.locate(parent) {
            Some((_, parent)) if parent.is_map() => self.with_item(parent, &format!("{field:?}: {value}")),
            Some((_, parent)) if parent.is_struct() && is_name(field) => {
                self.with_item(parent, &format!("{field}: {value}"))
            }
            _ => Err(self.no_value(path)),
        }
    }

    /// The text with `value` as the last element of the list at `path`; a list that is missing is added to its struct.
    ///
    /// # Errors
    /// - `value` is not one value in RON.
    /// - There is no list at `path`.
    pub fn with_element(&self, path: &str, value: &str) -> Result<Self, PrefabError> {
        let value = one_value(value)?;
        match self.locate(path) {
            Some((_, list)) if list.text.starts_with('[') => self.with_item(list, &value),
            Some(_) => Err(self.error_at(path, format!("`{path}` is not a list"))),
            None => self.with(path, "[]")?.with_element(path, &value),
        }
    }

    /// The text without the field or element at `path`. A comment on its line goes with it, and the comment above a
    /// field, too.
    ///
    /// # Errors
    /// - `path` leads nowhere.
    pub fn without(&self, path: &str) -> Result<Self, PrefabError> {
        let (place, value) = self.locate(path).filter(|_| !path.is_empty()).ok_or_else(|| self.no_value(path))?;
        let text = self.text();
        let (mut start, mut end) = (place.range().start, value.range().end);
        if let Some(comma) = comma_after(text, end) {
            end = comma + 1;
        }
        let (line_start, line_end) = (line_start(text, start), line_end(text, end));
        if text[line_start..start].trim().is_empty() && is_blank_or_comment(&text[end..line_end]) {
            (start, end) =
                (line_start, text[line_end..].find('\n').map_or(text.len(), |newline| line_end + newline + 1));
            while place.range() != value.range()
                && let Some(above) = comment_line_above(text, start)
            {
                start = above;
            }
        } else {
            end += text[end..].len() - text[end..].trim_start_matches([' ', '\t']).len();
        }
        Ok(self.spliced([(start..end, "")]))
    }

    /// The fields, elements or entries of the whole value, with their own parts; empty for a number, a text, or a text
    /// that is not RON. Lists at most 20,000 parts, nested 32 times. O(length of the text, times the nesting).
    #[must_use]
    pub fn parts(&self) -> Vec<RonPart> {
        let Some((_, whole)) = self.locate("") else { return Vec::new() };
        let line_starts = std::iter::once(0).chain(self.text().match_indices('\n').map(|(at, _)| at + 1)).collect();
        Lister { text: self.text(), line_starts, left: MAX_PARTS }.list(whole, DEEPEST_PART)
    }

    fn no_value(&self, path: &str) -> PrefabError {
        self.error_at(path, format!("there is no `{path}`"))
    }

    /// The text with other texts in these places, which come in order.
    fn spliced<const N: usize>(&self, by: [(Range<usize>, &str); N]) -> Self {
        let mut text = self.text().to_owned();
        by.into_iter().rev().for_each(|(range, by)| text.replace_range(range, by));
        self.with_text(text)
    }

    /// The text with a last item in a struct or a list, laid out as the items before it.
    fn with_item(&self, container: Span<'_>, item: &str) -> Result<Self, PrefabError> {
        let text = self.text();
        let indent_at = |at: usize| {
            let line = &text[line_start(text, at)..at];
            &line[..line.len() - line.trim_start().len()]
        };
        let parts = container.parts();
        let added = match parts.last() {
            None => {
                let (outer, close) = (indent_at(container.range().start), container.range().end - 1);
                let kept = text[..close].trim_end().len();
                self.spliced([(kept..close, &format!("\n{outer}    {item},\n{outer}"))])
            }
            Some((place, value)) => {
                let (start, end) = (place.range().start, value.range().end);
                let comma = comma_after(text, end);
                // A comment behind the last item stays behind it.
                let behind = comma.map_or(end, |comma| comma + 1);
                let after_comment = end_of_comment(text, behind);
                let ends_line = after_comment.is_some_and(|at| at == line_end(text, behind));
                let is_alone = text[line_start(text, start)..start].trim().is_empty();
                let at = after_comment.unwrap_or(behind);
                let gap = match is_alone || ends_line {
                    true => format!("\n{}", indent_at(start)),
                    false => " ".to_owned(),
                };
                let missing_comma = if comma.is_some() { "" } else { "," };
                let end_comma = if comma.is_some() { "," } else { "" };
                self.spliced([(end..end, missing_comma), (at..at, &format!("{gap}{item}{end_comma}"))])
            }
        };
        // Comments of an unusual form could swallow the item.
        let whole = added.value_at(container.range().start);
        match whole.is_some_and(|whole| whole.parts().len() == parts.len() + 1) {
            true => Ok(added),
            false => Err(container.error("the layout is unusual: add it in the text by hand")),
        }
    }
}

/// Lists the parts of values.
struct Lister<'t> {
    text: &'t str,
    line_starts: Vec<usize>,
    /// How many more are listed.
    left: usize,
}

impl Lister<'_> {
    fn list(&mut self, value: Span<'_>, depth: usize) -> Vec<RonPart> {
        let mut before = value.range().start;
        let mut listed = Vec::new();
        for (index, (place, value)) in value.parts().into_iter().enumerate() {
            let Some(left) = self.left.checked_sub(1) else { break };
            self.left = left;
            let start = place.range().start;
            let is_named = place.range() != value.range();
            // The rest of the line before belongs to what is before.
            let lines = self.text[before..start].lines().skip(1).filter_map(|line| line.trim().strip_prefix("//"));
            let comment = lines.map(str::trim).collect::<Vec<_>>().join("\n");
            before = value.range().end;
            let line = self.line_starts.partition_point(|line_start| *line_start <= start);
            let column = 1 + self.text[self.line_starts[line - 1]..start].chars().count();
            listed.push(RonPart {
                step: if is_named { place.text.trim_matches('"').to_owned() } else { index.to_string() },
                text: value.text.to_owned(),
                comment,
                line_and_column: (line, column),
                parts: if depth > 0 { self.list(value, depth - 1) } else { Vec::new() },
            });
        }
        listed
    }
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

/// Where the line ends, before its line break.
fn line_end(text: &str, at: usize) -> usize {
    let end = text[at..].find('\n').map_or(text.len(), |newline| at + newline);
    if text[at..end].ends_with('\r') { end - 1 } else { end }
}

/// The start of the line above, if it is a comment.
fn comment_line_above(text: &str, line: usize) -> Option<usize> {
    let above = line_start(text, line.checked_sub(1)?);
    text[above..line].trim_start().starts_with("//").then_some(above)
}

/// Where the comment ends that begins behind `at`, in the same line.
fn end_of_comment(text: &str, at: usize) -> Option<usize> {
    let end = line_end(text, at);
    let rest = text[at..end].trim_start();
    match (rest.starts_with("//"), rest.starts_with("/*")) {
        (true, _) => Some(end),
        (_, true) => Some(end - rest.len() + rest.find("*/")? + 2),
        _ => None,
    }
}

fn is_blank_or_comment(rest: &str) -> bool {
    let rest = rest.trim();
    let is_block = rest.strip_prefix("/*").is_some_and(|rest| rest.find("*/") == rest.len().checked_sub(2));
    rest.is_empty() || rest.starts_with("//") || is_block
}

/// The text of a single value, without blanks and comments around it.
fn one_value(value: &str) -> Result<String, PrefabError> {
    // The line of a comment must end.
    let end = if value.contains("//") { "\n" } else { "" };
    let source = RonText::new("value", format!("{value}{end}"));
    Ok(Span::whole(&source).trimmed()?.text.to_owned())
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_') && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// The comma behind a value, with nothing but blanks and comments between them.
fn comma_after(text: &str, end: usize) -> Option<usize> {
    let mut rest = &text[end..];
    loop {
        rest = rest.trim_start();
        rest = match rest.strip_prefix("//") {
            Some(comment) => &comment[comment.find('\n')?..],
            None => match rest.strip_prefix("/*") {
                Some(comment) => &comment[comment.find("*/")? + 2..],
                None => return rest.starts_with(',').then(|| text.len() - rest.len()),
            },
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEVEL: &str = "\
// A level.
(
    // Half the side, metres.
    size: 75.0,
    stashes: Places(at_m: [
        (66.0, 12.0), (-66.0, -12.0),
        (1.0, 2.0), // the last
    ]),
    // None at all.
    walls: [],
    kinds: (rock: \"rock\", wall: Some(\"brick\")),
)
";

    fn changed(change: impl Fn(&RonText) -> Result<RonText, PrefabError>) -> String {
        change(&RonText::new("level.ron", LEVEL)).map_or_else(|error| error.to_string(), |text| text.text().to_owned())
    }

    #[test]
    fn value_is_replaced_and_nothing_else() {
        assert_eq!(changed(|level| level.with("size", " 80.0 // m")), LEVEL.replace("75.0", "80.0"));
        let moved = changed(|level| level.with("stashes.at_m.1", "(0.0, 5.0)"));
        assert_eq!(moved, LEVEL.replace("(-66.0, -12.0)", "(0.0, 5.0)"));
        assert_eq!(changed(|level| level.with("kinds.wall.0", "\"wood\"")), LEVEL.replace("brick", "wood"));
        assert_eq!(changed(|level| level.with("", "()")), "// A level.\n()\n");
    }

    #[test]
    fn element_is_added_in_the_layout_of_the_others() {
        let added = changed(|level| level.with_element("stashes.at_m", "(3, 4)"));
        assert_eq!(added, LEVEL.replace("(1.0, 2.0), // the last", "(1.0, 2.0), // the last\n        (3, 4),"));
        let first = changed(|level| level.with_element("walls", "(1, 1)")?.with_element("walls", "(2, 2)"));
        assert_eq!(first, LEVEL.replace("walls: []", "walls: [\n        (1, 1),\n        (2, 2),\n    ]"));
        let one_line = RonText::new("list", "[1, 2]").with_element("", "3").unwrap();
        assert_eq!(one_line.text(), "[1, 2, 3]");
    }

    #[test]
    fn missing_field_is_added_to_its_struct() {
        assert_eq!(
            changed(|level| level.with("share", "0.5")),
            LEVEL.replace("\"brick\")),\n", "\"brick\")),\n    share: 0.5,\n")
        );
        assert_eq!(changed(|level| level.with("kinds.edge", "\"e\"")), LEVEL.replace("k\")),", "k\"), edge: \"e\"),"));
        assert_eq!(RonText::new("empty", "()").with("a", "1").unwrap().text(), "(\n    a: 1,\n)");
    }

    #[test]
    fn removed_part_takes_its_line_along_if_it_stands_alone() {
        assert_eq!(
            changed(|level| level.without("size")),
            LEVEL.replace("    // Half the side, metres.\n    size: 75.0,\n", "")
        );
        assert_eq!(
            changed(|level| level.without("stashes.at_m.2")),
            LEVEL.replace("        (1.0, 2.0), // the last\n", "")
        );
        assert_eq!(changed(|level| level.without("stashes.at_m.0")), LEVEL.replace("(66.0, 12.0), ", ""));
        assert_eq!(changed(|level| level.without("kinds.wall")), LEVEL.replace("wall: Some(\"brick\")", ""));
    }

    #[test]
    fn bad_changes_are_refused() {
        for (refusal, expected) in [
            (changed(|level| level.with("size", "1 2")), "value:1:3: "),
            (changed(|level| level.with("size", "(")), "value:1:"),
            (changed(|level| level.with("size.inner", "1")), "level.ron:4:5: there is no `size.inner`"),
            (changed(|level| level.with("walls.3", "1")), "level.ron:10:5: there is no `walls.3`"),
            (changed(|level| level.with("a b", "1")), "level.ron:2:1: there is no `a b`"),
            (changed(|level| level.with_element("size", "1")), "level.ron:4:5: `size` is not a list"),
            (changed(|level| level.without("")), "level.ron:2:1: there is no ``"),
            (changed(|level| level.without("nothing")), "level.ron:2:1: there is no `nothing`"),
        ] {
            assert!(refusal.starts_with(expected), "{refusal}");
        }
    }

    #[test]
    fn parts_have_their_names_and_comments() {
        let parts = RonText::new("level.ron", LEVEL).parts();
        assert_eq!(parts.iter().map(|part| &*part.step).collect::<Vec<_>>(), ["size", "stashes", "walls", "kinds"]);
        assert_eq!((&*parts[0].text, &*parts[0].comment, parts[0].parts.len()), ("75.0", "Half the side, metres.", 0));
        assert_eq!(parts[2].comment, "None at all.");
        let at_m = &parts[1].parts[0];
        assert_eq!((&*at_m.step, at_m.line_and_column), ("at_m", (5, 21)));
        let places: Vec<_> = at_m.parts.iter().map(|part| (&*part.step, &*part.text, part.line_and_column)).collect();
        let expected = [("0", "(66.0, 12.0)", (6, 9)), ("1", "(-66.0, -12.0)", (6, 23)), ("2", "(1.0, 2.0)", (7, 9))];
        assert_eq!(places, expected);
        assert_eq!(&*parts[3].parts[1].parts[0].text, "\"brick\"");
        let prefabs = RonText::new("prefabs.ron", "{\n    // Grey.\n    \"rock\": {\"shape\": Square(1.0)},\n}");
        let rock = &prefabs.parts()[0];
        assert_eq!((&*rock.step, &*rock.comment, &*rock.parts[0].text), ("rock", "Grey.", "Square(1.0)"));
        assert_eq!(prefabs.with("rock.shape.0", "2.0").unwrap().text(), prefabs.text().replace("1.0", "2.0"));
        assert_eq!(RonText::new("bad.ron", "(a: ").parts(), []);
    }

    #[test]
    fn comments_stay_behind_their_values() {
        let added = |text: &str| {
            let text = RonText::new("list", text).with_element("", "3").unwrap();
            assert_eq!(text.read::<Vec<u32>>().unwrap(), [1, 2, 3], "{}", text.text());
            text.text().to_owned()
        };
        assert_eq!(added("[\n\t1, // one\n\t2, // two\n]"), "[\n\t1, // one\n\t2, // two\n\t3,\n]");
        assert_eq!(added("[\n    1, // one\n    2 // two\n]"), "[\n    1, // one\n    2, // two\n    3\n]");
        assert_eq!(added("[\n    1, 2, // both\n]"), "[\n    1, 2, // both\n    3,\n]");
        assert_eq!(added("[1, 2 /* two */]"), "[1, 2, /* two */ 3]");
    }

    #[test]
    fn lines_end_as_they_did() {
        let text = RonText::new("level.ron", "(\r\n    a: 1,\r\n    // Two.\r\n    b: 2, // b\r\n)\r\n");
        let more = text.with("c", "3").unwrap();
        assert_eq!(more.file_text(), text.file_text().replace("// b\r\n", "// b\r\n    c: 3,\r\n"));
        assert_eq!(text.without("b").unwrap().file_text(), "(\r\n    a: 1,\r\n)\r\n");
    }

    #[test]
    fn random_changes_of_a_list_equal_those_of_a_vec() {
        let mut random = 7_u64;
        let mut next = |most: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) as usize % most
        };
        for layout in
            ["[]", "[1, 2, 3]", "[\n    // one\n    1, // 1\n    2,\n]", "[1,2,\n/* three */ 3\n]", "[ // none\n]"]
        {
            let mut text = RonText::new("list", layout);
            let mut list: Vec<u32> = text.read().unwrap();
            for value in 10..200 {
                match (next(3), list.len()) {
                    (0, 1..) => {
                        let at = next(list.len());
                        list.remove(at);
                        text = text.without(&at.to_string()).unwrap();
                    }
                    (1, 1..) => {
                        let at = next(list.len());
                        list[at] = value;
                        text = text.with(&at.to_string(), &value.to_string()).unwrap();
                    }
                    _ => {
                        list.push(value);
                        text = text.with_element("", &value.to_string()).unwrap();
                    }
                }
                assert_eq!(text.read::<Vec<u32>>().unwrap(), list, "{}", text.text());
            }
        }
    }
}
