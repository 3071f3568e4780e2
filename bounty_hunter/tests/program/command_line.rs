//! Bad input: one sentence, exit code 2, and nothing else; what the machine fails at: exit code 1.

use super::run::{Directory, assert_failed, assert_refused, printed, program};

#[test]
fn no_players_are_refused() {
    let sentence = "invalid value '0' for '--players <N>': 0 is not in 1..=";
    assert_refused(&mut program(&["--players", "0"]), &format!("{sentence}10000"));
    assert_refused(&mut program(&["simulate", "--players", "0"]), &format!("{sentence}10000"));
}

#[test]
fn too_many_threads_are_refused() {
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

/// The output of `simulate` for matches with seeds from 7, without speeds.
fn simulated(arguments: &[&str]) -> Vec<String> {
    let text = printed(&[&["simulate", "--json", "--seed", "7"], arguments].concat());
    let without_speed = |line: &str| line.split_once(",\"ticks_per_second\"").expect("it has a speed").0.to_owned();
    text.lines().map(without_speed).collect()
}

#[test]
fn matches_are_the_same_and_in_order_at_any_number_of_jobs() {
    let seven =
        |arguments: &[&str]| simulated(&[&["--players", "3", "--matches", "7", "--ticks", "250"], arguments].concat());
    let expected = seven(&["--jobs", "1"]);
    assert!(expected.len() == 7 && expected[0].contains("\"seed\":7,") && expected[6].contains("\"seed\":13,"));
    for arguments in
        [&[][..], &["--jobs", "2"], &["--jobs", "16"], &["--threads", "0"], &["--jobs", "3", "--threads", "4"]]
    {
        assert_eq!(seven(arguments), expected, "{arguments:?}");
    }
}

#[test]
fn a_crowd_is_the_same_at_any_number_of_threads() {
    // Enough players to wake the threads of the engine.
    let crowd = |threads| simulated(&["--players", "1100", "--ticks", "40", "--threads", threads]);
    let expected = crowd("1");
    assert!(expected.len() == 1 && expected[0].contains("\"hash\":"));
    for threads in ["2", "4"] {
        assert_eq!(crowd(threads), expected, "{threads}");
    }
}

#[test]
fn more_people_than_players_are_refused() {
    let sentence = "--humans is 3, must be at most --players, which is 2";
    assert_refused(&mut program(&["play", "--humans", "3", "--players", "2"]), sentence);
}

#[cfg(not(feature = "client"))]
#[test]
fn play_without_a_window_names_the_remedy() {
    let sentence =
        "this build has no window: `cargo build -p bounty_hunter` builds one, or run `bounty_hunter simulate`";
    assert_refused(&mut program(&[]), sentence);
}

#[cfg(feature = "studio")]
#[test]
fn profile_has_the_spans_of_frames_and_systems() {
    let directory = Directory::with("profile", "a.json", "what was there before");
    let file = directory.0.join("a.json");
    printed(&["simulate", "--players", "4", "--ticks", "300", "--profile", file.to_str().unwrap()]);
    let profile: serde_json::Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    let names: Vec<&str> = profile.as_array().unwrap().iter().filter_map(|event| event["name"].as_str()).collect();
    let named = |wanted: &str| names.iter().filter(|name| name.starts_with(wanted)).count();
    assert!(
        named("frame ") >= 60 && named("Motion") >= 60,
        "{} frames, {} of Motion",
        named("frame "),
        named("Motion")
    );
}

#[cfg(not(feature = "studio"))]
#[test]
fn what_a_build_lacks_is_refused_with_its_feature() {
    for arguments in [&["play", "--studio"][..], &["simulate", "--studio", "--seed", "7"]] {
        assert_refused(
            &mut program(arguments),
            "this build lacks --studio, which `cargo build -p bounty_hunter --features studio` builds",
        );
    }
    let sentence = "this build lacks --profile, which `cargo build -p bounty_hunter --features studio` builds";
    assert_refused(&mut program(&["systems", "--profile", "a.json"]), sentence);
}

#[cfg(not(feature = "saves"))]
#[test]
fn what_a_build_without_a_database_lacks_is_refused() {
    for (arguments, lacking) in
        [(&["saves"][..], "saves"), (&["results", "totals"], "results"), (&["simulate", "--data", "a"], "--data")]
    {
        let sentence =
            format!("this build lacks {lacking}, which `cargo build -p bounty_hunter --features saves` builds");
        assert_refused(&mut program(arguments), &sentence);
    }
}

#[test]
fn unknown_strategy_is_refused_with_its_place() {
    let directory = Directory::with("strategy", "ai/fast.ron", "// Too fast.\n(\n    strategy: Fastest,\n)\n");
    let sentence = format!(
        "{}/ai/fast.ron:3:15: `strategy` cannot be `Fastest`, must be `None`, `First`, `Nearest`, `MostValuable`, \
         `BestValuePerDistance` or `Foresight`",
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
fn unknown_mode_is_refused_with_a_list_of_modes() {
    for command in ["play", "simulate"] {
        let sentence = "there is no mode \"clasic\", there are brawl, classic, gold-rush, power-ups, sandbox, spells, survival, teams: `classic` may be meant";
        assert_refused(&mut program(&[command, "--mode", "clasic"]), sentence);
    }
}

#[test]
fn unknown_level_is_refused_with_a_list_of_levels() {
    for command in ["play", "simulate"] {
        let sentence = "there is no level \"moon\", there are arena, crossing, falls, pit, springs, vault";
        assert_refused(&mut program(&[command, "--level", "moon"]), sentence);
    }
}

#[test]
fn wrong_seed_of_a_level_is_refused() {
    for (command, name) in [("play", "seed:x"), ("simulate", "seed:"), ("simulate", "seed:18446744073709551616")] {
        let problem = "the seed after \"seed:\" must be a whole number from 0 to 18446744073709551615";
        let sentence = format!("there is no level {name:?}: {problem}");
        assert_refused(&mut program(&[command, "--level", name]), &sentence);
    }
    let directory = Directory::with("seed", "levels/seed:7.ron", "()");
    let file = format!("{}/levels/seed:7.ron", directory.name());
    let sentence = format!("{file}: names that begin with \"seed:\" are of levels from a seed: rename it");
    assert_refused(&mut program(&["simulate", "--assets", directory.name()]), &sentence);
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
fn mode_from_a_directory_of_assets_is_played_by_its_name() {
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
fn numbers_of_a_mode_and_of_the_command_line_that_do_not_fit_together_are_refused() {
    // Within the limits of each number; for the players of the file, too.
    let text = "(title: \"Rich\", description: \"Much for each.\", game: (players: 2, bounties_per_player: 100.0))";
    let directory = Directory::with("rich", "modes/rich.ron", text);
    let arguments = ["simulate", "--mode", "rich", "--assets", directory.name(), "--players", "5000"];
    let sentence =
        "bounties_per_player, deals, power_ups and chain give 500000 objects for 5000 players, must be at most 100000";
    assert_refused(&mut program(&arguments), sentence);
}

#[test]
fn classic_is_the_default_mode() {
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
    assert!(stderr.starts_with("error: RUST_LOG is `bounty_hunter=loud`, which is not a filter: "), "{stderr}");
    assert_eq!((stderr.lines().count(), output.status.code()), (1, Some(2)));
}

#[test]
fn log_file_has_the_match_and_standard_error_only_problems() {
    let file = std::env::temp_dir().join(format!("bounty_hunter_program_{}.log", std::process::id()));
    let path = file.to_str().unwrap();
    let output = program(&["--log-file", path, "simulate", "--seed", "7", "--players", "4"]).output().unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert_eq!((String::from_utf8(output.stderr).unwrap().as_str(), output.status.code()), ("", Some(0)));
    for said in ["bounty_hunter::match: started players=4", ": delivered player=", ": over ending="] {
        assert!(text.contains(said), "{said} is not in\n{text}");
    }
    assert!(!text.contains("DEBUG") && !text.contains('\u{1b}'), "{text}");
    let sentence = "the log file no/such/place cannot be written: No such file or directory (os error 2)";
    assert_failed(&mut program(&["--log-file", "no/such/place", "systems"]), sentence);
}

#[cfg(all(feature = "client", target_os = "linux"))]
#[test]
fn display_that_is_missing_is_no_wrong_use() {
    let mut command = program(&["play", "--demo", "--frames", "2"]);
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    assert_failed(&mut command, "there is no display for the window: set DISPLAY or WAYLAND_DISPLAY");
}

#[cfg(feature = "network")]
#[test]
fn port_that_is_taken_is_no_wrong_use() {
    let taken = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output = program(&["play", "--headless", "--host", &address]).output().unwrap();
    let sentence = String::from_utf8(output.stderr).unwrap();
    assert!(sentence.starts_with(&format!("error: {address} cannot be used: ")), "{sentence}");
    assert_eq!((sentence.lines().count(), output.status.code()), (1, Some(1)));
    assert_refused(
        &mut program(&["play", "--headless", "--host", "127.0.0.1:99999"]),
        "invalid value '127.0.0.1:99999' for '--host [<PORT>]': the port 99999 is not between 1 and 65535; 0 is any free port",
    );
}

#[test]
fn exit_codes_are_explained() {
    let help = printed(&["--help"]);
    let codes = help.split("Exit codes:\n").nth(1).unwrap();
    let numbers: Vec<&str> = codes.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(numbers, ["0", "1", "2", "3", "4"]);
}

#[test]
fn completions_name_the_commands_and_options_for_each_shell() {
    for shell in ["bash", "zsh", "fish"] {
        let completions = printed(&["completions", shell]);
        for word in ["bounty_hunter", "simulate", "completions", "players", "highlight"] {
            assert!(completions.contains(word), "{shell} does not complete {word}");
        }
    }
    let output = program(&["completions", "cmd"]).output().unwrap();
    let sentence = String::from_utf8(output.stderr).unwrap();
    assert!(sentence.starts_with("error: invalid value 'cmd' for '<SHELL>'"), "{sentence}");
    assert_eq!((sentence.lines().count(), output.status.code()), (1, Some(2)));
}

#[test]
fn level_from_a_seed_plays_alike_as_a_file() {
    let directory = Directory::empty("seeded_level");
    let file = directory.0.join("levels/seven.ron");
    let name = file.to_str().unwrap();
    let sentence = format!("the level {name} cannot be written: No such file or directory (os error 2)");
    assert_failed(&mut program(&["level", "seed:7", "--out", name]), &sentence);
    std::fs::create_dir(directory.0.join("levels")).unwrap();
    assert_eq!(printed(&["level", "seed:7", "--out", name]), "");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), printed(&["level", "seed:7"]));
    let played = |level: &[&str]| -> Vec<serde_json::Value> {
        let lines = simulated(&[&["--players", "5", "--ticks", "400", "--matches", "2"][..], level].concat());
        let values = lines.iter().map(|line| serde_json::from_str(&format!("{line}}}")).unwrap());
        values.map(|value: serde_json::Value| value["hash"].clone()).collect()
    };
    let of_file = played(&["--assets", directory.name(), "--level", "seven"]);
    assert_eq!((of_file.len(), of_file), (2, played(&["--level", "seed:7"])));
    // A level that is a file is printed as it is, and one that is none is refused.
    assert!(printed(&["level", "vault"]).starts_with("// The vault: "));
    let sentence = "there is no level \"moon\", there are arena, crossing, falls, pit, springs, vault";
    assert_refused(&mut program(&["level", "moon"]), sentence);
    let sentence = "invalid value 'a.txt' for '--out <FILE.ron>': must end in .ron, as the files of the assets do";
    assert_refused(&mut program(&["level", "seed:7", "--out", "a.txt"]), sentence);
}

#[test]
fn closed_output_is_not_a_failure() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = program(&["help", "simulate"]).stdout(writer).output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(output.status.code(), Some(0));
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
        let kept: &[&str] = match command {
            _ if cfg!(not(feature = "saves")) => &[],
            "play" => &["--data", "--slot", "--load"],
            _ => &["--data", "--save", "--every", "--load"],
        };
        assert!(kept.iter().all(|flag| help.contains(flag)), "one of {kept:?} is missing in:\n{help}");
        assert_eq!(help.contains("--rewind"), command == "play");
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn first_step_that_breaks_an_invariant_ends_the_matches_with_an_exit_code_of_its_own() {
    let file = "# Of a match.\nstashes are no debts: stash.points >= 0\nit is soon over: frame < 40\n";
    let directory = Directory::with("invariants", "match.questions", file);
    let path = directory.0.join("match.questions");
    let path = path.to_str().unwrap();
    let run = |arguments: &[&str]| {
        let output =
            program(&[&["simulate", "--players", "3", "--assert", path], arguments].concat()).output().unwrap();
        (String::from_utf8(output.stderr).unwrap(), output.status.code())
    };
    let broken = "error: seed 8: frame 40 breaks \"it is soon over\" (line 3: frame < 40): frame = 40\n";
    assert_eq!(run(&["--seed", "8", "--ticks", "60"]), (broken.to_owned(), Some(4)));
    assert_eq!(run(&["--seed", "8", "--ticks", "39"]), (String::new(), Some(0)));
    // Of several the first, whichever comes to its end earlier.
    assert_eq!(run(&["--seed", "8", "--ticks", "60", "--matches", "4", "--jobs", "3"]), (broken.to_owned(), Some(4)));

    std::fs::write(path, "fast ones: ghost.left_seconds < 0\nmany: count(colector) > 2\n").unwrap();
    let sentence =
        "line 2: column 7: no component, resource or system is registered as `colector`: `collector` may be meant";
    assert_refused(&mut program(&["simulate", "--assert", path]), &format!("{path}: {sentence}"));
    std::fs::write(path, "no ghosts yet: ghost.left_seconds < 0\n").unwrap();
    let note = "the invariant \"no ghosts yet\" was asked of no entity\n";
    assert_eq!(run(&["--ticks", "20"]), (note.to_owned(), Some(0)));
}

#[test]
fn memory_of_each_match_is_told_beside_the_results() {
    let run = |arguments: &[&str]| {
        let usual = ["simulate", "--players", "3", "--ticks", "50", "--json", "--matches", "2", "--seed", "8"];
        let output = program(&[&usual, arguments].concat()).output().unwrap();
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (without, nothing) = run(&[]);
    let (results, memory) = run(&["--memory"]);
    let hashes = |results: &str| results.split("hash\":").skip(1).map(|rest| rest[..20].to_owned()).collect::<Vec<_>>();
    assert_eq!((hashes(&results), nothing.as_str()), (hashes(&without), ""));
    assert_eq!(hashes(&results).len(), 2, "{results}");
    assert!(memory.starts_with("seed 8: ") && memory.contains("\nseed 9: "), "{memory}");
    assert!(memory.contains("\n  pool Collector: 3, at most 3: values "), "{memory}");
    assert!(memory.contains("\n  buffer of outside: events "), "{memory}");
}

#[test]
fn memory_of_a_hosted_match_is_told_at_its_end() {
    let arguments = ["play", "--host", "127.0.0.1:0", "--headless", "--people", "1", "--players", "3", "--steps", "5"];
    let output = program(&[&arguments[..], &["--memory"]].concat()).output().unwrap();
    let (out, memory) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(output.status.success() && out.contains("confirmed "), "{out} {memory}");
    assert!(memory.contains("\n  pool Collector: 3, at most 3: values "), "{memory}");
}

#[test]
fn invariants_of_any_editor_are_read_and_what_is_no_text_is_refused() {
    let directory = Directory::with("odd_invariants", "match.questions", "");
    let file = directory.0.join("match.questions");
    let path = file.to_str().unwrap();
    for line_end in ["\n", "\r\n", "\r"] {
        std::fs::write(&file, format!("\u{feff}# Of a match.{line_end}it is over: frame < 1{line_end}")).unwrap();
        let output = program(&["simulate", "--players", "2", "--ticks", "5", "--assert", path]).output().unwrap();
        let sentence = String::from_utf8(output.stderr).unwrap();
        assert!(
            sentence.contains("(line 2: frame < 1)") && output.status.code() == Some(4),
            "{line_end:?}: {sentence}"
        );
    }
    let refused = |path: &str, sentence: &str| assert_refused(&mut program(&["simulate", "--assert", path]), sentence);
    std::fs::write(&file, b"\xff\xfea\0").unwrap();
    refused(path, &format!("{path}:1:1: is UTF-16 text, must be UTF-8: save it as UTF-8 in its editor"));
    std::fs::write(&file, vec![b'#'; (1 << 20) + 1]).unwrap();
    refused(path, &format!("{path} has more than 1048576 bytes, the most of invariants: split them"));
    refused("nowhere", "nowhere cannot be read: entity not found");
    #[cfg(unix)]
    refused("/dev/zero", "/dev/zero is no file but a pipe or a device");
}

#[cfg(all(feature = "client", feature = "saves"))]
#[test]
fn match_of_a_day_whose_tries_are_used_is_refused() {
    use std::time::{SystemTime, UNIX_EPOCH};

    use bounty_hunter::daily::Day;

    let directory = Directory::with("used_tries", "nothing", "");
    let folder = directory.0.join("daily");
    std::fs::create_dir_all(&folder).unwrap();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    // Midnight may pass meanwhile.
    for day in [now, now + 60].map(Day::at) {
        (1..=3).for_each(|number| std::fs::write(folder.join(format!("{day}-{number}.replay")), "").unwrap());
    }
    let mut command = program(&["daily", "--frames", "3", "--data", directory.0.to_str().unwrap()]);
    let output = command.output().unwrap();
    let sentence = String::from_utf8(output.stderr).unwrap();
    assert!(
        sentence.contains("all 3 tries of 20") && sentence.ends_with(" are used: come back tomorrow\n"),
        "{sentence}"
    );
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn invariants_change_nothing() {
    let directory = Directory::with(
        "unchanged",
        "match.questions",
        "a: sum(stash.points) >= 0\nb: not changed(transform) or frame > 0\n",
    );
    let path = directory.0.join("match.questions");
    let arguments = ["--players", "4", "--ticks", "200"];
    let asked = simulated(&[&arguments[..], &["--assert", path.to_str().unwrap()]].concat());
    assert_eq!(asked, simulated(&arguments));
}
