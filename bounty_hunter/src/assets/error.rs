//! What is wrong with an asset, and where.

use std::fmt;

use ecs::prefab::PrefabError;
use ron::error::Error as RonError;

use super::position::Position;

/// A file, or a directory, of assets that cannot be used.
///
/// Its text is one sentence that starts with the place: `assets/ai/hard.ron:8:5: radar_range_m is -1, must be positive`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssetError {
    file: String,
    position: Option<Position>,
    problem: String,
}

impl AssetError {
    /// A problem of the whole file.
    pub(super) fn of_file(file: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { file: file.into(), position: None, problem: problem.into() }
    }

    /// A problem at a place in the file.
    pub(super) fn at(file: impl Into<String>, position: Position, problem: impl Into<String>) -> Self {
        Self { file: file.into(), position: Some(position), problem: problem.into() }
    }

    /// What the parser found: a mistake in the syntax, an unknown name, a value of the wrong type.
    pub(super) fn of_syntax(file: impl Into<String>, position: Position, code: &RonError) -> Self {
        Self::at(file, position, describe(code))
    }

    /// Line and column from 1, counted in characters, if the problem has a place in the file.
    #[must_use]
    pub fn line_and_column(&self) -> Option<(usize, usize)> {
        self.position.map(|position| (position.line, position.column))
    }
}

impl fmt::Display for AssetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.position {
            Some(Position { line, column }) => write!(f, "{}:{line}:{column}: {}", self.file, self.problem),
            None => write!(f, "{}: {}", self.file, self.problem),
        }
    }
}

impl std::error::Error for AssetError {}

impl From<PrefabError> for AssetError {
    fn from(error: PrefabError) -> Self {
        let file = error.file().unwrap_or("assets/prefabs");
        match error.line_and_column() {
            Some((line, column)) => Self::at(file, Position { line, column }, error.problem()),
            None => Self::of_file(file, error.problem()),
        }
    }
}

/// A name that nothing has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    what: &'static str,
    name: String,
    known: Vec<String>,
}

impl UnknownName {
    pub(crate) fn new<'a>(what: &'static str, name: &str, known: impl Iterator<Item = &'a String>) -> Self {
        Self { what, name: name.to_owned(), known: known.cloned().collect() }
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no {} {:?}, there are {}", self.what, self.name, self.known.join(", "))
    }
}

impl std::error::Error for UnknownName {}

/// The parser's message in this project's words where they are plainer, in lower case anyway.
fn describe(code: &RonError) -> String {
    match code {
        RonError::NoSuchStructField { expected, found, .. } => {
            format!("unknown field `{found}`, must be {}", one_of(expected))
        }
        RonError::MissingStructField { field, .. } => format!("field `{field}` is missing"),
        RonError::DuplicateStructField { field, .. } => format!("field `{field}` is given twice"),
        RonError::NoSuchEnumVariant { expected, found, outer } => {
            let kind = outer.as_deref().unwrap_or("value").to_lowercase();
            format!("unknown {kind} `{found}`, must be {}", one_of(expected))
        }
        RonError::ExpectedComma => "expected a comma or a closing bracket".to_owned(),
        RonError::ExpectedBoolean => "must be true or false".to_owned(),
        RonError::ExpectedInteger => "must be a whole number".to_owned(),
        // Every whole number in the configuration has 32 bits and no sign.
        RonError::IntegerOutOfBounds => format!("must be a whole number from 0 to {}", u32::MAX),
        RonError::ExpectedFloat => "must be a number".to_owned(),
        RonError::Eof => "the file ends too early, a closing bracket may be missing".to_owned(),
        other => with_lower_case_start(&other.to_string()),
    }
}

fn one_of(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.as_slice() {
        [] => "left out".to_owned(),
        [only] => only.clone(),
        [all_but_last @ .., last] => format!("{} or {last}", all_but_last.join(", ")),
    }
}

fn with_lower_case_start(sentence: &str) -> String {
    let mut characters = sentence.chars();
    characters.next().map_or_else(String::new, |first| first.to_lowercase().chain(characters).collect())
}
