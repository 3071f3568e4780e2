//! The recent past of a match, for rewinding to any step: snapshots, and the inputs between them.

use std::collections::VecDeque;

use crate::data::input::Inputs;
use crate::simulation::view::GameState;
use crate::simulation::{Simulation, SimulationSnapshot};

/// Entities per step between two snapshots. Snapshots of a small match are taken after each step, those of a crowd less
/// often, which bounds the memory of a history.
const OBJECTS_PER_STEP: usize = 100;

/// The most steps between two snapshots, and so the most steps that a rewind takes again.
const MAX_STEPS_APART: u64 = 30;

/// The recent past of a simulation, for rewinding.
///
/// A step between two snapshots is restored by taking steps from the earlier one with the recorded inputs, which gives
/// the same state, bit for bit. Each of these steps leaves a snapshot, so rewinding further is cheap.
///
/// Steps in a pause or after the end of a match are not recorded: they do not displace the past, and a rewind leads
/// into the running match.
///
/// # Example
/// ```
/// use bounty_hunter_simulation::assets::Assets;
/// use bounty_hunter_simulation::history::History;
/// use bounty_hunter_simulation::input::Inputs;
/// use bounty_hunter_simulation::simulation::{MatchSetup, Simulation};
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
    /// The steps that it reaches back, once as many were recorded.
    most_steps: u64,
    /// The snapshots, oldest first.
    moments: VecDeque<Moment>,
    /// The recorded steps after the oldest moment.
    steps: u64,
    /// Whether the game stood still after the last recorded step.
    is_still: bool,
    /// Snapshots of consecutive steps after a moment, left by a rewind.
    between: Vec<SimulationSnapshot>,
    /// Snapshots whose memory is reused.
    spare: Vec<SimulationSnapshot>,
}

/// A snapshot and the inputs of the steps after it.
struct Moment {
    snapshot: SimulationSnapshot,
    /// The inputs of the recorded steps after it. The game may have stood still between the last of them and the next
    /// moment.
    inputs: Vec<Inputs>,
}

impl Moment {
    /// The last step before the next moment.
    fn end(&self) -> u64 {
        self.snapshot.tick() + self.inputs.len() as u64
    }

    /// The steps up to and including the next moment.
    fn steps(&self) -> u64 {
        self.inputs.len() as u64 + 1
    }
}

impl History {
    /// A history that reaches back `most_steps`.
    #[must_use]
    pub fn of_steps(most_steps: u64) -> Self {
        Self { most_steps, ..Self::default() }
    }

    /// Records the step that `simulation` has just taken with `inputs`, unless the game stood still in it. O(changes)
    /// if a snapshot is due.
    ///
    /// # Errors
    /// - [`ecs::Error::Snapshot`] if the engine holds a value of an unregistered type; the history is then empty.
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
        // Drops the oldest moment if the next one reaches back far enough.
        while self.moments.len() > 1 && self.steps - self.moments[0].steps() >= self.most_steps {
            let gone = self.moments.pop_front().expect("there are two");
            self.steps -= gone.steps();
            self.spare.push(gone.snapshot);
        }
        Ok(())
    }

    /// The number of steps that [`go_back`](Self::go_back) can take back.
    #[must_use]
    pub fn steps_back(&self) -> u64 {
        self.steps
    }

    /// The last recorded step.
    fn newest(&self) -> Option<u64> {
        self.moments.back().map(Moment::end)
    }

    /// Takes the simulation back by `steps` recorded steps, or by all if there are fewer, and forgets them. Returns
    /// whether there was any. O(state), plus some steps for a crowd.
    ///
    /// # Errors
    /// - [`ecs::Error::Snapshot`] if `simulation` is not the recorded one; it is unchanged.
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
        let start = self.moments.back().expect("the oldest moment stays");
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

/// Whether the game is in a menu.
fn stands_still(simulation: &Simulation) -> bool {
    matches!(simulation.state(), GameState::Paused | GameState::GameOver | GameState::Terminated)
}

/// The steps between two moments of a match of this size.
fn steps_apart(simulation: &Simulation) -> u64 {
    let objects = simulation.engine().entities().len() / OBJECTS_PER_STEP;
    (objects as u64).clamp(1, MAX_STEPS_APART)
}
