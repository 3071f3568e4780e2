//! Changes of a [`RonText`] that keep its comments, its order and its layout.

use std::ops::Range;

use super::error::PrefabError;
use super::ron_text::{Piece, RonText};

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
}

/// Changes of single values.
///
/// A path is made of names of fields, keys of maps and indices from 0, such as `people.1.keys.0`; `Some(…)` is a tuple of one.
/// The new text is not checked beyond its syntax: read it to see whether its values are valid.
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
            return Ok(self.spliced(old.range(), &value));
        }
        let (parent, field) = path.rsplit_once('.').unwrap_or(("", path));
        match self.locate(parent) {
            Some((_, parent)) if parent.is_map() => Ok(self.with_item(parent, &format!("{field:?}: {value}"))),
            Some((_, parent)) if parent.is_struct() && is_name(field) => {
                Ok(self.with_item(parent, &format!("{field}: {value}")))
            }
            _ => Err(self.no_value(path)),
        }
    }

    /// The text with `value` as the last element of the list at `path`.
    ///
    /// # Errors
    /// - `value` is not one value in RON.
    /// - There is no list at `path`.
    pub fn with_element(&self, path: &str, value: &str) -> Result<Self, PrefabError> {
        let value = one_value(value)?;
        let list = self.locate(path).map(|(_, list)| list).filter(|list| list.text.starts_with('['));
        let list = list.ok_or_else(|| self.error_at(path, format!("`{path}` is not a list")))?;
        Ok(self.with_item(list, &value))
    }

    /// The text without the field or element at `path`. A comment on its line goes with it, comments above it stay.
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
        let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = text[end..].find('\n').map_or(text.len(), |newline| end + newline + 1);
        let is_blank = |text: &str| text.trim().is_empty();
        if is_blank(&text[line_start..start]) && (is_blank(&text[end..line_end]) || is_comment(&text[end..line_end])) {
            (start, end) = (line_start, line_end);
        } else {
            end += text[end..].len() - text[end..].trim_start_matches(' ').len();
        }
        Ok(self.spliced(start..end, ""))
    }

    /// The fields, elements or entries of the value at `path`; empty for a number or a text.
    ///
    /// # Errors
    /// - `path` leads nowhere.
    pub fn parts(&self, path: &str) -> Result<Vec<RonPart>, PrefabError> {
        let (_, value) = self.locate(path).ok_or_else(|| self.no_value(path))?;
        let mut before = value.range().start;
        let parts = value.parts().into_iter().enumerate().map(|(index, (place, value))| {
            let is_named = place.range() != value.range();
            let step = if is_named { place.text.trim_matches('"').to_owned() } else { index.to_string() };
            let between = &self.text()[before..place.range().start];
            before = value.range().end;
            // The rest of the line before belongs to what is before.
            let lines = between.lines().skip(1).filter_map(|line| line.trim().strip_prefix("//"));
            let comment = lines.map(str::trim).collect::<Vec<_>>().join("\n");
            RonPart { step, text: value.text.to_owned(), comment, line_and_column: place.at().line_and_column() }
        });
        Ok(parts.collect())
    }

    fn no_value(&self, path: &str) -> PrefabError {
        self.error_at(path, format!("there is no `{path}`"))
    }

    fn spliced(&self, range: Range<usize>, by: &str) -> Self {
        let mut text = self.text().to_owned();
        text.replace_range(range, by);
        Self::new(self.name(), text)
    }

    /// The text with a last item in a struct or a list, laid out as the items before it.
    fn with_item(&self, container: Piece<'_>, item: &str) -> Self {
        let text = self.text();
        let indent_at = |at: usize| {
            let line = &text[text[..at].rfind('\n').map_or(0, |newline| newline + 1)..at];
            &line[..line.len() - line.trim_start().len()]
        };
        let Some((place, value)) = container.parts().pop() else {
            let Range { start, end } = container.range();
            let (outer, close) = (indent_at(start), end - 1);
            let kept = text[..close].trim_end().len();
            return self.spliced(kept..close, &format!("\n{outer}    {item},\n{outer}"));
        };
        let (start, end) = (place.range().start, value.range().end);
        let is_alone = text[..start].trim_end_matches(' ').ends_with('\n');
        let gap = if is_alone { format!("\n{}", indent_at(start)) } else { " ".to_owned() };
        let Some(comma) = comma_after(text, end) else {
            return self.spliced(end..end, &format!(",{gap}{item}"));
        };
        let line_end = text[comma..].find('\n').map_or(text.len(), |newline| comma + newline);
        let at = if is_comment(&text[comma + 1..line_end]) { line_end } else { comma + 1 };
        self.spliced(at..at, &format!("{gap}{item},"))
    }
}

/// The text of a single value, without blanks and comments around it.
fn one_value(value: &str) -> Result<String, PrefabError> {
    // The line of a comment must end.
    let end = if value.contains("//") { "\n" } else { "" };
    let source = RonText::new("value", format!("{value}{end}"));
    Ok(Piece::whole(&source).trimmed()?.text.to_owned())
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_') && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

fn is_comment(text: &str) -> bool {
    text.trim_start().starts_with("//")
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
        assert_eq!(changed(|level| level.without("size")), LEVEL.replace("    size: 75.0,\n", ""));
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
        let level = RonText::new("level.ron", LEVEL);
        let of = |path: &str| {
            let parts = level.parts(path).unwrap().into_iter();
            parts.map(|part| (part.step, part.text, part.comment)).collect::<Vec<_>>()
        };
        let whole = of("");
        assert_eq!(whole.iter().map(|part| &*part.0).collect::<Vec<_>>(), ["size", "stashes", "walls", "kinds"]);
        assert_eq!((&*whole[0].1, &*whole[0].2, &*whole[2].2), ("75.0", "Half the side, metres.", "None at all."));
        let places = level.parts("stashes.at_m").unwrap();
        assert_eq!(places.iter().map(|part| part.line_and_column).collect::<Vec<_>>(), [(6, 9), (6, 23), (7, 9)]);
        let places = of("stashes.at_m");
        assert_eq!(places[2], ("2".to_owned(), "(1.0, 2.0)".to_owned(), String::new()));
        assert_eq!(of("kinds.wall"), [("0".to_owned(), "\"brick\"".to_owned(), String::new())]);
        assert_eq!(of("size"), []);
        let prefabs = RonText::new("prefabs.ron", "{\n    // Grey.\n    \"rock\": {\"shape\": Square(1.0)},\n}");
        let (rock, shape) = (prefabs.parts("").unwrap(), prefabs.parts("rock").unwrap());
        assert_eq!((&*rock[0].step, &*rock[0].comment, &*shape[0].text), ("rock", "Grey.", "Square(1.0)"));
        assert_eq!(prefabs.with("rock.shape.0", "2.0").unwrap().text(), prefabs.text().replace("1.0", "2.0"));
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
