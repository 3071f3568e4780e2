//! The program: plays the game in a window, or simulates matches without one.

mod command_line;

use std::process::ExitCode;

fn main() -> ExitCode {
    command_line::run(command_line::arguments())
}
