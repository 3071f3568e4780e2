//! Deals the objects of a match that have no fixed place: obstacles first, so that the others keep clear of them.

use ecs::random::RandomStream;
use ecs::{
    Engine,
    prefab::{Prefab, PrefabError, Prefabs},
};

use super::{MatchPlan, obstacle, place_for_good, shape_of};
use crate::data::arena::Block;
use crate::data::config::Deal;
use crate::data::level::Place;
use crate::gameplay::gold_rush::GoldRush;
use crate::gameplay::load::SpillPool;
use crate::objects::game_object::GameObjectKind;
use crate::objects::gold::Gold;
use crate::objects::prefabs::{bounty_spawn, create_absent, place_at};
use crate::objects::respawn::Spawn;
use crate::objects::role::kind;
use crate::objects::wall::SolidWalls;
use crate::random::{self, BountyPlaces, DealtPlaces, PowerUpPlaces};

/// Deals all objects of a match; `stashes` are the blocks that the players' stashes and collectors need.
pub(super) fn deal(
    engine: &mut Engine,
    plan: &MatchPlan,
    walls: &mut SolidWalls,
    stashes: &[Block],
    match_seed: u64,
) -> Result<(), PrefabError> {
    let MatchPlan { rules, config, level, .. } = plan;
    let count = plan.seats.len() as u32;
    let region_m = level.bounty_region_share * rules.world_half_extent_m;
    let (region, spawn) = (Spawn::Region(region_m), bounty_spawn(engine, region_m));
    let deal = |engine: &mut Engine, kind: &str, count: u32, places: &mut RandomStream, walls: &SolidWalls| {
        for _ in 0..count {
            place_at(engine, kind, region.pose_clear_of(walls, places), spawn)?;
        }
        Ok::<(), PrefabError>(())
    };
    let mut taken = level_objects(engine, plan);
    taken.extend(stashes);
    for (place, dealt) in (0_u64..).zip(&config.deals) {
        let mut places = random::set_up_stream::<DealtPlaces>(match_seed).split(place);
        let is_other =
            engine.resource::<Prefabs>().is_some_and(|known| kind(&known, &dealt.prefab) == GameObjectKind::Other);
        if is_other {
            deal_others(engine, (dealt, count), region, &mut places, walls, &mut taken)?;
        } else {
            deal(engine, &dealt.prefab, dealt.count(count), &mut places, walls)?;
        }
    }
    let mut places = random::set_up_stream::<BountyPlaces>(match_seed);
    deal(engine, &config.kinds.bounty, config.bounty_count(count), &mut places, walls)?;
    let gold_rush = rules.options.gold_rush.as_ref();
    let spilled = rules.options.chain.as_ref().map_or(0, |chain| chain.waiting_bounties(count));
    let spilled = spilled + gold_rush.map_or(0, |rush| rush.spilled_bounties);
    let pool = SpillPool::build(engine, spilled, &config.kinds.bounty)?;
    engine.insert_resource(pool);
    if let Some(rush) = gold_rush {
        let gold = create_absent(engine, Prefab::named(&rush.prefab).with((Gold,)))?;
        engine.insert_resource(GoldRush { gold, region_m: rush.region_share * region_m, ..GoldRush::default() });
    }
    if let Some(power_ups) = &rules.options.power_ups {
        let mut places = random::set_up_stream::<PowerUpPlaces>(match_seed);
        let kinds = power_ups.prefabs.iter().cycle().take(power_ups.count(count) as usize);
        for kind in kinds {
            deal(engine, kind, 1, &mut places, walls)?;
        }
    }
    Ok(())
}

/// The blocks of all objects of a level, including those that move or expire.
fn level_objects(engine: &Engine, plan: &MatchPlan) -> Vec<Block> {
    let block = |place: &Place| {
        let shape = shape_of(engine, &place.prefab)?.scaled(place.scale);
        Some(Block::around(shape.corners(place.pose())))
    };
    plan.level.places.iter().filter_map(block).collect()
}

/// Deals objects of kind `Other`, clear of walls and of the `taken` blocks: stashes, spawning collectors and other
/// objects. They respawn in place. Objects without room are left out.
fn deal_others(
    engine: &mut Engine,
    (dealt, players): (&Deal, u32),
    region: Spawn,
    places: &mut RandomStream,
    walls: &mut SolidWalls,
    taken: &mut Vec<Block>,
) -> Result<(), PrefabError> {
    let Some(shape) = shape_of(engine, &dealt.prefab) else { return Ok(()) };
    let clearance_m = walls.clearance_m.max(shape.half_extent_m());
    let mut clear_of = SolidWalls { blocks: walls.blocks.clone(), clearance_m };
    clear_of.blocks.extend(&*taken);
    for _ in 0..dealt.count(players) {
        let Ok(pose) = region.try_pose_clear_of(&clear_of, places) else {
            tracing::warn!(target: "bounty_hunter::match_setup", prefab = dealt.prefab, "no room for a dealt object, it is left out");
            continue;
        };
        let object = place_for_good(engine, &dealt.prefab, (), pose)?;
        walls.blocks.extend(obstacle(engine, object));
        let block = Block::around(shape.corners(pose));
        taken.push(block);
        clear_of.blocks.push(block);
    }
    Ok(())
}
