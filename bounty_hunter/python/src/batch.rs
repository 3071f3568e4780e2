//! Many worlds, stepped together on many threads. A world whose match is over begins the next one by itself.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bounty_hunter::ai::learned::{DRIVES, GOALS, OBSERVATION_LENGTH, TURNS, intent_of_choice};
use bounty_hunter::input::Intent;
use bounty_hunter::spell::Spell;

use crate::options::MatchConfig;
use crate::world::World;

/// The actions of all agents, world after world.
#[derive(Clone, Copy, Debug)]
pub enum Actions<'a> {
    /// Drive and turn of each agent, −1 to 1.
    Continuous(&'a [f32]),
    /// Indices of a drive, a turn and, in matches with spells, a spell (0 for none) of each agent.
    Discrete(&'a [i32]),
    /// The index of a goal of each agent.
    Goals(&'a [i32]),
}

/// Actions that were found valid.
pub(crate) enum Orders {
    /// Intents and spells.
    Intents(Vec<Intent>, Vec<Option<Spell>>),
    /// Goals, which each world turns into intents.
    Goals(Vec<usize>),
}

/// Where a step writes its results; agents lie one after the other, world after world.
#[derive(Debug)]
pub struct Buffers<'a> {
    /// Observations: [`OBSERVATION_LENGTH`] numbers for each agent. Those of the next match where a match is over.
    pub observations: &'a mut [f32],
    /// A reward for each agent.
    pub rewards: &'a mut [f32],
    /// For each agent: whether its match is over.
    pub terminated: &'a mut [bool],
    /// As `observations`; written only where a match is over, with its last observation.
    pub final_observations: &'a mut [f32],
}

/// A match that is over.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    /// Index of its world.
    pub world: usize,
    /// Its seed.
    pub seed: u64,
    /// The winner's seat; `None` for a draw.
    pub winner: Option<u32>,
    /// Why it ended.
    pub ending: &'static str,
    /// Points in the stash of each player.
    pub stashes: Vec<f32>,
    /// Steps of the simulation in which agents could act.
    pub steps: u64,
}

/// Many worlds.
pub struct Batch {
    config: Arc<MatchConfig>,
    worlds: Vec<World>,
    /// Matches begun in each world since the last reset.
    matches: Vec<u64>,
    first_seed: u64,
    threads: usize,
    has_spells: bool,
}

impl Batch {
    /// `worlds` worlds. The first match of world i has the seed `seed` + i, and each further one the seed of the last one plus the
    /// number of worlds, so all seeds differ. The number of threads does not change any result.
    ///
    /// # Errors
    /// One sentence, if there are no worlds or no agents, or the seats do not fit the level.
    pub fn new(config: MatchConfig, worlds: usize, threads: usize, seed: u64) -> Result<Self, String> {
        if worlds == 0 {
            return Err("num_worlds is 0, must be at least 1".to_owned());
        }
        if config.agents == 0 {
            return Err("agents is 0, must be at least 1".to_owned());
        }
        let config = Arc::new(config);
        let has_spells = config.assets.game.rules.spells.is_some();
        let begun = (0..worlds as u64).map(|world| World::new(&config, seed.wrapping_add(world), false));
        let worlds: Vec<World> = begun.collect::<Result<_, _>>()?;
        let (matches, threads) = (vec![1; worlds.len()], threads.max(1));
        Ok(Self { config, worlds, matches, first_seed: seed, threads, has_spells })
    }

    /// The number of agents of all worlds together.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.worlds.len() * self.config.agents
    }

    /// What its matches are made of.
    #[must_use]
    pub fn config(&self) -> &MatchConfig {
        &self.config
    }

    /// The worlds.
    #[must_use]
    pub fn worlds(&self) -> &[World] {
        &self.worlds
    }

    /// A world, to copy, restore or hash its state.
    #[must_use]
    pub fn world_mut(&mut self, world: usize) -> Option<&mut World> {
        self.worlds.get_mut(world)
    }

    /// Processor time that all threads together have spent in the simulation.
    #[must_use]
    pub fn simulated(&self) -> Duration {
        self.worlds.iter().map(|world| world.simulated).sum()
    }

    /// The number of whole numbers that a discrete action has: drive, turn and, with spells, spell.
    #[must_use]
    pub fn choices(&self) -> usize {
        choices(self.has_spells)
    }

    /// Begins new matches in all worlds, and writes their observations.
    ///
    /// # Errors
    /// One sentence, if the length of `observations` is wrong.
    pub fn reset(&mut self, seed: Option<u64>, observations: &mut [f32]) -> Result<(), String> {
        check_length("observations", observations.len(), self.rows() * OBSERVATION_LENGTH)?;
        let count = self.worlds.len() as u64;
        match seed {
            Some(seed) => (self.first_seed, self.matches) = (seed, vec![0; self.worlds.len()]),
            // The first matches are reset only if they have been played.
            None if self.worlds.iter().all(|world| world.steps() == 0) => {
                return self.observe(observations);
            }
            None => {}
        }
        let first_seed = self.first_seed;
        let size = self.config.agents * OBSERVATION_LENGTH;
        let jobs = (0_u64..).zip(&mut self.worlds).zip(&mut self.matches).zip(observations.chunks_exact_mut(size));
        run(self.threads, jobs, |(((index, world), matches), observations)| {
            let seed = nth_seed(first_seed, index, count, *matches);
            *matches += 1;
            world.reset(seed)?;
            world.observe(observations);
            Ok(())
        })
    }

    /// Writes the observations of all agents.
    ///
    /// # Errors
    /// One sentence, if the length is wrong.
    pub fn observe(&mut self, observations: &mut [f32]) -> Result<(), String> {
        check_length("observations", observations.len(), self.rows() * OBSERVATION_LENGTH)?;
        let size = self.config.agents * OBSERVATION_LENGTH;
        run(self.threads, self.worlds.iter_mut().zip(observations.chunks_exact_mut(size)), |(world, observations)| {
            world.observe(observations);
            Ok(())
        })
    }

    /// Takes one decision in each world, and returns the matches that are over.
    ///
    /// # Errors
    /// One sentence, if a length is wrong, a number is not finite or an index is out of range; nothing has happened then.
    pub fn step(&mut self, actions: Actions<'_>, buffers: Buffers<'_>) -> Result<Vec<Finished>, String> {
        let (rows, agents) = (self.rows(), self.config.agents);
        let Buffers { observations, rewards, terminated, final_observations } = buffers;
        check_length("observations", observations.len(), rows * OBSERVATION_LENGTH)?;
        check_length("final observations", final_observations.len(), rows * OBSERVATION_LENGTH)?;
        check_length("rewards", rewards.len(), rows)?;
        check_length("terminated", terminated.len(), rows)?;
        let orders = actions.decode(rows, self.has_spells)?;
        let (count, first_seed, size) = (self.worlds.len() as u64, self.first_seed, agents * OBSERVATION_LENGTH);
        let finished = Mutex::new(Vec::new());
        let jobs = (0_u64..)
            .zip(self.worlds.iter_mut().zip(&mut self.matches))
            .zip(observations.chunks_exact_mut(size).zip(final_observations.chunks_exact_mut(size)))
            .zip(rewards.chunks_exact_mut(agents).zip(terminated.chunks_exact_mut(agents)));
        run(self.threads, jobs, |job| {
            let (((index, (world, matches)), (observations, last)), (rewards, terminated)) = job;
            let first = index as usize * agents;
            let is_over = orders.step(world, first..first + agents, rewards);
            terminated.fill(is_over);
            if is_over {
                world.observe(last);
                let result = world.result();
                finished.lock().unwrap_or_else(PoisonError::into_inner).push(Finished {
                    world: index as usize,
                    seed: world.seed(),
                    winner: result.as_ref().and_then(|result| result.winner),
                    ending: result.as_ref().map_or("stopped", |result| result.ending.name()),
                    stashes: world.simulation().stashes(),
                    steps: world.steps(),
                });
                world.reset(nth_seed(first_seed, index, count, *matches))?;
                *matches += 1;
            }
            world.observe(observations);
            Ok(())
        })?;
        let mut finished = finished.into_inner().unwrap_or_else(PoisonError::into_inner);
        finished.sort_by_key(|over: &Finished| over.world);
        Ok(finished)
    }
}

impl Actions<'_> {
    /// The intents and spells of `rows` agents.
    ///
    /// # Errors
    /// One sentence, if the length is wrong, a number is not finite, or an index is out of range.
    pub(crate) fn decode(self, rows: usize, has_spells: bool) -> Result<Orders, String> {
        match self {
            Self::Continuous(numbers) => {
                check_length("actions", numbers.len(), rows * 2)?;
                if let Some(row) =
                    numbers.chunks_exact(2).position(|pair| !(pair[0].is_finite() && pair[1].is_finite()))
                {
                    return Err(format!(
                        "the action of row {row} is not finite, must be a drive and a turn from -1 to 1"
                    ));
                }
                let intents = numbers.chunks_exact(2).map(|pair| Intent { drive: pair[0], turn: pair[1] }.clamped());
                Ok(Orders::Intents(intents.collect(), vec![None; rows]))
            }
            Self::Discrete(indices) => {
                let choices = choices(has_spells);
                check_length("actions", indices.len(), rows * choices)?;
                let (mut intents, mut casts) = (Vec::with_capacity(rows), Vec::with_capacity(rows));
                for (row, chosen) in indices.chunks_exact(choices).enumerate() {
                    let (intent, cast) = choose(chosen).ok_or_else(|| {
                        let spells = if has_spells { format!(" and {}", Spell::COUNT + 1) } else { String::new() };
                        let (drives, turns) = (DRIVES.len(), TURNS.len());
                        format!(
                            "the action of row {row} is {chosen:?}, must be indices below {drives}, {turns}{spells}"
                        )
                    })?;
                    intents.push(intent);
                    casts.push(cast);
                }
                Ok(Orders::Intents(intents, casts))
            }
            Self::Goals(indices) => {
                check_length("actions", indices.len(), rows)?;
                let goal = |index: &i32| usize::try_from(*index).ok().filter(|goal| *goal < GOALS);
                if let Some(row) = indices.iter().position(|index| goal(index).is_none()) {
                    return Err(format!(
                        "the action of row {row} is {}, must be the index of a goal below {GOALS}",
                        indices[row]
                    ));
                }
                Ok(Orders::Goals(indices.iter().filter_map(goal).collect()))
            }
        }
    }
}

impl Orders {
    /// Takes the decision of the agents of one world, which are these rows.
    pub(crate) fn step(&self, world: &mut World, rows: Range<usize>, rewards: &mut [f32]) -> bool {
        match self {
            Self::Intents(intents, casts) => world.step(&intents[rows.clone()], &casts[rows], rewards),
            Self::Goals(goals) => {
                let intents = world.intents_of(&goals[rows]);
                world.step(&intents, &[], rewards)
            }
        }
    }
}

/// The number of whole numbers of a discrete action: drive, turn and, with spells, spell.
pub(crate) fn choices(has_spells: bool) -> usize {
    if has_spells { 3 } else { 2 }
}

/// The intent and the spell of a discrete action; `None` if an index is out of range.
fn choose(chosen: &[i32]) -> Option<(Intent, Option<Spell>)> {
    let index = |place: usize| usize::try_from(chosen[place]).ok();
    let intent = intent_of_choice(index(0)?, index(1)?)?;
    match chosen.get(2) {
        None | Some(0) => Some((intent, None)),
        Some(_) => Some((intent, Some(*Spell::ALL.get(index(2)?.checked_sub(1)?)?))),
    }
}

/// The seed of the n-th match of a world.
fn nth_seed(first_seed: u64, world: u64, worlds: u64, matches: u64) -> u64 {
    first_seed.wrapping_add(world).wrapping_add(worlds.wrapping_mul(matches))
}

fn check_length(what: &str, length: usize, expected: usize) -> Result<(), String> {
    match length == expected {
        true => Ok(()),
        false => Err(format!("{what}: {length} numbers, must be {expected}")),
    }
}

/// Does all jobs on this thread and `threads - 1` others; the first error ends the rest.
fn run<J: Send>(
    threads: usize,
    jobs: impl Iterator<Item = J> + Send,
    work: impl Fn(J) -> Result<(), String> + Sync,
) -> Result<(), String> {
    let most = jobs.size_hint().1.unwrap_or(threads);
    let helpers = threads.min(most).saturating_sub(1);
    let jobs = Mutex::new(jobs);
    let work_off = || {
        loop {
            let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
            match job {
                Some(job) => work(job)?,
                None => return Ok(()),
            }
        }
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (0..helpers).map(|_| scope.spawn(work_off)).collect();
        let own = work_off();
        others.into_iter().fold(own, |outcome, other| {
            let theirs = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            outcome.and(theirs)
        })
    })
}

#[cfg(test)]
mod tests;
