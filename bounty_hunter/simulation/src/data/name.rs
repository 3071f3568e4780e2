//! [`Name`]: the name of a player, a save or an asset, whatever it comes from.

use std::fmt;
use std::str::FromStr;

/// A name of 1 to `MOST` characters that can be shown in one line: no blanks at its ends, no control characters, and no
/// characters that are invisible or change the direction of writing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name<const MOST: usize>(String);

/// The name of a player.
pub type PlayerName = Name<16>;
/// The name of a save.
pub type SaveName = Name<64>;
/// The name of an asset: that of its file without `.ron`.
pub type AssetName = Name<100>;

/// The most marks on one letter, such as accents that are characters of their own.
const MAX_MARKS: usize = 2;
/// The name of a player whose name has no character that can be shown.
const NAMELESS: &str = "nameless";

impl<const MOST: usize> Name<MOST> {
    /// The most characters.
    pub const MAX_CHARACTERS: usize = MOST;

    /// A name; blanks at its ends are dropped.
    ///
    /// # Errors
    /// - It is empty or too long, or has a character that cannot be shown: the sentence says so, without the name.
    pub fn new(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let characters = text.chars().count();
        if characters == 0 || characters > MOST {
            return Err(format!("has {characters} characters, must have 1 to {MOST}"));
        }
        match problem_in(text) {
            Some(problem) => Err(problem),
            None => Ok(Self(text.to_owned())),
        }
    }

    /// A name that somebody else has chosen, without what cannot be shown.
    #[must_use]
    pub fn cleaned(text: &str) -> Self {
        let mut name = String::new();
        let mut marks = 0;
        for character in text.chars().filter(|character| !is_hidden(*character)) {
            marks = if is_mark(character) { marks + 1 } else { 0 };
            if marks <= MAX_MARKS && !(name.is_empty() && (marks > 0 || character == ' ')) {
                name.push(character);
            }
        }
        let name: String = name.chars().take(MOST).collect();
        match name.trim() {
            "" => Self(NAMELESS.chars().take(MOST).collect()),
            name => Self(name.to_owned()),
        }
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<const MOST: usize> fmt::Display for Name<MOST> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl<const MOST: usize> FromStr for Name<MOST> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::new(text)
    }
}

impl<const MOST: usize> From<Name<MOST>> for String {
    fn from(name: Name<MOST>) -> Self {
        name.0
    }
}

/// What is wrong with the characters of a text in one line, as a sentence that follows its name; `None` if all can be
/// shown.
#[must_use]
pub fn problem_in(text: &str) -> Option<String> {
    if let Some(hidden) = text.chars().find(|character| is_hidden(*character)) {
        return Some(format!("has the character U+{:04X}, which cannot be shown: leave it out", u32::from(hidden)));
    }
    let mut marks = MAX_MARKS;
    for character in text.chars() {
        marks = if is_mark(character) { marks + 1 } else { 0 };
        if marks > MAX_MARKS {
            return Some(format!("has marks without a letter, or more than {MAX_MARKS} on one: leave them out"));
        }
    }
    None
}

/// A character that shows nothing, or changes what stands beside it: control characters, blanks but the usual one,
/// joiners, marks of direction, fillers, tags, and what is no character.
fn is_hidden(character: char) -> bool {
    let is_blank = character.is_whitespace() && character != ' ';
    let is_no_character = u32::from(character) & 0xfffe == 0xfffe;
    is_blank || is_no_character || character.is_control() || is_format(character)
}

/// Characters of Unicode's category of formats, fillers that are drawn as a blank, and characters without a public
/// meaning.
fn is_format(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}' | '\u{891}' | '\u{8e2}'
            | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}' | '\u{ffa0}' | '\u{fdd0}'..='\u{fdef}' | '\u{fff0}'..='\u{fffb}' | '\u{e000}'..='\u{f8ff}'
            | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1345f}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{10ffff}'
    )
}

/// Whether a character is a mark on the letter before it.
#[must_use]
pub fn is_mark(character: char) -> bool {
    matches!(
        character,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}' | '\u{5c2}' | '\u{5c7}' | '\u{5c4}' | '\u{5c5}' | '\u{610}'..='\u{61a}'
            | '\u{64b}'..='\u{65f}' | '\u{6d6}'..='\u{6dc}' | '\u{6df}'..='\u{6e4}' | '\u{6e7}' | '\u{6e8}' | '\u{6ea}'..='\u{6ed}'
            | '\u{730}'..='\u{74a}' | '\u{7eb}'..='\u{7f3}' | '\u{816}'..='\u{819}' | '\u{81b}'..='\u{823}' | '\u{825}'..='\u{82d}'
            | '\u{859}'..='\u{85b}' | '\u{898}'..='\u{89f}' | '\u{8ca}'..='\u{8ff}' | '\u{951}'..='\u{954}' | '\u{135d}'..='\u{135f}'
            | '\u{1a75}'..='\u{1a7f}' | '\u{1b6b}'..='\u{1b73}' | '\u{1cd0}'..='\u{1ce8}' | '\u{2cef}'..='\u{2cf1}' | '\u{2de0}'..='\u{2dff}'
            | '\u{a66f}'..='\u{a67d}' | '\u{a69e}' | '\u{a69f}' | '\u{a6f0}' | '\u{a6f1}' | '\u{a8e0}'..='\u{a8f1}' | '\u{11366}'..='\u{11374}'
            | '\u{1d165}'..='\u{1d169}' | '\u{1d16d}'..='\u{1d172}' | '\u{1d17b}'..='\u{1d182}' | '\u{1d185}'..='\u{1d18b}'
            | '\u{1d1aa}'..='\u{1d1ad}' | '\u{1d242}'..='\u{1d244}' | '\u{1e000}'..='\u{1e02a}' | '\u{1e8d0}'..='\u{1e8d6}'
            | '\u{1e944}'..='\u{1e949}' | '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}' | '\u{1ab0}'..='\u{1aff}'
            | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{302a}'..='\u{302f}' | '\u{3099}' | '\u{309a}'
            | '\u{fe20}'..='\u{fe2f}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_strangers_can_be_shown() {
        let cleaned = |text: &str| String::from(PlayerName::cleaned(text));
        assert_eq!(cleaned("\u{1b}[31mred\n"), "[31mred");
        assert_eq!(cleaned(" \t "), "nameless");
        assert_eq!(cleaned(&"long".repeat(100)).len(), 16);
        assert_eq!(cleaned("\u{202e}evil\u{200b} \u{feff}"), "evil");
        assert_eq!(cleaned("\u{301}\u{301}"), "nameless");
        assert_eq!(cleaned(&format!("a{}b", "\u{301}".repeat(900))), "a\u{301}\u{301}b");
        assert_eq!(cleaned("fifteen letters then more"), "fifteen letters");
    }

    #[test]
    fn each_limit_of_a_name_has_its_sentence() {
        for (text, sentence) in [
            ("", "has 0 characters, must have 1 to 16"),
            ("  ", "has 0 characters, must have 1 to 16"),
            ("seventeen letters", "has 17 characters, must have 1 to 16"),
            ("a\u{200d}b", "has the character U+200D, which cannot be shown: leave it out"),
            ("a\u{202e}b", "has the character U+202E, which cannot be shown: leave it out"),
            ("a\nb", "has the character U+000A, which cannot be shown: leave it out"),
            ("a\u{a0}b", "has the character U+00A0, which cannot be shown: leave it out"),
            ("\u{e0041}", "has the character U+E0041, which cannot be shown: leave it out"),
            ("e\u{301}\u{301}\u{301}", "has marks without a letter, or more than 2 on one: leave them out"),
            ("a\u{730}\u{731}\u{732}", "has marks without a letter, or more than 2 on one: leave them out"),
            ("a\u{a66f}\u{a8e0}\u{1d165}", "has marks without a letter, or more than 2 on one: leave them out"),
            ("\u{6d6}", "has marks without a letter, or more than 2 on one: leave them out"),
            ("\u{301}e", "has marks without a letter, or more than 2 on one: leave them out"),
        ] {
            assert_eq!(PlayerName::new(text), Err(sentence.to_owned()), "{text:?}");
        }
        for text in ["Ada", "Ада", "小明", "Zoë \"Z\" O'Neill", "e\u{301}", "a & b @ $ ;", "ड़ें", "שָׁלוֹם", "ขึ้น"]
        {
            assert!(PlayerName::new(text).is_ok(), "{text:?}");
        }
        assert_eq!(PlayerName::new(" Ada ").unwrap().as_str(), "Ada");
    }

    #[test]
    fn cleaned_name_keeps_the_limits_whatever_it_was() {
        let parts: Vec<char> = "aß小 \t\n\u{0}\u{301}\u{200b}\u{202e}\u{feff}\u{3164}\u{e0001}".chars().collect();
        let mut random = 7_u64;
        for _ in 0..5_000 {
            let mut text = String::new();
            for _ in 0..random >> 59 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                text.push(parts[(random >> 33) as usize % parts.len()]);
            }
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let cleaned = PlayerName::cleaned(&text);
            assert_eq!(PlayerName::new(cleaned.as_str()), Ok(cleaned), "{text:?}");
            if let Ok(name) = PlayerName::new(&text) {
                assert_eq!(PlayerName::cleaned(&text), name, "a good name stays as it is");
            }
        }
    }
}
