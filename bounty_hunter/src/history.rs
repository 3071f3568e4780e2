//! The recent past of a match: snapshots of moments, and what entered it between them, so that one can go back to any step.

use std::collections::VecDeque;

use crate::input::Inputs;
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
/// history.go_back(&mut simulation, 250)?;
/// assert_eq!((simulation.tick(), simulation.state_hash()), (250, hashes[249]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct History {
    /// Steps that one can go back at least, once so many were noted.
    steps: u64,
    /// Snapshots, oldest first.
    moments: VecDeque<SimulationSnapshot>,
    /// What entered each step after the oldest moment.
    inputs: VecDeque<Inputs>,
    /// Snapshots of the steps after some moment, one for each, from when somebody went back behind it.
    between: Vec<SimulationSnapshot>,
    /// Memory to use again.
    spare: Vec<SimulationSnapshot>,
}

impl History {
    /// A history that reaches back so many steps.
    #[must_use]
    pub fn of_steps(steps: u64) -> Self {
        Self { steps, ..Self::default() }
    }

    /// Notes the step that `simulation` has just taken with `inputs`. A step that had no effect, since the game is over, is not
    /// noted. O(what changed) where a snapshot is due.
    ///
    /// # Errors
    /// - [`ecs::Error::Snapshot`] if something of a type without a name was put into the engine; the history is empty then.
    pub fn note(&mut self, inputs: &Inputs, simulation: &mut Simulation) -> Result<(), ecs::Error> {
        let tick = simulation.tick();
        if self.newest() == Some(tick) {
            return Ok(());
        }
        if self.newest().is_some_and(|newest| newest + 1 != tick) {
            self.clear();
        }
        self.spare.append(&mut self.between);
        let Some(last) = self.moments.back().map(SimulationSnapshot::tick) else {
            return self.keep_moment(simulation);
        };
        self.inputs.push_back(inputs.clone());
        if tick - last >= steps_apart(simulation) {
            self.keep_moment(simulation)?;
        }
        // What is older than need be goes, as long as the moment after it is old enough.
        while self.moments.get(1).is_some_and(|second| tick - second.tick() >= self.steps) {
            let gone = self.moments.pop_front().expect("there are two");
            let steps = self.moments[0].tick() - gone.tick();
            self.inputs.drain(..steps as usize);
            self.spare.push(gone);
        }
        Ok(())
    }

    /// The earliest step that one can go back to; `None` if nothing was noted.
    #[must_use]
    pub fn oldest(&self) -> Option<u64> {
        self.moments.front().map(SimulationSnapshot::tick)
    }

    /// The last step that was noted.
    fn newest(&self) -> Option<u64> {
        self.oldest().map(|oldest| oldest + self.inputs.len() as u64)
    }

    /// Takes the simulation back to what it was after step `tick`, or to the nearest step that there is, and forgets what came
    /// after it. Returns whether it went anywhere. O(its state), and of a crowd some steps.
    ///
    /// # Errors
    /// - [`ecs::Error::Snapshot`] if the simulation is another than the one that was noted; it is as it was then.
    pub fn go_back(&mut self, simulation: &mut Simulation, tick: u64) -> Result<bool, ecs::Error> {
        let Some((oldest, newest)) = self.oldest().zip(self.newest()) else { return Ok(false) };
        let tick = tick.clamp(oldest, newest);
        if tick == simulation.tick() {
            return Ok(false);
        }
        while self.between.last().is_some_and(|moment| moment.tick() > tick) {
            self.spare.extend(self.between.pop());
        }
        while self.moments.back().is_some_and(|moment| moment.tick() > tick) {
            self.spare.extend(self.moments.pop_back());
        }
        let start = self.moments.back().expect("the oldest is not after it");
        match self.between.last() {
            Some(moment) if moment.tick() > start.tick() => simulation.restore(moment)?,
            _ => {
                self.spare.append(&mut self.between);
                simulation.restore(start)?;
            }
        }
        while simulation.tick() < tick {
            simulation.step(&self.inputs[(simulation.tick() - oldest) as usize]);
            let mut moment = self.spare.pop().unwrap_or_default();
            simulation.snapshot_into(&mut moment)?;
            self.between.push(moment);
        }
        self.inputs.truncate((tick - oldest) as usize);
        Ok(true)
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.inputs.clear();
        self.spare.append(&mut self.between);
        self.spare.extend(self.moments.drain(..));
    }

    fn keep_moment(&mut self, simulation: &mut Simulation) -> Result<(), ecs::Error> {
        let mut moment = self.spare.pop().unwrap_or_default();
        if let Err(error) = simulation.snapshot_into(&mut moment) {
            self.clear();
            return Err(error);
        }
        self.moments.push_back(moment);
        Ok(())
    }
}

/// Steps between two moments of a match of this size.
fn steps_apart(simulation: &Simulation) -> u64 {
    let objects = simulation.engine().entities().len() / OBJECTS_PER_STEP;
    (objects as u64).clamp(1, MOST_STEPS_APART)
}
