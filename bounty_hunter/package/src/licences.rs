//! The licences of what is compiled into a program.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::Outcome;

/// The names and licences of all packages that `root` is compiled with, and the texts in their sources, each once.
pub(crate) fn of_dependencies(metadata: &Value, root: &str) -> Outcome<String> {
    let packages = list(&metadata["packages"])?;
    let members: BTreeSet<&str> = list(&metadata["workspace_members"])?.iter().filter_map(Value::as_str).collect();
    let mut listed = String::from("This program is compiled with these packages:\n\n");
    // By text: the packages that have it.
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for id in needed(metadata, root)? {
        if members.contains(id) {
            continue;
        }
        let package = packages.iter().find(|package| package["id"] == id).ok_or("cargo lists no such package")?;
        let part = |field: &str| package[field].as_str().ok_or_else(|| format!("{id} has no {field}"));
        let name = format!("{} {}", part("name")?, part("version")?);
        listed += &format!("{name}: {}\n", part("license")?);
        for text in texts_in(Path::new(part("manifest_path")?).parent().ok_or("a manifest has no folder")?)? {
            texts.entry(text).or_default().push(name.clone());
        }
    }
    for (text, names) in texts {
        listed += &format!("\n{}\n{}:\n\n{text}\n", "-".repeat(72), names.join(", "));
    }
    Ok(listed)
}

/// The ids of `root` and of all its dependencies, except those for tests and builds.
fn needed<'a>(metadata: &'a Value, root: &str) -> Outcome<BTreeSet<&'a str>> {
    let nodes = list(&metadata["resolve"]["nodes"])?;
    let root = list(&metadata["packages"])?.iter().find(|package| package["name"] == root);
    let mut waiting: Vec<&str> = root.and_then(|package| package["id"].as_str()).into_iter().collect();
    let mut found = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        if found.insert(id) {
            let node = nodes.iter().find(|node| node["id"] == id).ok_or("cargo lists no dependencies of a package")?;
            let is_compiled_in = |dependency: &&Value| {
                dependency["dep_kinds"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind["kind"].is_null()))
            };
            let dependencies = list(&node["deps"])?.iter().filter(is_compiled_in);
            waiting.extend(dependencies.filter_map(|dependency| dependency["pkg"].as_str()));
        }
    }
    Ok(found)
}

/// The texts of the files with licences in a folder.
fn texts_in(folder: &Path) -> Outcome<Vec<String>> {
    let mut texts = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().to_uppercase();
        let is_licence = ["LICENSE", "LICENCE", "COPYING", "NOTICE"].iter().any(|begin| name.starts_with(begin));
        if is_licence && entry.path().is_file() {
            texts.push(String::from_utf8_lossy(&fs::read(entry.path())?).trim().replace("\r\n", "\n"));
        }
    }
    texts.sort();
    Ok(texts)
}

fn list(value: &Value) -> Outcome<&Vec<Value>> {
    value.as_array().ok_or_else(|| "cargo lists nothing".into())
}
