//! `bounty_hunter doctor`: why the states of two peers differ, on one page.

use std::io::Write;
use std::path::{Path, PathBuf};

use bounty_hunter::assets::Assets;
use bounty_hunter::foreign_file::{self, FileKind};
use bounty_hunter::input::Inputs;
use bounty_hunter::replay::{Playback, Replay};
use bounty_hunter::simulation::Simulation;
use ecs::inspect::{ComparedRun, Comparison, Folding, StateDump};
use ecs::snapshot::{HashPart, StateHash};
use ecs::{Engine, EngineBuilder};
use ecs_prove::{Diagnosis, diagnose, needed_inputs};

use super::arguments::DoctorArguments;
use super::compare::side::Side;
use super::compare::{blamed, write_blamed};
use super::output::write_line;
use super::prove::Match;
use super::replay::{read, refuse, write};
use super::{Failure, read_assets};

/// Pairs of processes that are compared until one differs.
const ATTEMPTS: usize = 4;

/// A report that a peer wrote when its state differed from that of another one.
struct Report {
    file: PathBuf,
    replay: Replay,
    /// The last state that both had; `None` if the match began with it.
    common: Option<PathBuf>,
    /// The states of the host and of the member.
    states: Option<[PathBuf; 2]>,
}

impl Report {
    /// The replay, and what lies beside it.
    fn read(arguments: &DoctorArguments) -> Result<Self, Failure> {
        let file = arguments.file.clone();
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let beside = |part: &str| {
            let path = file.with_file_name(format!("{}{part}.save", name.strip_suffix("match.replay")?));
            path.exists().then_some(path)
        };
        let states = match arguments.states.as_deref() {
            Some([one, other]) => Some([one.clone(), other.clone()]),
            _ => beside("host").zip(beside("member")).map(|(host, member)| [host, member]),
        };
        let common = arguments.common.clone().or_else(|| beside("common"));
        Ok(Self { replay: read(&file)?, file, common, states })
    }
}

/// A match in a process of its own that begins with another step than the first.
struct Shifted {
    side: Side,
    begin: u64,
    end: u64,
}

impl ComparedRun for Shifted {
    type Error = Failure;

    fn hash_at(&mut self, frame: u64) -> Result<Option<StateHash>, Failure> {
        if self.begin + frame > self.end { Ok(None) } else { self.side.hash_at(self.begin + frame) }
    }

    fn dump(&mut self) -> Result<StateDump, Failure> {
        self.side.dump()
    }
}

/// Prints why the states of a report differ.
pub(crate) fn diagnose_report(arguments: &DoctorArguments, out: &mut impl Write) -> Result<(), Failure> {
    let report = Report::read(arguments)?;
    let assets = read_assets(arguments.assets.as_deref())?;
    let make = |engine: EngineBuilder| -> Result<Match, Failure> {
        let playback = Playback::new(report.replay.clone(), &assets, engine);
        Ok(Match(playback.map_err(|error| refuse(&report.file, &error))?.into_parts().1))
    };
    let begin = step_of(&make, report.common.as_deref())?.unwrap_or(0);
    let of_states = report.states.as_ref().map(|[one, _]| step_of(&make, Some(one.as_path()))).transpose()?;
    let end = of_states.flatten().unwrap_or(report.replay.about().steps);
    let steps = report.replay.about().steps;
    if end <= begin || end > steps {
        let sentence =
            format!("the states are of step {end}, which does not come after step {begin}, up to step {steps}");
        return Err(Failure::BadInput(sentence));
    }
    // That of another build may be unreadable here, which is told below.
    let of_other = report.states.as_ref().and_then(|[_, other]| step_of(&make, Some(other.as_path())).ok().flatten());
    if let Some(other) = of_other.filter(|other| *other != end) {
        return Err(Failure::BadInput(format!("the states are of different steps, {end} and {other}")));
    }
    let inputs = inputs(&report, &assets, begin, end)?;
    match report.common {
        Some(_) => {
            write_line(out, format_args!("both had the state of step {begin}; the states differ in step {end}"))?
        }
        None => write_line(out, format_args!("played from its first step; the states differ in step {end}"))?,
    }
    let diagnosis = diagnosis(&report, make, &inputs)?;
    for line in diagnosis.to_string().lines() {
        write_line(out, format_args!("{line}"))?;
    }
    let mut step = diagnosis.fault.as_ref().map(|fault| fault.frame);
    if diagnosis.fault.is_none() {
        step = compare_processes(&report, arguments, (begin, end), &inputs, out)?;
    }
    let file = report.file.display();
    let at = step.unwrap_or(end);
    write_line(out, format_args!("open it: bounty_hunter replay {file} --at {at} --studio"))?;
    if let Some(with) = &arguments.with {
        write_line(out, format_args!("and beside it: {} replay {file} --at {at} --studio", with.display()))?;
    }
    Ok(())
}

fn diagnosis(
    report: &Report,
    make: impl Fn(EngineBuilder) -> Result<Match, Failure> + Sync,
    inputs: &[Inputs],
) -> Result<Diagnosis<Inputs>, Failure> {
    let step = |game: &mut Match, inputs: &Inputs| -> Result<(), ecs::Error> {
        game.0.step(inputs);
        Ok(())
    };
    let make = |engine: EngineBuilder| make(engine).map_err(Failure::sentence);
    let mut doctor = diagnose(make, step, inputs.to_vec());
    if let Some(common) = &report.common {
        doctor = doctor.from(state(common)?);
    }
    if let Some([one, other]) = &report.states {
        doctor = doctor.states(state(one)?, state(other)?);
    }
    doctor.run().map_err(|refuted| Failure::BadInput(refuted.to_string().replace('\n', " ")))
}

/// Plays the match by both builds, or in two processes of this one, from the state that both had; returns the step in
/// which they part.
fn compare_processes(
    report: &Report,
    arguments: &DoctorArguments,
    (begin, end): (u64, u64),
    inputs: &[Inputs],
    out: &mut impl Write,
) -> Result<Option<u64>, Failure> {
    let here = std::env::current_exe();
    let here = here.map_err(|error| Failure::BadInput(format!("this program is not found: {error}")))?;
    let with = arguments.with.as_deref().unwrap_or(&here);
    let compared = |file: &Path| -> Result<([Shifted; 2], Comparison), Failure> {
        let (assets, common) = (arguments.assets.as_deref(), report.common.as_deref());
        let start =
            |program: &Path| Ok(Shifted { side: Side::start(program, file, assets, common, false)?, begin, end });
        let (one, other): (Result<Shifted, Failure>, _) = (start(&here), start(with));
        let (mut one, mut other) = (one?, other?);
        let comparison = Comparison::of(&mut one, &mut other, &Folding::default())?;
        Ok(([one, other], comparison))
    };
    let mut compared_first = compared(&report.file)?;
    // Two processes may be alike in what they depend on.
    for attempt in 1..ATTEMPTS {
        if arguments.with.is_none() && compared_first.1.frame.is_none() {
            // Threads take numbers of processes, so that those of the two differ by another number.
            (0..attempt).for_each(|_| _ = std::thread::spawn(|| ()).join());
            compared_first = compared(&report.file)?;
        }
    }
    let ([mut one, mut other], mut comparison) = compared_first;
    let Some(frame) = comparison.frame else {
        match arguments.with {
            Some(_) => {
                write_line(out, format_args!("both builds play it alike, so something changed it from outside"))?
            }
            None => write_line(out, format_args!("if the other peer has another build, name it by --with"))?,
        }
        return Ok(None);
    };
    let step = begin + frame;
    comparison.frame = Some(step);
    comparison.folded.iter_mut().for_each(|(folded, _)| *folded += begin);
    match arguments.with {
        Some(_) => write_line(out, format_args!("the builds part; this one is the first:"))?,
        None => write_line(out, format_args!("two processes of this program part, so it depends on its process:"))?,
    }
    comparison.told("step").to_string().lines().try_for_each(|line| write_line(out, format_args!("{line}")))?;
    if frame == 0 {
        write_line(out, format_args!("they differ before a step is taken: one of them loads it otherwise"))?;
        return Ok(Some(step));
    }
    if let Some(system) = first_system(&mut one.side, &mut other.side, &comparison)? {
        write_line(out, format_args!("  system {system} is the first in the order that does something else"))?;
    }
    write_blamed(&blamed(&comparison, &mut one.side, &mut other.side)?, out)?;
    let first = comparison.differences.first().map(|difference| difference.place());
    let part = std::env::temp_dir().join(format!("bounty_hunter_doctor_{}.replay", std::process::id()));
    let steps = usize::try_from(frame).unwrap_or(inputs.len()).min(inputs.len());
    let kept = needed_inputs(steps, |kept| {
        let is_kept = |step: u64| step <= begin || kept.iter().any(|place| begin + 1 + *place as u64 == step);
        let replay = report.replay.with_inputs_of(is_kept);
        // A run that fails without an input says nothing.
        let again = write(&part, &replay).and_then(|()| compared(&part));
        again.is_ok_and(|(_, other)| other.differences.first().map(|difference| difference.place()) == first)
    });
    _ = std::fs::remove_file(&part);
    let steps: Vec<_> = kept.iter().map(|place| (begin + 1 + *place as u64).to_string()).collect();
    match steps.is_empty() {
        true => write_line(out, format_args!("they part without any input, too"))?,
        false => write_line(out, format_args!("it needs the inputs of these steps: {}", steps.join(", ")))?,
    }
    Ok(Some(step))
}

/// The first system in the order with which what differs does so, if only those up to it run.
fn first_system(one: &mut Side, other: &mut Side, comparison: &Comparison) -> Result<Option<String>, Failure> {
    let differing = |hash: Option<StateHash>| -> Vec<_> {
        let is_different = |part: &HashPart| {
            comparison.differences.iter().any(|found| (found.kind, &*found.name) == (part.kind, &*part.name))
        };
        let parts = hash.map(|hash| hash.parts).unwrap_or_default().into_iter().filter(is_different);
        parts.map(|part| (part.name, part.hash)).collect()
    };
    let order = one.systems()?;
    for count in 0..=order.len() {
        let first = &order[..count];
        let hashes = [one.hash_of_systems(first)?, other.hash_of_systems(first)?].map(&differing);
        if hashes[0] != hashes[1] {
            // Without any system, it is no system.
            return Ok(count.checked_sub(1).map(|last| order[last].clone()));
        }
    }
    Ok(None)
}

/// The step of a saved state.
fn step_of(
    make: &impl Fn(EngineBuilder) -> Result<Match, Failure>,
    file: Option<&Path>,
) -> Result<Option<u64>, Failure> {
    let Some(file) = file else { return Ok(None) };
    let mut game: Simulation = make(Engine::builder())?.0;
    game.load(&state(file)?).map_err(|error| refused(file, &error))?;
    Ok(Some(game.tick()))
}

fn inputs(report: &Report, assets: &Assets, begin: u64, end: u64) -> Result<Vec<Inputs>, Failure> {
    let playback = Playback::new(report.replay.clone(), assets, Engine::builder());
    let (_, _, mut inputs) = playback.map_err(|error| refuse(&report.file, &error))?.into_parts();
    Ok((begin + 1..=end).map(|step| inputs.remove(&step).unwrap_or_default()).collect())
}

fn state(file: &Path) -> Result<Vec<u8>, Failure> {
    foreign_file::read(file, FileKind::State).map_err(|error| refused(file, &foreign_file::problem(&error)))
}

fn refused(file: &Path, problem: &impl std::fmt::Display) -> Failure {
    Failure::BadInput(format!("the state {} cannot be loaded: {problem}", file.display()))
}
