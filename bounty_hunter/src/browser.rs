//! The page around the game, in a browser: its address, its storage and its messages. `bounty_hunter/web/page/page.js` is the other side.
//!
//! Soundness: the functions of the page take and return handles of JavaScript values. A handle is a number that `sapp_jsutils` gives out;
//! the page reads the memory of the game only through its functions.
#![allow(unsafe_code)]

use sapp_jsutils::JsObject;

// SAFETY: `page.js` defines these functions with these types; each takes the handles that it is given.
unsafe extern "C" {
    safe fn page_arguments() -> JsObject;
    safe fn page_milliseconds() -> f64;
    safe fn page_read(key: JsObject) -> JsObject;
    safe fn page_write(key: JsObject, value: JsObject) -> bool;
    safe fn page_tell(sentence: JsObject);
    safe fn page_end(sentence: JsObject);
}

/// The options in the address, as arguments: `?mode=survival&players=8` is `--mode=survival` and `--players=8`. A `replay` in the address
/// makes the command `replay` of its name.
#[must_use]
pub fn arguments() -> Vec<String> {
    let mut text = String::new();
    page_arguments().to_string(&mut text);
    text.lines().map(str::to_owned).collect()
}

/// Milliseconds since 1970.
#[must_use]
pub fn milliseconds() -> u64 {
    page_milliseconds() as u64
}

/// The bytes that the page keeps under a key; `None` if there are none.
#[must_use]
pub fn read(key: &str) -> Option<Vec<u8>> {
    let value = page_read(JsObject::string(key));
    if value.is_nil() || value.is_undefined() {
        return None;
    }
    let mut bytes = Vec::new();
    value.to_byte_buffer(&mut bytes);
    Some(bytes)
}

/// Keeps bytes under a key in the storage of the browser.
///
/// # Errors
/// If the browser refuses: its storage is full, or switched off.
pub fn write(key: &str, value: &[u8]) -> Result<(), String> {
    match page_write(JsObject::string(key), JsObject::buffer(value)) {
        true => Ok(()),
        false => Err("the storage of the browser is full or switched off".to_owned()),
    }
}

/// Shows a sentence below the game.
pub fn tell(sentence: &str) {
    page_tell(JsObject::string(sentence));
}

/// Covers the game, which has ended, with a sentence and a button to play again.
pub fn end(sentence: &str) {
    page_end(JsObject::string(sentence));
}
