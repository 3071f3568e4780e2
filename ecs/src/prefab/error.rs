//! The sentences for the parser's errors.

use ron::error::Error as RonError;

use crate::near_name::{may_be_meant, nearest_name};

/// The maximal nesting of children.
pub(super) const DEEPEST_CHILD: usize = 16;

/// The error that children, or brackets, nest too deep.
pub(super) fn too_deep() -> String {
    format!(
        "the nesting is too deep, at most {DEEPEST_CHILD} levels of children: make prefabs of the inner ones and use `like`"
    )
}

/// The sentence for a syntax error.
pub(super) fn syntax_problem(code: &RonError) -> String {
    match code {
        RonError::ExpectedComma => "expected a comma or a closing bracket".to_owned(),
        RonError::Eof => "the text ends too early, a closing bracket may be missing".to_owned(),
        RonError::ExceededRecursionLimit => too_deep(),
        RonError::TrailingCharacters => "the text must end here: what follows does not belong to it".to_owned(),
        other => in_lower_case(&other.to_string()),
    }
}

/// The sentence for a wrong value, after its name.
pub(super) fn value_problem(code: &RonError) -> String {
    let fixed = match code {
        RonError::ExpectedFloat => "must be a number",
        RonError::ExpectedInteger | RonError::InvalidIntegerDigit { .. } => "must be a whole number",
        RonError::IntegerOutOfBounds => "is too large or too small for its type",
        RonError::ExpectedBoolean => "must be true or false",
        RonError::ExpectedString => "must be a text in quotes",
        RonError::ExpectedChar => "must be a character in single quotes",
        RonError::ExpectedArray => "must be a list in `[…]`",
        RonError::ExpectedMap => "must be in brackets `{…}`",
        RonError::ExpectedUnit => "must be `()`",
        RonError::ExpectedStructLike | RonError::ExpectedNamedStructLike(_) => "must be in brackets `(…)`",
        RonError::ExpectedComma => "lacks a comma or a closing bracket",
        RonError::Eof => "ends too early, a closing bracket may be missing",
        RonError::TrailingCharacters => "must end here: what follows does not belong to it",
        RonError::ExpectedMapColon => "lacks a `:` after the name of a field",
        RonError::ExpectedStructLikeEnd => "has too many values, or lacks a closing `)`",
        RonError::ExceededRecursionLimit => "nests too deep",
        _ => "",
    };
    if !fixed.is_empty() {
        return fixed.to_owned();
    }
    match code {
        RonError::ExpectedDifferentStructName { expected, found } => {
            format!("must be of type `{expected}`, which may be left out, but says `{found}`")
        }
        RonError::NoSuchEnumVariant { expected, found, .. } => {
            format!("cannot be `{found}`, must be {}", known_instead(found, expected))
        }
        RonError::NoSuchStructField { expected, found, .. } => {
            format!("has no field `{found}`, must be {}", known_instead(found, expected))
        }
        RonError::MissingStructField { field, .. } => format!("lacks the field `{field}`"),
        RonError::DuplicateStructField { field, .. } => format!("has the field `{field}` twice"),
        RonError::InvalidValueForType { expected, found } => format!("must be {expected}, not {found}"),
        RonError::ExpectedDifferentLength { expected, found } => {
            format!("must be {expected}, but the number of its values is {found}")
        }
        RonError::ExpectedIdentifier => "lacks a name here".to_owned(),
        RonError::InvalidIdentifier(found) | RonError::SuggestRawIdentifier(found) => {
            format!("has `{found}` where a name belongs, which consists of letters, digits and `_`")
        }
        RonError::Message(message) => format!("is refused: {message}"),
        other => format!("cannot be read: {}", in_lower_case(&other.to_string())),
    }
}

/// The known names instead of an unknown one, as in "`a`, `b` or `other`: `other` may be meant".
pub(super) fn known_instead<S: AsRef<str>>(unknown: &str, known: &[S]) -> String {
    // Of one name, it is said already.
    let near = known.iter().map(AsRef::as_ref).filter(|_| known.len() > 1);
    format!("{}{}", list(known, "or"), may_be_meant(unknown, near))
}

fn list<S: AsRef<str>>(names: &[S], last_word: &str) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{}`", name.as_ref())).collect();
    match quoted.as_slice() {
        [] => "left out".to_owned(),
        [only] => only.clone(),
        [all_but_last @ .., last] => format!("{} {last_word} {last}", all_but_last.join(", ")),
    }
}

/// A hint for an unknown name: a similar one, or all known ones.
pub(super) fn hint<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let mut known: Vec<&str> = known.collect();
    known.sort_unstable();
    match nearest_name(name, known.iter().copied()) {
        Some(meant) => format!("`{meant}` may be meant"),
        None if known.is_empty() => "none is known".to_owned(),
        None => format!("known are {}", list(&known, "and")),
    }
}

fn in_lower_case(sentence: &str) -> String {
    let mut characters = sentence.chars();
    characters.next().map_or_else(String::new, |first| first.to_lowercase().chain(characters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found_and_far_ones_are_listed() {
        assert_eq!(hint("sped", ["shape", "speed"].into_iter()), "`speed` may be meant");
        assert_eq!(hint("pocket", ["speed", "shape"].into_iter()), "known are `shape` and `speed`");
        assert_eq!(hint("pocket", std::iter::empty()), "none is known");
    }
}
