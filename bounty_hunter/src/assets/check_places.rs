//! What the objects of a level must be: made from a prefab that is there, inside of the world, and clear of its walls.

use ecs::prefab::Prefabs;

use super::error::AssetError;
use super::limits::check_number;
use super::source::Source;
use crate::data::arena::Block;
use crate::data::level::{Level, Place};
use crate::data::limits::{COORDINATE_M, HEADING_RAD};
use crate::objects::role::{Role, half_extent_m};
use crate::physics::Shape;

/// Checks the objects of a level; returns what each of them takes up.
pub(super) fn check_objects(
    source: &Source,
    level: &Level,
    walls: &[Block],
    prefabs: &Prefabs,
) -> Result<Vec<Block>, AssetError> {
    let mut objects: Vec<Block> = Vec::with_capacity(level.places.len());
    for (index, place) in level.places.iter().enumerate() {
        let path = format!("places.{index}");
        let number = |field: &str, name: &str, value, limits| {
            check_number(source, &format!("{path}.{field}"), &format!("{name} of object {}", index + 1), value, limits)
        };
        number("at_m.0", "at_m, x,", place.at_m.0, COORDINATE_M)?;
        number("at_m.1", "at_m, y,", place.at_m.1, COORDINATE_M)?;
        number("heading_rad", "heading_rad", place.heading_rad, HEADING_RAD)?;
        if let Some(refusal) = Role::Object.refusal(prefabs, &place.prefab) {
            return Err(source.error(&format!("{path}.prefab"), refusal));
        }
        let block = block_of(place, prefabs);
        let refuse = |problem: String| Err(source.error(&path, format!("object {} {problem}", index + 1)));
        let outermost_m = (block.center.abs() + block.half_extents_m).max_element();
        if outermost_m > level.world_half_extent_m {
            let world_half_m = level.world_half_extent_m;
            return refuse(format!(
                "reaches {outermost_m} m from the centre, must stay within world_half_extent_m, {world_half_m}"
            ));
        }
        if let Some(wall) = walls.iter().position(|wall| wall.overlaps(block)) {
            return refuse(format!("overlaps wall {}, must stand clear of it", wall + 1));
        }
        if let Some(other) = objects.iter().position(|other| other.overlaps(block)) {
            return refuse(format!("overlaps object {}, must stand clear of it", other + 1));
        }
        objects.push(block);
    }
    Ok(objects)
}

/// What an object takes up at most.
fn block_of(place: &Place, prefabs: &Prefabs) -> Block {
    let dealt = half_extent_m(prefabs, &place.prefab).map_or(Shape::Square(0.0), Shape::Square);
    let shape = prefabs.component::<Shape>(&place.prefab).copied().unwrap_or(dealt);
    Block::around(shape.corners(place.pose()))
}
