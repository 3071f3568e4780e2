//! [`Prover`]: runs each frame in several ways and compares the states.

use std::error::Error;

use ecs::snapshot::{Difference, DifferentValues};
use ecs::{Engine, EngineBuilder};

use crate::blame::{Window, smallest_cause};
use crate::check::{Beginning, Check, attempt, compare, snapshot};
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
    Prover { make, step, frames: 600, every: 1, threads: vec![2, 4], orders: Vec::new(), rows: Vec::new() }
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

    /// Also runs each frame with the rows of its entities in an order drawn from each seed: what then differs depends on
    /// the order in which entities came and went. Values of types that are registered for saving are compared, by entity.
    ///
    /// A program that spawns while it iterates depends on that order, as new entities get their ids one after the other.
    #[must_use]
    pub fn rows(mut self, seeds: impl IntoIterator<Item = u64>) -> Self {
        self.rows = seeds.into_iter().collect();
        self
    }

    /// Runs all checks up to the first fault.
    ///
    /// # Errors
    /// - [`Refuted::Fault`] if two runs differ.
    /// - [`Refuted::Failed`] if the program cannot be made, run or copied, or if its code panics.
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
            return Err(fault(frame, says.into(), difference, Vec::new()).into());
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
                        return Err(fault(frame - 1, says.into(), difference, Vec::new()).into());
                    }
                    // The first run could.
                    attempt(&format!("run frame {frame} once more, {check}"), || (self.step)(program, at))?;
                    proof.runs += 1;
                    if let Some(difference) = check.difference(&after, first.engine(), program.engine())? {
                        let (earlier, before) = (earlier.as_ref(), &before.snapshot);
                        let window = Window { earlier, before, at, difference: &difference };
                        let systems = smallest_cause(check, &window, &mut first, program, &step)?;
                        return Err(fault(frame, check.says(), difference, systems).into());
                    }
                }
            }
            earlier = Some(before.snapshot);
            proof.checked += 1;
        }
        Ok(proof)
    }
}

fn fault(frame: u64, says: String, difference: Difference, systems: Vec<Blamed>) -> Fault {
    let field = difference.values.as_ref().and_then(DifferentValues::field);
    Fault { frame, check: says, difference, field, systems }
}
