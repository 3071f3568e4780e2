//! [`Drafts`]: files with what is not saved yet, which outlive the editor.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ecs::prefab::{PrefabError, RonText};
use serde::{Deserialize, Serialize};

use super::super::asset_texts::FOLDERS;
use super::{MAX_BYTES, is_file_name, unwritable, write};
use crate::foreign_file::{self, FileKind};

/// Limits of the earlier texts of a file that its draft keeps, which are written with each change.
const MAX_STEP_BYTES: usize = 1 << 19;
const MAX_STEPS: usize = 100;
/// The extension of the file with earlier texts, beside a draft.
const STEPS_EXTENSION: &str = "steps";

/// The folder of drafts; without one, none are kept.
#[derive(Debug)]
pub(super) struct Drafts(pub(super) Option<PathBuf>);

/// The changed text of a file.
pub(super) struct Draft {
    /// The path of the file below the assets.
    pub(super) path: String,
    pub(super) text: RonText,
    /// `None` if they are lost or damaged.
    pub(super) steps: Option<Steps>,
}

/// The texts before a draft.
#[derive(Serialize, Deserialize)]
pub(super) struct Steps {
    /// The file as it was read or saved; `None` for a new one.
    pub(super) saved: Option<String>,
    /// The texts before the draft, the oldest first.
    pub(super) before: Vec<String>,
}

impl Steps {
    /// The last of these texts, the oldest first, as far as there is room.
    pub(super) fn last_of(saved: Option<&RonText>, before: &[RonText]) -> Self {
        let mut bytes = 0;
        let fits = |text: &&RonText| {
            bytes += text.text().len();
            bytes <= MAX_STEP_BYTES
        };
        let count = before.iter().rev().take(MAX_STEPS).take_while(fits).count();
        let before = before[before.len() - count..].iter().map(RonText::file_text).collect();
        Self { saved: saved.map(RonText::file_text), before }
    }

    fn read(file: &Path) -> Option<Self> {
        let steps: Self = text_of(file)?.read().ok()?;
        let is_sound = steps.before.len() <= MAX_STEPS;
        (is_sound && steps.before.iter().chain(&steps.saved).all(|text| text.len() <= MAX_BYTES)).then_some(steps)
    }
}

/// The text of a file of drafts.
fn text_of(file: &Path) -> Option<RonText> {
    RonText::from_utf8(file.display().to_string(), &foreign_file::read(file, FileKind::Draft).ok()?).ok()
}

impl Drafts {
    /// Writes the draft of a file.
    pub(super) fn write(&self, path: &str, text: &str, steps: &Steps) -> Result<(), PrefabError> {
        let Some(draft) = self.0.as_ref().map(|folder| folder.join(path)) else { return Ok(()) };
        let steps = ron::to_string(steps).expect("texts can be written");
        write(&draft.with_extension(STEPS_EXTENSION), &steps).and_then(|()| write(&draft, text))
    }

    /// Removes the draft of a file, if there is one.
    pub(super) fn remove(&self, path: &str) -> Result<(), PrefabError> {
        let Some(draft) = self.0.as_ref().map(|folder| folder.join(path)) else { return Ok(()) };
        remove(&draft).and_then(|()| remove(&draft.with_extension(STEPS_EXTENSION)))
    }

    /// All drafts that an earlier editor left. Other files are left alone.
    pub(super) fn read_all(&self) -> Vec<Draft> {
        let mut drafts = Vec::new();
        for folder in FOLDERS {
            let Some(folder_path) = self.0.as_ref().map(|drafts| drafts.join(folder)) else { continue };
            let entries = match fs::read_dir(&folder_path) {
                Ok(entries) => entries,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => {
                    let folder = folder_path.display();
                    tracing::warn!(target: "bounty_hunter::editor", "the drafts in {folder} cannot be read: {error}");
                    continue;
                }
            };
            for file in entries.flatten().map(|entry| entry.path()) {
                let Some(name) = file.file_name().and_then(|name| name.to_str()) else { continue };
                if file.is_dir() || file.extension().is_some_and(|extension| extension == STEPS_EXTENSION) {
                    continue;
                }
                let text = text_of(&file).filter(|text| is_file_name(name) && text.text().len() <= MAX_BYTES);
                let Some(text) = text else {
                    tracing::warn!(target: "bounty_hunter::editor", "{} is no draft, and left alone", file.display());
                    continue;
                };
                let (path, steps) = (format!("{folder}{name}"), Steps::read(&file.with_extension(STEPS_EXTENSION)));
                drafts.push(Draft { path, text, steps });
            }
        }
        drafts
    }
}

fn remove(file: &Path) -> Result<(), PrefabError> {
    match fs::remove_file(file) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Err(unwritable(file, &error)),
        _ => Ok(()),
    }
}
