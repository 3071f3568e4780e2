//! [`PrefabError`].

use std::fmt;

/// A mistake in a prefab or a [`RonText`](crate::prefab::RonText). Its text is one sentence that begins with the place.
///
/// ```text
/// collector.ron:7:25: `speed` has no field `mph`, must be `mps`
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct PrefabError(Box<Inner>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    place: Option<(String, usize, usize)>,
    problem: String,
}

impl PrefabError {
    pub(crate) fn at(file: &str, line: usize, column: usize, problem: String) -> Self {
        Self(Box::new(Inner { place: Some((file.to_owned(), line, column)), problem }))
    }

    /// A problem without a place in a text. One with a place: [`RonText::error_at`](crate::prefab::RonText::error_at).
    #[must_use]
    pub fn new(problem: impl Into<String>) -> Self {
        Self(Box::new(Inner { place: None, problem: problem.into() }))
    }

    /// The name of the file with the mistake; `None` if it is not in a text.
    #[must_use]
    pub fn file(&self) -> Option<&str> {
        self.0.place.as_ref().map(|(file, _, _)| file.as_str())
    }

    /// Line and column from 1, counted in characters; `None` if the mistake is not in a text.
    #[must_use]
    pub fn line_and_column(&self) -> Option<(usize, usize)> {
        self.0.place.as_ref().map(|(_, line, column)| (*line, *column))
    }

    /// The sentence without the place.
    #[must_use]
    pub fn problem(&self) -> &str {
        &self.0.problem
    }
}

impl fmt::Display for PrefabError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((file, line, column)) = &self.0.place {
            write!(f, "{file}:{line}:{column}: ")?;
        }
        f.write_str(&self.0.problem)
    }
}

crate::sentence::impl_error!(PrefabError);
