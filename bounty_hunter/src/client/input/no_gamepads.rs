//! No gamepads, on platforms other than Linux.

use std::path::Path;

use super::pad_button::PadEvent;

#[derive(Debug)]
pub(crate) struct Gamepads;

impl Gamepads {
    pub(crate) fn new(_: &Path) -> Self {
        Self
    }

    pub(crate) fn read(&mut self, _: &mut Vec<PadEvent>) {}
}
