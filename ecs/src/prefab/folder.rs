//! [`PrefabFolder`]: watches a folder of prefab files. It is not part of the simulation.

use std::collections::BTreeSet;
use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use super::file_name::is_text_file;
use super::ron_text::RonText;
use crate::error::PrefabError;

/// Limit of the bytes of a file.
const MAX_BYTES: u64 = 16 << 20;

/// Watches the `.ron` files of a folder, without subfolders, hidden files and temporary files ([`is_text_file`]).
///
/// A thread notes changes; the application reloads files between two frames when it chooses. A run with reloads cannot
/// be replayed: this is for development.
///
/// # Example
/// ```no_run
/// use ecs::{Engine, prefab::{PrefabFolder, Prefabs}};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut folder = PrefabFolder::watch("assets/prefabs")?;
/// let mut prefabs = Prefabs::default();
/// prefabs.load_all(folder.read()?)?;
/// let mut engine = Engine::new();
/// engine.insert_resource(prefabs);
/// loop {
///     engine.update(std::time::Duration::from_millis(16))?;
///     match folder.apply(&mut engine) {
///         None => {}
///         Some(Ok(reloaded)) => println!("{} entities have changed", reloaded.entities),
///         Some(Err(mistake)) => println!("{mistake}"),
///     }
/// }
/// # }
/// ```
#[derive(Debug)]
pub struct PrefabFolder {
    path: PathBuf,
    happened: Receiver<notify::Result<Event>>,
    /// Names of files that may have changed since they were loaded.
    changed: BTreeSet<String>,
    /// Something changed since the last try.
    is_untried: bool,
    /// Files that are not read changed, which may be prefabs with misspelt names.
    have_others_changed: bool,
    /// Watches until it is dropped.
    _watcher: RecommendedWatcher,
}

/// The name of a file, and its text unless it is gone.
pub(crate) type ChangedFile = (String, Option<String>);

impl PrefabFolder {
    /// Starts watching a folder.
    ///
    /// # Errors
    /// If the folder does not exist, or the system cannot watch it.
    pub fn watch(path: impl Into<PathBuf>) -> Result<Self, PrefabError> {
        let path = path.into();
        let (note, happened) = channel();
        let watcher = notify::recommended_watcher(note).and_then(|mut watcher| {
            watcher.watch(&path, RecursiveMode::NonRecursive)?;
            Ok(watcher)
        });
        let watcher = watcher.map_err(|mut error| {
            error.paths.clear();
            PrefabError::new(format!("{} cannot be watched: {error}", path.display()))
        })?;
        Ok(Self {
            path,
            happened,
            changed: BTreeSet::new(),
            is_untried: false,
            have_others_changed: false,
            _watcher: watcher,
        })
    }

    /// The names and texts of all files, sorted by name, for [`Prefabs::load_all`](crate::prefab::Prefabs::load_all).
    ///
    /// # Errors
    /// If the folder or a file cannot be read.
    pub fn read(&self) -> Result<Vec<(String, String)>, PrefabError> {
        let names = self.names()?;
        let files = names.iter().filter_map(|name| self.read_file(name).transpose());
        files.collect()
    }

    /// The files that changed since the last call of `apply` that succeeded, with their texts; `None` if no change is
    /// untried.
    pub(crate) fn untried(&mut self) -> Option<Result<Vec<ChangedFile>, PrefabError>> {
        self.note_all();
        if !std::mem::take(&mut self.is_untried) {
            return None;
        }
        let files = self.changed.iter().map(|name| Ok((self.file(name), self.read_file(name)?.map(|(_, text)| text))));
        Some(files.collect())
    }

    /// Notes that the files were applied.
    pub(crate) fn forget_changes(&mut self) {
        self.changed.clear();
    }

    /// Whether files changed since the last call of this or of [`apply`](PrefabFolder::apply). For applications that
    /// read and check the files themselves: files with other endings count as well, so that they can name a misspelt
    /// one.
    pub fn take_changes(&mut self) -> bool {
        self.note_all();
        self.changed.clear();
        std::mem::take(&mut self.is_untried) | std::mem::take(&mut self.have_others_changed)
    }

    /// Waits until a file changes, at most for `timeout`; returns whether there is something to
    /// [apply](PrefabFolder::apply). Other files in the folder are ignored.
    pub fn wait(&mut self, timeout: Duration) -> bool {
        let began = Instant::now();
        self.note_all();
        while !self.is_untried
            && let Ok(event) = self.happened.recv_timeout(timeout.saturating_sub(began.elapsed()))
        {
            self.note(event);
            self.note_all();
        }
        self.is_untried
    }

    fn note_all(&mut self) {
        while let Ok(event) = self.happened.try_recv() {
            self.note(event);
        }
    }

    fn note(&mut self, event: notify::Result<Event>) {
        let names = match event {
            Ok(event) if is_ignorable(&event.kind) => Vec::new(),
            Ok(event) if !event.need_rescan() => {
                let names: Vec<String> = event.paths.iter().filter_map(|path| name_of(path)).collect();
                self.have_others_changed |= names.len() < event.paths.len();
                names
            }
            // Events were lost: every file may have changed. If the folder cannot be read, the next event retries.
            _ => self.names().unwrap_or_default(),
        };
        self.is_untried |= !names.is_empty();
        self.changed.extend(names);
    }

    /// The names of all files, sorted.
    fn names(&self) -> Result<Vec<String>, PrefabError> {
        let entries = fs::read_dir(&self.path).map_err(|error| unreadable(&self.path, error.kind()))?;
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|error| unreadable(&self.path, error.kind()))?;
            names.extend(name_of(&entry.path()));
        }
        names.sort_unstable();
        Ok(names)
    }

    /// The name of a file in errors and in [`Prefabs`](crate::prefab::Prefabs).
    fn file(&self, name: &str) -> String {
        self.path.join(name).display().to_string()
    }

    /// The name of a file and its text; `None` if it was deleted.
    fn read_file(&self, name: &str) -> Result<Option<(String, String)>, PrefabError> {
        let path = self.path.join(name);
        let read = || {
            // Opening a pipe would wait for its writer.
            if !fs::metadata(&path)?.is_file() {
                return Err(ErrorKind::InvalidInput.into());
            }
            let mut bytes = Vec::new();
            fs::File::open(&path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
            Ok::<_, std::io::Error>(bytes)
        };
        match read() {
            Ok(bytes) if bytes.len() as u64 > MAX_BYTES => {
                Err(PrefabError::new(format!("{} has more than {MAX_BYTES} bytes: split it", path.display())))
            }
            Ok(bytes) => {
                let text = RonText::from_utf8(self.file(name), &bytes)?;
                Ok(Some((self.file(name), text.text().to_owned())))
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(unreadable(&path, error.kind())),
        }
    }
}

/// Whether the event is only a read access.
fn is_ignorable(kind: &EventKind) -> bool {
    match kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => false,
        kind => kind.is_access(),
    }
}

/// The name of a prefab file; `None` for other files.
fn name_of(path: &Path) -> Option<String> {
    path.file_name()?.to_str().filter(|name| is_text_file(name)).map(str::to_owned)
}

fn unreadable(path: &Path, why: ErrorKind) -> PrefabError {
    PrefabError::new(format!("{} cannot be read: {why}", path.display()))
}
