//! Imports between files, and their cycles: no file of a cycle can be read, moved or tested alone.

use std::collections::BTreeMap;

use super::tree::SourceFile;

/// An import of a module: the name and its path.
type Alias = (String, Vec<String>);

/// A module and its file.
struct Module<'s> {
    source: &'s SourceFile,
    /// The names that its `use` items import, re-exported or not.
    aliases: Vec<Alias>,
    /// The paths of its `use` items that are not re-exports.
    imports: Vec<Vec<String>>,
}

/// The files of a crate, by the path of their module.
struct Crate<'s> {
    modules: BTreeMap<Vec<String>, Module<'s>>,
}

/// Circles of imports that leave their folder, each as the paths of its files.
///
/// An import is followed through re-exports to the file that defines the name. A re-export alone is no import: it lists what a
/// folder offers, and the file that lists it does not need it. A folder is a module of the crate with all below it: what
/// lies in `src/query.rs` and in `src/query/`. Two files are in a circle if each leads to the other.
#[must_use]
pub fn circles_across_folders(sources: &[SourceFile], root: &str) -> Vec<Vec<String>> {
    let files = Crate::new(sources, root);
    let paths: Vec<&Vec<String>> = files.modules.keys().collect();
    let edges: Vec<Vec<usize>> = paths
        .iter()
        .map(|path| {
            let used = files.used_by(path);
            used.iter().filter_map(|module| paths.iter().position(|other| *other == module)).collect()
        })
        .collect();
    let reached: Vec<Vec<bool>> = (0..paths.len()).map(|start| reachable(start, &edges)).collect();
    let mut circles = Vec::new();
    let mut is_listed = vec![false; paths.len()];
    for start in 0..paths.len() {
        let circle: Vec<usize> =
            (start..paths.len()).filter(|other| reached[start][*other] && reached[*other][start]).collect();
        if is_listed[start] || circle.len() < 2 {
            continue;
        }
        circle.iter().for_each(|file| is_listed[*file] = true);
        if circle.iter().any(|file| paths[*file].first() != paths[start].first()) {
            circles.push(circle.iter().map(|file| files.modules[paths[*file]].source.path.clone()).collect());
        }
    }
    circles
}

/// The nodes that are reachable from `start` by one edge or more.
fn reachable(start: usize, edges: &[Vec<usize>]) -> Vec<bool> {
    let mut reached = vec![false; edges.len()];
    let mut open = edges[start].clone();
    while let Some(next) = open.pop() {
        if !std::mem::replace(&mut reached[next], true) {
            open.extend(&edges[next]);
        }
    }
    reached
}

impl<'s> Crate<'s> {
    fn new(sources: &'s [SourceFile], root: &str) -> Self {
        let modules = sources
            .iter()
            .filter(|source| !source.shipped.trim().is_empty())
            .filter_map(|source| {
                let path = source.path.strip_prefix(root)?.strip_prefix('/')?.strip_suffix(".rs")?;
                // The root only lists modules, and the program is another crate.
                if path == "lib" || path == "main" {
                    return None;
                }
                let module: Vec<String> = path.split('/').map(str::to_owned).collect();
                let (mut aliases, mut imports) = (Vec::new(), Vec::new());
                for (is_re_export, item) in use_items(&source.shipped) {
                    let found = expand(&item);
                    if !is_re_export {
                        imports.extend(found.iter().map(|(_, path)| path.clone()));
                    }
                    aliases.extend(found);
                }
                Some((module, Module { source, aliases, imports }))
            })
            .collect();
        Self { modules }
    }

    /// The modules whose names a module uses.
    fn used_by(&self, module: &[String]) -> Vec<Vec<String>> {
        let file = &self.modules[module];
        let named = inline_paths(&file.source.shipped);
        let mut used: Vec<Vec<String>> =
            file.imports.iter().cloned().chain(named).filter_map(|path| self.defining(module, &path, 0)).collect();
        used.sort();
        used.dedup();
        used.retain(|other| other != module);
        used
    }

    /// The module that defines the item that `path` names in `module`; `None` for modules and items of other crates.
    fn defining(&self, module: &[String], path: &[String], depth: usize) -> Option<Vec<String>> {
        let (mut at, mut rest) = match path.first()?.as_str() {
            "crate" => (Vec::new(), &path[1..]),
            "self" => (module.to_vec(), &path[1..]),
            "super" => (module[..module.len().checked_sub(1)?].to_vec(), &path[1..]),
            first => {
                let child = [module, &[first.to_owned()]].concat();
                if !self.modules.contains_key(&child) {
                    return None;
                }
                (module.to_vec(), path)
            }
        };
        while rest.first().is_some_and(|segment| segment == "super") {
            at.pop()?;
            rest = &rest[1..];
        }
        while let Some(segment) = rest.first() {
            let below = [at.as_slice(), std::slice::from_ref(segment)].concat();
            if !self.modules.contains_key(&below) {
                break;
            }
            (at, rest) = (below, &rest[1..]);
        }
        let name = rest.first()?;
        let found = self.modules.get(&at)?;
        match found.aliases.iter().find(|(alias, _)| alias == name) {
            // The limit ends imports of a name by itself.
            Some((_, target)) if depth < 8 => self.defining(&at, target, depth + 1).or(Some(at)),
            _ => Some(at),
        }
    }
}

/// The `use` items of a file, without the word and the semicolon, and whether each is a re-export.
fn use_items(code: &str) -> Vec<(bool, String)> {
    let mut items = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find("use ") {
        let before = &rest[..at];
        let starts_item = before.chars().next_back().is_none_or(|last| last.is_whitespace() || last == ')');
        let is_re_export = before.trim_end().ends_with("pub") || before.trim_end().ends_with(')');
        rest = &rest[at + "use ".len()..];
        if let (true, Some(end)) = (starts_item, rest.find(';')) {
            items.push((is_re_export, rest[..end].split_whitespace().collect::<Vec<_>>().join(" ")));
        }
    }
    items
}

/// The imports of a tree such as `a::{b, c as d}`.
fn expand(tree: &str) -> Vec<Alias> {
    let tree = tree.trim();
    let Some(open) = tree.find('{') else {
        let (path, alias) = tree.split_once(" as ").unwrap_or((tree, ""));
        let path: Vec<String> = path.split("::").map(|segment| segment.trim().to_owned()).collect();
        let name = if alias.is_empty() { path.last().cloned().unwrap_or_default() } else { alias.trim().to_owned() };
        let is_module = path.len() > 1 && name == "self";
        return if is_module || name.is_empty() || name == "_" { Vec::new() } else { vec![(name, path)] };
    };
    let prefix = &tree[..open];
    let inner = tree[open + 1..].trim_end().trim_end_matches('}');
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    for (at, symbol) in inner.char_indices() {
        match symbol {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                found.extend(expand(&format!("{prefix}{}", inner[start..at].trim())));
                start = at + 1;
            }
            _ => {}
        }
    }
    if !inner[start..].trim().is_empty() {
        let last = inner[start..].trim();
        // The braces within the last branch that were cut off above.
        let missing = last.matches('{').count() - last.matches('}').count().min(last.matches('{').count());
        found.extend(expand(&format!("{prefix}{last}{}", "}".repeat(missing))));
    }
    found
}

/// Paths in code that start with `crate::`.
fn inline_paths(code: &str) -> Vec<Vec<String>> {
    let is_part = |symbol: char| symbol.is_alphanumeric() || symbol == '_' || symbol == ':';
    code.match_indices("crate::")
        .map(|(at, _)| {
            let rest = &code[at..];
            let end = rest.find(|symbol| !is_part(symbol)).unwrap_or(rest.len());
            rest[..end].trim_end_matches(':').split("::").map(str::to_owned).collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circles(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        let sources: Vec<SourceFile> = files.iter().map(|(path, text)| SourceFile::new(path, text)).collect();
        circles_across_folders(&sources, "ecs/src")
    }

    #[test]
    fn two_folders_that_use_each_other_are_a_circle() {
        let files = [
            ("ecs/src/a.rs", "mod inner;\npub use self::inner::{A, Other as B};"),
            ("ecs/src/a/inner.rs", "use crate::b::C;\npub struct A(C);\npub struct Other;"),
            ("ecs/src/b.rs", "use std::fmt;\nuse crate::{\n    a::B,\n};\npub struct C(B);"),
        ];
        assert_eq!(circles(&files), [["ecs/src/a/inner.rs", "ecs/src/b.rs"]]);
    }

    #[test]
    fn circle_within_a_folder_and_a_way_without_return_are_none() {
        let files = [
            ("ecs/src/a.rs", "mod inner;\npub use self::inner::A;\npub struct D;"),
            ("ecs/src/a/inner.rs", "use super::D;\nuse super::A as Own;\npub struct A(D);"),
            ("ecs/src/b.rs", "fn c() { let a: crate::a::A; }"),
        ];
        assert!(circles(&files).is_empty());
    }

    #[test]
    fn re_export_alone_is_no_import() {
        let files = [
            ("ecs/src/a.rs", "mod inner;\npub(crate) use self::inner::A;\npub struct D;"),
            ("ecs/src/a/inner.rs", "use crate::b::C;\npub struct A(C);"),
            ("ecs/src/b.rs", "use crate::a::D;\npub struct C(D);"),
        ];
        assert!(circles(&files).is_empty());
        let used = files.map(|(path, text)| (path, text.replace("pub(crate) use", "use")));
        assert_eq!(circles(&used.each_ref().map(|(path, text)| (*path, text.as_str()))).len(), 1);
    }

    #[test]
    fn path_within_code_counts_as_an_import() {
        let files = [
            ("ecs/src/a.rs", "pub struct A;\nfn f() { crate::b::g(); }"),
            ("ecs/src/b.rs", "pub fn g() -> super::a::A {}\nuse super::a::A;"),
        ];
        assert_eq!(circles(&files), [["ecs/src/a.rs", "ecs/src/b.rs"]]);
    }

    #[test]
    fn nested_lists_of_imports_are_expanded() {
        let names: Vec<String> = expand("crate::{a::{B, c::D as E}, f::G}")
            .into_iter()
            .map(|(name, path)| format!("{name}={}", path.join(".")))
            .collect();
        assert_eq!(names, ["B=crate.a.B", "E=crate.a.c.D", "G=crate.f.G"]);
    }
}
