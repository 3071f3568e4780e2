//! The tables of limits in the guides have the numbers of the code.

use std::fs;
use std::path::Path;

/// A row of a table by its first cell, the number in it, and the line of the code that sets the number.
type Row = (&'static str, u64, &'static str, &'static str);

const FRAMEWORK: [Row; 24] = [
    ("entities at the same time", (1 << 31) - 2, "ecs/src/entity/slots.rs", "const MOST: usize = (1 << 31) - 2;"),
    ("lives of one index of an entity", 1 << 19, "ecs/src/entity/slots.rs", "const KIND_BITS: u32 = 12;"),
    ("kinds: sets", (1 << 12) - 1, "ecs/src/entity/slots.rs", "const RESERVED: u32 = (1 << KIND_BITS) - 1;"),
    ("types of components", u32::MAX as u64, "ecs/src/event/manager.rs", "expect(\"fewer than 2^32 event types\")"),
    ("priorities of systems", 1 << 16, "ecs/src/system/order.rs", "pub const HIGHEST: Self = Self(u16::MAX);"),
    ("threads", 1024, "ecs/src/thread_pool.rs", "const MAX_THREADS: usize = 1024;"),
    ("bytes reserved for events", 1 << 30, "ecs/src/event/buffer.rs", "const LARGEST_CHUNK: usize = 1 << 30;"),
    ("rounds of a dispatch", 64, "ecs/src/system/executor.rs", "rounds: 64,"),
    ("events that listeners cause", 1 << 24, "ecs/src/system/executor.rs", "caused_events: 1 << 24,"),
    ("runs of one timed system", 1 << 24, "ecs/src/system/timer.rs", "const MOST_RUNS: u128 = 1 << 24;"),
    ("steps of one call", 10_000, "ecs/src/time/step_clock.rs", "const MOST_STEPS: u32 = 10_000;"),
    ("paused states", 8, "ecs/src/system/states.rs", "const MAX_PAUSED: usize = 8;"),
    ("cases of all `Or`s", 64, "ecs/src/query/query_access.rs", "const MOST_CASES: usize = 64;"),
    ("events in a reader", 1 << 20, "ecs/src/event/reader.rs", "const MOST: usize = 1 << 20;"),
    ("systems in a save", 1 << 14, "ecs/src/snapshot/saved/limits.rs", "const MAX_SYSTEMS: usize = 1 << 14;"),
    ("waiting events in a save", 1 << 24, "ecs/src/snapshot/saved/limits.rs", "const MAX_EVENTS: u64 = 1 << 24;"),
    ("streams of random", 1 << 12, "ecs/src/snapshot/saved/limits.rs", "const MAX_STREAMS: usize = 1 << 12;"),
    ("bytes of a watched file", 16 << 20, "ecs/src/prefab/folder.rs", "const MAX_BYTES: u64 = 16 << 20;"),
    ("entities of one prefab", 10_000, "ecs/src/prefab/resolve.rs", "const MAX_ENTITIES: usize = 10_000;"),
    ("values of a file", 20_000, "ecs/src/prefab/ron_edit.rs", "const MAX_PARTS: usize = 20_000;"),
    ("bytes of a question", 1_000, "ecs/src/inspect/question/syntax.rs", "const MAX_BYTES: usize = 1_000;"),
    ("nesting of a question", 50, "ecs/src/inspect/question/syntax.rs", "const MAX_DEPTH: usize = 50;"),
    ("bytes of a request", 1 << 27, "ecs/studio/src/server.rs", "const MAX_REQUEST_BYTES: usize = 1 << 27;"),
    ("connections to the studio", 32, "ecs/studio/src/server.rs", "const MAX_CONNECTIONS: usize = 32;"),
];

const FILES: &str = "bounty_hunter/simulation/src/foreign_file.rs";
const NAMES: &str = "bounty_hunter/simulation/src/data/name.rs";
const LIMITS: &str = "bounty_hunter/simulation/src/data/limits.rs";
const MODES: &str = "bounty_hunter/simulation/src/assets/check_mode.rs";
const LOG_FILE: &str = "bounty_hunter/src/command_line/log_file.rs";

const GAME: [Row; 24] = [
    ("players of a match |", 10_000, LIMITS, "const MAX_PLAYERS: usize = 10_000;"),
    ("people at one screen", 4, "bounty_hunter/simulation/src/gameplay/player.rs", "const MAX_PEOPLE: u8 = 4;"),
    ("members of a match", 8, "bounty_hunter/src/network/packet.rs", "const MAX_MEMBERS: usize = 8;"),
    ("players of a match over", 64, "bounty_hunter/src/network/packet.rs", "const MAX_NETWORK_PLAYERS: u32 = 64;"),
    ("bytes of a datagram", 1_200, "bounty_hunter/src/network/packet.rs", "const MAX_BYTES: usize = 1_200;"),
    (
        "events, intents and",
        2_000_000,
        "bounty_hunter/src/network/timeline.rs",
        "const MAX_RECORDED: usize = 2_000_000;",
    ),
    ("length of a match", 86_400, LIMITS, "const PLAY_SECONDS: [f32; 2] = [0.01, 86_400.0];"),
    ("steps per second", 1_000, LIMITS, "const STEPS_PER_SECOND: Limits = Limits::new(1.0, 1_000.0);"),
    ("threads and jobs", 256, "bounty_hunter/src/command_line/arguments.rs", "const MAX_THREADS: i64 = 256;"),
    ("reactions of a level", 1_000, "bounty_hunter/simulation/src/data/reaction.rs", "MAX_REACTIONS: usize = 1_000;"),
    ("bytes of an asset", 1 << 20, FILES, "Self::Asset | Self::Settings | Self::Invariants => 1 << 20,"),
    ("bytes of a draft", 4 << 20, FILES, "Self::Draft => 4 << 20,"),
    (
        "files of assets",
        1_000,
        "bounty_hunter/simulation/src/assets/asset_editor.rs",
        "const MAX_FILES: usize = 1_000;",
    ),
    ("bytes of a replay", 16 << 20, FILES, "Self::Policy | Self::Replay => 16 << 20,"),
    ("bytes of the state", 256 << 20, FILES, "Self::State => 256 << 20,"),
    ("characters of the name of a player", 16, NAMES, "pub type PlayerName = Name<16>;"),
    ("characters of the name of a save", 64, NAMES, "pub type SaveName = Name<64>;"),
    ("characters of the name of an asset", 100, NAMES, "pub type AssetName = Name<100>;"),
    ("letters of the title", 20, MODES, "const MAX_LETTERS: (usize, usize) = (20, 90);"),
    ("letters of the description", 90, MODES, "const MAX_LETTERS: (usize, usize) = (20, 90);"),
    (
        "letters of a text",
        200,
        "bounty_hunter/simulation/src/assets/check_language.rs",
        "const MAX_LETTERS_OF_A_TEXT: usize = 200;",
    ),
    ("bytes of a log file", 16 << 20, LOG_FILE, "const MOST_BYTES: u64 = 16 << 20;"),
    ("lines of the log", 8_192, LOG_FILE, "const MOST_WAITING: usize = 8_192;"),
    ("steps that the window", 8, "bounty_hunter/src/client/window/clock.rs", "const MAX_STEPS_PER_FRAME: u32 = 8;"),
];

fn text(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A number with a comma before each three digits, as the guides have it.
fn written(number: u64) -> String {
    let digits = number.to_string();
    let mut written = String::new();
    for (place, digit) in digits.char_indices() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            written.push(',');
        }
        written.push(digit);
    }
    written
}

fn check(guide: &str, rows: &[Row]) {
    let page = text(guide);
    for (what, number, file, line) in rows {
        assert!(text(file).contains(line), "{file} has no longer `{line}`: change the row \"{what}\" of {guide}");
        let begin = format!("| {what}");
        let found = page.lines().find(|row| row.starts_with(&begin));
        let cell = found.and_then(|row| row.split('|').nth(2)).map(str::trim);
        let cell = cell.unwrap_or_else(|| panic!("{guide} has no row \"{what}\"")).trim_end_matches(" each");
        assert_eq!(cell, written(*number), "the row \"{what}\" of {guide}");
    }
}

#[test]
fn limits_in_the_guide_of_the_framework_are_those_of_the_code() {
    check("docs/guide/src/limits.md", &FRAMEWORK);
}

#[test]
fn limits_in_the_guide_of_the_game_are_those_of_the_code() {
    check("bounty_hunter/GUIDE.md", &GAME);
}
