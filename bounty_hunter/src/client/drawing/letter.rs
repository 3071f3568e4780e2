//! The picture of each character: strokes, a Korean syllable of strokes, the pixels of the fallback font, or its code
//! in a box. And the order in which the characters of a text are drawn from left to right.

use std::borrow::Cow;

use super::fallback_font::{self, Glyph};
use super::hangul;
use super::stroke_font::{self, GAP_UNITS, composed, has_strokes};
use bounty_hunter_simulation::name::is_mark;

/// The picture of a character.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Letter {
    Strokes(char),
    Syllable(char),
    Pixels(Glyph),
    /// No font has it.
    Code(char),
}

impl Letter {
    pub(crate) fn of(character: char) -> Self {
        // A control character that has got here from a file is nothing to be read.
        if has_strokes(character) || character.is_control() {
            return Self::Strokes(character);
        }
        if hangul::is_syllable(character) {
            return Self::Syllable(character);
        }
        Glyph::of(character).map_or(Self::Code(character), Self::Pixels)
    }

    /// Its width without the gap after it, in grid units of the stroke font.
    pub(crate) fn width_units(self) -> f32 {
        match self {
            Self::Strokes(character) => stroke_font::width_units(character),
            Self::Syllable(_) => hangul::WIDTH_UNITS,
            Self::Pixels(glyph) => glyph.width_units(),
            Self::Code(character) => fallback_font::code_width_units(character),
        }
    }
}

/// Whether a character is drawn over the one before it, and takes no room.
pub(crate) fn is_over_another(character: char) -> bool {
    is_mark(character) && !matches!(Letter::of(character), Letter::Code(_))
}

/// The room of a character and the gap after it, in grid units of the stroke font.
pub(crate) fn room_units(character: char) -> f32 {
    if is_over_another(character) { 0.0 } else { Letter::of(character).width_units() + GAP_UNITS }
}

/// The characters of a text from left to right, with letters and their marks as one character where there is one.
pub(crate) fn from_left_to_right(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut clusters: Vec<String> = Vec::new();
    for character in text.chars() {
        match clusters.last_mut().filter(|_| is_mark(character)) {
            None => clusters.push(character.into()),
            Some(cluster) => {
                let letter = cluster.chars().next().filter(|letter| cluster.len() == letter.len_utf8());
                match letter.and_then(|letter| composed(letter, character)) {
                    Some(composed) => *cluster = composed.into(),
                    None => cluster.push(character),
                }
            }
        }
    }
    let goes_left = |cluster: &String| cluster.chars().next().is_some_and(is_written_to_the_left);
    let mut begin = 0;
    while let Some(first) = clusters[begin..].iter().position(goes_left).map(|first| begin + first) {
        // The reversed range ends with the last such letter before another script, so that words change places.
        let is_other = |cluster: &String| !goes_left(cluster) && cluster.chars().any(char::is_alphanumeric);
        let after = clusters[first..].iter().position(is_other).map_or(clusters.len(), |after| first + after);
        let end = clusters[..after].iter().rposition(goes_left).map_or(after, |last| last + 1);
        clusters[first..end].reverse();
        begin = end;
    }
    Cow::Owned(clusters.concat())
}

/// Whether a character neither changes the order of others nor belongs to the one before it.
pub(crate) fn is_plain(character: char) -> bool {
    !is_written_to_the_left(character) && !is_mark(character)
}

/// Hebrew, Arabic and the other scripts that are written from right to left.
fn is_written_to_the_left(character: char) -> bool {
    matches!(
        character,
        '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{10800}'..='\u{10fff}'
            | '\u{1e800}'..='\u{1efff}'
    ) && !is_mark(character)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bounty_hunter_simulation::name::PlayerName;

    #[test]
    fn plain_text_stays_and_hebrew_is_written_to_the_left() {
        assert!(matches!(from_left_to_right("Ada 小明 😀"), Cow::Borrowed("Ada 小明 😀")));
        assert_eq!(from_left_to_right("אבג"), "גבא");
        assert_eq!(from_left_to_right("אב גד wins by 7"), "דג בא wins by 7");
        assert_eq!(from_left_to_right("x אב, y"), "x בא, y");
        assert_eq!(from_left_to_right("שָׁל"), "לשָׁ", "marks stay behind their letters");
        assert_eq!(from_left_to_right(""), "");
    }

    #[test]
    fn letters_and_their_marks_are_one_character_where_there_is_one() {
        assert_eq!(from_left_to_right("e\u{301}i\u{308}U\u{308}c\u{327}"), "éïÜç");
        assert_eq!(from_left_to_right("x\u{301}"), "x\u{301}");
    }

    #[test]
    fn every_name_that_is_allowed_has_a_picture_for_each_letter() {
        let mut codes = 0;
        for character in ('\0'..='\u{1ffff}').filter(|character| *character != ' ') {
            if PlayerName::new(&format!("a{character}b")).is_ok() {
                let letter = Letter::of(character);
                let mut parts = 0;
                match letter {
                    Letter::Strokes(character) => stroke_font::for_each_line(character, |_, _| parts += 1),
                    Letter::Syllable(character) => hangul::for_each_line(character, |_, _| parts += 1),
                    Letter::Pixels(glyph) => glyph.for_each_bar(|_, _, _, _| parts += 1),
                    Letter::Code(character) => fallback_font::for_each_line_of_code(character, |_, _| parts += 1),
                }
                assert!(parts > 0 && letter.width_units() >= 0.0, "{character:?} is invisible");
                codes += usize::from(matches!(letter, Letter::Code(_)));
            }
        }
        assert!(codes > 0, "scripts of which no font was found are codes");
    }

    #[test]
    fn names_in_hebrew_japanese_korean_and_emoji_are_no_codes() {
        for name in [
            "שלום",
            "שָׁלוֹם",
            "さくら",
            "カタカナー",
            "日本太郎",
            "小明",
            "한국어",
            "Анна",
            "Ёлка",
            "Νίκος",
            "محمد",
            "😀🎮🚀👻",
        ] {
            let shown = from_left_to_right(name);
            let codes: Vec<char> = shown.chars().filter(|it| matches!(Letter::of(*it), Letter::Code(_))).collect();
            assert_eq!(codes, [], "in {name}");
        }
    }
}
