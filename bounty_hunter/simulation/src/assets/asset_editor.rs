//! [`AssetEditor`]: changes asset files value by value, with undo, and keeps what is not saved in drafts.

mod drafts;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ecs::prefab::{PrefabError, RonText};

use self::drafts::{Draft, Drafts, Steps};
use super::asset_texts::AssetTexts;
use super::{Assets, LEVELS_FOLDER};
use crate::foreign_file::{self, FileKind};
use crate::whole_file;

/// Limit of the bytes of all texts of one file that can be gone back to.
const MAX_UNDO_BYTES: usize = 1 << 24;
/// Limit of the bytes of a file.
const MAX_BYTES: usize = FileKind::Asset.max_bytes() as usize;
/// Limit of files.
const MAX_FILES: usize = 1_000;
/// The folder of drafts, below that of the assets.
const DRAFTS_FOLDER: &str = ".drafts";

/// Edits the files of a directory of assets, or the built-in ones.
///
/// A change keeps the comments, the order and the layout of a file, its byte order mark and its line ends. It need not
/// be valid: [`AssetEditor::assets`] says what is wrong and where. Each change is also written to a draft with the
/// texts before it, which the next editor opens, so that nothing is lost when the program is killed;
/// [`AssetEditor::draft_problem`] says why that failed.
///
/// # Example
/// ```
/// use bounty_hunter_simulation::assets::AssetEditor;
///
/// let mut editor = AssetEditor::new(None, None)?;
/// editor.change("levels/pit.ron", |level| level.with("world_half_extent_m", "40.0"))?;
/// assert_eq!(editor.assets()?.levels["pit"].world_half_extent_m, 40.0);
/// assert!(editor.undo("levels/pit.ron") && !editor.is_changed("levels/pit.ron"));
/// # Ok::<(), ecs::prefab::PrefabError>(())
/// ```
#[derive(Debug)]
pub struct AssetEditor {
    directory: Option<PathBuf>,
    drafts: Drafts,
    texts: AssetTexts,
    files: BTreeMap<String, EditedFile>,
    draft_problem: Option<String>,
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
    /// Opens the files of a directory, or the built-in files, and their drafts. Those of a directory are in `.drafts`
    /// in it; those of the built-in files in the folder `drafts`, and if it is `None`, their changes end with the
    /// editor.
    ///
    /// # Errors
    /// As [`AssetTexts::load`].
    pub fn new(directory: Option<&Path>, drafts: Option<&Path>) -> Result<Self, PrefabError> {
        let texts = directory.map_or_else(|| Ok(AssetTexts::built_in()), AssetTexts::load)?;
        let drafts = Drafts(directory.map(|directory| directory.join(DRAFTS_FOLDER)).or(drafts.map(Path::to_owned)));
        let (directory, files) = (directory.map(Path::to_owned), BTreeMap::new());
        let mut editor = Self { directory, drafts, texts, files, draft_problem: None };
        editor.open_drafts();
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
    pub fn change(
        &mut self,
        path: &str,
        change: impl FnOnce(&RonText) -> Result<RonText, PrefabError>,
    ) -> Result<(), PrefabError> {
        let before = self.text(path)?.clone();
        let text = change(&before)?;
        if text.text().len() > MAX_BYTES {
            return Err(PrefabError::new(format!("{path} would have more than {MAX_BYTES} bytes")));
        }
        if text.text() == before.text() {
            return Ok(());
        }
        let file = self.entry(path, Some(before.clone()));
        file.after.clear();
        file.before.push(before);
        let mut bytes: usize = file.before.iter().map(|text| text.text().len()).sum();
        while bytes > MAX_UNDO_BYTES {
            bytes -= file.before.remove(0).text().len();
        }
        self.put(path, text)
    }

    /// Takes back all changes of a file since it was saved; a file that was never saved is removed. Returns whether it
    /// is still there.
    ///
    /// # Errors
    /// - There is no such file.
    pub fn discard(&mut self, path: &str) -> Result<bool, PrefabError> {
        self.text(path)?;
        let Some(file) = self.files.get(path) else { return Ok(true) };
        match file.saved.clone() {
            Some(saved) => self.change(path, |_| Ok(saved)).map(|()| true),
            None => {
                self.texts.remove(path);
                self.files.remove(path);
                self.write_draft(path);
                Ok(false)
            }
        }
    }

    /// Adds a level, mode, AI or file of prefabs as a copy of another.
    ///
    /// # Errors
    /// - The name is taken, or is no name of a file: letters, digits, `-` and `_`.
    /// - There is no file to copy.
    pub fn add(&mut self, path: &str, copied: &str) -> Result<(), PrefabError> {
        if !is_file_name(path) {
            let rule = "must be letters, digits, - and _, and end in .ron";
            return Err(PrefabError::new(format!("{path:?} is not a valid name: it {rule}")));
        }
        if self.texts.paths().count() >= MAX_FILES {
            return Err(PrefabError::new(format!("there are already {MAX_FILES} files")));
        }
        if self.texts.get(path).is_some() {
            return Err(PrefabError::new(format!("{path} exists already")));
        }
        let text = self.text(copied)?.text().to_owned();
        self.texts.replace(path, RonText::new(self.name_of(path), &*text))?;
        self.entry(path, None);
        self.write_draft(path);
        Ok(())
    }

    /// Takes back the last change of a file. Returns whether there was one.
    pub fn undo(&mut self, path: &str) -> bool {
        self.move_change(path, |file| &mut file.before, |file| &mut file.after)
    }

    /// Makes the last change again that was taken back. Returns whether there was one.
    pub fn redo(&mut self, path: &str) -> bool {
        self.move_change(path, |file| &mut file.after, |file| &mut file.before)
    }

    /// How many changes of a file can be undone and redone.
    #[must_use]
    pub fn undo_and_redo_counts(&self, path: &str) -> (usize, usize) {
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

    /// Whether changes that are not saved outlive the editor.
    #[must_use]
    pub fn keeps_drafts(&self) -> bool {
        self.drafts.0.is_some()
    }

    /// What is wrong with all texts if a file is changed; changes nothing.
    ///
    /// # Errors
    /// As [`AssetEditor::change`].
    pub fn try_change(
        &self,
        path: &str,
        change: impl FnOnce(&RonText) -> Result<RonText, PrefabError>,
    ) -> Result<Option<PrefabError>, PrefabError> {
        let mut texts = self.texts.clone();
        texts.replace(path, change(self.text(path)?)?)?;
        Ok(Assets::from_texts(&texts).err())
    }

    /// Why the last draft could not be written, so that changes may be lost when the program ends.
    #[must_use]
    pub fn draft_problem(&self) -> Option<&str> {
        self.draft_problem.as_deref()
    }

    /// Writes a file as a whole to the directory of assets, and removes its draft.
    ///
    /// # Errors
    /// - There is no directory, or the file cannot be written.
    /// - The file is not valid.
    /// - Another program has changed the file on the disk since it was read.
    pub fn save(&mut self, path: &str) -> Result<(), PrefabError> {
        let text = self.text(path)?.clone();
        let is_here = |error: &PrefabError| error.file().is_none_or(|file| file == text.name());
        if let Some(error) = self.assets().err().filter(is_here) {
            return Err(error);
        }
        let Some(directory) = &self.directory else {
            return Err(PrefabError::new("the built-in assets cannot be saved: start with --assets DIRECTORY"));
        };
        // A link stays one.
        let file = directory.join(path);
        let file = fs::canonicalize(&file).unwrap_or(file);
        let saved = self.files.get(path).map_or(Some(&text), |edited| edited.saved.as_ref()).map(RonText::text);
        let is_as_saved = match foreign_file::read(&file, FileKind::Policy) {
            Ok(found) => RonText::from_utf8("", &found).is_ok_and(|found| Some(found.text()) == saved),
            Err(error) => error.kind() == io::ErrorKind::NotFound,
        };
        if !is_as_saved {
            let problem = "was changed by another program: rename it, or discard the changes here and start again";
            return Err(PrefabError::new(format!("{} {problem}", file.display())));
        }
        write(&file, &text.file_text())?;
        self.entry(path, None).saved = Some(text);
        self.write_draft(path);
        Ok(())
    }

    /// The name of a level, if a path is that of one.
    #[must_use]
    pub fn level_name(path: &str) -> Option<&str> {
        path.strip_prefix(LEVELS_FOLDER)?.strip_suffix(".ron")
    }

    fn move_change(
        &mut self,
        path: &str,
        from: impl Fn(&mut EditedFile) -> &mut Vec<RonText>,
        to: impl Fn(&mut EditedFile) -> &mut Vec<RonText>,
    ) -> bool {
        let (Some(file), Some(present)) = (self.files.get_mut(path), self.texts.get(path)) else { return false };
        let Some(text) = from(file).pop() else { return false };
        to(file).push(present.clone());
        self.put(path, text).is_ok()
    }

    fn entry(&mut self, path: &str, saved: Option<RonText>) -> &mut EditedFile {
        let file = || EditedFile { saved, before: Vec::new(), after: Vec::new() };
        self.files.entry(path.to_owned()).or_insert_with(file)
    }

    fn put(&mut self, path: &str, text: RonText) -> Result<(), PrefabError> {
        self.texts.replace(path, text)?;
        self.write_draft(path);
        Ok(())
    }

    /// The name of a file in errors.
    fn name_of(&self, path: &str) -> String {
        match &self.directory {
            Some(directory) => directory.join(path).display().to_string(),
            None => format!("assets/{path}"),
        }
    }

    /// Writes the draft of a file, or removes it if the file is as it was saved.
    fn write_draft(&mut self, path: &str) {
        let written = match (self.texts.get(path).filter(|_| self.is_changed(path)), self.files.get(path)) {
            (Some(text), Some(edited)) => {
                let steps = Steps::last_of(edited.saved.as_ref(), &edited.before);
                self.drafts.write(path, &text.file_text(), &steps)
            }
            _ => self.drafts.remove(path),
        };
        self.draft_problem = written.err().map(|error| error.to_string());
    }

    /// Opens the drafts that an earlier editor left: each is a change of its file.
    fn open_drafts(&mut self) {
        for Draft { path, text, steps } in self.drafts.read_all() {
            let (present, name) = (self.texts.get(&path).cloned(), self.name_of(&path));
            let of = |text: String| RonText::new(&*name, text);
            if self.texts.replace(&path, of(text.file_text())).is_err() {
                continue;
            }
            let (known, before) = match steps {
                Some(steps) => (steps.saved.map(of), steps.before.into_iter().map(of).collect()),
                None => (None, present.iter().cloned().collect::<Vec<_>>()),
            };
            // A file that was changed since then differs from the text that was saved, so that it is not overwritten. A
            // built-in one is that of this version of the program.
            let saved = known.filter(|_| self.directory.is_some()).or(present);
            self.entry(&path, saved).before = before;
        }
    }
}

/// Whether the last part of a path may be the name of a file.
fn is_file_name(path: &str) -> bool {
    let stem = path.rsplit('/').next().and_then(|name| name.strip_suffix(".ron")).unwrap_or_default();
    !stem.is_empty() && stem.len() <= 100 && stem.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}

/// Replaces a file as a whole, and creates its folders.
fn write(path: &Path, text: &str) -> Result<(), PrefabError> {
    let folder = path.parent().unwrap_or(path);
    let written = fs::create_dir_all(folder).and_then(|()| whole_file::write(path, text.as_bytes()));
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
        let mut editor = AssetEditor::new(Some(&directory), None).unwrap();
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
        let mut editor = AssetEditor::new(Some(&directory), None).unwrap();
        widen(&mut editor, "43.0").unwrap();
        widen(&mut editor, "44.0").unwrap();
        editor.add("levels/new.ron", PIT).unwrap();
        drop(editor);
        let mut editor = AssetEditor::new(Some(&directory), None).unwrap();
        assert!(editor.is_changed(PIT) && editor.is_changed("levels/new.ron"));
        assert_eq!(editor.assets().unwrap().levels["new"].world_half_extent_m, 44.0);
        assert!(editor.undo(PIT) && editor.text(PIT).unwrap().text().contains("43.0"), "each step is kept");
        assert!(editor.undo(PIT) && !editor.is_changed(PIT) && editor.redo(PIT));
        let steps = directory.join(".drafts/levels/pit.steps");
        fs::write(&steps, "garbled").unwrap();
        let mut without_steps = AssetEditor::new(Some(&directory), None).unwrap();
        assert!(without_steps.undo(PIT) && !without_steps.is_changed(PIT), "the saved text is still there");
        assert!(!steps.exists());
        assert!(editor.undo(PIT));
        drop(editor);
        assert!(!AssetEditor::new(Some(&directory), None).unwrap().is_changed(PIT), "the draft is gone as well");
        fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn changes_of_built_in_files_outlive_the_editor_in_a_folder_of_their_own() {
        let drafts = directory("built_in_drafts");
        let mut editor = AssetEditor::new(None, Some(&drafts)).unwrap();
        assert!(editor.keeps_drafts() && !editor.can_save());
        widen(&mut editor, "44.0").unwrap();
        let mut editor = AssetEditor::new(None, Some(&drafts)).unwrap();
        assert_eq!(editor.assets().unwrap().levels["pit"].world_half_extent_m, 44.0);
        assert!(editor.undo(PIT));
        assert!(!AssetEditor::new(None, Some(&drafts)).unwrap().is_changed(PIT));
        fs::remove_dir_all(drafts).unwrap();
    }

    #[test]
    fn change_is_tried_without_being_made() {
        let editor = AssetEditor::new(None, None).unwrap();
        let tried = |value| editor.try_change(PIT, |level| level.with("world_half_extent_m", value)).unwrap();
        assert!(tried("-1.0").unwrap().to_string().contains("must be"));
        assert_eq!(tried("44.0"), None);
        assert!(!editor.is_changed(PIT));
    }

    #[test]
    fn invalid_values_are_reported_at_their_place_and_are_not_saved() {
        let directory = directory("invalid");
        let mut editor = AssetEditor::new(Some(&directory), None).unwrap();
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
    fn file_that_another_program_changed_is_not_overwritten_and_a_link_stays_one() {
        let directory = directory("other");
        fs::create_dir_all(directory.join("levels")).unwrap();
        let real = directory.join("real.txt");
        fs::write(&real, AssetTexts::built_in().get(PIT).unwrap().text()).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(&real, directory.join(PIT)).unwrap();
        let mut editor = AssetEditor::new(Some(&directory), None).unwrap();
        widen(&mut editor, "44.0").unwrap();
        editor.save(PIT).unwrap();
        assert!(fs::read_to_string(&real).unwrap().contains("44.0"));
        fs::write(&real, "(changed)").unwrap();
        widen(&mut editor, "45.0").unwrap();
        let refusal = editor.save(PIT).unwrap_err().to_string();
        assert!(refusal.contains("real.txt was changed by another program"), "{refusal}");
        assert_eq!(fs::read_to_string(&real).unwrap(), "(changed)");
        fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn byte_order_mark_and_line_ends_of_a_file_are_kept() {
        let directory = directory("forms");
        fs::create_dir_all(directory.join("levels")).unwrap();
        let before = AssetTexts::built_in().get(PIT).unwrap().text().to_owned();
        let stored = |text: &str| format!("\u{feff}{}", text.replace('\n', "\r\n"));
        fs::write(directory.join(PIT), stored(&before)).unwrap();
        let mut editor = AssetEditor::new(Some(&directory), None).unwrap();
        widen(&mut editor, "43.0").unwrap();
        editor.change(PIT, |level| Ok(level.with_text(level.text().replace("43.0", "44.0")))).unwrap();
        drop(editor);
        let mut editor = AssetEditor::new(Some(&directory), None).unwrap();
        assert!(editor.undo(PIT) && editor.redo(PIT), "the draft has its steps");
        assert_eq!(editor.text(PIT).unwrap().text(), before.replace("36.0", "44.0"));
        editor.save(PIT).unwrap();
        assert_eq!(fs::read_to_string(directory.join(PIT)).unwrap(), stored(&before.replace("36.0", "44.0")));
        // A file that has become unreadable is not overwritten either.
        widen(&mut editor, "45.0").unwrap();
        fs::write(directory.join(PIT), b"\xff\xfe(\0)\0").unwrap();
        let refusal = editor.save(PIT).unwrap_err().to_string();
        assert!(refusal.contains("was changed by another program"), "{refusal}");
        assert_eq!(fs::read(directory.join(PIT)).unwrap(), b"\xff\xfe(\0)\0");
        fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn file_that_was_changed_by_hand_is_not_overwritten_by_a_draft() {
        let directory = directory("by_hand");
        let mut editor = AssetEditor::new(Some(&directory), None).unwrap();
        editor.change(PIT, |level| Ok(level.clone())).unwrap();
        widen(&mut editor, "44.0").unwrap();
        editor.save(PIT).unwrap();
        widen(&mut editor, "45.0").unwrap();
        drop(editor);
        let by_hand = fs::read_to_string(directory.join(PIT)).unwrap().replace("44.0", "50.0");
        fs::write(directory.join(PIT), &by_hand).unwrap();
        let mut editor = AssetEditor::new(Some(&directory), None).unwrap();
        let refusal = editor.save(PIT).unwrap_err().to_string();
        assert!(refusal.contains("was changed by another program"), "{refusal}");
        assert_eq!(fs::read_to_string(directory.join(PIT)).unwrap(), by_hand);
        assert_eq!(editor.discard(PIT), Ok(true));
        drop(editor);
        let editor = AssetEditor::new(Some(&directory), None).unwrap();
        assert_eq!(editor.text(PIT).unwrap().text(), by_hand, "after a discard and a new start it is that of the disk");
        fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn draft_of_another_version_of_a_built_in_file_is_discarded_to_the_present_one() {
        let drafts = directory("other_version");
        let mut editor = AssetEditor::new(None, Some(&drafts)).unwrap();
        widen(&mut editor, "44.0").unwrap();
        let steps = drafts.join("levels/pit.steps");
        fs::write(&steps, fs::read_to_string(&steps).unwrap().replace("36.0", "35.0")).unwrap();
        let mut editor = AssetEditor::new(None, Some(&drafts)).unwrap();
        assert_eq!(editor.discard(PIT), Ok(true));
        assert_eq!(editor.text(PIT).unwrap().text(), AssetTexts::built_in().get(PIT).unwrap().text());
        assert!(!editor.is_changed(PIT));
        // A new file of that time is a built-in one now.
        widen(&mut editor, "44.0").unwrap();
        fs::write(&steps, "(saved: None, before: [])").unwrap();
        let mut editor = AssetEditor::new(None, Some(&drafts)).unwrap();
        assert_eq!((editor.discard(PIT), editor.text(PIT).is_ok()), (Ok(true), true));
        fs::remove_dir_all(drafts).unwrap();
    }

    #[test]
    fn changes_are_discarded_and_one_bad_file_does_not_keep_others_from_being_saved() {
        let directory = directory("discard");
        let mut editor = AssetEditor::new(Some(&directory), None).unwrap();
        editor.add("levels/bad.ron", PIT).unwrap();
        editor.change("levels/bad.ron", |text| Ok(RonText::new(text.name(), "(garbled"))).unwrap();
        assert!(editor.assets().is_err());
        widen(&mut editor, "44.0").unwrap();
        editor.save(PIT).unwrap();
        widen(&mut editor, "45.0").unwrap();
        assert_eq!(editor.discard(PIT), Ok(true));
        assert!(!editor.is_changed(PIT) && editor.undo(PIT), "discarding can be undone");
        assert_eq!(editor.discard("levels/bad.ron"), Ok(false));
        assert!(editor.assets().is_ok() && !directory.join(".drafts/levels/bad.ron").exists());
        fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn draft_that_cannot_be_written_is_a_warning_and_strange_drafts_are_left_alone() {
        let directory = directory("no_draft");
        fs::write(directory.join(".drafts"), "in the way").unwrap();
        let mut editor = AssetEditor::new(Some(&directory), None).unwrap();
        widen(&mut editor, "44.0").unwrap();
        assert!(editor.is_changed(PIT));
        assert!(editor.draft_problem().is_some_and(|problem| problem.contains("cannot be written")));
        fs::remove_file(directory.join(".drafts")).unwrap();
        fs::create_dir_all(directory.join(".drafts/levels")).unwrap();
        fs::write(directory.join(".drafts/levels/pit.part"), "(").unwrap();
        fs::write(directory.join(".drafts/levels/a b.ron"), "(").unwrap();
        fs::write(directory.join(".drafts/levels/pit.ron"), b"\xff").unwrap();
        let editor = AssetEditor::new(Some(&directory), None).unwrap();
        assert!(editor.assets().is_ok() && !editor.is_changed(PIT));
        fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn bad_requests_change_nothing() {
        let mut editor = AssetEditor::new(None, None).unwrap();
        let paths: Vec<String> = editor.texts().paths().map(str::to_owned).collect();
        for (refusal, expected) in [
            (editor.change("levels/none.ron", |text| Ok(text.clone())), "there is no asset file \"levels/none.ron\""),
            (editor.add(PIT, PIT), "levels/pit.ron exists already"),
            (
                editor.add("levels/../x.ron/.ron", PIT),
                "\"levels/../x.ron/.ron\" is not a valid name: it must be letters, digits, - and _, and end in .ron",
            ),
            (
                editor.add("levels/x", PIT),
                "\"levels/x\" is not a valid name: it must be letters, digits, - and _, and end in .ron",
            ),
            (
                editor.add("x.ron", PIT),
                "assets/x.ron: unknown asset file, must be one of game.ron, keymap.ron, sounds.ron",
            ),
            (
                editor.add("../levels/x.ron", PIT),
                "assets/../levels/x.ron: unknown folder of assets, must be one of prefabs/, ai/, policies/, modes/, levels/, languages/",
            ),
            (editor.save(PIT), "the built-in assets cannot be saved: start with --assets DIRECTORY"),
        ] {
            assert_eq!(refusal.unwrap_err().to_string(), expected);
        }
        assert!(!editor.undo(PIT) && !editor.redo(PIT) && !editor.is_changed(PIT));
        assert_eq!(editor.texts().paths().collect::<Vec<_>>(), paths);
    }
}
