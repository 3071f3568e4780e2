//! The recent past of a match: snapshots of moments, and what entered it between them, so that one can go back to any step.

use std::collections::VecDeque;

use crate::data::input::Inputs;
use crate::simulation::view::GameState;
use crate::simulation::{Simulation, SimulationSnapshot};

/// Game objects for each step between two moments: a snapshot of a small match is taken after every step, and of a crowd less
/// often, so that the memory of a history does not grow with the crowd.
const OBJECTS_PER_STEP: usize = 100;

/// Steps between two moments at most: so many are taken anew when somebody goes back.
const MOST_STEPS_APART: u64 = 30;

/// The recent past of a simulation, to go back to.
///
/// Moments are kept as snapshots. A step between two of them is reached from the earlier one by taking the steps anew with the
/// inputs that they had, which leads to the same state, bit for bit; on the way a snapshot of each is taken, so that going
/// further back is cheap again.
///
/// While the game stands still, paused or over, nothing is kept, so that however long somebody thinks, the past is there, and
/// who goes back is in the midst of it at once.
///
/// # Example
/// ```
/// use bounty_hunter::assets::Assets;
/// use bounty_hunter::history::History;
/// use bounty_hunter::input::Inputs;
/// use bounty_hunter::simulation::{MatchSetup, Simulation};
///
/// let mut simulation = Simulation::new(&Assets::built_in(), &MatchSetup::of_ais(7, 4, "normal"))?;
/// let mut history = History::of_steps(600);
/// let mut hashes = vec![];
/// for _ in 0..300 {
///     simulation.step(&Inputs::none());
///     history.note(&Inputs::none(), &mut simulation)?;
///     hashes.push(simulation.state_hash());
/// }
/// assert!(history.go_back(&mut simulation, 50)?);
/// assert_eq!((simulation.tick(), simulation.state_hash()), (250, hashes[249]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct History {
    /// Steps that one can go back at least, once so many were noted.
    most_steps: u64,
    /// Oldest first.
    moments: VecDeque<Moment>,
    /// Steps after the oldest moment.
    steps: u64,
    /// The game stood still after the last step that was noted.
    is_still: bool,
    /// Snapshots of the steps after some moment, one for each, from when somebody went back behind it.
    between: Vec<SimulationSnapshot>,
    /// Memory to use again.
    spare: Vec<SimulationSnapshot>,
}

/// A state, and the way from it to the next.
struct Moment {
    snapshot: SimulationSnapshot,
    /// What entered each step that was noted after it. Between the last of them and the next moment the game may have stood still.
    inputs: Vec<Inputs>,
}

impl Moment {
    /// The last step on its way.
    fn end(&self) -> u64 {
        self.snapshot.tick() + self.inputs.len() as u64
    }

    /// Steps up to the moment that follows, and with it.
    fn steps(&self) -> u64 {
        self.inputs.len() as u64 + 1
    }
}

impl History {
    /// A history that reaches back so many steps.
    #[must_use]
    pub fn of_steps(most_steps: u64) -> Self {
        Self { most_steps, ..Self::default() }
    }

    /// Notes the step that `simulation` has just taken with `inputs`, unless the game stood still in it. Nobody can go back to a step
    /// that was not noted. O(what changed) where a snapshot is due.
    ///
    /// # Errors
    /// - [`ecs::Error::Snapshot`] if something of a type without a name was put into the engine; the history is empty then.
    pub fn note(&mut self, inputs: &Inputs, simulation: &mut Simulation) -> Result<(), ecs::Error> {
        let tick = simulation.tick();
        if self.newest().is_some_and(|newest| tick < newest) {
            self.clear();
        }
        let was_still = std::mem::replace(&mut self.is_still, stands_still(simulation));
        if self.newest() == Some(tick) || was_still && self.is_still {
            return Ok(());
        }
        self.spare.append(&mut self.between);
        match self.moments.back_mut() {
            None => return self.keep_moment(simulation),
            Some(last) if last.end() + 1 == tick && last.steps() < steps_apart(simulation) => {
                last.inputs.push(inputs.clone())
            }
            Some(_) => self.keep_moment(simulation)?,
        }
        self.steps += 1;
        // What is older than need be goes, as long as the moment after it is old enough.
        while self.moments.len() > 1 && self.steps - self.moments[0].steps() >= self.most_steps {
            let gone = self.moments.pop_front().expect("there are two");
            self.steps -= gone.steps();
            self.spare.push(gone.snapshot);
        }
        Ok(())
    }

    /// How many steps one can go back.
    #[must_use]
    pub fn steps_back(&self) -> u64 {
        self.steps
    }

    /// The last step that was noted.
    fn newest(&self) -> Option<u64> {
        self.moments.back().map(Moment::end)
    }

    /// Takes the simulation back by so many steps of those that were noted, or by all there are, and forgets them. Returns whether
    /// it went anywhere. O(its state), and of a crowd some steps.
    ///
    /// # Errors
    /// - [`ecs::Error::Snapshot`] if the simulation is another than the one that was noted; it is as it was then.
    pub fn go_back(&mut self, simulation: &mut Simulation, steps: u64) -> Result<bool, ecs::Error> {
        let steps = steps.min(self.steps);
        if steps == 0 {
            return Ok(false);
        }
        let mut left = steps;
        while let Some(last) = self.moments.back_mut() {
            if left < last.steps() {
                last.inputs.truncate(last.inputs.len() - left as usize);
                break;
            }
            left -= last.steps();
            self.spare.extend(self.moments.pop_back().map(|moment| moment.snapshot));
        }
        self.steps -= steps;
        let start = self.moments.back().expect("the oldest is never gone behind");
        let tick = start.end();
        while self.between.last().is_some_and(|between| between.tick() > tick) {
            self.spare.extend(self.between.pop());
        }
        match self.between.last() {
            Some(between) if between.tick() > start.snapshot.tick() => simulation.restore(between)?,
            _ => {
                self.spare.append(&mut self.between);
                simulation.restore(&start.snapshot)?;
            }
        }
        while simulation.tick() < tick {
            simulation.step(&start.inputs[(simulation.tick() - start.snapshot.tick()) as usize]);
            let mut between = self.spare.pop().unwrap_or_default();
            simulation.snapshot_into(&mut between)?;
            self.between.push(between);
        }
        self.is_still = stands_still(simulation);
        Ok(true)
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        (self.steps, self.is_still) = (0, false);
        self.spare.append(&mut self.between);
        self.spare.extend(self.moments.drain(..).map(|moment| moment.snapshot));
    }

    fn keep_moment(&mut self, simulation: &mut Simulation) -> Result<(), ecs::Error> {
        let mut snapshot = self.spare.pop().unwrap_or_default();
        if let Err(error) = simulation.snapshot_into(&mut snapshot) {
            self.clear();
            return Err(error);
        }
        self.moments.push_back(Moment { snapshot, inputs: Vec::new() });
        Ok(())
    }
}

/// Whether nothing happens but in menus.
fn stands_still(simulation: &Simulation) -> bool {
    matches!(simulation.state(), GameState::Paused | GameState::GameOver | GameState::Terminated)
}

/// Steps between two moments of a match of this size.
fn steps_apart(simulation: &Simulation) -> u64 {
    let objects = simulation.engine().entities().len() / OBJECTS_PER_STEP;
    (objects as u64).clamp(1, MOST_STEPS_APART)
}
