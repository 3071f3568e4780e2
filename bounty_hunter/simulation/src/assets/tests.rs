//! Valid assets load; invalid ones are refused with the place and the remedy.

use std::fs;
use std::path::PathBuf;

use super::*;

const PROFILE: &str = "(
    strategy: First, radar_angle_rad: 2, radar_range_m: 25, avoider_range_m: 18, avoider_half_width_m: 1,
    wander_chance: 0.25, wander_steering: 0.5, target_steering: 1, avoid_steering: 1,
    stash_threshold: 0.8, hurry_home_seconds: 5,
)";

/// The folder from which the built-in set is compiled in.
fn shipped() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets")
}

/// A directory that is gone when the test ends.
struct Directory(PathBuf);

impl Directory {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let path = std::env::temp_dir().join(format!("bounty_hunter_assets_{}_{name}", std::process::id()));
        for (file, text) in files {
            let file = path.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        Self(path)
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

/// The text of a shipped file with its first `from` replaced by `to`.
#[track_caller]
fn shipped_but(file: &str, from: &str, to: &str) -> String {
    let text = fs::read_to_string(shipped().join(file)).unwrap();
    assert!(text.contains(from), "{file} has {from}");
    text.replacen(from, to, 1)
}

/// Loads a directory with only `file`, and returns what is wrong with it, without the name of the directory.
#[track_caller]
fn problem_of(test: &str, file: &str, text: &str) -> String {
    let directory = Directory::new(test, &[(file, text)]);
    let error = Assets::load(&directory.0).expect_err("it must be refused").to_string();
    let prefix = format!("{}/", directory.0.display());
    error.strip_prefix(&prefix).unwrap_or(&error).to_owned()
}

#[test]
fn built_in_assets_are_valid() {
    let assets = Assets::built_in();
    assert!(assets.ai.contains_key("normal"));
}

#[test]
fn every_shipped_file_is_built_in() {
    let built_in = built_in::sources();
    for folder in ["", "prefabs", "ai", "modes", "levels"] {
        for entry in fs::read_dir(shipped().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "ron") {
                let name = Path::new(folder).join(path.file_name().unwrap());
                let mut found = built_in.paths().filter(|built_in| name == Path::new(built_in));
                assert!(found.next().is_some(), "{} is not on the list in built_in.rs", name.display());
            }
        }
    }
    assert_eq!(Assets::load(&shipped()), Ok(Assets::built_in()));
}

#[test]
fn a_directory_replaces_file_by_file_and_adds_profiles() {
    let wall = r#"{
        "wall": (components: { "game object": (kind: Wall), "body": (category: Default, mobility: Fixed) }),
        "edge": (components: {
            "edge": (gap_m: 7, half_thickness_m: 2), // short
            "body": (category: Wall, mobility: Fixed),
            "game object": (kind: Wall),
        }),
    }"#;
    let mine = r#"{ "my rock": (like: "rock") }"#;
    let directory = Directory::new(
        "replace",
        &[
            ("ai/normal.ron", PROFILE),
            ("ai/calm.ron", PROFILE),
            ("prefabs/wall.ron", wall),
            ("prefabs/my_rock.ron", mine),
            ("sound.wav", "?"),
        ],
    );
    let assets = Assets::load(&directory.0).unwrap();
    let edge = assets.prefabs.component::<crate::objects::wall::Edge>("edge").unwrap();
    assert_eq!((edge.gap_m, edge.half_thickness_m), (7.0, 2.0));
    let names: Vec<&str> = assets.prefabs.names().collect();
    assert!(names.contains(&"my rock") && names.contains(&"rock"), "{names:?}");

    let mut expected = Assets::built_in();
    expected.prefabs = assets.prefabs.clone();
    let profile: AiProfile = ron::from_str(PROFILE).unwrap();
    expected.ai.insert("normal".to_owned(), profile.clone());
    expected.ai.insert("calm".to_owned(), profile);
    assert_eq!(assets, expected);
}

#[test]
fn no_number_of_any_file_escapes_the_checks() {
    let mut numbers = 0;
    for file in built_in::sources().paths() {
        let text = fs::read_to_string(shipped().join(file)).unwrap();
        for (index, line) in text.lines().enumerate() {
            let Some((field, value)) = line.split_once(':') else { continue };
            let is_number =
                value.trim_start().starts_with(|c: char| c.is_ascii_digit() || c == '(') && value.contains('.');
            if line.trim_start().starts_with("//") || !is_number {
                continue;
            }
            let broken = value.split_once('.').map(|(before, _)| before.trim_end_matches(|c: char| c.is_ascii_digit()));
            let rest = value.split_once('.').unwrap().1.trim_start_matches(|c: char| c.is_ascii_digit());
            let broken_line = format!("{field}:{}NaN{rest}", broken.unwrap());
            let problem = problem_of("numbers", file, &text.replacen(line, &broken_line, 1));
            assert!(problem.starts_with(&format!("{file}:{}:", index + 1)), "{problem}");
            assert!(problem.contains("is NaN, must be a finite number"), "{problem}");
            numbers += 1;
        }
    }
    assert!(numbers >= 29, "only {numbers} numbers were tried");
}

/// `game.ron` with rule sets switched on: its text, with each `None` replaced by the example in the comments above it.
fn with_rule_sets() -> String {
    let text = fs::read_to_string(shipped().join("game.ron")).unwrap();
    let is_shown = |line: &str| line.trim_start().starts_with("// ") && line.contains(": Some((");
    let (mut result, mut shows) = (String::new(), false);
    for line in text.lines() {
        shows |= is_shown(line);
        let shown = line.trim_start().strip_prefix("//").filter(|_| shows);
        shows &= line.trim_start() != "// )),";
        let is_off = line.trim_end().ends_with(": None,");
        result += if is_off { "" } else { shown.unwrap_or(line) };
        result.push('\n');
    }
    result
}

#[test]
fn rule_sets_are_off_and_the_comments_show_how_they_are_switched_on() {
    let classic = Assets::built_in().game.rules;
    assert_eq!((classic.power_ups, classic.spells, classic.health, classic.hunger), (None, None, None, None));
    assert_eq!((classic.chain, classic.crown, classic.gold_rush, classic.teams), (None, None, None, None));
    let directory = Directory::new("rule_sets", &[("game.ron", &with_rule_sets())]);
    let rules = Assets::load(&directory.0).unwrap().game.rules;
    assert!(rules.power_ups.is_some() && rules.spells.is_some() && rules.health.is_some() && rules.hunger.is_some());
    assert!(rules.chain.is_some() && rules.crown.is_some() && rules.gold_rush.is_some() && rules.teams.is_some());
}

#[test]
fn rule_sets_that_a_file_does_not_mention_are_off() {
    let directory = Directory::new(
        "silent",
        &[(
            "game.ron",
            &shipped_but("game.ron", "        power_ups: None,\n", "")
                .replace("        spells: None,\n", "")
                .replace("        health: None,\n", "")
                .replace("        hunger: None,\n", "")
                .replace("        chain: None,\n", "")
                .replace("        crown: None,\n", "")
                .replace("        gold_rush: None,\n", "")
                .replace("        teams: None,\n", ""),
        )],
    );
    assert_eq!(Assets::load(&directory.0), Ok(Assets::built_in()));
}

#[test]
fn numbers_of_rule_sets_are_checked() {
    let text = with_rule_sets();
    for (set, from, value, remedy) in [
        ("power_ups", "power_ups_per_player: 0.2", "-1", "must not be negative"),
        ("power_ups", "least_power_ups: 2", "10001", "must be at most 10000"),
        ("spells", "purge_cooldown_seconds: 30.0", "0", "must be positive"),
        ("spells", "strike_cooldown_seconds: 45.0", "-1", "must be positive"),
        ("spells", "magnet_cooldown_seconds: 20.0", "1000000000", "must be at most 86400"),
        ("spells", "magnet_seconds: 5.0", "0", "must be positive"),
        ("spells", "magnet_range_m: 30.0", "0.001", "must be at least 0.01"),
        ("spells", "magnet_speed_mps: 12.0", "2000", "must be at most 1000"),
        ("health", "most_health: 100.0", "0", "must be positive"),
        ("health", "damage: 35.0", "-1", "must be positive"),
        ("health", "grace_seconds: 0.6", "-1", "must not be negative"),
        ("chain", "growth_share: 0.1", "2", "must be at most 1"),
        ("chain", "most_links: 10", "1001", "must be at most 1000"),
        ("chain", "near_miss_m: 4.5", "0", "must be positive"),
        ("chain", "near_miss_mps: 20.0", "-1", "must not be negative"),
        ("chain", "spill_share: 0.6", "2", "must be at most 1"),
        ("chain", "spilled_bounties: 4", "11", "must be at most 10"),
        ("chain", "spilled_points: 12.0", "0", "must be positive"),
        ("crown", "reward_share: 0.5", "-1", "must not be negative"),
        ("gold_rush", "announce_seconds: 4.0", "-1", "must not be negative"),
        ("gold_rush", "region_share: 0.6", "2", "must be at most 1"),
        ("gold_rush", "speed_mps: 8.0", "2000", "must be at most 1000"),
        ("gold_rush", "most_turn_radps: 0.5", "200", "must be at most 100"),
        ("gold_rush", "spilled_bounties: 6", "11", "must be at most 10"),
        ("gold_rush", "spilled_points: 15.0", "0", "must be positive"),
        ("teams", "players_per_team: 2", "1", "must be at least 2"),
        ("teams", "players_per_team: 2", "101", "must be at most 100"),
    ] {
        let field = from.split(':').next().unwrap();
        let expected = format!("`rules.{set}.{field}` is refused: it is {value}, {remedy}");
        assert_problem_of_rule_sets(&text, from, &format!("{field}: {value}"), field.len() + 2, &expected);
    }
    for (value, problem) in [
        ("(0.0, 20.0)", "the lower end is 0, must be positive"),
        ("(5.0, 100000.0)", "the upper end is 100000, must be at most 86400"),
        ("(5.0, 1e39)", "the upper end is too large a number, must be at most 86400"),
        ("(-1e400, 20.0)", "the lower end is too small a number, must be positive"),
        ("(20.0, 5.0)", "it is (20, 5), must be (least, most)"),
    ] {
        let expected = format!("`rules.hunger.starve_seconds` is refused: {problem}");
        let to = format!("starve_seconds: {value}");
        assert_problem_of_rule_sets(&text, "starve_seconds: (5.0, 20.0)", &to, "starve_seconds: ".len(), &expected);
    }
}

#[test]
fn habits_are_checked() {
    for (from, to, expected) in [
        ("load_factor: 1.3", "load_factor: 11", "`habits` is refused: it is 11, must be at most 10"),
        ("\"Ada\"", "\"\"", "the name \"\" has 0 characters, must have 1 to 16"),
        ("\"Wolf\"", "\"Ada\"", "the name \"Ada\" occurs twice in habits"),
    ] {
        let problem = problem_of("habits", "game.ron", &shipped_but("game.ron", from, to));
        assert!(problem.ends_with(expected), "{problem}");
    }
    let names: Vec<String> = (0..101).map(|number| format!("\"A{number}\"")).collect();
    let problem = problem_of("habits", "game.ron", &shipped_but("game.ron", "\"Ada\"", &names.join(", ")));
    assert!(problem.ends_with("names has 110 entries, must have at most 100"), "{problem}");
}

#[test]
fn the_prefab_of_power_ups_must_exist() {
    let known: Vec<String> = Assets::built_in().prefabs.names().map(str::to_owned).collect();
    let expected = format!("there is no prefab \"boo\", there are {}", known.join(", "));
    assert_problem_of_rule_sets(
        &with_rule_sets(),
        "prefabs: [\"ghost power-up\"",
        "prefabs: [\"boo\"",
        "prefabs: [".len(),
        &expected,
    );
}

/// Replaces `from` by `to` in `text`; asserts that the problem is at byte `offset` of `to`, with the message
/// `expected`.
#[track_caller]
fn assert_problem_of_rule_sets(text: &str, from: &str, to: &str, offset: usize, expected: &str) {
    assert!(text.contains(from), "{from}");
    let broken = text.replacen(from, to, 1);
    let (line, column) = broken.lines().zip(1..).find_map(|(line, number)| Some((number, line.find(to)?))).unwrap();
    let place = format!("game.ron:{line}:{}", column + 1 + offset);
    assert_eq!(problem_of("rule_sets_off", "game.ron", &broken), format!("{place}: {expected}"));
}

#[test]
fn a_keymap_needs_people() {
    let text = fs::read_to_string(shipped().join("keymap.ron")).unwrap();
    let (before, rest) = text.split_once("people: [").unwrap();
    let (_, after) = rest.split_once("\n    ],").unwrap();
    let problem = problem_of("keymap", "keymap.ron", &format!("{before}people: [],{after}"));
    assert_eq!(problem, "keymap.ron:9:5: people has 0 entries, must have 1 to 4");
}

#[test]
fn unknown_files_and_unreadable_ones_are_named() {
    assert_eq!(
        problem_of("stray", "gane.ron", "()"),
        "gane.ron: unknown asset file, must be one of game.ron, keymap.ron, sounds.ron: `game.ron` may be meant"
    );
    assert_eq!(problem_of("stray", "game.ron/file", ""), "game.ron: cannot be read: is a directory");

    let directory = Directory::new("latin", &[("readme", "")]);
    fs::write(directory.0.join("game.ron"), b"(\n// Gr\xf6\xdfe").unwrap();
    let error = Assets::load(&directory.0).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("{}/game.ron:2:6: is not UTF-8 text: save it as UTF-8 in its editor", directory.0.display())
    );
    assert_eq!(error.line_and_column(), Some((2, 6)));
}

#[test]
fn files_of_other_editors_are_the_same_assets() {
    let built_in = Assets::built_in();
    for (name, mark, line_end) in
        [("crlf", "", "\r\n"), ("cr", "", "\r"), ("mark", "\u{feff}", "\n"), ("both", "\u{feff}", "\r\n")]
    {
        let sources = built_in::sources();
        let stored = |path| mark.to_owned() + &sources.get(path).unwrap().text().replace('\n', line_end);
        let files: Vec<(&str, String)> = sources.paths().map(|path| (path, stored(path))).collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, &**text)).collect();
        let directory = Directory::new(name, &files);
        assert_eq!(Assets::load(&directory.0).unwrap(), built_in, "{name}");
        assert_eq!(Assets::with_texts(files).unwrap(), built_in, "{name}");
    }
}

#[test]
fn files_that_editors_and_systems_leave_are_no_assets() {
    let directory = Directory::new(
        "left_behind",
        &[
            ("prefabs/.#wall.ron", "{"),
            ("prefabs/._wall.ron", "\0\u{5}\u{16}"),
            ("prefabs/wall.ron~", "{"),
            ("prefabs/#wall.ron#", "{"),
            ("prefabs/.wall.ron.swp", "{"),
            ("prefabs/wall.ron.swp", "{"),
            ("prefabs/4913", "{"),
            ("prefabs/wall.ron.tmp", "{"),
            ("prefabs/wall.ron.part", "{"),
            ("levels/~$arena.ron", "{"),
            ("levels/.DS_Store", "{"),
            (".game.ron", "{"),
            (".git/levels.ron", "{"),
            ("Thumbs.db", "{"),
            ("levels/desktop.ini", "{"),
            ("levels/arena.ron.orig", "{"),
            ("notes.txt", "{"),
            ("pictures/arena.png", ""),
            ("README.md", ""),
        ],
    );
    #[cfg(unix)]
    std::os::unix::fs::symlink("somebody@somewhere.1:2", directory.0.join("prefabs/.#stash.ron")).unwrap();
    assert_eq!(Assets::load(&directory.0), Ok(Assets::built_in()));
    // A link that an author made leads nowhere: it is named.
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("nowhere.ron", directory.0.join("prefabs/stash.ron")).unwrap();
        let error = Assets::load(&directory.0).unwrap_err().to_string();
        assert!(error.ends_with("prefabs/stash.ron: is a link that leads nowhere"), "{error}");
        std::os::unix::fs::symlink("nowhere", directory.0.join("modes")).unwrap();
        fs::remove_file(directory.0.join("prefabs/stash.ron")).unwrap();
        let error = Assets::load(&directory.0).unwrap_err().to_string();
        assert!(error.ends_with("/modes: is a link that leads nowhere"), "{error}");
    }
}

#[test]
fn files_have_a_limit_of_bytes() {
    let blanks = " ".repeat(1 << 20);
    let problem = problem_of("large", "levels/mine.ron", &(blanks + "()"));
    assert_eq!(problem, "levels/mine.ron: has more than 1048576 bytes, the most of an asset: split it");
}

#[test]
fn misspelt_paths_of_texts_are_named_as_those_of_files() {
    for (path, problem) in [
        ("prefab/wall.ron", "unknown folder of assets, `prefabs/` may be meant"),
        ("level/mine.ron", "unknown folder of assets, `levels/` may be meant"),
        ("levels/mine.txt", "the name of an asset file must end in .ron, and begin with a letter or a digit"),
        ("levels/.mine.ron", "the name of an asset file must end in .ron, and begin with a letter or a digit"),
        ("levels/mine .ron", "the name of an asset file has a blank at its end: rename it"),
        ("modes/Classic.ron", "differs from `modes/classic.ron` only in the case of its letters: use the same"),
        (
            "keymaps.ron",
            "unknown asset file, must be one of game.ron, keymap.ron, sounds.ron: `keymap.ron` may be meant",
        ),
    ] {
        let error = Assets::with_texts([(path, "()")]).unwrap_err().to_string();
        assert_eq!(error, format!("{path}: {problem}"));
    }
}

#[test]
fn four_ais_are_levels_and_assets_without_them_offer_all() {
    let mut assets = Assets::built_in();
    assert_eq!(assets.ai_levels(), ["easy", "normal", "hard", "learned"]);
    assert!(assets.check_ai("greedy").is_ok() && assets.check_ai("learned").is_ok());
    let refusal = assets.check_ai("gredy").unwrap_err().to_string();
    assert!(refusal.starts_with("there is no AI profile \"gredy\", there are balanced, circling, easy, "), "{refusal}");
    assert!(refusal.ends_with(": `greedy` may be meant"), "{refusal}");
    assets.policies.clear();
    assert_eq!(assets.ai_levels(), ["easy", "normal", "hard"]);
    assets.ai.retain(|name, _| name == "greedy" || name == "first");
    assert_eq!(assets.ai_levels(), ["first", "greedy"]);
}

#[test]
fn a_directory_must_exist_and_be_one() {
    let error = Assets::load(Path::new("no/such/place")).unwrap_err();
    assert_eq!(error.to_string(), "no/such/place: no such directory");
    let directory = Directory::new("file", &[("prefabs", "")]);
    let error = Assets::load(&directory.0).unwrap_err();
    assert_eq!(error.to_string(), format!("{}/prefabs: cannot be read: not a directory", directory.0.display()));
}

#[test]
fn cut_or_garbled_files_are_refused_with_a_place_in_them() {
    let places = std::env::var("GARBLED_PLACES").map_or(20, |number| number.parse().expect("it is a number"));
    for changed in built_in::sources().paths() {
        let text = fs::read_to_string(shipped().join(changed)).unwrap();
        let lines = text.lines().count();
        // Long files repeat themselves: a policy is thousands of numbers. `.ci/deep tests_optimised` tries more places.
        for (at, _) in text.char_indices().step_by(23.max(text.len() / places)) {
            for garbled in [text[..at].to_owned(), format!("{}§\"({}", &text[..at], &text[at..])] {
                let mut sources = built_in::sources();
                sources.replace(changed, RonText::new("it", garbled.as_str())).unwrap();
                let Err(error) = Assets::from_texts(&sources) else { continue };
                let (line, column) = error.line_and_column().expect("every mistake in a text has a place");
                assert!((1..=lines + 1).contains(&line) && column >= 1, "{error} in {garbled}");
                assert!(!error.to_string().contains('\n'), "{error:?}");
            }
        }
    }
}
