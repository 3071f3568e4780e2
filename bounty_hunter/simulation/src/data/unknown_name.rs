//! [`UnknownName`]: a name that stands for nothing, with those that do.

use std::fmt;

use ecs::prefab::may_be_meant;

/// A name of a mode, a level, an AI profile or a prefab that is unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    what: &'static str,
    name: String,
    known: Vec<String>,
}

impl UnknownName {
    pub(crate) fn new(what: &'static str, name: &str, known: impl Iterator<Item = impl AsRef<str>>) -> Self {
        Self { what, name: name.to_owned(), known: known.map(|name| name.as_ref().to_owned()).collect() }
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, name, known } = self;
        let meant = may_be_meant(name, known.iter().map(String::as_str));
        write!(f, "there is no {what} {name:?}, there are {}{meant}", known.join(", "))
    }
}

impl std::error::Error for UnknownName {}
