//! The studio beside a match in the window.

pub(super) use crate::command_line::studio::GameStudio;
