//! Reading files that others may have written. Each kind has a limit, so that no file fills the memory.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// A kind of file, or of a value in a database, from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A text below the directory of assets.
    Asset,
    /// A learned AI below the directory of assets.
    Policy,
    /// The settings of the window.
    Settings,
    /// Questions that each step of a match must answer with yes.
    Invariants,
    /// A changed asset that is not saved, with the texts before it.
    Draft,
    /// A recorded match.
    Replay,
    /// The state of a saved match.
    State,
}

impl FileKind {
    /// The most bytes.
    #[must_use]
    pub const fn max_bytes(self) -> u64 {
        match self {
            Self::Asset | Self::Settings | Self::Invariants => 1 << 20,
            Self::Draft => 4 << 20,
            Self::Policy | Self::Replay => 16 << 20,
            Self::State => 256 << 20,
        }
    }

    const fn remedy(self) -> &'static str {
        match self {
            Self::Asset => "the most of an asset: split it",
            Self::Policy => "the most of a policy: train a smaller one",
            Self::Settings => "the most of the settings: delete it to begin with the usual ones",
            Self::Invariants => "the most of invariants: split them",
            Self::Draft => "the most of a draft: delete it",
            Self::Replay => "the most of a replay: it is damaged or no replay",
            Self::State => "the most of a saved match: it is damaged or no save",
        }
    }

    /// Refuses what is too long.
    ///
    /// # Errors
    /// - There are more bytes than the limit: the sentence says so.
    pub fn check(self, bytes: u64) -> Result<(), String> {
        let most = self.max_bytes();
        if bytes <= most { Ok(()) } else { Err(format!("has more than {most} bytes, {}", self.remedy())) }
    }
}

/// The bytes of a file.
///
/// # Errors
/// - It is longer than its limit, or no file but a pipe or a device; [`problem`] has the sentence.
/// - It cannot be read.
pub fn read(path: &Path, kind: FileKind) -> io::Result<Vec<u8>> {
    // Opening a pipe would wait for its writer, and a device has no end.
    let about = fs::metadata(path)?;
    if !about.is_file() && !about.is_dir() {
        return Err(io::Error::new(ErrorKind::InvalidInput, "is no file but a pipe or a device"));
    }
    let mut bytes = Vec::new();
    // One byte more than the limit tells that it is too long; a file may also grow while it is read.
    File::open(path)?.take(kind.max_bytes() + 1).read_to_end(&mut bytes)?;
    kind.check(bytes.len() as u64).map_err(|problem| io::Error::new(ErrorKind::FileTooLarge, problem))?;
    Ok(bytes)
}

/// What is wrong with a file that cannot be read, without its name.
#[must_use]
pub fn problem(error: &io::Error) -> String {
    let unreadable = |kind: &dyn Display| format!("cannot be read: {kind}");
    error.get_ref().map_or_else(|| unreadable(&error.kind()), ToString::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_up_to_the_limit_is_read_and_a_longer_one_is_refused_in_a_sentence() {
        let file = std::env::temp_dir().join(format!("bounty_hunter_foreign_{}", std::process::id()));
        for (kind, remedy) in [(FileKind::Asset, "split it"), (FileKind::Settings, "delete it")] {
            let most = kind.max_bytes() as usize;
            fs::write(&file, vec![b' '; most]).unwrap();
            assert_eq!(read(&file, kind).unwrap().len(), most);
            fs::write(&file, vec![b' '; most + 1]).unwrap();
            let sentence = problem(&read(&file, kind).unwrap_err());
            assert!(sentence.starts_with("has more than 1048576 bytes, the most of "), "{sentence}");
            assert!(sentence.contains(remedy), "{sentence}");
        }
        fs::remove_file(&file).unwrap();
        assert_eq!(problem(&read(&file, FileKind::Asset).unwrap_err()), "cannot be read: entity not found");
        assert_eq!(
            problem(&read(&std::env::temp_dir(), FileKind::Asset).unwrap_err()),
            "cannot be read: is a directory"
        );
    }

    #[cfg(unix)]
    #[test]
    fn device_without_an_end_is_refused() {
        let sentence = problem(&read(Path::new("/dev/zero"), FileKind::Settings).unwrap_err());
        assert_eq!(sentence, "is no file but a pipe or a device");
    }
}
