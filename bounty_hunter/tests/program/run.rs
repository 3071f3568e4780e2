//! The program as a process, and directories for it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub(crate) fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bounty_hunter"));
    command.args(arguments).env_remove("RUST_LOG").stdin(Stdio::null());
    command
}

/// Runs the program, expects it to succeed, and returns what it prints.
#[track_caller]
pub(crate) fn printed(arguments: &[&str]) -> String {
    let output = program(arguments).output().unwrap();
    let complaints = String::from_utf8(output.stderr).unwrap();
    assert_eq!((complaints.as_str(), output.status.code()), ("", Some(0)), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Runs the program and expects it to refuse its input with `sentence`.
#[track_caller]
pub(crate) fn assert_refused(command: &mut Command, sentence: &str) {
    assert_ended(command, 2, sentence);
}

/// Runs the program and expects it to tell with `sentence` that the machine fails.
#[track_caller]
pub(crate) fn assert_failed(command: &mut Command, sentence: &str) {
    assert_ended(command, 1, sentence);
}

#[track_caller]
fn assert_ended(command: &mut Command, code: i32, sentence: &str) {
    let output = command.output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), format!("error: {sentence}\n"));
    assert_eq!(output.status.code(), Some(code));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "");
}

/// A directory for one test, deleted when the test ends.
pub(crate) struct Directory(pub(crate) PathBuf);

impl Directory {
    /// A directory that does not exist yet.
    pub(crate) fn new(name: &str) -> Self {
        Self(Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}_{}", std::process::id())))
    }

    pub(crate) fn empty(name: &str) -> Self {
        let directory = Self::new(name);
        fs::create_dir_all(&directory.0).unwrap();
        directory
    }

    pub(crate) fn with(name: &str, file: &str, text: &str) -> Self {
        let directory = Self::new(name);
        fs::create_dir_all(directory.0.join(file).parent().unwrap()).unwrap();
        fs::write(directory.0.join(file), text).unwrap();
        directory
    }

    pub(crate) fn name(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        // It may not exist.
        let _ = fs::remove_dir_all(&self.0);
    }
}
