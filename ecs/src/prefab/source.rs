//! Texts in RON with the places of everything in them, so that what is wrong can be pointed at.

use std::marker::PhantomData;
use std::sync::Arc;

use ron::Deserializer;
use ron::error::{Error as RonError, Position};
use ron::value::RawValue;
use serde::Deserializer as _;
use serde::de::{Deserialize, MapAccess, Visitor};

use super::error::{PrefabError, syntax_problem};

/// A text and what errors call it.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) name: String,
    text: String,
}

impl Source {
    pub(super) fn new(name: impl Into<String>, text: impl Into<String>) -> Arc<Self> {
        Arc::new(Self { name: name.into(), text: text.into() })
    }
}

/// A value in a text, to be kept.
#[derive(Clone, Debug)]
pub(super) struct Fragment {
    source: Arc<Source>,
    start: usize,
    end: usize,
}

impl Fragment {
    pub(super) fn piece(&self) -> Piece<'_> {
        Piece { source: &self.source, text: &self.source.text[self.start..self.end], start: self.start }
    }
}

/// A value in a text, without the blanks around it; to be read.
#[derive(Clone, Copy)]
pub(super) struct Piece<'a> {
    source: &'a Arc<Source>,
    pub(super) text: &'a str,
    start: usize,
}

/// The names and the values of a map or a struct.
pub(super) type Pairs<'a> = Vec<(Piece<'a>, Piece<'a>)>;

impl<'a> Piece<'a> {
    /// All of a text.
    pub(super) fn parent(source: &'a Arc<Source>) -> Self {
        Self { source, text: &source.text, start: 0 }
    }

    pub(super) fn keep(self) -> Fragment {
        Fragment { source: Arc::clone(self.source), start: self.start, end: self.start + self.text.len() }
    }

    /// A part of this text.
    fn part(self, text: &'a str) -> Self {
        let offset = (text.as_ptr() as usize).checked_sub(self.text.as_ptr() as usize);
        let start = self.start + offset.expect("a part of a text does not lie before it");
        Self { source: self.source, text, start }
    }

    /// What is wrong with the value.
    pub(super) fn error(self, problem: impl Into<String>) -> PrefabError {
        self.at().error(problem)
    }

    /// Where the value begins.
    pub(super) fn at(self) -> Spot {
        Spot { source: Arc::clone(self.source), offset: self.start }
    }

    /// Where the value stands, as people are told.
    pub(super) fn place(self) -> String {
        let spot = self.at();
        let (line, column) = spot.line_and_column();
        format!("{}:{line}:{column}", self.source.name)
    }

    /// Reads the value, which must be all that there is.
    pub(super) fn read_with<T>(
        self,
        read: impl FnOnce(&mut Deserializer<'a>) -> Result<T, RonError>,
    ) -> Result<T, (RonError, Spot)> {
        let mut text = Deserializer::from_str(self.text).map_err(|error| (error.code, self.spot(error.span.start)))?;
        if !text.extensions().is_empty() {
            return Err((RonError::Message("extensions can not be enabled in prefabs".into()), self.at()));
        }
        let value = read(&mut text).and_then(|value| text.end().map(|()| value));
        value.map_err(|code| {
            let error = text.span_error(code);
            let end = self.spot(error.span.end);
            match error.code {
                RonError::ExpectedComma | RonError::Eof if end.is_end() => (RonError::Eof, end),
                code => (code, self.spot(error.span.start)),
            }
        })
    }

    /// Reads a value whose type needs no context.
    pub(super) fn read<T: Deserialize<'a>>(self) -> Result<T, (RonError, Spot)> {
        self.read_with(|text| T::deserialize(text))
    }

    /// The text in quotes that the value is.
    pub(super) fn string(self, what: &str) -> Result<String, PrefabError> {
        self.read().map_err(|(_, spot)| spot.error(format!("{what} must be a text in quotes")))
    }

    /// The names and the values of a map.
    pub(super) fn entries(self, what: &str) -> Result<Pairs<'a>, PrefabError> {
        let pairs = self.read_with(|text| text.deserialize_map(PairsOf::<&RawValue>::new()));
        let pairs = pairs.map_err(|(code, spot)| match code {
            RonError::ExpectedMap => spot.error(format!("{what} must be in brackets `{{…}}`")),
            code => spot.error(syntax_problem(&code)),
        })?;
        Ok(pairs.into_iter().map(|(name, value)| (self.value(name), self.value(value))).collect())
    }

    /// The names and the values of the fields of a struct.
    pub(super) fn fields(self, struct_name: &'static str) -> Result<Pairs<'a>, (RonError, Spot)> {
        let pairs = self.read_with(|text| text.deserialize_struct(struct_name, &[], PairsOf::<&str>::new()))?;
        Ok(pairs.into_iter().map(|(name, value)| (self.part(name), self.value(value))).collect())
    }

    /// The value without the blanks and comments around it.
    pub(super) fn trimmed(self) -> Result<Self, PrefabError> {
        let raw: &RawValue = self.read().map_err(|(code, spot)| spot.error(syntax_problem(&code)))?;
        Ok(self.value(raw))
    }

    /// The elements of a list.
    pub(super) fn elements(self) -> Result<Vec<Self>, (RonError, Spot)> {
        let elements: Vec<&RawValue> = self.read()?;
        Ok(elements.into_iter().map(|element| self.value(element)).collect())
    }

    fn value(self, raw: &'a RawValue) -> Self {
        self.part(raw.trim().get_ron())
    }

    /// The place of what the parser came upon: the first sign from there on that is neither blank nor comment.
    fn spot(self, position: Position) -> Spot {
        let lines_before: usize = self.text.split_inclusive('\n').take(position.line - 1).map(str::len).sum();
        let line = &self.text[lines_before..];
        let in_line = line.char_indices().nth(position.col - 1).map_or(line.len(), |(at, _)| at);
        let rest = &line[in_line..];
        let after_blanks = Deserializer::from_str(rest).map_or(rest, |text| text.remainder());
        Spot { source: Arc::clone(self.source), offset: self.start + self.text.len() - after_blanks.len() }
    }
}

/// A place in a text.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    source: Arc<Source>,
    offset: usize,
}

impl Spot {
    pub(super) fn error(&self, problem: impl Into<String>) -> PrefabError {
        let (line, column) = self.line_and_column();
        PrefabError::at(self.source.name.clone(), line, column, problem.into())
    }

    /// Whether nothing follows.
    pub(super) fn is_end(&self) -> bool {
        self.offset >= self.source.text.trim_end().len()
    }

    /// From 1, columns in characters.
    fn line_and_column(&self) -> (usize, usize) {
        let before = &self.source.text[..self.offset];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (1 + before.matches('\n').count(), 1 + before[line_start..].chars().count())
    }
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
