//! The objects of a match as learned players see them, listed once for all of them.

use glam::Vec2;

use crate::data::arena::{Block, Pose, forward};
use crate::data::grid::{Disc, Grid};

/// Lists longer than this are searched by a grid.
const LONG_LIST: usize = 96;

/// A bounty in the arena.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeenBounty {
    /// Its key in all steps.
    pub key: u64,
    /// Centre, metres.
    pub position: Vec2,
    /// Points.
    pub value: f32,
    /// Seconds until it disappears.
    pub left_seconds: f32,
}

/// A collector that is alive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeenCollector {
    /// Its key in all steps.
    pub key: u64,
    /// Its seat.
    pub player: u32,
    /// Position and heading.
    pub pose: Pose,
    /// The unit vector along its heading.
    pub ahead: Vec2,
    /// Its load as a share of the capacity of its pocket.
    pub load: f32,
    /// The number of its team; `None` in a match without teams.
    pub team: Option<u32>,
}

impl SeenCollector {
    /// A collector without a team; computes the vector along its heading.
    #[must_use]
    pub fn new(key: u64, player: u32, pose: Pose, load: f32) -> Self {
        Self { key, player, pose, ahead: forward(pose.heading), load, team: None }
    }
}

/// The stash of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeenStash {
    /// Its seat.
    pub player: u32,
    /// Centre, metres.
    pub position: Vec2,
    /// Its content as a share of its capacity.
    pub fullness: f32,
}

/// The objects of a match after a step.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// Half the side of the world, metres.
    pub half_extent_m: f32,
    /// Seconds left on the clock.
    pub clock_seconds: f32,
    /// By key.
    pub bounties: Vec<SeenBounty>,
    /// Living ones, by key.
    pub collectors: Vec<SeenCollector>,
    /// By seat.
    pub stashes: Vec<SeenStash>,
    /// Keys and positions, by key.
    pub power_ups: Vec<(u64, Vec2)>,
    /// Solid walls.
    pub walls: Vec<Block>,
    /// The two fullest stashes: seat and fullness.
    pub(super) fullest: [(u32, f32); 2],
    pub(super) bounty_grid: Grid,
    pub(super) collector_grid: Grid,
}

/// What a learned player knows of itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observer {
    /// Its seat.
    pub player: u32,
    /// The number of its team; `None` in a match without teams.
    pub team: Option<u32>,
    /// Position and heading; those of its death until it respawns.
    pub pose: Pose,
    /// Whether it is alive.
    pub is_alive: bool,
    /// Its load as a share of the capacity of its pocket.
    pub load: f32,
    /// Seconds until it respawns; 0 while it is alive.
    pub respawn_seconds: f32,
    /// Its health, 0 to 1; 1 in a match without health.
    pub health: f32,
    /// Its lives; `None` if they are not limited.
    pub lives: Option<u32>,
    /// Seconds left as a ghost.
    pub ghost_seconds: f32,
    /// How far each spell is from its last cast to the next one, 1 if it is ready; `None` in a match without spells.
    pub spells: Option<[f32; 3]>,
}

impl Scene {
    /// Empties the lists; keeps their memory.
    pub fn clear(&mut self) {
        self.bounties.clear();
        self.collectors.clear();
        self.stashes.clear();
        self.power_ups.clear();
        self.walls.clear();
    }

    /// Sorts the lists and prepares the search. Call it after the last object was added.
    pub fn complete(&mut self) {
        self.bounties.sort_unstable_by_key(|bounty| bounty.key);
        self.collectors.sort_unstable_by_key(|collector| collector.key);
        self.stashes.sort_unstable_by_key(|stash| stash.player);
        self.power_ups.sort_unstable_by_key(|(key, _)| *key);
        self.fullest = [(u32::MAX, 0.0); 2];
        for stash in &self.stashes {
            let [first, second] = self.fullest;
            if first.0 == u32::MAX || stash.fullness > first.1 {
                self.fullest = [(stash.player, stash.fullness), first];
            } else if second.0 == u32::MAX || stash.fullness > second.1 {
                self.fullest[1] = (stash.player, stash.fullness);
            }
        }
        let half_extent_m = self.half_extent_m;
        let bounties = self.bounties.iter().map(|bounty| bounty.position);
        fill_if_long(&mut self.bounty_grid, half_extent_m, bounties);
        let collectors = self.collectors.iter().map(|collector| collector.pose.position);
        fill_if_long(&mut self.collector_grid, half_extent_m, collectors);
    }

    /// The stash of a player.
    #[must_use]
    pub fn stash_of(&self, player: u32) -> Option<&SeenStash> {
        self.stashes.get(player as usize)
    }
}

/// Fills a grid with the indices of a long list; empties it for a short one.
fn fill_if_long(grid: &mut Grid, half_extent_m: f32, places: impl ExactSizeIterator<Item = Vec2>) {
    if places.len() > LONG_LIST {
        let disc = |(key, position): (u64, Vec2)| Disc { key, position, radius_m: 0.0 };
        grid.fill(half_extent_m, (0..).zip(places).map(disc));
    } else if !grid.is_empty() {
        grid.fill(half_extent_m, []);
    }
}
