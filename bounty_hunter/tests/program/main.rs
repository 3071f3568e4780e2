//! The program as a process: its output, its files, and one sentence for bad input.

mod command_line;
mod replays;
mod run;
#[cfg(feature = "saves")]
mod saves;
