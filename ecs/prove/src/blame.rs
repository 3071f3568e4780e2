//! The smallest cause of a fault: the frame is repeated with fewer and fewer systems.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::Snapshot;
use ecs::snapshot::Difference;
use ecs::system::ScheduledSystem;

use crate::check::{Beginning, Check, snapshot};
use crate::fewest::fewest;
use crate::{Blamed, Fault, Program, Refuted};

/// Runs of one set of systems, since a clock or a random number may show the same value twice.
const ATTEMPTS: usize = 3;
/// Of a fault that comes seldom there are more: so many for each run that it took to come again, up to a limit.
const ATTEMPTS_FOR_EACH: usize = 4;
const MOST_ATTEMPTS: usize = 64;

/// The frame in which two runs differ.
pub(crate) struct Window<'a> {
    /// The state a frame before, if it is known. From there the first run goes on without a restore, so that it has
    /// what snapshots lack.
    pub(crate) earlier: Option<&'a Snapshot>,
    /// The state before the frame.
    pub(crate) before: &'a Snapshot,
    /// The number of steps before the frame.
    pub(crate) at: u64,
    /// What differs. With fewer systems other types may differ, too, which says nothing about this one.
    pub(crate) difference: &'a Difference,
}

/// Systems that show the fault together, and not if one of them is disabled, in execution order. `None` if it comes
/// only sometimes.
pub(crate) fn smallest_cause<P: Program>(
    check: Check,
    window: &Window<'_>,
    first: &mut P,
    other: &mut P,
    step: &dyn Fn(&mut P, u64) -> Result<(), Refuted>,
) -> Result<Option<Vec<Blamed>>, Refuted> {
    first.engine().restore(window.before).map_err(Refuted::failed("restore a snapshot"))?;
    let order = first.engine().explain().map_err(Refuted::failed("explain the order"))?.systems;
    let all: Vec<&str> = order.iter().filter(|system| system.is_enabled).map(|system| system.system).collect();
    let mut attempts = 1;
    while !differs(&all, check, window, first, other, step, 1)? {
        attempts += 1;
        if attempts > MOST_ATTEMPTS {
            return Ok(None);
        }
    }
    let attempts = (ATTEMPTS_FOR_EACH * attempts).clamp(ATTEMPTS, MOST_ATTEMPTS);
    smallest(&order, |systems| differs(systems, check, window, first, other, step, attempts))
}

/// The fewest of the enabled systems with which two runs differ; none if they differ without any. `None` if they do not
/// differ with all of them when they are run again.
pub(crate) fn smallest(
    order: &[ScheduledSystem],
    mut differs: impl FnMut(&[&str]) -> Result<bool, Refuted>,
) -> Result<Option<Vec<Blamed>>, Refuted> {
    let mut left: Vec<&str> = order.iter().filter(|system| system.is_enabled).map(|system| system.system).collect();
    left.dedup();
    if differs(&[])? {
        return Ok(Some(Vec::new()));
    }
    if !differs(&left)? {
        return Ok(None);
    }
    let kept = fewest(left.len(), |kept| differs(&kept.iter().map(|place| left[*place]).collect::<Vec<_>>()))?;
    let kept: Vec<&str> = kept.into_iter().map(|place| left[place]).collect();
    let blamed = order.iter().filter(|system| kept.contains(&system.system)).map(|system| Blamed {
        system: system.system.to_owned(),
        phases: system.phases.iter().map(|phase| phase.phase.to_owned()).collect(),
        events: system.listens.iter().map(|event| (*event).to_owned()).collect(),
    });
    Ok(Some(blamed.collect()))
}

/// Whether the same type differs behind the two runs of the frame if only these systems are enabled. A set of systems
/// that panics or fails says nothing, so it does not differ.
fn differs<P: Program>(
    systems: &[&str],
    check: Check,
    window: &Window<'_>,
    first: &mut P,
    other: &mut P,
    step: &dyn Fn(&mut P, u64) -> Result<(), Refuted>,
    attempts: usize,
) -> Result<bool, Refuted> {
    for _ in 0..attempts {
        let attempt = || -> Result<bool, Refuted> {
            let start = window.earlier.unwrap_or(window.before);
            first.engine().restore(start).map_err(Refuted::failed("restore a snapshot"))?;
            enable_only(systems, first)?;
            if window.earlier.is_some() {
                step(first, window.at - 1)?;
                // A program may enable systems itself, as a game does whose match begins.
                enable_only(systems, first)?;
            }
            let before = Beginning::of(first)?;
            step(first, window.at)?;
            let after = snapshot(first.engine())?;
            let times = if check == Check::Again { 2 } else { 1 };
            for _ in 0..times {
                before.put_into(other, check)?;
                step(other, window.at)?;
            }
            let difference = check.difference(&after, first.engine(), other.engine())?;
            let (kind, name) = (window.difference.kind, &window.difference.name);
            Ok(difference.is_some_and(|other| other.kind == kind && other.name == *name))
        };
        if let Ok(Ok(true)) = catch_unwind(AssertUnwindSafe(attempt)) {
            return Ok(true);
        }
    }
    Ok(false)
}

pub(crate) fn enable_only<P: Program>(systems: &[&str], program: &mut P) -> Result<(), Refuted> {
    let state = program.engine().work_state().with_only(systems.iter().copied());
    program.engine().set_work_state(&state).map_err(Refuted::failed("disable systems"))
}

/// What writes the value of a fault last in a frame that `run` runs; `None` if that cannot be told.
pub(crate) fn writer<P: Program>(
    fault: &Fault,
    program: &mut P,
    run: impl Fn(&mut P) -> Result<(), Refuted>,
) -> Option<String> {
    let name = &*fault.difference.name;
    let entity = fault.difference.values.as_ref().and_then(|values| values.entity);
    let inspector = program.engine().inspector();
    // The path is that of the printed value, which may have other names than the saved one.
    let part = fault.field.as_ref().map(|(path, ..)| format!("{name}.{path}"));
    let part = part.and_then(|part| inspector.field(entity, &part).ok());
    let field = part.or_else(|| inspector.field(entity, name).ok())?;
    program.engine().inspector().begin_blame(&field);
    let ran = run(program);
    let blame = program.engine().inspector().end_blame()?;
    ran.ok()?;
    blame.writes.last().map(ToString::to_string)
}
