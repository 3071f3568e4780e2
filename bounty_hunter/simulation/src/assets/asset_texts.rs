//! [`AssetTexts`]: the texts of all assets, some of them replaced by those of a directory.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use ecs::prefab::{PrefabError, RonText, is_text_file, nearest_name};

use crate::data::name::AssetName;
use crate::data::seeded_level::SEED_PREFIX;
use crate::foreign_file::{self, FileKind};

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
/// Extensions of texts that are data, but not in RON.
const OTHER_FORMATS: [&str; 7] = ["json", "json5", "jsonc", "toml", "yaml", "yml", "xml"];

/// The texts of all assets by their path under the directory of assets, such as `ai/normal.ron`: what
/// [`Assets`](super::Assets) are read from, and what an editor changes.
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

    /// The built-in texts with files replaced by those of `directory`, as [`Assets::load`](super::Assets::load) has
    /// them.
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

    /// Replaces the file of this path, or adds it to a folder that is open to new files: prefabs, AIs, modes, levels
    /// and languages.
    ///
    /// # Errors
    /// - The path is unknown, or differs from a known one only in the case of its letters.
    pub fn replace(&mut self, path: &str, source: RonText) -> Result<(), PrefabError> {
        self.check_path(path).map_err(|problem| error_of(source.name(), &problem))?;
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
            let entries = entries(&folder_path)?;
            if entries.is_none() && folder == TOP_FOLDER {
                return Err(error_of(directory.display(), "no such directory"));
            }
            for name in entries.unwrap_or_default() {
                let full_path = folder_path.join(&name);
                if !is_text_file(&name) {
                    self.check_misspelt(folder, &name, &full_path)?;
                    continue;
                }
                let path = format!("{folder}{name}");
                self.check_path(&path).map_err(|problem| error_of(full_path.display(), &problem))?;
                let kind = if folder == POLICIES_FOLDER { FileKind::Policy } else { FileKind::Asset };
                match foreign_file::read(&full_path, kind) {
                    Ok(bytes) => {
                        self.replace(&path, RonText::from_utf8(full_path.display().to_string(), &bytes)?)?;
                    }
                    // An editor that saves has just replaced it; a link that leads nowhere is still there.
                    Err(gone) if gone.kind() == ErrorKind::NotFound && !is_link(&full_path) => {}
                    Err(error) => return Err(unreadable(&full_path, &error)),
                }
            }
        }
        Ok(())
    }

    /// Refuses a path that no file of assets can have.
    fn check_path(&self, path: &str) -> Result<(), String> {
        let (folder, name) = path.split_at(path.rfind('/').map_or(0, |slash| slash + 1));
        if !FOLDERS.contains(&folder) {
            return Err(format!("unknown folder of assets, {}", meant_folder(folder)));
        }
        let known = |folder: &'static str| self.0.keys().filter_map(move |path| path.strip_prefix(folder));
        if folder == TOP_FOLDER && !self.0.contains_key(path) {
            let top: Vec<&str> = known(TOP_FOLDER).filter(|name| !name.contains('/')).collect();
            let elsewhere = OPEN_FOLDERS.into_iter().find(|folder| self.0.contains_key(&format!("{folder}{name}")));
            let meant = match (nearest_name(name, top.iter().copied()), elsewhere) {
                (Some(meant), _) => format!(": `{meant}` may be meant"),
                (None, Some(folder)) => format!(": `{folder}{name}` may be meant"),
                (None, None) => String::new(),
            };
            return Err(format!("unknown asset file, must be one of {}{meant}", top.join(", ")));
        }
        if !is_text_file(name) {
            return Err("the name of an asset file must end in .ron, and begin with a letter or a digit".to_owned());
        }
        let stem = name.strip_suffix(".ron").unwrap_or(name);
        if stem.to_lowercase().ends_with(".ron") {
            return Err(format!("has the extension .ron twice: `{stem}` may be meant"));
        }
        if folder == LEVELS_FOLDER && stem.starts_with(SEED_PREFIX) {
            return Err(format!("names that begin with {SEED_PREFIX:?} are of levels from a seed: rename it"));
        }
        match AssetName::new(stem) {
            Ok(name) if name.as_str() == stem => {}
            Ok(_) => return Err("the name of an asset file has a blank at its end: rename it".to_owned()),
            Err(problem) => return Err(format!("the name of an asset file {problem}")),
        }
        match self.0.keys().find(|other| *other != path && other.to_lowercase() == path.to_lowercase()) {
            Some(other) => Err(format!("differs from `{other}` only in the case of its letters: use the same")),
            None => Ok(()),
        }
    }

    /// Refuses a file or folder that is not read but was probably meant to be.
    fn check_misspelt(&self, folder: &str, name: &str, full_path: &Path) -> Result<(), PrefabError> {
        let is_left_by_a_program = name.starts_with(['.', '#', '~']) || name.ends_with('~');
        if is_left_by_a_program || OPEN_FOLDERS.contains(&&*format!("{name}/")) && folder == TOP_FOLDER {
            return Ok(());
        }
        if full_path.is_dir() {
            let has_texts =
                || entries(full_path).is_ok_and(|all| all.unwrap_or_default().iter().any(|name| is_text_file(name)));
            // A whole directory of assets, one level too deep.
            let has_folders = || OPEN_FOLDERS.iter().any(|folder| full_path.join(folder).is_dir());
            let problem = match folder {
                TOP_FOLDER if nearest_folder(name).is_some() || has_texts() || has_folders() => {
                    format!("unknown folder of assets, {}", meant_folder(name))
                }
                TOP_FOLDER => return Ok(()),
                folder if has_texts() => {
                    format!("folders in {folder} are not read: move its files up, or begin its name with a dot")
                }
                _ => return Ok(()),
            };
            return Err(error_of(full_path.display(), &problem));
        }
        let Some(meant) = self.meant_file(folder, name) else { return Ok(()) };
        Err(error_of(full_path.display(), &format!("is no asset file, must end in .ron: `{meant}` may be meant")))
    }

    /// The name that a file with another extension should probably have.
    fn meant_file(&self, folder: &str, name: &str) -> Option<String> {
        let is_known = |meant: &String| self.0.contains_key(&format!("{folder}{meant}"));
        let Some((stem, extension)) = name.rsplit_once('.') else {
            return Some(format!("{name}.ron")).filter(is_known);
        };
        let extension = extension.to_lowercase();
        if stem.to_lowercase().ends_with(".ron") {
            // Systems that hide extensions add a second one; others mark a copy.
            return (extension == "txt").then(|| stem.to_owned());
        }
        let meant = format!("{stem}.ron");
        let is_near = OTHER_FORMATS.contains(&&*extension)
            || nearest_name(&extension, ["ron"]).is_some()
            || extension == "txt" && is_known(&meant);
        let top = || self.0.keys().map(String::as_str).filter(|path| !path.contains('/'));
        match folder {
            TOP_FOLDER => nearest_name(&meant, top()).filter(|_| is_near).map(str::to_owned),
            _ => is_near.then_some(meant),
        }
    }
}

/// The known folder that is probably meant by another name.
fn nearest_folder(name: &str) -> Option<&'static str> {
    let names = OPEN_FOLDERS.iter().filter_map(|folder| folder.strip_suffix('/'));
    nearest_name(name.trim_end_matches('/'), names)
}

fn meant_folder(name: &str) -> String {
    match nearest_folder(name) {
        Some(meant) => format!("`{meant}/` may be meant"),
        None => format!("must be one of {}", OPEN_FOLDERS.join(", ")),
    }
}

/// The names of the files and folders in a directory, sorted; `None` if it does not exist.
fn entries(directory: &Path) -> Result<Option<Vec<String>>, PrefabError> {
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(missing) if missing.kind() == ErrorKind::NotFound && !is_link(directory) => return Ok(None),
        Err(error) => return Err(unreadable(directory, &error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let name = entry.map_err(|error| unreadable(directory, &error))?.file_name();
        match name.into_string() {
            Ok(name) => names.push(name),
            Err(name) if is_text_file(&name.to_string_lossy()) => {
                let problem = format!("the name of the file {} is not UTF-8", name.display());
                return Err(error_of(directory.display(), &problem));
            }
            Err(_) => {}
        }
    }
    names.sort();
    Ok(Some(names))
}

fn unreadable(path: &Path, error: &io::Error) -> PrefabError {
    if error.kind() == ErrorKind::NotFound && is_link(path) {
        return error_of(path.display(), "is a link that leads nowhere");
    }
    error_of(path.display(), &foreign_file::problem(error))
}

/// Whether there is a link of this name, wherever it leads.
fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|about| about.is_symlink())
}

/// A problem of a whole file or directory.
fn error_of(path: impl Display, problem: &str) -> PrefabError {
    PrefabError::new(format!("{path}: {problem}"))
}
