//! Seeking in a replay: moments of the match are kept while it is played, so that none has to be played through again from its start.

use ecs::Error;

use super::Playback;
use crate::simulation::{SimulationSnapshot, StepReport};

/// Steps from one moment to the next: a seek takes no more steps than that where it has been before.
const STEPS_APART: u64 = 60;

/// Game objects in all moments together: those of a large crowd are further apart, and so are those of a match that takes hours.
const MOST_OBJECTS: usize = 200_000;

/// Steps before the goal of a seek that are kept one by one, for a viewer who goes on backwards from there.
const STEPS_NEARBY: u64 = 30;

/// A replay in which one can seek to any step.
///
/// While it is played a snapshot is taken every so many steps, beginning before the first one. A seek puts back the last one that
/// is not behind its goal, and takes the steps from there, which leads to the same state, bit for bit, as playing from the start.
/// When the snapshots come to hold too much, every second one is dropped, and from then on they are taken half as often.
///
/// # Example
/// ```
/// use bounty_hunter::assets::Assets;
/// use bounty_hunter::input::Inputs;
/// use bounty_hunter::replay::{Playback, Recorder, Seeker};
/// use bounty_hunter::simulation::{MatchSetup, Simulation};
/// use ecs::Engine;
///
/// let (assets, setup) = (Assets::built_in(), MatchSetup::of_ais(7, 4, "normal"));
/// let mut simulation = Simulation::new(&assets, &setup)?;
/// let mut recorder = Recorder::new("classic", &assets, &setup)?;
/// let mut hashes = vec![simulation.state_hash()];
/// for _ in 0..300 {
///     simulation.step(&Inputs::none());
///     recorder.note(&Inputs::none(), &simulation);
///     hashes.push(simulation.state_hash());
/// }
/// let playback = Playback::new(recorder.replay(&simulation), &assets, Engine::builder())?;
///
/// let mut seeker = Seeker::new(playback)?;
/// seeker.seek(290, u64::MAX)?;
/// for step in [17, 250, 0, 299] {
///     assert!(seeker.seek(step, u64::MAX)? < 60, "so few steps are taken again");
///     assert_eq!(seeker.playback().simulation().state_hash(), hashes[step as usize]);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Seeker {
    playback: Playback,
    /// The state after each multiple of `steps_apart`, from 0 on and without a gap.
    moments: Vec<SimulationSnapshot>,
    steps_apart: u64,
    most_objects: usize,
    /// The state after each of some steps in a row, up to the goal of the last seek.
    nearby: Vec<SimulationSnapshot>,
    /// Where the last seek goes to, if nothing has happened since.
    goal: Option<u64>,
}

impl Seeker {
    /// Seeks in a replay that has taken no step yet.
    ///
    /// # Errors
    /// - [`Error::Snapshot`] if something of a type without a name was put into the engine.
    ///
    /// # Panics
    /// If the replay has taken steps.
    pub fn new(playback: Playback) -> Result<Self, Error> {
        Self::with_limits(playback, STEPS_APART, MOST_OBJECTS)
    }

    /// As [`Seeker::new`], with a moment every `steps_apart` steps as long as all moments together hold about `most_objects` game
    /// objects at most. Two are kept, whatever they hold.
    ///
    /// # Errors
    /// As [`Seeker::new`].
    ///
    /// # Panics
    /// If the replay has taken steps, or if `steps_apart` is 0.
    pub fn with_limits(playback: Playback, steps_apart: u64, most_objects: usize) -> Result<Self, Error> {
        assert_eq!(playback.simulation().tick(), 0, "a Seeker begins before the first step: hand it a new Playback");
        assert!(steps_apart > 0, "a Seeker needs at least one step between its moments");
        let mut seeker =
            Self { playback, moments: Vec::new(), steps_apart, most_objects, nearby: Vec::new(), goal: None };
        seeker.keep_moment()?;
        Ok(seeker)
    }

    /// The replay, for looking.
    #[must_use]
    pub fn playback(&self) -> &Playback {
        &self.playback
    }

    /// How many moments are kept, apart from at most 30 steps near the goal of the last seek.
    #[must_use]
    pub fn moments(&self) -> usize {
        self.moments.len()
    }

    /// Takes the next recorded step; `None` after the last one.
    ///
    /// # Errors
    /// - [`Error::Snapshot`] if something of a type without a name was put into the engine.
    pub fn step(&mut self) -> Result<Option<StepReport>, Error> {
        self.goal = None;
        self.take_step()
    }

    fn take_step(&mut self) -> Result<Option<StepReport>, Error> {
        let report = self.playback.step();
        if report.is_some() {
            self.keep_moment()?;
        }
        Ok(report)
    }

    /// Goes to the state after step `goal`, or after the last one, or nearer to it by `most_steps` steps. Returns how many steps it
    /// has taken on the way; to where it was before these are fewer than lie between two moments.
    ///
    /// # Errors
    /// - [`Error::Snapshot`] if something of a type without a name was put into the engine.
    pub fn seek(&mut self, goal: u64, most_steps: u64) -> Result<u64, Error> {
        let goal = goal.min(self.playback.about().steps);
        self.go_to_start(goal)?;
        let start = self.now();
        if start < goal && self.goal != Some(goal) {
            // They are of another place, or those of this one come anew.
            self.nearby.clear();
        }
        self.goal = Some(goal);
        while self.now() < goal && self.now() - start < most_steps && self.take_step()?.is_some() {
            self.keep_nearby(goal)?;
        }
        Ok(self.now() - start)
    }

    fn now(&self) -> u64 {
        self.playback.simulation().tick()
    }

    /// Goes to the last state that is kept and not behind a step, unless the way from here is as short.
    fn go_to_start(&mut self, goal: u64) -> Result<(), Error> {
        let now = self.now();
        let Self { playback, moments, steps_apart, nearby, .. } = self;
        let last = moments.len() - 1;
        let moment = &moments[usize::try_from(goal / *steps_apart).map_or(last, |index| index.min(last))];
        let nearer = nearby[..nearby.partition_point(|moment| moment.tick() <= goal)].last();
        let start = nearer.filter(|nearer| nearer.tick() > moment.tick()).unwrap_or(moment);
        let is_on_the_way = (start.tick()..=goal).contains(&now);
        if is_on_the_way { Ok(()) } else { playback.restore(start) }
    }

    /// Keeps the present state if it is time to.
    fn keep_moment(&mut self) -> Result<(), Error> {
        let objects = self.playback.simulation().engine().entities().len();
        while self.is_due() && self.moments.len() > 1 && (self.moments.len() + 1) * objects > self.most_objects {
            let mut index = 0;
            self.moments.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.steps_apart *= 2;
        }
        if self.is_due() {
            self.moments.push(self.playback.snapshot()?);
        }
        Ok(())
    }

    /// Whether the present state is the moment that comes next.
    fn is_due(&self) -> bool {
        self.now() == self.moments.len() as u64 * self.steps_apart
    }

    /// Keeps the present state if it is near the goal of a seek.
    fn keep_nearby(&mut self, goal: u64) -> Result<(), Error> {
        if self.now() + STEPS_NEARBY > goal {
            self.nearby.push(self.playback.snapshot()?);
        }
        Ok(())
    }
}
