//! The field in which two values printed by `Debug` differ.

/// The path of the first field that differs between two texts, such as `speed.x`, with both of its values; `None` if
/// the texts are equal or their values have no named fields.
pub(crate) fn different_field(first: &str, other: &str) -> Option<(String, String, String)> {
    let at = first.char_indices().zip(other.chars()).find(|((_, a), b)| a != b).map(|((at, _), _)| at);
    let at = at.or_else(|| (first.len() != other.len()).then_some(first.len().min(other.len())))?;
    let mut open: Vec<Option<&str>> = Vec::new();
    let mut name = None;
    let (mut word, mut value) = (0, 0);
    for (place, letter) in first[..at].char_indices() {
        match letter {
            '{' | '(' | '[' => {
                open.push(name.take());
                (word, value) = (place + 1, place + 1);
            }
            '}' | ')' | ']' => {
                open.pop();
            }
            ',' => {
                name = None;
                (word, value) = (place + 1, place + 1);
            }
            ':' if name.is_none() => {
                name = Some(first[word..place].trim());
                value = place + 1;
            }
            _ => {}
        }
    }
    let path: Vec<&str> = open.into_iter().chain([name]).flatten().filter(|name| !name.is_empty()).collect();
    let end = |text: &str| {
        let behind = text[value..].find([',', '}', ')', ']']).map_or(text.len(), |end| value + end);
        text[value..behind].trim().to_owned()
    };
    (!path.is_empty()).then(|| (path.join("."), end(first), end(other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_field_is_named_with_both_values() {
        let differs = |first, other| different_field(first, other).map(|(path, a, b)| format!("{path}: {a}, {b}"));
        assert_eq!(differs("A { x: 1, y: 2 }", "A { x: 1, y: 3 }").unwrap(), "y: 2, 3");
        assert_eq!(differs("A { at: B { x: 1 }, y: 2 }", "A { at: B { x: 12 }, y: 2 }").unwrap(), "at.x: 1, 12");
        assert_eq!(differs("A { at: B { x: 1 }, y: 2 }", "A { at: B { x: 1 }, y: 21 }").unwrap(), "y: 2, 21");
        assert_eq!(differs("A { all: [1, 2] }", "A { all: [1, 3] }").unwrap(), "all: 2, 3");
        assert_eq!(differs("7", "8"), None);
        assert_eq!(differs("A { x: 1 }", "A { x: 1 }"), None);
    }
}
