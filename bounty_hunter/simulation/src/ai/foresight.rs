//! The AI that plans, [`Strategy::Foresight`](crate::data::config::Strategy::Foresight): it reckons in seconds of
//! driving, leaves bounties to rivals that are there sooner, meets a loaded rival where it will be, and finds the
//! shortest way around walls.
//!
//! A rival is assumed to drive on at its top speed, and to have this AI's agility.

use glam::Vec2;

use super::detour::{Surroundings, first_wall};
use super::lure::Rival;
use super::perception::Seen;
use super::steering::Agility;
use crate::data::arena::{Block, Pose, forward, wrapped_delta};

/// Time that each bounty takes besides the way to it, so that a near one of little value is not preferred to all
/// others.
const PICK_UP_SECONDS: f32 = 0.25;
/// Value of a bounty that a rival reaches first, as a share: the rival may want another one.
const CONTESTED_SHARE: f32 = 0.25;
/// How much sooner a rival must be to count.
const SOONER_SECONDS: f32 = 0.1;
/// It plans a crash at most this far ahead.
const MAX_PLANNED_SECONDS: f32 = 1.5;
/// The most turning points of a way; the walls of a level have four each.
const MAX_CORNERS: usize = 128;
/// Free space between a wall and a collector that passes its corner.
const GAP_M: f32 = 0.75;

/// The index of the bounty with the most value per second.
///
/// `room` is what the pocket still takes, points: the rest of a bounty would be lost.
#[must_use]
pub fn choose_ahead(
    me: Pose,
    agility: Agility,
    room: f32,
    seen: &[Seen],
    rivals: &[Rival],
    surroundings: &Surroundings<'_>,
) -> Option<usize> {
    let mut best: Option<(usize, f32)> = None;
    for (index, bounty) in seen.iter().enumerate() {
        let score = score_ahead(me, agility, room, bounty, rivals, surroundings);
        if score.is_finite() && best.is_none_or(|(_, highest)| score > highest) {
            best = Some((index, score));
        }
    }
    best.map(|(index, _)| index)
}

/// What a bounty brings, points per second.
#[must_use]
pub fn score_ahead(
    me: Pose,
    agility: Agility,
    room: f32,
    bounty: &Seen,
    rivals: &[Rival],
    surroundings: &Surroundings<'_>,
) -> f32 {
    let way_m = next_corner(me.position, bounty.position, surroundings).1;
    let seconds = seconds_to(me, bounty.position, way_m, agility, surroundings.half_extent_m);
    let is_contested = rivals.iter().filter(|rival| rival.key != bounty.key).any(|rival| {
        let way_m = wrapped_delta(rival.pose.position, bounty.position, surroundings.half_extent_m).length();
        let theirs = seconds_to(rival.pose, bounty.position, way_m, agility, surroundings.half_extent_m);
        theirs + SOONER_SECONDS < seconds
    });
    let share = if is_contested { CONTESTED_SHARE } else { 1.0 };
    share * bounty.value.min(room) / (seconds + PICK_UP_SECONDS)
}

/// Seconds to turn to a place and to drive `way_m` to it.
fn seconds_to(from: Pose, to: Vec2, way_m: f32, agility: Agility, half_extent_m: f32) -> f32 {
    let (ahead, delta) = (forward(from.heading), wrapped_delta(from.position, to, half_extent_m));
    let angle_rad = libm::atan2f(ahead.perp_dot(delta).abs(), ahead.dot(delta));
    way_m / agility.max_speed_mps + angle_rad / agility.max_turn_radps
}

/// Where to meet a rival that drives straight on; `None` if it cannot be met soon.
#[must_use]
pub fn meeting_point(me: Vec2, agility: Agility, rival: Pose, half_extent_m: f32) -> Option<Vec2> {
    let delta = wrapped_delta(me, rival.position, half_extent_m);
    // Both drive equally fast, so they meet on the line at equal distance from both.
    let closing_mps = -delta.dot(forward(rival.heading)) * agility.max_speed_mps / delta.length().max(f32::EPSILON);
    let seconds = delta.length() / (2.0 * closing_mps);
    (closing_mps > 0.0 && seconds <= MAX_PLANNED_SECONDS)
        .then(|| me + delta + forward(rival.heading) * (agility.max_speed_mps * seconds))
}

/// The first turning point on the shortest way around walls, or the goal itself, and the length of the way.
///
/// A* over the corners of the walls as seen from `from`. It needs no memory beyond its stack.
#[must_use]
pub fn next_corner(from: Vec2, goal: Vec2, surroundings: &Surroundings<'_>) -> (Vec2, f32) {
    let goal = from + wrapped_delta(from, goal, surroundings.half_extent_m);
    let straight = (goal, from.distance(goal));
    if is_free(from, goal, surroundings) {
        return straight;
    }
    let mut corners = [Node::at(goal); MAX_CORNERS];
    let count = find_corners(from, &mut corners, surroundings);
    let nodes = &mut corners[..count];
    for node in nodes.iter_mut().filter(|node| is_free(from, node.place, surroundings)) {
        (node.way_m, node.first) = (from.distance(node.place), node.place);
    }
    loop {
        let open = nodes.iter_mut().filter(|node| !node.is_closed && node.way_m.is_finite());
        let Some(best) = open.min_by(|one, other| one.least_m(goal).total_cmp(&other.least_m(goal))) else {
            return straight;
        };
        best.is_closed = true;
        let best = *best;
        if best.place == goal {
            return (best.first, best.way_m);
        }
        for node in nodes.iter_mut().filter(|node| !node.is_closed) {
            let way_m = best.way_m + best.place.distance(node.place);
            if way_m < node.way_m && is_free(best.place, node.place, surroundings) {
                (node.way_m, node.first) = (way_m, best.first);
            }
        }
    }
}

/// A turning point, and the shortest way to it that is known.
#[derive(Clone, Copy)]
struct Node {
    place: Vec2,
    way_m: f32,
    /// The first turning point of the way.
    first: Vec2,
    is_closed: bool,
}

impl Node {
    fn at(place: Vec2) -> Self {
        Self { place, way_m: f32::INFINITY, first: place, is_closed: false }
    }

    /// The least length of a way to the goal through this point.
    fn least_m(&self, goal: Vec2) -> f32 {
        self.way_m + self.place.distance(goal)
    }
}

/// Writes the corners of the walls after the goal, which is in the first place; returns the number of places.
fn find_corners(from: Vec2, nodes: &mut [Node; MAX_CORNERS], surroundings: &Surroundings<'_>) -> usize {
    let margin_m = std::f32::consts::SQRT_2 * surroundings.collector_half_extent_m + GAP_M;
    let images = surroundings.walls.iter().map(|wall| {
        let center = from + wrapped_delta(from, wall.center, surroundings.half_extent_m);
        Block { center, ..*wall }
    });
    let corners = images.flat_map(|wall| wall.grown(margin_m).corners());
    let mut count = 1;
    for (node, corner) in nodes[1..].iter_mut().zip(corners) {
        *node = Node::at(corner);
        count += 1;
    }
    count
}

/// Whether a collector can drive straight from one place to another.
fn is_free(from: Vec2, to: Vec2, surroundings: &Surroundings<'_>) -> bool {
    first_wall(from, to - from, surroundings).is_none()
}

#[cfg(test)]
mod tests {
    use std::f32::consts::{FRAC_PI_2, PI};

    use super::super::original::AGILITY;
    use super::*;

    const ME: Pose = Pose::new(Vec2::ZERO, 0.0);

    fn surroundings(walls: &[Block]) -> Surroundings<'_> {
        Surroundings { walls, collector_half_extent_m: 1.5, half_extent_m: 75.0 }
    }

    fn seen(key: u64, x: f32, y: f32, value: f32) -> Seen {
        Seen { key, position: Vec2::new(x, y), value }
    }

    fn rival(x: f32, y: f32, heading: f32) -> Rival {
        Rival { key: 99, pose: Pose::new(Vec2::new(x, y), heading), stake: 0.0, strength: None, team: None }
    }

    fn choice(room: f32, seen: &[Seen], rivals: &[Rival], walls: &[Block]) -> Option<usize> {
        choose_ahead(ME, AGILITY, room, seen, rivals, &surroundings(walls))
    }

    #[test]
    fn bounty_with_the_most_value_per_second_is_chosen() {
        let bounties = [seen(1, 0.0, 30.0, 30.0), seen(2, 0.0, 10.0, 20.0), seen(3, 0.0, -6.0, 20.0)];
        assert_eq!(choice(100.0, &bounties, &[], &[]), Some(1), "the third one lies behind");
        assert_eq!(choice(100.0, &[seen(1, 0.0, 12.0, 30.0), seen(2, 0.0, 9.0, 20.0)], &[], &[]), Some(0));
        assert_eq!(choice(20.0, &[seen(1, 0.0, 12.0, 30.0), seen(2, 0.0, 9.0, 20.0)], &[], &[]), Some(1), "no room");
        assert_eq!(choice(100.0, &[], &[], &[]), None);
        assert_eq!(choice(100.0, &[seen(1, f32::NAN, 0.0, 9.0)], &[], &[]), None);
    }

    #[test]
    fn bounty_that_a_rival_reaches_first_is_left_to_it() {
        let bounties = [seen(1, 0.0, 20.0, 30.0), seen(2, 15.0, 15.0, 20.0)];
        assert_eq!(choice(100.0, &bounties, &[], &[]), Some(0));
        assert_eq!(choice(100.0, &bounties, &[rival(0.0, 30.0, PI)], &[]), Some(1));
        assert_eq!(choice(100.0, &bounties, &[rival(0.0, 30.0, 0.0)], &[]), Some(0), "the rival drives away");
    }

    #[test]
    fn way_around_a_wall_counts() {
        let wall = Block { center: Vec2::new(0.0, 10.0), half_extents_m: Vec2::new(20.0, 1.0) };
        let bounties = [seen(1, 0.0, 14.0, 20.0), seen(2, 0.0, -20.0, 20.0)];
        assert_eq!(choice(100.0, &bounties, &[], &[]), Some(0));
        assert_eq!(choice(100.0, &bounties, &[], &[wall]), Some(1));
    }

    #[test]
    fn rival_is_met_where_it_will_be() {
        let meet = |x, y, heading| meeting_point(Vec2::ZERO, AGILITY, rival(x, y, heading).pose, 75.0);
        assert!(meet(0.0, 20.0, PI).unwrap().distance(Vec2::new(0.0, 10.0)) < 1e-4, "head-on: half-way");
        let crossing = meet(20.0, 20.0, FRAC_PI_2).unwrap();
        assert!(crossing.distance(Vec2::new(0.0, 20.0)) < 1e-3, "at equal distance from both: {crossing}");
        assert_eq!(meet(0.0, 20.0, 0.0), None, "it drives away");
        assert_eq!(meet(60.0, 74.0, FRAC_PI_2), None, "too far ahead");
    }

    #[test]
    fn shortest_way_turns_at_the_corners_of_all_walls() {
        // A pocket that opens downwards: the way out leads back around its end.
        let walls = [
            Block { center: Vec2::new(0.0, 20.0), half_extents_m: Vec2::new(12.0, 1.0) },
            Block { center: Vec2::new(13.0, 11.0), half_extents_m: Vec2::new(1.0, 10.0) },
            Block { center: Vec2::new(-13.0, 5.0), half_extents_m: Vec2::new(1.0, 16.0) },
        ];
        let (corner, way_m) = next_corner(Vec2::new(0.0, 10.0), Vec2::new(0.0, 40.0), &surroundings(&walls));
        assert!(corner.x > 0.0 && corner.y < 1.0, "the shorter side: {corner}");
        let straight_m = 30.0;
        assert!(way_m > straight_m + 20.0 && way_m < 80.0, "{way_m} m");
        let free = next_corner(Vec2::ZERO, Vec2::new(0.0, 15.0), &surroundings(&walls));
        assert_eq!(free, (Vec2::new(0.0, 15.0), 15.0));
    }

    #[test]
    fn goal_inside_a_wall_is_sought_directly() {
        let wall = Block { center: Vec2::new(0.0, 20.0), half_extents_m: Vec2::new(5.0, 5.0) };
        assert_eq!(next_corner(Vec2::ZERO, wall.center, &surroundings(&[wall])).0, wall.center);
    }
}
