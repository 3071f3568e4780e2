//! The program as its users call it: what it prints, what it leaves behind, and that it refuses bad input in one sentence.

mod command_line;
mod replays;
mod run;
#[cfg(feature = "saves")]
mod saves;
