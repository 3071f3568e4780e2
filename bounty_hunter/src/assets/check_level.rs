//! What a level must be: everything inside of its world, and nothing in the way of anything else.

use ecs::prefab::Prefabs;
use glam::Vec2;

use super::check_kinds::Sizes;
use super::check_places::check_objects;
use super::error::AssetError;
use super::limits::{check_number, check_numbers, check_whole_numbers};
use super::source::Source;
use crate::data::arena::Block;
use crate::data::arena::clearance_m;
use crate::data::level::{Level, LevelWall, StashPlaces};
use crate::data::limits::{COORDINATE_M, LENGTH_M, PLAYERS, SHARE, WALL_HALF_EXTENT_M};

/// Checks a level for matches of which this much is known.
pub(super) fn check_level(source: &Source, level: &Level, sizes: Sizes, prefabs: &Prefabs) -> Result<(), AssetError> {
    check_numbers(
        source,
        "",
        &[
            ("world_half_extent_m", level.world_half_extent_m, LENGTH_M),
            ("bounty_region_share", level.bounty_region_share, SHARE),
        ],
    )?;
    check_room(source, level, sizes)?;
    check_share(source, "bounty_region_share", level.bounty_region_share, "bounty", sizes.bounty_m, level)?;
    let walls = check_walls(source, level)?;
    let objects = check_objects(source, level, &walls, prefabs)?;
    match &level.stashes {
        &StashPlaces::Ring { ring_share, grows_beyond_players } => {
            check_numbers(source, "stashes.", &[("ring_share", ring_share, SHARE)])?;
            check_whole_numbers(source, "stashes.", &[("grows_beyond_players", grows_beyond_players, PLAYERS)])?;
            check_share(source, "stashes.ring_share", ring_share, "stash", sizes.stash_m, level)?;
            for (what, is_empty) in [("walls", walls.is_empty()), ("places", objects.is_empty())] {
                if !is_empty {
                    let problem = format!("{what} need stashes at Places, for a ring runs anywhere");
                    return Err(source.error(what, problem));
                }
            }
            Ok(())
        }
        StashPlaces::Places { at_m } => {
            check_stashes(source, level, at_m, &Obstacles { walls: &walls, objects: &objects }, sizes)
        }
    }
}

fn check_room(source: &Source, level: &Level, sizes: Sizes) -> Result<(), AssetError> {
    let world_half_m = level.world_half_extent_m;
    for (what, half_m) in [("collector", sizes.collector_m), ("bounty", sizes.bounty_m), ("stash", sizes.stash_m)] {
        if half_m >= world_half_m {
            let problem =
                format!("world_half_extent_m is {world_half_m}, must be more than {half_m}, half the side of a {what}");
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

/// What is in the way of a stash.
struct Obstacles<'a> {
    walls: &'a [Block],
    objects: &'a [Block],
}

impl Obstacles<'_> {
    /// The name of what leaves no room at a point.
    fn near(&self, place: Vec2, clearance_m: f32) -> Option<String> {
        let find = |blocks: &[Block]| blocks.iter().position(|block| block.grown(clearance_m).contains(place));
        let wall = find(self.walls).map(|wall| format!("wall {}", wall + 1));
        wall.or_else(|| find(self.objects).map(|object| format!("object {}", object + 1)))
    }
}

fn check_stashes(
    source: &Source,
    level: &Level,
    at_m: &[(f32, f32)],
    obstacles: &Obstacles<'_>,
    sizes: Sizes,
) -> Result<(), AssetError> {
    if at_m.is_empty() {
        return Err(source.error("stashes.at_m", "at_m has no place, must have at least one"));
    }
    let clearance_m = clearance_m(sizes.stash_m, sizes.collector_m);
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
        if let Some(obstacle) = obstacles.near(place, clearance_m) {
            return refuse(format!(
                "place {} overlaps {obstacle}, must be at least {clearance_m} m away from it",
                index + 1
            ));
        }
    }
    Ok(())
}
