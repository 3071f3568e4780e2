//! The texts in the sources of the workspace, for tests that must miss none.

use std::fs;
use std::path::{Path, PathBuf};

/// A literal in quotes, and the code before it.
pub(super) struct Literal {
    pub(super) before: String,
    pub(super) text: String,
}

/// All literals of the sources below a folder of the workspace, outside of tests.
pub(super) fn literals_below(folder: &str) -> Vec<Literal> {
    let mut files = Vec::new();
    list(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder), &mut files);
    assert!(files.len() > 10, "{folder} has only {} sources", files.len());
    files.iter().flat_map(|file| literals(&fs::read_to_string(file).unwrap())).collect()
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for entry in entries {
        let name = entry.file_stem().unwrap().to_string_lossy().into_owned();
        match entry.is_dir() {
            true if name != "tests" => list(&entry, files),
            false if entry.extension().is_some_and(|extension| extension == "rs") && !name.ends_with("tests") => {
                files.push(entry);
            }
            _ => {}
        }
    }
}

/// The literals of a source up to its tests.
fn literals(source: &str) -> Vec<Literal> {
    let source = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let (mut found, mut before, mut rest) = (Vec::new(), String::new(), source);
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if first == '"' || rest.starts_with("r\"") || rest.starts_with("r#") && raw_start(rest).is_some() {
            let (text, length) = literal(rest);
            found.push(Literal { before: std::mem::take(&mut before), text });
            length
        } else if first == '\'' {
            let length = character(rest).unwrap_or(1);
            before += &rest[..length];
            length
        } else {
            // A name may end with an `r`, before which no literal begins.
            let name = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let length = if name > 1 { name } else { first.len_utf8() };
            before += &rest[..length];
            length
        };
        rest = &rest[length..];
    }
    found
}

/// The hashes of a raw literal.
fn raw_start(text: &str) -> Option<usize> {
    let hashes = text[1..].len() - text[1..].trim_start_matches('#').len();
    text[1 + hashes..].starts_with('"').then_some(hashes)
}

/// The text of the literal that begins here, and its length in the source.
fn literal(source: &str) -> (String, usize) {
    if let Some(hashes) = source.strip_prefix('r').and(raw_start(source)) {
        let (start, end) = (hashes + 2, format!("\"{}", "#".repeat(hashes)));
        let length = source[start..].find(&end).unwrap();
        return (source[start..start + length].to_owned(), start + length + end.len());
    }
    let mut text = String::new();
    let mut characters = source.char_indices().skip(1);
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return (text, at + 1),
            '\\' => match characters.next().unwrap().1 {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                '\n' => {
                    while characters.clone().next().is_some_and(|(_, next)| next.is_whitespace()) {
                        characters.next();
                    }
                }
                'u' => {
                    let code: String = characters.by_ref().map(|(_, c)| c).take_while(|c| *c != '}').skip(1).collect();
                    text.extend(u32::from_str_radix(&code, 16).ok().and_then(char::from_u32));
                }
                other => text.push(other),
            },
            other => text.push(other),
        }
    }
    panic!("a literal does not end: {source}")
}

/// The length of a character in quotes; `None` for a lifetime.
fn character(source: &str) -> Option<usize> {
    let mut characters = source.char_indices().skip(1);
    match characters.next()?.1 {
        '\\' => source[3..].find('\'').map(|end| 3 + end + 1),
        _ => characters.next().filter(|(_, second)| *second == '\'').map(|(at, _)| at + 1),
    }
}

#[test]
fn literals_are_found_with_escapes_and_without_comments_and_tests() {
    let source = "fn f<'a>() { tr(\"say \\\"a\\\" \\\n   b\") // \"no\"\n; '\"'; '\\''; r#\"raw \"x\" \\n\"#; for \"q\\u{20ac}\" }\n\
        #[cfg(test)]\nmod tests { \"no\" }";
    let found = literals(source);
    let texts: Vec<&str> = found.iter().map(|literal| &*literal.text).collect();
    assert_eq!(texts, ["say \"a\" b", "raw \"x\" \\n", "q€"]);
    assert!(found[0].before.ends_with("tr("));
}
