//! What the program asks the page for, in a browser.

use std::ffi::OsString;
use std::path::Path;

use bounty_hunter::browser;

/// The options in the address, behind the name of the program.
pub(crate) fn arguments() -> Vec<OsString> {
    std::iter::once("bounty_hunter".into()).chain(browser::arguments().into_iter().map(OsString::from)).collect()
}

/// Covers the game with the reason for its end.
pub(super) fn end(sentence: &str) {
    browser::end(sentence);
}

/// Seconds since 1970, by the browser.
pub(super) fn unix_seconds() -> Option<u64> {
    Some(browser::milliseconds() / 1_000)
}

/// Whether a person takes files out of the program by [`download`].
pub(super) const CAN_DOWNLOAD: bool = true;

/// Hands a file to the person.
pub(super) fn download(name: &str, bytes: &[u8]) {
    browser::download(name, bytes);
}

/// The bytes of the replay that the page has fetched.
pub(super) fn replay(file: &Path) -> Result<Vec<u8>, String> {
    browser::read(&file.to_string_lossy()).ok_or_else(|| "the page has not fetched it".to_owned())
}
