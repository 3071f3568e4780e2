//! Writing a file completely or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Replaces a file by `bytes`: they are written beside it first, so that nothing is lost when that fails. Its folder
/// must exist.
///
/// # Errors
/// - The file or the one beside it cannot be written.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let part = path.with_added_extension("part");
    let written = File::create(&part).and_then(|mut out| {
        out.write_all(bytes)?;
        out.sync_all()?;
        fs::rename(&part, path)
    });
    written.inspect_err(|_| {
        // Removing the rest is only an attempt.
        let _ = fs::remove_file(&part);
    })
}
