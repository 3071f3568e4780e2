//! [`UnknownName`]: a name that stands for nothing, with those that do.

use std::fmt;

use ecs::prefab::nearest_name;

/// A name of a mode, a level, an AI profile or a prefab that is unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    what: &'static str,
    name: String,
    known: Vec<String>,
}

impl UnknownName {
    pub(crate) fn new<'a>(what: &'static str, name: &str, known: impl Iterator<Item = &'a str>) -> Self {
        Self { what, name: name.to_owned(), known: known.map(str::to_owned).collect() }
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, name, known } = self;
        write!(f, "there is no {what} {name:?}, there are {}{}", known.join(", "), meant(name, known))
    }
}

impl std::error::Error for UnknownName {}

/// What a sentence about an unknown name ends with: the known one that is probably meant, if one is near.
pub(crate) fn meant<S: AsRef<str>>(name: &str, known: &[S]) -> String {
    match nearest_name(name, known.iter().map(AsRef::as_ref)) {
        Some(meant) => format!(": {meant:?} may be meant"),
        None => String::new(),
    }
}
