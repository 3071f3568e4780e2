//! What can be said on the command line, with its help.

#[cfg(feature = "saves")]
mod archive;
mod replay;
mod simulate;

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use bounty_hunter::assets::Assets;
use bounty_hunter::level::Level;
use bounty_hunter::mode::DEFAULT_MODE;
use bounty_hunter::simulation::SimulationError;
use clap::{Args, Parser, Subcommand, ValueEnum, value_parser};

#[cfg(feature = "saves")]
pub(crate) use self::archive::{ResultsArguments, ResultsCommand, SavesArguments, SavesCommand};
pub(crate) use self::replay::ReplayArguments;
pub(crate) use self::simulate::SimulateArguments;

/// Threads at most, and matches at the same time: more than any machine of today has cores for, and no accident to start.
const MOST_THREADS: i64 = 256;

/// Collectors gather bounty and bring it to their stashes before the time is up.
///
/// Without a command the game is played in a window: `bounty_hunter --players 8` is short for `bounty_hunter play
/// --players 8`. The same game runs without a window with `simulate`, as fast as it can.
#[derive(Debug, Parser)]
#[command(
    name = "bounty_hunter",
    version,
    override_usage = "bounty_hunter [COMMAND] [OPTIONS]",
    after_help = "\
Examples:
  bounty_hunter                                  play alone against 15 AIs
  bounty_hunter --humans 2 --players 8           two people share the keyboard with 6 AIs
  bounty_hunter simulate --matches 10            let AIs play ten matches and print the results
  bounty_hunter help play                        everything that can be said to play
"
)]
pub(crate) struct Arguments {
    /// How much the program tells about its work on standard error
    ///
    /// Without it the environment variable RUST_LOG decides, which may also name modules, such as
    /// `bounty_hunter=debug,ecs=warn`; without either only warnings are shown.
    #[arg(long, value_name = "LEVEL", global = true)]
    pub(crate) log: Option<LogLevel>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogLevel {
    Off,
    Error,
    Warn,
    Info,
    Debug,
    Trace,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play the game in a window (what happens without a command)
    ///
    /// Collect bounty, bring it to your stash, and do not crash into other collectors: both lose what they carry. Whoever
    /// has the fullest stash when the time is up wins; a stash that is full ends the match.
    ///
    /// People sit on the first seats and share the keyboard; AIs take the other seats. The first person drives with W,
    /// A, S and D, the second with the arrow keys. P pauses, Escape leads to the menu, F1 switches to full screen. All keys
    /// are in the asset keymap.ron.
    Play(PlayArguments),
    /// Let AIs play matches without a window, and print how they ended
    ///
    /// Every seat is played by the AI that the mode names, ai/normal.ron in the classic one. The same seed gives the same match on every machine; only
    /// the speed in steps per second differs. The winner is the number of a seat, counted from 0; the hash is that of the
    /// world after the last step.
    Simulate(SimulateArguments),
    /// Play a recorded match again
    ///
    /// A replay holds how the match was set up and what entered it in each step, so it goes the same way again, bit for bit, in
    /// the same version of the game with the same assets. Replays are recorded with --record of play and simulate.
    Replay(ReplayArguments),
    /// List, copy, export and delete saved matches
    ///
    /// Matches are saved with F4 while they are played, and with --save of simulate; --load of play and simulate goes on with
    /// them.
    #[cfg(feature = "saves")]
    Saves(SavesArguments),
    /// List the results of matches, sum them up, and export their replays
    ///
    /// Every match that people play to its end is kept, and with --data those of simulate too.
    #[cfg(feature = "saves")]
    Results(ResultsArguments),
    /// Print the systems of the game, the order in which they work, and why
    ///
    /// For each system: its phases, what it waits for, what put it ahead of the next one, which events it listens to and
    /// which it sends. Then for each event: who sends it and who listens.
    Systems,
}

/// By which rules a match is played, and where: what all commands that play one have in common.
#[derive(Args, Clone, Debug)]
pub(crate) struct Place {
    /// Mode: which rules are played by, such as classic, power-ups, survival or sandbox; a file of the assets' modes/
    #[arg(long, value_name = "NAME", default_value = DEFAULT_MODE)]
    pub(crate) mode: String,
    /// Level to play in, such as arena or crossing; a file of the assets' levels/ [default: what the mode says]
    #[arg(long, value_name = "NAME")]
    pub(crate) level: Option<String>,
    /// Directory with files that replace the built-in assets, one by one
    #[arg(long, value_name = "DIR")]
    pub(crate) assets: Option<PathBuf>,
}

impl Default for Place {
    fn default() -> Self {
        Self { mode: DEFAULT_MODE.to_owned(), level: None, assets: None }
    }
}

/// The arguments of [`Command::Play`].
#[derive(Args, Clone, Debug, Default)]
#[command(after_help = "\
Examples:
  bounty_hunter play --seed 7                    the same random numbers every time
  bounty_hunter play --demo                      watch AIs play
  bounty_hunter play --mode survival --level crossing
  bounty_hunter play --assets my_assets          play with other numbers, kinds, keys and AIs
  bounty_hunter play --record mine.replay        keep the match, for the command replay
  bounty_hunter play --demo --frames 300 --screenshot picture.png
")]
pub(crate) struct PlayArguments {
    /// Seed of every random number [default: another one each time]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Players, people and AIs together, 1 to 1000 [default: what the mode says, 16 in the classic one]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = value_parser!(u32).range(1..=1_000))]
    players: Option<u32>,
    /// People among the players, 0 to 4 [default: 1, and 0 with --demo]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = value_parser!(u32).range(0..=4))]
    humans: Option<u32>,
    /// Nobody plays: start at once and watch the AIs
    #[arg(long, conflicts_with = "humans")]
    demo: bool,
    /// Threads that work the match out: it is the same at any number, 0 and 1 are one thread
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 1, value_parser = value_parser!(u16).range(0..=MOST_THREADS))]
    threads: u16,
    /// Start at once, draw this many frames with one step of the game for each, and close the window
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = value_parser!(u64).range(1..))]
    frames: Option<u64>,
    /// Write the last frame to this PNG file; needs --frames
    #[arg(long, value_name = "FILE.png", requires = "frames", value_parser = png_file)]
    screenshot: Option<PathBuf>,
    /// Record the match to this file, for the command replay
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Directory of saves and results [default: where the platform keeps data of programs]
    #[cfg(feature = "saves")]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Go on with the match that was saved under this name
    #[cfg(feature = "saves")]
    #[arg(long, value_name = "NAME", conflicts_with_all = ["seed", "players", "humans", "demo", "mode", "level"])]
    load: Option<String>,
    /// Name under which F4 saves the match, and F12 loads it again
    #[cfg(feature = "saves")]
    #[arg(long, value_name = "NAME", default_value = "quick")]
    slot: String,
    /// Let people go back: while they hold the key for that, Tab, the match runs backwards, by 30 seconds at most. In the sandbox
    /// they can do so anyway
    #[arg(long)]
    rewind: bool,
    /// Follow the files in prefabs/ of --assets while playing: what they say gets into the game at once, and what is wrong with
    /// them into the log
    #[cfg(feature = "hot-reload")]
    #[arg(long, requires = "assets", conflicts_with_all = ["record", "rewind"])]
    #[cfg_attr(feature = "saves", arg(conflicts_with = "load"))]
    watch: bool,
    #[command(flatten)]
    pub(crate) place: Place,
}

/// What the window is opened for: [`PlayArguments`] with every gap filled.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PlayOptions {
    /// Seed of every random number; `None` stands for another one each time.
    pub(crate) seed: Option<u64>,
    /// The mode that is chosen at first.
    pub(crate) mode: String,
    /// People and AIs together, 1 to 1000.
    pub(crate) players: u32,
    /// People among the players; they take the first seats and the first people's keys in the keymap.
    pub(crate) humans: u32,
    /// Threads of each simulation.
    pub(crate) threads: usize,
    /// Nobody is at the keyboard.
    pub(crate) is_demo: bool,
    /// The window closes after this many frames.
    pub(crate) frames: Option<u64>,
    /// Where the last of these frames is written; comes with `frames` only.
    pub(crate) screenshot: Option<PathBuf>,
    /// Where the match is recorded.
    pub(crate) record: Option<PathBuf>,
    /// People can go back in every mode.
    pub(crate) can_rewind: bool,
    /// The directory of saves and results that was named.
    #[cfg(feature = "saves")]
    pub(crate) data: Option<PathBuf>,
    /// The save that is played on.
    #[cfg(feature = "saves")]
    pub(crate) load: Option<String>,
    /// The save of the keys for that.
    #[cfg(feature = "saves")]
    pub(crate) slot: String,
    /// The directory of assets whose prefabs are followed.
    #[cfg(feature = "hot-reload")]
    pub(crate) watched: Option<PathBuf>,
}

impl PlayArguments {
    /// Fills the gaps with what `assets` say, which are those of the mode and level that were asked for.
    pub(crate) fn options(&self, assets: &Assets) -> Result<PlayOptions, String> {
        let humans = self.humans.unwrap_or(if self.demo { 0 } else { 1 });
        let players = self.players.unwrap_or(assets.game.players);
        check_places(players, assets)?;
        if humans > players {
            return Err(format!("--humans is {humans}, must be at most --players, which is {players}"));
        }
        let keyboards = assets.keymap.people.len();
        if humans as usize > keyboards {
            return Err(format!("--humans is {humans}, must be at most {keyboards}, the people in keymap.ron"));
        }
        Ok(PlayOptions {
            seed: self.seed,
            mode: self.place.mode.clone(),
            players,
            humans,
            threads: usize::from(self.threads),
            is_demo: self.demo,
            frames: self.frames,
            screenshot: self.screenshot.clone(),
            record: self.record.clone(),
            can_rewind: self.rewind,
            #[cfg(feature = "saves")]
            data: self.data.clone(),
            #[cfg(feature = "saves")]
            load: self.load.clone(),
            #[cfg(feature = "saves")]
            slot: self.slot.clone(),
            #[cfg(feature = "hot-reload")]
            watched: self.place.assets.clone().filter(|_| self.watch),
        })
    }
}

/// Whether the level has places for so many players.
fn check_places(players: u32, assets: &Assets) -> Result<(), String> {
    let level = &assets.game.level;
    match assets.levels.get(level).and_then(Level::most_players) {
        Some(places) if players as usize > places => {
            let error = SimulationError::Places { level: level.clone(), places, players: players as usize };
            Err(error.to_string())
        }
        _ => Ok(()),
    }
}

fn png_file(file: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(file);
    match path.extension() {
        Some(extension) if extension.eq_ignore_ascii_case("png") => Ok(path),
        _ => Err("must end in .png".to_owned()),
    }
}

/// The arguments of a process with the word `play` put in where no command stands.
pub(crate) fn with_default_command(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    let mut place = 1.min(arguments.len());
    // `--log LEVEL` may stand in front of a command.
    while let Some(argument) = arguments.get(place).and_then(|argument| argument.to_str()) {
        match argument {
            "--log" if place + 1 == arguments.len() => return arguments,
            "--log" => place += 2,
            _ if argument.starts_with("--log=") => place += 1,
            _ => break,
        }
    }
    let is_for_no_command =
        |argument: &OsString| ["-h", "--help", "-V", "--version"].iter().any(|flag| argument == flag);
    let is_flag = |argument: &OsString| argument.as_encoded_bytes().starts_with(b"-");
    let needs_command = arguments.get(place).is_none_or(|next| is_flag(next) && !is_for_no_command(next));
    if needs_command {
        arguments.insert(place, OsStr::new("play").to_owned());
    }
    arguments
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn parse(arguments: &str) -> Arguments {
        let words = arguments.split_whitespace().map(OsString::from);
        Arguments::try_parse_from(with_default_command(words)).expect("these arguments are fine")
    }

    #[track_caller]
    fn play_options(arguments: &str) -> Result<PlayOptions, String> {
        match parse(arguments).command {
            Command::Play(play) => {
                let mut assets = Assets::built_in();
                assets.keymap.people.truncate(3);
                play.options(&assets)
            }
            other => panic!("{arguments} is {other:?}"),
        }
    }

    #[test]
    fn definition_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn play_is_what_happens_without_a_command() {
        let alone = play_options("bh").unwrap();
        assert_eq!((alone.players, alone.humans, alone.seed), (16, 1, None));
        assert_eq!(alone.mode, "classic");
        assert_eq!(play_options("bh --seed 3").unwrap().seed, Some(3));
        assert_eq!(play_options("bh --log debug --seed 3").unwrap().seed, Some(3));
        assert_eq!(play_options("bh --log=debug play --seed 3").unwrap().seed, Some(3));
        assert_eq!(play_options("bh --log debug").unwrap(), alone);
        assert_eq!(with_default_command([]), ["play"]);
    }

    #[test]
    fn commands_are_left_alone() {
        assert!(matches!(parse("bh systems").command, Command::Systems));
        let arguments = parse("bh --log info simulate --seed 4 --matches 2");
        assert_eq!(arguments.log, Some(LogLevel::Info));
        assert!(matches!(arguments.command, Command::Simulate(SimulateArguments { seed: 4, matches: 2, .. })));
        assert_eq!(parse("bh simulate --log trace").log, Some(LogLevel::Trace));
    }

    #[test]
    fn demo_has_no_people() {
        let demo = play_options("bh --demo --players 3").unwrap();
        assert_eq!((demo.humans, demo.is_demo), (0, true));
    }

    #[test]
    fn people_need_seats_and_keys() {
        assert_eq!(play_options("bh --humans 3").unwrap().humans, 3);
        assert_eq!(
            play_options("bh --humans 3 --players 2").unwrap_err(),
            "--humans is 3, must be at most --players, which is 2"
        );
        assert_eq!(
            play_options("bh --humans 4").unwrap_err(),
            "--humans is 4, must be at most 3, the people in keymap.ron"
        );
    }

    #[test]
    fn every_core_gets_a_match_unless_told_otherwise() {
        let jobs_on_8_cores = |arguments: &str| match parse(arguments).command {
            Command::Simulate(simulate) => simulate.jobs(8),
            other => panic!("{arguments} is {other:?}"),
        };
        for (arguments, jobs) in [
            ("bh simulate", 8),
            ("bh simulate --threads 0", 8),
            ("bh simulate --threads 3", 2),
            ("bh simulate --threads 16", 1),
            ("bh simulate --jobs 5", 5),
            ("bh simulate --jobs 5 --threads 16", 5),
        ] {
            assert_eq!(jobs_on_8_cores(arguments), jobs, "{arguments}");
        }
    }

    #[test]
    fn screenshots_are_png_files_of_a_known_frame() {
        let options = play_options("bh --frames 2 --screenshot a/b.PNG").unwrap();
        assert_eq!((options.frames, options.screenshot), (Some(2), Some(PathBuf::from("a/b.PNG"))));
        for refused in ["bh play --screenshot a.png", "bh play --frames 2 --screenshot a.jpg"] {
            assert!(Arguments::try_parse_from(refused.split_whitespace()).is_err(), "{refused}");
        }
    }
}
