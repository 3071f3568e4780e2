//! Rules about documents and data files.

use std::path::Path;

use super::Finding;

/// Endings of names that state a unit.
const UNITS: [&str; 12] = [
    "_factor",
    "_hertz",
    "_m",
    "_mps",
    "_mps2",
    "_rad",
    "_radps",
    "_seconds",
    "_per_second",
    "_share",
    "_per_player",
    "_per_team",
];

/// Names of numbers that need no unit: a version, points, counts, shares, factors and chances, a density, whose comment
/// states its unit, a coefficient of friction, and names that are a unit.
const WITHOUT_UNIT: [&str; 28] = [
    "seconds",
    "mps2",
    "scale",
    "factor",
    "observation",
    "steps_per_decision",
    "value",
    "points",
    "density",
    "friction",
    "most_health",
    "damage",
    "grows_beyond_players",
    "players",
    "lives",
    "bounties_per_player",
    "least_bounties",
    "least_power_ups",
    "least_objects",
    "most_links",
    "spilled_bounties",
    "spilled_points",
    "wander_chance",
    "wander_steering",
    "target_steering",
    "avoid_steering",
    "stash_threshold",
    "aggression",
];

/// Paths between backticks and targets of links in a document that do not exist. A path is a text of plain characters
/// that ends like a file or a folder.
#[must_use]
pub fn missing_paths(document: &str, text: &str, top: &Path) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut is_listing = false;
    for (index, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            is_listing = !is_listing;
        } else if !is_listing {
            let quoted = line.split('`').skip(1).step_by(2);
            for path in quoted.filter(|quoted| looks_like_a_path(quoted)) {
                let beside = top.join(document).parent().map(Path::to_owned);
                let sources = ["", "bounty_hunter/src", "bounty_hunter/simulation/src", "ecs/src"];
                if !sources
                    .map(|folder| top.join(folder))
                    .into_iter()
                    .chain(beside)
                    .any(|folder| folder.join(path).exists())
                {
                    findings.push(format!("{document}:{}: {path} does not exist", index + 1));
                }
            }
            let beside = top.join(document);
            let targets = line.split("](").skip(1).filter_map(|rest| rest.split([')', '#', ' ']).next());
            for target in targets.filter(|target| !target.is_empty() && !target.contains("://")) {
                if !beside.parent().is_some_and(|folder| folder.join(target).exists()) {
                    findings.push(format!("{document}:{}: the link to {target} leads nowhere", index + 1));
                }
            }
        }
    }
    findings
}

fn looks_like_a_path(quoted: &str) -> bool {
    const ENDINGS: [&str; 5] = [".rs", ".ron", ".toml", ".md", "/"];
    let is_plain =
        !quoted.is_empty() && quoted.chars().all(|symbol| symbol.is_ascii_alphanumeric() || "_-./".contains(symbol));
    is_plain && !quoted.starts_with('/') && ENDINGS.iter().any(|ending| quoted.ends_with(ending))
}

/// Numbers in a RON file whose names do not state their unit.
#[must_use]
pub fn numbers_without_units(path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.split("//").next().unwrap_or_default();
        for field in line.split([',', '(']) {
            let Some((name, value)) = field.split_once(':') else { continue };
            let name = name.trim();
            let tuple = value.trim().is_empty() && line.contains(&format!("{name}: ("));
            let is_number = value.trim().starts_with(|symbol: char| symbol.is_ascii_digit() || symbol == '-');
            let pair = line.split(&format!("{name}: (")).nth(1).filter(|_| tuple);
            let is_pair = pair.is_some_and(|pair| pair.starts_with(|c: char| c.is_ascii_digit() || c == '-'));
            let says_unit = UNITS.iter().any(|unit| name.ends_with(unit)) || WITHOUT_UNIT.contains(&name);
            if (is_number || is_pair) && !says_unit {
                findings.push(format!("{path}:{}: {name} does not state its unit", index + 1));
            }
        }
    }
    findings
}
