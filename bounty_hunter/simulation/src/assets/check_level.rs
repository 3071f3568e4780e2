//! Checks of levels: everything is inside the world, and nothing is in the way of anything else.

use ecs::prefab::{PrefabError, Prefabs, RonText};
use glam::Vec2;

use super::check_kinds::Sizes;
use super::check_reactions::check_reactions;
use crate::data::arena::{Block, clearance_m};
use crate::data::level::{Level, Place, StashPlaces};
use crate::data::unknown_name::UnknownName;
use crate::objects::role::{Role, half_extent_m, size_refusal};
use crate::objects::scale::shape;
use crate::objects::scene_camera::{Follows, MAX_CAMERAS, SceneCamera};
use crate::physics::{Body, Category, Shape};

/// Checks a level for matches with objects of these sizes.
pub(super) fn check_level(source: &RonText, level: &Level, sizes: Sizes, prefabs: &Prefabs) -> Result<(), PrefabError> {
    check_room(source, level, sizes)?;
    check_share(source, "bounty_region_share", level.bounty_region_share, "bounty", sizes.bounty_m, level)?;
    for (index, place) in level.places.iter().enumerate() {
        if let Some(refusal) = Role::Object.refusal(prefabs, &place.prefab) {
            return Err(source.error_at(&format!("places.{index}.prefab"), refusal));
        }
        if let Some(refusal) = size_refusal(prefabs, &place.prefab, place.scale) {
            return Err(source.error_at(&format!("places.{index}.scale"), refusal));
        }
    }
    let walls: Vec<Block> = level.walls.iter().map(|&wall| wall.into()).collect();
    let objects: Vec<Block> = level.places.iter().map(|place| block_of(place, prefabs)).collect();
    check_cameras(source, level, prefabs)?;
    // What has no body is in nothing's way either.
    let is_trigger =
        |place: &Place| prefabs.component::<Body>(&place.prefab).is_none_or(|body| body.category == Category::Trigger);
    let triggers: Vec<bool> = level.places.iter().map(is_trigger).collect();
    check_blocks(source, level, ("walls", "wall"), &walls, &[], &[])?;
    check_blocks(source, level, ("places", "object"), &objects, &triggers, &walls)?;
    check_reactions(source, level, prefabs)?;
    match &level.stashes {
        &StashPlaces::Ring { ring_share, .. } => {
            check_share(source, "stashes.ring_share", ring_share, "stash", sizes.stash_m, level)?;
            for (what, is_empty) in [("walls", walls.is_empty()), ("places", objects.is_empty())] {
                if !is_empty {
                    let problem = format!("{what} need stashes at Places, for a ring runs anywhere");
                    return Err(source.error_at(what, problem));
                }
            }
            Ok(())
        }
        StashPlaces::Places { at_m } => check_stashes(
            source,
            level,
            at_m,
            &Obstacles { walls: &walls, objects: &objects, triggers: &triggers },
            sizes,
        ),
    }
}

/// Checks that each camera follows a place that there is, and that there are not too many.
fn check_cameras(source: &RonText, level: &Level, prefabs: &Prefabs) -> Result<(), PrefabError> {
    let mut count = 0;
    for (index, place) in level.places.iter().enumerate() {
        let Some(camera) = prefabs.component::<SceneCamera>(&place.prefab) else { continue };
        let refuse = |problem: String| Err(source.error_at(&format!("places.{index}.prefab"), problem));
        count += 1;
        if count > MAX_CAMERAS {
            return refuse(format!("object {} is one camera more than {MAX_CAMERAS}, the most of a level", index + 1));
        }
        let Follows::Place(tag) = &camera.follows else { continue };
        let names = || level.places.iter().filter_map(|place| place.name.as_ref());
        if !names().any(|name| name == tag.name()) {
            let unknown = UnknownName::new("place", tag.name(), names());
            return refuse(format!("the camera of prefab {:?} follows nothing: {unknown}", place.prefab));
        }
    }
    Ok(())
}

fn check_room(source: &RonText, level: &Level, sizes: Sizes) -> Result<(), PrefabError> {
    let world_half_m = level.world_half_extent_m;
    for (what, half_m) in [("collector", sizes.collector_m), ("bounty", sizes.bounty_m), ("stash", sizes.stash_m)] {
        if half_m >= world_half_m {
            let problem =
                format!("world_half_extent_m is {world_half_m}, must be more than {half_m}, half the side of a {what}");
            return Err(source.error_at("world_half_extent_m", problem));
        }
    }
    Ok(())
}

/// Checks that an object at this share of the world's half extent fits into the world.
fn check_share(
    source: &RonText,
    path: &str,
    share: f32,
    what: &str,
    half_extent_m: f32,
    level: &Level,
) -> Result<(), PrefabError> {
    let most = 1.0 - half_extent_m / level.world_half_extent_m;
    if share <= most {
        return Ok(());
    }
    let field = path.rsplit('.').next().unwrap_or(path);
    let problem =
        format!("{field} is {share}, must be at most {most} for a {what} of half_extent_m {half_extent_m} to fit in");
    Err(source.error_at(path, problem))
}

/// Checks that each wall or object is inside the world, and clear of the others and of `walls`. Trigger boxes are in
/// nothing's way.
fn check_blocks(
    source: &RonText,
    level: &Level,
    (field, what): (&str, &str),
    blocks: &[Block],
    triggers: &[bool],
    walls: &[Block],
) -> Result<(), PrefabError> {
    let world_half_m = level.world_half_extent_m;
    let is_trigger = |index: usize| triggers.get(index) == Some(&true);
    for (index, &block) in blocks.iter().enumerate() {
        let refuse = |problem: String| {
            Err(source.error_at(&format!("{field}.{index}"), format!("{what} {} {problem}", index + 1)))
        };
        let outermost_m = (block.center.abs() + block.half_extents_m).max_element();
        if outermost_m > world_half_m {
            return refuse(format!(
                "reaches {outermost_m} m from the centre, must stay within world_half_extent_m, {world_half_m}"
            ));
        }
        if is_trigger(index) {
            continue;
        }
        let before = (0..index).find(|&at| !is_trigger(at) && blocks[at].overlaps(block));
        let wall = walls.iter().position(|wall| wall.overlaps(block));
        for (other, found) in [("wall", wall), (what, before)] {
            if let Some(at) = found {
                return refuse(format!("overlaps {other} {}, must stand clear of it", at + 1));
            }
        }
    }
    Ok(())
}

/// The bounding box of an object.
fn block_of(place: &Place, prefabs: &Prefabs) -> Block {
    let dealt = half_extent_m(prefabs, &place.prefab).map_or(Shape::Square(0.0), Shape::Square);
    let shape = shape(prefabs, &place.prefab).unwrap_or(dealt).scaled(place.scale);
    Block::around(shape.corners(place.pose()))
}

/// Everything that can be in the way of a stash.
struct Obstacles<'a> {
    walls: &'a [Block],
    objects: &'a [Block],
    /// For each object, whether it is a trigger box, which is in nothing's way.
    triggers: &'a [bool],
}

impl Obstacles<'_> {
    /// The name of the first one nearer to a point than `clearance_m`.
    fn near(&self, place: Vec2, clearance_m: f32) -> Option<String> {
        let is_near = |block: &Block| block.grown(clearance_m).contains(place);
        let wall = self.walls.iter().position(is_near).map(|wall| format!("wall {}", wall + 1));
        let mut objects = self.objects.iter().zip(self.triggers);
        let mut object = || objects.position(|(object, is_trigger)| !is_trigger && is_near(object));
        wall.or_else(|| object().map(|object| format!("object {}", object + 1)))
    }
}

fn check_stashes(
    source: &RonText,
    level: &Level,
    at_m: &[(f32, f32)],
    obstacles: &Obstacles<'_>,
    sizes: Sizes,
) -> Result<(), PrefabError> {
    if at_m.is_empty() {
        return Err(source.error_at("stashes.at_m", "at_m has no place, must have at least one"));
    }
    let clearance_m = clearance_m(sizes.stash_m, sizes.collector_m);
    for (index, &place) in at_m.iter().enumerate() {
        let path = format!("stashes.at_m.{index}");
        let (place, refuse) = (Vec2::from(place), |problem: String| Err(source.error_at(&path, problem)));
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
