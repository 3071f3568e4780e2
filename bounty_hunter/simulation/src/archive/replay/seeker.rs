//! Seeking in a replay, with snapshots that are taken during playback.

use ecs::Error;

use super::Playback;
use crate::simulation::{SimulationSnapshot, StepReport};

/// The steps between two snapshots, and so the most steps of a seek within the part that was played.
const STEPS_APART: u64 = 60;

/// The most entities in all snapshots together, which bounds their memory.
const MAX_OBJECTS: usize = 200_000;

/// The steps before the goal of a seek that keep a snapshot each, for stepping backwards.
const STEPS_NEARBY: u64 = 30;

/// A playback that can seek to any step.
///
/// It takes snapshots at regular steps, from the start on. A seek restores the last snapshot before its goal and takes
/// the steps from there, which gives the same state, bit for bit, as playing from the start. If the snapshots hold too
/// many entities, it drops every second one and doubles the distance.
///
/// # Example
/// ```
/// use bounty_hunter_simulation::assets::Assets;
/// use bounty_hunter_simulation::input::Inputs;
/// use bounty_hunter_simulation::replay::{Playback, Recorder, Seeker};
/// use bounty_hunter_simulation::simulation::{MatchSetup, Simulation};
/// use ecs::Engine;
///
/// let (assets, setup) = (Assets::built_in(), MatchSetup::of_ais(7, 4, "normal"));
/// let mut simulation = Simulation::new(&assets, &setup)?;
/// let mut recorder = Recorder::new("classic", &assets, &setup)?;
/// let mut hashes = vec![simulation.state_hash()];
/// for _ in 0..300 {
///     simulation.step(&Inputs::none());
///     recorder.note(&Inputs::none(), &mut simulation);
///     hashes.push(simulation.state_hash());
/// }
/// let playback = Playback::new(recorder.replay(&mut simulation), &assets, Engine::builder())?;
///
/// let mut seeker = Seeker::new(playback)?;
/// seeker.seek(290, u64::MAX)?;
/// for step in [17, 250, 0, 299] {
///     assert!(seeker.seek(step, u64::MAX)? < 60, "few steps are taken again");
///     assert_eq!(seeker.state_hash(), hashes[step as usize]);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Seeker {
    playback: Playback,
    /// The snapshots after each multiple of `steps_apart`, from 0 on, without gaps.
    moments: Vec<SimulationSnapshot>,
    steps_apart: u64,
    most_objects: usize,
    /// Snapshots of consecutive steps up to the goal of the last seek.
    nearby: Vec<SimulationSnapshot>,
    /// The goal of the last seek; `None` after a step.
    goal: Option<u64>,
}

impl Seeker {
    /// A seeker in a playback before its first step.
    ///
    /// # Errors
    /// - [`Error::Snapshot`] if the engine holds a value of an unregistered type.
    ///
    /// # Panics
    /// If the playback has taken steps.
    pub fn new(playback: Playback) -> Result<Self, Error> {
        Self::with_limits(playback, STEPS_APART, MAX_OBJECTS)
    }

    /// As [`Seeker::new`], with a snapshot each `steps_apart` steps while all together hold at most about
    /// `most_objects` entities. At least two are kept.
    ///
    /// # Errors
    /// As [`Seeker::new`].
    ///
    /// # Panics
    /// If the playback has taken steps, or if `steps_apart` is 0.
    pub fn with_limits(playback: Playback, steps_apart: u64, most_objects: usize) -> Result<Self, Error> {
        assert_eq!(playback.simulation().tick(), 0, "a Seeker begins before the first step: hand it a new Playback");
        assert!(steps_apart > 0, "a Seeker needs at least one step between its moments");
        let mut seeker =
            Self { playback, moments: Vec::new(), steps_apart, most_objects, nearby: Vec::new(), goal: None };
        seeker.keep_moment()?;
        Ok(seeker)
    }

    /// The playback, for reading.
    #[must_use]
    pub fn playback(&self) -> &Playback {
        &self.playback
    }

    /// The hash of the present state.
    #[must_use]
    pub fn state_hash(&mut self) -> u64 {
        self.playback.state_hash()
    }

    /// The number of snapshots, without those of at most 30 steps near the goal of the last seek.
    #[must_use]
    pub fn moments(&self) -> usize {
        self.moments.len()
    }

    /// Takes the next recorded step; `None` after the last one.
    ///
    /// # Errors
    /// - [`Error::Snapshot`] if the engine holds a value of an unregistered type.
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

    /// Seeks to the state after step `goal`, or after the last step. It takes at most `most_steps` steps and may stop
    /// before the goal; call it again to continue. Returns the number of steps taken.
    ///
    /// # Errors
    /// - [`Error::Snapshot`] if the engine holds a value of an unregistered type.
    pub fn seek(&mut self, goal: u64, most_steps: u64) -> Result<u64, Error> {
        let goal = goal.min(self.playback.about().steps);
        self.go_to_start(goal)?;
        let start = self.now();
        if start < goal && self.goal != Some(goal) {
            // They belong to another goal, or are taken again.
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

    /// Restores the last snapshot at or before `goal`, unless the present state is as near.
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

    /// Takes a snapshot of the present state if one is due.
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

    /// Whether the present state is that of the next snapshot.
    fn is_due(&self) -> bool {
        self.now() == self.moments.len() as u64 * self.steps_apart
    }

    /// Takes a snapshot of the present state if it is near the goal of a seek.
    fn keep_nearby(&mut self, goal: u64) -> Result<(), Error> {
        if self.now() + STEPS_NEARBY > goal {
            self.nearby.push(self.playback.snapshot()?);
        }
        Ok(())
    }
}
