//! Imports between files, and their cycles: no file of a cycle can be read, moved or tested alone.

use std::collections::{BTreeMap, BTreeSet};

use super::Finding;
use super::tree::SourceFile;

/// A use of one top-level module by another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arrow {
    /// The module that uses the other.
    pub from: String,
    /// The module that is used.
    pub to: String,
    /// The file and the path in it.
    pub at: String,
}

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
/// An import is followed through re-exports to the file that defines the name. A re-export alone is no import: it lists
/// what a folder offers, and the file that lists it does not need it. A folder is a module of the crate with all below
/// it: what lies in `src/query.rs` and in `src/query/`. Two files are in a circle if each leads to the other.
#[must_use]
pub fn circles_across_folders(sources: &[SourceFile], root: &str) -> Vec<Vec<String>> {
    let files = Crate::new(sources, root);
    // The root only lists modules.
    let paths: Vec<&Vec<String>> = files.modules.keys().filter(|path| !path.is_empty()).collect();
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

/// The arrows between the top-level modules of a crate, each with all places that draw it.
///
/// A module is a file in `src` with the folder of its name. Imports, re-exports and paths in code count. A path draws
/// an arrow to the module that it names, and through re-exports, also those of `lib.rs`, to the module that defines the
/// name. `lib.rs` itself only lists. A method that a higher module adds to a type is called without a path, so its
/// calls draw none.
#[must_use]
pub fn arrows_between_modules(sources: &[SourceFile], root: &str) -> Vec<Arrow> {
    let files = Crate::new(sources, root);
    let mut arrows = Vec::new();
    for (module, file) in &files.modules {
        let Some(from) = module.first() else { continue };
        let imported = file.aliases.iter().map(|(_, path)| path.clone());
        for path in imported.chain(inline_paths(&file.source.shipped)) {
            let at = format!("{}: {}", file.source.path, path.join("::"));
            let to = files.passed(module, &path).into_iter().filter(|to| to != from);
            arrows.extend(to.map(|to| Arrow { from: from.clone(), to, at: at.clone() }));
        }
    }
    arrows.sort();
    arrows.dedup();
    arrows
}

/// The names of the top-level modules of a crate.
#[must_use]
pub fn top_modules(sources: &[SourceFile], root: &str) -> BTreeSet<String> {
    Crate::new(sources, root).modules.into_keys().filter_map(|module| module.into_iter().next()).collect()
}

/// The layers that a document lists below `heading`, from the bottom: of each numbered line, the names in front of the
/// colon.
#[must_use]
pub fn layers(document: &str, heading: &str) -> Vec<Vec<String>> {
    let section =
        document.lines().skip_while(|line| *line != heading).skip(1).take_while(|line| !line.starts_with('#'));
    let items = section.filter(|line| line.starts_with(|first: char| first.is_ascii_digit()));
    let names = |item: &str| {
        let names = item.split(':').next().unwrap_or_default();
        names.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    };
    items.map(names).collect()
}

/// The arrows that do not run down a list of layers. Modules of one layer do not know each other, so without such an
/// arrow there is no circle.
#[must_use]
pub fn arrows_not_down(arrows: &[Arrow], layers: &[Vec<String>]) -> Vec<Finding> {
    let layer = |module: &String| layers.iter().position(|layer| layer.contains(module));
    let runs_down = |arrow: &&Arrow| layer(&arrow.to).zip(layer(&arrow.from)).is_some_and(|(to, from)| to < from);
    let others = arrows.iter().filter(|arrow| !runs_down(arrow));
    others.map(|Arrow { from, to, at }| format!("{at}: `{from}` must not know `{to}`")).collect()
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
                // The program is another crate.
                if path == "main" {
                    return None;
                }
                let is_root = path == "lib";
                let module: Vec<String> = path.split('/').filter(|_| !is_root).map(str::to_owned).collect();
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
        let (found, name) = self.module_of(module, path)?;
        match self.alias(&found, name?) {
            // The limit ends imports of a name by itself.
            Some(target) if depth < 8 => self.defining(&found, target, depth + 1).or(Some(found)),
            _ => Some(found),
        }
    }

    /// The top-level modules that `path` leads through, from the one that it names to the one that defines the name.
    fn passed(&self, module: &[String], path: &[String]) -> BTreeSet<String> {
        let (mut passed, mut from, mut path) = (BTreeSet::new(), module.to_vec(), path);
        // The limit ends imports of a name by itself.
        for _ in 0..8 {
            let Some((found, name)) = self.module_of(&from, path) else { break };
            passed.extend(found.first().cloned());
            let Some(target) = name.and_then(|name| self.alias(&found, name)) else { break };
            (from, path) = (found, target);
        }
        passed
    }

    /// The path of a name that a module imports.
    fn alias(&self, module: &[String], name: &str) -> Option<&Vec<String>> {
        self.modules.get(module)?.aliases.iter().find(|(alias, _)| alias == name).map(|(_, path)| path)
    }

    /// The module that `path` leads to from `module`, and the next name, which is no module; `None` for other crates.
    fn module_of<'p>(&self, module: &[String], path: &'p [String]) -> Option<(Vec<String>, Option<&'p String>)> {
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
        Some((at, rest.first()))
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

/// Paths in code that start with `crate::` or `super::`.
fn inline_paths(code: &str) -> Vec<Vec<String>> {
    let is_part = |symbol: char| symbol.is_alphanumeric() || symbol == '_' || symbol == ':';
    let starts = code.match_indices("crate::").chain(code.match_indices("super::"));
    starts
        .filter(|(at, _)| !code[..*at].ends_with(is_part))
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

    fn up(files: &[(&str, &str)]) -> Vec<String> {
        let sources: Vec<SourceFile> = files.iter().map(|(path, text)| SourceFile::new(path, text)).collect();
        let list = "1. `not this one`\n## Layers\nFrom the bottom:\n1. `low`, `other`: ids\n2. `high`: uses `low`\n## More\n3. `more`: no";
        let layers = layers(list, "## Layers");
        assert_eq!(layers, [vec!["low", "other"], vec!["high"]]);
        arrows_not_down(&arrows_between_modules(&sources, "ecs/src"), &layers)
    }

    #[test]
    fn each_way_to_name_a_higher_module_is_an_arrow_up() {
        let lib = ("ecs/src/lib.rs", "mod high;\npub use self::high::{A, macros::c};\npub use low::Low;");
        let high = ("ecs/src/high.rs", "mod inner;\npub mod macros;\npub use self::inner::A;\nuse crate::low::Low;");
        let inner = ("ecs/src/high/inner.rs", "pub struct A(crate::Low);");
        let macros = ("ecs/src/high/macros.rs", "macro_rules! c { () => {} }\npub(crate) use c;");
        for text in [
            "use crate::high::A;",
            "pub(crate) use crate::{high::A as B, other::C};",
            "use crate::high;",
            "use crate::high::{self, inner::*};",
            "pub use crate::high::*;",
            "fn f() -> crate::high::A {}",
            "fn f(a: &super::high::A) {}",
            "use crate::A;",
            "crate::high::macros::c!();",
            "crate::c!();",
            "#[cfg(feature = \"x\")]\nuse super::A;",
        ] {
            let found = up(&[lib, high, inner, macros, ("ecs/src/low.rs", text)]);
            assert!(found.iter().any(|arrow| arrow.ends_with("`low` must not know `high`")), "{text}: {found:?}");
        }
        let nested = up(&[lib, high, inner, ("ecs/src/low/deep.rs", "fn f() { super::super::high::f() }")]);
        assert_eq!(nested, ["ecs/src/low/deep.rs: super::super::high::f: `low` must not know `high`"]);
    }

    #[test]
    fn arrows_run_down_and_not_within_a_layer() {
        let high = ("ecs/src/high.rs", "use crate::low::A;\nuse crate::Low;\nuse std::fmt;");
        let lib = ("ecs/src/lib.rs", "pub use self::low::A as Low;\npub use self::high::High;");
        let low = "pub struct A;\n// use crate::high::B;\nuse self::deep::D;\n#[cfg(test)]\nmod tests { use crate::high::B; }";
        assert!(up(&[lib, high, ("ecs/src/low.rs", low), ("ecs/src/low/deep.rs", "use super::A;")]).is_empty());
        let beside = up(&[("ecs/src/low.rs", "pub use crate::other::C;"), ("ecs/src/other.rs", "pub struct C;")]);
        assert_eq!(beside, ["ecs/src/low.rs: crate::other::C: `low` must not know `other`"]);
    }

    #[test]
    fn name_that_a_lower_module_passes_on_leads_to_the_module_that_defines_it() {
        let files = [
            ("ecs/src/other.rs", "pub use crate::high::A;"),
            ("ecs/src/high.rs", "pub struct A;"),
            ("ecs/src/low.rs", "use crate::other::A;"),
        ];
        let found = up(&files);
        assert!(found.contains(&"ecs/src/low.rs: crate::other::A: `low` must not know `high`".to_owned()), "{found:?}");
        assert_eq!(found.len(), 3, "{found:?}");
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
