//! Saves and results: they survive the end of the program.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use bounty_hunter::assets::Assets;
use bounty_hunter::input::Inputs;
use bounty_hunter::simulation::{MatchSetup, Simulation};
use ecs::snapshot::StateHasher;
use rusqlite::Connection;

use super::run::{Directory, printed, program};

/// The sentence on standard error after bad input.
#[track_caller]
fn refusal(arguments: &[&str]) -> String {
    sentence_with_code(2, arguments)
}

/// The sentence on standard error before an end with this exit code.
#[track_caller]
fn sentence_with_code(code: i32, arguments: &[&str]) -> String {
    let output = program(arguments).output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stdout).unwrap().as_str()), (Some(code), ""));
    let sentence = String::from_utf8(output.stderr).unwrap();
    assert_eq!(sentence.lines().count(), 1, "{sentence}");
    sentence
}

fn json(arguments: &[&str]) -> serde_json::Value {
    serde_json::from_str(&printed(arguments)).unwrap()
}

#[test]
fn saved_match_continues_to_the_same_end() {
    let directory = Directory::new("on_the_way");
    let data = ["--data", directory.name()];
    let whole = json(&["simulate", "--seed", "9", "--players", "5", "--json", "--mode", "spells", "--ticks", "900"]);
    let half = ["simulate", "--seed", "9", "--players", "5", "--mode", "spells", "--ticks", "431", "--save", "half"];
    printed(&[&half[..], &data].concat());
    let rest = json(&[&["simulate", "--load", "half", "--ticks", "900", "--json"][..], &data].concat());
    for field in ["hash", "stashes", "ticks", "seed", "mode", "level", "players", "events"] {
        assert_eq!(rest[field], whole[field], "{field}");
    }
    // Its recording contains the whole match.
    let replay = directory.0.join("whole.replay");
    let replay = replay.to_str().unwrap();
    printed(&[&["simulate", "--load", "half", "--ticks", "900", "--record", replay][..], &data].concat());
    assert!(printed(&["replay", replay, "--verify"]).contains("all 900 steps went the same way"));
}

#[test]
fn finished_match_that_is_saved_has_one_result() {
    let directory = Directory::new("over");
    let data = ["--data", directory.name()];
    let first = json(&[&["simulate", "--players", "2", "--save", "over", "--json"][..], &data].concat());
    let again = json(&[&["simulate", "--load", "over", "--save", "over", "--json"][..], &data].concat());
    for field in ["hash", "ticks", "ending", "events"] {
        assert_eq!(again[field], first[field], "{field}");
    }
    assert_eq!(again["ticks_per_second"], 0.0, "nothing was left to simulate");
    assert_eq!(printed(&[&["results", "--json"][..], &data].concat()).lines().count(), 1);
}

#[test]
fn saves_are_listed_shown_copied_exported_and_deleted() {
    let directory = Directory::new("listed");
    let data = ["--data", directory.name()];
    let with = |arguments: &[&str]| printed(&[arguments, &data].concat());
    assert_eq!(with(&["saves"]), format!("nothing is saved in {}\n", directory.name()));
    assert_eq!(with(&["saves", "--json"]), "");
    with(&["simulate", "--players", "3", "--ticks", "50", "--save", "a"]);
    assert_eq!(with(&["saves", "copy", "a", "b"]), "");
    assert_eq!(json(&[&["saves", "copy", "a", "c", "--json"][..], &data].concat())["name"], "c");
    assert_eq!(with(&["saves", "delete", "c", "--json"]), "{\"deleted\":\"c\"}\n");
    assert_eq!(with(&["saves"]).lines().count(), 3);
    let shown = json(&[&["saves", "show", "b", "--json"][..], &data].concat());
    assert_eq!((&shown["ticks"], &shown["players"], &shown["mode"]), (&50.into(), &3.into(), &"classic".into()));
    let exported = json(&[&["saves", "export", "b"][..], &data].concat());
    assert_eq!(exported["replay"]["about"]["steps"], 50);
    with(&["saves", "delete", "a"]);
    assert!(refusal(&[&["saves", "show", "a"][..], &data].concat()).ends_with("there is no save \"a\", only b\n"));
    let sentence = refusal(&[&["simulate", "--load", "a"][..], &data].concat());
    assert!(sentence.ends_with("there is no save \"a\", only b\n"), "{sentence}");
}

#[test]
fn save_is_asked_and_changed_as_tables() {
    let directory = Directory::new("tables");
    let data = ["--data", directory.name()];
    let run = |arguments: &[&str]| printed(&[arguments, &data].concat());
    let file = directory.0.join("half.sqlite3");
    let file = file.to_str().unwrap();
    run(&["simulate", "--seed", "9", "--players", "5", "--ticks", "900", "--save", "half"]);
    run(&["saves", "export", "half", "--tables", file]);
    assert_eq!(run(&["saves", "import", file, "same"]), "saved as same, places changed: 0\n");
    let tables = Connection::open(file).unwrap();
    assert_eq!(tables.execute("UPDATE stash SET stashed = stashed + 50 WHERE player = 2", []).unwrap(), 1);
    assert_eq!(run(&["saves", "import", file, "richer"]), "saved as richer, places changed: 1\n");
    let replay = directory.0.join("richer.replay");
    let replay = replay.to_str().unwrap();
    let of = |save| json(&[&["simulate", "--load", save, "--ticks", "901", "--json"][..], &data].concat());
    let stashed = |save| of(save)["stashes"][2].as_f64().unwrap();
    assert!((stashed("richer") - stashed("same") - 50.0).abs() < 0.1, "{} and {}", stashed("richer"), stashed("same"));
    assert_eq!(of("same")["hash"], of("half")["hash"]);
    run(&["simulate", "--load", "richer", "--ticks", "1200", "--record", replay]);
    let sentence = "it changes the match by hand before step 901: if you trust who made it, play it with --edits";
    assert!(refusal(&["replay", replay, "--verify"]).contains(sentence));
    assert!(printed(&["replay", replay, "--verify", "--edits"]).contains("all 1200 steps went the same way"));
    // One wrong value, and nothing is saved.
    tables.execute("UPDATE stash SET stashed = 'all'", []).unwrap();
    let refused = refusal(&[&["saves", "import", file, "richer"][..], &data].concat());
    assert!(refused.contains("stash.stashed, row ") && refused.contains("must be a number, not \"all\""), "{refused}");
    assert!(run(&["saves", "--json"]).lines().any(|line| line.contains("richer") && line.contains("901")));
}

#[test]
fn control_characters_in_names_are_not_printed() {
    let directory = Directory::new("escaped");
    let data = ["--data", directory.name()];
    let with = |arguments: &[&str]| printed(&[arguments, &data].concat());
    let name = "\x1b[31mred\n|x";
    let save = |name| [&["simulate", "--players", "2", "--mode", "survival", "--save", name], &data[..]].concat();
    let refused = refusal(&save(name));
    assert!(refused.contains("has the character U+001B") && !refused.contains('\x1b'), "{refused:?}");
    // Another program may have written it all the same.
    printed(&save("red"));
    database(&directory).execute("UPDATE saves SET name = ?1", [name]).unwrap();
    let cleaned = "[31mred|x";
    for command in [&["saves"][..], &["saves", "show", name]] {
        let table = with(command);
        assert!(table.contains(cleaned) && table.lines().count() == 3 && !table.contains('\x1b'), "{table:?}");
        assert!(table.contains("odd: name has the character U+001B"), "{table:?}");
    }
    let sentence = refusal(&[&["saves", "show", "a"][..], &data].concat());
    assert!(sentence.ends_with(&format!("there is no save \"a\", only {cleaned}\n")), "{sentence:?}");
    database(&directory)
        .execute_batch("UPDATE results SET level = 'a\u{9b}b'; UPDATE standings SET name = 'c\td'")
        .unwrap();
    let shown = with(&["results", "show", "1"]);
    assert!(
        shown.contains("odd: level has the character U+009B") && shown.contains("odd: name has the character U+0009")
    );
    assert!(!shown.contains(['\u{9b}', '\t']), "{shown:?}");
    let missing = refusal(&["simulate", "--assets", "\x1b[2J"]);
    assert_eq!(missing, "error: \\u{1b}[2J: no such directory\n");
    let unknown = refusal(&["simulate", "--mode", "\x1b[2J"]);
    assert!(!unknown.contains('\x1b'), "{unknown:?}");
    let argument = refusal(&["--\x1b[2J"]);
    assert!(!argument.contains('\x1b'), "{argument:?}");
}

#[test]
fn results_are_stored_with_replays() {
    let directory = Directory::new("kept");
    let data = ["--data", directory.name()];
    let with = |arguments: &[&str]| printed(&[arguments, &data].concat());
    assert_eq!(with(&["results"]), format!("there are no results in {}\n", directory.name()));
    let played = with(&["simulate", "--matches", "3", "--players", "2", "--mode", "survival", "--json"]);
    let results = with(&["results", "--json"]);
    assert_eq!((played.lines().count(), results.lines().count()), (3, 3));
    let shown = json(&[&["results", "show", "2", "--json"][..], &data].concat());
    assert_eq!((&shown["mode"], &shown["players"], &shown["people"]), (&"survival".into(), &2.into(), &0.into()));
    assert_eq!((shown["standings"].as_array().unwrap().len(), &shown["events"]["GameOver"]), (2, &1.into()));
    let name = shown["standings"][1]["name"].as_str().expect("each AI has a name");
    assert!(with(&["results", "show", "2"]).contains(name));
    let file = directory.0.join("two.replay");
    let written = json(&[&["results", "replay", "2", file.to_str().unwrap(), "--json"][..], &data].concat());
    assert_eq!((&written["id"], written["file"].as_str()), (&2.into(), file.to_str()));
    assert!(printed(&["replay", file.to_str().unwrap(), "--verify"]).contains("went the same way"));
    let exported = json(&[&["results", "export", "2"][..], &data].concat());
    assert_eq!(exported["standings"].as_array().unwrap().len(), 2);
    assert_eq!(exported["replay"]["about"]["mode"], "survival");
    let totals = json(&[&["results", "totals", "--json"][..], &data].concat());
    assert_eq!((&totals["matches"], &totals["modes"]["survival"]), (&3.into(), &3.into()));
    assert_eq!(with(&["results", "delete", "2", "--json"]), "{\"deleted\":2}\n");
    assert_eq!(with(&["results", "--json"]).lines().count(), 2);
    assert!(refusal(&[&["results", "show", "2"][..], &data].concat()).contains("there is no result 2"));
}

/// The database of an archive, opened as another program opens it.
fn database(directory: &Directory) -> Connection {
    Connection::open(directory.0.join("bounty_hunter.sqlite3")).unwrap()
}

#[test]
fn result_with_a_damaged_replay_can_be_shown() {
    let directory = Directory::new("damaged_result");
    let data = ["--data", directory.name()];
    printed(&[&["simulate", "--players", "2", "--mode", "survival"][..], &data].concat());
    database(&directory).execute("UPDATE results SET replay = substr(replay, 1, 100)", []).unwrap();
    let shown = json(&[&["results", "show", "1", "--json"][..], &data].concat());
    let name = shown["standings"][1]["name"].as_str().expect("each AI has a name");
    assert!(printed(&[&["results", "show", "1"][..], &data].concat()).contains(name));
    let sentence = refusal(&[&["results", "export", "1"][..], &data].concat());
    assert!(sentence.contains("the replay of result 1 cannot be played: it ends after 100 of "), "{sentence}");
}

#[test]
fn newer_and_truncated_saves_are_refused() {
    let directory = Directory::new("newer");
    let data = ["--data", directory.name()];
    printed(&[&["simulate", "--players", "2", "--ticks", "9", "--save", "a"][..], &data].concat());
    let refused = |change: &str, end: &str| {
        database(&directory)
            .execute(
                "INSERT OR REPLACE INTO saves SELECT 'b', saved_at, mode, level, seed, players, ticks, \
            version, state, replay FROM saves WHERE name = 'a'",
                [],
            )
            .unwrap();
        database(&directory).execute(&format!("UPDATE saves SET {change} WHERE name = 'b'"), []).unwrap();
        let sentence = refusal(&[&["simulate", "--load", "b"][..], &data].concat());
        assert!(sentence.ends_with(&format!("{end}\n")), "{sentence}");
    };
    refused(
        "state = CAST(substr(state, 1, 8) || x'0900' || substr(state, 11) AS BLOB)",
        "its header is damaged: use another copy",
    );
    // A correct file of a newer format: the number of the format follows eight bytes, and a hash follows the header.
    let load = || -> Vec<u8> {
        database(&directory).query_row("SELECT state FROM saves WHERE name = 'a'", [], |row| row.get(0)).unwrap()
    };
    let mut newer = load();
    newer[8] = 9;
    let header = 14 + u32::from_le_bytes(newer[10..14].try_into().unwrap()) as usize;
    let hash = StateHasher::default().bytes(&newer[..header]).finish();
    newer[header..header + 8].copy_from_slice(&hash.to_le_bytes());
    let digits: String = newer.iter().map(|byte| format!("{byte:02x}")).collect();
    refused(&format!("state = x'{digits}'"), "load it with the program that saved it");
    refused("state = substr(state, 1, 20)", "it ends within its header: use another copy");
    refused("state = substr(state, 1, length(state) - 9)", "use another copy");
    refused("replay = substr(replay, 1, 50)", "bytes");
    database(&directory).pragma_update(None, "user_version", 7).unwrap();
    let sentence = refusal(&[&["simulate", "--load", "a"][..], &data].concat());
    assert!(sentence.contains("a newer version of the game wrote it in format 7"), "{sentence}");
    database(&directory).pragma_update(None, "user_version", 4).unwrap();
    assert!(printed(&[&["simulate", "--load", "a", "--ticks", "20"][..], &data].concat()).contains("20"));
}

#[test]
fn programs_can_save_at_the_same_time() {
    let directory = Directory::new("several");
    let names = ["a", "b", "c", "d"];
    let children = names.map(|name| {
        let save = ["simulate", "--players", "2", "--ticks", "60", "--every", "1", "--save", name];
        let mut command = program(&[&save[..], &["--data", directory.name()]].concat());
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    });
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert_eq!((String::from_utf8(output.stderr).unwrap().as_str(), output.status.code()), ("", Some(0)));
    }
    let lines = printed(&["saves", "--json", "--data", directory.name()]);
    let saves: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(saves.len(), names.len());
    assert!(saves.iter().all(|save| save["ticks"] == 60), "{lines}");
}

#[test]
fn results_of_parallel_matches_are_stored_in_the_order_of_their_seeds() {
    let directory = Directory::new("side_by_side");
    let data = ["--data", directory.name()];
    const MATCHES: u32 = if cfg!(debug_assertions) { 24 } else { 60 };
    let matches = MATCHES.to_string();
    let several =
        ["simulate", "--players", "1", "--mode", "survival", "--matches", &matches, "--jobs", "20", "--seed", "100"];
    printed(&[&several[..], &data].concat());
    let results = printed(&[&["results", "--json"][..], &data].concat());
    let results: Vec<serde_json::Value> = results.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let seeds: Vec<_> = results.iter().rev().map(|result| result["seed"].as_str().unwrap().to_owned()).collect();
    assert_eq!(seeds, (100..100 + MATCHES).map(|seed| seed.to_string()).collect::<Vec<_>>());
}

#[test]
fn locked_database_is_an_error_and_stays_unchanged() {
    let directory = Directory::new("busy");
    let data = ["--data", directory.name()];
    printed(&[&["simulate", "--players", "2", "--ticks", "9", "--save", "a"][..], &data].concat());
    let other = database(&directory);
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let arguments = [&["simulate", "--load", "a", "--ticks", "20", "--save", "a"][..], &data].concat();
    let sentence = sentence_with_code(1, &arguments);
    assert!(sentence.ends_with("another program is writing to it: try again when that has finished\n"), "{sentence}");
    other.execute_batch("COMMIT").unwrap();
    assert_eq!(json(&[&["saves", "show", "a", "--json"][..], &data].concat())["ticks"], 9);
}

/// Runs the program as another user, because root may always write.
#[cfg(target_os = "linux")]
#[test]
fn read_only_directory_is_read_and_unchanged() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;

    const NOBODY: u32 = 65_534;
    let directory = Directory(std::env::temp_dir().join(format!("bounty_hunter_read_only_{}", std::process::id())));
    let data = ["--data", directory.name()];
    printed(&[&["simulate", "--players", "2", "--ticks", "9", "--save", "a"][..], &data].concat());
    let copy = directory.0.join("program");
    fs::copy(env!("CARGO_BIN_EXE_bounty_hunter"), &copy).unwrap();
    let allow = |file: &Path, mode| fs::set_permissions(file, fs::Permissions::from_mode(mode)).unwrap();
    allow(&directory.0.join("bounty_hunter.sqlite3"), 0o444);
    allow(&directory.0, 0o555);
    let run = |arguments: &[&str]| {
        let mut command = Command::new(&copy);
        command.args(arguments).args(data).env_remove("RUST_LOG").stdin(Stdio::null());
        if fs::metadata("/proc/self").unwrap().uid() == 0 {
            command.uid(NOBODY);
        }
        command.output().unwrap()
    };
    let listed = run(&["saves", "--json"]);
    assert_eq!((listed.status.code(), String::from_utf8(listed.stderr).unwrap().as_str()), (Some(0), ""));
    assert!(String::from_utf8(listed.stdout).unwrap().contains("\"name\":\"a\""));
    let replay = directory.0.join("a.replay");
    let replay = replay.to_str().unwrap();
    for (arguments, reason) in [
        (&["simulate", "--load", "a", "--ticks", "20", "--save", "a"][..], "it is read-only: allow writing"),
        (&["saves", "delete", "a"], "it is read-only: allow writing"),
        (&["simulate", "--load", "a", "--ticks", "9", "--record", replay], "Permission denied"),
    ] {
        let output = run(arguments);
        let sentence = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{sentence}");
        assert!(sentence.contains(reason) && sentence.lines().count() == 1, "{sentence}");
    }
    allow(&directory.0, 0o755);
    assert_eq!(json(&[&["saves", "show", "a", "--json"][..], &data].concat())["ticks"], 9);
}

#[test]
fn foreign_file_is_refused_in_one_sentence() {
    let directory = Directory::new("no_archive");
    fs::create_dir_all(&directory.0).unwrap();
    let file = directory.0.join("bounty_hunter.sqlite3");
    fs::write(&file, "nothing that a database begins with, and more than a few bytes of it".repeat(9)).unwrap();
    for arguments in [&["saves"][..], &["results"], &["simulate", "--ticks", "9"]] {
        let sentence = refusal(&[arguments, &["--data", directory.name()]].concat());
        let expected = "it is not a database: move the file away to start a new one";
        assert_eq!(sentence, format!("error: saves and results in {}: {expected}\n", file.display()));
    }
}

/// Kills a match that saves after each step, at random moments, and continues from the last save.
#[test]
fn killed_program_leaves_its_last_finished_save() {
    const KILLS: u64 = if cfg!(debug_assertions) { 50 } else { 200 };
    let directory = Directory::new("killed");
    let data = ["--data", directory.name()];
    let (mut random, mut kept) = (7_u64, Vec::new());
    for kill in 0..KILLS {
        let begin = if kill == 0 { ["--players", "2"] } else { ["--load", "auto"] };
        let mut command = program(&[&["simulate", "--save", "auto", "--every", "1"][..], &begin, &data].concat());
        command.env("RUST_LOG", "bounty_hunter::command_line::archive=debug").stdout(Stdio::null());
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        // The log reports each finished save.
        let mut saved = BufReader::new(child.stderr.take().unwrap()).lines().map(|line| steps_saved(&line.unwrap()));
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let seen = saved.nth((random >> 33) as usize % 8).expect("it saves as long as it lives");
        (0..(random >> 40) % 1_000_000).for_each(|n| _ = std::hint::black_box(n));
        child.kill().unwrap();
        child.wait().unwrap();
        let logged = saved.last().unwrap_or(seen);
        let left = json(&[&["simulate", "--load", "auto", "--ticks", "1", "--json"][..], &data].concat());
        let steps = left["ticks"].as_u64().unwrap();
        // The last save may be finished before it is logged.
        assert!(
            (logged..=logged + 1).contains(&steps),
            "kill {kill}: {steps} steps are saved, and {logged} were logged"
        );
        kept.push((steps, left["hash"].as_str().unwrap().to_owned()));
    }
    // Each save equals the state of an undisturbed match.
    let assets = Assets::built_in();
    let mut simulation = Simulation::new(&assets, &MatchSetup::of_ais(1, 2, &assets.game.ai)).unwrap();
    for (steps, hash) in kept {
        while simulation.tick() < steps {
            simulation.step(&Inputs::none());
        }
        assert_eq!(format!("{:016x}", simulation.state_hash()), hash, "{steps} steps");
    }
}

/// The number of steps of a save, from its line in the log.
fn steps_saved(line: &str) -> u64 {
    let (_, steps) = line.rsplit_once("steps=").unwrap_or_else(|| panic!("{line}"));
    steps.trim().parse().unwrap_or_else(|_| panic!("{line}"))
}
