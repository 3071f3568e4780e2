//! What programs that use a framework cost to compile: writes one with 200 systems, 100 types of events and 100 types
//! of components for this framework and for bevy_ecs, compiles both in debug and release builds, and prints the
//! processor time.
//!
//! `cargo run -p compile_cost`, on Linux; `cargo run -p compile_cost -- 25 plain prefabs` writes programs of a quarter
//! of the size, of two variants. The programs are in `target/compile_cost/`; the dependencies are compiled first and do
//! not count. The programs of both frameworks do the same and print the same number of events.

mod bevy_ecs;
mod ecs;

use std::fs;
use std::io::{Error, Result};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The number of types of components, of types of events, of systems that send them, and of systems that listen to
/// them.
const COUNT: usize = 100;

/// What a program uses.
#[derive(Clone, Copy)]
struct Variant {
    name: &'static str,
    count: usize,
    /// Components are read from a text.
    prefabs: bool,
    /// Change detection, children, run conditions and sets.
    features: bool,
}

const VARIANTS: [Variant; 3] = [
    Variant { name: "plain", count: COUNT, prefabs: false, features: false },
    Variant { name: "prefabs", count: COUNT, prefabs: true, features: false },
    Variant { name: "features", count: COUNT, prefabs: true, features: true },
];

/// A framework: its name, and what writes the dependencies and the source text of a program.
type Contestant = (&'static str, fn(&Path) -> String, fn(Variant) -> String);

const CONTESTANTS: [Contestant; 2] =
    [("ecs", ecs::dependencies, ecs::source), ("bevy_ecs", bevy_ecs::dependencies, bevy_ecs::source)];

/// The limit above which system 5 sends an event, and the one that a changed program has.
const BEFORE: &str = "> 5.5";
const AFTER: &str = "> 6.5";

fn main() -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3).expect("the package is in `ecs/peers`");
    let folder = root.join("target/compile_cost");
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let count = arguments.iter().find_map(|argument| argument.parse().ok());
    let wanted: Vec<&String> = arguments.iter().filter(|argument| argument.parse::<usize>().is_err()).collect();

    let mut names = Vec::new();
    for variant in VARIANTS {
        let variant = Variant { count: count.unwrap_or(variant.count), ..variant };
        for (framework, dependencies, source) in CONTESTANTS {
            let name = format!("{framework}_{}", variant.name);
            let dependencies = dependencies(root);
            let manifest =
                format!("[package]\nname = \"{name}\"\nedition = \"2024\"\n\n[dependencies]\n{dependencies}");
            write(&folder.join(&name).join("Cargo.toml"), &manifest)?;
            write(&folder.join(&name).join("src/main.rs"), &source(variant))?;
            if wanted.is_empty() || wanted.iter().any(|wanted| *wanted == variant.name) {
                names.push(name);
            }
        }
    }
    write(&folder.join("Cargo.toml"), "[workspace]\nresolver = \"3\"\nmembers = [\"ecs_*\", \"bevy_ecs_*\"]\n")?;
    // The versions of this workspace.
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))?;

    println!("| program | debug | debug, after a change | release |");
    println!("|---|---|---|---|");
    for name in names {
        let (debug, changed) = measure(&folder, &name, "dev")?;
        // Release builds are not incremental: after a change they take as long.
        let (release, _) = measure(&folder, &name, "release")?;
        println!("| {name} | {debug:.1} s | {changed:.1} s | {release:.1} s |");
    }
    Ok(())
}

/// Compiles a program whose dependencies are compiled; in a debug build, again after a change. Returns the processor
/// time of both in seconds.
fn measure(folder: &Path, name: &str, profile: &str) -> Result<(f64, f64)> {
    let source = folder.join(name).join("src/main.rs");
    let text = fs::read_to_string(&source)?;
    assert_eq!(text.matches(BEFORE).count(), 1, "one line is changed");
    let build = || cargo(folder, &["build", "--profile", profile, "--package", name]);
    write(&source, "fn main() {}\n")?;
    build()?;
    write(&source, &text)?;
    let cold = build()?;
    run(folder, name, profile)?;
    if profile != "dev" {
        return Ok((cold, cold));
    }
    write(&source, &text.replace(BEFORE, AFTER))?;
    let changed = build()?;
    write(&source, &text)?;
    Ok((cold, changed))
}

/// Runs cargo; returns its processor time and that of the processes that it started, in seconds.
fn cargo(folder: &Path, arguments: &[&str]) -> Result<f64> {
    let before = time_of_children()?;
    let status = Command::new(env!("CARGO"))
        .args(arguments)
        .arg("--quiet")
        .current_dir(folder)
        .env_remove("CARGO_TARGET_DIR")
        .status()?;
    if !status.success() {
        return Err(Error::other(format!("cargo {} failed", arguments.join(" "))));
    }
    Ok(time_of_children()? - before)
}

/// Prints the number that a program prints.
fn run(folder: &Path, name: &str, profile: &str) -> Result<()> {
    let build = if profile == "dev" { "debug" } else { profile };
    let program: PathBuf = folder.join("target").join(build).join(name);
    let output = Command::new(&program).output()?;
    eprintln!("{name}, {profile}: {}", String::from_utf8_lossy(&output.stdout).trim());
    if output.status.success() { Ok(()) } else { Err(Error::other(format!("{} failed", program.display()))) }
}

/// The processor time of the processes that this one started and that have ended, in seconds.
fn time_of_children() -> Result<f64> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    // Behind the name, which may have spaces: fields 3 and up. Fields 16 and 17 are the times, in hundredths of a
    // second.
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let field = |number: usize| fields.get(number - 3).and_then(|field| field.parse::<f64>().ok());
    let ticks = field(16).zip(field(17)).ok_or_else(|| Error::other("the system tells no processor time"))?;
    Ok((ticks.0 + ticks.1) / 100.0)
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::create_dir_all(path.parent().expect("it is in a folder"))?;
    fs::write(path, text)
}

/// `template` once for each number below `count`, with the number for `#0` and the next two for `#1` and `#2`, and the
/// set for `#set`.
fn repeat(count: usize, template: &str) -> String {
    let one = |number: usize| {
        let [own, first, second] = [0, 1, 2].map(|by| ((number + by) % count).to_string());
        let text = template.replace("#0", &own).replace("#1", &first).replace("#2", &second);
        text.replace("#set", &(number % 10).to_string())
    };
    (0..count).map(one).collect()
}
