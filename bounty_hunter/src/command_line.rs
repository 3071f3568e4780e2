//! The command line: parses the arguments, runs the command, and reports failures as one sentence and an exit code.

// A build without a part reads its arguments only to refuse them.
#[cfg_attr(
    not(all(feature = "hot-reload", feature = "saves", feature = "network", feature = "studio")),
    allow(dead_code, unused_imports)
)]
mod arguments;
mod asserted;
mod compare;
mod daily;
#[cfg(feature = "prove")]
mod doctor;
#[cfg(feature = "prove")]
mod explore;
mod level;
#[cfg_attr(target_arch = "wasm32", path = "command_line/no_log.rs")]
mod log;
#[cfg(not(target_arch = "wasm32"))]
mod log_file;
mod output;
#[cfg(any(feature = "network", feature = "studio"))]
mod pace;
#[cfg_attr(target_arch = "wasm32", path = "command_line/page.rs")]
mod platform;
#[cfg_attr(not(feature = "client"), path = "command_line/no_window.rs")]
mod play;
mod progress;
#[cfg(feature = "prove")]
mod prove;
mod replay;
mod report;
#[cfg_attr(not(feature = "saves"), path = "command_line/no_saves.rs")]
mod saves;
mod simulate;
#[cfg_attr(not(feature = "studio"), path = "command_line/no_studio.rs")]
mod studio;
mod systems;
#[cfg_attr(not(feature = "network"), path = "command_line/no_network.rs")]
mod together;
#[cfg(feature = "client")]
mod tries;
mod why;
mod workers;

use std::ffi::OsString;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

use bounty_hunter::assets::Assets;
#[cfg(feature = "client")]
use bounty_hunter::client::ClientError;
use clap::error::ErrorKind as ClapErrorKind;

use arguments::{Arguments, Command, GameArguments};
use output::escaped;
pub(crate) use platform::arguments;
use progress::Progress;

/// Why a command fails.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Arguments or files are wrong: one sentence that says what and where.
    BadInput(String),
    /// The machine or its network cannot do what is asked for: there is no display, a file cannot be written, a host
    /// does not answer. One sentence.
    Machine(String),
    /// Standard output cannot be written.
    Output(io::Error),
    /// The host of a match over a network is gone, and there is no window in which its guest plays on: one sentence.
    #[cfg_attr(not(feature = "network"), allow(dead_code))]
    HostGone(String),
    /// A match breaks an invariant: one sentence that says which, where and with which values.
    Broken(String),
}

impl Failure {
    /// What is wrong, in one sentence.
    fn sentence(self) -> String {
        match self {
            Self::Output(error) => format!("the output cannot be written: {error}"),
            Self::BadInput(sentence) | Self::Machine(sentence) | Self::HostGone(sentence) | Self::Broken(sentence) => {
                sentence
            }
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

#[cfg(feature = "client")]
impl From<ClientError> for Failure {
    fn from(error: ClientError) -> Self {
        let sentence = error.to_string();
        match error {
            ClientError::Options(_) | ClientError::Match(_) => Self::BadInput(sentence),
            ClientError::NoDisplay
            | ClientError::Window(_)
            | ClientError::Screenshot { .. }
            | ClientError::Film { .. } => Self::Machine(sentence),
        }
    }
}

const FAILED: u8 = 1;
const BAD_INPUT: u8 = 2;
const HOST_GONE: u8 = 3;
const BROKEN: u8 = 4;

/// Runs the program with the arguments of the process, its name first. The exit code is 0 after success, 1 if the
/// machine or its network fails, 2 after bad input, 3 if the host of a match without a window is gone, and 4 if a match
/// breaks an invariant.
pub(crate) fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let failure = match Arguments::read(arguments) {
        Ok(arguments) => match execute(arguments) {
            Ok(()) => return ExitCode::SUCCESS,
            Err(failure) => failure,
        },
        Err(shown) if matches!(shown.kind(), ClapErrorKind::DisplayHelp | ClapErrorKind::DisplayVersion) => {
            match shown.print() {
                Ok(()) => return ExitCode::SUCCESS,
                Err(error) => Failure::Output(error),
            }
        }
        Err(error) => Failure::BadInput(one_sentence(&error)),
    };
    let code = match &failure {
        // The reader of the output has closed it, as in `… | head`.
        Failure::Output(error) if error.kind() == ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
        Failure::Output(_) | Failure::Machine(_) => FAILED,
        Failure::BadInput(_) => BAD_INPUT,
        Failure::HostGone(_) => HOST_GONE,
        Failure::Broken(_) => BROKEN,
    };
    let sentence = failure.sentence();
    platform::end(&sentence);
    // If standard error is closed as well, only the exit code is left.
    let _ = writeln!(io::stderr(), "error: {}", escaped(&sentence));
    ExitCode::from(code)
}

fn execute(arguments: Arguments) -> Result<(), Failure> {
    let _files = studio::start_log(arguments.log, arguments.log_file.as_deref(), arguments.profile.as_deref())?;
    match arguments.command {
        Command::Play(play) => {
            let assets = load_assets(&play.game)?;
            let (players, humans) = play.seats(&assets).map_err(Failure::BadInput)?;
            play.record.as_deref().map_or(Ok(()), replay::check_writable)?;
            if let Some(role) = play.network.role() {
                let all_assets = read_assets(play.game.assets.as_deref())?;
                return together::play(assets, all_assets, &play, role, players);
            }
            play::play(assets, play, players, humans)
        }
        Command::Simulate(simulate) => {
            let assets = load_assets(&simulate.game)?;
            simulate.record.as_deref().map_or(Ok(()), replay::check_writable)?;
            let progress = Progress::start(simulate.matches);
            let jobs = simulate.jobs(std::thread::available_parallelism().map_or(1, usize::from));
            let mut out = io::stdout().lock();
            simulate::simulate(&assets, &simulate, jobs, progress, simulate::simulate_match, &mut out)
        }
        Command::Replay(arguments) => {
            let assets = read_assets(arguments.assets.as_deref())?;
            if let Some(address) = &arguments.studio.studio {
                return studio::show_replay(&assets, &arguments, address);
            }
            if arguments.answer {
                return compare::answer(&assets, &arguments, io::stdin().lock(), &mut io::stdout().lock());
            }
            if arguments.why.is_some() {
                return why::print_why(&assets, &arguments, &mut io::stdout().lock());
            }
            match arguments.verify {
                true => replay::verify(&assets, &arguments, &mut io::stdout().lock()),
                false => play::watch(&assets, &arguments),
            }
        }
        Command::Compare(arguments) => compare::compare(&arguments, &mut io::stdout().lock()),
        Command::Daily(arguments) => match &arguments.verify {
            Some(file) => daily::verify(file, &mut io::stdout().lock()),
            None => {
                let (assets, play) = (load_assets(&GameArguments::default())?, arguments.play());
                let (players, humans) = play.seats(&assets).map_err(Failure::BadInput)?;
                play::play(assets, play, players, humans)
            }
        },
        Command::Saves(arguments) => saves::saves(&arguments, &mut io::stdout().lock()),
        Command::Results(arguments) => saves::results(&arguments, &mut io::stdout().lock()),
        #[cfg(feature = "prove")]
        Command::Doctor(arguments) => doctor::diagnose_report(&arguments, &mut io::stdout().lock()),
        #[cfg(feature = "prove")]
        Command::Explore(arguments) => {
            let told = explore::explore_match(&load_assets(&arguments.game)?, &arguments)?;
            Ok(writeln!(io::stdout().lock(), "{told}")?)
        }
        #[cfg(feature = "prove")]
        Command::Prove(arguments) => {
            let assets = load_assets(&arguments.game)?;
            let proof = prove::prove_match(assets, &arguments).map_err(Failure::BadInput)?;
            Ok(writeln!(io::stdout().lock(), "{proof}")?)
        }
        // Refused when the arguments were read.
        #[cfg(not(feature = "prove"))]
        Command::Doctor(_) | Command::Explore(_) | Command::Prove(_) => {
            Err(Failure::BadInput("this build lacks the feature `prove`".to_owned()))
        }
        Command::Level(arguments) => level::write_level(&arguments, &mut io::stdout().lock()),
        #[cfg(not(target_arch = "wasm32"))]
        Command::Completions { shell } => {
            // It panics if the output cannot be written, so it gets one that can.
            let mut completions = Vec::new();
            clap_complete::generate(
                shell,
                &mut <Arguments as clap::CommandFactory>::command(),
                "bounty_hunter",
                &mut completions,
            );
            Ok(io::stdout().lock().write_all(&completions)?)
        }
        Command::Systems => {
            let description = systems::describe_systems().map_err(Failure::BadInput)?;
            Ok(write!(io::stdout().lock(), "{description}")?)
        }
    }
}

/// The assets in a directory, or the built-in ones.
fn read_assets(directory: Option<&Path>) -> Result<Assets, Failure> {
    match directory {
        Some(directory) => Assets::load(directory).map_err(|error| Failure::BadInput(error.to_string())),
        None => Ok(Assets::built_in()),
    }
}

fn load_assets(game: &GameArguments) -> Result<Assets, Failure> {
    let assets = read_assets(game.assets.as_deref())?;
    let assets = match &game.level {
        Some(level) => assets.in_level(level).map_err(|error| Failure::BadInput(error.to_string()))?,
        None => assets,
    };
    assets.in_mode(game.mode()).map_err(|error| Failure::BadInput(error.to_string()))
}

/// The error message of clap in one line, without the usage and the hint at `--help`.
fn one_sentence(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let mut sentence = String::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if line.starts_with("Usage:") || line.starts_with("For more information") {
            break;
        }
        sentence.push_str(match sentence.chars().last() {
            None => "",
            Some(':') => " ",
            Some(_) => "; ",
        });
        sentence.push_str(line.trim_start_matches("error: "));
    }
    sentence
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(arguments: &[&str]) -> String {
        let arguments = std::iter::once("bounty_hunter").chain(arguments.iter().copied()).map(OsString::from);
        one_sentence(&Arguments::read(arguments).unwrap_err())
    }

    #[test]
    fn complaints_are_one_sentence() {
        for (arguments, expected) in [
            (&["--players", "0"][..], "invalid value '0' for '--players <N>': 0 is not in 1..=10000"),
            (&["simulate", "--players", "x"], "invalid value 'x' for '--players <N>': invalid digit found in string"),
            (
                &["simulate", "--sead", "1"],
                "unexpected argument '--sead' found; tip: a similar argument exists: '--seed'",
            ),
            (&["systms"], "unrecognized subcommand 'systms'; tip: a similar subcommand exists: 'systems'"),
            (&["--demo", "--humans", "2"], "the argument '--demo' cannot be used with '--humans <N>'"),
            (
                &["--log"],
                "a value is required for '--log <LEVEL>' but none was supplied; [possible values: off, error, warn, info, debug, trace]",
            ),
            (
                &["--log", "loud"],
                "invalid value 'loud' for '--log <LEVEL>'; [possible values: off, error, warn, info, debug, trace]",
            ),
        ] {
            assert_eq!(complaint(arguments), expected);
        }
    }
}
