//! [`Player`]: plays inputs and checks each step.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use ecs::inspect::{Invariants, Question};
use ecs::random::RandomStream;
use ecs::{Engine, Snapshot};

use super::archive::Archive;
use super::finding::{Broken, Explored, FindingKind};
use super::novelty::Novelty;
use crate::check::{attempt, compare, panic_text, snapshot};
use crate::{Make, Program, Refuted, Step};

/// Inputs that are drawn from a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Segment {
    pub(super) seed: u64,
    pub(super) steps: usize,
}

/// How a state is reached from the beginning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Trail {
    segments: Vec<Segment>,
}

impl Trail {
    pub(super) fn of(segments: Vec<Segment>) -> Self {
        Self { segments }
    }

    pub(super) fn segments(&self) -> &[Segment] {
        &self.segments
    }

    pub(super) fn steps(&self) -> usize {
        self.segments.iter().map(|segment| segment.steps).sum()
    }

    /// Its segments up to this number of steps.
    pub(super) fn first_steps(&self, mut left: usize) -> Vec<Segment> {
        let mut segments = Vec::new();
        for segment in &self.segments {
            let steps = segment.steps.min(left);
            left -= steps;
            segments.extend((steps > 0).then_some(Segment { steps, ..*segment }));
        }
        segments
    }

    fn and(&self, segment: Segment) -> Self {
        let mut segments = self.segments.clone();
        segments.push(segment);
        Self { segments }
    }
}

type Draw<'a, I> = Box<dyn Fn(&mut RandomStream) -> I + Sync + 'a>;
/// A check in Rust: an error is a sentence that says what is wrong.
type Check<'a, P> = Box<dyn Fn(&mut P) -> Result<(), String> + Sync + 'a>;
/// Simpler inputs to try in the place of one, the simplest first.
type Simpler<'a, I> = Box<dyn Fn(&I) -> Vec<I> + Sync + 'a>;

/// The program, its inputs and what must hold.
pub(super) struct Rules<'a, P, I> {
    make: Make<'a, P>,
    step: Step<'a, P, I>,
    draw: Draw<'a, I>,
    pub(super) invariants: String,
    pub(super) checks: Vec<(String, Check<'a, P>)>,
    pub(super) sometimes: Vec<(String, String)>,
    pub(super) states: Vec<String>,
    pub(super) simpler: Option<Simpler<'a, I>>,
    /// Limit of the steps for which an input stays.
    pub(super) held: u32,
}

impl<'a, P, I> Rules<'a, P, I> {
    pub(super) fn new(make: Make<'a, P>, step: Step<'a, P, I>, draw: Draw<'a, I>) -> Self {
        let (checks, sometimes, states) = (Vec::new(), Vec::new(), Vec::new());
        Self { make, step, draw, invariants: String::new(), checks, sometimes, states, simpler: None, held: 16 }
    }
}

/// A state in the middle of a run, with what the invariants remember of the frames before.
#[derive(Clone)]
pub(super) struct Moment {
    pub(super) snapshot: Rc<Snapshot>,
    pub(super) invariants: Invariants,
}

/// How far segments were played.
pub(super) struct Played {
    pub(super) steps: usize,
    /// What the last step has broken, and how it was reached.
    pub(super) broken: Option<(Broken, Trail)>,
}

pub(super) struct Player<'r, P, I> {
    pub(super) rules: &'r Rules<'r, P, I>,
    program: P,
    beginning: Moment,
    /// Plays from the beginning what another one reached by going on from snapshots; made when it is needed.
    second: Option<P>,
    /// The steps that the second one has played, and those of the first one.
    replayed: u64,
    played: u64,
    /// The names of invariants that no entity was asked about.
    never_asked: Vec<String>,
    /// Those that were not seen yet, with their places among the rules.
    sometimes: Vec<(usize, Question)>,
    states: Vec<Question>,
    novelty: Novelty,
}

impl<'r, P: Program, I: Clone> Player<'r, P, I> {
    pub(super) fn new(rules: &'r Rules<'r, P, I>) -> Result<Self, Refuted> {
        let mut program = attempt("make the program", || (rules.make)(Engine::builder()))?;
        let engine = program.engine();
        let engine = &*engine;
        let question = |text: &str| {
            let attempt = format!("ask `{text}`");
            let question = Question::new(text, engine).map_err(Refuted::failed(&attempt))?;
            // A field that is not there, as far as the values of the beginning tell.
            match question.why_unknown(engine) {
                Some(why) => Err(Refuted::failed(&attempt)(why)),
                None => Ok(question),
            }
        };
        let condition = |name: &str, text: &str| match question(text)? {
            condition if condition.is_condition() => Ok(condition),
            _ => Err(Refuted::failed(&format!("see \"{name}\" sometimes"))("this is a value and no condition")),
        };
        let invariants = Invariants::read(&rules.invariants, engine).map_err(Refuted::failed("read the invariants"))?;
        if let Some(why) = invariants.why_unknown(engine) {
            return Err(Refuted::failed("read the invariants")(why));
        }
        let sometimes = rules.sometimes.iter().enumerate();
        let sometimes = sometimes.map(|(place, (name, text))| Ok((place, condition(name, text)?)));
        let sometimes = sometimes.collect::<Result<_, Refuted>>()?;
        let states = rules.states.iter().map(|text| question(text)).collect::<Result<_, _>>()?;
        let beginning = Moment { snapshot: Rc::new(snapshot(program.engine())?), invariants };
        let (second, novelty) = (None, Novelty::default());
        let never_asked = invariants_never_asked(&beginning.invariants);
        Ok(Self { rules, program, beginning, second, replayed: 0, played: 0, never_asked, sometimes, states, novelty })
    }

    pub(super) fn beginning(&self) -> &Moment {
        &self.beginning
    }

    /// The inputs of a segment. A person holds a key for a while, so one that was drawn stays for some steps.
    fn drawn(&self, segment: Segment) -> impl Iterator<Item = I> {
        let mut random = RandomStream::new(segment.seed, "inputs");
        // Half of the segments have each input once, for what a held key would spoil.
        let most = if random.chance(0.5) { 1 } else { self.rules.held };
        let mut held: Option<(I, u32)> = None;
        (0..segment.steps).map(move |_| {
            let (input, left) = match held.take() {
                Some((input, left)) if left > 0 => (input, left),
                _ => {
                    let input = (self.rules.draw)(&mut random);
                    (input, 1 << random.below(1 + most.ilog2()))
                }
            };
            held = Some((input.clone(), left - 1));
            input
        })
    }

    /// The inputs of a trail.
    pub(super) fn inputs_of(&self, trail: &Trail) -> Vec<I> {
        trail.segments.iter().flat_map(|segment| self.drawn(*segment)).collect()
    }

    /// Plays segments from a state of the archive, and keeps what is new.
    pub(super) fn play(
        &mut self,
        archive: &mut Archive,
        from: usize,
        segments: &[Segment],
        keeps: bool,
    ) -> Result<Played, Refuted> {
        let state = archive.state(from);
        let mut trail = state.trail.clone();
        let moment = state.moment.clone();
        let mut invariants = self.go_to(&moment)?;
        self.novelty.begin(self.program.engine());
        self.sometimes.iter_mut().for_each(|(_, question)| question.begin_again());
        self.states.iter_mut().for_each(Question::begin_again);
        let mut steps = 0;
        for segment in segments {
            let inputs: Vec<I> = self.drawn(*segment).collect();
            for (place, input) in inputs.iter().enumerate() {
                let broken = self.step(input, &mut invariants);
                if !self.never_asked.is_empty() {
                    let still = invariants_never_asked(&invariants);
                    self.never_asked.retain(|name| still.contains(name));
                }
                (steps, self.played) = (steps + 1, self.played + 1);
                let here = trail.and(Segment { steps: place + 1, ..*segment });
                if let Some(broken) = broken {
                    return Ok(Played { steps, broken: Some((broken, here)) });
                }
                let is_new = self.novelty.look(self.program.engine(), &self.states);
                let engine = self.program.engine();
                self.states.iter_mut().for_each(|question| question.end_frame(engine));
                let nearer = self.nearer(archive);
                if keeps && (is_new || !nearer.is_empty()) {
                    let kept = archive.keep(self.moment(&invariants)?, here.clone());
                    nearer.iter().for_each(|(place, nearness)| archive.note_nearest(*place, Some((kept, *nearness))));
                    if let Some(broken) = self.replay(archive, kept)? {
                        return Ok(Played { steps, broken: Some((broken, here)) });
                    }
                }
            }
            trail = trail.and(*segment);
        }
        Ok(Played { steps, broken: None })
    }

    /// Takes one step; returns what it has broken.
    pub(super) fn step(&mut self, input: &I, invariants: &mut Invariants) -> Option<Broken> {
        let broken = |kind, name: &str, sentence: String| Some(Broken { kind, name: name.to_owned(), sentence });
        let program = &mut self.program;
        match catch_unwind(AssertUnwindSafe(|| (self.rules.step)(program, input))) {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return broken(FindingKind::Error, "run a step", error.to_string()),
            Err(payload) => return broken(FindingKind::Panic, "run a step", panic_text(&*payload).to_owned()),
        }
        if let Err(breach) = invariants.check(program.engine()) {
            return broken(FindingKind::Broken, &breach.name, breach.found.to_string());
        }
        for (name, check) in &self.rules.checks {
            match catch_unwind(AssertUnwindSafe(|| check(program))) {
                Ok(Ok(())) => {}
                Ok(Err(sentence)) => return broken(FindingKind::Broken, name, sentence),
                Err(payload) => return broken(FindingKind::Panic, name, panic_text(&*payload).to_owned()),
            }
        }
        None
    }

    /// The conditions that were never so near; those that hold are done.
    fn nearer(&mut self, archive: &mut Archive) -> Vec<(usize, f32)> {
        let engine = self.program.engine();
        let mut nearer = Vec::new();
        self.sometimes.retain_mut(|(place, question)| {
            let nearness = question.nearness(engine);
            question.end_frame(engine);
            if nearness >= 1.0 {
                archive.note_nearest(*place, None);
            } else if archive.is_nearer(*place, nearness) {
                nearer.push((*place, nearness));
            }
            nearness < 1.0
        });
        nearer
    }

    /// Plays the trail of a state from the beginning, in an engine of its own, if that costs little beside the search:
    /// it must end in the same state.
    fn replay(&mut self, archive: &Archive, kept: usize) -> Result<Option<Broken>, Refuted> {
        let state = archive.state(kept);
        let steps = state.trail.steps() as u64;
        if 8 * (self.replayed + steps) > self.played {
            return Ok(None);
        }
        self.replayed += steps;
        let inputs = self.inputs_of(&state.trail);
        let second = match &mut self.second {
            Some(second) => second,
            None => self.second.insert(attempt("make the program", || (self.rules.make)(Engine::builder()))?),
        };
        second.engine().restore(&self.beginning.snapshot).map_err(Refuted::failed("restore a snapshot"))?;
        for input in &inputs {
            // It could run before, so failing is another result.
            if let Err(refuted) = attempt("run a step again", || (self.rules.step)(second, input)) {
                let (kind, name) = (FindingKind::Difference, "run a step".to_owned());
                return Ok(Some(Broken { kind, name, sentence: refuted.to_string() }));
            }
        }
        let difference = compare(&state.moment.snapshot, second.engine())?;
        Ok(difference.map(|difference| Broken {
            kind: FindingKind::Difference,
            name: difference.name.to_string(),
            sentence: format!("{difference}; `prove` names the system"),
        }))
    }

    /// The moment in which the program is.
    pub(super) fn moment(&mut self, invariants: &Invariants) -> Result<Moment, Refuted> {
        Ok(Moment { snapshot: Rc::new(snapshot(self.program.engine())?), invariants: invariants.clone() })
    }

    /// Brings the program to a moment; returns what its invariants remember.
    pub(super) fn go_to(&mut self, moment: &Moment) -> Result<Invariants, Refuted> {
        self.program.engine().restore(&moment.snapshot).map_err(Refuted::failed("restore a snapshot"))?;
        Ok(moment.invariants.clone())
    }

    /// Draws inputs from a new seed.
    pub(super) fn draw(&self, random: &mut RandomStream, steps: usize) -> Vec<I> {
        self.drawn(Segment { seed: random.next_u64(), steps }).collect()
    }

    pub(super) fn tell(&self, explored: &mut Explored<I>) {
        explored.seen = self.novelty.len();
        let name = |(place, _): &(usize, Question)| self.rules.sometimes[*place].0.clone();
        explored.never_asked = self.never_asked.clone();
        explored.never_seen = self.sometimes.iter().map(name).collect();
    }
}

fn invariants_never_asked(invariants: &Invariants) -> Vec<String> {
    invariants.never_asked().map(str::to_owned).collect()
}
