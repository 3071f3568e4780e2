//! The files of the workspace.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::code::{code_only, without_tests};

/// A Rust file.
pub struct SourceFile {
    /// Path from the top of the workspace, with `/`.
    pub path: String,
    /// Its whole text.
    pub text: String,
    /// The text without comments and contents of strings.
    pub code: String,
    /// The code without tests; blank for a file of tests.
    pub shipped: String,
}

impl SourceFile {
    /// A file; its path tells whether it is one of tests.
    #[must_use]
    pub fn new(path: &str, text: &str) -> Self {
        let code = code_only(text);
        let shipped = if Self::is_beside_the_library(path) { String::new() } else { without_tests(&code) };
        Self { path: path.to_owned(), text: text.to_owned(), code, shipped }
    }

    /// Whether it is in a folder of tests, examples or benches, or belongs to the comparison with other frameworks.
    fn is_beside_the_library(path: &str) -> bool {
        ["tests/", "ecs/peers/"].iter().any(|folder| path.starts_with(folder))
            || ["/tests/", "/examples/", "/benches/"].iter().any(|folder| path.contains(folder))
    }

    /// The paths of its modules of tests, documentation tests included.
    fn test_modules(&self) -> impl Iterator<Item = String> + '_ {
        let folder = match self.path.rsplit_once('/') {
            Some((folder, "lib.rs" | "main.rs")) => folder.to_owned(),
            _ => self.path.trim_end_matches(".rs").to_owned(),
        };
        let mut lines = self.code.lines().map(str::trim);
        std::iter::from_fn(move || {
            lines.by_ref().find(|line| matches!(*line, "#[cfg(test)]" | "#[cfg(doctest)]"))?;
            Some(lines.by_ref().find(|line| !line.is_empty() && !line.starts_with('#')).unwrap_or_default())
        })
        .filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'))
        .map(move |name| format!("{folder}/{name}.rs"))
    }
}

/// All Rust files, and access to the others.
pub struct Tree {
    /// The top of the workspace.
    pub top: PathBuf,
    /// The Rust files, by path.
    pub sources: Vec<SourceFile>,
}

impl Tree {
    /// Reads the workspace of this crate.
    ///
    /// # Panics
    /// If it cannot be read.
    #[must_use]
    pub fn of_this_workspace() -> Self {
        let top = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("this crate lies in a workspace").to_owned();
        let mut sources: Vec<SourceFile> = ["ecs", "bounty_hunter", "tests"]
            .iter()
            .flat_map(|folder| files_below(&top.join(folder)))
            .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
            .map(|path| SourceFile::new(&relative(&top, &path), &read(&path)))
            .collect();
        let of_tests: BTreeSet<String> = sources.iter().flat_map(SourceFile::test_modules).collect();
        for source in &mut sources {
            if of_tests.contains(&source.path) {
                source.shipped.clear();
            }
        }
        Self { top, sources }
    }

    /// Path and text of each file below `folder` with an extension.
    ///
    /// # Panics
    /// If they cannot be read.
    #[must_use]
    pub fn files(&self, folder: &str, extension: &str) -> Vec<(String, String)> {
        let files = files_below(&self.top.join(folder)).into_iter();
        let wanted = files.filter(|path| path.extension().is_some_and(|found| found == extension));
        wanted.map(|path| (relative(&self.top, &path), read(&path))).collect()
    }

    /// The findings of a rule in all files.
    pub fn check(&self, rule: impl Fn(&SourceFile) -> Vec<super::Finding>) -> Vec<super::Finding> {
        self.sources.iter().flat_map(rule).collect()
    }
}

fn relative(top: &Path, path: &Path) -> String {
    let inside = path.strip_prefix(top).expect("the file lies in the workspace");
    inside.to_string_lossy().replace('\\', "/")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All files below a folder, sorted; none if the folder does not exist.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    let is_built = |path: &Path| path.file_name().is_some_and(|name| name == "target");
    let below = |path: PathBuf| if path.is_dir() { files_below(&path) } else { vec![path] };
    paths.into_iter().filter(|path| !is_built(path)).flat_map(below).collect()
}
