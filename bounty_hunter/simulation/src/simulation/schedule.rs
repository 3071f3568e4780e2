//! The index of all systems and resources, and the writers of components.
//!
//! The order follows from each system's `setup`: dependencies first, then priorities, then the order of this list.
//! `bounty_hunter systems` prints it with its reasons.
//!
//! | component or resource | written by |
//! |---|---|
//! | `Transform` | [`Motion`]; [`GameObjects`] at a spawn; [`React`] |
//! | `Life`, enabled or disabled entities | [`GameObjects`]; [`React`] those with a `Switch` |
//! | `Controls` | [`ControlPlayers`], [`AiControllers`] and [`LearnedControllers`], each for its own seats; [`Cheats`] when they change |
//! | `Pocket` | [`Rules`]; [`LoseLoads`] empties those of killed collectors; [`NearMisses`] adds links; [`PayHunters`] takes from the leader's |
//! | `Stash` | [`Rules`]; [`PayHunters`] |
//! | `Spilled`, `SpillPool` | [`LoseLoads`], [`RushForGold`] |
//! | `GoldRush` | [`RushForGold`] |
//! | `Ghost` | [`Ghosts`] |
//! | `Health` | [`DealDamage`], [`DealMineDamage`], [`React`] |
//! | `Hunger` | [`Starve`] |
//! | `Touching` and its entities | [`Touches`] |
//! | `Progress` of reactions, `Switch`, `SolidWalls` | [`React`] |
//! | the tag [`LEADER`](crate::gameplay::leader::LEADER) | [`Crown`] |
//! | `SpellCaster` | [`Spells`]; [`cast_spells`](crate::gameplay::spell::cast_spells) between frames |
//! | `Magnet` | [`Magnets`]; [`cast_spells`](crate::gameplay::spell::cast_spells) and [`UsePowers`] insert it |
//! | `Powers` | [`UsePowers`]; [`Rules`], [`Mines`], [`DealDamage`] and [`DealMineDamage`] break shields |
//! | `Mine`, `MineLayer` | [`Mines`] |
//! | `Bounty`, `Shape` of a bounty | [`DealBounties`] |
//! | `Lifetime` | [`Lifetimes`]; [`DealBounties`], [`PowerUps`] and [`RushForGold`] set it |
//! | `Respawn` | [`Respawns`]; [`CountLives`] removes it from players that are out |
//! | `Lives` | [`CountLives`] |
//! | `BountyRadar`, `CollectorAvoider` | [`Senses`] |
//! | `AiController` | [`AiControllers`]; [`Cheats`] relieve it |
//! | `LearnedController` | [`LearnedControllers`] |
//! | `SeatIntents` | [`Simulation::step`](crate::simulation::Simulation::step), from its inputs; [`Cheats`] when a seat changes hands |
//! | `Players` | [`Cheats`] |
//! | `Statistics` | [`KeepStatistics`]; [`Spells`], [`Mines`], [`RushForGold`] and [`DealDamage`] what happens by them |
//! | `GameFlow` | [`MatchFlow`]; `advance` between frames; `Simulation::step` when the window is closed |
//! | `Physics` | [`DriveCollectors`] velocities, [`Magnets`] those of bounties, [`RushForGold`] that of gold, [`Pull`] those of what falls, [`Motion`] steps and wraps, [`GameObjects`] and [`DealBounties`] lives, [`React`] switches and places, [`LetThrough`] collision filters |
//!
//! Between frames, [`replace_prefabs`](crate::simulation::reload::replace_prefabs) gives objects the values of their
//! new prefabs, and [`build_match`](crate::simulation::match_setup::build_match) sets all initial values. Components
//! not in the table keep those for the whole match.

use ecs::{Configure, Engine, EngineBuilder, Error, system::WorkState};
use glam::Vec2;

use crate::control::ai_controller::{AiControllers, Profiles};
use crate::control::cheats::Cheats;
use crate::control::learned_controller::{LearnedControllers, Policies};
use crate::control::player_control::{ControlPlayers, SeatIntents};
use crate::control::senses::Senses;
use crate::control::spell_requests::AiSpellRequests;
use crate::events;
use crate::gameplay::gold_rush::{GoldRush, RushForGold};
use crate::gameplay::leader::{Crown, PayHunters};
use crate::gameplay::lives::CountLives;
use crate::gameplay::load::{LoseLoads, SpillPool};
use crate::gameplay::match_flow::{GameFlow, GameState, MatchFlow};
use crate::gameplay::mines::Mines;
use crate::gameplay::near_miss::NearMisses;
use crate::gameplay::player::Players;
use crate::gameplay::reactions::React;
use crate::gameplay::rules::Rules;
use crate::gameplay::spell::{Magnets, Spells};
use crate::gameplay::statistics::{KeepStatistics, Statistics};
use crate::gameplay::use_powers::UsePowers;
use crate::objects::bounty::DealBounties;
use crate::objects::collector::DriveCollectors;
use crate::objects::ghost::Ghosts;
use crate::objects::gravity::{Gravity, Pull};
use crate::objects::health::{DealDamage, DealMineDamage, Toughness};
use crate::objects::hunger::Starve;
use crate::objects::life_cycle::GameObjects;
use crate::objects::lifetime::Lifetimes;
use crate::objects::motion::Motion;
use crate::objects::passes::{LetThrough, Passes};
use crate::objects::power_up::PowerUps;
use crate::objects::respawn::Respawns;
use crate::objects::touch::Touches;
use crate::objects::wall::SolidWalls;
use crate::physics::Physics;
use crate::simulation::CheckedPlan;
use crate::simulation::match_setup::MatchPlan;

/// An engine with all systems and resources, without a match.
///
/// # Errors
/// If the systems do not fit together, which would be a bug in this crate.
pub fn build_engine(engine: EngineBuilder, plan: &CheckedPlan) -> Result<Engine, Error> {
    let step_seconds = 1.0 / plan.config.steps_per_second as f32;
    let mut engine = engine.build();
    engine.insert_resource(GameFlow::new(plan.config.steps_per_second));
    engine.insert_resource(Players::default());
    engine.insert_resource(SeatIntents::default());
    engine.insert_resource(Profiles::default());
    engine.insert_resource(SolidWalls::default());
    engine.insert_resource(Statistics::default());
    engine.insert_resource(SpillPool::default());
    engine.insert_resource(plan.rules.clone());
    engine.insert_resource(plan.prefabs.clone());
    engine.insert_resource(Physics::new(step_seconds));
    engine
        .add(MatchFlow)?
        .add(ControlPlayers)?
        .add(AiControllers::default())?
        .add(DriveCollectors)?
        .add(Motion)?
        .add(Lifetimes)?
        .add(Respawns)?
        .add(Rules::default())?
        .add(LoseLoads)?
        .add(CountLives)?
        .add(GameObjects)?
        .add(DealBounties)?
        .add(Senses::default())?
        .add(Crown::default())?
        .add(Cheats)?
        .add(KeepStatistics)?;
    if !plan.policies.is_empty() {
        engine.insert_resource(Policies(plan.policies.clone()));
        engine.add(LearnedControllers::default())?;
    }
    add_rule_sets(&mut engine, plan)?;
    declare_external(&mut engine);
    engine.order()?;
    Ok(engine)
}

/// Adds the systems of the active rule sets and of the level.
fn add_rule_sets(engine: &mut Engine, plan: &MatchPlan) -> Result<(), Error> {
    let options = &plan.rules.options;
    if options.power_ups.is_some() {
        // Respawns come in the order of the kills.
        engine.add(PowerUps::default().after_type::<Rules>())?.add(Ghosts)?.add(UsePowers)?;
    }
    if options.power_ups.is_some() || options.teams.is_some() || plan.names_component::<Passes>() {
        engine.add(LetThrough::default())?;
    }
    if options.spells.is_some() {
        engine.add(Spells)?.add(AiSpellRequests::default())?;
        engine.declare_external::<events::CastSpell>();
        engine.declare_external::<events::SpellCast>();
        engine.declare_external::<events::SpellRefused>();
    }
    if options.spells.is_some() || options.power_ups.is_some() {
        engine.add(Magnets::default())?;
    }
    if options.health.is_some() || plan.names_component::<Toughness>() {
        // An AI decides by the health before the step.
        engine.add(Touches)?.add(DealDamage.after_type::<AiControllers>())?;
    }
    if options.power_ups.as_ref().is_some_and(|power_ups| power_ups.mine.is_some()) {
        let has_damage = engine.system::<DealDamage>().is_some();
        // Both break shields.
        if has_damage {
            engine.add(Mines.after_type::<DealDamage>())?.add(DealMineDamage)?
        } else {
            engine.add(Mines)?
        };
    }
    if options.hunger.is_some() {
        // An AI decides by the hunger before the step.
        engine.add(Starve.after_type::<AiControllers>())?;
    }
    if options.chain.is_some() {
        engine.add(NearMisses::default())?;
    }
    if options.crown.is_some() {
        engine.add(PayHunters)?;
    }
    let world_mps2 = Vec2::from(plan.level.gravity_mps2);
    if world_mps2 != Vec2::ZERO || plan.names_component::<Gravity>() {
        engine.add(Pull { world_mps2 })?;
    }
    if options.gold_rush.is_some() {
        engine.insert_resource(GoldRush::default());
        let (has_magnets, has_gravity) = (engine.system::<Magnets>().is_some(), engine.system::<Pull>().is_some());
        // Neither magnets nor gravity pull the gold.
        match (has_magnets, has_gravity) {
            (true, true) => engine.add(RushForGold.after_type::<Magnets>().after_type::<Pull>())?,
            (true, false) => engine.add(RushForGold.after_type::<Magnets>())?,
            (false, true) => engine.add(RushForGold.after_type::<Pull>())?,
            (false, false) => engine.add(RushForGold)?,
        };
    }
    if !plan.level.reactions.is_empty() {
        engine.add(React::default())?;
    }
    Ok(())
}

/// The systems that are enabled in a state of the game: all while a match runs. Otherwise only those named here, which
/// serve the course of the game and the building of an arena.
#[must_use]
pub fn work_state(engine: &Engine, state: GameState) -> WorkState {
    if state == GameState::Running {
        return engine.work_state().all_enabled();
    }
    let work_state = engine
        .work_state()
        .all_disabled()
        .with::<MatchFlow>(true)
        .with::<GameObjects>(true)
        .with::<DealBounties>(true)
        .with::<KeepStatistics>(true);
    // Power-ups get their lifetimes while the arena is built.
    if engine.system::<PowerUps>().is_some() { work_state.with::<PowerUps>(true) } else { work_state }
}

/// Declares the events that the simulation sends for its inputs and between frames.
fn declare_external(engine: &mut Engine) {
    engine.declare_external::<events::GameStarted>();
    engine.declare_external::<events::GamePaused>();
    engine.declare_external::<events::GameResumed>();
    engine.declare_external::<events::GameOver>();
    engine.declare_external::<events::PauseGame>();
    engine.declare_external::<events::ResumeGame>();
    engine.declare_external::<events::RestartGame>();
    engine.declare_external::<events::QuitGame>();
    engine.declare_external::<events::UseCheat>();
    engine.declare_external::<events::SpawnGameObject>();
}
