//! [`AssetTexts`]: the texts of all assets, some of them replaced by those of a directory.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use ecs::prefab::{PrefabError, RonText};

/// AI profiles, named after their files.
pub(super) const AI_FOLDER: &str = "ai/";
/// Policies of learned AIs, named after their files.
pub(super) const POLICIES_FOLDER: &str = "policies/";
/// Modes, named after their files.
pub(super) const MODES_FOLDER: &str = "modes/";
/// Levels, named after their files.
pub(super) const LEVELS_FOLDER: &str = "levels/";
/// Languages of the window, named after their files.
pub(super) const LANGUAGES_FOLDER: &str = "languages/";
/// Prefabs.
pub(super) const PREFABS_FOLDER: &str = "prefabs/";
/// All folders, as prefixes of the paths of files.
pub(super) const FOLDERS: [&str; 7] =
    [TOP_FOLDER, PREFABS_FOLDER, AI_FOLDER, POLICIES_FOLDER, MODES_FOLDER, LEVELS_FOLDER, LANGUAGES_FOLDER];
/// The folders to which a directory may add files.
const OPEN_FOLDERS: [&str; 6] =
    [PREFABS_FOLDER, AI_FOLDER, POLICIES_FOLDER, MODES_FOLDER, LEVELS_FOLDER, LANGUAGES_FOLDER];
const TOP_FOLDER: &str = "";

/// The texts of all assets by their path under the directory of assets, such as `ai/normal.ron`: what [`Assets`](super::Assets) are read
/// from, and what an editor changes.
#[derive(Clone, Debug)]
pub struct AssetTexts(BTreeMap<String, RonText>);

impl FromIterator<(String, RonText)> for AssetTexts {
    fn from_iter<I: IntoIterator<Item = (String, RonText)>>(files: I) -> Self {
        Self(files.into_iter().collect())
    }
}

impl AssetTexts {
    /// The texts that are compiled into the program.
    #[must_use]
    pub fn built_in() -> Self {
        super::built_in::sources()
    }

    /// The built-in texts with files replaced by those of `directory`, as [`Assets::load`](super::Assets::load) has them.
    ///
    /// # Errors
    /// - The directory or a file cannot be read, or is not UTF-8.
    /// - A file has an unknown name.
    pub fn load(directory: &Path) -> Result<Self, PrefabError> {
        let mut texts = Self::built_in();
        texts.replace_from(directory)?;
        Ok(texts)
    }

    /// The text of a file.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&RonText> {
        self.0.get(path)
    }

    /// The paths of all files, sorted.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// A file that every set has.
    pub(super) fn file(&self, path: &str) -> &RonText {
        self.0.get(path).unwrap_or_else(|| panic!("{path} is missing in the list of built_in.rs"))
    }

    /// The `.ron` files of a folder with their bare names, sorted.
    pub(super) fn files_in(&self, folder: &str) -> impl Iterator<Item = (&str, &RonText)> {
        self.0.iter().filter_map(move |(path, source)| Some((path.strip_prefix(folder)?.strip_suffix(".ron")?, source)))
    }

    /// Replaces the file of this path, or adds it to a folder that is open to new files: prefabs, AIs, modes, levels and languages.
    ///
    /// # Errors
    /// - The path is unknown.
    pub fn replace(&mut self, path: &str, source: RonText) -> Result<(), PrefabError> {
        let folder = path.rfind('/').map_or(TOP_FOLDER, |slash| &path[..=slash]);
        if !OPEN_FOLDERS.contains(&folder) && !self.0.contains_key(path) {
            return Err(error_of(source.name(), &self.unknown_file(folder)));
        }
        self.0.insert(path.to_owned(), source);
        Ok(())
    }

    /// Takes a file away; built-in files are needed.
    pub(super) fn remove(&mut self, path: &str) {
        self.0.remove(path);
    }

    /// Replaces files by those of `directory`, and adds its prefabs, profiles, policies, modes, levels and languages.
    pub(super) fn replace_from(&mut self, directory: &Path) -> Result<(), PrefabError> {
        for folder in FOLDERS {
            let folder_path = match folder.strip_suffix('/') {
                Some(name) => directory.join(name),
                None => directory.to_owned(),
            };
            let file_names = ron_files(&folder_path)?;
            if file_names.is_none() && folder == TOP_FOLDER {
                return Err(error_of(directory.display(), "no such directory"));
            }
            for file_name in file_names.unwrap_or_default() {
                let path = format!("{folder}{file_name}");
                let full_path = folder_path.join(&file_name);
                if !OPEN_FOLDERS.contains(&folder) && !self.0.contains_key(&path) {
                    return Err(error_of(full_path.display(), &self.unknown_file(folder)));
                }
                let bytes = fs::read(&full_path).map_err(|error| unreadable(&full_path, &error))?;
                self.replace(&path, RonText::from_utf8(full_path.display().to_string(), &bytes)?)?;
            }
        }
        Ok(())
    }

    fn unknown_file(&self, folder: &str) -> String {
        if !FOLDERS.contains(&folder) {
            let folders: Vec<&str> = OPEN_FOLDERS.to_vec();
            return format!("unknown folder of assets, must be one of {}", folders.join(", "));
        }
        let known: Vec<&str> = self
            .0
            .keys()
            .filter_map(|path| path.strip_prefix(folder))
            .filter(|file_name| !file_name.contains('/'))
            .collect();
        format!("unknown asset file, must be one of {}", known.join(", "))
    }
}

/// The names of the `.ron` files in a directory, sorted; `None` if it does not exist.
fn ron_files(directory: &Path) -> Result<Option<Vec<String>>, PrefabError> {
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(missing) if missing.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(directory, &error)),
    };
    let mut file_names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| unreadable(directory, &error))?;
        let file_name = entry.file_name();
        if Path::new(&file_name).extension().is_some_and(|extension| extension == "ron") {
            let readable = file_name.into_string().map_err(|name| {
                error_of(directory.display(), &format!("the name of the file {} is not UTF-8", name.display()))
            })?;
            file_names.push(readable);
        }
    }
    file_names.sort();
    Ok(Some(file_names))
}

fn unreadable(path: &Path, error: &io::Error) -> PrefabError {
    error_of(path.display(), &format!("cannot be read: {}", error.kind()))
}

/// A problem of a whole file or directory.
fn error_of(path: impl Display, problem: &str) -> PrefabError {
    PrefabError::new(format!("{path}: {problem}"))
}
