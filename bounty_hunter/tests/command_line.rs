//! What the program does with bad input: one sentence, exit code 2, and nothing else.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bounty_hunter"));
    command.args(arguments).env_remove("RUST_LOG").stdin(Stdio::null());
    command
}

/// Runs the program and expects it to refuse its input with `sentence`.
#[track_caller]
fn assert_refused(command: &mut Command, sentence: &str) {
    let output = command.output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), format!("error: {sentence}\n"));
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "");
}

/// A directory of assets that is gone when the test ends.
struct Directory(PathBuf);

impl Directory {
    fn with(name: &str, file: &str, text: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}_{}", std::process::id()));
        fs::create_dir_all(path.join(file).parent().unwrap()).unwrap();
        fs::write(path.join(file), text).unwrap();
        Self(path)
    }

    fn name(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

#[test]
fn no_players_are_refused() {
    let sentence = "invalid value '0' for '--players <N>': 0 is not in 1..=";
    assert_refused(&mut program(&["--players", "0"]), &format!("{sentence}1000"));
    assert_refused(&mut program(&["simulate", "--players", "0"]), &format!("{sentence}10000"));
}

#[test]
fn numbers_of_threads_that_nobody_has_are_refused() {
    for command in ["play", "simulate"] {
        for number in ["-1", "257"] {
            let sentence = format!("invalid value '{number}' for '--threads <N>': {number} is not in 0..=256");
            assert_refused(&mut program(&[command, "--threads", number]), &sentence);
        }
        let sentence = "invalid value 'many' for '--threads <N>': invalid digit found in string";
        assert_refused(&mut program(&[command, "--threads", "many"]), sentence);
    }
    let sentence = "invalid value '0' for '--jobs <N>': 0 is not in 1..=256";
    assert_refused(&mut program(&["simulate", "--jobs", "0"]), sentence);
}

/// What `simulate` prints with these arguments besides what is common to all, without speeds.
fn simulated(arguments: &[&str]) -> Vec<String> {
    let common = ["simulate", "--json", "--seed", "7", "--players", "3", "--matches", "7", "--ticks", "250"];
    let output = program(&[&common[..], arguments].concat()).output().unwrap();
    assert_eq!((String::from_utf8(output.stderr).unwrap().as_str(), output.status.code()), ("", Some(0)));
    let text = String::from_utf8(output.stdout).unwrap();
    let without_speed = |line: &str| line.split_once(",\"ticks_per_second\"").expect("it has a speed").0.to_owned();
    text.lines().map(without_speed).collect()
}

#[test]
fn matches_are_the_same_and_in_order_at_any_number_of_jobs_and_threads() {
    let expected = simulated(&["--jobs", "1"]);
    assert!(expected.len() == 7 && expected[0].contains("\"seed\":7,") && expected[6].contains("\"seed\":13,"));
    for arguments in
        [&[][..], &["--jobs", "2"], &["--jobs", "16"], &["--threads", "0"], &["--jobs", "3", "--threads", "4"]]
    {
        assert_eq!(simulated(arguments), expected, "{arguments:?}");
    }
}

#[test]
fn more_people_than_players_are_refused() {
    let sentence = "--humans is 3, must be at most --players, which is 2";
    assert_refused(&mut program(&["play", "--humans", "3", "--players", "2"]), sentence);
}

#[cfg(not(feature = "client"))]
#[test]
fn play_without_a_window_names_the_way_out() {
    let sentence = "this build has no window, build it with the feature `client` or run `bounty_hunter simulate`";
    assert_refused(&mut program(&[]), sentence);
}

#[test]
fn unknown_strategy_is_refused_with_its_place() {
    let directory = Directory::with("strategy", "ai/fast.ron", "// Too fast.\n(\n    strategy: Fastest,\n)\n");
    let sentence = format!(
        "{}/ai/fast.ron:3:15: unknown strategy `Fastest`, must be `None`, `First`, `Nearest`, `MostValuable` or \
         `BestValuePerDistance`",
        directory.name()
    );
    assert_refused(&mut program(&["simulate", "--assets", directory.name()]), &sentence);
    assert_refused(&mut program(&["play", "--assets", directory.name()]), &sentence);
}

#[test]
fn negative_size_is_refused_with_its_place() {
    let directory = Directory::with(
        "size",
        "prefabs/tree.ron",
        "{\n    \"tree\": (components: {\n        \"shape\": Square(half_extent_m: -1),\n    }),\n}\n",
    );
    let sentence = format!(
        "{}/prefabs/tree.ron:3:18: `shape` is refused: half_extent_m is -1, must be positive",
        directory.name()
    );
    assert_refused(&mut program(&["simulate", "--assets", directory.name()]), &sentence);
}

#[test]
fn broken_ron_is_refused_with_its_place() {
    let directory = Directory::with(
        "broken",
        "prefabs/tree.ron",
        "{\n    \"tree\": (components: {})\n    \"bush\": (components: {}),\n}\n",
    );
    let sentence = format!("{}/prefabs/tree.ron:3:5: expected a comma or a closing bracket", directory.name());
    assert_refused(&mut program(&["simulate", "--assets", directory.name()]), &sentence);
}

#[test]
fn unknown_mode_is_refused_with_those_there_are() {
    for command in ["play", "simulate"] {
        let sentence = "there is no mode \"clasic\", there are brawl, classic, power-ups, sandbox, spells, survival";
        assert_refused(&mut program(&[command, "--mode", "clasic"]), sentence);
    }
}

#[test]
fn unknown_level_is_refused_with_those_there_are() {
    for command in ["play", "simulate"] {
        let sentence = "there is no level \"moon\", there are arena, crossing, pit";
        assert_refused(&mut program(&[command, "--level", "moon"]), sentence);
    }
}

#[test]
fn more_players_than_the_level_has_places_are_refused() {
    let sentence = "the level \"crossing\" has places for 16 players, not for 17";
    for command in ["play", "simulate"] {
        assert_refused(&mut program(&[command, "--level", "crossing", "--players", "17"]), sentence);
    }
    let sentence = "the level \"crossing\" has places for 16 players, not for 1000";
    assert_refused(&mut program(&["simulate", "--level", "crossing", "--mode", "sandbox"]), sentence);
}

#[test]
fn a_mode_of_ones_own_is_played_by_its_name() {
    let text =
        "(title: \"Duel\", description: \"Two meet.\", game: (players: 2, play_seconds: 1, level: \"crossing\"))";
    let directory = Directory::with("mode", "modes/duel.ron", text);
    let output = program(&["simulate", "--json", "--mode", "duel", "--assets", directory.name()]).output().unwrap();
    let line: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&line["mode"], &line["level"], &line["players"]), (&"duel".into(), &"crossing".into(), &2.into()));
    assert_eq!(line["ending"], "time");
    assert!(line["times_real_time"].as_f64().unwrap() > 0.0);
}

#[test]
fn classic_is_the_mode_that_is_played_when_none_is_named() {
    let named = simulated(&["--mode", "classic", "--level", "arena"]);
    assert_eq!(simulated(&[]), named);
    assert_ne!(simulated(&["--mode", "survival"]), named);
}

#[test]
fn missing_directory_is_refused() {
    assert_refused(&mut program(&["simulate", "--assets", "no/such/place"]), "no/such/place: no such directory");
}

#[test]
fn wrong_log_filter_is_refused() {
    let output = program(&["systems"]).env("RUST_LOG", "bounty_hunter=loud").output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.starts_with("error: RUST_LOG is `bounty_hunter=loud`, which is no filter: "), "{stderr}");
    assert_eq!((stderr.lines().count(), output.status.code()), (1, Some(2)));
}

#[test]
fn nobody_reading_the_output_is_no_failure() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = program(&["help", "simulate"]).stdout(writer).output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(output.status.code(), Some(0));
}

/// An empty directory that is gone when the test ends.
fn empty_directory(name: &str) -> Directory {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}_{}", std::process::id()));
    fs::create_dir_all(&path).unwrap();
    Directory(path)
}

/// Runs the program, expects it to succeed, and returns what it prints.
#[track_caller]
fn printed(arguments: &[&str]) -> String {
    let output = program(arguments).output().unwrap();
    assert_eq!((String::from_utf8(output.stderr).unwrap().as_str(), output.status.code()), ("", Some(0)));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn recorded_match_goes_the_same_way_again() {
    let directory = empty_directory("recorded");
    let file = &directory.0.join("seven.replay");
    let name = file.to_str().unwrap();
    let simulated =
        printed(&["simulate", "--seed", "7", "--players", "3", "--ticks", "250", "--json", "--record", name]);
    let (_, rest) = simulated.split_once("\"hash\":\"").unwrap();
    let hash = &rest[..16];
    for threads in ["0", "2"] {
        assert_eq!(
            printed(&["replay", name, "--verify", "--threads", threads]),
            format!(
                "seed 7, 3 players, mode classic, level arena: all 250 steps went the same way, to the hash {hash}\n"
            )
        );
    }
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        printed(&["replay", name, "--verify", "--json"]),
        format!(
            "{{\"mode\":\"classic\",\"level\":\"arena\",\"seed\":7,\"players\":3,\"version\":\"{version}\",\"ticks\":250,\
             \"hash\":\"{hash}\",\"agrees\":true,\"agrees_until\":null,\"differs_at\":null}}\n"
        )
    );
    assert_eq!(fs::read_dir(&directory.0).unwrap().count(), 1, "nothing is left beside the replay");
}

#[test]
fn damaged_replays_are_refused() {
    let directory = empty_directory("damaged");
    let file = directory.0.join("a.replay");
    let name = file.to_str().unwrap();
    printed(&["simulate", "--players", "200", "--ticks", "70", "--record", name]);
    let whole = fs::read(&file).unwrap();
    let refuse = |bytes: &[u8], reason: &str| {
        fs::write(&file, bytes).unwrap();
        let sentence = format!("the replay {name} can not be played: {reason}");
        assert_refused(&mut program(&["replay", name, "--verify"]), &sentence);
    };
    let mut flipped = whole.clone();
    flipped[1_000] ^= 0x10;
    refuse(&flipped, "it is damaged: its checksum does not fit to its content");
    refuse(&whole[..1_000], &format!("it ends after 1000 of {} bytes", whole.len()));
    refuse(b"", "it is not a replay");
    let mut newer = whole.clone();
    newer[8] = 9;
    refuse(&newer, "a newer version wrote it in format 9, this version reads formats up to 2");
}

#[test]
fn replay_with_other_assets_is_refused() {
    let stash = include_str!("../../assets/prefabs/stash.ron").replace("points: 250.0", "points: 300.0");
    let directory = Directory::with("large_stash", "prefabs/stash.ron", &stash);
    let file = directory.0.join("a.replay");
    let name = file.to_str().unwrap();
    let assets = ["--assets", directory.name()];
    printed(&[&["simulate", "--players", "2", "--ticks", "20", "--record", name][..], &assets].concat());
    let reason =
        "it was recorded with other assets, so the match would go another way: play it with those, with --assets";
    let sentence = format!("the replay {name} can not be played: {reason}");
    assert_refused(&mut program(&["replay", name, "--verify"]), &sentence);
    assert!(printed(&[&["replay", name, "--verify"][..], &assets].concat()).contains("all 20 steps went the same way"));
}

#[test]
fn replay_that_can_not_be_written_or_is_not_there_is_refused() {
    let directory = empty_directory("nowhere");
    let file = directory.0.join("missing/a.replay");
    let name = file.to_str().unwrap();
    let reason = "No such file or directory (os error 2)";
    let sentence = format!("the replay {name} can not be written: {reason}");
    assert_refused(&mut program(&["simulate", "--ticks", "1", "--record", name]), &sentence);
    let sentence = format!("the replay {name} can not be played: {reason}");
    assert_refused(&mut program(&["replay", name, "--verify"]), &sentence);
    let sentence = "the argument '--matches <N>' cannot be used with '--record <FILE>'";
    assert_refused(&mut program(&["simulate", "--matches", "2", "--record", name]), sentence);
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk_leaves_the_earlier_replay_alone() {
    // Whatever is written to this device fails as on a full disk.
    let directory = empty_directory("full");
    let file = directory.0.join("a.replay");
    let name = file.to_str().unwrap();
    fs::write(&file, "what was there before").unwrap();
    std::os::unix::fs::symlink("/dev/full", directory.0.join("a.replay.part")).unwrap();
    let sentence = format!("the replay {name} can not be written: No space left on device (os error 28)");
    assert_refused(&mut program(&["simulate", "--ticks", "1", "--record", name]), &sentence);
    assert_eq!(fs::read_to_string(&file).unwrap(), "what was there before");
}

#[test]
fn help_names_every_flag() {
    let replay = ["--verify", "--threads", "--json", "--frames", "--screenshot", "--assets", "--log"];
    for flag in replay {
        assert!(printed(&["help", "replay"]).contains(flag), "{flag} is missing");
    }
    let play =
        ["--seed", "--players", "--humans", "--demo", "--threads", "--frames", "--screenshot", "--assets", "--log"];
    let simulate =
        ["--seed", "--players", "--matches", "--ticks", "--jobs", "--threads", "--json", "--assets", "--log"];
    for (command, flags) in [("play", play), ("simulate", simulate)] {
        let output = program(&["help", command]).output().unwrap();
        let help = String::from_utf8(output.stdout).unwrap();
        for flag in flags.into_iter().chain(["--mode", "--level", "--record"]) {
            assert!(help.contains(flag), "{flag} is missing in:\n{help}");
        }
        assert_eq!(output.status.code(), Some(0));
    }
}
