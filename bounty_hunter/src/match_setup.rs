//! Building and clearing the arena of a match.

use ecs::{Engine, EntityId};
use glam::Vec2;

use crate::ai::Brain;
use crate::arena::{self, Pose};
use crate::bounty::DealBounties;
use crate::config::{AiProfile, GameConfig, WallPrefab};
use crate::control::ScriptedIntents;
use crate::events::{CameraDestroyed, GameObjectDestroyed, PlayerJoined, PlayerLeft};
use crate::game_object::{GameObject, GameObjectKind};
use crate::intent::Intent;
use crate::level::Level;
use crate::physics::Physics;
use crate::pilot::{Pilot, Profiles};
use crate::player::{Player, Players, name_of};
use crate::power_up::PowerUps;
use crate::prefabs;
use crate::random::{Purpose, RandomStream};
use crate::respawn::{Respawns, Spawn};
use crate::rules::MatchRules;
use crate::simulation::Seat;
use crate::touch::clear_touches;
use crate::wall::{Block, SolidWalls};

/// Everything that a match is built from.
#[derive(Clone, Debug)]
pub struct MatchPlan {
    /// Seed of every random number.
    pub seed: u64,
    /// Who plays each seat; an AI names one of `profiles`.
    pub seats: Vec<(Seat, Option<usize>)>,
    /// The AI profiles.
    pub profiles: Vec<AiProfile>,
    /// The numbers of the arena.
    pub config: GameConfig,
    /// What stands where.
    pub level: Level,
    /// The numbers of the walls.
    pub wall: WallPrefab,
    /// The numbers of the rules.
    pub rules: MatchRules,
    /// Steps before the match.
    pub countdown_ticks: u32,
    /// Steps of the match.
    pub play_ticks: u32,
}

/// Despawns all game objects, lets the players leave, and announces both.
pub fn clear_match(engine: &mut Engine) {
    let mut objects: Vec<(EntityId, GameObjectKind)> = Vec::new();
    engine
        .read_filtered::<(EntityId, &GameObject), ecs::IncludeDisabled>()
        .for_each(|(entity, object)| objects.push((entity, object.kind)));
    for (entity, kind) in objects {
        engine.despawn(entity).expect("the object was found just now");
        engine.send(GameObjectDestroyed { entity, kind });
        if kind == GameObjectKind::TabletopCamera {
            engine.send(CameraDestroyed { camera: entity });
        }
    }
    clear_touches(engine);
    let players = engine.insert_resource(Players::default()).unwrap_or_default();
    for seat in 0..players.0.len() {
        engine.send(PlayerLeft { player: seat as u32 });
    }
}

/// Builds the arena of the `index`-th match: camera, walls, players, bounties.
pub fn build_match(engine: &mut Engine, plan: &MatchPlan, index: u64) {
    let MatchPlan { rules, config, level, .. } = plan;
    let half_extent_m = rules.world_half_extent_m;
    let count = plan.seats.len() as u32;
    engine.insert_resource(Physics::new(1.0 / config.steps_per_second as f32));
    engine.insert_resource(rules.clone());
    engine.insert_resource(Profiles(plan.profiles.clone()));
    engine.insert_resource(ScriptedIntents(vec![Intent::IDLE; plan.seats.len()]));
    reseed(engine, plan.seed, index);
    prefabs::tabletop_camera(engine, half_extent_m);
    build_walls(engine, &plan.wall, half_extent_m);
    let walls = SolidWalls {
        blocks: level.walls.iter().map(|&wall| Block::from(wall)).collect(),
        clearance_m: rules.bounty.half_extent_m.1,
    };
    for block in &walls.blocks {
        prefabs::solid_wall(engine, *block);
    }

    let clearance_m = arena::clearance_m(&rules.stash, &rules.collector);
    let poses = arena::stash_poses(level, count, half_extent_m, clearance_m);
    let mut players = Players::default();
    for (seat_index, ((seat, profile), pose)) in (0..).zip(plan.seats.iter().zip(poses)) {
        let spawn = prefabs::player_spawn(engine, pose);
        let stash = prefabs::stash(engine, rules, seat_index, pose.position);
        let collector = prefabs::collector(engine, rules, seat_index, pose, spawn);
        prefabs::equip(engine, rules, collector);
        if let Some((profile, settings)) = profile.and_then(|profile| Some((profile, plan.profiles.get(profile)?))) {
            let stream = index << 32 | u64::from(seat_index);
            let random = RandomStream::new(plan.seed, Purpose::Wander, stream);
            let pilot = Pilot { profile, brain: Brain::default(), random, home: pose.position, is_relieved: false };
            prefabs::seat_pilot(engine, collector, settings, pilot);
        }
        let name = name_of(seat, seat_index);
        players.0.push(Player { name, seat: seat.clone(), possessed_with: None, collector, stash });
        engine.send(PlayerJoined { player: seat_index });
    }
    engine.insert_resource(players);

    let region_m = level.bounty_region_share * half_extent_m;
    let spawn = prefabs::bounty_spawn(engine, region_m);
    let mut places = RandomStream::new(plan.seed, Purpose::BountyPlace, index << 32 | 1);
    for _ in 0..arena::bounty_count(config, count) {
        let pose = Spawn::Region(region_m).pose_clear_of(&walls, &mut places);
        prefabs::bounty(engine, rules, pose, spawn);
    }
    if let Some(power_ups) = &rules.options.power_ups {
        let mut places = RandomStream::new(plan.seed, Purpose::PowerUpPlace, index);
        for _ in 0..power_ups.count(count) {
            let pose = Spawn::Region(region_m).pose_clear_of(&walls, &mut places);
            prefabs::power_up(engine, power_ups, pose, spawn);
        }
    }
    engine.insert_resource(walls);
}

/// Starts the streams of random numbers of the systems anew.
fn reseed(engine: &mut Engine, seed: u64, index: u64) {
    if let Some(deal) = engine.system_mut::<DealBounties>() {
        *deal = DealBounties::new(seed, index);
    }
    if let Some(respawns) = engine.system_mut::<Respawns>() {
        *respawns = Respawns::new(seed, index);
    }
    if let Some(power_ups) = engine.system_mut::<PowerUps>() {
        *power_ups = PowerUps::new(seed, index);
    }
}

fn build_walls(engine: &mut Engine, prefab: &WallPrefab, half_extent_m: f32) {
    let distance_m = half_extent_m + prefab.gap_m + prefab.half_thickness_m;
    let half_length_m = distance_m + prefab.half_thickness_m;
    for (quarter, direction) in (0_u8..).zip([Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y]) {
        let heading = f32::from(quarter) * std::f32::consts::FRAC_PI_2;
        prefabs::wall(engine, prefab, Pose::new(direction * distance_m, heading), half_length_m);
    }
}
