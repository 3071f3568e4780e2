//! One match with its agents.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bounty_hunter::ai::learned::{OBSERVATION_LENGTH, Observer, Scene, intent_of_goal, observe};
use bounty_hunter::capacity::Capacity;
use bounty_hunter::collector::{Collector, Pocket};
use bounty_hunter::config::MatchRules;
use bounty_hunter::game_object::{Life, Transform};
use bounty_hunter::input::{Inputs, Intent};
use bounty_hunter::learned_controller::{look_around, observers};
use bounty_hunter::lives::Lives;
use bounty_hunter::player::Players;
use bounty_hunter::replay::Recorder;
use bounty_hunter::simulation::{Simulation, SimulationSnapshot};
use bounty_hunter::spell::Spell;
use bounty_hunter::stash::Stash;
use bounty_hunter::view::{GameState, MatchResult};
use ecs::{Engine, IncludeDisabled};

use crate::options::MatchConfig;
use crate::rewards::Account;

/// A match that runs, with its agents.
pub struct World {
    config: Arc<MatchConfig>,
    seed: u64,
    simulation: Simulation,
    /// Whether matches are recorded.
    is_recorded: bool,
    /// The recording; `None` if matches are not recorded, or this one came from a state without a recording.
    recorder: Option<Recorder>,
    inputs: Inputs,
    /// The accounts of the agents after the last step, and before it.
    accounts: Vec<Account>,
    before: Vec<Account>,
    scene: Scene,
    observers: Vec<Observer>,
    /// The observations of the present moment; empty before they are asked for.
    seen: Vec<f32>,
    /// Steps of the countdown, which no agent can act in.
    countdown_steps: u64,
    /// Time that passed while it was in the simulation, since the world was created.
    pub(crate) simulation_wall: Duration,
}

/// A copy of a world between two decisions.
pub struct WorldState {
    /// The identity of its configuration, and its players and agents.
    identity: u64,
    players: usize,
    agents: usize,
    seed: u64,
    simulation: SimulationSnapshot,
    recorder: Option<Recorder>,
    accounts: Vec<Account>,
    countdown_steps: u64,
}

impl World {
    /// Refuses what no world can be made of, whatever its seed.
    ///
    /// # Errors
    /// One sentence, if seats, level and rules do not fit together.
    pub fn check(config: &MatchConfig, is_recorded: bool) -> Result<(), String> {
        begin(config, 0, is_recorded).map(drop)
    }

    /// A match with this seed, after its countdown. `is_recorded` keeps its inputs for a replay.
    ///
    /// # Errors
    /// One sentence, if seats, level and rules do not fit together.
    pub fn new(config: &Arc<MatchConfig>, seed: u64, is_recorded: bool) -> Result<Self, String> {
        let (simulation, recorder) = begin(config, seed, is_recorded)?;
        let mut world = Self {
            config: Arc::clone(config),
            seed,
            simulation,
            is_recorded,
            recorder,
            inputs: Inputs::none(),
            accounts: Vec::new(),
            before: Vec::new(),
            scene: Scene::default(),
            observers: Vec::new(),
            seen: Vec::new(),
            countdown_steps: 0,
            simulation_wall: Duration::ZERO,
        };
        world.count_down();
        Ok(world)
    }

    /// Begins another match.
    ///
    /// # Errors
    /// None that [`World::new`] did not have with the same configuration.
    pub fn reset(&mut self, seed: u64) -> Result<(), String> {
        (self.simulation, self.recorder) = begin(&self.config, seed, self.is_recorded)?;
        self.seed = seed;
        self.count_down();
        Ok(())
    }

    /// Steps to the moment at which collectors may move, and opens the accounts.
    fn count_down(&mut self) {
        let started = Instant::now();
        self.inputs = Inputs::none();
        while !matches!(self.simulation.state(), GameState::Running | GameState::GameOver | GameState::Terminated) {
            self.advance();
        }
        self.simulation_wall += started.elapsed();
        self.countdown_steps = self.simulation.tick();
        self.seen.clear();
        self.accounts.clear();
        self.accounts.resize(self.config.agents, Account::default());
        fill_accounts(self.simulation.engine(), &mut self.accounts);
    }

    /// Takes one step of the simulation with the present inputs.
    fn advance(&mut self) {
        self.simulation.step(&self.inputs);
        if let Some(recorder) = &mut self.recorder {
            recorder.note(&self.inputs, &mut self.simulation);
        }
    }

    /// Takes the steps of one decision and adds up the rewards of the agents. Returns whether the match is over. After
    /// the end nothing happens, and the rewards are 0.
    ///
    /// # Panics
    /// If the numbers of intents or rewards are not the number of agents.
    pub fn step(&mut self, intents: &[Intent], casts: &[Option<Spell>], rewards: &mut [f32]) -> bool {
        let agents = self.config.agents;
        assert!(intents.len() == agents && rewards.len() == agents, "there are {agents} agents");
        rewards.fill(0.0);
        if self.is_over() {
            return true;
        }
        self.seen.clear();
        self.inputs.intents.extend((0..).zip(intents.iter().copied()));
        self.inputs.casts.extend((0..).zip(casts).filter_map(|(player, cast)| Some((player, (*cast)?))));
        let half_extent_m = self.half_extent_m();
        for _ in 0..self.config.frame_skip {
            let started = Instant::now();
            self.advance();
            self.simulation_wall += started.elapsed();
            // A seat keeps its intent.
            self.inputs.intents.clear();
            self.inputs.casts.clear();
            self.before.clone_from(&self.accounts);
            fill_accounts(self.simulation.engine(), &mut self.accounts);
            let (weights, is_over) = (&self.config.rewards, self.is_over());
            let is_decided = self.result().is_some_and(|result| result.winner.is_some());
            let accounts = self.before.iter().zip(&self.accounts);
            for ((player, (before, after)), reward) in (0..).zip(accounts).zip(&mut *rewards) {
                *reward += weights.of_step(before, after, half_extent_m);
                if before.is_out {
                    continue;
                }
                if is_over {
                    *reward += weights.of_end(is_decided.then(|| self.simulation.has_won(player)));
                } else if after.is_out {
                    *reward += weights.defeated;
                }
            }
            if is_over {
                break;
            }
        }
        self.is_over()
    }

    /// Writes the observations of all agents, one after the other.
    ///
    /// # Panics
    /// If there are not [`OBSERVATION_LENGTH`] numbers for each agent.
    pub fn observe(&mut self, numbers: &mut [f32]) {
        assert_eq!(numbers.len(), self.config.agents * OBSERVATION_LENGTH, "an observation for each agent");
        self.look();
        numbers.copy_from_slice(&self.seen);
    }

    /// Observes the present moment, once.
    fn look(&mut self) {
        if !self.seen.is_empty() {
            return;
        }
        look_around(self.simulation.engine(), &mut self.scene);
        observers(self.simulation.engine(), &mut self.observers);
        self.seen.resize(self.config.agents * OBSERVATION_LENGTH, 0.0);
        for (me, numbers) in self.observers.iter().zip(self.seen.chunks_exact_mut(OBSERVATION_LENGTH)) {
            observe(&self.scene, me, numbers);
        }
    }

    /// The intents of goals, one for each agent, at the present moment. An index without a goal gives [`Intent::IDLE`].
    pub fn intents_of(&mut self, goals: &[usize]) -> Vec<Intent> {
        self.look();
        let seen = self.seen.chunks_exact(OBSERVATION_LENGTH);
        goals.iter().zip(seen).map(|(goal, seen)| intent_of_goal(*goal, seen).unwrap_or(Intent::IDLE)).collect()
    }

    fn half_extent_m(&self) -> f32 {
        self.simulation.engine().resource::<MatchRules>().map_or(1.0, |rules| rules.world_half_extent_m)
    }

    /// Whether the match is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        matches!(self.simulation.state(), GameState::GameOver | GameState::Terminated)
    }

    /// Whether an agent has no lives left.
    #[must_use]
    pub fn is_out(&self, agent: usize) -> bool {
        let engine = self.simulation.engine();
        let Some(players) = engine.resource::<Players>() else { return false };
        let lives = players.0.get(agent).and_then(|player| engine.get::<Lives>(player.collector));
        lives.is_some_and(|lives| !lives.is_in())
    }

    /// The result of the match; `None` before its end.
    #[must_use]
    pub fn result(&self) -> Option<MatchResult> {
        self.simulation.result()
    }

    /// The seed of the match.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The match.
    #[must_use]
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// Steps of the simulation in which agents could act.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.simulation.tick() - self.countdown_steps
    }

    /// Decisions taken in this match.
    #[must_use]
    pub fn decisions(&self) -> u64 {
        self.steps().div_ceil(u64::from(self.config.frame_skip))
    }

    /// Writes for each agent whether the match is over for it: as a whole, or since it has no lives left.
    ///
    /// # Panics
    /// If there is not one for each agent.
    pub fn write_terminated(&self, terminated: &mut [bool]) {
        assert_eq!(terminated.len(), self.accounts.len(), "one for each agent");
        let is_over = self.is_over();
        terminated.iter_mut().zip(&self.accounts).for_each(|(is_out, account)| *is_out = is_over || account.is_out);
    }

    /// The content of the stash of each agent, points.
    pub fn stashed(&self) -> impl Iterator<Item = f32> {
        self.accounts.iter().map(|account| account.stashed)
    }

    /// The hash of the whole state, which `simulate` and `replay` of the program print as well.
    #[must_use]
    pub fn state_hash(&mut self) -> u64 {
        self.simulation.state_hash()
    }

    /// The replay so far, as the content of a file that `bounty_hunter replay` plays; `None` if it was not recorded.
    #[must_use]
    pub fn replay(&mut self) -> Option<Vec<u8>> {
        Some(self.recorder.as_ref()?.replay(&mut self.simulation).to_bytes())
    }

    /// A copy of the state.
    ///
    /// # Errors
    /// One sentence, if the state cannot be copied, which would be a bug in the game.
    pub fn snapshot(&mut self) -> Result<WorldState, String> {
        Ok(WorldState {
            identity: self.config.identity()?,
            players: self.config.seats.len(),
            agents: self.config.agents,
            seed: self.seed,
            simulation: self.simulation.snapshot().map_err(|error| error.to_string())?,
            recorder: self.recorder.clone(),
            accounts: self.accounts.clone(),
            countdown_steps: self.countdown_steps,
        })
    }

    /// Goes back to a copy; it may be of another world with the same options, and can be restored again. A copy without
    /// a recording has no replay, but the next match is recorded again.
    ///
    /// # Errors
    /// One sentence, if the copy is of a world with other options; nothing has changed then.
    pub fn restore(&mut self, state: &WorldState) -> Result<(), String> {
        let (players, agents) = (self.config.seats.len(), self.config.agents);
        if (state.players, state.agents) != (players, agents) {
            return Err(format!(
                "the state has {} players and {} agents, must have {players} and {agents}, as this environment",
                state.players, state.agents
            ));
        }
        if state.identity != self.config.identity()? {
            return Err(
                "the state is of an environment with other options, must be of one with the same mode, level, rules, \
                        opponents, length and assets"
                    .to_owned(),
            );
        }
        // The random numbers of a match are part of its snapshot, but its plan is not.
        if state.seed != self.seed {
            self.reset(state.seed)?;
        }
        self.seen.clear();
        self.simulation.restore(&state.simulation).map_err(|error| error.to_string())?;
        self.recorder = state.recorder.clone().filter(|_| self.is_recorded);
        self.accounts.clone_from(&state.accounts);
        self.countdown_steps = state.countdown_steps;
        Ok(())
    }
}

fn begin(config: &MatchConfig, seed: u64, is_recorded: bool) -> Result<(Simulation, Option<Recorder>), String> {
    let setup = config.setup(seed);
    // Matches run side by side, so each needs only one thread.
    let engine = Engine::builder().threads(1);
    let simulation = Simulation::with_engine(&config.assets, &setup, engine).map_err(|error| error.to_string())?;
    let recorder = is_recorded.then(|| Recorder::new(&config.mode, &config.assets, &setup)).transpose();
    Ok((simulation, recorder.map_err(|error| error.to_string())?))
}

/// Overwrites the accounts of the first players of a match.
fn fill_accounts(engine: &Engine, accounts: &mut [Account]) {
    let collectors =
        engine.read_filtered::<(&Collector, &Pocket, &Life, &Transform, Option<&Lives>), IncludeDisabled>();
    collectors.for_each(|(collector, pocket, life, transform, lives)| {
        if let Some(account) = accounts.get_mut(collector.player as usize) {
            account.carried = pocket.carried;
            account.is_alive = life.is_alive;
            account.is_out = lives.is_some_and(|lives| !lives.is_in());
            account.place = transform.pose.position;
        }
    });
    engine.read::<(&Stash, &Transform)>().for_each(|(stash, transform)| {
        if let Some(account) = accounts.get_mut(stash.player as usize) {
            account.stashed = stash.stashed;
            account.home = transform.pose.position;
        }
    });
}

impl World {
    /// Content and capacity of each stash, points.
    #[must_use]
    pub fn stashes(&self) -> Vec<(f32, f32)> {
        let engine = self.simulation.engine();
        let mut stashes = Vec::new();
        engine
            .read::<(&Stash, &Capacity)>()
            .for_each(|(stash, capacity)| stashes.push((stash.player, (stash.stashed, capacity.points))));
        stashes.sort_by_key(|(player, _)| *player);
        stashes.into_iter().map(|(_, stash)| stash).collect()
    }
}

#[cfg(test)]
mod tests;
