//! [`TextForm`]: the byte order mark and the line ends of a text, which its readers do not see.

use std::borrow::Cow;

/// U+FEFF at the beginning of a text, which some editors write.
const MARK: char = '\u{feff}';

/// How a text is stored; the usual form has no byte order mark, and its lines end with a line feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TextForm {
    has_mark: bool,
    line_end: LineEnd,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineEnd {
    LineFeed,
    CarriageReturn,
    Both,
}

impl TextForm {
    /// The text in the usual form, and the form that it had: lines end as the first one.
    pub(crate) fn remove(stored: &str) -> (Cow<'_, str>, Self) {
        let text = stored.strip_prefix(MARK);
        let (has_mark, text) = (text.is_some(), text.unwrap_or(stored));
        let line_end = match text.find(['\n', '\r']) {
            Some(end) if text[end..].starts_with("\r\n") => LineEnd::Both,
            Some(end) if text[end..].starts_with('\r') => LineEnd::CarriageReturn,
            _ => LineEnd::LineFeed,
        };
        let text = match text.contains('\r') {
            true => Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n")),
            false => Cow::Borrowed(text),
        };
        (text, Self { has_mark, line_end })
    }

    /// A text in the usual form as it is stored.
    #[cfg(feature = "prefabs")]
    pub(crate) fn apply(self, text: &str) -> String {
        let mark = if self.has_mark { MARK.to_string() } else { String::new() };
        mark + &match self.line_end {
            LineEnd::LineFeed => text.to_owned(),
            LineEnd::CarriageReturn => text.replace('\n', "\r"),
            LineEnd::Both => text.replace('\n', "\r\n"),
        }
    }
}
