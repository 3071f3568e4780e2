//! [`Finding`]: inputs that break a program, and [`Explored`], all that a search has found.

use std::fmt;

/// What breaks a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindingKind {
    /// An invariant, or a check in Rust, does not hold.
    Broken,
    /// A step, or a check, panics.
    Panic,
    /// A step ends with an error.
    Error,
    /// The same inputs from the beginning end in another state.
    Difference,
}

/// What a step has broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Broken {
    pub(crate) kind: FindingKind,
    pub(crate) name: String,
    pub(crate) sentence: String,
}

/// How often a finding comes if other inputs are drawn from a step on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Likelihood {
    /// The number of steps that are kept.
    pub step: usize,
    /// The share of the runs that end in it, 0 to 1.
    pub share: f32,
}

/// Inputs that break a program.
#[derive(Clone, Debug)]
pub struct Finding<I> {
    /// Which of the four kinds it is.
    pub kind: FindingKind,
    /// The name of the invariant or of the check; otherwise what was attempted.
    pub name: String,
    /// What was seen: the entity and the values, the text of the panic, or the error.
    pub sentence: String,
    /// The shortest inputs that were found to show it, one for each step from the beginning. The last one breaks it.
    pub inputs: Vec<I>,
    /// How many steps the inputs had that showed it first.
    pub first_steps: usize,
    /// How many steps had been played in all when it was found.
    pub found_after: u64,
    /// How often it comes if other inputs are drawn from a step on, by the step; empty unless
    /// [`Explorer::inevitable`](crate::Explorer::inevitable) was asked for.
    pub likelihoods: Vec<Likelihood>,
}

impl<I> Finding<I> {
    pub(crate) fn is_like(&self, broken: &Broken) -> bool {
        (self.kind, &self.name) == (broken.kind, &broken.name)
    }

    /// The two neighbouring steps between which it became most likely: what happened there is where to look.
    #[must_use]
    pub fn turning_point(&self) -> Option<[Likelihood; 2]> {
        let pairs = self.likelihoods.windows(2).map(|pair| [pair[0], pair[1]]);
        let rise = |[before, after]: &[Likelihood; 2]| after.share - before.share;
        let steepest = pairs.max_by(|one, other| rise(one).total_cmp(&rise(other)))?;
        (rise(&steepest) > 0.0).then_some(steepest)
    }
}

impl<I> fmt::Display for Finding<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, sentence, inputs, first_steps, found_after, .. } = self;
        let steps = inputs.len();
        match self.kind {
            FindingKind::Broken => write!(f, "step {steps} breaks \"{name}\": {sentence}")?,
            FindingKind::Panic => write!(f, "step {steps} panics: {sentence}")?,
            FindingKind::Error => write!(f, "step {steps} fails: {sentence}")?,
            FindingKind::Difference => {
                write!(f, "after {steps} steps the same inputs lead to another state: {sentence}")?
            }
        }
        write!(
            f,
            "\n  found after {found_after} steps in all, in a run of {first_steps}, which was shrunk to {steps}"
        )?;
        for Likelihood { step, share } in &self.likelihoods {
            write!(f, "\n  with other inputs behind step {step} it comes in {:.0} % of runs", 100.0 * share)?;
        }
        if let Some([before, after]) = self.turning_point() {
            match before.step + 1 == after.step {
                true => write!(f, "\n  look at step {}: there it became likely", after.step)?,
                false => write!(f, "\n  look at steps {} to {}: there it became likely", before.step + 1, after.step)?,
            }
        }
        Ok(())
    }
}

/// What a search has found.
#[derive(Clone, Debug)]
pub struct Explored<I> {
    /// What breaks the program, in the order in which it was found; no two of the same kind and name.
    pub findings: Vec<Finding<I>>,
    /// The steps that were played, without those of shrinking.
    pub steps: u64,
    /// The states that were kept to go on from.
    pub states: usize,
    /// How many different things were seen: events, pairs of them, components together, numbers of entities, states.
    pub seen: usize,
    /// The names of what must be seen sometimes and was not.
    pub never_seen: Vec<String>,
    /// The names of invariants that were asked of no entity, since none had the components: they have shown nothing.
    pub never_asked: Vec<String>,
}

impl<I> Default for Explored<I> {
    fn default() -> Self {
        Self { findings: Vec::new(), steps: 0, states: 0, seen: 0, never_seen: Vec::new(), never_asked: Vec::new() }
    }
}

impl<I> Explored<I> {
    /// Adds what another worker has found.
    pub(crate) fn add(&mut self, other: Self, most_findings: usize) {
        let is_first = self.steps == 0;
        for finding in other.findings {
            let is_known = self.findings.iter().any(|known| (known.kind, &known.name) == (finding.kind, &finding.name));
            if !is_known && self.findings.len() < most_findings {
                self.findings.push(finding);
            }
        }
        self.steps += other.steps;
        self.states += other.states;
        self.seen = self.seen.max(other.seen);
        for (own, others) in [(&mut self.never_seen, other.never_seen), (&mut self.never_asked, other.never_asked)] {
            match is_first {
                true => *own = others,
                false => own.retain(|name| others.contains(name)),
            }
        }
    }
}

impl<I> fmt::Display for Explored<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { findings, steps, states, seen, never_seen, never_asked } = self;
        for finding in findings {
            writeln!(f, "{finding}")?;
        }
        write!(f, "{steps} steps, {seen} different things seen, {states} states kept: ")?;
        match findings.len() {
            0 => write!(f, "nothing found")?,
            1 => write!(f, "1 finding")?,
            count => write!(f, "{count} findings")?,
        }
        if !never_seen.is_empty() {
            write!(f, "\nnever seen: {}", never_seen.join(", "))?;
        }
        if !never_asked.is_empty() {
            write!(f, "\nasked of no entity: {}", never_asked.join(", "))?;
        }
        Ok(())
    }
}
