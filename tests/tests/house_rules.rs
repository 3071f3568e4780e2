//! The house rules, checked in the whole tree; and for each rule an example that breaks it.

use tests::house::{
    Finding, SourceFile, Tree, UNSAFE_FILES, arrows_between_modules, arrows_not_down, bad_file_name,
    circles_across_folders, errors_without_sentence, flat_imports, forbidden_everywhere, forbidden_in_the_simulation,
    keys_in_the_simulation, layers, methods_without_example, missing_paths, no_front_line, numbers_without_units,
    prelude_types, printing, stray_dependency, top_modules, unsafe_code, unwraps, wide_comments,
};

type Rule = fn(&SourceFile) -> Vec<Finding>;

/// The path and the text of a file.
type Example = (&'static str, &'static str);

const WIDE_COMMENT: &str = concat!(
    "/// It is about sixty characters wide, so that two of it ",
    "are one hundred and twenty, and then there is a word more: this."
);
const WIDE_TABLE: &str = concat!(
    "//! | is about sixty characters wide, so that two of it ",
    "are one hundred and twenty, and then there is a word more: this. |"
);

/// Each rule with a file that breaks it and a similar one that keeps it.
#[rustfmt::skip]
const RULES: [(&str, Rule, Example, Example); 27] = [
    ("name of a file", bad_file_name, ("ecs/src/event/mod.rs", ""), ("ecs/src/event/mode.rs", "")),
    ("name of a concept", bad_file_name, ("bounty_hunter/src/utils.rs", ""), ("bounty_hunter/simulation/src/gameplay/rules.rs", "")),
    ("first line", no_front_line, ("ecs/src/a.rs", "use x;\n//! Late."), ("ecs/src/a.rs", "//! Early.")),
    ("unwrap", unwraps, ("ecs/src/a.rs", "fn a() { b.unwrap(); }"), ("ecs/src/a.rs", "// b.unwrap()\n#[cfg(test)]\nmod t { fn a() { b.unwrap(); } }")),
    ("unwrap in the client", unwraps, ("bounty_hunter/src/client/a.rs", "fn a() { b.unwrap(); }"), ("bounty_hunter/tests/a.rs", "fn a() { b.unwrap(); }")),
    ("dbg", forbidden_everywhere, ("tests/tests/a.rs", "fn a() { dbg!(1); }"), ("tests/tests/a.rs", "fn a() { \"dbg!\" }")),
    ("ignored test", forbidden_everywhere, ("ecs/tests/a.rs", "#[ignore = \"slow\"]"), ("ecs/tests/a.rs", "// #[ignore]")),
    ("sleeping", forbidden_everywhere, ("ecs/tests/a.rs", "std::thread::sleep(x)"), ("ecs/tests/a.rs", "let asleep = 1;")),
    ("reminder", forbidden_everywhere, ("ecs/src/a.rs", concat!("// TO", "DO: later")), ("ecs/src/a.rs", "// to do is to be")),
    ("static mut", forbidden_everywhere, ("ecs/src/a.rs", "static mut A: u8 = 1;"), ("ecs/src/a.rs", "fn a(b: &'static mut u8) {}")),
    ("clock", forbidden_in_the_simulation, ("ecs/src/a.rs", "use std::time::Instant;"), ("ecs/src/a.rs", "use std::time::Duration;")),
    ("clock by its path", forbidden_in_the_simulation, ("bounty_hunter/simulation/src/gameplay/rules.rs", "std::time::UNIX_EPOCH"), ("bounty_hunter/src/client/clock.rs", "std::time::UNIX_EPOCH")),
    ("file", forbidden_in_the_simulation, ("bounty_hunter/simulation/src/gameplay/rules.rs", "use std::fs;"), ("bounty_hunter/simulation/src/assets/asset_texts.rs", "use std::fs;")),
    ("thread", forbidden_in_the_simulation, ("bounty_hunter/simulation/src/ai/brain.rs", "std::thread::spawn(x)"), ("tests/tests/a.rs", "std::thread::spawn(x)")),
    ("environment", forbidden_in_the_simulation, ("ecs/src/a.rs", "std::env::var(x)"), ("bounty_hunter/src/command_line/log.rs", "std::env::var(x)")),
    ("order of hashes", forbidden_in_the_simulation, ("bounty_hunter/simulation/src/a.rs", "use std::collections::HashMap;"), ("bounty_hunter/simulation/src/a.rs", "use std::collections::BTreeMap;")),
    ("global", forbidden_in_the_simulation, ("ecs/src/a.rs", "static A: OnceLock<u8>;"), ("ecs/src/a.rs", "const A: u8 = 1;")),
    ("sentence of an error", errors_without_sentence, ("ecs/src/a.rs", "impl std::error::Error for A {}"), ("ecs/src/sentence.rs", "impl std::error::Error for $error {}")),
    ("printing", printing, ("ecs/src/a.rs", "println!()"), ("ecs/src/a.rs", "//! println!()")),
    ("printing in the window", printing, ("bounty_hunter/src/client/hud.rs", "eprintln!()"), ("bounty_hunter/src/command_line/report.rs", "eprintln!()")),
    ("framework that names the game", flat_imports, ("ecs/src/a.rs", "use bounty_hunter::x;"), ("tests/src/a.rs", "use bounty_hunter::x;")),
    ("simulation that names the window", flat_imports, ("bounty_hunter/simulation/src/gameplay/rules.rs", "use bounty_hunter::client::x;"), ("bounty_hunter/src/command_line/play.rs", "use crate::client::x;")),
    ("rapier outside of the physics", stray_dependency, ("bounty_hunter/simulation/src/gameplay/rules.rs", "use rapier2d::x;"), ("bounty_hunter/simulation/src/physics/a.rs", "use rapier2d::x;")),
    ("macroquad outside of the window", stray_dependency, ("bounty_hunter/simulation/src/simulation.rs", "use macroquad::x;"), ("bounty_hunter/src/client.rs", "use macroquad::x;")),
    ("keys in the simulation", keys_in_the_simulation, ("bounty_hunter/simulation/src/control/a.rs", "use crate::data::keymap::Key;"), ("bounty_hunter/src/client/a.rs", "use crate::data::keymap::Key;")),
    ("wide comment", wide_comments, ("ecs/src/a.rs", WIDE_COMMENT), ("ecs/src/a.rs", WIDE_TABLE)),
    ("unsafe off the list", unsafe_code, ("bounty_hunter/simulation/src/gameplay/rules.rs", "unsafe { x }"), ("bounty_hunter/simulation/src/gameplay/rules.rs", "#![deny(unsafe_code)]")),
];

fn assert_none(rule: &str, findings: &[Finding]) {
    assert!(findings.is_empty(), "{rule}:\n{}", findings.join("\n"));
}

#[test]
fn workspace_keeps_the_rules() {
    let tree = Tree::of_this_workspace();
    assert!(tree.sources.len() > 150, "{} files", tree.sources.len());
    for (name, rule, ..) in RULES {
        assert_none(name, &tree.check(rule));
    }
    assert_none("unsafe code", &tree.check(unsafe_code));
}

/// A circle within a folder is a matter of that folder; one that leaves it ties the folders together.
#[test]
fn no_circle_of_imports_leaves_a_folder() {
    let tree = Tree::of_this_workspace();
    for root in ["bounty_hunter/src", "bounty_hunter/simulation/src", "ecs/studio/src", "tests/src"] {
        let circles = circles_across_folders(&tree.sources, root);
        let listed: Vec<String> =
            circles.iter().map(|circle| format!("{} files: {}", circle.len(), circle.join(", "))).collect();
        assert!(circles.is_empty(), "circles of imports:\n{}", listed.join("\n"));
    }
}

/// As the framework reads from the bottom up, each of its modules knows only modules of lower layers.
#[test]
fn modules_of_the_framework_know_only_lower_layers() {
    let tree = Tree::of_this_workspace();
    let architecture = std::fs::read_to_string(tree.top.join("ARCHITECTURE.md")).unwrap();
    let layers = layers(&architecture, "## Layers of the framework");
    let (mut listed, modules) = (layers.concat(), top_modules(&tree.sources, "ecs/src"));
    listed.sort();
    assert_eq!(listed, modules.into_iter().collect::<Vec<_>>(), "ARCHITECTURE.md lists each module once");
    let arrows = arrows_between_modules(&tree.sources, "ecs/src");
    assert!(arrows.len() > 500, "{} places", arrows.len());
    assert_none("arrows that do not run down the layers", &arrows_not_down(&arrows, &layers));
}

#[test]
fn each_rule_finds_its_violation_and_nothing_else() {
    for (name, rule, (path, broken), (good_path, kept)) in RULES {
        assert_eq!(rule(&SourceFile::new(path, broken)).len().min(1), 1, "{name} is not found");
        assert_none(name, &rule(&SourceFile::new(good_path, kept)));
    }
}

#[test]
fn unsafe_code_without_a_reason_is_found() {
    let listed = |text: &str| unsafe_code(&SourceFile::new(UNSAFE_FILES[0], text)).len();
    assert_eq!(listed("// SAFETY: it is.\nunsafe { x }"), 0);
    assert_eq!(listed("unsafe { x }"), 1);
    assert_eq!(listed("unsafe impl Send for X {}"), 1);
    assert_eq!(listed("// SAFETY: it is.\n\n\n\n\n\n\nunsafe { x }"), 1);
    assert_eq!(listed("/// # Safety\n/// Be careful.\nunsafe fn x() {}"), 0);
    let off_the_list = SourceFile::new("bounty_hunter/simulation/src/gameplay/rules.rs", "#![allow(unsafe_code)]");
    assert_eq!(unsafe_code(&off_the_list).len(), 1);
    assert_eq!(listed("fn x() {}"), 1, "a listed file without unsafe code");
}

#[test]
fn test_files_are_told_from_shipped_ones() {
    let tree = Tree::of_this_workspace();
    let shipped = |path: &str| {
        let file = tree.sources.iter().find(|file| file.path == path).expect("there is such a file");
        !file.shipped.trim().is_empty()
    };
    assert!(
        shipped("bounty_hunter/simulation/src/gameplay/rules.rs")
            && shipped("ecs/src/component/pool.rs")
            && shipped("ecs/src/lib.rs")
    );
    assert!(
        !shipped("bounty_hunter/simulation/src/physics/world_tests.rs")
            && !shipped("ecs/src/thread_pool/loom_tests.rs")
    );
    assert!(!shipped("tests/tests/house_rules.rs"));
}

#[test]
fn framework_depends_on_little() {
    let tree = Tree::of_this_workspace();
    let (_, manifest) = &tree.files("ecs", "toml")[0];
    let dependencies = manifest.split("[dependencies]").nth(1).and_then(|rest| rest.split("\n[").next());
    let names: Vec<&str> = dependencies
        .expect("the manifest lists dependencies")
        .lines()
        .filter_map(|line| line.split(['.', ' ', '=']).next())
        .filter(|name| !name.is_empty() && !name.starts_with('#'))
        .collect();
    assert!(names.contains(&"slotmap"), "{names:?}");
    for name in names {
        let allowed = ["slotmap", "bumpalo", "tracing", "serde", "atomic_refcell", "smallvec"];
        // For optional features: prefabs, watched folders, saves, inspectors, derives and hashes of its types.
        let optional = ["ron", "notify", "postcard", "erased-serde", "lockstep_ecs_derive", "glam"];
        let is_optional = manifest.lines().any(|line| line.starts_with(name) && line.contains("optional = true"));
        let is_allowed = allowed.contains(&name) || optional.contains(&name) && is_optional;
        assert!(is_allowed, "ecs depends on {name}");
    }
}

#[test]
fn documents_name_paths_that_exist() {
    let tree = Tree::of_this_workspace();
    let at_the_top =
        ["README.md", "ARCHITECTURE.md", "BENCHMARKS.md", "CHANGELOG.md", "CONTRIBUTING.md"].map(String::from);
    let below = ["docs", "bounty_hunter", "ecs"].iter().flat_map(|folder| tree.files(folder, "md"));
    for document in at_the_top.into_iter().chain(below.map(|(path, _)| path)) {
        let text = std::fs::read_to_string(tree.top.join(&document)).unwrap();
        assert_none(&document, &missing_paths(&document, &text, &tree.top));
    }
}

#[test]
fn missing_path_in_a_document_is_found() {
    let tree = Tree::of_this_workspace();
    let missing = |text: &str| missing_paths("README.md", text, &tree.top).len();
    assert_eq!(
        missing("See `ecs/src/engine.rs`, `simulation/schedule.rs`, `assets/` and `objects/game_object.rs`."),
        0
    );
    assert_eq!(missing("See `ecs/src/motor.rs` and `client/nowhere.rs`."), 2);
    assert_eq!(
        missing("Call `engine.update(dt)`, or `cargo run --release -p bounty_hunter`, or `GameState::Running`."),
        0
    );
    assert_eq!(missing("```\n`made/up.rs`\n```\n"), 0, "listings are examples");
    assert_eq!(
        missing("See [the guide](docs/guide/src/introduction.md#start) and [the web](https://example.org/x.md)."),
        0
    );
    assert_eq!(missing("See [the guide](docs/guide/introduction.md) and ![a picture](assets/pictures/none.png)."), 2);
}

#[test]
fn summary_of_the_guide_lists_every_page_once() {
    let tree = Tree::of_this_workspace();
    let folder = tree.top.join("docs/guide/src");
    let summary = std::fs::read_to_string(folder.join("SUMMARY.md")).unwrap();
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let times = summary.matches(&format!("({name})")).count();
        assert_eq!(times, usize::from(name != "SUMMARY.md"), "SUMMARY.md lists {name} {times} times");
    }
}

/// The programs of the page are built and run; what the page shows of them must be theirs, apart from the indentation.
#[test]
fn code_of_the_page_about_windows_is_that_of_its_programs() {
    let without_indents = |text: &str| text.lines().map(str::trim).collect::<Vec<_>>().join("\n");
    let tree = Tree::of_this_workspace();
    let programs = tree.sources.iter().filter(|file| file.path.starts_with("ecs/windows/"));
    let programs: Vec<String> = programs.map(|file| without_indents(&file.text)).collect();
    let page = std::fs::read_to_string(tree.top.join("docs/guide/src/windows.md")).unwrap();
    let shown: Vec<&str> = page.split("```rust,ignore\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(shown.len() > 8, "{shown:?}");
    for code in shown {
        let is_built = programs.iter().any(|program| program.contains(&without_indents(code)));
        assert!(is_built, "no program in ecs/windows has this code:\n{code}");
    }
}

/// A row of the table of features leads to the test that shows the feature: `[yes](file "test")`.
#[test]
fn compared_features_are_shown_by_tests_that_exist() {
    let tree = Tree::of_this_workspace();
    let document = "docs/comparison.md";
    let comparison = std::fs::read_to_string(tree.top.join(document)).unwrap();
    let links: Vec<&str> = comparison.split("[yes](").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    assert!(links.len() > 15, "{links:?}");
    for link in links {
        let (file, test) = link.split_once(' ').expect("a file and the name of a test");
        let text = std::fs::read_to_string(tree.top.join("docs").join(file)).unwrap_or_default();
        let test = format!("fn {}(", test.trim_matches('"'));
        assert!(text.contains(&test), "{document}: {file} has no test `{test}`");
    }
}

/// What is "`named` in `a/file.rs`" must be there.
#[test]
fn tables_of_the_original_and_of_faults_name_what_is_in_the_files() {
    let tree = Tree::of_this_workspace();
    let mut named = 0;
    for document in ["docs/ORIGINAL.md", "docs/FAULTS.md"] {
        let text = std::fs::read_to_string(tree.top.join(document)).unwrap();
        for line in text.lines() {
            assert!(!has_no_test_and_no_reason(line), "{document}: name a test, or write none and why: {line}");
            let parts: Vec<&str> = line.split('`').collect();
            for place in parts.windows(3).filter(|place| place[1] == " in " && place[2].ends_with(".rs")) {
                let file = std::fs::read_to_string(tree.top.join(place[2])).unwrap_or_default();
                let name = place[0].rsplit("::").next().unwrap();
                assert!(file.contains(name), "{document}: {} has no {}", place[2], place[0]);
                named += 1;
            }
        }
    }
    assert!(named > 300, "{named}");
}

/// Whether a row of the table of the original leaves its third column, the test, empty or with a dash.
fn has_no_test_and_no_reason(line: &str) -> bool {
    let columns: Vec<&str> = line.split(" |").map(|column| column.trim_matches(['|', ' '])).collect();
    columns.len() == 5 && line.starts_with("| ") && matches!(columns[2], "" | "–" | "-" | "none")
}

#[test]
fn row_without_a_test_or_a_reason_is_found() {
    assert!(has_no_test_and_no_reason("| full screen | `MatchScreen` | – | |"));
    assert!(has_no_test_and_no_reason("| full screen | `MatchScreen` | | in the window |"));
    assert!(has_no_test_and_no_reason("| full screen | `MatchScreen` | none | |"));
    assert!(!has_no_test_and_no_reason("| full screen | `MatchScreen` | `a` in `b.rs` | – |"));
    assert!(!has_no_test_and_no_reason("| full screen | `MatchScreen` | none: nothing to hear | |"));
}

#[test]
fn methods_of_the_types_in_the_prelude_have_examples() {
    let tree = Tree::of_this_workspace();
    let front = tree.sources.iter().find(|file| file.path == "ecs/src/lib.rs").expect("it is the front page");
    let types = prelude_types(&front.text);
    assert!(types.len() > 25 && types.contains(&"Query"), "{types:?}");
    let of_the_framework = tree.sources.iter().filter(|file| file.path.starts_with("ecs/src/"));
    assert_none(
        "examples",
        &of_the_framework.flat_map(|file| methods_without_example(file, &types)).collect::<Vec<_>>(),
    );
}

#[test]
fn method_without_an_example_is_found() {
    let found = |text: &str| methods_without_example(&SourceFile::new("ecs/src/a.rs", text), &["Query"]).len();
    let method =
        |docs: &str| format!("impl<'q, F: Fn() -> u8> Query<'q, F>\nwhere\n{{\n{docs}    pub fn a() {{}}\n}}\n");
    assert_eq!(found(&method("    /// Does it.\n    #[must_use]\n")), 1);
    assert_eq!(
        found(&method("    /// Does it.\n    ///\n    /// # Example\n    /// See [`b`].\n    #[must_use]\n")),
        0
    );
    assert_eq!(found("pub trait Query: Sized {\n    fn a();\n}"), 1);
    assert_eq!(found("impl Iterator for Query {\n    fn a() {}\n}\nimpl Other {\n    pub fn a() {}\n}"), 0);
}

#[test]
fn numbers_of_the_assets_state_their_units() {
    let tree = Tree::of_this_workspace();
    let assets = tree.files("assets", "ron");
    assert!(assets.len() >= 10);
    for (path, text) in assets {
        assert_none(&path, &numbers_without_units(&path, &text));
    }
}

#[test]
fn number_without_a_unit_is_found() {
    let unnamed = |text: &str| numbers_without_units("a.ron", text).len();
    assert_eq!(unnamed("(radius: 1.5, speed_mps: 25.0)"), 1);
    assert_eq!(unnamed("    lifetime: (4.0, 7.0),"), 1);
    assert_eq!(unnamed("    lifetime_seconds: (4.0, 7.0), // life: 4"), 0);
    assert_eq!(unnamed("    offset: -1.0,"), 1);
    assert_eq!(unnamed("    strategy: First,\n    keys: [W],\n    rules: (\n"), 0);
}
