//! Rules about single files.

use super::Finding;
use super::code::lines_with;
use super::tree::SourceFile;

/// Words that no file may contain in code.
const FORBIDDEN_WORDS: [&str; 7] = ["dbg!", "todo!", "unimplemented!", "#[ignore", "sleep", "static mut", "get_system"];

/// Reminders, which no comment may contain either. They are joined here so that this file does not contain them.
const REMINDERS: [&str; 3] = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")];

/// Names of clocks, threads, files and globals, which the framework and the simulation must not use.
const OUTSIDE: [&str; 12] = [
    "std::fs",
    "std::thread",
    "std::env",
    "std::process",
    "std::net",
    "std::io",
    "Instant",
    "SystemTime",
    "thread_local!",
    "OnceLock",
    "LazyLock",
    "RandomState",
];

/// Exceptions from [`OUTSIDE`]: a file and the name that it may use.
const KNOWN_OUTSIDE: [(&str, &str); 26] = [
    // Starts the threads of an engine.
    ("ecs/src/thread_pool.rs", "std::thread"),
    ("ecs/src/thread_pool/work_queue.rs", "std::thread"),
    // The first read of a list with holes copies it without them; the copy is the same on any thread.
    ("ecs/src/relation/places.rs", "OnceLock"),
    // Asks whether this thread panics.
    ("ecs/src/panic.rs", "std::thread"),
    // Watches a folder during development, outside of the simulation and only with a feature.
    ("ecs/src/prefab/folder.rs", "std::fs"),
    ("ecs/src/prefab/folder.rs", "std::io"),
    ("ecs/src/prefab/folder.rs", "Instant"),
    // Saves use the caller's readers and writers.
    ("ecs/src/engine/saves.rs", "std::io"),
    ("ecs/src/snapshot/saved.rs", "std::io"),
    ("ecs/src/snapshot/saved/error.rs", "std::io"),
    ("ecs/src/snapshot/saved/stream.rs", "std::io"),
    // Reads `--assets DIR` before the simulation starts.
    ("bounty_hunter/simulation/src/assets/asset_editor.rs", "std::fs"),
    ("bounty_hunter/simulation/src/assets/asset_editor.rs", "std::io"),
    ("bounty_hunter/simulation/src/assets/asset_editor/drafts.rs", "std::fs"),
    ("bounty_hunter/simulation/src/assets/asset_editor/drafts.rs", "std::io"),
    ("bounty_hunter/simulation/src/assets/asset_texts.rs", "std::fs"),
    ("bounty_hunter/simulation/src/assets/asset_texts.rs", "std::io"),
    // For the editor, the settings and replays, all outside of the simulation.
    ("bounty_hunter/simulation/src/foreign_file.rs", "std::fs"),
    ("bounty_hunter/simulation/src/foreign_file.rs", "std::io"),
    ("bounty_hunter/simulation/src/whole_file.rs", "std::fs"),
    ("bounty_hunter/simulation/src/whole_file.rs", "std::io"),
    // Carries the datagrams of a match over a network, which the command line opens a socket for.
    ("bounty_hunter/src/network/beacon.rs", "std::net"),
    ("bounty_hunter/src/network/beacon.rs", "std::io"),
    ("bounty_hunter/src/network/transport.rs", "std::net"),
    ("bounty_hunter/src/network/udp.rs", "std::net"),
    ("bounty_hunter/src/network/udp.rs", "std::io"),
];

/// The only file that may name a hash map: it defines a map keyed by type, and no result depends on its iteration
/// order.
const MAP_OF_TYPES: &str = "ecs/src/type_map.rs";

fn found(file: &SourceFile, line: usize, what: &str) -> Finding {
    format!("{}:{line}: {what}", file.path)
}

fn words_in(file: &SourceFile, text: &str, words: &[&str]) -> Vec<Finding> {
    let finding =
        |word: &&str| lines_with(text, word).into_iter().map(|line| found(file, line, word)).collect::<Vec<_>>();
    words.iter().flat_map(finding).collect()
}

/// Whether the file belongs to the headless game.
fn is_of_the_simulation(path: &str) -> bool {
    path.starts_with("bounty_hunter/simulation/src/") || is_part_of(path, "bounty_hunter/src/network")
}

/// Whether the file is a module or in its folder.
fn is_part_of(path: &str, module: &str) -> bool {
    path.strip_prefix(module).is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
}

/// A file is named after its concept.
#[must_use]
pub fn bad_file_name(file: &SourceFile) -> Vec<Finding> {
    let name = file.path.rsplit('/').next().unwrap_or_default();
    let is_bad = ["mod.rs", "utils.rs", "util.rs", "helpers.rs", "helper.rs", "common.rs", "misc.rs"].contains(&name);
    is_bad.then(|| found(file, 1, "a file must be named after its concept")).into_iter().collect()
}

/// A file starts with a `//!` line that describes it.
#[must_use]
pub fn no_front_line(file: &SourceFile) -> Vec<Finding> {
    let begins = file.text.starts_with("//! ");
    (!begins).then(|| found(file, 1, "the first line must describe the file, with //!")).into_iter().collect()
}

/// No `unwrap` outside of tests.
#[must_use]
pub fn unwraps(file: &SourceFile) -> Vec<Finding> {
    words_in(file, &file.shipped, &[".unwrap()"])
}

/// No forbidden words and no reminders.
#[must_use]
pub fn forbidden_everywhere(file: &SourceFile) -> Vec<Finding> {
    let mut findings = words_in(file, &file.code, &FORBIDDEN_WORDS);
    findings.extend(words_in(file, &file.text, &REMINDERS));
    findings
}

/// The framework and the simulation use no clock, file, thread, environment or global, and no hash maps.
#[must_use]
pub fn forbidden_in_the_simulation(file: &SourceFile) -> Vec<Finding> {
    if !(file.path.starts_with("ecs/src/") || is_of_the_simulation(&file.path)) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for word in OUTSIDE {
        if !KNOWN_OUTSIDE.contains(&(file.path.as_str(), word)) {
            findings.extend(words_in(file, &file.shipped, &[word]));
        }
    }
    let knows_a_clock = KNOWN_OUTSIDE.contains(&(file.path.as_str(), "Instant"));
    for (index, line) in file.shipped.lines().enumerate() {
        if !knows_a_clock && line.contains("std::time::") && !line.contains("std::time::Duration") {
            findings.push(found(file, index + 1, "only Duration of std::time is allowed"));
        }
    }
    if file.path != MAP_OF_TYPES {
        findings.extend(words_in(file, &file.shipped, &["HashMap", "HashSet"]));
    }
    findings
}

/// Each error of the framework prints its sentence, also by `Debug`: one macro implements both.
#[must_use]
pub fn errors_without_sentence(file: &SourceFile) -> Vec<Finding> {
    let is_checked = file.path.starts_with("ecs/src/") && file.path != "ecs/src/sentence.rs";
    if is_checked { words_in(file, &file.code, &["std::error::Error for"]) } else { Vec::new() }
}

/// Libraries do not print.
#[must_use]
pub fn printing(file: &SourceFile) -> Vec<Finding> {
    let is_program =
        is_part_of(&file.path, "bounty_hunter/src/command_line") || file.path == "bounty_hunter/src/main.rs";
    let text = if is_program { "" } else { &file.shipped };
    words_in(file, text, &["println!", "print!", "eprintln!", "eprint!"])
}

/// Imports go one way: window and command line → simulation → framework.
#[must_use]
pub fn flat_imports(file: &SourceFile) -> Vec<Finding> {
    if file.path.starts_with("ecs/") {
        return words_in(file, &file.code, &["bounty_hunter"]);
    }
    if !is_of_the_simulation(&file.path) {
        return Vec::new();
    }
    words_in(file, &file.code, &["crate::client", "super::client", "bounty_hunter"])
}

/// The headless game knows no keys, except where it reads the assets.
#[must_use]
pub fn keys_in_the_simulation(file: &SourceFile) -> Vec<Finding> {
    let reads_keys =
        ["assets", "data"].iter().any(|home| is_part_of(&file.path, &format!("bounty_hunter/simulation/src/{home}")));
    match is_of_the_simulation(&file.path) && !reads_keys && file.path != "bounty_hunter/simulation/src/lib.rs" {
        true => words_in(file, &file.code, &["Key", "Keymap", "keymap"]),
        false => Vec::new(),
    }
}

/// A line of a comment has at most 120 characters, except in tables and programs.
#[must_use]
pub fn wide_comments(file: &SourceFile) -> Vec<Finding> {
    let mut is_program = false;
    let mut findings = Vec::new();
    for (line, text) in file.text.lines().enumerate() {
        let Some(comment) = text.trim_start().strip_prefix("//") else {
            is_program = false;
            continue;
        };
        let words = comment.trim_start_matches(['/', '!']).trim_start();
        is_program ^= words.starts_with("```");
        if text.chars().count() > 120 && !is_program && !words.starts_with('|') {
            findings.push(found(file, line + 1, "a comment wider than 120 characters"));
        }
    }
    findings
}

/// Only the physics names rapier2d, and only the window names macroquad.
#[must_use]
pub fn stray_dependency(file: &SourceFile) -> Vec<Finding> {
    let mut findings = Vec::new();
    // The programs of the guide and the template are windows.
    let is_a_window = ["ecs/windows/", "ecs/template/"].iter().any(|folder| file.path.starts_with(folder));
    for (names, home) in [
        (["rapier2d", "parry2d"], "bounty_hunter/simulation/src/physics"),
        (["macroquad", "miniquad"], "bounty_hunter/src/client"),
    ] {
        if !is_a_window && !is_part_of(&file.path, home) {
            findings.extend(words_in(file, &file.code, &names));
        }
    }
    findings
}
