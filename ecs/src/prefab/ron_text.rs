//! [`RonText`]: a text in RON with its name, and the places of its values, so that errors can point at them.

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

use ron::error::{Error as RonError, Position};
use ron::extensions::Extensions;
use ron::value::RawValue;
use ron::{Deserializer, Options};
use serde::Deserializer as _;
use serde::de::{Deserialize, DeserializeOwned, MapAccess, SeqAccess, Visitor};

use super::error::syntax_problem;
use super::layers::read_layers;
use super::near_miss;
use crate::error::PrefabError;
use crate::text_form::TextForm;

/// A text in [RON](https://docs.rs/ron) and the name that errors call it by. Cloning it is O(1).
///
/// `Some` may be left out. Other extensions of RON are refused. A byte order mark and line ends other than a line feed
/// are accepted and do not reach the values; [`file_text`](Self::file_text) has them again.
///
/// # Example
/// ```
/// use ecs::prefab::RonText;
///
/// #[derive(Debug, PartialEq, serde::Deserialize)]
/// struct Window { width: u32, height: u32, title: Option<String> }
///
/// let standard = RonText::new("standard.ron", "(width: 800, height: 600, title: \"game\")");
/// let mine = RonText::new("mine.ron", "(width: 1600)");
/// let window: Window = mine.read_over(&standard)?;
/// assert_eq!(window, Window { width: 1600, height: 600, title: Some("game".into()) });
///
/// let error = mine.error_at("width", "width is 1600, must be at most 1000");
/// assert_eq!(error.to_string(), "mine.ron:1:2: width is 1600, must be at most 1000");
/// # Ok::<(), ecs::prefab::PrefabError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RonText {
    name: Arc<str>,
    /// Without a byte order mark; each line ends with a line feed.
    text: Arc<str>,
    form: TextForm,
}

impl RonText {
    /// A text; `name` is usually the path of its file.
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        match TextForm::remove(&text) {
            (plain, form) if *plain == *text => Self { name: name.into(), text, form },
            (plain, form) => Self { name: name.into(), text: plain.into(), form },
        }
    }

    /// The contents of a file, which all readers of text files should pass through.
    ///
    /// # Errors
    /// If they are not UTF-8; the error points at the first wrong byte.
    pub fn from_utf8(name: impl Into<Arc<str>>, bytes: &[u8]) -> Result<Self, PrefabError> {
        const REMEDY: &str = "save it as UTF-8 in its editor";
        let name = name.into();
        if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
            return Err(PrefabError::at(&name, 1, 1, format!("is UTF-16 text, must be UTF-8: {REMEDY}")));
        }
        let valid = std::str::from_utf8(bytes).map_or_else(|error| &bytes[..error.valid_up_to()], str::as_bytes);
        let text = std::str::from_utf8(valid).expect("the bytes before the first wrong one are UTF-8");
        let offset = text.find('\0').unwrap_or(text.len());
        if offset == bytes.len() {
            return Ok(Self::new(name, text));
        }
        let problem = match offset < text.len() {
            true if is_like_utf_16(bytes) => "has zero bytes, as UTF-16 text has, must be UTF-8",
            true => "has a zero byte, must be text",
            false => "is not UTF-8 text",
        };
        let source = Self::new(name, &text[..offset]);
        let end = Location { offset: source.text.len(), source };
        Err(end.error(format!("{problem}: {REMEDY}")))
    }

    /// The name that errors call it by.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text itself, without a byte order mark; its lines end with line feeds.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text as it is written to its file: with the byte order mark and the line ends that it was made with. Of
    /// mixed line ends, the first one counts.
    ///
    /// # Example
    /// ```
    /// use ecs::prefab::RonText;
    ///
    /// let file = RonText::new("level.ron", "\u{feff}(\r\n    size: 75,\r\n)");
    /// let changed = file.with("size", "80")?;
    /// assert_eq!(changed.text(), "(\n    size: 80,\n)");
    /// assert_eq!(changed.file_text(), "\u{feff}(\r\n    size: 80,\r\n)");
    /// # Ok::<(), ecs::prefab::PrefabError>(())
    /// ```
    #[must_use]
    pub fn file_text(&self) -> String {
        self.form.apply(&self.text)
    }

    /// Another text for the same file, with its byte order mark and its line ends.
    #[must_use]
    pub fn with_text(&self, text: impl Into<Arc<str>>) -> Self {
        Self { form: self.form, ..Self::new(self.name.clone(), text) }
    }

    /// Reads a value.
    ///
    /// # Errors
    /// If the text is not RON, or not a `T`: one sentence with file, line and column.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, PrefabError> {
        Ok(read_layers("", vec![Span::whole(self)])?.0)
    }

    /// Reads a value whose missing fields come from `below`, as in a prefab that is `like` another.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_over<T: DeserializeOwned>(&self, below: &Self) -> Result<T, PrefabError> {
        Ok(read_layers("", vec![Span::whole(below), Span::whole(self)])?.0)
    }

    /// This text as the only field of a struct, for [`read_over`](Self::read_over). Errors in the result report wrong
    /// positions.
    #[must_use]
    pub fn as_field(&self, field: &str) -> Self {
        Self::new(self.name.clone(), format!("({field}: {}\n)", Span::value_of(self).text))
    }

    /// The error that a value is wrong for a reason that its type does not know.
    ///
    /// `path` is made of names of fields and indices from 0, such as `people.1.keys.0`; `Some(…)` is a tuple of one.
    /// The error points at the name of the field, at an element, or at the innermost part of the path that exists.
    #[must_use]
    pub fn error_at(&self, path: &str, problem: impl Into<String>) -> PrefabError {
        self.follow(path).0.error(problem)
    }

    /// The place and the value at a path; the empty path is the whole value.
    pub(super) fn locate(&self, path: &str) -> Option<(Span<'_>, Span<'_>)> {
        let (place, value, is_found) = self.follow(path);
        is_found.then_some((place, value))
    }

    /// The value that begins at an offset.
    pub(super) fn value_at(&self, start: usize) -> Option<Span<'_>> {
        let rest = &self.text[start..];
        let whole = Span { source: self, text: rest, start };
        let raw: &RawValue = whole.read_prefix()?;
        Some(whole.value(raw))
    }

    /// The place and the value of the innermost part of a path that exists, and whether that is all of it.
    fn follow(&self, path: &str) -> (Span<'_>, Span<'_>, bool) {
        let value = Span::value_of(self).trimmed().unwrap_or_else(|_| Span::value_of(self));
        let mut found = (value, value, true);
        for step in path.split('.').filter(|_| !path.is_empty()) {
            let Some((place, value)) = found.1.step(step) else { return (found.0, found.1, false) };
            found = (place, value, true);
        }
        found
    }
}

/// A value in a text, for storing.
#[derive(Clone, Debug)]
pub(super) struct Fragment {
    source: RonText,
    start: usize,
    end: usize,
}

impl Fragment {
    pub(super) fn span(&self) -> Span<'_> {
        Span { source: &self.source, text: &self.source.text[self.start..self.end], start: self.start }
    }
}

/// A value in a text, for reading.
#[derive(Clone, Copy)]
pub(super) struct Span<'a> {
    source: &'a RonText,
    pub(super) text: &'a str,
    start: usize,
}

/// The names and the values of a map or a struct.
pub(super) type Pairs<'a> = Vec<(Span<'a>, Span<'a>)>;

impl<'a> Span<'a> {
    /// All of a text.
    pub(super) fn whole(source: &'a RonText) -> Self {
        Self { source, text: &source.text, start: 0 }
    }

    /// The value in a text, without extensions, blanks and comments before it.
    fn value_of(source: &'a RonText) -> Self {
        let text = Deserializer::from_str(&source.text).map_or(&*source.text, |text| text.remainder());
        Self { source, text, start: source.text.len() - text.len() }
    }

    pub(super) fn keep(self) -> Fragment {
        Fragment { source: self.source.clone(), start: self.start, end: self.start + self.text.len() }
    }

    /// A part of this text.
    fn part(self, text: &'a str) -> Self {
        let offset = (text.as_ptr() as usize).checked_sub(self.text.as_ptr() as usize);
        let start = self.start + offset.expect("a part of a text does not lie before it");
        Self { source: self.source, text, start }
    }

    /// An error at the value.
    pub(super) fn error(self, problem: impl Into<String>) -> PrefabError {
        self.at().error(problem)
    }

    /// The start of the value.
    pub(super) fn at(self) -> Location {
        Location { source: self.source.clone(), offset: self.start }
    }

    /// File, line and column of the value.
    pub(super) fn place(self) -> String {
        let (line, column) = self.at().line_and_column();
        format!("{}:{line}:{column}", self.source.name)
    }

    /// Reads the value; nothing may follow it.
    pub(super) fn read_with<T>(
        self,
        read: impl FnOnce(&mut Deserializer<'a>) -> Result<T, RonError>,
    ) -> Result<T, (RonError, Location)> {
        let options = Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
        let text = Deserializer::from_str_with_options(self.text, &options);
        let mut text = text.map_err(|error| (error.code, self.location(error.span.start)))?;
        if text.extensions() != Extensions::IMPLICIT_SOME {
            return Err((RonError::Message("only the extension implicit_some can be enabled".into()), self.at()));
        }
        let value = read(&mut text).and_then(|value| text.end().map(|()| value));
        value.map_err(|code| {
            let error = text.span_error(code);
            let end = self.location(error.span.end);
            match error.code {
                RonError::ExpectedComma | RonError::Eof if end.is_end() => (RonError::Eof, end),
                code => (code, self.location(error.span.start)),
            }
        })
    }

    /// Reads a value of type `T`.
    pub(super) fn read<T: Deserialize<'a>>(self) -> Result<T, (RonError, Location)> {
        self.read_with(|text| T::deserialize(text))
    }

    /// The value at the beginning of the text, whatever follows it.
    fn read_prefix(self) -> Option<&'a RawValue> {
        let mut text = Deserializer::from_str(self.text).ok()?;
        serde::Deserialize::deserialize(&mut text).ok()
    }

    /// The value as a string.
    pub(super) fn string(self, what: &str) -> Result<String, PrefabError> {
        self.read().map_err(|(code, location)| location.error_of(&code, format!("{what} must be a text in quotes")))
    }

    /// The names and the values of a map.
    pub(super) fn entries(self, what: &str) -> Result<Pairs<'a>, PrefabError> {
        let pairs = self.read_with(|text| text.deserialize_map(PairsOf::<&RawValue>::new()));
        let pairs = pairs.map_err(|(code, location)| match code {
            RonError::ExpectedMap => location.error_of(&code, format!("{what} must be in brackets `{{…}}`")),
            code => location.error_of(&code, syntax_problem(&code)),
        })?;
        Ok(pairs.into_iter().map(|(name, value)| (self.value(name), self.value(value))).collect())
    }

    /// The names and the values of the fields of a struct.
    pub(super) fn fields(self, struct_name: &'static str) -> Result<Pairs<'a>, (RonError, Location)> {
        let pairs = self.read_with(|text| text.deserialize_struct(struct_name, &[], PairsOf::<&str>::new()))?;
        Ok(pairs.into_iter().map(|(name, value)| (self.part(name), self.value(value))).collect())
    }

    /// The value without the blanks and comments around it.
    pub(super) fn trimmed(self) -> Result<Self, PrefabError> {
        let raw: &RawValue = self.read().map_err(|(code, location)| location.error_of(&code, syntax_problem(&code)))?;
        Ok(self.value(raw))
    }

    /// The value within `Some(…)`, or `None`.
    pub(super) fn option(self) -> Result<Option<Self>, (RonError, Location)> {
        let inner: Option<&RawValue> = self.read()?;
        Ok(inner.map(|inner| self.value(inner)))
    }

    /// The elements of a list.
    pub(super) fn elements(self) -> Result<Vec<Self>, (RonError, Location)> {
        let elements: Vec<&RawValue> = self.read()?;
        Ok(elements.into_iter().map(|element| self.value(element)).collect())
    }

    /// Its fields, elements or entries: the place of each, which is its name if it has one, and its value.
    pub(super) fn parts(self) -> Pairs<'a> {
        let body = self.body();
        if body.text.starts_with('{') {
            return body.entries("").unwrap_or_default();
        }
        let elements = || {
            body.elements().or_else(|_| {
                let elements = body.read_with(|text| text.deserialize_tuple(0, Elements))?;
                Ok::<_, (RonError, Location)>(elements.into_iter().map(|element| body.value(element)).collect())
            })
        };
        body.fields("")
            .unwrap_or_else(|_| elements().unwrap_or_default().into_iter().map(|element| (element, element)).collect())
    }

    /// Whether its parts may have names: it is a struct, a variant with fields, or a map.
    pub(super) fn is_struct(self) -> bool {
        self.is_map() || self.body().fields("").is_ok()
    }

    pub(super) fn is_map(self) -> bool {
        self.text.starts_with('{')
    }

    pub(super) fn is_list(self) -> bool {
        self.text.starts_with('[')
    }

    /// The bytes that it takes in its text.
    pub(super) fn range(self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    /// What follows the name of a struct or a variant.
    fn body(self) -> Self {
        let name_length = self.text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(0);
        self.part(&self.text[name_length..])
    }

    /// The part that one step of a path leads to: its place and its value.
    fn step(self, step: &str) -> Option<(Self, Self)> {
        let parts = self.parts();
        let is_named = |(place, value): &(Self, Self)| place.start != value.start;
        let by_name = parts.iter().find(|part| is_named(part) && part.0.text.trim_matches('"') == step);
        let by_index = || parts.get(step.parse::<usize>().ok()?).filter(|part| !is_named(part));
        by_name.or_else(by_index).copied()
    }

    fn value(self, raw: &'a RawValue) -> Self {
        self.part(raw.trim().get_ron())
    }

    /// A position of the parser, moved past blanks and comments.
    fn location(self, position: Position) -> Location {
        let lines_before: usize = self.text.split_inclusive('\n').take(position.line - 1).map(str::len).sum();
        let line = &self.text[lines_before..];
        let in_line = line.char_indices().nth(position.col - 1).map_or(line.len(), |(at, _)| at);
        let rest = &line[in_line..];
        let after_blanks = Deserializer::from_str(rest).map_or(rest, |text| text.remainder());
        Location { source: self.source.clone(), offset: self.start + self.text.len() - after_blanks.len() }
    }
}

/// A place in a text.
#[derive(Clone, Debug)]
pub(super) struct Location {
    source: RonText,
    offset: usize,
}

impl Location {
    pub(super) fn error(&self, problem: impl Into<String>) -> PrefabError {
        let (line, column) = self.line_and_column();
        PrefabError::at(&self.source.name, line, column, problem.into())
    }

    /// The error that the text is not as the reader expects: about a near miss if there is one, otherwise `problem`.
    pub(super) fn error_of(&self, code: &RonError, problem: impl Into<String>) -> PrefabError {
        // A reader refuses with its own message only what is well-formed.
        let is_malformed = !matches!(code, RonError::Message(_));
        match is_malformed.then(|| near_miss::find(&self.source.text)).flatten() {
            Some((offset, sentence)) => Self { source: self.source.clone(), offset }.error(sentence),
            None if counts_values(code) && near_miss::has_comma_in_number(self.line()) => {
                self.error(format!("{}: the decimal sign is `.`, not `,`", problem.into()))
            }
            None => self.error(problem),
        }
    }

    /// The line around the place.
    fn line(&self) -> &str {
        let text = &*self.source.text;
        let (before, after) = text.split_at(self.offset);
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        &text[start..self.offset + after.find('\n').unwrap_or(after.len())]
    }

    /// Whether it is the end of the text.
    pub(super) fn is_end(&self) -> bool {
        self.offset >= self.source.text.trim_end().len()
    }

    /// From 1, columns in characters.
    pub(super) fn line_and_column(&self) -> (usize, usize) {
        let before = &self.source.text[..self.offset];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (1 + before.matches('\n').count(), 1 + before[line_start..].chars().count())
    }
}

/// Whether bytes look like UTF-16 without a mark: in a text of European letters half of them are zero.
fn is_like_utf_16(bytes: &[u8]) -> bool {
    bytes.iter().filter(|byte| **byte == 0).count() * 3 >= bytes.len()
}

/// Whether an error may come from too many values.
fn counts_values(code: &RonError) -> bool {
    use RonError::{ExpectedArrayEnd, ExpectedDifferentLength, ExpectedStructLikeEnd, TrailingCharacters};
    matches!(code, ExpectedArrayEnd | ExpectedDifferentLength { .. } | ExpectedStructLikeEnd | TrailingCharacters)
}

/// Reads a map or a struct without looking into its values.
struct PairsOf<K>(PhantomData<K>);

impl<K> PairsOf<K> {
    fn new() -> Self {
        Self(PhantomData)
    }
}

impl<'de, K: Deserialize<'de>> Visitor<'de> for PairsOf<K> {
    type Value = Vec<(K, &'de RawValue)>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("names and values")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = map.next_entry()? {
            pairs.push(pair);
        }
        Ok(pairs)
    }
}

/// Reads a tuple of any length without looking into its elements.
struct Elements;

impl<'de> Visitor<'de> for Elements {
    type Value = Vec<&'de RawValue>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("elements")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Self::Value, A::Error> {
        std::iter::from_fn(|| sequence.next_element().transpose()).collect()
    }
}
