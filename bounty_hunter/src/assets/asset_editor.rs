//! [`AssetEditor`]: changes asset files value by value, with undo, and keeps what is not saved in drafts.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ecs::prefab::{PrefabError, RonText};

use super::asset_texts::AssetTexts;
use super::{Assets, LEVELS_FOLDER};

/// Limit of the texts of one file that can be gone back to.
const MOST_UNDONE: usize = 1_000;
/// Limit of the bytes of a file.
const MOST_BYTES: usize = 1 << 20;
/// The folder of drafts, below that of the assets.
const DRAFTS_FOLDER: &str = ".drafts";

/// Edits the files of a directory of assets, or the built-in ones.
///
/// A change keeps the comments, the order and the layout of a file. It need not be valid: [`AssetEditor::assets`] says what is wrong
/// and where. With a directory, each change is also written to a draft, which the next editor of the directory opens.
///
/// # Example
/// ```
/// use bounty_hunter::assets::AssetEditor;
///
/// let mut editor = AssetEditor::new(None)?;
/// editor.change("levels/pit.ron", |level| level.with("world_half_extent_m", "40.0"))?;
/// assert_eq!(editor.assets()?.levels["pit"].world_half_extent_m, 40.0);
/// assert!(editor.undo("levels/pit.ron") && !editor.is_changed("levels/pit.ron"));
/// # Ok::<(), ecs::prefab::PrefabError>(())
/// ```
#[derive(Debug)]
pub struct AssetEditor {
    directory: Option<PathBuf>,
    texts: AssetTexts,
    files: BTreeMap<String, EditedFile>,
}

/// The texts of a file that was changed.
#[derive(Debug)]
struct EditedFile {
    /// The text as it was read or saved; `None` for a new file.
    saved: Option<RonText>,
    before: Vec<RonText>,
    after: Vec<RonText>,
}

impl AssetEditor {
    /// Opens the files of a directory and their drafts, or the built-in files.
    ///
    /// # Errors
    /// As [`AssetTexts::load`].
    pub fn new(directory: Option<&Path>) -> Result<Self, PrefabError> {
        let texts = directory.map_or_else(|| Ok(AssetTexts::built_in()), AssetTexts::load)?;
        let mut editor = Self { directory: directory.map(Path::to_owned), texts, files: BTreeMap::new() };
        editor.open_drafts()?;
        Ok(editor)
    }

    /// The texts with all changes.
    #[must_use]
    pub fn texts(&self) -> &AssetTexts {
        &self.texts
    }

    /// Reads and checks the texts with all changes.
    ///
    /// # Errors
    /// As [`Assets::load`].
    pub fn assets(&self) -> Result<Assets, PrefabError> {
        Assets::from_texts(&self.texts)
    }

    /// The text of a file.
    ///
    /// # Errors
    /// - There is no such file.
    pub fn text(&self, path: &str) -> Result<&RonText, PrefabError> {
        self.texts.get(path).ok_or_else(|| PrefabError::new(format!("there is no asset file {path:?}")))
    }

    /// Changes a file.
    ///
    /// # Errors
    /// - There is no such file, or `change` fails; nothing was changed.
    /// - The draft cannot be written; the change was made.
    pub fn change(
        &mut self,
        path: &str,
        change: impl FnOnce(&RonText) -> Result<RonText, PrefabError>,
    ) -> Result<(), PrefabError> {
        let before = self.text(path)?.clone();
        let text = change(&before)?;
        if text.text().len() > MOST_BYTES {
            return Err(PrefabError::new(format!("{path} would have more than {MOST_BYTES} bytes")));
        }
        if text.text() == before.text() {
            return Ok(());
        }
        let file = self.edited(path, Some(before.clone()));
        file.after.clear();
        file.before.push(before);
        if file.before.len() > MOST_UNDONE {
            file.before.remove(0);
        }
        self.put(path, text)
    }

    /// Adds a level, mode, AI or file of prefabs as a copy of another.
    ///
    /// # Errors
    /// - The name is taken, or is no name of a file: letters, digits, `-` and `_`.
    /// - There is no file to copy.
    pub fn add(&mut self, path: &str, copied: &str) -> Result<(), PrefabError> {
        let stem = path.rsplit('/').next().and_then(|name| name.strip_suffix(".ron")).unwrap_or_default();
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if stem.is_empty() || !stem.chars().all(is_plain) {
            return Err(PrefabError::new(format!("{stem:?} is no name: use letters, digits, - and _")));
        }
        if self.texts.get(path).is_some() {
            return Err(PrefabError::new(format!("{path} exists already")));
        }
        let text = self.text(copied)?.text().to_owned();
        self.texts.replace(path, RonText::new(self.name_of(path), &*text))?;
        self.edited(path, None);
        self.write_draft(path)
    }

    /// Takes back the last change of a file. Returns whether there was one.
    pub fn undo(&mut self, path: &str) -> bool {
        self.go(path, |file| &mut file.before, |file| &mut file.after)
    }

    /// Makes the last change again that was taken back. Returns whether there was one.
    pub fn redo(&mut self, path: &str) -> bool {
        self.go(path, |file| &mut file.after, |file| &mut file.before)
    }

    /// How many changes of a file can be undone and redone.
    #[must_use]
    pub fn counts(&self, path: &str) -> (usize, usize) {
        self.files.get(path).map_or((0, 0), |file| (file.before.len(), file.after.len()))
    }

    /// Whether a file differs from the saved one.
    #[must_use]
    pub fn is_changed(&self, path: &str) -> bool {
        let text = self.texts.get(path).map(RonText::text);
        self.files.get(path).is_some_and(|file| file.saved.as_ref().map(RonText::text) != text)
    }

    /// Whether files can be saved: there is a directory.
    #[must_use]
    pub fn can_save(&self) -> bool {
        self.directory.is_some()
    }

    /// Writes a file as a whole to the directory of assets, and removes its draft.
    ///
    /// # Errors
    /// - There is no directory, or the file cannot be written.
    /// - The file is not valid.
    pub fn save(&mut self, path: &str) -> Result<(), PrefabError> {
        self.assets()?;
        let text = self.text(path)?.clone();
        let Some(directory) = &self.directory else {
            return Err(PrefabError::new("the built-in assets cannot be saved: start with --assets DIRECTORY"));
        };
        write(&directory.join(path), text.text())?;
        self.edited(path, None).saved = Some(text);
        self.write_draft(path)
    }

    /// The name of a level, if a path is that of one.
    #[must_use]
    pub fn level_name(path: &str) -> Option<&str> {
        path.strip_prefix(LEVELS_FOLDER)?.strip_suffix(".ron")
    }

    fn go(
        &mut self,
        path: &str,
        from: impl Fn(&mut EditedFile) -> &mut Vec<RonText>,
        to: impl Fn(&mut EditedFile) -> &mut Vec<RonText>,
    ) -> bool {
        let (Some(file), Some(present)) = (self.files.get_mut(path), self.texts.get(path)) else { return false };
        let Some(text) = from(file).pop() else { return false };
        to(file).push(present.clone());
        // A draft that cannot be written was reported by the change.
        _ = self.put(path, text);
        true
    }

    fn edited(&mut self, path: &str, saved: Option<RonText>) -> &mut EditedFile {
        let file = || EditedFile { saved, before: Vec::new(), after: Vec::new() };
        self.files.entry(path.to_owned()).or_insert_with(file)
    }

    fn put(&mut self, path: &str, text: RonText) -> Result<(), PrefabError> {
        self.texts.replace(path, text)?;
        self.write_draft(path)
    }

    /// The name of a file in errors.
    fn name_of(&self, path: &str) -> String {
        match &self.directory {
            Some(directory) => directory.join(path).display().to_string(),
            None => format!("assets/{path}"),
        }
    }

    fn draft_of(&self, path: &str) -> Option<PathBuf> {
        Some(self.directory.as_ref()?.join(DRAFTS_FOLDER).join(path))
    }

    /// Writes the draft of a file, or removes it if the file is as it was saved.
    fn write_draft(&self, path: &str) -> Result<(), PrefabError> {
        let Some(draft) = self.draft_of(path) else { return Ok(()) };
        if self.is_changed(path) {
            return write(&draft, self.text(path)?.text());
        }
        match fs::remove_file(&draft) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(unwritable(&draft, &error)),
            _ => Ok(()),
        }
    }

    /// Opens the drafts that an earlier editor left: each is a change of its file.
    fn open_drafts(&mut self) -> Result<(), PrefabError> {
        let Some(drafts) = self.directory.as_ref().map(|directory| directory.join(DRAFTS_FOLDER)) else {
            return Ok(());
        };
        for folder in ["", "ai", "levels", "modes", "prefabs"] {
            let Ok(entries) = fs::read_dir(drafts.join(folder)) else { continue };
            for entry in entries.flatten() {
                let file_name = entry.file_name().to_string_lossy().into_owned();
                let path = if folder.is_empty() { file_name } else { format!("{folder}/{file_name}") };
                let Ok(text) = fs::read_to_string(entry.path()) else { continue };
                let text = RonText::new(self.name_of(&path), text);
                let saved = self.texts.get(&path).cloned();
                if self.texts.replace(&path, text).is_ok() {
                    let file = self.edited(&path, saved.clone());
                    file.before.extend(saved);
                }
            }
        }
        Ok(())
    }
}

/// Replaces a file as a whole, and creates its folders.
fn write(path: &Path, text: &str) -> Result<(), PrefabError> {
    let part = path.with_extension("part");
    let folder = path.parent().unwrap_or(Path::new(""));
    let written =
        fs::create_dir_all(folder).and_then(|()| fs::write(&part, text)).and_then(|()| fs::rename(&part, path));
    written.map_err(|error| unwritable(path, &error))
}

fn unwritable(path: &Path, error: &io::Error) -> PrefabError {
    PrefabError::new(format!("{} cannot be written: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PIT: &str = "levels/pit.ron";

    fn directory(name: &str) -> PathBuf {
        let directory = std::env::temp_dir().join(format!("bounty_hunter_editor_{name}_{}", std::process::id()));
        _ = fs::remove_dir_all(&directory);
        fs::create_dir_all(&directory).unwrap();
        directory
    }

    fn widen(editor: &mut AssetEditor, value: &str) -> Result<(), PrefabError> {
        editor.change(PIT, |level| level.with("world_half_extent_m", value))
    }

    #[test]
    fn saved_level_is_the_one_that_a_person_would_write() {
        let directory = directory("save");
        let mut editor = AssetEditor::new(Some(&directory)).unwrap();
        let before = editor.text(PIT).unwrap().text().to_owned();
        widen(&mut editor, "44.0").unwrap();
        assert!(editor.is_changed(PIT) && editor.can_save());
        editor.save(PIT).unwrap();
        assert!(!editor.is_changed(PIT));
        let saved = fs::read_to_string(directory.join(PIT)).unwrap();
        assert_eq!(saved, before.replace("36.0", "44.0"));
        assert_eq!(Assets::load(&directory).unwrap().levels["pit"].world_half_extent_m, 44.0);
        assert!(!directory.join(".drafts").join(PIT).exists());
        fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn unsaved_changes_outlive_the_editor() {
        let directory = directory("draft");
        let mut editor = AssetEditor::new(Some(&directory)).unwrap();
        widen(&mut editor, "44.0").unwrap();
        editor.add("levels/new.ron", PIT).unwrap();
        drop(editor);
        let mut editor = AssetEditor::new(Some(&directory)).unwrap();
        assert!(editor.is_changed(PIT) && editor.is_changed("levels/new.ron"));
        assert_eq!(editor.assets().unwrap().levels["new"].world_half_extent_m, 44.0);
        assert!(editor.undo(PIT) && !editor.is_changed(PIT) && editor.redo(PIT));
        assert!(editor.undo(PIT));
        drop(editor);
        assert!(!AssetEditor::new(Some(&directory)).unwrap().is_changed(PIT), "the draft is gone as well");
        fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn invalid_values_are_reported_at_their_place_and_are_not_saved() {
        let directory = directory("invalid");
        let mut editor = AssetEditor::new(Some(&directory)).unwrap();
        widen(&mut editor, "-1.0").unwrap();
        let error = editor.assets().unwrap_err();
        assert_eq!(error.line_and_column(), Some((4, 26)), "{error}");
        assert_eq!(editor.save(PIT).unwrap_err().to_string(), error.to_string());
        assert!(!directory.join(PIT).exists());
        assert!(editor.undo(PIT));
        assert!(editor.assets().is_ok());
        fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn bad_requests_change_nothing() {
        let mut editor = AssetEditor::new(None).unwrap();
        let paths: Vec<String> = editor.texts().paths().map(str::to_owned).collect();
        for (refusal, expected) in [
            (editor.change("levels/none.ron", |text| Ok(text.clone())), "there is no asset file \"levels/none.ron\""),
            (editor.add(PIT, PIT), "levels/pit.ron exists already"),
            (editor.add("levels/../x.ron/.ron", PIT), "\"\" is no name: use letters, digits, - and _"),
            (editor.add("levels/a b.ron", PIT), "\"a b\" is no name: use letters, digits, - and _"),
            (
                editor.add("x.ron", PIT),
                "assets/x.ron: unknown asset file, must be one of game.ron, keymap.ron, sounds.ron",
            ),
            (editor.add("../levels/x.ron", PIT), "assets/../levels/x.ron: unknown asset file, must be one of "),
            (editor.save(PIT), "the built-in assets cannot be saved: start with --assets DIRECTORY"),
        ] {
            assert_eq!(refusal.unwrap_err().to_string(), expected);
        }
        assert!(!editor.undo(PIT) && !editor.redo(PIT) && !editor.is_changed(PIT));
        assert_eq!(editor.texts().paths().collect::<Vec<_>>(), paths);
    }
}
