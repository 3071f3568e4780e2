//! Bounds of what follows from the numbers of a match: each of them is within its limits, and still a product of two
//! may be too large.

use ecs::prefab::Prefabs;

use crate::data::config::GameConfig;
use crate::data::level::{Level, StashPlaces};
use crate::data::limits::{LENGTH_M, POINTS};
use crate::objects::bounty::Worth;
use crate::objects::collector::Drive;
use crate::objects::power_up::PowerUp;
use crate::objects::role::{Role, half_extent_m};
use crate::objects::scale::shape;
use crate::objects::wall::Edge;
use crate::physics::Shape;

/// The most objects that are dealt in a match: bounties, power-ups and those of `deals`.
const MAX_DEALT: u64 = 100_000;

/// A number that is out of its bounds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Excess {
    /// The path of a number in the configuration that it follows from.
    pub(crate) field: &'static str,
    /// What is wrong, as a sentence that names all of them.
    pub(crate) problem: String,
}

/// Checks what follows from the numbers of a match of this many players and this length.
pub(crate) fn check_bounds(
    game: &GameConfig,
    prefabs: &Prefabs,
    level: &Level,
    players: u32,
    play_seconds: f32,
) -> Result<(), Excess> {
    check_stash(game, players, play_seconds)?;
    check_dealt(game, players)?;
    check_edges(game, prefabs, level, players)?;
    check_speeds(game, prefabs, level)
}

fn check_stash(game: &GameConfig, players: u32, play_seconds: f32) -> Result<(), Excess> {
    match game.stash_points(players, play_seconds).filter(|points| POINTS.check(*points).is_err()) {
        None => Ok(()),
        Some(points) => {
            let problem = format!(
                "the points_per_second of stash_sizes and play_seconds, {play_seconds}, give a stash of {points} points, must be at most {}",
                POINTS.most()
            );
            Err(Excess { field: "stash_sizes", problem })
        }
    }
}

fn check_dealt(game: &GameConfig, players: u32) -> Result<(), Excess> {
    let power_ups = game.rules.power_ups.as_ref();
    let power_ups =
        power_ups.map_or(0, |power_ups| u64::from(power_ups.count(players)) + u64::from(power_ups.mines(players)));
    let others = game.deals.iter().map(|deal| u64::from(deal.count(players)));
    let spilled = game.rules.chain.as_ref().map_or(0, |chain| u64::from(chain.waiting_bounties(players)));
    let gold = game.rules.gold_rush.as_ref().map_or(0, |rush| 1 + u64::from(rush.spilled_bounties));
    let dealt = u64::from(game.bounty_count(players)) + power_ups + others.sum::<u64>() + spilled + gold;
    if dealt <= MAX_DEALT {
        return Ok(());
    }
    let problem = format!(
        "bounties_per_player, deals, power_ups and chain give {dealt} objects for {players} players, must be at most {MAX_DEALT}"
    );
    Err(Excess { field: "bounties_per_player", problem })
}

/// Checks that the objects of a match fit into its level: the two need not be of files that were checked together.
pub(crate) fn check_room(game: &GameConfig, prefabs: &Prefabs, level: &Level) -> Result<(), Excess> {
    let (world_half_m, kinds) = (level.world_half_extent_m, &game.kinds);
    let ring_share = match level.stashes {
        StashPlaces::Ring { ring_share, .. } => ring_share,
        StashPlaces::Places { .. } => 0.0,
    };
    let bounty_share = level.bounty_region_share;
    let dealt =
        game.prefabs().into_iter().filter(|(_, role, _)| matches!(role, Role::Object | Role::PowerUp | Role::Gold));
    let main = [(&*kinds.collector, 0.0), (&*kinds.stash, ring_share), (&*kinds.bounty, bounty_share)];
    let mine = game.rules.power_ups.as_ref().and_then(|power_ups| Some((power_ups.mine.as_deref()?, 0.0)));
    for (kind, share) in main.into_iter().chain(mine).chain(dealt.map(|(_, _, name)| (name, bounty_share))) {
        let half_m = half_extent_m(prefabs, kind).unwrap_or(0.0);
        let most_m = (1.0 - share) * world_half_m;
        if half_m > most_m || half_m >= world_half_m {
            let problem = format!(
                "half the side of {kind:?} is {half_m} m, must be at most {most_m} m to fit into the level {:?} where it is put",
                game.level
            );
            return Err(Excess { field: "level", problem });
        }
    }
    Ok(())
}

/// The world may grow with the players, and the walls beyond its edges lie around it.
fn check_edges(game: &GameConfig, prefabs: &Prefabs, level: &Level, players: u32) -> Result<(), Excess> {
    let edge = prefabs.component::<Edge>(&game.kinds.edge);
    let beyond_m = edge.map_or(0.0, |edge| edge.gap_m + 2.0 * edge.half_thickness_m);
    let reach_m = level.half_extent_m(players) + beyond_m;
    if LENGTH_M.check(reach_m).is_ok() {
        return Ok(());
    }
    let problem = format!(
        "the world_half_extent_m of level {:?}, grown for {players} players, and the walls beyond its edges, {:?}, reach {reach_m} m from \
         the centre, must be at most {} m",
        game.level,
        game.kinds.edge,
        LENGTH_M.most()
    );
    Err(Excess { field: "level", problem })
}

/// What is too small for its speed would pass through walls.
fn check_speeds(game: &GameConfig, prefabs: &Prefabs, level: &Level) -> Result<(), Excess> {
    let collector = &game.kinds.collector;
    if let Some((drive, shape)) = prefabs.component::<Drive>(collector).zip(shape(prefabs, collector)) {
        let factor = power_ups(game, prefabs, level).map(|power_up| match power_up {
            PowerUp::Dash { factor, .. } => *factor,
            _ => 1.0,
        });
        let factor = factor.fold(1.0, f32::max);
        let speed_mps = shape.speed_of_corners_mps(drive.max_speed_mps * factor, drive.max_turn_radps);
        let most_mps = shape.fastest_mps();
        if speed_mps > most_mps {
            let dash = if factor > 1.0 { format!(", {factor} times as fast by a power-up,") } else { String::new() };
            let problem = format!(
                "the max_speed_mps and max_turn_radps of {collector:?}{dash} give its corners a speed of {speed_mps} m/s, must be at most \
                 {most_mps} m/s for its shape"
            );
            return Err(Excess { field: "kinds.collector", problem });
        }
    }
    if let Some(rush) = &game.rules.gold_rush
        && let Some(worth) = prefabs.component::<Worth>(&rush.prefab)
    {
        let most_mps = Shape::Square(worth.half_extent_m.0).fastest_mps();
        if rush.speed_mps > most_mps {
            let problem = format!(
                "speed_mps is {}, must be at most {most_mps} for the half_extent_m of {:?}, {}",
                rush.speed_mps, rush.prefab, worth.half_extent_m.0
            );
            return Err(Excess { field: "rules.gold_rush.0.speed_mps", problem });
        }
    }
    let bounty = &game.kinds.bounty;
    let Some(worth) = prefabs.component::<Worth>(bounty) else { return Ok(()) };
    let most_mps = Shape::Square(worth.half_extent_m.0).fastest_mps();
    let by_spell = game
        .rules
        .spells
        .map(|spells| ("rules.spells.0.magnet_speed_mps", "magnet_speed_mps", spells.magnet_speed_mps));
    let by_power_ups = power_ups(game, prefabs, level).filter_map(|power_up| match power_up {
        PowerUp::Magnet { speed_mps, .. } => {
            Some(("rules.power_ups.0.prefabs", "the speed_mps of a magnet", *speed_mps))
        }
        _ => None,
    });
    for (field, name, speed_mps) in by_spell.into_iter().chain(by_power_ups) {
        if speed_mps > most_mps {
            let problem = format!(
                "{name} is {speed_mps}, must be at most {most_mps} for the half_extent_m of {bounty:?}, {}",
                worth.half_extent_m.0
            );
            return Err(Excess { field, problem });
        }
    }
    Ok(())
}

/// The power-ups of a match, whether they are dealt or stand in the level.
fn power_ups<'a>(game: &'a GameConfig, prefabs: &'a Prefabs, level: &'a Level) -> impl Iterator<Item = &'a PowerUp> {
    let dealt = game.rules.power_ups.iter().flat_map(|power_ups| &power_ups.prefabs);
    let others = game.deals.iter().map(|deal| &deal.prefab);
    let placed = level.places.iter().map(|place| &place.prefab);
    dealt.chain(others).chain(placed).filter_map(|prefab| prefabs.component::<PowerUp>(prefab))
}
