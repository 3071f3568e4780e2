//! [`Check::Process`](crate::check::Check::Process): the program in a process of its own, where hash seeds, addresses
//! and statics have other values.
//!
//! The other process is this one again, with the same arguments; of a test, with the name of the test alone. It finds
//! out by its environment that it is to write hashes in place of proving.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::panic::Location;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::{env, fs, thread};

use ecs::snapshot::StateHash;

use crate::Refuted;

/// What the other process is to do: the place of the call of `run`, its file, and from which step on which systems run.
const PLACE: &str = "ECS_PROVE_PLACE";
const FILE: &str = "ECS_PROVE_FILE";
const FROM_STEP: &str = "ECS_PROVE_FROM_STEP";
const SYSTEMS: &str = "ECS_PROVE_SYSTEMS";

/// Some systems alone, from a step on, which is the last one.
#[derive(Clone, Debug)]
pub(crate) struct Restriction {
    pub(crate) step: u64,
    pub(crate) systems: Vec<String>,
}

thread_local! {
    /// How often `run` was called at each place by this thread, which is that of one test.
    static CALLS: RefCell<BTreeMap<String, u32>> = const { RefCell::new(BTreeMap::new()) };
}

/// The name of a call of `run`: its place in the source, and how many calls came before it there.
pub(crate) fn this_call(place: &Location<'_>) -> String {
    CALLS.with_borrow_mut(|calls| {
        let count = calls.entry(place.to_string()).or_default();
        *count += 1;
        format!("{place} {count}")
    })
}

/// What this process is to do, if another one has started it.
pub(crate) enum Role {
    /// It runs the checks.
    Prover,
    /// It writes hashes to the file and ends.
    Writer { file: PathBuf, restriction: Option<Restriction> },
    /// Another call of `run` is meant: it runs the checks, without other processes.
    Other,
}

impl Role {
    /// The role of this call.
    pub(crate) fn of(place: &str) -> Self {
        let (Ok(wanted), Some(file)) = (env::var(PLACE), env::var_os(FILE)) else { return Self::Prover };
        if wanted != place {
            return Self::Other;
        }
        let step = env::var(FROM_STEP).ok().and_then(|step| step.parse().ok());
        let systems = env::var(SYSTEMS).unwrap_or_default();
        let systems = systems.lines().map(str::to_owned).collect();
        Self::Writer { file: file.into(), restriction: step.map(|step| Restriction { step, systems }) }
    }
}

/// The hash of a state as one line.
pub(crate) fn line_of(hash: u64) -> String {
    format!("{hash:x}")
}

/// The hashes of all parts of a state as one line.
pub(crate) fn line(hash: &StateHash) -> String {
    let mut line = String::new();
    for part in &hash.parts {
        // A string takes all.
        _ = write!(line, "{:x} ", part.hash);
    }
    line
}

/// The place of the first part that differs.
pub(crate) fn first_difference(hash: &StateHash, other: &str) -> Option<usize> {
    let others: Vec<&str> = other.split_whitespace().collect();
    let is_other =
        |place: &usize| others.get(*place).is_none_or(|other| *other != format!("{:x}", hash.parts[*place].hash));
    (0..hash.parts.len()).find(is_other)
}

/// Runs this program in a process of its own; returns the line of each step, or that of the parts after the step of a
/// restriction.
pub(crate) fn hashes_elsewhere(place: &str, restriction: Option<&Restriction>) -> Result<Vec<String>, Refuted> {
    const ATTEMPT: &str = "run the program in another process";
    let program = env::current_exe().map_err(Refuted::failed(ATTEMPT))?;
    let current = thread::current();
    let file = env::temp_dir().join(format!("ecs_prove_{}_{:?}", std::process::id(), current.id()));
    let mut command = Command::new(program);
    match current.name() {
        // The harness names the thread of a test after it.
        Some(name) if name != "main" => _ = command.args([name, "--exact", "--include-ignored"]),
        _ => _ = command.args(env::args_os().skip(1)),
    }
    command.env(PLACE, place).env(FILE, &file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Some(Restriction { step, systems }) = restriction {
        command.env(FROM_STEP, step.to_string()).env(SYSTEMS, systems.join("\n"));
    }
    let status = command.status().map_err(Refuted::failed(ATTEMPT))?;
    let written = fs::read_to_string(&file);
    _ = fs::remove_file(&file);
    match written {
        Ok(lines) => Ok(lines.lines().map(str::to_owned).collect()),
        Err(_) => {
            let sentence = format!("it has written no hashes, and ended with {status}: is it started otherwise?");
            Err(Refuted::failed(ATTEMPT)(sentence))
        }
    }
}

/// Writes the hashes, and ends the process.
pub(crate) fn end_with(file: &PathBuf, lines: &[String]) -> ! {
    let text: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
    let written = fs::File::create(file).and_then(|mut file| file.write_all(text.as_bytes()));
    std::process::exit(i32::from(written.is_err()))
}
