//! The arguments of the command line, with their help.

mod archive;
mod host_place;
mod level;
mod network;
mod parts;
#[cfg_attr(not(feature = "prove"), allow(dead_code, reason = "a build without it refuses these commands"))]
mod prove;
mod replay;
mod simulate;
mod studio;

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use bounty_hunter::assets::Assets;
use bounty_hunter::level::Level;
use bounty_hunter::mode::DEFAULT_MODE;
use bounty_hunter::name::SaveName;
use bounty_hunter::simulation::{MAX_PLAYERS, SimulationError};
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum, value_parser};

pub(crate) use self::archive::{OutputArguments, ResultsArguments, ResultsCommand, SavesArguments, SavesCommand};
pub(crate) use self::host_place::{HostPlace, Listen, USUAL_PORT};
pub(crate) use self::level::LevelArguments;
pub(crate) use self::network::{NetworkArguments, Role};
pub(crate) use self::prove::{DoctorArguments, ExploreArguments, ProveArguments};
pub(crate) use self::replay::{CompareArguments, ReplayArguments};
pub(crate) use self::simulate::SimulateArguments;
#[cfg(feature = "studio")]
pub(crate) use self::studio::Speed;
pub(crate) use self::studio::{HeadlessArguments, StudioArguments};

/// Limit of `--threads` and `--jobs`, far above the cores of a machine.
const MAX_THREADS: i64 = 256;
/// The name of saves by a key.
const DEFAULT_SLOT: &str = "quick";

/// Collect bounty and bring it to your stash before the time is up.
///
/// Without a command, the game starts in a window: `bounty_hunter --players 8` means `bounty_hunter play --players 8`.
/// The command simulate plays the same game without a window, as fast as it can.
#[derive(Debug, Parser)]
#[command(
    name = "bounty_hunter",
    version,
    override_usage = "bounty_hunter [COMMAND] [OPTIONS]",
    after_help = "\
Examples:
  bounty_hunter                                  play against 15 AIs
  bounty_hunter --humans 2 --players 8           two people share the keyboard, against 6 AIs
  bounty_hunter simulate --matches 10            let AIs play ten matches and print the results
  bounty_hunter help play                        explain all options of play

Exit codes:
  0  it is done
  1  the machine or the network fails: no display, a full disk, a host that is silent
  2  wrong use: arguments, or files that are read
  3  the host of a match without a window is gone
  4  a match breaks an invariant
"
)]
pub(crate) struct Arguments {
    /// Set the level of the log on standard error
    ///
    /// Without this option the environment variable RUST_LOG sets the level, also for single modules, such as
    /// `bounty_hunter=debug,ecs=warn`. Without both, only warnings and errors are shown.
    #[arg(long, value_name = "LEVEL", global = true)]
    pub(crate) log: Option<LogLevel>,
    /// Write the log to this file
    ///
    /// Standard error then has only warnings and errors. The level is `info` without --log and RUST_LOG. A file of 16
    /// MiB is renamed to FILE.1, and three older files are kept. A thread writes the file: lines that come faster than
    /// it can write are dropped and counted.
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) log_file: Option<PathBuf>,
    /// Write a profile of the program to this file, to be opened at ui.perfetto.dev: frames, systems, listeners and
    /// physics
    #[arg(long, value_name = "FILE.json", global = true)]
    pub(crate) profile: Option<PathBuf>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Arguments {
    /// Reads the arguments of a process, and refuses what this build lacks.
    pub(crate) fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        let matches = Self::command().try_get_matches_from(with_default_command(arguments))?;
        match parts::lacking(&matches) {
            Some(sentence) => Err(clap::Error::raw(ErrorKind::ArgumentConflict, sentence)),
            None => Self::from_arg_matches(&matches),
        }
    }
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
    /// Play in a window (the default command)
    ///
    /// Collect bounty, bring it to your stash, and do not crash into other collectors: both would lose what they carry.
    /// The fullest stash wins when the time is up; a full stash ends the match at once.
    ///
    /// People take the first seats and share the keyboard; AIs take the other seats. The first person drives with W, A,
    /// S and D, the second with the arrow keys. P pauses, Escape opens the menu, F1 toggles full screen. The asset
    /// keymap.ron lists all keys.
    Play(PlayArguments),
    /// Let AIs play matches without a window, and print the results
    ///
    /// One AI plays all seats: the one that the mode names, ai/normal.ron in the classic mode. The same seed gives the
    /// same match on every machine; only the speed in steps per second differs. The winner is the number of a seat,
    /// counted from 0. The hash identifies the state of the world after the last step.
    Simulate(SimulateArguments),
    /// Play a recorded match again
    ///
    /// A replay contains the setup of a match and its inputs in each step. The same version of the game with the same
    /// assets repeats the match bit for bit. Record replays with --record of play and simulate.
    Replay(ReplayArguments),
    /// Print where two matches part
    ///
    /// Plays two replays side by side, or one replay in two builds of the game or with two sets of assets: prints the
    /// first step in which values differ, the values, what wrote them in each match, and how both end. What says little
    /// is folded: resources that differ from the beginning, such as a number that a mending changed, and states of
    /// random numbers.
    Compare(CompareArguments),
    /// Play the match of the day, or verify a try
    ///
    /// Each day, in UTC, has one match that is the same for everybody, and three tries. A try is kept as a replay, in
    /// daily/ of the directory for data; anyone can verify it. What that cannot prove: that a person pressed the keys,
    /// and that there were no further tries elsewhere.
    Daily(DailyArguments),
    /// List, copy, export and delete saved matches
    ///
    /// Save a match with F4 while you play, or with --save of simulate. Continue it with --load of play or simulate.
    Saves(SavesArguments),
    /// List the results of matches, sum them up, and export their replays
    ///
    /// The command play stores each match that people play to its end; simulate stores its matches with --data.
    Results(ResultsArguments),
    /// Print a level, or write it to a file of a directory of assets
    ///
    /// A level that is made from a seed becomes a file that can be changed, and that plays as the seed does until then.
    Level(LevelArguments),
    /// Print the completions of the command line for a shell
    ///
    /// The packages have them. Otherwise, for bash:
    /// `bounty_hunter completions bash > ~/.local/share/bash-completion/completions/bounty_hunter`
    #[cfg(not(target_arch = "wasm32"))]
    Completions {
        /// The shell that is to read them
        shell: clap_complete::Shell,
    },
    /// Print the systems of the game in their order, and their events
    ///
    /// For each system: its phases, the systems that it waits for, the reason for its place, and the events that it
    /// receives and sends. Then for each event: its senders and listeners.
    Systems,
    /// Check that a match of AIs is deterministic, and that its snapshots and saves are whole
    ///
    /// Each checked step is run again, in another simulation, from a save and with other numbers of threads. If a state
    /// differs, the step, the value and the systems that cause it are printed.
    Prove(ProveArguments),
    /// Say why the states of two peers differ
    ///
    /// A host writes a report of four files when the state of a member differs. The steps between the last equal states
    /// and those that differ are played here in several ways; if they lead to one state alone, the other peer's build
    /// is played beside this one. What differs first, the system that does it, and the inputs that it needs are told.
    Doctor(DoctorArguments),
    /// Look for inputs that break a match
    ///
    /// Some seats are driven by drawn inputs, from states that were not seen before. What breaks one of the invariants
    /// of all matches is shrunk to the shortest inputs, and written as a replay.
    Explore(ExploreArguments),
}

/// The arguments of [`Command::Daily`].
#[derive(Args, Clone, Debug)]
pub(crate) struct DailyArguments {
    /// Play the try in this file again, and print its day, mode, points, place and hash; refuse one that was altered
    #[arg(long, value_name = "FILE", conflicts_with_all = ["data", "frames"])]
    pub(crate) verify: Option<PathBuf>,
    /// Keep tries, saves and results in this directory [default: the data directory of the platform]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    frames: Frames,
}

impl DailyArguments {
    /// As arguments of [`Command::Play`].
    pub(crate) fn play(self) -> PlayArguments {
        let Self { data, threads, frames, .. } = self;
        let slot = DEFAULT_SLOT.to_owned();
        PlayArguments { begins_daily: true, data, threads, frames, slot, ..PlayArguments::default() }
    }
}

/// The arguments of all commands that begin a match.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct GameArguments {
    /// Play by the rules of this mode, a file in modes/ of the assets, such as classic, power-ups, survival or sandbox
    /// [default: classic]
    #[arg(long, value_name = "NAME")]
    pub(crate) mode: Option<String>,
    /// Play in this level, a file in levels/ of the assets, such as arena or crossing, or seed:NUMBER for a level made
    /// from that seed [default: set by the mode]
    #[arg(long, value_name = "NAME")]
    pub(crate) level: Option<String>,
    /// Replace built-in assets with the files in this directory
    #[arg(long, value_name = "DIR")]
    pub(crate) assets: Option<PathBuf>,
}

impl GameArguments {
    pub(crate) fn mode(&self) -> &str {
        self.mode.as_deref().unwrap_or(DEFAULT_MODE)
    }
}

/// The arguments of [`Command::Play`].
#[derive(Args, Clone, Debug, Default)]
#[command(after_help = "\
Examples:
  bounty_hunter play --seed 7                    use the same random numbers each time
  bounty_hunter play --demo                      watch AIs
  bounty_hunter play --mode survival --level crossing
  bounty_hunter play --assets my_assets          use your own numbers, kinds, keys and AIs
  bounty_hunter play --record mine.replay        record the match for the command replay
  bounty_hunter play --demo --frames 300 --screenshot picture.png
")]
pub(crate) struct PlayArguments {
    /// Seed the random numbers [default: a different seed each time]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,
    /// Set the number of players, people and AIs, 1 to 10000 [default: set by the mode, 16 in classic]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = value_parser!(u32).range(1..=MAX_PLAYERS as i64))]
    players: Option<u32>,
    /// Set the number of people among the players, 0 to 4 [default: 1, or 0 with --demo]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = value_parser!(u32).range(0..=4))]
    humans: Option<u32>,
    /// Let this AI play all other seats, a file in ai/ or policies/ of the assets; the title screen offers easy,
    /// normal, hard and learned [default: set by the mode]
    #[arg(long, value_name = "NAME", conflicts_with_all = ["host", "join"])]
    pub(crate) ai: Option<String>,
    /// Start at once and watch the AIs
    #[arg(long, conflicts_with = "humans")]
    pub(crate) demo: bool,
    #[command(flatten)]
    pub(crate) threads: Threads,
    #[command(flatten)]
    pub(crate) frames: Frames,
    /// Record the last match to this file, for the command replay
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Print on standard error, when the program ends, what the last match holds in memory: entities, pools, events and
    /// commands, with the most at any time
    #[arg(long, conflicts_with = "studio")]
    pub(crate) memory: bool,
    /// Keep saves and results in this directory [default: the data directory of the platform]
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Continue the match that was saved under this name
    #[arg(long, value_name = "NAME", conflicts_with_all = ["seed", "players", "humans", "ai", "demo", "mode", "level", "studio"])]
    pub(crate) load: Option<String>,
    /// Save with F4 and load with F12 under this name
    #[arg(long, value_name = "NAME", default_value = DEFAULT_SLOT, value_parser = save_name)]
    pub(crate) slot: String,
    /// Let people rewind: while Tab is held, the match runs backwards, by up to 30 seconds. The sandbox mode always
    /// allows it
    #[arg(long, conflicts_with = "studio")]
    pub(crate) rewind: bool,
    /// Reload prefabs/ of --assets when a file changes. Mistakes in the files go to the log and to the window
    #[arg(long, requires = "assets", conflicts_with_all = ["record", "rewind", "load", "studio"])]
    pub(crate) watch: bool,
    #[command(flatten)]
    pub(crate) studio: StudioArguments,
    #[command(flatten)]
    pub(crate) network: NetworkArguments,
    #[command(flatten)]
    pub(crate) game: GameArguments,
    /// Begin with the match of the day: the command `daily`.
    #[arg(skip)]
    pub(crate) begins_daily: bool,
}

/// The number of threads of each engine.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct Threads {
    /// Simulate each match on this many threads; the match is the same at any number, and 0 means 1
    ///
    /// More threads gain little, because most of a match is physics on one thread. Use --jobs of simulate for many
    /// cores.
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 1, value_parser = value_parser!(u16).range(0..=MAX_THREADS))]
    threads: u16,
}

impl Threads {
    pub(crate) fn count(self) -> usize {
        usize::from(self.threads)
    }
}

/// A window that closes by itself.
#[derive(Args, Clone, Debug, Default, PartialEq)]
pub(crate) struct Frames {
    /// Start at once, draw this many frames with one step each, and close the window
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = value_parser!(u32).range(1..))]
    pub(crate) frames: Option<u32>,
    /// Write the last frame to this PNG file; needs --frames
    #[arg(long, value_name = "FILE.png", requires = "frames", value_parser = png_file)]
    pub(crate) screenshot: Option<PathBuf>,
    /// Open the window at this size, such as 800x600; needs --frames [default: 1280x720]
    #[arg(long = "window-size", value_name = "WIDTHxHEIGHT", requires = "frames", value_parser = window_size_px)]
    pub(crate) window_size_px: Option<(u32, u32)>,
}

impl PlayArguments {
    /// The numbers of players and of people among them, for assets in the mode and level that are asked for. Also
    /// refuses an AI that does not exist.
    pub(crate) fn seats(&self, assets: &Assets) -> Result<(u32, u32), String> {
        let humans = self.humans.unwrap_or(if self.demo { 0 } else { 1 });
        let players = self.players.unwrap_or(assets.game.players);
        let level = &assets.game.level;
        if let Some(places) = assets.levels.get(level).and_then(Level::most_players)
            && players as usize > places
        {
            let error = SimulationError::Places { level: level.clone(), places, players: players as usize };
            return Err(error.to_string());
        }
        if humans > players {
            return Err(format!("--humans is {humans}, must be at most --players, which is {players}"));
        }
        self.ai.as_deref().map_or(Ok(()), |ai| assets.check_ai(ai)).map_err(|error| error.to_string())?;
        let keyboards = assets.keymap.people.len();
        if humans as usize > keyboards {
            return Err(format!("--humans is {humans}, must be at most {keyboards}, the people in keymap.ron"));
        }
        Ok((players, humans))
    }

    /// Whether no option chooses what the title screen offers, so that it begins with the choices of the last time.
    pub(crate) fn leave_choices_to_title(&self) -> bool {
        let (numbers, names) = (self.players.or(self.humans), self.ai.as_ref().or(self.game.mode.as_ref()));
        numbers.is_none() && names.or(self.game.level.as_ref()).is_none() && !self.demo
    }
}

fn window_size_px(text: &str) -> Result<(u32, u32), String> {
    let parsed = text.split_once('x').and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    parsed.ok_or_else(|| "must be a width and a height in pixels, such as 800x600".to_owned())
}

fn png_file(file: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(file);
    match path.extension() {
        Some(extension) if extension.eq_ignore_ascii_case("png") => Ok(path),
        _ => Err("must end in .png".to_owned()),
    }
}

/// The name of a new save. One that exists may have any name.
fn save_name(text: &str) -> Result<String, String> {
    SaveName::new(text).map(String::from)
}

/// Inserts `play` into the arguments of a process if they contain no command.
fn with_default_command(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    let mut place = 1.min(arguments.len());
    // Options of all commands may precede the command.
    let of_all = ["--log", "--log-file", "--profile"];
    let has_value = |argument: &str| {
        of_all.iter().any(|option| argument.strip_prefix(option).is_some_and(|rest| rest.starts_with('=')))
    };
    while let Some(argument) = arguments.get(place).and_then(|argument| argument.to_str()) {
        match argument {
            _ if of_all.contains(&argument) && place + 1 == arguments.len() => return arguments,
            _ if of_all.contains(&argument) => place += 2,
            _ if has_value(argument) => place += 1,
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
    fn play(arguments: &str) -> PlayArguments {
        match parse(arguments).command {
            Command::Play(play) => play,
            other => panic!("{arguments} is {other:?}"),
        }
    }

    #[track_caller]
    fn seats(arguments: &str) -> Result<(u32, u32), String> {
        let mut assets = Assets::built_in();
        assets.keymap.people.truncate(3);
        play(arguments).seats(&assets)
    }

    #[test]
    fn definition_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn play_is_the_default_command() {
        let alone = play("bh");
        assert_eq!((alone.seed, alone.game.mode(), seats("bh")), (None, "classic", Ok((16, 1))));
        assert_eq!(play("bh --seed 3").seed, Some(3));
        assert_eq!(play("bh --log debug --seed 3").seed, Some(3));
        assert_eq!(play("bh --log=debug play --seed 3").seed, Some(3));
        assert_eq!(play("bh --log debug").seed, None);
        assert_eq!(with_default_command([]), ["play"]);
    }

    #[test]
    fn commands_are_left_alone() {
        assert!(matches!(parse("bh systems").command, Command::Systems));
        let arguments = parse("bh --log info simulate --seed 4 --matches 2");
        assert_eq!(arguments.log, Some(LogLevel::Info));
        assert!(matches!(arguments.command, Command::Simulate(SimulateArguments { seed: 4, matches: 2, .. })));
        assert_eq!(parse("bh simulate --log trace").log, Some(LogLevel::Trace));
        let arguments = parse("bh --log-file a.log --profile=b.json simulate");
        assert_eq!((arguments.log_file, arguments.profile), (Some("a.log".into()), Some("b.json".into())));
        assert_eq!(play("bh --log-file a.log --seed 3").seed, Some(3));
    }

    #[test]
    fn demo_has_no_people() {
        assert!(play("bh --demo").demo);
        assert_eq!(seats("bh --demo --players 3"), Ok((3, 0)));
    }

    #[test]
    fn options_that_choose_come_before_kept_choices() {
        for arguments in ["bh", "bh --seed 5 --rewind", "bh --data a"] {
            assert!(play(arguments).leave_choices_to_title(), "{arguments}");
        }
        for option in ["--players 3", "--humans 1", "--ai hard", "--mode classic", "--level arena", "--demo"] {
            assert!(!play(&format!("bh {option}")).leave_choices_to_title(), "{option}");
        }
    }

    #[test]
    fn people_need_seats_and_keys() {
        assert_eq!(seats("bh --humans 3"), Ok((16, 3)));
        assert_eq!(
            seats("bh --humans 3 --players 2").unwrap_err(),
            "--humans is 3, must be at most --players, which is 2"
        );
        assert_eq!(seats("bh --ai greedy"), Ok((16, 1)));
        let refusal = seats("bh --ai gredy").unwrap_err();
        assert!(refusal.starts_with("there is no AI profile \"gredy\", there are balanced, "), "{refusal}");
        assert_eq!(seats("bh --humans 4").unwrap_err(), "--humans is 4, must be at most 3, the people in keymap.ron");
    }

    #[test]
    fn every_core_gets_a_match_by_default() {
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
        let frames = play("bh --frames 2 --screenshot a/b.PNG").frames;
        assert_eq!((frames.frames, frames.screenshot), (Some(2), Some(PathBuf::from("a/b.PNG"))));
        assert_eq!(play("bh --frames 2 --window-size 800x600").frames.window_size_px, Some((800, 600)));
        for refused in [
            "bh play --screenshot a.png",
            "bh play --frames 2 --screenshot a.jpg",
            "bh play --window-size 800x600",
            "bh play --frames 2 --window-size 800",
        ] {
            assert!(Arguments::try_parse_from(refused.split_whitespace()).is_err(), "{refused}");
        }
    }
}
