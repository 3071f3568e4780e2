//! What a level must be: everything inside of its world, and nothing in the way of anything else.

use glam::Vec2;

use super::Assets;
use super::check::{LENGTH_M, PLAYERS, SHARE};
use super::error::AssetError;
use super::limits::{Limits, check_number, check_numbers, check_whole_numbers};
use super::source::{Source, Sources};
use crate::arena::clearance_m;
use crate::config::Prefabs;
use crate::level::{Level, LevelWall, StashPlaces};
use crate::wall::Block;

/// A coordinate within a world.
const COORDINATE_M: Limits = Limits::new(-10_000.0, 10_000.0);
/// Half a wall's thickness: in one step nobody gets through as much as this.
const WALL_HALF_EXTENT_M: Limits = Limits::new(0.5, 10_000.0);

pub(super) fn check_level(source: &Source, level: &Level, prefabs: &Prefabs) -> Result<(), AssetError> {
    check_numbers(
        source,
        "",
        &[
            ("world_half_extent_m", level.world_half_extent_m, LENGTH_M),
            ("bounty_region_share", level.bounty_region_share, SHARE),
        ],
    )?;
    check_room(source, level, prefabs)?;
    let bounty_half_m = prefabs.bounty.half_extent_m.1;
    check_share(source, "bounty_region_share", level.bounty_region_share, "bounty", bounty_half_m, level)?;
    let walls = check_walls(source, level)?;
    match &level.stashes {
        &StashPlaces::Ring { ring_share, grows_beyond_players } => {
            check_numbers(source, "stashes.", &[("ring_share", ring_share, SHARE)])?;
            check_whole_numbers(source, "stashes.", &[("grows_beyond_players", grows_beyond_players, PLAYERS)])?;
            let stash_half_m = prefabs.stash.half_extent_m;
            check_share(source, "stashes.ring_share", ring_share, "stash", stash_half_m, level)?;
            match walls.is_empty() {
                true => Ok(()),
                false => Err(source.error("walls", "walls need stashes at Places, for a ring runs anywhere")),
            }
        }
        StashPlaces::Places { at_m } => check_places(source, level, at_m, &walls, prefabs),
    }
}

/// Whether what is in every world fits into this one, which a match is played in unless somebody asks for another. What is too
/// large for that world alone is too large: for any other it is the level that is too small.
pub(super) fn check_sizes(sources: &Sources, level: &Level, assets: &Assets) -> Result<(), AssetError> {
    let (world_half_m, name) = (level.world_half_extent_m, &assets.game.level);
    for (file, half_extent_m) in half_extents(&assets.prefabs) {
        if LENGTH_M.allow(world_half_m) && half_extent_m >= world_half_m {
            let problem = format!(
                "half_extent_m is {half_extent_m}, must be less than world_half_extent_m in levels/{name}.ron, {world_half_m}"
            );
            return Err(sources.file(&format!("prefabs/{file}.ron")).error("half_extent_m", problem));
        }
    }
    Ok(())
}

/// The largest size that each kind of object has, with the name of its file.
fn half_extents(prefabs: &Prefabs) -> [(&'static str, f32); 3] {
    [
        ("collector", prefabs.collector.half_extent_m),
        ("bounty", prefabs.bounty.half_extent_m.1),
        ("stash", prefabs.stash.half_extent_m),
    ]
}

fn check_room(source: &Source, level: &Level, prefabs: &Prefabs) -> Result<(), AssetError> {
    let world_half_m = level.world_half_extent_m;
    for (file, half_extent_m) in half_extents(prefabs) {
        if half_extent_m >= world_half_m {
            let problem = format!(
                "world_half_extent_m is {world_half_m}, must be more than half_extent_m in prefabs/{file}.ron, {half_extent_m}"
            );
            return Err(source.error("world_half_extent_m", problem));
        }
    }
    Ok(())
}

/// Whether what stands at this share of the half extent stands inside of the world.
fn check_share(
    source: &Source,
    path: &str,
    share: f32,
    what: &str,
    half_extent_m: f32,
    level: &Level,
) -> Result<(), AssetError> {
    let most = 1.0 - half_extent_m / level.world_half_extent_m;
    if share <= most {
        return Ok(());
    }
    let field = path.rsplit('.').next().unwrap_or(path);
    let problem =
        format!("{field} is {share}, must be at most {most} for a {what} of half_extent_m {half_extent_m} to fit in");
    Err(source.error(path, problem))
}

fn check_walls(source: &Source, level: &Level) -> Result<Vec<Block>, AssetError> {
    let mut blocks: Vec<Block> = Vec::with_capacity(level.walls.len());
    for (index, &wall) in level.walls.iter().enumerate() {
        let LevelWall { at_m, half_extents_m } = wall;
        let number = |field: &str, value, limits| {
            let (path, name) = (format!("walls.{index}.{field}"), format!("{field} of wall {}", index + 1));
            let name = name.replace(".0", ", x,").replace(".1", ", y,");
            check_number(source, &path, &name, value, limits)
        };
        number("at_m.0", at_m.0, COORDINATE_M)?;
        number("at_m.1", at_m.1, COORDINATE_M)?;
        number("half_extents_m.0", half_extents_m.0, WALL_HALF_EXTENT_M)?;
        number("half_extents_m.1", half_extents_m.1, WALL_HALF_EXTENT_M)?;
        let block = Block::from(wall);
        let outermost_m = (block.center.abs() + block.half_extents_m).max_element();
        let refuse = |problem: String| Err(source.error(&format!("walls.{index}"), problem));
        if outermost_m > level.world_half_extent_m {
            let world_half_m = level.world_half_extent_m;
            return refuse(format!(
                "wall {} reaches {outermost_m} m from the centre, must stay within world_half_extent_m, {world_half_m}",
                index + 1
            ));
        }
        if let Some(other) = blocks.iter().position(|other| other.overlaps(block)) {
            return refuse(format!("wall {} overlaps wall {}, must stand clear of it", index + 1, other + 1));
        }
        blocks.push(block);
    }
    Ok(blocks)
}

fn check_places(
    source: &Source,
    level: &Level,
    at_m: &[(f32, f32)],
    walls: &[Block],
    prefabs: &Prefabs,
) -> Result<(), AssetError> {
    if at_m.is_empty() {
        return Err(source.error("stashes.at_m", "at_m has no place, must have at least one"));
    }
    let clearance_m = clearance_m(&prefabs.stash, &prefabs.collector);
    for (index, &place) in at_m.iter().enumerate() {
        let path = format!("stashes.at_m.{index}");
        let name = |axis| format!("{axis} of place {}", index + 1);
        check_number(source, &format!("{path}.0"), &name("x"), place.0, COORDINATE_M)?;
        check_number(source, &format!("{path}.1"), &name("y"), place.1, COORDINATE_M)?;
        let (place, refuse) = (Vec2::from(place), |problem: String| Err(source.error(&path, problem)));
        let most_m = level.world_half_extent_m - clearance_m;
        if place.abs().max_element() > most_m {
            return refuse(format!(
                "place {} is outside of the world, x and y must be {} to {most_m} for a stash and a collector to fit in",
                index + 1,
                -most_m
            ));
        }
        let before = at_m[..index].iter().map(|&other| Vec2::from(other));
        if let Some(other) = before.clone().position(|other| other.distance(place) < 2.0 * clearance_m) {
            let least_m = 2.0 * clearance_m;
            return refuse(format!(
                "place {} overlaps place {}, must be at least {least_m} m away from it",
                index + 1,
                other + 1
            ));
        }
        if let Some(wall) = walls.iter().position(|wall| wall.grown(clearance_m).contains(place)) {
            return refuse(format!(
                "place {} overlaps wall {}, must be at least {clearance_m} m away from it",
                index + 1,
                wall + 1
            ));
        }
    }
    Ok(())
}
