//! [`Explorer`]: plays with drawn inputs from states that were not seen before, and looks for what breaks a program.
//!
//! | module | contents |
//! |---|---|
//! | `archive` | the states that lead on, how they were reached, and the file that keeps that |
//! | `novelty` | what is new about a state |
//! | `player` | plays inputs and checks each step |
//! | `finding` | what was found |
//! | `shrink` | the shortest inputs that still show it |
//! | `inevitable` | from which step on it cannot be avoided |

mod archive;
mod finding;
mod inevitable;
mod novelty;
mod player;
mod shrink;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use ecs::EngineBuilder;
use ecs::random::RandomStream;

use self::archive::{Archive, read_trails, written_trails};
pub use self::finding::{Explored, Finding, FindingKind, Likelihood};
use self::player::{Player, Rules, Trail};
use crate::{AnyError, Program, Refuted};

/// Looks for inputs that break a program; [`explore`] makes it.
pub struct Explorer<'a, P, I> {
    rules: Rules<'a, P, I>,
    steps: u64,
    longest: usize,
    seed: u64,
    workers: usize,
    most_findings: usize,
    branches: bool,
    attempts: u32,
    seeds: Option<PathBuf>,
}

/// Explores the program that `make` returns and `step` advances by one frame, with inputs that `draw` draws. What
/// happens must follow from the inputs alone; a run that shows otherwise is a finding.
///
/// It stands on snapshots of the engine, so state outside of it must decide nothing.
///
/// # Example
/// ```
/// use std::time::Duration;
/// use ecs::prelude::*;
/// use ecs::random::RandomStream;
/// use ecs::EngineBuilder;
/// use ecs_prove::{Refuted, explore};
///
/// #[derive(Clone, serde::Serialize, serde::Deserialize)]
/// struct Lock { turned: u32 }
///
/// #[derive(Clone, Copy)]
/// struct Turn(u32);
///
/// // It opens after 1, 2, 3, 4, 5.
/// fn turn(turn: &Turn, mut lock: ResMut<Lock>) {
///     lock.turned = if turn.0 == lock.turned + 1 { turn.0 } else { 0 };
/// }
///
/// fn make(engine: EngineBuilder) -> Result<Engine, ecs::Error> {
///     let mut engine = engine.build();
///     engine.types_mut().resource_by::<Lock>("lock", |lock, hash| _ = hash.add(&lock.turned))?.save::<Lock>(1)?;
///     engine.types_mut().event_by::<Turn>("turn", |turn, hash| _ = hash.add(&turn.0))?;
///     engine.insert_resource(Lock { turned: 0 });
///     engine.add(turn)?;
///     Ok(engine)
/// }
///
/// let step = |engine: &mut Engine, number: &u32| {
///     engine.send(Turn(*number));
///     engine.update(Duration::from_millis(16))
/// };
/// let draw = |random: &mut RandomStream| 1 + random.below(9);
/// let explored = explore(make, step, draw).invariants("it stays locked: lock.turned < 5").steps(20_000).run()?;
/// let finding = &explored.findings[0];
/// assert_eq!(finding.name, "it stays locked");
/// assert_eq!(finding.inputs, [1, 2, 3, 4, 5]);
/// # Ok::<(), Refuted>(())
/// ```
pub fn explore<'a, P, I, E, F>(
    make: impl Fn(EngineBuilder) -> Result<P, E> + Sync + 'a,
    step: impl Fn(&mut P, &I) -> Result<(), F> + Sync + 'a,
    draw: impl Fn(&mut RandomStream) -> I + Sync + 'a,
) -> Explorer<'a, P, I>
where
    P: Program,
    I: Clone + Send,
    E: Into<AnyError>,
    F: Into<AnyError>,
{
    let make = move |engine: EngineBuilder| make(engine).map_err(Into::into);
    let step = move |program: &mut P, input: &I| step(program, input).map_err(Into::into);
    Explorer {
        rules: Rules::new(Box::new(make), Box::new(step), Box::new(draw)),
        steps: 100_000,
        longest: 10_000,
        seed: 0,
        workers: 1,
        most_findings: 1,
        branches: true,
        attempts: 0,
        seeds: None,
    }
}

impl<'a, P: Program, I: Clone + Send> Explorer<'a, P, I> {
    /// What must hold after each step: lines of a name, a colon and a question, as
    /// [`Invariants`](ecs::inspect::Invariants) reads them.
    #[must_use]
    pub fn invariants(mut self, text: &str) -> Self {
        self.rules.invariants.push_str(text);
        self.rules.invariants.push('\n');
        self
    }

    /// What must hold after each step, in Rust.
    #[must_use]
    pub fn check(mut self, name: &str, check: impl Fn(&mut P) -> Result<(), String> + Sync + 'a) -> Self {
        self.rules.checks.push((name.to_owned(), Box::new(check)));
        self
    }

    /// What must be seen in some step. The search is drawn to what was not seen yet, and what was never seen is listed
    /// in the end.
    #[must_use]
    pub fn sometimes(mut self, name: &str, question: &str) -> Self {
        self.rules.sometimes.push((name.to_owned(), question.to_owned()));
        self
    }

    /// A question whose value tells states apart, such as `hero.room`: a state with a value that was not seen before is
    /// kept. Events, components together and numbers of entities are compared without it.
    #[must_use]
    pub fn states(mut self, question: &str) -> Self {
        self.rules.states.push(question.to_owned());
        self
    }

    /// Simpler inputs to try in the place of one while a finding is shrunk, the simplest first.
    #[must_use]
    pub fn simpler(mut self, simpler: impl Fn(&I) -> Vec<I> + Sync + 'a) -> Self {
        self.rules.simpler = Some(Box::new(simpler));
        self
    }

    /// Plays this many steps in all; 100,000 by default. Shrinking takes at most as many once more,
    /// or what playing the finding 200 times takes.
    #[must_use]
    pub fn steps(mut self, steps: u64) -> Self {
        self.steps = steps;
        self
    }

    /// The most steps from the beginning of the program; 10,000 by default.
    #[must_use]
    pub fn longest(mut self, steps: usize) -> Self {
        self.longest = steps.max(1);
        self
    }

    /// In half of the runs, an input that was drawn stays for 1, 2, 4 and so on up to so many steps, as a key that a
    /// person holds; 16 by default. 1 is right for a game of turns.
    #[must_use]
    pub fn held(mut self, steps: u32) -> Self {
        self.rules.held = steps.max(1);
        self
    }

    /// Another seed draws other inputs.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Explores on this many threads, each with inputs and states of its own; 1 by default. With one, the same seed
    /// finds the same; with more, one that finds something stops the others.
    #[must_use]
    pub fn workers(mut self, workers: usize) -> Self {
        self.workers = workers.max(1);
        self
    }

    /// Goes on until so many different things were found; 1 by default.
    #[must_use]
    pub fn findings(mut self, findings: usize) -> Self {
        self.most_findings = findings.max(1);
        self
    }

    /// For each finding, asks from which step on it is inevitable: plays on so often from earlier steps with other
    /// inputs. 0, the default, asks nothing.
    #[must_use]
    pub fn inevitable(mut self, attempts: u32) -> Self {
        self.attempts = attempts;
        self
    }

    /// Goes on from what is kept in this file, if it is there, and writes to it what led to new states: numbers from
    /// which the inputs are drawn again.
    #[must_use]
    pub fn seeds(mut self, file: impl AsRef<Path>) -> Self {
        self.seeds = Some(file.as_ref().to_owned());
        self
    }

    /// Starts every run at the beginning, like a random test, so that the search can be compared with one.
    #[must_use]
    pub fn without_branches(mut self) -> Self {
        self.branches = false;
        self
    }

    /// Plays until the steps are used up or enough was found.
    ///
    /// # Errors
    /// - [`Refuted::Failed`] if the program cannot be made or copied, a question cannot be read, or the file of seeds
    ///   cannot be read or written.
    pub fn run(self) -> Result<Explored<I>, Refuted> {
        let kept = match &self.seeds {
            Some(file) => read_trails(file)?,
            None => Vec::new(),
        };
        let is_over = AtomicBool::new(false);
        let explore = |worker: usize| -> Result<(Explored<I>, Vec<Trail>), Refuted> {
            let explored = self.explore(worker, &kept, &is_over);
            if explored.as_ref().map_or(true, |(explored, _)| !explored.findings.is_empty()) {
                is_over.store(true, Ordering::Relaxed);
            }
            explored
        };
        let all = thread::scope(|scope| {
            let others: Vec<_> = (1..self.workers).map(|worker| scope.spawn(move || explore(worker))).collect();
            let mut all = vec![explore(0)];
            all.extend(
                others
                    .into_iter()
                    .map(|other| other.join().unwrap_or_else(|payload| std::panic::resume_unwind(payload))),
            );
            all
        });
        let (mut explored, mut trails) = (Explored::default(), Vec::new());
        for outcome in all {
            let (part, reached) = outcome?;
            explored.add(part, self.most_findings);
            trails.extend(reached);
        }
        if let Some(file) = self.seeds.as_ref().filter(|_| self.branches) {
            // Whole or not at all.
            let part = file.with_added_extension("part");
            let written = fs::write(&part, written_trails(&trails)).and_then(|()| fs::rename(&part, file));
            written.map_err(Refuted::failed(&format!("write {}", file.display())))?;
        }
        Ok(explored)
    }

    fn explore(
        &self,
        worker: usize,
        kept: &[Trail],
        is_over: &AtomicBool,
    ) -> Result<(Explored<I>, Vec<Trail>), Refuted> {
        // The first worker takes what cannot be divided.
        let workers = self.workers as u64;
        let budget = self.steps / workers + if worker == 0 { self.steps % workers } else { 0 };
        let mut random = RandomStream::new(self.seed, "explorer").split(worker as u64);
        let mut player = Player::new(&self.rules)?;
        let mut archive = Archive::new(player.beginning().clone());
        let mut explored = Explored::default();
        // Each worker begins with a share of what is kept.
        let mut waiting = kept.iter().skip(worker).step_by(self.workers);
        let mut is_ended = false;
        while !is_ended && explored.steps < budget && !(self.workers > 1 && is_over.load(Ordering::Relaxed)) {
            let left = (budget - explored.steps) as usize;
            // What is kept takes at most half of the steps.
            let kept = if explored.steps <= budget / 2 { waiting.next() } else { None };
            let (from, segments) = match kept {
                Some(trail) => (0, trail.first_steps(self.longest.min(left))),
                None => {
                    let from = if self.branches { archive.choose(&mut random) } else { 0 };
                    let room = self.longest.saturating_sub(archive.length(from)).min(left);
                    let steps = if self.branches { 1 << random.below(7) } else { self.longest };
                    (from, vec![archive.segment(&mut random, steps.min(room))])
                }
            };
            let played = player.play(&mut archive, from, &segments, self.branches)?;
            explored.steps += played.steps as u64;
            if let Some((broken, trail)) = played.broken
                && !explored.findings.iter().any(|finding| finding.is_like(&broken))
            {
                let inputs = player.inputs_of(&trail);
                let finding = player.shrink(broken, inputs, explored.steps, budget)?;
                // Played from the beginning it may be another one that is known.
                if explored.findings.iter().all(|known| (known.kind, &known.name) != (finding.kind, &finding.name)) {
                    let finding = player.when_inevitable(finding, self.attempts, &mut random)?;
                    explored.findings.push(finding);
                    is_ended = explored.findings.len() == self.most_findings;
                }
            }
        }
        explored.states = archive.len();
        player.tell(&mut explored);
        let mut trails = archive.into_trails();
        // Those that there was no time for stay in the file.
        trails.extend(waiting.cloned());
        Ok((explored, trails))
    }
}
