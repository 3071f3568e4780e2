//! Detours around solid walls, whose positions an AI knows.

use glam::Vec2;

use super::foresight::next_corner;
use super::steering::{Agility, seek};
use crate::data::arena::{Block, Pose, forward, wrapped_delta};
use crate::data::config::{AiProfile, Strategy};
use crate::data::input::Intent;

/// Free space between a wall and a collector that passes it.
const GAP_M: f32 = 0.75;
/// How far ahead a wanderer looks for walls, in seconds of driving.
const LOOK_AHEAD_SECONDS: f32 = 0.5;

/// The obstacles of one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surroundings<'a> {
    /// The solid walls of the level.
    pub walls: &'a [Block],
    /// Half the side of a collector, metres.
    pub collector_half_extent_m: f32,
    /// Half the side of the world, metres.
    pub half_extent_m: f32,
}

/// The intent, changed to lead around walls if one is in the way.
///
/// With a goal it heads for the corner of the first wall on the shorter side, or, with foresight, for the first corner
/// of the shortest way around all walls. Without a goal it turns away from the wall ahead.
#[must_use]
pub fn around_walls(
    intent: Intent,
    profile: &AiProfile,
    agility: Agility,
    me: Pose,
    goal: Option<Vec2>,
    surroundings: &Surroundings<'_>,
) -> Intent {
    if surroundings.walls.is_empty() {
        return intent;
    }
    match goal {
        Some(goal) => {
            let corner = next_turn(me.position, goal, profile.strategy, surroundings);
            corner.map_or(intent, |corner| seek(profile, agility, me, corner, surroundings.half_extent_m))
        }
        None => {
            let ahead = forward(me.heading);
            let look_ahead = ahead * (agility.max_speed_mps * LOOK_AHEAD_SECONDS);
            let Some((wall, _)) = first_wall(me.position, look_ahead, surroundings) else { return intent };
            // Turns to the side with less of the wall.
            let is_left = ahead.perp_dot(wall.center - me.position) < 0.0;
            Intent { turn: if is_left { 1.0 } else { -1.0 }, ..intent }
        }
    }
}

/// The corner that an AI heads for on its way to a goal; `None` if it heads for the goal itself.
#[must_use]
pub fn next_turn(from: Vec2, goal: Vec2, strategy: Strategy, surroundings: &Surroundings<'_>) -> Option<Vec2> {
    let half_extent_m = surroundings.half_extent_m;
    if strategy != Strategy::Foresight {
        return detour(from, wrapped_delta(from, goal, half_extent_m), surroundings);
    }
    let (corner, _) = next_corner(from, goal, surroundings);
    Some(corner).filter(|corner| wrapped_delta(*corner, goal, half_extent_m).length() >= GAP_M)
}

/// The corner to head for if a wall cuts the segment from `from` along `way`.
fn detour(from: Vec2, way: Vec2, surroundings: &Surroundings<'_>) -> Option<Vec2> {
    let (wall, _) = first_wall(from, way, surroundings)?;
    let goal = from + way;
    let half_diagonal_m = std::f32::consts::SQRT_2 * surroundings.collector_half_extent_m;
    let turning_points = wall.grown(half_diagonal_m + GAP_M).corners();
    let mut best: Option<(f32, Vec2)> = None;
    for corner in turning_points {
        // A corner behind the wall becomes reachable after the one before it.
        if wall.hit_by(from, corner - from).is_some() {
            continue;
        }
        let beyond = if wall.hit_by(corner, goal - corner).is_some() { wall.half_extents_m.max_element() } else { 0.0 };
        let length_m = from.distance(corner) + corner.distance(goal) + beyond;
        if best.is_none_or(|(least_m, _)| length_m < least_m) {
            best = Some((length_m, corner));
        }
    }
    best.map(|(_, corner)| corner)
}

/// The first wall hit on the segment, in its wrapped image nearest to `from`, and the share of the segment before it.
/// Walls are grown by the collector's half extent.
pub(super) fn first_wall(from: Vec2, way: Vec2, surroundings: &Surroundings<'_>) -> Option<(Block, f32)> {
    let mut first: Option<(Block, f32)> = None;
    for wall in surroundings.walls {
        let center = from + wrapped_delta(from, wall.center, surroundings.half_extent_m);
        let image = Block { center, ..*wall };
        let reach = image.grown(surroundings.collector_half_extent_m);
        // A collector that touches a wall must be able to leave it.
        let obstacle = if reach.contains(from) { image } else { reach };
        if let Some(share) = obstacle.hit_by(from, way)
            && first.is_none_or(|(_, least)| share < least)
        {
            first = Some((image, share));
        }
    }
    first
}

#[cfg(test)]
mod tests {
    use super::super::original::{AGILITY, profile};
    use super::*;

    const WALL: Block = Block { center: Vec2::new(0.0, 20.0), half_extents_m: Vec2::new(10.0, 1.0) };

    fn surroundings(walls: &[Block]) -> Surroundings<'_> {
        Surroundings { walls, collector_half_extent_m: 1.5, half_extent_m: 75.0 }
    }

    fn around(walls: &[Block], me: Pose, goal: Option<Vec2>) -> Intent {
        let straight = Intent { drive: 1.0, turn: 0.0 };
        around_walls(straight, &profile(), AGILITY, me, goal, &surroundings(walls))
    }

    #[test]
    fn free_way_keeps_the_intent() {
        let straight = Intent { drive: 1.0, turn: 0.0 };
        let me = Pose::new(Vec2::ZERO, 0.0);
        assert_eq!(around(&[], me, Some(Vec2::new(0.0, 40.0))), straight);
        assert_eq!(around(&[WALL], me, Some(Vec2::new(0.0, 15.0))), straight, "goal before the wall");
        assert_eq!(around(&[WALL], me, Some(Vec2::new(40.0, 10.0))), straight, "goal beside the wall");
        assert_eq!(around(&[WALL], Pose::new(Vec2::new(0.0, -5.0), 0.0), None), straight, "the wall is far away");
    }

    #[test]
    fn shorter_detour_is_taken() {
        let me = Pose::new(Vec2::ZERO, 0.0);
        assert!(around(&[WALL], me, Some(Vec2::new(6.0, 40.0))).turn < 0.0, "to the right");
        assert!(around(&[WALL], me, Some(Vec2::new(-6.0, 40.0))).turn > 0.0, "to the left");
    }

    #[test]
    fn wanderer_turns_away_from_a_wall_ahead() {
        let near = |x: f32| Pose::new(Vec2::new(x, 10.0), 0.0);
        assert_eq!(around(&[WALL], near(5.0), None).turn, -1.0);
        assert_eq!(around(&[WALL], near(-5.0), None).turn, 1.0);
    }

    #[test]
    fn ai_arrives_behind_every_wall() {
        let walls = [
            WALL,
            Block { center: Vec2::new(-20.0, -10.0), half_extents_m: Vec2::new(1.0, 12.0) },
            Block { center: Vec2::new(25.0, -10.0), half_extents_m: Vec2::new(6.0, 6.0) },
        ];
        let surroundings = surroundings(&walls);
        let mut longest = 0;
        for (from, goal) in
            [((0.0, 0.0), (0.0, 24.0)), ((-26.0, -10.0), (-14.0, -10.0)), ((16.0, -10.0), (34.0, -10.0))]
        {
            for turn in 0..16 {
                let mut me = Pose::new(Vec2::from(from), turn as f32 * std::f32::consts::FRAC_PI_8);
                let goal = Vec2::from(goal);
                let mut steps = 0;
                while me.position.distance(goal) > 1.0 {
                    let straight = seek(&profile(), AGILITY, me, goal, 75.0);
                    let intent = around_walls(straight, &profile(), AGILITY, me, Some(goal), &surroundings);
                    me.heading += intent.turn * AGILITY.max_turn_radps / 60.0;
                    me.position += forward(me.heading) * (intent.drive * AGILITY.max_speed_mps / 60.0);
                    assert!(!walls.iter().any(|wall| wall.contains(me.position)), "{me:?} on the way to {goal}");
                    steps += 1;
                    assert!(steps < 600, "{me:?} is still on the way to {goal}");
                }
                longest = longest.max(steps);
            }
        }
        assert!(longest < 200, "{longest} steps");
    }
}
