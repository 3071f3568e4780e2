//! `simulate --assert`: questions that each step of a match must answer with yes.

use std::io::{Write, stderr};
use std::path::Path;

use bounty_hunter::foreign_file::{self, FileKind};
use ecs::Engine;
use ecs::inspect::{Breach, Invariants};
use ecs::prefab::RonText;

use super::Failure;

/// What the invariants of a match tell.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Asserted {
    /// The first step that breaks one; the match ends there.
    pub(crate) breach: Option<Breach>,
    /// The names of those that were asked of no entity.
    pub(crate) never_asked: Vec<String>,
}

impl Asserted {
    /// # Errors
    /// - The breach, if there is one.
    pub(crate) fn refuse_breach(&self, seed: u64) -> Result<(), Failure> {
        match &self.breach {
            Some(breach) => Err(Failure::Broken(format!("seed {seed}: {breach}"))),
            None => Ok(()),
        }
    }

    /// Keeps the names that no match has asked about.
    pub(crate) fn keep_never_asked(&self, names: &mut Option<Vec<String>>) {
        match names {
            Some(names) => names.retain(|name| self.never_asked.contains(name)),
            None => *names = Some(self.never_asked.clone()),
        }
    }
}

/// The invariants in a file.
pub(crate) fn read_invariants(file: &Path, engine: &Engine) -> Result<Invariants, String> {
    let text = invariants_text(file)?;
    Invariants::read(&text, engine).map_err(|error| format!("{}: {error}", file.display()))
}

/// The text in a file of invariants.
pub(crate) fn invariants_text(file: &Path) -> Result<String, String> {
    let name = file.display();
    let bytes = foreign_file::read(file, FileKind::Invariants)
        .map_err(|error| format!("{name} {}", foreign_file::problem(&error)))?;
    let text = RonText::from_utf8(name.to_string(), &bytes).map_err(|error| error.to_string())?;
    Ok(text.text().to_owned())
}

/// Says which invariants were asked of no entity in all matches: these have shown nothing.
pub(crate) fn note_never_asked(names: Option<Vec<String>>) {
    for name in names.unwrap_or_default() {
        // Standard output is for the results.
        _ = writeln!(stderr(), "the invariant {name:?} was asked of no entity");
    }
}
