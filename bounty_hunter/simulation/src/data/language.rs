//! Languages of the window.

use std::collections::BTreeMap;

use serde::Deserialize;

/// `assets/languages/*.ron`: the texts of the window in another language than English. A text that is missing stays
/// English.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Language {
    /// The name of the language in itself.
    pub name: String,
    /// The sign before the decimals of a number.
    #[serde(default = "point")]
    pub decimal_sign: char,
    /// Translations by the English text. `{…}` stands for a value, whose name is the same in both.
    pub texts: BTreeMap<String, String>,
}

fn point() -> char {
    '.'
}

/// The names of the values in a text, in its order.
pub fn values_in(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name)
}
