//! [`UnknownName`]: a name that stands for nothing, with those that do.

use std::fmt;

use ecs::prefab::may_be_meant;

/// A name of a mode, a level, an AI profile or a prefab that is unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    what: &'static str,
    name: String,
    known: Vec<String>,
    /// Why it stands for nothing; `None` if it is only unknown.
    refusal: Option<String>,
}

impl UnknownName {
    pub(crate) fn new(what: &'static str, name: &str, known: impl Iterator<Item = impl AsRef<str>>) -> Self {
        Self { what, name: name.to_owned(), known: known.map(|name| name.as_ref().to_owned()).collect(), refusal: None }
    }

    /// A name that could stand for something, but is refused for this reason.
    pub(crate) fn refused(what: &'static str, name: &str, refusal: String) -> Self {
        Self { what, name: name.to_owned(), known: Vec::new(), refusal: Some(refusal) }
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, name, known, refusal } = self;
        if let Some(refusal) = refusal {
            return write!(f, "there is no {what} {name:?}: {refusal}");
        }
        let meant = may_be_meant(name, known.iter().map(String::as_str));
        write!(f, "there is no {what} {name:?}, there are {}{meant}", known.join(", "))
    }
}

impl std::error::Error for UnknownName {}
