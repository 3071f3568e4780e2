//! A match that a test drives and observes.

use bounty_hunter::arena::Pose;
use bounty_hunter::bounty::Bounty;
use bounty_hunter::collector::{Collector, Pocket};
use bounty_hunter::events::KillGameObject;
use bounty_hunter::game_object::{Life, Transform};
use bounty_hunter::ghost::Ghost;
use bounty_hunter::input::{Cheat, Command, Inputs, Intent};
use bounty_hunter::match_flow::GameFlow;
use bounty_hunter::player::Players;
use bounty_hunter::simulation::Simulation;
use bounty_hunter::spell::{Spell, SpellCaster};
use bounty_hunter::stash::Stash;
use bounty_hunter::view::{BountyView, GameState, MatchResult};
use ecs::event::EventRoute;
use ecs::{Component, EntityId, Event, IncludeDisabled};

use crate::scenario::put;

/// A match that a test plays.
pub struct Game {
    simulation: Simulation,
    /// The inputs of the next step.
    inputs: Inputs,
}

/// Inputs and changes.
impl Game {
    /// Plays a simulation.
    #[must_use]
    pub fn playing(simulation: Simulation) -> Self {
        Self { simulation, inputs: Inputs::none() }
    }

    /// Sets the intent of a player that no AI drives, from the next step on.
    pub fn drive(&mut self, player: u32, drive: f32, turn: f32) -> &mut Self {
        self.inputs.intents.push((player, Intent { drive, turn }));
        self
    }

    /// Adds a command to the next step.
    pub fn command(&mut self, command: Command) -> &mut Self {
        self.inputs.commands.push(command);
        self
    }

    /// Gives a command and takes a step.
    pub fn ask(&mut self, command: Command) -> &mut Self {
        self.command(command).step(1)
    }

    /// Uses a cheat and takes a step.
    pub fn cheat(&mut self, cheat: Cheat) -> &mut Self {
        self.ask(Command::Cheat(cheat))
    }

    /// Pauses the match and takes a step.
    pub fn pause(&mut self) -> &mut Self {
        self.ask(Command::Pause)
    }

    /// Ends a pause and takes a step.
    pub fn resume(&mut self) -> &mut Self {
        self.ask(Command::Resume)
    }

    /// Begins a paused or finished match again and takes a step.
    pub fn restart(&mut self) -> &mut Self {
        self.ask(Command::Restart)
    }

    /// Requests a spell for a player in the next step.
    pub fn cast(&mut self, player: u32, spell: Spell) -> &mut Self {
        self.inputs.casts.push((player, spell));
        self
    }

    /// Ends all cool-downs of a player.
    pub fn make_ready(&mut self, player: usize) -> &mut Self {
        let collector = self.collector(player);
        self.component_mut::<SpellCaster>(collector).left_seconds = [0.0; Spell::COUNT];
        self
    }

    /// Makes a ghost of a collector, in a match with power-ups.
    ///
    /// # Panics
    /// If the match has no power-ups.
    pub fn make_ghost(&mut self, player: usize, seconds: f32) -> &mut Self {
        let collector = self.collector(player);
        self.component_mut::<Ghost>(collector).left_seconds = seconds;
        self.simulation.engine_mut().enable_component::<Ghost>(collector).expect("the collector was found just now");
        self
    }

    /// Requests the death of an object; granted in the next step.
    pub fn kill(&mut self, entity: EntityId) -> &mut Self {
        self.simulation.engine_mut().send(KillGameObject { entity });
        self
    }

    /// Sets the load of a player.
    pub fn carry(&mut self, player: usize, value: f32) -> &mut Self {
        let collector = self.collector(player);
        self.component_mut::<Pocket>(collector).carried = value;
        self
    }

    /// Sets the content of a stash.
    pub fn store(&mut self, player: usize, value: f32) -> &mut Self {
        let stash = self.stash_of(player);
        self.component_mut::<Stash>(stash).stashed = value;
        self
    }

    /// Moves an object at once.
    pub fn put(&mut self, object: EntityId, pose: Pose) -> &mut Self {
        put(self.simulation.engine_mut(), object, pose);
        self
    }

    /// Takes `steps` steps.
    pub fn step(&mut self, steps: u32) -> &mut Self {
        for _ in 0..steps {
            let inputs = std::mem::take(&mut self.inputs);
            self.simulation.step(&inputs);
        }
        self
    }

    /// Steps until a condition is true; returns the number of steps.
    ///
    /// # Panics
    /// If it does not become true within `most` steps.
    pub fn step_until(&mut self, most: u32, mut is_true: impl FnMut(&Self) -> bool) -> u32 {
        for taken in 0..=most {
            if is_true(self) {
                return taken;
            }
            self.step(1);
        }
        panic!("it did not happen within {most} steps");
    }
}

/// Observations.
impl Game {
    /// The simulation.
    #[must_use]
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// The simulation, for changes that no input makes.
    pub fn simulation_mut(&mut self) -> &mut Simulation {
        &mut self.simulation
    }

    /// The state of the game.
    #[must_use]
    pub fn state(&self) -> GameState {
        self.simulation.state()
    }

    /// The result of the match.
    #[must_use]
    pub fn result(&self) -> Option<MatchResult> {
        self.simulation.result()
    }

    /// The steps left of the countdown and on the clock.
    ///
    /// # Panics
    /// If the simulation has lost its flow.
    #[must_use]
    pub fn ticks_left(&self) -> (u32, u32) {
        self.simulation.engine().resource::<GameFlow>().expect("there is a flow").ticks_left()
    }

    /// The collector of a player.
    #[must_use]
    pub fn collector(&self, player: usize) -> EntityId {
        self.players().0[player].collector
    }

    /// The stash of a player.
    #[must_use]
    pub fn stash_of(&self, player: usize) -> EntityId {
        self.players().0[player].stash
    }

    /// The players.
    ///
    /// # Panics
    /// If the simulation has lost its players.
    #[must_use]
    pub fn players(&self) -> Players {
        self.simulation.engine().resource::<Players>().expect("there are players").clone()
    }

    /// The load of a player.
    #[must_use]
    pub fn pocket(&self, player: usize) -> f32 {
        self.component::<Pocket>(self.collector(player)).carried
    }

    /// The content of a stash.
    #[must_use]
    pub fn stashed(&self, player: usize) -> f32 {
        self.component::<Stash>(self.stash_of(player)).stashed
    }

    /// Whether the collector of a player is alive.
    ///
    /// # Panics
    /// If its entity is enabled while it is dead, or the other way round.
    #[must_use]
    pub fn is_alive(&self, player: usize) -> bool {
        let collector = self.collector(player);
        let is_alive = self.component::<Life>(collector).is_alive;
        assert_eq!(self.simulation.engine().entities().is_enabled(collector), Some(is_alive));
        is_alive
    }

    /// The pose of an object.
    #[must_use]
    pub fn pose(&self, object: EntityId) -> Pose {
        self.component::<Transform>(object).pose
    }

    /// The bounties in the arena.
    #[must_use]
    pub fn bounties(&self) -> Vec<BountyView> {
        self.simulation.view().bounties
    }

    /// The entities of all bounties, including those that wait to respawn.
    #[must_use]
    pub fn bounty_entities(&self) -> Vec<EntityId> {
        let mut entities = Vec::new();
        let engine = self.simulation.engine();
        engine.read_filtered::<(EntityId, &Bounty), IncludeDisabled>().for_each(|(entity, _)| entities.push(entity));
        entities
    }

    /// The number of living collectors.
    #[must_use]
    pub fn living(&self) -> usize {
        let mut living = 0;
        self.simulation.engine().read::<&Collector>().for_each(|_| living += 1);
        living
    }

    /// The number of events of a type sent so far.
    #[must_use]
    pub fn count<E: Event>(&self) -> u64 {
        self.simulation.engine().events().counters::<E>().map_or(0, |counters| counters.sent)
    }

    /// The senders and listeners of an event.
    ///
    /// # Panics
    /// If an event has listeners but no sender, or senders but no listener.
    pub fn route(&mut self, event: &str) -> EventRoute {
        let graph = self.simulation.engine_mut().event_graph().expect("the systems can be ordered");
        assert_eq!(graph.issues(), []);
        graph.routes.into_iter().find(|route| route.event == event).expect("the game has this event")
    }

    /// A component of an entity.
    ///
    /// # Panics
    /// If it has none.
    #[must_use]
    pub fn component<T: Component>(&self, entity: EntityId) -> &T {
        self.simulation.engine().get(entity).expect("the entity has the component")
    }

    /// A component of an entity, for writing.
    ///
    /// # Panics
    /// If it has none.
    pub fn component_mut<T: Component>(&mut self, entity: EntityId) -> &mut T {
        self.simulation.engine_mut().get_mut(entity).expect("the entity has the component")
    }
}
