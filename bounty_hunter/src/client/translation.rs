//! Texts of the window in the chosen language. The code has them in English, which is also the key of a translation.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt::Display;

use crate::data::language::Language;

/// Translations by the English text.
type Texts = BTreeMap<&'static str, &'static str>;

#[derive(Clone, Copy)]
struct Known {
    /// The name of its file.
    file: &'static str,
    name: &'static str,
    decimal_sign: char,
    texts: &'static Texts,
}

thread_local! {
    /// The languages beside English.
    static KNOWN: RefCell<Vec<Known>> = const { RefCell::new(Vec::new()) };
    static CHOSEN: Cell<Option<Known>> = const { Cell::new(None) };
    /// The titles of modes by the names of their files.
    static TITLES: RefCell<BTreeMap<String, String>> = const { RefCell::new(BTreeMap::new()) };
}

/// Sets the languages to choose from, by the names of their files. Their texts are kept until the program ends.
pub(crate) fn set_languages(languages: &BTreeMap<String, Language>) {
    let kept = |text: &str| -> &'static str { Box::leak(text.into()) };
    let known = |(file, language): (&String, &Language)| {
        let texts: Texts = language.texts.iter().map(|(english, text)| (kept(english), kept(text))).collect();
        let (file, name, decimal_sign) = (kept(file), kept(&language.name), language.decimal_sign);
        Known { file, name, decimal_sign, texts: Box::leak(Box::new(texts)) }
    };
    KNOWN.set(languages.iter().map(known).collect());
    CHOSEN.set(None);
}

/// Chooses the language of a file; an unknown one is English.
pub(crate) fn choose(file: &str) {
    KNOWN.with_borrow(|known| CHOSEN.set(known.iter().find(|known| known.file == file).copied()));
}

/// Sets the titles of modes by the names of their files, for [`tr_mode`].
pub(crate) fn set_titles(titles: &BTreeMap<String, String>) {
    TITLES.set(titles.clone());
}

/// Whether texts are shown as they are.
pub(crate) fn is_english() -> bool {
    CHOSEN.get().is_none()
}

/// The name of the language of a file in itself.
pub(crate) fn name_of(file: &str) -> &'static str {
    KNOWN.with_borrow(|known| known.iter().find(|known| known.file == file).map_or("English", |known| known.name))
}

/// The file that is `places` entries after `file` in the list of languages, which wraps around; English has an empty name.
pub(crate) fn file_after(file: &str, places: i32) -> String {
    KNOWN.with_borrow(|known| {
        let all: Vec<&str> = std::iter::once("").chain(known.iter().map(|known| known.file)).collect();
        let now = all.iter().position(|other| *other == file).unwrap_or(0) as i32;
        all[(now + places).rem_euclid(all.len() as i32) as usize].to_owned()
    })
}

/// A text in the chosen language; also one of the assets, such as the title of a mode.
pub(crate) fn tr(english: &str) -> &str {
    CHOSEN.get().and_then(|language| language.texts.get(english)).copied().unwrap_or(english)
}

/// Marks an English text that is translated where it is shown.
pub(crate) const fn tr_later(english: &'static str) -> &'static str {
    english
}

/// The name of a player: one that the match has given is shown in the chosen language.
pub(crate) fn tr_player(name: &str) -> String {
    match name.strip_prefix("Player #") {
        Some(number) => tr_with("Player #{number}", &[("number", &number)]),
        None => name.to_owned(),
    }
}

/// The title of a mode by the name of its file; a mode without a file keeps that name.
pub(crate) fn tr_mode(file: &str) -> String {
    TITLES.with_borrow(|titles| titles.get(file).map_or(file, |title| tr(title)).to_owned())
}

/// A number with one decimal.
pub(crate) fn tr_number(value: impl Into<f64>) -> String {
    let text = format!("{:.1}", value.into());
    match CHOSEN.get() {
        Some(language) => text.replace('.', language.decimal_sign.encode_utf8(&mut [0; 4])),
        None => text,
    }
}

/// A text in the chosen language with values: `{name}` in it is replaced by the value of that name.
pub(crate) fn tr_with(english: &'static str, values: &[(&str, &dyn Display)]) -> String {
    let mut text = String::new();
    let mut rest = tr(english);
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let (name, behind) = after.split_once('}').unwrap_or((after, ""));
        if let Some((_, value)) = values.iter().find(|(known, _)| *known == name) {
            text.push_str(&value.to_string());
        }
        rest = behind;
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::assets::Assets;
    use crate::client::drawing::stroke_font::has_strokes;
    use crate::data::language::values_in;
    use crate::data::spell::Spell;

    fn language(texts: &[(&str, &str)]) -> Language {
        let texts = texts.iter().map(|(english, text)| ((*english).to_owned(), (*text).to_owned())).collect();
        Language { name: "Test".to_owned(), decimal_sign: ',', texts }
    }

    #[test]
    fn texts_are_those_of_the_chosen_language_and_else_english() {
        let language = language(&[("Start", "Los"), ("{name} wins by {points}", "{points} für {name}")]);
        set_languages(&[("test".to_owned(), language)].into());
        let wins = || tr_with("{name} wins by {points}", &[("name", &"Ada"), ("points", &7)]);
        assert_eq!((tr("Start"), wins()), ("Start", "Ada wins by 7".to_owned()));
        choose("test");
        assert_eq!((tr("Start"), tr("Quit"), wins()), ("Los", "Quit", "7 für Ada".to_owned()));
        assert_eq!(
            (file_after("", 1), file_after("test", 1), file_after("lost", -1)),
            ("test".into(), String::new(), "test".into())
        );
        assert_eq!((name_of("test"), name_of("")), ("Test", "English"));
        choose("lost");
        assert_eq!(tr("Start"), "Start");
    }

    #[test]
    fn numbers_have_the_decimal_sign_and_modes_the_title_of_the_language() {
        set_languages(&[("test".to_owned(), language(&[("Power-ups", "Extras")]))].into());
        set_titles(&[("power-ups".to_owned(), "Power-ups".to_owned())].into());
        assert_eq!(
            (tr_number(0.25_f32), tr_mode("power-ups"), tr_mode("lost")),
            ("0.2".into(), "Power-ups".into(), "lost".into())
        );
        choose("test");
        assert_eq!(
            (tr_number(-1234.56), tr_mode("power-ups"), tr_mode("lost")),
            ("-1234,6".into(), "Extras".into(), "lost".into())
        );
    }

    /// The first arguments of all calls of these functions in the sources of a folder, outside of tests.
    fn texts_below(folder: &Path, found: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                texts_below(&entry, found);
                continue;
            }
            let source = fs::read_to_string(&entry).unwrap();
            let source = source.split("#[cfg(test)]").next().unwrap();
            let parts: Vec<&str> = source.split('"').collect();
            // Every second part is a literal; no text has an escaped quote.
            for (before, literal) in parts.iter().zip(&parts[1..]).step_by(2) {
                let before = before.trim_end();
                let is_call = ["tr", "tr_with", "tr_later"].iter().any(|call| {
                    let name = before.strip_suffix('(').and_then(|name| name.strip_suffix(call));
                    name.is_some_and(|rest| !rest.ends_with(|letter: char| letter.is_alphanumeric() || letter == '_'))
                });
                if is_call {
                    found.insert((*literal).to_owned());
                }
            }
        }
    }

    #[test]
    fn built_in_languages_have_each_text_and_no_other_one() {
        let mut texts = BTreeSet::new();
        texts_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/client"), &mut texts);
        assert!(texts.len() > 100, "{texts:?}");
        let assets = Assets::built_in();
        texts.extend(Spell::ALL.map(|spell| spell.name().to_owned()));
        texts.extend(assets.modes.values().flat_map(|mode| [mode.title.clone(), mode.description.clone()]));
        for (file, language) in &assets.languages {
            let known: BTreeSet<String> = language.texts.keys().cloned().collect();
            let missing: Vec<_> = texts.difference(&known).collect();
            let unused: Vec<_> = known.difference(&texts).collect();
            assert!(missing.is_empty() && unused.is_empty(), "{file}: missing {missing:#?}, unused {unused:#?}");
            assert!(has_strokes(language.decimal_sign), "the font lacks the decimal sign of {file}");
            for text in language.texts.values() {
                let unknown: String = text
                    .chars()
                    .filter(|letter| !"{}".contains(*letter))
                    .filter(|letter| !has_strokes(*letter))
                    .collect();
                assert_eq!(unknown, "", "the font lacks letters of {text:?} in {file}");
            }
        }
        assert!(texts.iter().all(|text| values_in(text).all(|name| !name.is_empty())));
    }
}
