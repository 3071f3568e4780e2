//! Assets and prefabs: a text is refused with an error message, or it can be used in a match.

use bounty_hunter::assets::Assets;
use bounty_hunter::input::Inputs;
use bounty_hunter::simulation::{MatchSetup, Simulation};
use ecs::{Engine, prefab::Prefabs};
use serde::Deserialize;

use crate::Basic;
use crate::mutation::{Choice, put};

/// Edge cases: values that parsers often get wrong.
const EDGE_CASES: [&str; 22] = [
    "0",
    "-1",
    "-0.0",
    "0.5",
    "1e9",
    "1e38",
    "1e-45",
    "NaN",
    "inf",
    "-inf",
    "255",
    "4294967295",
    "10000",
    "18446744073709551615",
    "-9223372036854775808",
    "0x7f",
    "()",
    "[]",
    "{}",
    "None",
    "\"\"",
    "'a'",
];

/// Splits a text into words, numbers and single symbols, so that a mutated text often still parses.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let is_word = |symbol: char| symbol.is_alphanumeric() || "_.-".contains(symbol);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let other = |symbol: char| !is_word(symbol);
        let end = if is_word(first) { rest.find(other).unwrap_or(rest.len()) } else { first.len_utf8() };
        tokens.push(&rest[..end]);
        rest = &rest[end..];
    }
    tokens
}

/// Mutates a text token by token; one time in four byte by byte.
pub fn change_text(bytes: &mut [u8], size: usize, seed: u32, basic: Basic<'_>) -> usize {
    let mut choice = Choice::new(seed);
    let text = String::from_utf8_lossy(&bytes[..size]).into_owned();
    let mut tokens = tokens(&text);
    if tokens.is_empty() || choice.below(4) == 0 {
        return basic(bytes, size);
    }
    for _ in 0..=choice.below(3) {
        let (at, other) = (choice.below(tokens.len()), choice.below(tokens.len()));
        match choice.below(8) {
            0..3 => tokens[at] = EDGE_CASES[choice.below(EDGE_CASES.len())],
            3 | 4 => tokens[at] = tokens[other],
            5 if tokens.len() > 1 => _ = tokens.remove(at),
            6 => tokens.insert(at, tokens[other]),
            _ => {
                let end = tokens.len().min(other + choice.below(40));
                let copy = tokens[other..end].to_vec();
                tokens.splice(at..at, copy);
            }
        }
    }
    put(tokens.concat().as_bytes(), bytes, size, basic)
}

/// The asset files, each preceded by a line with its path.
#[must_use]
pub fn asset_texts() -> Vec<String> {
    let top = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets");
    let mut texts = Vec::new();
    for folder in ["", "ai", "levels", "modes", "prefabs"] {
        let files = std::fs::read_dir(format!("{top}/{folder}")).expect("the folder exists");
        for path in files
            .filter_map(|file| Some(file.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|end| end == "ron"))
        {
            let text = std::fs::read_to_string(&path).expect("it is a text");
            let name = path.file_name().expect("it is a file").to_string_lossy();
            texts.push(format!("{}\n{text}", [folder, &name].join("/").trim_start_matches('/')));
        }
    }
    texts.sort();
    texts
}

/// Replaces one asset file; if the assets are accepted, a match can be played with them.
///
/// # Panics
/// If the check fails.
pub fn check_assets(bytes: &[u8]) {
    let Some((path, text)) = std::str::from_utf8(bytes).ok().and_then(|text| text.split_once('\n')) else { return };
    let assets = match Assets::with_texts([(path, text)]) {
        Ok(assets) => assets,
        Err(error) => return check_sentence(&error.to_string()),
    };
    let mode = path.strip_prefix("modes/").and_then(|name| name.strip_suffix(".ron"));
    let level = path.strip_prefix("levels/").and_then(|name| name.strip_suffix(".ron"));
    let mut assets = match (mode, level) {
        (Some(mode), _) => assets.in_mode(mode).expect("it was just loaded"),
        (_, Some(level)) => assets.in_level(level).expect("it was just loaded"),
        _ => assets,
    };
    // A small match that starts soon.
    let game = &mut assets.game;
    game.countdown_seconds = 0.05;
    game.least_bounties = game.least_bounties.min(30);
    game.deals.truncate(10);
    game.deals.iter_mut().for_each(|deal| deal.least_objects = deal.least_objects.min(30));
    match Simulation::new(&assets, &MatchSetup::of_ais(1, 3, &assets.game.ai)) {
        Err(error) => check_sentence(&error.to_string()),
        Ok(mut simulation) => {
            for _ in 0..20 {
                simulation.step(&Inputs::none());
            }
            let _ = simulation.state_hash();
        }
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct Engineering {
    power: f32,
    gears: Vec<(u8, String)>,
    kind: Option<Fuel>,
    inner: Inner,
}

#[derive(Clone, Debug, Deserialize)]
#[allow(dead_code)]
struct Inner {
    symbol: char,
    name: String,
}

#[derive(Clone, Debug, Deserialize)]
#[allow(dead_code)]
enum Fuel {
    None,
    Diesel(u64),
    Mixed { oil: f64, water: [i8; 2] },
}

#[derive(Clone, Debug, Deserialize)]
struct Tag;

#[derive(Clone, Debug, Deserialize)]
#[allow(dead_code)]
struct Weight(i128);

/// Prefab files that use every feature.
#[must_use]
pub fn prefab_texts() -> Vec<String> {
    let car = r#"// Cars.
{
    "car": (components: { "weight": (1200), "tag": (), "engine": (power: 75.5, gears: [(1, "first"), (2, r"sec#ond")], kind: Some(Diesel(4)), inner: (symbol: '\n', name: "a\tb\u{e9}")) },
        children: { "left door": (like: "door"), "right door": (like: "door", components: { "weight": (21) }) }),
    /* Faster. */
    "sports car": (like: "car", without: ["tag"], without_children: ["right door"], components: { "engine": (power: 200, kind: Some(Mixed(oil: 1e2, water: (0x10, -3)))) }),
    "door": (components: { "weight": (20) }, children: { "window": (components: { "tag": () }) }, requires: { "weight": { "tag": () } }),
}"#;
    vec![car.to_owned(), "{\"stone\": (components: {\"weight\": (1_000,)}), \"pebble\": (like: \"stone\")}".to_owned()]
}

/// Prefabs that are accepted can be spawned.
///
/// # Panics
/// If the check fails.
pub fn check_prefabs(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let mut prefabs = Prefabs::default();
    let registered = prefabs.register::<Engineering>("engine").and_then(|prefabs| prefabs.register::<Tag>("tag"));
    registered.and_then(|prefabs| prefabs.register::<Weight>("weight")).expect("the names are free");
    if let Err(error) = prefabs.load("fuzzed.ron", text) {
        return check_sentence(&error.to_string());
    }
    let names: Vec<_> = prefabs.names().map(str::to_owned).collect();
    let mut engine = Engine::new();
    engine.insert_resource(prefabs.clone());
    for name in names.iter().take(20) {
        assert!(prefabs.explain(name).is_some(), "{name}");
        engine.spawn_prefab(name.as_str()).expect("accepted prefabs can be spawned");
    }
}

/// An error message is one sentence without a full stop.
fn check_sentence(text: &str) {
    assert!(!text.is_empty() && !text.ends_with('.'), "{text}");
}
