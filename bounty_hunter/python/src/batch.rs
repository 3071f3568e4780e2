//! Many worlds, stepped together on many threads, which begin their next matches by themselves if asked to.

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

/// When a world begins its next match after the end of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Autoreset {
    /// In the step after the end, which takes no decision in this world and gives 0.
    NextStep,
    /// In the step of the end: the observation is the first one of the next match.
    SameStep,
    /// When it is reset; until then no step is taken in any world.
    Disabled,
}

/// Where a step writes its results; agents lie one after the other, world after world.
#[derive(Debug)]
pub struct Buffers<'a> {
    /// Observations: [`OBSERVATION_LENGTH`] numbers for each agent.
    pub observations: &'a mut [f32],
    /// A reward for each agent.
    pub rewards: &'a mut [f32],
    /// For each agent: whether its match is over.
    pub terminated: &'a mut [bool],
    /// For each agent: whether its match was cut off after the most decisions.
    pub truncated: &'a mut [bool],
    /// As `observations`; written only where a match ended and the next one began in the same step, with the last
    /// observation.
    pub final_observations: &'a mut [f32],
}

/// A match that is over, or was cut off.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    /// Index of its world.
    pub world: usize,
    /// Its seed.
    pub seed: u64,
    /// The winner's seat; `None` for a draw.
    pub winner: Option<u32>,
    /// Why it ended; `truncated` if it was cut off.
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
    /// The seed of the next match of each world.
    next_seeds: Vec<u64>,
    /// Whether there was no reset yet.
    is_new: bool,
    threads: usize,
    has_spells: bool,
    autoreset: Autoreset,
    /// The most decisions of a match; `None` if matches are not cut off.
    max_decisions: Option<u64>,
}

impl Batch {
    /// `worlds` worlds. The first match of world i has the seed `seed` + i, and each further one the seed of the last
    /// one plus the number of worlds, so all seeds differ. A match is cut off after `max_decisions`. The number of
    /// threads does not change any result.
    ///
    /// # Errors
    /// One sentence, if there are no worlds or no agents, or the seats do not fit the level.
    pub fn new(
        config: MatchConfig,
        worlds: usize,
        threads: usize,
        seed: u64,
        autoreset: Autoreset,
        max_decisions: Option<u64>,
    ) -> Result<Self, String> {
        if worlds == 0 {
            return Err("num_worlds is 0, must be at least 1".to_owned());
        }
        if config.agents == 0 {
            return Err("agents is 0, must be at least 1".to_owned());
        }
        let config = Arc::new(config);
        let has_spells = config.assets.game.rules.spells.is_some();
        let count = worlds as u64;
        let begun = (0..count).map(|world| World::new(&config, seed.wrapping_add(world), false));
        let worlds: Vec<World> = begun.collect::<Result<_, _>>()?;
        let next_seeds = (count..2 * count).map(|match_| seed.wrapping_add(match_)).collect();
        let threads = threads.max(1);
        Ok(Self { config, worlds, next_seeds, is_new: true, threads, has_spells, autoreset, max_decisions })
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

    /// Time that passed in the simulation, added up over all worlds. On a busy machine it has the time in which a
    /// thread waited for a processor.
    #[must_use]
    pub fn simulation_wall(&self) -> Duration {
        self.worlds.iter().map(|world| world.simulation_wall).sum()
    }

    /// The number of whole numbers that a discrete action has: drive, turn and, with spells, spell.
    #[must_use]
    pub fn choices(&self) -> usize {
        choices(self.has_spells)
    }

    /// Begins new matches in the worlds that are marked in `are_reset`, and writes the observations of all worlds. A
    /// world without a seed goes on with its next one.
    ///
    /// # Errors
    /// One sentence, if a length is wrong.
    pub fn reset(&mut self, seeds: &[Option<u64>], are_reset: &[bool], observations: &mut [f32]) -> Result<(), String> {
        check_length("seeds", seeds.len(), self.worlds.len())?;
        check_length("the mask", are_reset.len(), self.worlds.len())?;
        check_length("observations", observations.len(), self.rows() * OBSERVATION_LENGTH)?;
        // The first matches were begun with the batch.
        let is_first = std::mem::take(&mut self.is_new);
        let (count, size) = (self.worlds.len() as u64, self.config.agents * OBSERVATION_LENGTH);
        let jobs = self
            .worlds
            .iter_mut()
            .zip(&mut self.next_seeds)
            .zip(seeds.iter().zip(are_reset))
            .zip(observations.chunks_exact_mut(size));
        run(self.threads, jobs, |(((world, next_seed), (seed, is_reset)), observations)| {
            if *is_reset && !(is_first && seed.is_none()) {
                *next_seed = seed.unwrap_or(*next_seed);
                begin_next(world, next_seed, count)?;
            }
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

    /// For each row: the seed of its match, the steps in which its agent could act, and the content of its stash,
    /// points.
    #[must_use]
    pub fn rows_about(&self) -> (Vec<u64>, Vec<i64>, Vec<f32>) {
        let (mut seeds, mut steps, mut stashes) = (Vec::new(), Vec::new(), Vec::new());
        for world in &self.worlds {
            stashes.extend(world.stashed());
            seeds.resize(stashes.len(), world.seed());
            steps.resize(stashes.len(), i64::try_from(world.steps()).unwrap_or(i64::MAX));
        }
        (seeds, steps, stashes)
    }

    /// Takes one decision in each world, and returns the matches that are over or cut off.
    ///
    /// # Errors
    /// One sentence, if a length is wrong, an action is outside its space, or a match is over that is not restarted by
    /// itself; nothing has happened then.
    pub fn step(&mut self, actions: Actions<'_>, buffers: Buffers<'_>) -> Result<Vec<Finished>, String> {
        let (rows, agents) = (self.rows(), self.config.agents);
        let Buffers { observations, rewards, terminated, truncated, final_observations } = buffers;
        check_length("observations", observations.len(), rows * OBSERVATION_LENGTH)?;
        check_length("final observations", final_observations.len(), rows * OBSERVATION_LENGTH)?;
        check_length("rewards", rewards.len(), rows)?;
        check_length("terminated", terminated.len(), rows)?;
        check_length("truncated", truncated.len(), rows)?;
        let orders = actions.decode(rows, self.has_spells)?;
        let (autoreset, max_decisions) = (self.autoreset, self.max_decisions);
        let is_cut = |world: &World| max_decisions.is_some_and(|most| world.decisions() >= most);
        let has_ended = |world: &World| world.is_over() || is_cut(world);
        if autoreset == Autoreset::Disabled
            && let Some(world) = self.worlds.iter().position(has_ended)
        {
            return Err(format!(
                "the match of world {world} is over: begin its next one with reset(options={{\"reset_mask\": ...}}) before the next step"
            ));
        }
        let (count, size) = (self.worlds.len() as u64, agents * OBSERVATION_LENGTH);
        let finished = Mutex::new(Vec::new());
        let flags = terminated.chunks_exact_mut(agents).zip(truncated.chunks_exact_mut(agents));
        let jobs = (0..)
            .zip(self.worlds.iter_mut().zip(&mut self.next_seeds))
            .zip(observations.chunks_exact_mut(size).zip(final_observations.chunks_exact_mut(size)))
            .zip(rewards.chunks_exact_mut(agents).zip(flags));
        run(self.threads, jobs, |job| {
            let (((index, (world, next_seed)), (observations, last)), (rewards, (terminated, truncated))) = job;
            if autoreset == Autoreset::NextStep && has_ended(world) {
                rewards.fill(0.0);
                terminated.fill(false);
                truncated.fill(false);
                begin_next(world, next_seed, count)?;
                world.observe(observations);
                return Ok(());
            }
            let first = index * agents;
            let is_over = orders.step(world, first..first + agents, rewards);
            terminated.fill(is_over);
            truncated.fill(is_cut(world));
            if has_ended(world) {
                let result = world.result();
                let without_result = if is_over { "stopped" } else { "truncated" };
                finished.lock().unwrap_or_else(PoisonError::into_inner).push(Finished {
                    world: index,
                    seed: world.seed(),
                    winner: result.as_ref().and_then(|result| result.winner),
                    ending: result.as_ref().map_or(without_result, |result| result.ending.name()),
                    stashes: world.simulation().stashes(),
                    steps: world.steps(),
                });
                if autoreset == Autoreset::SameStep {
                    world.observe(last);
                    begin_next(world, next_seed, count)?;
                }
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
    /// One sentence, if the length is wrong, or an action is outside its space.
    pub(crate) fn decode(self, rows: usize, has_spells: bool) -> Result<Orders, String> {
        match self {
            Self::Continuous(numbers) => {
                check_length("actions", numbers.len(), rows * 2)?;
                let is_outside = |pair: &[f32]| !pair.iter().all(|number| (-1.0..=1.0).contains(number));
                if let Some((row, pair)) = numbers.chunks_exact(2).enumerate().find(|(_, pair)| is_outside(pair)) {
                    let is_finite = pair.iter().all(|number| number.is_finite());
                    let found = if is_finite { format!("{pair:?}") } else { "not finite".to_owned() };
                    return Err(format!("the action of row {row} is {found}, must be a drive and a turn from -1 to 1"));
                }
                let intents = numbers.chunks_exact(2).map(|pair| Intent { drive: pair[0], turn: pair[1] });
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

/// Begins the next match of one of `worlds` worlds.
fn begin_next(world: &mut World, next_seed: &mut u64, worlds: u64) -> Result<(), String> {
    world.reset(*next_seed)?;
    *next_seed = next_seed.wrapping_add(worlds);
    Ok(())
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
