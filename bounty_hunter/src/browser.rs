//! The page around the game, in a browser: its address, its storage and its messages. `bounty_hunter/web/page/page.js`
//! is the other side.
//!
//! Soundness: the functions of the page take and return handles of JavaScript values. A handle is a number that
//! `sapp_jsutils` gives out; the page reads the memory of the game only through its functions.
#![allow(unsafe_code)]

use sapp_jsutils::JsObject;

// SAFETY: `page.js` defines these functions with these types; each takes the handles that it is given.
unsafe extern "C" {
    safe fn page_arguments() -> JsObject;
    safe fn page_milliseconds() -> f64;
    safe fn page_read(key: JsObject) -> JsObject;
    safe fn page_has(key: JsObject) -> bool;
    safe fn page_write(key: JsObject, value: JsObject) -> bool;
    safe fn page_download(name: JsObject, bytes: JsObject);
    safe fn page_tell(sentence: JsObject);
    safe fn page_end(sentence: JsObject);
    safe fn page_pad(person: u32) -> u32;
    safe fn page_has_only_fingers() -> bool;
    safe fn page_add_sound(rate: u32, samples: JsObject);
    safe fn page_sound_seconds() -> f64;
    safe fn page_start_sound(sound: u32, left: f32, right: f32, pitch: f32, at_seconds: f64);
}

/// The options in the address, as arguments: `?mode=survival&players=8` is `--mode=survival` and `--players=8`. A
/// `replay` in the address makes the command `replay` of its name.
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

/// Whether the page keeps something under a key.
#[must_use]
pub fn has(key: &str) -> bool {
    page_has(JsObject::string(key))
}

/// Hands bytes to the person as a file of this name.
pub fn download(name: &str, bytes: &[u8]) {
    page_download(JsObject::string(name), JsObject::buffer(bytes));
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

/// What a person holds on a gamepad, a bit for each button.
#[must_use]
pub fn pad(person: u32) -> u32 {
    page_pad(person)
}

/// Whether the main pointer of the machine is a finger, as on a phone.
#[must_use]
pub fn has_only_fingers() -> bool {
    page_has_only_fingers()
}

/// Gives the page a sound: samples of one channel, so many a second. The first one is sound 0.
pub fn add_sound(rate: u32, samples: &[f32]) {
    let bytes: Vec<u8> = samples.iter().flat_map(|sample| sample.to_le_bytes()).collect();
    page_add_sound(rate, JsObject::buffer(&bytes));
}

/// The clock of the sounds of the page; `None` while it may not play any.
#[must_use]
pub fn sound_seconds() -> Option<f64> {
    let seconds = page_sound_seconds();
    (seconds >= 0.0).then_some(seconds)
}

/// Starts a sound at a time of [`sound_seconds`], with a loudness from 0 to 1 at each side and a factor of its pitch.
pub fn start_sound(sound: usize, left: f32, right: f32, pitch: f32, at_seconds: f64) {
    if left > 0.0 || right > 0.0 {
        page_start_sound(sound as u32, left, right, pitch, at_seconds);
    }
}
