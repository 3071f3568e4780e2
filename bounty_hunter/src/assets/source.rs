//! The texts of a set of assets before they are parsed, and how a directory replaces some of them.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::marker::PhantomData;
use std::path::Path;

use ron::error::{Error as RonError, Position as RonPosition};
use serde::de::{DeserializeOwned, DeserializeSeed};

use super::error::AssetError;
use super::layers::Over;
use super::position::{Position, position_of};

/// The folder whose files are profiles named after them.
pub(super) const AI_FOLDER: &str = "ai/";
/// The folder whose files are modes named after them.
pub(super) const MODES_FOLDER: &str = "modes/";
/// The folder whose files are levels named after them.
pub(super) const LEVELS_FOLDER: &str = "levels/";
/// The folder whose files are prefabs.
pub(super) const PREFABS_FOLDER: &str = "prefabs/";
/// The folders of a set of assets, as prefixes of the paths of their files.
const FOLDERS: [&str; 5] = [TOP_FOLDER, PREFABS_FOLDER, AI_FOLDER, MODES_FOLDER, LEVELS_FOLDER];
/// The folders to which a directory may add files.
const OPEN_FOLDERS: [&str; 4] = [PREFABS_FOLDER, AI_FOLDER, MODES_FOLDER, LEVELS_FOLDER];
const TOP_FOLDER: &str = "";

/// The text of one file.
pub(super) struct Source {
    /// The file as an error names it.
    name: String,
    text: String,
}

impl Source {
    pub(super) fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into() }
    }

    fn read(path: &Path) -> Result<Self, AssetError> {
        let name = path.display().to_string();
        let bytes =
            fs::read(path).map_err(|error| AssetError::of_file(&name, format!("cannot be read: {}", error.kind())))?;
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Self { name, text }),
            Err(error) => {
                let valid = String::from_utf8_lossy(&error.as_bytes()[..error.utf8_error().valid_up_to()]);
                Err(AssetError::at(name, Position::after(&valid), "is not UTF-8 text"))
            }
        }
    }

    /// The name of the file and its text.
    pub(super) fn name_and_text(&self) -> (&str, &str) {
        (&self.name, &self.text)
    }

    /// What the text says.
    pub(super) fn parse<T: DeserializeOwned>(&self) -> Result<T, AssetError> {
        self.parse_with(PhantomData)
    }

    /// What the text says, with all fields that it does not name as they are in `below`.
    pub(super) fn parse_over<T: DeserializeOwned>(&self, below: &serde_json::Value) -> Result<T, AssetError> {
        self.parse_with(Over::new(below))
    }

    fn parse_with<'a, S: DeserializeSeed<'a>>(&'a self, seed: S) -> Result<S::Value, AssetError> {
        let options = ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
        options.from_str_seed(&self.text, seed).map_err(|error| {
            // The parser's place may lie before the blanks that precede what it means.
            let place = |at: RonPosition| Position { line: at.line, column: at.col }.past_blanks(&self.text);
            let (start, end) = (place(error.span.start), place(error.span.end));
            let end_of_text = Position::after(&self.text);
            if start == end_of_text || (end == end_of_text && error.code == RonError::ExpectedComma) {
                AssetError::of_syntax(&self.name, end_of_text, &RonError::Eof)
            } else {
                AssetError::of_syntax(&self.name, start, &error.code)
            }
        })
    }

    /// A problem with the value at `path`, which is written as for [`position_of`].
    pub(super) fn error(&self, path: &str, problem: impl Into<String>) -> AssetError {
        AssetError::at(&self.name, position_of(&self.text, path), problem)
    }
}

/// The texts of a whole set by their path under the directory of assets, such as `ai/normal.ron`.
pub(super) struct Sources(BTreeMap<String, Source>);

impl FromIterator<(String, Source)> for Sources {
    fn from_iter<I: IntoIterator<Item = (String, Source)>>(files: I) -> Self {
        Self(files.into_iter().collect())
    }
}

impl Sources {
    /// One of the files that every set has.
    pub(super) fn file(&self, path: &str) -> &Source {
        self.0.get(path).unwrap_or_else(|| panic!("{path} is missing in the list of built_in.rs"))
    }

    /// The `.ron` files of a folder with their bare names, in order of name.
    pub(super) fn files_in(&self, folder: &str) -> impl Iterator<Item = (&str, &Source)> {
        self.0.iter().filter_map(move |(path, source)| Some((path.strip_prefix(folder)?.strip_suffix(".ron")?, source)))
    }

    /// The paths of all files, in order.
    #[cfg(test)]
    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Puts a file in the place of that with the same path, or adds it where files may be added.
    pub(super) fn replace(&mut self, path: &str, source: Source) -> Result<(), AssetError> {
        let folder = path.rfind('/').map_or(TOP_FOLDER, |slash| &path[..=slash]);
        if !OPEN_FOLDERS.contains(&folder) && !self.0.contains_key(path) {
            return Err(AssetError::of_file(source.name, self.unknown_file(folder)));
        }
        self.0.insert(path.to_owned(), source);
        Ok(())
    }

    /// Puts the files of `directory` in the place of those with the same path, and adds its prefabs, profiles, modes and
    /// levels.
    pub(super) fn replace_from(&mut self, directory: &Path) -> Result<(), AssetError> {
        for folder in FOLDERS {
            let folder_path = match folder.strip_suffix('/') {
                Some(name) => directory.join(name),
                None => directory.to_owned(),
            };
            let file_names = ron_files(&folder_path)?;
            if file_names.is_none() && folder == TOP_FOLDER {
                return Err(AssetError::of_file(directory.display().to_string(), "no such directory"));
            }
            for file_name in file_names.unwrap_or_default() {
                let path = format!("{folder}{file_name}");
                let full_path = folder_path.join(&file_name);
                if !OPEN_FOLDERS.contains(&folder) && !self.0.contains_key(&path) {
                    return Err(AssetError::of_file(full_path.display().to_string(), self.unknown_file(folder)));
                }
                self.replace(&path, Source::read(&full_path)?)?;
            }
        }
        Ok(())
    }

    fn unknown_file(&self, folder: &str) -> String {
        let known: Vec<&str> = self
            .0
            .keys()
            .filter_map(|path| path.strip_prefix(folder))
            .filter(|file_name| !file_name.contains('/'))
            .collect();
        format!("unknown asset file, must be one of {}", known.join(", "))
    }
}

/// The names of the `.ron` files in a directory, sorted, or `None` if there is no such directory.
fn ron_files(directory: &Path) -> Result<Option<Vec<String>>, AssetError> {
    let error = |problem: String| AssetError::of_file(directory.display().to_string(), problem);
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(missing) if missing.kind() == ErrorKind::NotFound => return Ok(None),
        Err(other) => return Err(error(format!("cannot be read: {}", other.kind()))),
    };
    let mut file_names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|io| error(format!("cannot be read: {}", io.kind())))?;
        let file_name = entry.file_name();
        if Path::new(&file_name).extension().is_some_and(|extension| extension == "ron") {
            let readable = file_name
                .into_string()
                .map_err(|name| error(format!("the name of the file {} is not UTF-8", name.display())))?;
            file_names.push(readable);
        }
    }
    file_names.sort();
    Ok(Some(file_names))
}
