//! What the window asks the page for, in a browser.

use std::path::Path;

use crate::browser;
use crate::client::input::hand::Hand;

/// Whether the window is a page, whose browser decides on its size and on when it draws.
pub(super) const IS_A_PAGE: bool = true;

/// The bytes that the storage of the page has under the path; `None` if there are none.
pub(super) fn read(path: &Path) -> Result<Option<Vec<u8>>, String> {
    Ok(browser::read(&path.to_string_lossy()))
}

/// Keeps bytes under the path in the storage of the page.
pub(super) fn write(path: &Path, text: &str) -> Result<(), String> {
    browser::write(&path.to_string_lossy(), text.as_bytes())
}

/// What a person has in hand before the first event: on a phone there are only fingers.
pub(super) fn first_hand() -> Hand {
    if browser::has_only_fingers() { Hand::Touch } else { Hand::default() }
}

/// Covers the game with the reason for its end.
pub(super) fn end(sentence: &str) {
    browser::end(sentence);
}
