//! [`Prover`]: runs each frame in several ways and compares the states.

use std::error::Error;
use std::panic::Location;

use ecs::snapshot::{Difference, DifferentValues, HashPart, StateHash};
use ecs::{Engine, EngineBuilder};

use crate::blame::{Window, enable_only, smallest, smallest_cause, writer};
use crate::check::{Beginning, Check, attempt, compare, snapshot};
use crate::process::{Restriction, Role, end_with, first_difference, hashes_elsewhere, line, line_of, this_call};
use crate::{Blamed, Fault, Program, Refuted};

/// How much was run without a difference.
#[derive(Clone, Debug, Default)]
pub struct Proof {
    /// The frames that were run.
    pub frames: u64,
    /// The frames that were checked.
    pub checked: u64,
    /// How often a frame was run once more.
    pub runs: u64,
    /// Why saves were not checked, if they were not.
    pub not_saved: Option<String>,
}

/// Checks a program; [`prove`] makes it.
pub struct Prover<M, S> {
    make: M,
    step: S,
    frames: u64,
    every: u64,
    threads: Vec<usize>,
    orders: Vec<u64>,
    rows: Vec<u64>,
    processes: u32,
}

/// Checks the program that `make` returns and `step` advances by one frame. `step` gets the number of steps before it,
/// by which it must choose its inputs.
pub fn prove<P, E, F, M, S>(make: M, step: S) -> Prover<M, S>
where
    P: Program,
    E: Into<Box<dyn Error + Send + Sync>>,
    F: Into<Box<dyn Error + Send + Sync>>,
    M: Fn(EngineBuilder) -> Result<P, E>,
    S: Fn(&mut P, u64) -> Result<(), F>,
{
    Prover {
        make,
        step,
        frames: 600,
        every: 1,
        threads: vec![2, 4],
        orders: Vec::new(),
        rows: Vec::new(),
        processes: 0,
    }
}

impl<M, S> Prover<M, S> {
    /// Runs this many frames; 600 by default.
    #[must_use]
    pub fn frames(mut self, frames: u64) -> Self {
        self.frames = frames;
        self
    }

    /// Checks each n-th frame; each one by default.
    #[must_use]
    pub fn every(mut self, frames: u64) -> Self {
        self.every = frames.max(1);
        self
    }

    /// The numbers of threads; 2 and 4 by default.
    #[must_use]
    pub fn threads(mut self, threads: impl IntoIterator<Item = usize>) -> Self {
        self.threads = threads.into_iter().collect();
        self
    }

    /// Also runs systems without a declared order in an order shuffled by each seed. Without this call the order of
    /// registration counts as declared.
    #[must_use]
    pub fn orders(mut self, seeds: impl IntoIterator<Item = u64>) -> Self {
        self.orders = seeds.into_iter().collect();
        self
    }

    /// Also runs each frame with the rows of its entities in an order drawn from each seed: what then differs depends
    /// on the order in which entities came and went. Values of types that are registered for saving are compared, by
    /// entity.
    ///
    /// A program that spawns while it iterates depends on that order, as new entities get their ids one by one.
    #[must_use]
    pub fn rows(mut self, seeds: impl IntoIterator<Item = u64>) -> Self {
        self.rows = seeds.into_iter().collect();
        self
    }

    /// Also runs the program in so many processes of its own, where hash seeds, addresses and statics have other
    /// values, and compares the hashes of their states. The process is this one again: a test with its name alone, or a
    /// program with the same arguments, which must come to the same call of [`Prover::run`].
    #[must_use]
    pub fn processes(mut self, processes: u32) -> Self {
        self.processes = processes;
        self
    }

    /// Runs all checks up to the first fault.
    ///
    /// # Errors
    /// - [`Refuted::Fault`] if two runs differ.
    /// - [`Refuted::Failed`] if the program cannot be made, run or copied, or if its code panics.
    #[track_caller]
    pub fn run<P, E, F>(self) -> Result<Proof, Refuted>
    where
        P: Program,
        E: Into<Box<dyn Error + Send + Sync>>,
        F: Into<Box<dyn Error + Send + Sync>>,
        M: Fn(EngineBuilder) -> Result<P, E>,
        S: Fn(&mut P, u64) -> Result<(), F>,
    {
        let make = |builder: EngineBuilder| attempt("make the program", || (self.make)(builder));
        let step = |program: &mut P, at| attempt("run a frame", || (self.step)(program, at));
        let place = this_call(Location::caller());
        let mut processes = self.processes;
        match Role::of(&place) {
            Role::Prover => {}
            Role::Other => processes = 0,
            Role::Writer { file, restriction } => {
                let lines = match &restriction {
                    Some(restriction) => vec![line(&hash_of(&make, &step, restriction)?)],
                    None => hashes(&make, &step, self.frames)?.into_iter().map(line_of).collect(),
                };
                end_with(&file, &lines);
            }
        }
        // Never restored while it passes: what its snapshots lack stays in it, and is missing in the others.
        let mut first = make(Engine::builder())?;
        let mut others = vec![(vec![Check::OtherEngine, Check::Again], make(Engine::builder())?)];
        others.push((vec![Check::Loaded], make(Engine::builder())?));
        for &threads in &self.threads {
            let program = make(Engine::builder().threads(threads).parallel_threshold(0))?;
            others.push((vec![Check::Threads(threads)], program));
        }
        for &seed in &self.orders {
            let mut program = make(Engine::builder())?;
            program.engine().inspector().shuffle_order(Some(seed)).map_err(Refuted::failed("order the systems"))?;
            others.push((vec![Check::Order(seed)], program));
        }
        for &seed in &self.rows {
            others.push((vec![Check::Rows(seed)], make(Engine::builder())?));
        }
        if let Some(difference) = compare(&snapshot(first.engine())?, others[0].1.engine())? {
            let frame = first.engine().time().frame();
            let says = "made a second time, the program begins in another state";
            return Err(fault(frame, says.into(), difference, Some(Vec::new())).into());
        }
        let mut proof = Proof::default();
        let mut earlier = None;
        for at in 0..self.frames {
            proof.frames += 1;
            if at % self.every != 0 {
                let is_next_checked = (at + 1) % self.every == 0;
                earlier = if is_next_checked { Some(snapshot(first.engine())?) } else { None };
                step(&mut first, at)?;
                continue;
            }
            let before = Beginning::of(&mut first)?;
            if let Err(reason) = &before.saved {
                proof.not_saved.get_or_insert_with(|| reason.clone());
            }
            step(&mut first, at)?;
            let after = snapshot(first.engine())?;
            let frame = first.engine().time().frame();
            for (checks, program) in &mut others {
                for &check in checks.iter() {
                    if check == Check::Loaded && before.saved.is_err() {
                        continue;
                    }
                    if let Some(difference) = before.put_into(program, check)? {
                        let says = "a loaded save differs from what was saved";
                        return Err(fault(frame.saturating_sub(1), says.into(), difference, Some(Vec::new())).into());
                    }
                    // The first run could.
                    attempt(&format!("run frame {frame} once more, {check}"), || (self.step)(program, at))?;
                    proof.runs += 1;
                    if let Some(difference) = check.difference(&after, first.engine(), program.engine())? {
                        let (earlier, state) = (earlier.as_ref(), &before.snapshot);
                        let window = Window { earlier, before: state, at, difference: &difference };
                        let systems = smallest_cause(check, &window, &mut first, program, &step)?;
                        let mut fault = fault(frame, check.says(), difference, systems);
                        let run = |program: &mut P| step(program, at);
                        _ = before.put_into(&mut first, Check::OtherEngine);
                        let own = writer(&fault, &mut first, run);
                        _ = before.put_into(program, check);
                        fault.writers = [own, writer(&fault, program, run)];
                        return Err(fault.into());
                    }
                }
            }
            earlier = Some(before.snapshot);
            proof.checked += 1;
        }
        if processes > 0 {
            let own = hashes(&make, &step, self.frames)?;
            for _ in 0..processes {
                compare_with_another_process(&place, &own, &make, &step)?;
                proof.runs += own.len() as u64;
            }
        }
        Ok(proof)
    }
}

/// The hashes of the states after all steps.
fn hashes<P: Program>(
    make: &impl Fn(EngineBuilder) -> Result<P, Refuted>,
    step: &impl Fn(&mut P, u64) -> Result<(), Refuted>,
    frames: u64,
) -> Result<Vec<u64>, Refuted> {
    let mut program = make(Engine::builder())?;
    let mut hash = |at| {
        step(&mut program, at)?;
        Ok(program.engine().state_hash().map_err(Refuted::failed("hash the state"))?.whole)
    };
    (0..frames).map(&mut hash).collect()
}

/// The hash of the state after a step that some systems take alone.
fn hash_of<P: Program>(
    make: &impl Fn(EngineBuilder) -> Result<P, Refuted>,
    step: &impl Fn(&mut P, u64) -> Result<(), Refuted>,
    Restriction { step: last, systems }: &Restriction,
) -> Result<StateHash, Refuted> {
    let mut program = make(Engine::builder())?;
    (0..*last).try_for_each(|at| step(&mut program, at))?;
    enable_only(&systems.iter().map(String::as_str).collect::<Vec<_>>(), &mut program)?;
    step(&mut program, *last)?;
    program.engine().state_hash().map_err(Refuted::failed("hash the state"))
}

fn compare_with_another_process<P: Program>(
    place: &str,
    own: &[u64],
    make: &impl Fn(EngineBuilder) -> Result<P, Refuted>,
    step: &impl Fn(&mut P, u64) -> Result<(), Refuted>,
) -> Result<(), Refuted> {
    let others = hashes_elsewhere(place, None)?;
    if others.len() < own.len() {
        return Err(Refuted::failed("run the program in another process")("it has stopped"));
    }
    let Some(at) = own.iter().zip(&others).position(|(own, other)| line_of(*own) != *other) else { return Ok(()) };
    let last = at as u64;
    let mut program = make(Engine::builder())?;
    (0..last).try_for_each(|at| step(&mut program, at))?;
    let order = program.engine().explain().map_err(Refuted::failed("explain the order"))?.systems;
    step(&mut program, last)?;
    let (frame, check) = (program.engine().time().frame(), Check::Process.says());
    let difference = |systems: Vec<String>| -> Result<Option<HashPart>, Refuted> {
        let restriction = Restriction { step: last, systems };
        let own = hash_of(make, step, &restriction)?;
        let others = hashes_elsewhere(place, Some(&restriction))?;
        let part = others.last().and_then(|other| first_difference(&own, other));
        Ok(part.map(|part| own.parts[part].clone()))
    };
    let enabled = order.iter().filter(|system| system.is_enabled).map(|system| system.system.to_owned());
    let Some(HashPart { kind, name, .. }) = difference(enabled.collect())? else {
        let difference = Difference { kind: None, name: "state".into(), values: None };
        return Err(fault(frame, check, difference, None).into());
    };
    let systems = smallest(&order, |systems| {
        // A set of systems that fails says nothing.
        let found = difference(systems.iter().map(|system| (*system).to_owned()).collect()).unwrap_or_default();
        Ok(found.is_some_and(|part| (part.kind, &part.name) == (kind, &name)))
    })?;
    Err(fault(frame, check, Difference { kind, name, values: None }, systems).into())
}

fn fault(frame: u64, says: String, difference: Difference, systems: Option<Vec<Blamed>>) -> Fault {
    let field = difference.values.as_ref().and_then(DifferentValues::field);
    let comes_seldom = systems.is_none();
    let systems = systems.unwrap_or_default();
    Fault { frame, check: says, difference, field, writers: [None, None], comes_seldom, systems }
}
