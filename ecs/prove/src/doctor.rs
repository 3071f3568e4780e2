//! [`Doctor`]: why two runs of the same inputs that should be equal are not.

use std::fmt;

use ecs::inspect::{Comparison, Folding, StateDump};
use ecs::{Engine, EngineBuilder};

use crate::check::attempt;
use crate::fewest::needed_inputs;
use crate::{AnyError, Fault, Make, Program, Refuted, Step, prove};

/// Runs with the same inputs, since a clock or a random number may show the same value twice.
const ATTEMPTS: usize = 2;

/// Looks for the cause of a difference between two runs; [`diagnose`] makes it.
pub struct Doctor<'a, P, I> {
    make: Make<'a, P>,
    step: Step<'a, P, I>,
    inputs: Vec<I>,
    from: Option<Vec<u8>>,
    states: Option<[Vec<u8>; 2]>,
    threads: Vec<usize>,
}

/// What is known of a difference.
#[derive(Clone, Debug)]
pub struct Diagnosis<I> {
    /// In what the two states differ; `None` if they were not given, or if one cannot be read.
    pub differences: Option<Comparison>,
    /// Why a state cannot be read here, as that of another build.
    pub unreadable: [Option<String>; 2],
    /// Whether this program, played from the state that both had, leads to each of them.
    pub is_led_to: [bool; 2],
    /// What makes two runs of this program differ. Without it the program itself repeats: the other run was of another
    /// build, or something changed it from outside.
    pub fault: Option<Box<Fault>>,
    /// The inputs without which the fault does not come, by the frame that runs with them; others may be left out.
    pub inputs: Vec<(u64, I)>,
}

/// Diagnoses a program whose runs with these inputs, one for each step, ended in different states. `make` and `step`
/// are as in [`explore`](crate::explore()).
pub fn diagnose<'a, P, I, E, F>(
    make: impl Fn(EngineBuilder) -> Result<P, E> + Sync + 'a,
    step: impl Fn(&mut P, &I) -> Result<(), F> + Sync + 'a,
    inputs: Vec<I>,
) -> Doctor<'a, P, I>
where
    P: Program,
    I: Clone + Default,
    E: Into<AnyError>,
    F: Into<AnyError>,
{
    let make = Box::new(move |engine: EngineBuilder| make(engine).map_err(Into::into));
    let step = Box::new(move |program: &mut P, input: &I| step(program, input).map_err(Into::into));
    Doctor { make, step, inputs, from: None, states: None, threads: vec![2, 4] }
}

impl<P: Program, I: Clone + Default> Doctor<'_, P, I> {
    /// The save from which both runs went on; otherwise that which `make` makes.
    #[must_use]
    pub fn from(mut self, save: Vec<u8>) -> Self {
        self.from = Some(save);
        self
    }

    /// The saves in which the two runs ended.
    #[must_use]
    pub fn states(mut self, one: Vec<u8>, other: Vec<u8>) -> Self {
        self.states = Some([one, other]);
        self
    }

    /// The numbers of threads with which it is tried; 2 and 4 by default.
    #[must_use]
    pub fn threads(mut self, threads: impl IntoIterator<Item = usize>) -> Self {
        self.threads = threads.into_iter().collect();
        self
    }

    /// Compares the states, plays the inputs here, runs each step in the ways of [`prove`] within one process, and
    /// leaves out the inputs without which the fault comes, too.
    ///
    /// # Errors
    /// - [`Refuted::Failed`] if the program cannot be made or run, or a save cannot be loaded.
    pub fn run(self) -> Result<Diagnosis<I>, Refuted> {
        let mut diagnosis = Diagnosis {
            differences: None,
            unreadable: [None, None],
            is_led_to: [false; 2],
            fault: None,
            inputs: Vec::new(),
        };
        let mut played = self.begin(Engine::builder())?;
        let begun = played.engine().time().frame();
        if let Some(states) = &self.states {
            for input in &self.inputs {
                attempt("run a step", || (self.step)(&mut played, input))?;
            }
            let hash = played.engine().state_hash().map_err(Refuted::failed("hash the state"))?;
            let dumps = [self.dump(&states[0]), self.dump(&states[1])];
            let leads_to = |dump: &Result<StateDump, _>| dump.as_ref().is_ok_and(|dump| dump.hash.whole == hash.whole);
            diagnosis.is_led_to = [leads_to(&dumps[0]), leads_to(&dumps[1])];
            match dumps {
                [Ok(one), Ok(other)] => {
                    diagnosis.differences = Some(Comparison::of_states(&one, &other, &Folding::default()));
                }
                dumps => diagnosis.unreadable = dumps.map(|dump| dump.err().map(|refuted| refuted.to_string())),
            }
        }
        let Some(fault) = self.fault(&self.inputs)? else { return Ok(diagnosis) };
        // The steps behind the fault do not matter; a save is checked before the next step.
        let steps = usize::try_from((fault.frame + 1).saturating_sub(begun)).unwrap_or(usize::MAX);
        let inputs = &self.inputs[..steps.min(self.inputs.len())];
        let kept = self.needed(inputs, &fault);
        diagnosis.inputs = kept.into_iter().map(|place| (begun + 1 + place as u64, inputs[place].clone())).collect();
        diagnosis.fault = Some(fault);
        Ok(diagnosis)
    }

    /// The program in the state that both runs had.
    fn begin(&self, engine: EngineBuilder) -> Result<P, Refuted> {
        let mut program = attempt("make the program", || (self.make)(engine))?;
        if let Some(save) = &self.from {
            program.load(save).map_err(Refuted::failed("load the state that both runs had"))?;
        }
        Ok(program)
    }

    fn dump(&self, state: &[u8]) -> Result<StateDump, Refuted> {
        let mut program = attempt("make the program", || (self.make)(Engine::builder()))?;
        program.load(state).map_err(Refuted::failed("load it"))?;
        program.engine().inspector().dump().map_err(Refuted::failed("show it"))
    }

    /// What the prover finds with these inputs.
    fn fault(&self, inputs: &[I]) -> Result<Option<Box<Fault>>, Refuted> {
        let step = |program: &mut P, at: u64| (self.step)(program, &inputs[at as usize]);
        let prover = prove(|engine: EngineBuilder| self.begin(engine), step).frames(inputs.len() as u64);
        match prover.threads(self.threads.iter().copied()).run() {
            Ok(_) => Ok(None),
            Err(Refuted::Fault(fault)) => Ok(Some(fault)),
            Err(refuted) => Err(refuted),
        }
    }

    /// The places of the inputs without which the fault does not come.
    fn needed(&self, inputs: &[I], fault: &Fault) -> Vec<usize> {
        let told = |fault: &Fault| {
            let names: Vec<_> = fault.systems.iter().map(|system| system.system.clone()).collect();
            (fault.difference.kind, fault.difference.name.clone(), names)
        };
        needed_inputs(inputs.len(), |kept| {
            let mut some = vec![I::default(); inputs.len()];
            kept.iter().for_each(|place| some[*place] = inputs[*place].clone());
            // A run that fails without an input says nothing.
            (0..ATTEMPTS).any(|_| matches!(self.fault(&some), Ok(Some(other)) if told(&other) == told(fault)))
        })
    }
}

impl<I> Diagnosis<I> {
    /// The sentence about what this program does with the inputs.
    #[must_use]
    pub fn leads_to(&self) -> &'static str {
        match self.is_led_to {
            [true, true] => "this program, played from there, leads to both",
            [true, false] => "this program, played from there, leads to the first",
            [false, true] => "this program, played from there, leads to the second",
            [false, false] => "this program, played from there, leads to neither",
        }
    }
}

impl<I> fmt::Display for Diagnosis<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (which, problem) in ["first", "second"].into_iter().zip(&self.unreadable) {
            if let Some(problem) = problem {
                writeln!(f, "the {which} state cannot be read here: {problem}")?;
            }
        }
        if let Some(differences) = &self.differences {
            // The first line is about the first of many frames.
            let told = differences.told("frame").to_string();
            match differences.frame {
                Some(frame) => writeln!(f, "in frame {frame} these values differ:")?,
                None => writeln!(f, "no value differs")?,
            }
            told.lines().skip(1).try_for_each(|line| writeln!(f, "{line}"))?;
            writeln!(f, "{}", self.leads_to())?;
        }
        match &self.fault {
            None => write!(
                f,
                "within one process it repeats: look at other processes, the other build, or changes from outside"
            ),
            Some(fault) => {
                writeln!(f, "{fault}")?;
                let frames: Vec<_> = self.inputs.iter().map(|(frame, _)| frame.to_string()).collect();
                match frames.is_empty() {
                    true => write!(f, "it comes without any input"),
                    false => write!(f, "it needs the inputs of these frames: {}", frames.join(", ")),
                }
            }
        }
    }
}
