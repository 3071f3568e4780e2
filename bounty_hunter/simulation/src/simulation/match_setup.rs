//! Builds and clears the arena of a match.

mod deal;

use std::sync::Arc;

use ecs::{
    Bundle, Component, Engine, EntityId,
    prefab::{Prefab, PrefabError, Prefabs},
};
use glam::{Vec2, Vec2Swizzles};

use self::deal::deal;
use crate::ai::Brain;
use crate::ai::learned::Policy;
use crate::control::ai_controller::{AiController, Profiles};
use crate::control::learned_controller::LearnedController;
use crate::control::player_control::SeatIntents;
use crate::control::senses::{BountyRadar, CollectorAvoider};
use crate::data::arena::{self, Block, Pose};
use crate::data::config::{AiProfile, Characters, GameConfig, Habit, MatchRules};
use crate::data::input::Intent;
use crate::data::level::Level;
pub use crate::data::level::place_tag;
use crate::gameplay::lives::Lives;
use crate::gameplay::player::{Player, Players, name_of};
use crate::gameplay::reactions::{add_reactions, clear_reactions};
use crate::gameplay::spell::SpellCaster;
use crate::objects::bounty::Worth;
use crate::objects::collector::{Collector, Controls, Pocket};
use crate::objects::game_object::{GameObject, Life, Transform};
use crate::objects::ghost::Ghost;
use crate::objects::health::{Damage, Health};
use crate::objects::hunger::Hunger;
use crate::objects::mine::{Mine, MineLayer};
use crate::objects::passes::Passes;
use crate::objects::powers::Powers;
use crate::objects::prefabs;
use crate::objects::respawn::RespawnDelay;
use crate::objects::scale::{PlaceScale, shape};
use crate::objects::stash::Stash;
use crate::objects::switch::Switch;
use crate::objects::team::Team;
use crate::objects::touch::clear_touches;
use crate::objects::wall::{Edge, SolidWalls, Wall};
use crate::physics::{Body, Physics, Shape};
use crate::random::{self, CharacterDeal, FirstPlace};
use crate::simulation::{CheckedPlan, Seat};

/// The AI of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeatAi {
    /// An index into [`MatchPlan::profiles`].
    Profile(usize),
    /// An index into [`MatchPlan::policies`].
    Policy(usize),
}

/// All data that a match is built from; see [`CheckedPlan`].
#[derive(Clone, Debug)]
pub struct MatchPlan {
    /// Seed of every random number.
    pub seed: u64,
    /// The seats, with their AIs.
    pub seats: Vec<(Seat, Option<SeatAi>)>,
    /// The AI profiles.
    pub profiles: Vec<AiProfile>,
    /// The policies of the learned AIs among the seats.
    pub policies: Vec<Arc<Policy>>,
    /// The numbers of the arena.
    pub config: GameConfig,
    /// The level.
    pub level: Level,
    /// The prefabs at the start.
    pub prefabs: Prefabs,
    /// The numbers of the rules.
    pub rules: MatchRules,
    /// Steps before the match.
    pub countdown_ticks: u32,
    /// Steps of the match.
    pub play_ticks: u32,
}

impl MatchPlan {
    /// The length of the match in whole steps, seconds.
    pub(super) fn play_seconds(&self) -> f32 {
        self.play_ticks as f32 / self.config.steps_per_second as f32
    }

    /// Whether a prefab that the match names has a component.
    pub(super) fn names_component<T: Component>(&self) -> bool {
        let named = self.config.prefabs();
        let places = self.level.places.iter().map(|place| place.prefab.as_str());
        places.chain(named.iter().map(|(_, _, name)| *name)).any(|name| self.prefabs.component::<T>(name).is_some())
    }
}

/// Despawns all game objects and removes the players.
pub fn clear_match(engine: &mut Engine) {
    let mut objects: Vec<EntityId> = Vec::new();
    engine
        .read_filtered::<(EntityId, &GameObject), ecs::IncludeDisabled>()
        .for_each(|(entity, _)| objects.push(entity));
    for entity in objects {
        engine.despawn(entity).expect("the object was found just now");
    }
    clear_touches(engine);
    clear_reactions(engine);
    engine.insert_resource(Players::default());
}

/// Builds the arena of the `index`-th match: walls, objects of the level, players, bounties.
///
/// # Errors
/// If the plan names a missing prefab.
pub fn build_match(engine: &mut Engine, plan: &CheckedPlan, index: u64) -> Result<(), PrefabError> {
    let MatchPlan { rules, config, .. } = &**plan;
    engine.insert_resource(Physics::new(1.0 / config.steps_per_second as f32));
    engine.insert_resource(rules.clone());
    engine.insert_resource(Profiles(profiles_by_habit(plan)));
    engine.insert_resource(SeatIntents(vec![Intent::IDLE; plan.seats.len()]));
    let match_seed = random::match_seed(plan.seed, index);
    engine.set_seed(match_seed);
    build_edges(engine, plan)?;
    let mut walls = build_level(engine, plan)?;
    let stashes = build_players(engine, plan, match_seed)?;
    deal(engine, plan, &mut walls, &stashes, match_seed)?;
    build_mines(engine, plan)?;
    engine.insert_resource(walls);
    Ok(())
}

/// Builds the walls beyond the edges of the world.
fn build_edges(engine: &mut Engine, plan: &MatchPlan) -> Result<(), PrefabError> {
    let kind = &plan.config.kinds.edge;
    let Some(edge) = component::<Edge>(engine, kind) else { return Ok(()) };
    let distance_m = plan.rules.world_half_extent_m + edge.gap_m + edge.half_thickness_m;
    let half_length_m = distance_m + edge.half_thickness_m;
    for (quarter, direction) in (0_u8..).zip([Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y]) {
        let pose = Pose::new(direction * distance_m, f32::from(quarter) * std::f32::consts::FRAC_PI_2);
        let upright = Vec2::new(edge.half_thickness_m, half_length_m);
        let half_extents_m = if direction.y == 0.0 { upright } else { upright.yx() };
        let wall = Wall { half_extents_m, is_solid: false };
        let shape = Shape::Rectangle(edge.half_thickness_m, half_length_m);
        prefabs::place(engine, Prefab::named(kind).with((wall, shape)), pose)?;
    }
    Ok(())
}

/// Builds the walls and objects of the level; returns the solid ones.
fn build_level(engine: &mut Engine, plan: &MatchPlan) -> Result<SolidWalls, PrefabError> {
    let MatchPlan { config, level, .. } = plan;
    let mut walls = SolidWalls {
        blocks: level.walls.iter().map(|&wall| Block::from(wall)).collect(),
        clearance_m: clearance_of_walls_m(engine, &config.kinds.bounty),
    };
    for block in &walls.blocks {
        let Block { center, half_extents_m } = *block;
        let wall = Wall { half_extents_m, is_solid: true };
        let shape = Shape::Rectangle(half_extents_m.x, half_extents_m.y);
        prefabs::place(engine, Prefab::named(&config.kinds.wall).with((wall, shape)), Pose::new(center, 0.0))?;
    }
    let mut named = Vec::new();
    for place in &level.places {
        let pose = place.pose();
        let object = match place.scale {
            1.0 => place_for_good(engine, &place.prefab, (), pose)?,
            scale => place_for_good(engine, &place.prefab, (PlaceScale(scale),), pose)?,
        };
        walls.blocks.extend(obstacle(engine, object));
        if let Some(name) = &place.name {
            engine.tag(&place_tag(name), object).expect("the object was spawned just now");
            named.push((name.as_str(), object));
        }
    }
    add_reactions(engine, &level.reactions, &named);
    Ok(walls)
}

/// Places an object of a level, with further components. If its kind respawns, it respawns there.
fn place_for_good(engine: &mut Engine, prefab: &str, bundle: impl Bundle, pose: Pose) -> Result<EntityId, PrefabError> {
    let object = Prefab::named(prefab).with(bundle);
    if component::<RespawnDelay>(engine, prefab).is_some() {
        let spawn = prefabs::spawn_point(engine, pose);
        prefabs::place_at(engine, object, pose, spawn)
    } else {
        prefabs::place(engine, object, pose)
    }
}

/// The block that a permanent, fixed object occupies that stops collectors.
pub(crate) fn obstacle(engine: &Engine, object: EntityId) -> Option<Block> {
    let (body, shape, transform) =
        (engine.get::<Body>(object)?, engine.get::<Shape>(object)?, engine.get::<Transform>(object)?);
    let is_present = engine.get::<Switch>(object).is_none_or(|switch| switch.is_present());
    let stays = body.is_obstacle() && !engine.has::<Life>(object) && is_present;
    let is_passed = engine.get::<Passes>(object).is_some_and(Passes::let_collectors_through);
    (stays && !is_passed).then(|| Block::around(shape.corners(transform.pose)))
}

/// The distance that spawned objects keep from solid walls, from their centres, metres.
pub(crate) fn clearance_of_walls_m(engine: &Engine, bounty: &str) -> f32 {
    component::<Worth>(engine, bounty).map_or(0.0, |worth| worth.half_extent_m.1)
}

/// The profiles, then each of them with each habit; see [`profile_index`].
fn profiles_by_habit(plan: &MatchPlan) -> Vec<AiProfile> {
    let MatchPlan { profiles, config, .. } = plan;
    let with_habits = |profile| config.habits.iter().map(move |habit: &Habit| habit.applied_to(profile));
    profiles.iter().cloned().chain(profiles.iter().flat_map(with_habits)).collect()
}

/// The index of a profile with a habit in [`profiles_by_habit`].
fn profile_index(plan: &MatchPlan, profile: usize, habit: Option<usize>) -> usize {
    habit.map_or(profile, |habit| plan.profiles.len() + profile * plan.config.habits.len() + habit)
}

/// Builds the stash and the collector of each player; returns the blocks that they need.
fn build_players(engine: &mut Engine, plan: &MatchPlan, match_seed: u64) -> Result<Vec<Block>, PrefabError> {
    let MatchPlan { rules, config, level, .. } = plan;
    let half_extent_m = |kind: &str| shape_of(engine, kind).map_or(0.0, Shape::half_extent_m);
    let clearance_m = arena::clearance_m(half_extent_m(&config.kinds.stash), half_extent_m(&config.kinds.collector));
    let mut poses = level.stash_poses(plan.seats.len() as u32, rules.world_half_extent_m, clearance_m);
    // Some places are better: of three in a ring, two are neighbours across the edge. So each seat gets each place
    // equally often.
    let places = poses.len();
    let first = random::set_up_stream::<FirstPlace>(match_seed).unit() * places as f32;
    poses.rotate_left((first as usize).min(places));
    let room = poses.iter().map(|pose| Block { center: pose.position, half_extents_m: Vec2::splat(clearance_m) });
    let room = room.collect();
    let stash_points = config.stash_points(plan.seats.len() as u32, plan.play_seconds());
    let mut players = Players::default();
    let mut characters = Characters::shuffled(&config.habits, &mut random::set_up_stream::<CharacterDeal>(match_seed));
    for (seat_index, ((seat, mind), pose)) in (0..).zip(plan.seats.iter().zip(poses)) {
        let spawn = prefabs::spawn_point(engine, pose);
        let mut stash = Prefab::named(&config.kinds.stash);
        if let Some(points) = stash_points {
            stash = stash.with_ron("capacity", format!("(points: {points:?})"));
        }
        let stash = stash.with((Stash { player: seat_index, stashed: 0.0 },));
        let stash = prefabs::place(engine, stash, Pose::new(pose.position, 0.0))?;
        let state = (Collector { player: seat_index }, Pocket::default(), Controls::default());
        let collector = Prefab::named(&config.kinds.collector).with(state);
        let collector = prefabs::place_at(engine, collector, pose, spawn)?;
        equip(engine, rules, collector);
        if let Some(teams) = &rules.options.teams {
            let team = Team { number: teams.team_of(seat_index) };
            [stash, collector].into_iter().for_each(|object| prefabs::add(engine, object, (team,)));
        }
        // A seat has the same character whatever the others are.
        let character = characters.next().filter(|_| matches!(seat, Seat::Ai { .. }));
        let (name, habit) = character.map_or((name_of(seat, seat_index), None), |(name, habit)| (name, Some(habit)));
        match *mind {
            Some(SeatAi::Profile(profile)) => {
                let profile = profile_index(plan, profile, habit);
                let ai_controller =
                    AiController { profile, brain: Brain::default(), home: pose.position, is_relieved: false };
                // Its senses: see `Senses`.
                prefabs::add(engine, collector, (ai_controller, BountyRadar::default(), CollectorAvoider::default()));
            }
            Some(SeatAi::Policy(policy)) => {
                prefabs::add(engine, collector, (LearnedController { policy, wait_steps: 0 },));
            }
            None => {}
        }
        players.0.push(Player { name, habit, seat: seat.clone(), possessed_by: None, collector, stash });
    }
    engine.insert_resource(players);
    Ok(room)
}

/// Builds the mine of each player, and leaves it out of the arena.
fn build_mines(engine: &mut Engine, plan: &MatchPlan) -> Result<(), PrefabError> {
    let Some(mine) = plan.rules.options.power_ups.as_ref().and_then(|power_ups| power_ups.mine.as_ref()) else {
        return Ok(());
    };
    let collectors =
        engine.resource::<Players>().map(|players| players.0.iter().map(|player| player.collector).collect());
    let collectors: Vec<EntityId> = collectors.unwrap_or_default();
    for (owner, collector) in (0..).zip(collectors) {
        let mine = prefabs::create_absent(engine, Prefab::named(mine).with((Mine { owner, arms_in_seconds: 0.0 },)))?;
        prefabs::add(engine, collector, (MineLayer { mine, carried: None },));
        if let Some(team) = engine.get::<Team>(collector).copied() {
            prefabs::add(engine, mine, (team,));
        }
    }
    Ok(())
}

/// Adds the components of the active rule sets to a collector.
fn equip(engine: &mut Engine, rules: &MatchRules, collector: EntityId) {
    if let Some(lives) = rules.options.lives {
        prefabs::add(engine, collector, (Lives::of(lives),));
    }
    if rules.options.power_ups.is_some() {
        prefabs::add(engine, collector, (Ghost { left_seconds: 0.0, passes: Passes::collectors() },));
        engine.disable_component::<Ghost>(collector).expect("the ghost was added just now");
        prefabs::add(engine, collector, (Powers::default(),));
    }
    if let Some(spells) = &rules.options.spells {
        prefabs::add(engine, collector, (SpellCaster::exhausted(spells),));
    }
    if let Some(health) = &rules.options.health {
        prefabs::add(engine, collector, (Health::full(health.most_health), Damage { points: health.damage }));
    }
    if let Some(hunger) = &rules.options.hunger {
        prefabs::add(engine, collector, (Hunger { left_seconds: hunger.seconds_at(1.0) },));
    }
}

/// The shape of a prefab's objects, as loaded now.
fn shape_of(engine: &Engine, prefab: &str) -> Option<Shape> {
    engine.resource::<Prefabs>().and_then(|prefabs| shape(&prefabs, prefab))
}

/// A component of a prefab, as loaded now.
fn component<T: Component + Copy>(engine: &Engine, prefab: &str) -> Option<T> {
    engine.resource::<Prefabs>().and_then(|prefabs| prefabs.component::<T>(prefab).copied())
}
