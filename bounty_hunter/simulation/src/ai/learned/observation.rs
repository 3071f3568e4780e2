//! A player's view of the scene as numbers in its own frame, in which it looks ahead along +x and left is +y.
//!
//! | numbers | contents |
//! |---|---|
//! | 13 | itself, its stash, the fullest other stash, and the clock |
//! | 4 | the way to its stash |
//! | 4 | the way to the nearest other stash |
//! | 6 × 7 | the nearest bounties, nearest first |
//! | 4 × 8 | the nearest other collectors, nearest first |
//! | 5 | the nearest power-up |
//! | 8 | walls in eight directions |
//!
//! All numbers are −1 to 4. A way is four numbers: cosine and sine of its bearing, its length in units of 75 m, at most
//! 2, and its nearness 10 m / (10 m + length). All ways are the shortest ones around the world. An object that is not
//! there is all zeros. [`observation_fields`] names each number.

use glam::Vec2;

use super::scene::{Observer, Scene};
use crate::data::arena::{Block, forward};
use crate::data::grid::Grid;

/// The version of this layout; a policy states the one that it was trained with.
pub const OBSERVATION_VERSION: u32 = 1;

/// Bounties and other collectors that a player sees.
pub(super) const BOUNTIES: usize = 6;
const COLLECTORS: usize = 4;
const SELF_FIELDS: [&str; 13] = [
    "is alive, 0 or 1",
    "load, share of the pocket",
    "own stash, share of its capacity",
    "fullest other stash, share of its capacity",
    "clock, seconds left / 90, at most 1",
    "clock, seconds left / 10, at most 1",
    "seconds until the respawn / 10, at most 1",
    "health, share; 1 without health",
    "lives / 10, at most 1; 1 without limited lives",
    "seconds left as a ghost / 10, at most 1",
    "purge, 1 is ready; 0 without spells",
    "strike, 1 is ready; 0 without spells",
    "magnet, 1 is ready; 0 without spells",
];
const WAY_FIELDS: [&str; 4] = [
    "cosine of the bearing",
    "sine of the bearing, left is positive",
    "metres / 75, at most 2",
    "nearness, 10 m / (10 m + metres)",
];
const BOUNTY_FIELDS: [&str; 3] = ["is there, 0 or 1", "points / 30, at most 4", "seconds left / 7, at most 1"];
const COLLECTOR_FIELDS: [&str; 4] = [
    "is there, 0 or 1",
    "cosine of its heading less mine",
    "sine of its heading less mine",
    "load, share of the pocket",
];
/// Directions in which walls are seen, evenly from straight ahead to the left and around.
const RAYS: usize = 8;

const WAY: usize = WAY_FIELDS.len();
pub(super) const BOUNTY: usize = WAY + BOUNTY_FIELDS.len();
const COLLECTOR: usize = WAY + COLLECTOR_FIELDS.len();

/// The number of numbers of an observation.
pub const OBSERVATION_LENGTH: usize =
    SELF_FIELDS.len() + 2 * WAY + BOUNTIES * BOUNTY + COLLECTORS * COLLECTOR + (1 + WAY) + RAYS;

/// Where the way to the own stash and the first bounty begin.
pub(super) const HOME: usize = SELF_FIELDS.len();
pub(super) const FIRST_BOUNTY: usize = HOME + 2 * WAY;

/// The farthest that a player sees along each axis, in worlds with many objects.
const SIGHT_M: f32 = 75.0;
pub(super) const WAY_UNIT_M: f32 = 75.0;
const NEAR_M: f32 = 10.0;
const MAX_WAY: f32 = 2.0;
const VALUE_UNIT: f32 = 30.0;
const MAX_VALUE: f32 = 4.0;
const LIFE_UNIT_SECONDS: f32 = 7.0;
const RAY_M: f32 = 20.0;
/// Keeps directions to the own position finite.
const MIN_M: f32 = 1e-6;

/// The name of each number of an observation, with its unit.
#[must_use]
pub fn observation_fields() -> Vec<String> {
    let mut fields: Vec<String> = SELF_FIELDS.map(String::from).into();
    let way = |of: &str| WAY_FIELDS.map(|field| format!("{of}: {field}"));
    fields.extend(way("own stash"));
    fields.extend(way("nearest other stash"));
    for bounty in 0..BOUNTIES {
        let of = format!("bounty {bounty}");
        fields.extend(way(&of));
        fields.extend(BOUNTY_FIELDS.map(|field| format!("{of}: {field}")));
    }
    for collector in 0..COLLECTORS {
        let of = format!("collector {collector}");
        fields.extend(way(&of));
        fields.extend(COLLECTOR_FIELDS.map(|field| format!("{of}: {field}")));
    }
    fields.extend(way("power-up"));
    fields.push("power-up: is there, 0 or 1".to_owned());
    fields.extend((0..RAYS).map(|ray| format!("wall at {} degrees: 1 - metres / 20, 0 without one", ray * 360 / RAYS)));
    fields
}

/// Writes what a player sees.
///
/// # Panics
/// If `numbers` does not have [`OBSERVATION_LENGTH`] numbers.
pub fn observe(scene: &Scene, me: &Observer, numbers: &mut [f32]) {
    assert_eq!(numbers.len(), OBSERVATION_LENGTH, "an observation has this many numbers");
    numbers.fill(0.0);
    let (of_self, rest) = numbers.split_at_mut(SELF_FIELDS.len());
    observe_self(scene, me, of_self);
    if !me.is_alive {
        return;
    }
    let frame =
        Frame { position: me.pose.position, ahead: forward(me.pose.heading), half_extent_m: scene.half_extent_m };
    let (ways, rest) = rest.split_at_mut(2 * WAY);
    observe_stashes(scene, me, &frame, ways);
    let (bounties, rest) = rest.split_at_mut(BOUNTIES * BOUNTY);
    let mut nearest = Nearest::<BOUNTIES>::default();
    nearest.search(&frame, &scene.bounty_grid, &scene.bounties, |bounty| Some(bounty.position));
    for (near, numbers) in nearest.found().zip(bounties.chunks_exact_mut(BOUNTY)) {
        let bounty = &scene.bounties[near.index];
        frame.write_way(near.delta, numbers);
        numbers[WAY] = 1.0;
        numbers[WAY + 1] = (bounty.value / VALUE_UNIT).min(MAX_VALUE);
        numbers[WAY + 2] = at_most_one(bounty.left_seconds / LIFE_UNIT_SECONDS);
    }
    let (collectors, rest) = rest.split_at_mut(COLLECTORS * COLLECTOR);
    let mut nearest = Nearest::<COLLECTORS>::default();
    nearest.search(&frame, &scene.collector_grid, &scene.collectors, |other| {
        let is_partner = me.team.is_some() && me.team == other.team;
        (other.player != me.player && !is_partner).then_some(other.pose.position)
    });
    for (near, numbers) in nearest.found().zip(collectors.chunks_exact_mut(COLLECTOR)) {
        let other = &scene.collectors[near.index];
        frame.write_way(near.delta, numbers);
        numbers[WAY] = 1.0;
        numbers[WAY + 1] = cosine(frame.ahead.dot(other.ahead));
        numbers[WAY + 2] = cosine(frame.ahead.perp_dot(other.ahead));
        numbers[WAY + 3] = other.load;
    }
    let (power_up, rays) = rest.split_at_mut(1 + WAY);
    let mut nearest = Nearest::<1>::default();
    nearest.search_all(&frame, &scene.power_ups, |(_, position)| Some(*position));
    if let Some(near) = nearest.found().next() {
        frame.write_way(near.delta, power_up);
        power_up[WAY] = 1.0;
    }
    if !scene.walls.is_empty() {
        observe_walls(&scene.walls, &frame, rays);
    }
}

fn observe_self(scene: &Scene, me: &Observer, numbers: &mut [f32]) {
    let [first, second] = scene.fullest;
    numbers[0] = f32::from(u8::from(me.is_alive));
    numbers[1] = me.load;
    numbers[2] = scene.stash_of(me.player).map_or(0.0, |stash| stash.fullness);
    numbers[3] = if first.0 == me.player { second.1 } else { first.1 };
    numbers[4] = at_most_one(scene.clock_seconds / 90.0);
    numbers[5] = at_most_one(scene.clock_seconds / 10.0);
    numbers[6] = at_most_one(me.respawn_seconds / 10.0);
    numbers[7] = me.health;
    numbers[8] = me.lives.map_or(1.0, |lives| at_most_one(lives as f32 / 10.0));
    numbers[9] = at_most_one(me.ghost_seconds / 10.0);
    numbers[10..13].copy_from_slice(&me.spells.unwrap_or_default());
}

fn observe_stashes(scene: &Scene, me: &Observer, frame: &Frame, numbers: &mut [f32]) {
    let (own, other) = numbers.split_at_mut(WAY);
    if let Some(stash) = scene.stash_of(me.player) {
        frame.write_way(frame.delta_to(stash.position), own);
    }
    let mut nearest = Nearest::<1>::default();
    nearest.search_all(frame, &scene.stashes, |stash| (stash.player != me.player).then_some(stash.position));
    if let Some(near) = nearest.found().next() {
        frame.write_way(near.delta, other);
    }
}

fn observe_walls(walls: &[Block], frame: &Frame, numbers: &mut [f32]) {
    const HALF: f32 = std::f32::consts::FRAC_1_SQRT_2;
    const DIRECTIONS: [(f32, f32); RAYS] =
        [(1.0, 0.0), (HALF, HALF), (0.0, 1.0), (-HALF, HALF), (-1.0, 0.0), (-HALF, -HALF), (0.0, -1.0), (HALF, -HALF)];
    for wall in walls {
        let wall = Block { center: frame.delta_to(wall.center), ..*wall };
        let reach = wall.half_extents_m + Vec2::splat(RAY_M);
        if wall.center.x.abs() > reach.x || wall.center.y.abs() > reach.y {
            continue;
        }
        for ((ahead, left), number) in DIRECTIONS.iter().zip(&mut *numbers) {
            let way = (frame.ahead * *ahead + frame.ahead.perp() * *left) * RAY_M;
            let nearness = 1.0 - wall.hit_by(Vec2::ZERO, way).unwrap_or(1.0);
            *number = number.max(nearness);
        }
    }
}

fn at_most_one(share: f32) -> f32 {
    share.clamp(0.0, 1.0)
}

/// A product of unit vectors, whose rounded lengths may be above 1.
fn cosine(product: f32) -> f32 {
    product.clamp(-1.0, 1.0)
}

/// The frame of a player.
struct Frame {
    position: Vec2,
    ahead: Vec2,
    half_extent_m: f32,
}

impl Frame {
    /// The shortest vector to a point of the world, in the directions of the world.
    fn delta_to(&self, point: Vec2) -> Vec2 {
        let around = |way: f32| {
            let less = if way > self.half_extent_m { 2.0 * self.half_extent_m } else { 0.0 };
            let more = if way < -self.half_extent_m { 2.0 * self.half_extent_m } else { 0.0 };
            way - less + more
        };
        let way = point - self.position;
        Vec2::new(around(way.x), around(way.y))
    }

    /// Writes the four numbers of a way.
    fn write_way(&self, delta: Vec2, numbers: &mut [f32]) {
        let length_m = delta.length();
        let share = 1.0 / (length_m + MIN_M);
        numbers[0] = cosine(self.ahead.dot(delta) * share);
        numbers[1] = cosine(self.ahead.perp_dot(delta) * share);
        numbers[2] = (length_m / WAY_UNIT_M).min(MAX_WAY);
        numbers[3] = NEAR_M / (NEAR_M + length_m);
    }
}

/// An object near a player.
#[derive(Clone, Copy, Default)]
struct Near {
    distance_squared: f32,
    index: usize,
    delta: Vec2,
}

/// The nearest `N` objects, nearest first, and by index where two are equally near.
struct Nearest<const N: usize> {
    near: [Near; N],
    count: usize,
}

impl<const N: usize> Default for Nearest<N> {
    fn default() -> Self {
        Self { near: [Near::default(); N], count: 0 }
    }
}

impl<const N: usize> Nearest<N> {
    fn found(&self) -> impl Iterator<Item = &Near> {
        self.near[..self.count].iter()
    }

    /// Searches a list, by its grid if that is filled.
    fn search<T>(&mut self, frame: &Frame, grid: &Grid, items: &[T], position: impl Fn(&T) -> Option<Vec2>) {
        if grid.is_empty() {
            return self.search_all(frame, items, position);
        }
        grid.visit_near(frame.position, Vec2::splat(SIGHT_M), |disc| {
            let index = disc.key as usize;
            let delta = position(&items[index]).map(|position| frame.delta_to(position));
            // The grid also visits others nearby.
            if let Some(delta) = delta.filter(|delta| delta.abs().max_element() <= SIGHT_M) {
                self.offer(index, delta);
            }
        });
    }

    fn search_all<T>(&mut self, frame: &Frame, items: &[T], position: impl Fn(&T) -> Option<Vec2>) {
        for (index, item) in items.iter().enumerate() {
            if let Some(position) = position(item) {
                self.offer(index, frame.delta_to(position));
            }
        }
    }

    fn offer(&mut self, index: usize, delta: Vec2) {
        let new = Near { distance_squared: delta.length_squared(), index, delta };
        let is_before = |one: &Near, other: &Near| {
            one.distance_squared < other.distance_squared
                || one.distance_squared == other.distance_squared && one.index < other.index
        };
        let mut place = if self.count < N {
            self.count += 1;
            self.count - 1
        } else if is_before(&new, &self.near[N - 1]) {
            N - 1
        } else {
            return;
        };
        while place > 0 && is_before(&new, &self.near[place - 1]) {
            self.near[place] = self.near[place - 1];
            place -= 1;
        }
        self.near[place] = new;
    }
}

#[cfg(test)]
mod tests;
