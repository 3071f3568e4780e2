//! The headless game: created from assets and a set-up, stepped with inputs, observed through views.

mod advance;
mod checked_plan;
pub mod edits;
mod error;
mod event_counts;
pub mod match_setup;
pub mod reload;
mod save;
pub mod schedule;
mod snapshot;
#[cfg(feature = "studio")]
pub mod studio;
mod types;
pub mod view;
mod view_builder;

use std::collections::BTreeMap;
use std::time::Duration;

use ecs::{
    Engine, EngineBuilder, ResourceRef,
    prefab::{Prefabs, Reloaded},
    snapshot::StateHasher,
};
use serde::{Deserialize, Serialize};

use self::advance::advance;
pub use self::checked_plan::CheckedPlan;
pub use self::error::SimulationError;
use self::event_counts::EventCounts;
pub use self::save::LoadError;
pub use self::save::MAX_TICKS;
pub use self::snapshot::SimulationSnapshot;
use crate::assets::Assets;
use crate::control::player_control::SeatIntents;
use crate::control::seats;
use crate::data::input::{Command, Inputs};
pub use crate::data::limits::{MAX_PLAYERS, PLAY_SECONDS};
use crate::events;
use crate::gameplay::match_flow::{GameFlow, Request};
use crate::gameplay::player::Players;
pub use crate::gameplay::player::Seat;
use crate::gameplay::spell::cast_spells;
use crate::gameplay::statistics::Statistics;
use crate::simulation::match_setup::MatchPlan;
use crate::simulation::schedule::build_engine;
use crate::simulation::view::{GameState, MatchResult, View};

/// The set-up of a match: everything that a simulation is created with besides the assets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchSetup {
    /// Seed of every random number.
    pub seed: u64,
    /// One entry for each player, 1 to 10,000.
    pub seats: Vec<Seat>,
    /// The length of the match, 0.01 to 86,400; replaces the assets' `play_seconds`.
    pub play_seconds: Option<f32>,
}

impl MatchSetup {
    /// A match of AIs with the same profile.
    #[must_use]
    pub fn of_ais(seed: u64, players: usize, profile: &str) -> Self {
        Self { seed, seats: vec![Seat::Ai { profile: profile.to_owned() }; players], play_seconds: None }
    }
}

/// The result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepReport {
    /// Steps since the simulation was created.
    pub tick: u64,
    /// The state after the step; further steps have no effect at `Terminated`.
    pub state: GameState,
}

/// A game without window, clock and files: the same seed and the same inputs give the same world, bit for bit.
///
/// # Example
/// ```
/// use bounty_hunter_simulation::assets::Assets;
/// use bounty_hunter_simulation::input::Inputs;
/// use bounty_hunter_simulation::simulation::{MatchSetup, Simulation};
/// use bounty_hunter_simulation::view::GameState;
///
/// let mut simulation = Simulation::new(&Assets::built_in(), &MatchSetup::of_ais(7, 4, "normal"))?;
/// while simulation.step(&Inputs::none()).state != GameState::Running {}
/// assert_eq!(simulation.view().collectors.len(), 4);
/// # Ok::<(), bounty_hunter_simulation::simulation::SimulationError>(())
/// ```
pub struct Simulation {
    engine: Engine,
    plan: CheckedPlan,
    step: Duration,
    tick: u64,
    /// The first step of the match; 0 for the first match.
    begin: u64,
    events: EventCounts,
    /// What the last step was taken with.
    #[cfg(feature = "studio")]
    entered: Inputs,
}

impl Simulation {
    /// An empty simulation; the first steps build the arena and count down.
    ///
    /// # Errors
    /// - [`SimulationError`] if the set-up and the assets do not fit together.
    pub fn new(assets: &Assets, setup: &MatchSetup) -> Result<Self, SimulationError> {
        Self::with_engine(assets, setup, Engine::builder())
    }

    /// As [`Simulation::new`], with settings of the engine: its threads and its clock. They do not change the course of
    /// the match, so they are not part of the set-up, the state or its hash.
    ///
    /// # Errors
    /// - [`SimulationError`] if the set-up and the assets do not fit together.
    pub fn with_engine(assets: &Assets, setup: &MatchSetup, engine: EngineBuilder) -> Result<Self, SimulationError> {
        let plan = CheckedPlan::new(assets, setup)?;
        let mut engine = build_engine(engine, &plan).map_err(SimulationError::Engine)?;
        types::register(engine.types_mut()).map_err(|error| SimulationError::Engine(error.into()))?;
        let step = Duration::from_nanos(1_000_000_000 / u64::from(plan.config.steps_per_second));
        let mut simulation = Self {
            engine,
            plan,
            step,
            tick: 0,
            begin: 0,
            events: EventCounts::default(),
            #[cfg(feature = "studio")]
            entered: Inputs::none(),
        };
        advance(&mut simulation.engine, &simulation.plan);
        Ok(simulation)
    }

    /// Applies `inputs` and takes one step.
    ///
    /// # Panics
    /// If the systems send events to each other without end, which would be a bug in this crate.
    pub fn step(&mut self, inputs: &Inputs) -> StepReport {
        if self.state() != GameState::Terminated {
            self.tick += 1;
            let _span = tracing::info_span!(target: "bounty_hunter::step", "step", tick = self.tick).entered();
            self.enter(inputs);
            self.frame(self.step);
            let state = self.state();
            advance(&mut self.engine, &self.plan);
            if self.state() == GameState::Restarted && matches!(state, GameState::Paused | GameState::GameOver) {
                self.begin = self.tick;
                self.events.clear(&self.engine);
            }
            if self.plan.rules.options.spells.is_some() {
                let state = self.state();
                cast_spells(&mut self.engine, state);
            }
            // The caller may take no further step after the end, so its events are delivered now.
            if self.state() != state && matches!(self.state(), GameState::GameOver | GameState::Terminated) {
                self.frame(Duration::ZERO);
            }
        }
        StepReport { tick: self.tick, state: self.state() }
    }

    fn frame(&mut self, delta: Duration) {
        self.engine.update(delta).expect("the systems of the game fit together");
    }

    /// Converts inputs to events, the only data that enters from outside.
    fn enter(&mut self, inputs: &Inputs) {
        #[cfg(feature = "studio")]
        self.entered.clone_from(inputs);
        self.repeat_edits(&inputs.edits);
        let engine = &mut self.engine;
        for command in &inputs.commands {
            match *command {
                Command::Pause => engine.send(events::PauseGame),
                Command::Resume => engine.send(events::ResumeGame),
                Command::Restart => engine.send(events::RestartGame),
                Command::Quit => engine.send(events::QuitGame),
                Command::Close => {
                    if let Some(flow) = engine.resource_mut::<GameFlow>() {
                        flow.request(Request::Close);
                    }
                }
                Command::Cheat(cheat) => engine.send(events::UseCheat { cheat }),
                Command::TakeSeat(player) => seats::take(engine, player),
                Command::ReleaseSeat(player) => {
                    if let Some((seat, _)) = self.plan.seats.get(player as usize) {
                        seats::release(engine, player, seat);
                    }
                }
            }
        }
        // Without spells this event has no listener.
        for &(player, spell) in inputs.casts.iter().filter(|_| self.plan.rules.options.spells.is_some()) {
            let players = engine.resource::<Players>();
            let caster = players.and_then(|players| Some(players.0.get(player as usize)?.collector));
            if let Some(caster) = caster {
                engine.send(events::CastSpell { caster, spell });
            }
        }
        if let Some(SeatIntents(intents)) = engine.resource_mut() {
            for (player, intent) in &inputs.intents {
                if let Some(place) = intents.get_mut(*player as usize) {
                    *place = intent.clamped();
                }
            }
        }
    }

    /// The state of the game.
    #[must_use]
    pub fn state(&self) -> GameState {
        self.engine.resource::<GameFlow>().map_or(GameState::NotInitialized, |flow| flow.state())
    }

    /// The result of the match; `None` before its end.
    #[must_use]
    pub fn result(&self) -> Option<MatchResult> {
        self.engine.resource::<GameFlow>().and_then(|flow| flow.result().cloned())
    }

    /// Seconds played in this match, without countdown and pauses.
    #[must_use]
    pub fn played_seconds(&self) -> f64 {
        let left = self.engine.resource::<GameFlow>().map_or(0, |flow| flow.ticks_left().1);
        f64::from(self.plan.play_ticks.saturating_sub(left)) / f64::from(self.plan.config.steps_per_second)
    }

    /// The length of the match, seconds, without countdown and pauses.
    #[must_use]
    pub fn play_seconds(&self) -> f64 {
        f64::from(self.plan.play_ticks) / f64::from(self.plan.config.steps_per_second)
    }

    /// The content of each stash, by player.
    #[must_use]
    pub fn stashes(&self) -> Vec<f32> {
        advance::stashes(&self.engine)
    }

    /// The number of the team of each player, from 0; empty in a match without teams.
    #[must_use]
    pub fn teams(&self) -> Vec<u32> {
        advance::teams(&self.engine)
    }

    /// Whether a player has won the match: alone, or with its team.
    #[must_use]
    pub fn has_won(&self, player: u32) -> bool {
        let Some(winner) = self.result().and_then(|result| result.winner) else { return false };
        let teams = self.teams();
        let team = |player: u32| teams.get(player as usize);
        winner == player || team(winner).is_some_and(|winning| team(player) == Some(winning))
    }

    /// Steps since the simulation was created.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// Simulation steps per second of play.
    #[must_use]
    pub fn steps_per_second(&self) -> u32 {
        self.plan.config.steps_per_second
    }

    /// The first step of the match; 0 for the first match of a simulation.
    #[must_use]
    pub fn begin(&self) -> u64 {
        self.begin
    }

    /// The number of events of each type sent in this match, by the type's name. Events that were taken back do not
    /// count; those sent before a save do.
    #[must_use]
    pub fn event_counts(&self) -> BTreeMap<String, u64> {
        self.events.by_name(&self.engine)
    }

    /// What each player has made of this match, as [`Simulation::event_counts`].
    ///
    /// # Panics
    /// If the resource was removed by [`Simulation::engine_mut`].
    #[must_use]
    pub fn statistics(&self) -> ResourceRef<'_, Statistics> {
        self.engine.resource().expect("the schedule inserts them")
    }

    /// The engine, for reading.
    #[must_use]
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The engine, for tools and tests that set up a situation. A replay does not reproduce changes made here.
    pub fn engine_mut(&mut self) -> &mut Engine {
        &mut self.engine
    }

    /// Replaces the prefabs and updates the existing objects. A replay does not reproduce this change.
    ///
    /// # Errors
    /// - [`SimulationError::Prefab`] if a prefab of the match is missing or lacks a component; nothing was changed.
    /// - [`SimulationError::OutOfBounds`] if one is too small for its speed, and the like; nothing was changed.
    pub fn replace_prefabs(&mut self, prefabs: Prefabs) -> Result<Reloaded, SimulationError> {
        self.plan.check_prefabs(&prefabs)?;
        Ok(reload::replace_prefabs(&mut self.engine, &self.plan, prefabs))
    }

    /// The view after the last step.
    #[must_use]
    pub fn view(&self) -> View {
        let mut view = View::empty();
        self.view_into(&mut view);
        view
    }

    /// Overwrites `view` with the view after the last step; reuses its memory.
    pub fn view_into(&self, view: &mut View) {
        view_builder::build(self, view);
    }

    /// The hash of the whole state: simulations with equal hashes stay equal if their inputs are.
    ///
    /// # Panics
    /// If a value of an unregistered type was added by [`Simulation::engine_mut`].
    #[must_use]
    pub fn state_hash(&mut self) -> u64 {
        self.engine.state_hash().unwrap_or_else(|error| panic!("{error}")).whole
    }
}

/// Checks whether a match can be set up, without building it.
///
/// # Errors
/// - [`SimulationError`] if the set-up and the assets do not fit together.
pub fn check_match(assets: &Assets, setup: &MatchSetup) -> Result<(), SimulationError> {
    CheckedPlan::new(assets, setup).map(|_| ())
}

/// The hash of everything besides inputs that decides the course of a match: the set-up and the numbers of its assets.
/// Equal on every platform. It changes with each number, and also when a field of the assets is renamed.
///
/// # Errors
/// - [`SimulationError`] if the set-up and the assets do not fit together.
pub fn configuration_hash(assets: &Assets, setup: &MatchSetup) -> Result<u64, SimulationError> {
    let plan = CheckedPlan::new(assets, setup)?;
    Ok(hash_configuration(&plan, &assets.prefabs))
}

fn hash_configuration(plan: &MatchPlan, prefabs: &Prefabs) -> u64 {
    let mut hash = StateHasher::default();
    hash.printed(plan);
    // A plan prints only the names of its prefabs.
    for name in prefabs.names() {
        hash.printed(&prefabs.explain(name));
        prefabs.lineage(name).for_each(|like| _ = hash.add(like));
    }
    hash.finish()
}
