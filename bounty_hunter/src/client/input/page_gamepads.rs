//! Gamepads in a browser: the page says what is held.

use std::path::Path;

use super::held_buttons::HeldButtons;
use super::pad_button::{MAX_PADS, PadEvent};
use crate::browser;

#[derive(Debug, Default)]
pub(crate) struct Gamepads(HeldButtons);

impl Gamepads {
    /// The pads of the page; there are no devices in a folder.
    pub(crate) fn new(_: &Path) -> Self {
        Self::default()
    }

    /// Adds the events since the last call.
    pub(crate) fn read(&mut self, events: &mut Vec<PadEvent>) {
        for person in 0..MAX_PADS {
            self.0.take(person, browser::pad(person as u32), events);
        }
    }
}
