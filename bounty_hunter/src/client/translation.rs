//! Texts of the window in the chosen language. The code has them in English, which is also the key of a translation.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt::Display;

use bounty_hunter_simulation::language::Language;
use bounty_hunter_simulation::seeded_level::seed_in;

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

/// The file that is `places` entries after `file` in the list of languages, which wraps around; English has an empty
/// name.
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

/// The name of a level by the name of its file, as a person reads it.
pub(crate) fn tr_level(file: &str) -> String {
    if let Some(Ok(seed)) = seed_in(file) {
        return tr_with("Seed {seed}", &[("seed", &seed)]);
    }
    tr(&title_of_level(file)).to_owned()
}

/// The English name of the level of a file.
fn title_of_level(file: &str) -> String {
    let mut letters = file.chars().map(|letter| if letter == '_' { ' ' } else { letter });
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// A number with one decimal.
pub(crate) fn tr_number(value: impl Into<f64>) -> String {
    let text = format!("{:.1}", value.into());
    match CHOSEN.get() {
        Some(language) => text.replace('.', language.decimal_sign.encode_utf8(&mut [0; 4])),
        None => text,
    }
}

/// A text in the chosen language with values, as by [`with_values`].
pub(crate) fn tr_with(english: &'static str, values: &[(&str, &dyn Display)]) -> String {
    with_values(tr(english), values)
}

/// A text with values: `{name}` in it is replaced by the value of that name.
pub(crate) fn with_values(text: &str, values: &[(&str, &dyn Display)]) -> String {
    let mut rest = text;
    let mut text = String::new();
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

    use super::*;
    use crate::client::drawing::stroke_font::has_strokes;
    use crate::client::literals_for_tests::{Literal, literals_below};
    use bounty_hunter_simulation::assets::{AssetTexts, Assets};
    use bounty_hunter_simulation::feats::CHALLENGES;
    use bounty_hunter_simulation::language::values_in;
    use bounty_hunter_simulation::spell::Spell;

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

    /// The first arguments of all calls of functions with these names, in the sources of a folder.
    fn first_arguments(folder: &str, functions: &[&str]) -> BTreeSet<String> {
        let is_call = |before: &str| {
            let Some(name) = before.trim_end().strip_suffix('(') else { return false };
            functions.iter().any(|function| {
                let rest = name.strip_suffix(function);
                rest.is_some_and(|rest| !rest.ends_with(|letter: char| letter.is_alphanumeric() || letter == '_'))
            })
        };
        let calls = literals_below(folder).into_iter().filter(|literal| is_call(&literal.before));
        calls.map(|literal| literal.text).collect()
    }

    /// All English texts of the window that a language translates.
    fn texts_of_the_window() -> BTreeSet<String> {
        let mut texts = first_arguments("bounty_hunter/src/client", &["tr", "tr_with", "tr_later"]);
        texts.extend(first_arguments("bounty_hunter/src", &["Notice::success", "Notice::problem", "Self::success"]));
        assert!(texts.len() > 100 && texts.contains("saved as {name}"), "{texts:?}");
        let Assets { modes, levels, .. } = Assets::built_in();
        texts.extend(levels.keys().map(|file| title_of_level(file)));
        texts.extend(Spell::ALL.map(|spell| spell.name().to_owned()));
        texts.extend(CHALLENGES.iter().flat_map(|challenge| [challenge.title.to_owned(), challenge.task.to_owned()]));
        texts.extend(modes.values().flat_map(|mode| [mode.title.clone(), mode.description.clone()]));
        texts
    }

    fn without_glyphs(text: &str) -> String {
        // Control characters divide texts, or are drawn as unknown characters.
        text.chars().filter(|letter| !has_strokes(*letter) && !letter.is_control()).collect()
    }

    #[test]
    fn built_in_languages_have_each_text_and_no_other_one() {
        let texts = texts_of_the_window();
        for (file, language) in &Assets::built_in().languages {
            let known: BTreeSet<String> = language.texts.keys().cloned().collect();
            let missing: Vec<_> = texts.difference(&known).collect();
            let unused: Vec<_> = known.difference(&texts).collect();
            assert!(missing.is_empty() && unused.is_empty(), "{file}: missing {missing:#?}, unused {unused:#?}");
        }
        assert!(texts.iter().all(|text| values_in(text).all(|name| !name.is_empty())));
    }
    #[test]
    fn every_text_that_the_window_can_show_has_glyphs() {
        // The texts of the window, those of its values and of notices, and the errors of all layers below it.
        for folder in ["bounty_hunter/src", "bounty_hunter/simulation/src", "ecs/src", "ecs/studio/src"] {
            for Literal { text, .. } in literals_below(folder) {
                assert_eq!(without_glyphs(&text), "", "the font lacks letters of {text:?} in {folder}");
            }
        }
        // The texts and the names of the assets, and of what a file of a language may say in place of them.
        let built_in = AssetTexts::built_in();
        for path in built_in.paths() {
            let text = built_in.get(path).unwrap().text();
            assert_eq!(without_glyphs(path) + &without_glyphs(text), "", "the font lacks letters of {path}");
        }
        // What can be typed: names of players, saves and files, and what the system and the parsers say about them.
        let typed: String = (' '..='~').collect();
        assert_eq!(without_glyphs(&typed), "");
    }

    #[test]
    fn every_text_in_every_language_is_shown_with_odd_values() {
        let assets = Assets::built_in();
        set_languages(&assets.languages);
        let value: String = (' '..='~').collect();
        for file in std::iter::once("").chain(assets.languages.keys().map(String::as_str)) {
            choose(file);
            assert_eq!(without_glyphs(&(name_of(file).to_owned() + &tr_number(-1_234.5))), "", "{file}");
            for text in texts_of_the_window() {
                let names: Vec<String> = values_in(&text).map(str::to_owned).collect();
                let values: Vec<(&str, &dyn Display)> =
                    names.iter().map(|name| (&**name, &value as &dyn Display)).collect();
                let shown = tr_with(Box::leak(text.into_boxed_str()), &values);
                assert_eq!(without_glyphs(&shown), "", "{shown:?} in {file:?}");
                assert_eq!(shown.matches(&*value).count(), names.len(), "a value is not shown: {shown:?} in {file:?}");
            }
        }
        choose("");
    }
}
